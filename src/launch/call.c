/*
 * Reads a call from the middle of any text: it searches for the name of a known function and trusts
 * nothing else. Unknown values, such as that of a variable, are assumed and reported.
 */
#include "launch/call.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/c_expression.h"
#include "bring/mend.h"
#include "device/device.h"
#include "launch/call_function.h"
#include "launch/call_words.h"
#include "launch/expression.h"
#include "launch/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

#define ARGUMENTS_MOST 8
#define NESTING_MOST   64

struct reading {
    const char *text; /* the whole text, cleaned up */
    const struct call_function *function;
    const char *begin; /* of the call, with the group before it */
    const char *open, *end;
    struct text group; /* the object of a member function */
    int group_size;
    struct text argument[ARGUMENTS_MOST];
    const char *argument_at[ARGUMENTS_MOST];
    int count;
    const struct word_list *values; /* of names */
    const char *moved;
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

/* The text after the marks that begin a heading or a list in Markdown. */
static const char *skip_marks(const char *text) {
    return text + strspn(text, "#>* \t\r\n");
}

/* grid.sync() and block.sync() are not operations of a warp. */
static bool is_wider_group(const struct cpp_token *group) {
    static const char *const names[] = {"grid", "block", "cta", "tb", "cluster"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (group->length >= strlen(names[i]) &&
            strncmp(group->at, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool is_group_space(const struct cpp_token *token) {
    return cpp_is(token, "cg") || cpp_is(token, "cooperative_groups");
}

/* The function that a word names, given the tokens before it. */
static const struct call_function *find_function(const struct cpp_token *token,
                                                 const struct cpp_token before[3]) {
    const bool is_member = cpp_is(&before[0], ".");
    if (token->kind != CPP_WORD ||
        (is_member && (before[1].kind != CPP_WORD || is_wider_group(&before[1]))))
        return NULL;
    if (cpp_is(token, CALL_GROUP_REDUCE) && !is_group_space(&before[2]))
        return NULL;
    return call_function_named(token->at, token->length, is_member);
}

/* Finds the first function that is called, and its object. */
static bool find(struct reading *reading, const char *text) {
    struct cpp_reader reader = {.at = skip_marks(text)};
    struct cpp_token token, before[3] = {{.kind = CPP_END}, {.kind = CPP_END}, {.kind = CPP_END}};
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        const bool is_member = cpp_is(&before[0], ".");
        const struct call_function *function = find_function(&token, before);
        struct cpp_reader next = reader;
        const struct cpp_token open = cpp_next(&next), group = before[1];
        if (function && cpp_is(&open, "(")) {
            reading->function = function;
            reading->begin = is_member ? group.at : token.at;
            reading->open = open.at;
            if (is_member)
                text_append_bytes(&reading->group, group.at, group.length);
            return true;
        }
        before[2] = before[1];
        before[1] = before[0];
        before[0] = token;
    }
    return false;
}

bool call_is_in(const char *text) {
    struct reading reading = {.group = TEXT_INIT};
    struct mend mend;
    if (!strchr(text, '(') && !strstr(text, "\xef\xbc\x88")) /* a full-width parenthesis */
        return false;
    mend_punctuation(&mend, text);
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
        reading->argument_at[reading->count] = from;
        text_append_bytes(&reading->argument[reading->count], from, (size_t)(end - from));
    }
    reading->count++;
}

/* Splits the text between the brackets. */
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
                return fail_at(reading, token.at, _("brackets are nested too deeply"));
            open[depth++] = c;
        } else if (strchr(")]}", c)) {
            if (open[--depth] != (c == ')' ? '(' : c == ']' ? '[' : '{'))
                return fail_at(reading, token.at,
                               _("this bracket does not match the one it closes"));
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
            return fail_at(reading, reading->argument_at[i], _("an argument is missing here"));
    return 0;
}

/* True for "unsigned mask": a type and a name instead of an argument. */
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

/* The number of lanes of a group: from its type, "tiled_partition<16>", "thread_block_tile<16>",
 * if that is in the same text, else from its name, else 32. */
static int group_size(const struct reading *reading) {
    static const char *const types[] = {"tiled_partition<", "thread_block_tile<"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *at = strstr(reading->text, types[i]);
        const size_t length = strlen(types[i]);
        if (at && at < reading->begin)
            return cpp_group_size(at, length + strspn(at + length, "0123456789"));
    }
    return cpp_group_size(reading->group.data, reading->group.length);
}

/* ---- arguments ---- */

static void assume(struct reading *reading, const char *name, const char *value) {
    call_assume(&reading->call->assumed, name, value);
}

static bool translate(struct reading *reading, const char *argument, const char *unknown,
                      struct text *to) {
    const struct call_words words = {&reading->call->assumed, reading->values};
    return call_translate(&words, argument, unknown, to);
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

/* The nearest type that the program has: __reduce_and_sync only takes unsigned. */
static enum warp_type value_type(const struct reading *reading, const char *value,
                                 const struct program *program) {
    const enum warp_type type = type_of(reading, value);
    return program->types >> type & 1 ? type : program->defaults.type;
}

/* Checks an expression with the parser of expression.h, and reports its error. */
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
    /* How far the parser got: the column of its caret, if names were not replaced. */
    const char *caret = strstr(why.text, "^");
    size_t column = 0;
    while (caret && caret > why.text && caret[-1] == ' ')
        caret--, column++;
    const size_t length = reading->argument[index].length;
    column = column >= 4 ? column - 4 : 0;
    return fail_at(reading, reading->argument_at[index] + (column < length ? column : length),
                   wrong);
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
    const struct call_function *function = reading->function;
    struct text text = TEXT_INIT;
    char assumed[8];
    int status = 0;
    snprintf(assumed, sizeof assumed, "%d", function->assumed);
    if (!translate(reading, reading->argument[index].data, assumed, &text)) {
        assume(reading, reading->argument[index].data, assumed);
        text_clear(&text);
        text_append(&text, assumed);
    } else {
        status =
            check(reading, index, warp_op_info(function->op)->argument, WARP_TYPE_NONE, text.data);
    }
    append_option(reading, function->option, text.data);
    text_release(&text);
    return status;
}

/* Without --in, lanes pass the program's default. */
static int take_value(struct reading *reading, int index, const struct program *program,
                      const char *unknown) {
    const char *argument = reading->argument[index].data;
    const enum warp_type type = value_type(reading, argument, program);
    struct text text = TEXT_INIT;
    int status = 0;
    if (!translate(reading, argument, unknown, &text)) {
        assume(reading, argument, unknown);
        text_clear(&text);
        text_append(&text, unknown);
    } else {
        status = check(reading, index, "var", type, text.data);
    }
    if (type != program->defaults.type)
        append_option(reading, "type", warp_type_info(type)->name);
    if (strcmp(text.data, program->input) != 0)
        append_option(reading, "in", text.data);
    text_release(&text);
    return status;
}

static void assume_group(struct reading *reading) {
    char lanes[64];
    if (reading->group.length == 0)
        return;
    snprintf(lanes, sizeof lanes, _("a group of %d lanes"), reading->group_size);
    assume(reading, reading->group.data, lanes);
}

static int read_shuffle(struct reading *reading) {
    const struct call_function *function = reading->function;
    const int value = !function->is_member && string_ends_with(function->name, "_sync");
    text_append(&reading->call->line, function->command);
    if (take_lane_argument(reading, value + 1) != 0)
        return -1;
    if (reading->count > value + 2 && take_width(reading, value + 2) != 0)
        return -1;
    if (function->is_member && reading->group_size != WARP_LANES)
        text_append_format(&reading->call->line, " --width %d", reading->group_size);
    if (value && take_members(reading, 0) != 0)
        return -1;
    if (!value && !function->is_member)
        assume(reading, "mask", "0xffffffff");
    assume_group(reading);
    return take_value(reading, value, device_program_find(function->command),
                      reading->moved ? reading->moved : "lane");
}

/* True if a program makes just this call, which is not a shuffle. No program exists for a group
 * that is not a whole warp, or for a C++ expression that is beyond our grammar or of another
 * type. */
static bool has_program(struct reading *reading) {
    const struct call_function *function = reading->function;
    const struct program *program = device_program_find(function->command);
    const int value = function->is_member ? 0 : 1;
    struct text ignored = TEXT_INIT;
    bool has = !function->is_member || reading->group_size == WARP_LANES;
    if (has && reading->count > value) {
        const char *argument = reading->argument[value].data;
        const enum warp_type type = type_of(reading, argument);
        has = (type <= WARP_TYPE_UNSIGNED_LONG_LONG || program->types >> type & 1) &&
              translate(reading, argument, "lane", &ignored);
    }
    text_clear(&reading->call->assumed);
    text_release(&ignored);
    return has;
}

static int read_program(struct reading *reading) {
    const struct call_function *function = reading->function;
    const int value = function->is_member ? 0 : 1;
    text_append_format(&reading->call->line, "kernel %s", function->command);
    if (!function->is_member && reading->count && take_members(reading, 0) != 0)
        return -1;
    assume_group(reading);
    return reading->count > value
               ? take_value(reading, value, device_program_find(function->command), "lane")
               : 0;
}

/* ---- other functions ---- */

static bool is_keyword(const struct cpp_token *token) {
    static const char *const known[] = {"lane",    "thread",   "warpSize",    "true",    "false",
                                        "sizeof",  "const",    "unsigned",    "signed",  "char",
                                        "short",   "int",      "long",        "float",   "double",
                                        "bool",    "size_t",   "half",        "__half",  "int8_t",
                                        "uint8_t", "int16_t",  "uint16_t",    "int32_t", "uint32_t",
                                        "int64_t", "uint64_t", "static_cast", NULL};
    for (const char *const *at = known; *at; at++)
        if (cpp_is(token, *at))
            return true;
    return false;
}

/* True if a program generated from the call has to declare this name. */
static bool is_free_name(const struct cpp_token *token, const struct cpp_token *before,
                         struct cpp_reader *reader) {
    struct cpp_reader next = *reader;
    const struct cpp_token after = cpp_next(&next);
    return token->kind == CPP_WORD && !cpp_is(before, ".") && !cpp_is(&after, "(") &&
           !call_built_in(token, reader) && !is_keyword(token);
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

/* The names that the generated program has to declare. */
static void note_names(struct reading *reading) {
    const bool has_mask = !reading->function->is_member;
    for (int i = 0; i < reading->count; i++) {
        struct cpp_reader reader = {.at = reading->argument[i].data};
        struct cpp_token token, before = {.kind = CPP_END};
        while ((token = cpp_next(&reader)).kind != CPP_END) {
            const bool is_result = cpp_is(&before, "&") && before.at == reading->argument[i].data;
            const char *known = call_known_word(&token);
            const char *value = i == 0 && has_mask ? "0xffffffff"
                                : is_result        ? "0"
                                : known            ? known
                                                   : "lane";
            if (is_free_name(&token, &before, &reader))
                note_name(reading, &token, value, !is_result);
            before = token;
        }
    }
    assume_group(reading);
}

static void take_expression(struct reading *reading) {
    struct text *to = &reading->call->expression;
    const struct call_function *function = reading->function;
    if (function->is_member)
        text_append(to, reading->group.data);
    if (reading->call->kind == CALL_EXPRESSION && function->is_member &&
        cpp_group_size(reading->group.data, reading->group.length) != reading->group_size)
        text_append_format(to, "_%d", reading->group_size);
    text_append_format(to, "%s%s(", function->is_member ? "." : "", function->name);
    for (int i = 0; i < reading->count; i++)
        text_append_format(to, "%s%s", i ? ", " : "", reading->argument[i].data);
    text_append_char(to, ')');
}

static int check_count(const struct reading *reading) {
    const struct call_function *function = reading->function;
    char wrong[160];
    if (reading->count >= function->least && reading->count <= function->most)
        return 0;
    snprintf(wrong, sizeof wrong, _("%s takes %d to %d arguments, %d given"), function->name,
             function->least, function->most, reading->count);
    const int at = reading->count > function->most ? function->most : -1;
    return fail_at(reading,
                   at >= 0 && at < ARGUMENTS_MOST ? reading->argument_at[at] : reading->end - 1,
                   wrong);
}

/* Turns cg::reduce(group, value, cg::plus<T>()) into the function that does the same for a warp. */
static int read_group_reduce(struct reading *reading) {
    const struct call_function *function = call_function_of_operator(reading->argument[2].data);
    char wrong[128];
    const int size = cpp_group_size(reading->argument[0].data, reading->argument[0].length);
    if (!function)
        return fail_at(reading, reading->argument_at[2],
                       _("plus, less, greater, bit_and, bit_or or bit_xor is expected here"));
    snprintf(wrong, sizeof wrong, _("a group of %d lanes is smaller than a warp"), size);
    if (size != WARP_LANES)
        return fail_at(reading, reading->argument_at[0], wrong);
    if (strstr(reading->argument[2].data, "float") || strstr(reading->argument[2].data, "double"))
        return fail_at(reading, reading->argument_at[2],
                       _("int and unsigned are reduced by one operation, other types by shuffles"));
    text_append(&reading->group, reading->argument[0].data);
    reading->group_size = size;
    text_clear(&reading->argument[0]);
    text_append(&reading->argument[0], "0xffffffff");
    reading->function = function;
    reading->count = 2;
    reading->call->op = function->op;
    reading->call->function = function->name;
    return 0;
}

static int read_mended(struct reading *reading) {
    if (!find(reading, reading->text))
        return error_set(reading->err, ERROR_USAGE,
                         _("the text contains no call to a warp function\ntry: shflviz "
                           "'__shfl_up_sync(0xffffffff, value, 2, 16)'"));
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
    if (strcmp(reading->function->name, CALL_GROUP_REDUCE) == 0 && read_group_reduce(reading) != 0)
        return -1;
    if (reading->function->is_member)
        reading->group_size = group_size(reading);
    call->kind = reading->function->option || has_program(reading) ? CALL_COMMAND : CALL_EXPRESSION;
    take_expression(reading);
    if (call->kind == CALL_COMMAND)
        return reading->function->option ? read_shuffle(reading) : read_program(reading);
    note_names(reading);
    return 0;
}

int call_read(struct call *call, const char *text, const struct word_list *values,
              const char *moved, struct error *err) {
    struct mend mend;
    mend_punctuation(&mend, text);
    *call = (struct call){
        .line = TEXT_INIT, .assumed = TEXT_INIT, .expression = TEXT_INIT, .names = TEXT_INIT};
    struct reading reading = {.text = mend.text.data,
                              .group = TEXT_INIT,
                              .values = values,
                              .moved = moved,
                              .call = call,
                              .err = err};
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
