#include "launch/call.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/c_expression.h"
#include "bring/mend.h"
#include "launch/expression.h"
#include "launch/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the functions ---- */

struct function {
    const char *name;
    enum warp_op op;
    const char *command, *option; /* of the four shuffles; NULL: none */
    const char *parameters;       /* as a message names them */
    int least, most;              /* how many arguments */
    bool is_member;               /* of a group: no mask, no width */
    int assumed;                  /* what an argument is taken for whose name says nothing */
};

#define SHUFFLE(NAME, OP, COMMAND, OPTION, PARAMETER, ASSUMED)                                     \
    {"__shfl" NAME "_sync",                                                                        \
     OP,                                                                                           \
     COMMAND,                                                                                      \
     OPTION,                                                                                       \
     "mask, var, " PARAMETER ", width",                                                            \
     3,                                                                                            \
     4,                                                                                            \
     false,                                                                                        \
     ASSUMED},                                                                                     \
        {"__shfl" NAME, OP, COMMAND, OPTION, "var, " PARAMETER ", width", 2, 3, false, ASSUMED}, { \
        "shfl" NAME, OP, COMMAND, OPTION, "var, " PARAMETER, 2, 2, true, ASSUMED                   \
    }
#define OTHER(NAME, OP, PARAMETERS, COUNT, MOST)                                                   \
    { NAME, OP, NULL, NULL, PARAMETERS, COUNT, MOST, false, 0 }
#define MEMBER(NAME, OP, PARAMETERS, COUNT, MOST)                                                  \
    { NAME, OP, NULL, NULL, PARAMETERS, COUNT, MOST, true, 0 }

static const struct function functions[] = {
    SHUFFLE("", WARP_OP_IDX, "idx", "src", "srcLane", 0),
    SHUFFLE("_up", WARP_OP_UP, "up", "delta", "delta", 1),
    SHUFFLE("_down", WARP_OP_DOWN, "down", "delta", "delta", 16),
    SHUFFLE("_xor", WARP_OP_XOR, "xor", "mask", "laneMask", 16),
    OTHER("__ballot_sync", WARP_OP_BALLOT, "mask, predicate", 2, 2),
    OTHER("__any_sync", WARP_OP_ANY, "mask, predicate", 2, 2),
    OTHER("__all_sync", WARP_OP_ALL, "mask, predicate", 2, 2),
    OTHER("__match_any_sync", WARP_OP_MATCH_ANY, "mask, value", 2, 2),
    OTHER("__match_all_sync", WARP_OP_MATCH_ALL, "mask, value, pred", 3, 3),
    OTHER("__reduce_add_sync", WARP_OP_REDUCE_ADD, "mask, value", 2, 2),
    OTHER("__reduce_min_sync", WARP_OP_REDUCE_MIN, "mask, value", 2, 2),
    OTHER("__reduce_max_sync", WARP_OP_REDUCE_MAX, "mask, value", 2, 2),
    OTHER("__reduce_and_sync", WARP_OP_REDUCE_AND, "mask, value", 2, 2),
    OTHER("__reduce_or_sync", WARP_OP_REDUCE_OR, "mask, value", 2, 2),
    OTHER("__reduce_xor_sync", WARP_OP_REDUCE_XOR, "mask, value", 2, 2),
    OTHER("__syncwarp", WARP_OP_SYNC, "mask", 0, 1),
    OTHER("__activemask", WARP_OP_ACTIVEMASK, "", 0, 0),
    MEMBER("ballot", WARP_OP_BALLOT, "predicate", 1, 1),
    MEMBER("any", WARP_OP_ANY, "predicate", 1, 1),
    MEMBER("all", WARP_OP_ALL, "predicate", 1, 1),
    MEMBER("match_any", WARP_OP_MATCH_ANY, "value", 1, 1),
    MEMBER("match_all", WARP_OP_MATCH_ALL, "value, pred", 2, 2),
    MEMBER("sync", WARP_OP_SYNC, "", 0, 0),
};
#define FUNCTION_COUNT (sizeof functions / sizeof *functions)

/* "shfl_sync(mask, x, 2)" is what articles write, too: the underscores are left out there. */
static const struct function *function_called(const char *name, size_t length, bool is_member) {
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        const char *known = functions[i].name;
        if (functions[i].is_member != is_member)
            continue;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return &functions[i];
        known += strspn(known, "_");
        if (!is_member && string_ends_with(known, "_sync") && strlen(known) == length &&
            memcmp(known, name, length) == 0)
            return &functions[i];
    }
    return NULL;
}

int call_function(const char *name) {
    const struct function *function = function_called(name, strlen(name), false);
    return function ? (int)function->op : -1;
}

const char *call_signature(enum warp_op op) {
    static const char *const signatures[WARP_OP_COUNT] = {
        [WARP_OP_IDX] = "T __shfl_sync(unsigned mask, T var, int srcLane, int width = warpSize)",
        [WARP_OP_UP] =
            "T __shfl_up_sync(unsigned mask, T var, unsigned delta, int width = warpSize)",
        [WARP_OP_DOWN] =
            "T __shfl_down_sync(unsigned mask, T var, unsigned delta, int width = warpSize)",
        [WARP_OP_XOR] =
            "T __shfl_xor_sync(unsigned mask, T var, int laneMask, int width = warpSize)",
        [WARP_OP_BALLOT] = "unsigned __ballot_sync(unsigned mask, int predicate)",
        [WARP_OP_ANY] = "int __any_sync(unsigned mask, int predicate)",
        [WARP_OP_ALL] = "int __all_sync(unsigned mask, int predicate)",
        [WARP_OP_MATCH_ANY] = "unsigned __match_any_sync(unsigned mask, T value)",
        [WARP_OP_MATCH_ALL] = "unsigned __match_all_sync(unsigned mask, T value, int *pred)",
        [WARP_OP_REDUCE_ADD] = "T __reduce_add_sync(unsigned mask, T value)",
        [WARP_OP_REDUCE_MIN] = "T __reduce_min_sync(unsigned mask, T value)",
        [WARP_OP_REDUCE_MAX] = "T __reduce_max_sync(unsigned mask, T value)",
        [WARP_OP_REDUCE_AND] = "unsigned __reduce_and_sync(unsigned mask, unsigned value)",
        [WARP_OP_REDUCE_OR] = "unsigned __reduce_or_sync(unsigned mask, unsigned value)",
        [WARP_OP_REDUCE_XOR] = "unsigned __reduce_xor_sync(unsigned mask, unsigned value)",
        [WARP_OP_SYNC] = "void __syncwarp(unsigned mask = 0xffffffff)",
        [WARP_OP_ACTIVEMASK] = "unsigned __activemask()",
    };
    return signatures[op];
}

/* ---- reading ---- */

#define ARGUMENTS_MOST 8
#define NESTING_MOST   64

struct reading {
    const char *text; /* the whole, mended */
    const struct function *function;
    const char *begin; /* of the call, with the group before it */
    const char *open, *end;
    struct text group; /* whose member it is */
    struct text argument[ARGUMENTS_MOST];
    const char *place[ARGUMENTS_MOST];
    int count;
    struct call *call;
    struct error *err;
};

#define EXCERPT 56

static int fail_at(const struct reading *reading, const char *at, const char *wrong) {
    struct text line = TEXT_INIT, before = TEXT_INIT;
    const char *begin = at;
    while (begin > reading->text && begin[-1] != '\n' && at - begin < EXCERPT)
        begin--;
    while (((unsigned char)*begin & 0xc0) == 0x80)
        begin++;
    text_append_bytes(&before, begin, (size_t)(at - begin));
    text_append_bytes(&line, begin, (size_t)(at - begin));
    text_append_bytes(&line, at, strcspn(at, "\n"));
    error_set(reading->err, ERROR_USAGE,
              _("%s\n    %s\n    %*s^\n"
                "allowed: %s(%s)\ntry: shflviz '%s'"),
              wrong, line.data, utf8_columns(before.data), "", reading->function->name,
              reading->function->parameters, "__shfl_up_sync(0xffffffff, value, 2, 16)");
    text_release(&line);
    text_release(&before);
    return -1;
}

/* Behind the marks that a heading or a list of Markdown begins with. */
static const char *skip_marks(const char *text) {
    return text + strspn(text, "#>* \t\r\n");
}

/* Finds the first function that is called, and whose member it is. */
static bool find(struct reading *reading, const char *text) {
    struct cpp_reader reader = {.at = skip_marks(text)};
    struct cpp_token token, before = {.kind = CPP_END}, group = before;
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        const bool is_member = cpp_is(&before, ".");
        const struct function *function =
            token.kind == CPP_WORD ? function_called(token.at, token.length, is_member) : NULL;
        struct cpp_reader next = reader;
        const struct cpp_token open = cpp_next(&next);
        if (function && cpp_is(&open, "(") && (!is_member || group.kind == CPP_WORD)) {
            reading->function = function;
            reading->begin = is_member ? group.at : token.at;
            reading->open = open.at;
            if (is_member)
                text_append_bytes(&reading->group, group.at, group.length);
            return true;
        }
        group = before;
        before = token;
    }
    return false;
}

bool call_is(const char *text) {
    struct reading reading = {.group = TEXT_INIT};
    struct mend mend;
    if (!strchr(text, '(') && !strstr(text, "\xef\xbc\x88")) /* the full-width one */
        return false;
    mend_marks(&mend, text);
    const bool found = find(&reading, mend.text.data);
    text_release(&reading.group);
    mend_release(&mend);
    return found;
}

static void take_argument(struct reading *reading, const char *from, const char *end) {
    while (from < end && strchr(" \t\r\n", *from))
        from++;
    while (end > from && strchr(" \t\r\n", end[-1]))
        end--;
    if (reading->count < ARGUMENTS_MOST) {
        reading->place[reading->count] = from;
        text_append_bytes(&reading->argument[reading->count], from, (size_t)(end - from));
    }
    reading->count++;
}

/* Splits what stands between the brackets. */
static int split(struct reading *reading) {
    char open[NESTING_MOST] = "(";
    size_t depth = 1;
    struct cpp_reader reader = {.at = reading->open + 1};
    struct cpp_token token;
    const char *from = reading->open + 1;
    while (depth > 0) {
        token = cpp_next(&reader);
        if (token.kind == CPP_END || cpp_is(&token, ";"))
            return fail_at(reading, token.at, _("expected ')': this call is not closed"));
        if (token.kind != CPP_SYMBOL)
            continue;
        const char c = *token.at;
        if (strchr("([{", c)) {
            if (depth == NESTING_MOST)
                return fail_at(reading, token.at, _("too many brackets in one another"));
            open[depth++] = c;
        } else if (strchr(")]}", c)) {
            if (open[--depth] != (c == ')' ? '(' : c == ']' ? '[' : '{'))
                return fail_at(reading, token.at, _("this bracket closes another kind"));
        } else if (c == ',' && depth == 1) {
            take_argument(reading, from, token.at);
            from = token.at + 1;
        }
    }
    reading->end = token.at + 1;
    if (reading->count || token.at[-1] != '(')
        take_argument(reading, from, token.at);
    if (reading->count == 1 && reading->argument[0].length == 0)
        reading->count = 0;
    for (int i = 0; i < reading->count && i < ARGUMENTS_MOST; i++)
        if (reading->argument[i].length == 0)
            return fail_at(reading, reading->place[i], _("an argument is missing here"));
    return 0;
}

/* "unsigned mask": a type and a name in the place of an argument. */
static bool is_declared(const struct text *argument) {
    struct cpp_reader reader = {.at = argument->data};
    struct cpp_token token, before = {.kind = CPP_END};
    while ((token = cpp_next(&reader)).kind == CPP_WORD || cpp_is(&token, "*")) {
        if (token.kind == CPP_WORD && (before.kind == CPP_WORD || cpp_is(&before, "*")))
            return true;
        before = token;
    }
    return false;
}

/* ---- arguments ---- */

static void assume(struct reading *reading, const char *name, const char *value) {
    struct text *said = &reading->call->assumed, one = TEXT_INIT;
    text_append_format(&one, "%s = %s", name, value);
    if (!strstr(said->data, one.data))
        text_append_format(said, "%s%s", said->length ? ", " : "", one.data);
    text_release(&one);
}

static bool is_word(const struct cpp_token *token, const char *const *words) {
    for (; *words; words++)
        if (cpp_is(token, *words))
            return true;
    return false;
}

static const char *const lane_words[] = {"lane",     "laneId",  "lane_id", "laneid", "laneID",
                                         "lane_idx", "laneIdx", "LaneId",  "lid",    NULL};
static const char *const thread_words[] = {"thread", "tid",        "thread_id", "threadId",
                                           "idx",    "thread_idx", "gid",       NULL};
static const char *const warp_words[] = {"warpSize",      "WARP_SIZE", "warp_size", "kWarpSize",
                                         "C10_WARP_SIZE", "WarpSize",  "WARPSIZE",  NULL};

/* threadIdx.x, blockIdx.x, blockDim.x: what of C++ is known; NULL if it is none. */
static const char *built_in(const struct cpp_token *token, struct cpp_reader *reader) {
    static const char *const known[][2] = {
        {"threadIdx", "thread"}, {"blockIdx", "0"}, {"blockDim", "32"}, {"gridDim", "1"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!cpp_is(token, known[i][0]))
            continue;
        struct cpp_reader next = *reader;
        const struct cpp_token dot = cpp_next(&next), axis = cpp_next(&next);
        if (!cpp_is(&dot, ".") || axis.length != 1)
            return NULL;
        *reader = next;
        return *axis.at == 'x' ? known[i][1] : known[i][1][0] == 't' ? "0" : "1";
    }
    return NULL;
}

/* A number without its suffix. */
static void append_number(struct text *to, const struct cpp_token *token) {
    const char *at = token->at;
    size_t length = token->length;
    const bool hexadecimal = length > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    while (length > 1 && strchr(hexadecimal ? "uUlL" : "uUlLfF", at[length - 1]))
        length--;
    text_append_bytes(to, at, length);
}

/* What an expression does not have: memory, members, calls, casts, pointers. */
static bool is_beyond(const struct cpp_token *token, const struct cpp_token *before) {
    if (token->kind == CPP_STRING)
        return true;
    if (token->kind != CPP_SYMBOL)
        return cpp_is(before, ")");
    const char c = *token->at;
    const bool begins = before->kind == CPP_END || cpp_is(before, "(");
    return strchr("[].{}", c) || (c == '(' && before->kind == CPP_WORD) ||
           (c == '>' && cpp_is(before, "-")) || (strchr("*&", c) && begins);
}

/* A name, or what stands for it. */
static void append_name(struct reading *reading, struct text *to, const struct cpp_token *token,
                        const char *unknown) {
    char name[64];
    if (is_word(token, lane_words)) {
        text_append(to, "lane");
    } else if (is_word(token, thread_words)) {
        text_append(to, "thread");
    } else if (is_word(token, warp_words)) {
        text_append(to, "32");
    } else {
        snprintf(name, sizeof name, "%.*s", (int)token->length, token->at);
        assume(reading, name, unknown);
        text_append(to, unknown);
    }
}

/*
 * Writes an argument in the words of expression.h; names that say nothing become `unknown`. False
 * if it takes more of C++ than an expression has: memory, calls, casts.
 */
static bool translate_words(struct reading *reading, const char *argument, const char *unknown,
                            struct text *to) {
    struct cpp_reader reader = {.at = argument};
    struct cpp_token token, before = {.kind = CPP_END};
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        const char *known = token.kind == CPP_WORD ? built_in(&token, &reader) : NULL;
        if (is_beyond(&token, &before))
            return false;
        if (to->length && !token.is_joined)
            text_append_char(to, ' ');
        if (known)
            text_append(to, known);
        else if (token.kind == CPP_NUMBER)
            append_number(to, &token);
        else if (token.kind == CPP_WORD)
            append_name(reading, to, &token, unknown);
        else
            text_append_bytes(to, token.at, token.length);
        before = token;
    }
    return true;
}

/* The same; what was assumed of its parts does not count where the whole is not known. */
static bool translate(struct reading *reading, const char *argument, const char *unknown,
                      struct text *to) {
    struct text *assumed = &reading->call->assumed;
    const size_t length = assumed->length;
    if (translate_words(reading, argument, unknown, to))
        return true;
    if (length)
        assumed->data[length] = '\0';
    assumed->length = length;
    if (!length)
        text_clear(assumed);
    return false;
}

static enum warp_type type_of(const struct reading *reading, const char *value) {
    static const struct {
        const char *word;
        enum warp_type type;
    } types[] = {{"float", WARP_TYPE_FLOAT},       {"double", WARP_TYPE_DOUBLE},
                 {"half", WARP_TYPE_HALF},         {"__half", WARP_TYPE_HALF},
                 {"unsigned", WARP_TYPE_UNSIGNED}, {"uint32_t", WARP_TYPE_UNSIGNED},
                 {"uint", WARP_TYPE_UNSIGNED}};
    struct cpp_reader reader = {.at = reading->text};
    struct cpp_token token = cpp_next(&reader);
    for (size_t i = 0; token.at < reading->begin && i < sizeof types / sizeof *types; i++)
        if (cpp_is(&token, types[i].word))
            return types[i].type;
    reader = (struct cpp_reader){.at = value};
    while ((token = cpp_next(&reader)).kind != CPP_END)
        if (token.kind == CPP_NUMBER && token.length > 1 && token.at[1] != 'x' &&
            memchr(token.at, '.', token.length))
            return strchr("fF", token.at[token.length - 1]) ? WARP_TYPE_FLOAT : WARP_TYPE_DOUBLE;
    return WARP_TYPE_INT;
}

/* Checks an expression by its one reader, which says what is wrong with it. */
static int check(struct reading *reading, int index, const char *option, enum warp_type type,
                 const char *text) {
    const struct expression_rules rules = {
        .option = option, .type = type, .threads = WARP_LANES, .random_limit = WARP_LANES};
    struct expression *expression;
    struct error why = ERROR_INIT;
    const int status = expression_compile(&expression, text, &rules, &why);
    expression_free(expression);
    if (status == 0)
        return 0;
    char wrong[128];
    const char *colon = strstr(why.text, ": ");
    const char *said = colon ? colon + 2 : why.text;
    snprintf(wrong, sizeof wrong, "%s: %.*s", option, (int)strcspn(said, "\n"), said);
    /* As far as the reader came: the column of its caret, where names were not replaced. */
    const char *caret = strstr(why.text, "^");
    size_t column = 0;
    while (caret && caret > why.text && caret[-1] == ' ')
        caret--, column++;
    const size_t length = reading->argument[index].length;
    column = column >= 4 ? column - 4 : 0;
    return fail_at(reading, reading->place[index] + (column < length ? column : length), wrong);
}

/* A number that is the same in all lanes. */
static int constant(struct reading *reading, int index, const char *option, const char *text,
                    int64_t *number) {
    const struct expression_rules rules = {
        .option = option, .type = WARP_TYPE_NONE, .threads = WARP_LANES, .random_limit = 1};
    struct expression *expression;
    struct expression_value value = {.integer = 0};
    if (check(reading, index, option, WARP_TYPE_NONE, text) != 0)
        return -1;
    int status = expression_compile(&expression, text, &rules, reading->err);
    if (status == 0)
        status = expression_evaluate(expression, 0, 0, &value, reading->err);
    expression_free(expression);
    *number = value.integer;
    return status;
}

static void append_option(struct reading *reading, const char *name, const char *value) {
    text_append_format(&reading->call->line, " --%s ", name);
    launch_append_quoted(&reading->call->line, value);
}

static int take_members(struct reading *reading, int index) {
    const char *argument = reading->argument[index].data;
    struct text text = TEXT_INIT;
    char value[32];
    int64_t mask = WARP_FULL_MASK;
    int status = 0;
    if (!translate(reading, argument, "0xffffffff", &text))
        assume(reading, argument, "0xffffffff");
    else
        status = constant(reading, index, "mask", text.data, &mask);
    snprintf(value, sizeof value, "0x%" PRIx32, (uint32_t)mask);
    if (status == 0 && (uint32_t)mask != WARP_FULL_MASK)
        append_option(reading, "members", value);
    text_release(&text);
    return status;
}

static int take_width(struct reading *reading, int index) {
    struct text text = TEXT_INIT;
    char value[32];
    int64_t width = WARP_LANES;
    int status = 0;
    if (!translate(reading, reading->argument[index].data, "32", &text))
        assume(reading, reading->argument[index].data, "32");
    else
        status = constant(reading, index, "width", text.data, &width);
    snprintf(value, sizeof value, "%" PRId64, width);
    if (status == 0 && width != WARP_LANES)
        append_option(reading, "width", value);
    text_release(&text);
    return status;
}

static int take_lane_argument(struct reading *reading, int index) {
    const struct function *function = reading->function;
    struct text text = TEXT_INIT;
    char assumed[8];
    int status = 0;
    snprintf(assumed, sizeof assumed, "%d", function->assumed);
    if (!translate(reading, reading->argument[index].data, assumed, &text)) {
        assume(reading, reading->argument[index].data, assumed);
        text_clear(&text);
        text_append(&text, assumed);
    } else {
        status = check(reading, index, function->option, WARP_TYPE_NONE, text.data);
    }
    append_option(reading, function->option, text.data);
    text_release(&text);
    return status;
}

/* Without --in each lane brings its number, which is what a name is taken for. */
static int take_value(struct reading *reading, int index) {
    const char *argument = reading->argument[index].data;
    const enum warp_type type = type_of(reading, argument);
    struct text text = TEXT_INIT;
    int status = 0;
    const bool known = translate(reading, argument, "lane", &text);
    if (!known)
        assume(reading, argument, "lane");
    else
        status = check(reading, index, "var", type, text.data);
    if (type != WARP_TYPE_INT)
        append_option(reading, "type", warp_type_info(type)->name);
    if (known && strcmp(text.data, "lane") != 0)
        append_option(reading, "in", text.data);
    text_release(&text);
    return status;
}

static int read_command(struct reading *reading) {
    const struct function *function = reading->function;
    const int value = !function->is_member && string_ends_with(function->name, "_sync");
    text_append(&reading->call->line, function->command);
    if (take_lane_argument(reading, value + 1) != 0)
        return -1;
    if (reading->count > value + 2 && take_width(reading, value + 2) != 0)
        return -1;
    if (value && take_members(reading, 0) != 0)
        return -1;
    if (!value && !function->is_member)
        assume(reading, "mask", "0xffffffff");
    if (function->is_member)
        assume(reading, reading->group.data, _("a group of 32 lanes"));
    return take_value(reading, value);
}

/* ---- other functions ---- */

/* Whether a program made of the call has to declare this name. */
static bool is_free_name(const struct cpp_token *token, const struct cpp_token *before,
                         struct cpp_reader *reader) {
    static const char *const known[] = {"lane",  "thread", "warpSize", "true",
                                        "false", "sizeof", NULL};
    struct cpp_reader next = *reader;
    const struct cpp_token after = cpp_next(&next);
    return token->kind == CPP_WORD && !cpp_is(before, ".") && !cpp_is(&after, "(") &&
           !built_in(token, reader) && !is_word(token, known);
}

static void note_name(struct reading *reading, const struct cpp_token *token, const char *value,
                      bool tells) {
    struct text *names = &reading->call->names, line = TEXT_INIT;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)token->length, token->at);
    text_append_format(&line, "%s=%s\n", name, value);
    if (!strstr(names->data, line.data))
        text_append(names, line.data);
    if (tells)
        assume(reading, name, value);
    text_release(&line);
}

/* The names that the program made of it has to declare. */
static void note_names(struct reading *reading) {
    const bool has_mask = !reading->function->is_member;
    for (int i = 0; i < reading->count; i++) {
        struct cpp_reader reader = {.at = reading->argument[i].data};
        struct cpp_token token, before = {.kind = CPP_END};
        while ((token = cpp_next(&reader)).kind != CPP_END) {
            const bool is_result = cpp_is(&before, "&") && before.at == reading->argument[i].data;
            const char *value = i == 0 && has_mask              ? "0xffffffff"
                                : is_result                     ? "0"
                                : is_word(&token, warp_words)   ? "32"
                                : is_word(&token, thread_words) ? "thread"
                                                                : "lane";
            if (is_free_name(&token, &before, &reader))
                note_name(reading, &token, value, !is_result);
            before = token;
        }
    }
    if (reading->function->is_member)
        assume(reading, reading->group.data, _("a group of 32 lanes"));
}

static void take_expression(struct reading *reading) {
    struct text *to = &reading->call->expression;
    const struct function *function = reading->function;
    text_append_format(to, "%s%s%s(", reading->group.data, function->is_member ? "." : "",
                       function->name);
    for (int i = 0; i < reading->count; i++)
        text_append_format(to, "%s%s", i ? ", " : "", reading->argument[i].data);
    text_append_char(to, ')');
}

static int check_count(const struct reading *reading) {
    const struct function *function = reading->function;
    char wrong[160];
    if (reading->count >= function->least && reading->count <= function->most)
        return 0;
    snprintf(wrong, sizeof wrong, _("%s takes %d to %d arguments, %d are given"), function->name,
             function->least, function->most, reading->count);
    const int at = reading->count > function->most ? function->most : -1;
    return fail_at(reading, at >= 0 && at < ARGUMENTS_MOST ? reading->place[at] : reading->end - 1,
                   wrong);
}

static int read_mended(struct reading *reading) {
    if (!find(reading, reading->text))
        return error_set(reading->err, ERROR_USAGE,
                         _("no call of a warp function is in it\n"
                           "try: shflviz '__shfl_up_sync(0xffffffff, value, 2, 16)'"));
    struct call *call = reading->call;
    call->op = reading->function->op;
    call->function = reading->function->name;
    if (split(reading) != 0)
        return -1;
    if (reading->count && is_declared(&reading->argument[0])) {
        call->kind = CALL_DECLARATION;
        return 0;
    }
    if (check_count(reading) != 0)
        return -1;
    take_expression(reading);
    if (reading->function->command) {
        call->kind = CALL_COMMAND;
        return read_command(reading);
    }
    call->kind = CALL_EXPRESSION;
    note_names(reading);
    return 0;
}

int call_read(struct call *call, const char *text, struct error *err) {
    struct mend mend;
    mend_marks(&mend, text);
    *call = (struct call){
        .line = TEXT_INIT, .assumed = TEXT_INIT, .expression = TEXT_INIT, .names = TEXT_INIT};
    struct reading reading = {.text = mend.text.data, .group = TEXT_INIT, .call = call, .err = err};
    for (int i = 0; i < ARGUMENTS_MOST; i++)
        text_init(&reading.argument[i]);
    const int status = read_mended(&reading);
    for (int i = 0; i < ARGUMENTS_MOST; i++)
        text_release(&reading.argument[i]);
    text_release(&reading.group);
    mend_release(&mend);
    return status;
}

void call_release(struct call *call) {
    text_release(&call->line);
    text_release(&call->assumed);
    text_release(&call->expression);
    text_release(&call->names);
}
