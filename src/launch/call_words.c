/*
 * Translates token by token. An argument that needs more than our grammar is reported as such, so
 * that the caller can have it compiled instead.
 */
#include "launch/call_words.h"

#include "launch/launch.h"

#include <string.h>

void call_assume(struct text *assumed, const char *name, const char *value) {
    struct text one = TEXT_INIT;
    text_append_format(&one, "%s = %s", name, value);
    if (!strstr(assumed->data, one.data))
        text_append_format(assumed, "%s%s", assumed->length ? ", " : "", one.data);
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

const char *call_known_word(const struct cpp_token *token) {
    return is_word(token, lane_words)     ? "lane"
           : is_word(token, thread_words) ? "thread"
           : is_word(token, warp_words)   ? "32"
                                          : NULL;
}

const char *call_built_in(const struct cpp_token *token, struct cpp_reader *reader) {
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

/* True for anything that an expression cannot have: memory, members, calls, casts, pointers. */
static bool is_unsupported(const struct cpp_token *token, const struct cpp_token *before) {
    if (token->kind == CPP_STRING)
        return true;
    if (token->kind != CPP_SYMBOL)
        return cpp_is(before, ")");
    const char c = *token->at;
    const bool begins = before->kind == CPP_END || cpp_is(before, "(");
    return strchr("[].{}", c) || (c == '(' && before->kind == CPP_WORD) ||
           (c == '>' && cpp_is(before, "-")) || (strchr("*&", c) && begins);
}

/* The end of an element or a member that begins with a name: "a[i].x", "p->count"; the `end` of
 * the name itself if it is neither. */
static const char *end_of_element(const struct cpp_token *name, struct cpp_reader reader) {
    const char *end = name->at + name->length;
    for (;;) {
        struct cpp_token token = cpp_next(&reader);
        const bool is_arrow = cpp_is(&token, "-") && token.at[1] == '>';
        if (is_arrow)
            cpp_next(&reader);
        if (cpp_is(&token, ".") || is_arrow) {
            token = cpp_next(&reader);
            if (token.kind != CPP_WORD)
                return end;
        } else if (cpp_is(&token, "[")) {
            for (int depth = 1; depth > 0 && token.kind != CPP_END;) {
                token = cpp_next(&reader);
                depth += cpp_is(&token, "[") - cpp_is(&token, "]");
            }
            if (token.kind == CPP_END)
                return end;
        } else {
            return cpp_is(&token, "(") ? name->at + name->length : end;
        }
        end = token.at + token.length;
    }
}

/* The value that --arg gives to a name; NULL if there is none. */
static const char *value_of(const struct call_words *words, const char *name) {
    const size_t length = strlen(name);
    for (int i = words->values ? words->values->count : 0; i-- > 0;) {
        const char *value = words->values->word[i];
        if (strncmp(value, name, length) == 0 && value[length] == '=')
            return value + length + 1;
    }
    return NULL;
}

#define OPERATORS " +-*/%&|^~!<>=?:"

static void append_unknown(const struct call_words *words, struct text *to, const char *at,
                           size_t length, const char *unknown) {
    struct text name = TEXT_INIT;
    text_append_bytes(&name, at, length);
    const char *value = value_of(words, name.data);
    if (value) {
        text_append_format(to, "(%s)", value);
    } else {
        call_assume(words->assumed, name.data, unknown);
        text_append_format(to, strpbrk(unknown, OPERATORS) ? "(%s)" : "%s", unknown);
    }
    text_release(&name);
}

/* Appends a name, or its assumed value. In the argument whose value moves between lanes, array
 * elements and members are values like any other. */
static void append_name(const struct call_words *words, struct text *to,
                        const struct cpp_token *token, const char *unknown,
                        struct cpp_reader *reader) {
    const char *end = token->at + token->length;
    if (strstr(unknown, "lane"))
        end = end_of_element(token, *reader);
    const size_t length = (size_t)(end - token->at);
    const char *known = call_known_word(token);
    if (length > token->length) {
        append_unknown(words, to, token->at, length, unknown);
        reader->at = end;
    } else if (known) {
        text_append(to, known);
    } else {
        append_unknown(words, to, token->at, length, unknown);
    }
}

/*
 * Writes an argument in the grammar of expression.h; unknown names become `unknown`. False if it
 * needs more of C++ than an expression has: memory, calls, casts.
 */
static bool translate_words(const struct call_words *words, const char *argument,
                            const char *unknown, struct text *to) {
    struct cpp_reader reader = {.at = argument};
    struct cpp_token token, before = {.kind = CPP_END};
    while ((token = cpp_next(&reader)).kind != CPP_END) {
        const char *known = token.kind == CPP_WORD ? call_built_in(&token, &reader) : NULL;
        if (is_unsupported(&token, &before))
            return false;
        if (to->length && !token.is_joined)
            text_append_char(to, ' ');
        if (known)
            text_append(to, known);
        else if (token.kind == CPP_NUMBER)
            append_number(to, &token);
        else if (token.kind == CPP_WORD)
            append_name(words, to, &token, unknown, &reader);
        else
            text_append_bytes(to, token.at, token.length);
        before = token;
    }
    return true;
}

/* The same, but if the whole argument is unknown, assumptions about its parts are dropped. */
bool call_translate(const struct call_words *words, const char *argument, const char *unknown,
                    struct text *to) {
    struct text *assumed = words->assumed;
    const char *given = value_of(words, argument);
    if (given) {
        text_append(to, given);
        return true;
    }
    const size_t length = assumed->length;
    if (translate_words(words, argument, unknown, to)) {
        if (to->length == strlen(unknown) + 2 && strstr(to->data, unknown) == to->data + 1) {
            text_clear(to); /* nothing else follows, so no brackets are needed */
            text_append(to, unknown);
        }
        return true;
    }
    if (length)
        assumed->data[length] = '\0';
    assumed->length = length;
    if (!length)
        text_clear(assumed);
    return false;
}
