/*
 * submission.c - reads a submission's source as the compiler's lexer does: a backslash at a line's
 * end joins lines, and comments, strings and numbers are single tokens. It need not evaluate #if,
 * because a name is refused wherever it occurs.
 */
#include "cudacpu/compile/submission.h"

#include "base/memory.h"
#include "base/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_RAW, TOKEN_OTHER };

struct token {
    enum token_kind kind;
    const char *text; /* without the line joins */
    size_t length;
    unsigned line;
};

/* ---- joined lines ---- */

/* The source with '\n' for every line end, and lines joined; lines[i] is the line of byte i. */
struct joined {
    char *text;
    unsigned *lines;
};

/* The length of a backslash and the line end after it, with blanks between; else 0. */
static size_t splice_length(const char *at) {
    const char *from = at;
    if (*at != '\\')
        return 0;
    for (at++; *at == ' ' || *at == '\t' || *at == '\v' || *at == '\f';)
        at++;
    if (at[0] == '\r' && at[1] == '\n')
        at++;
    return *at == '\n' || *at == '\r' ? (size_t)(at + 1 - from) : 0;
}

static struct joined join_lines(const char *text) {
    const size_t length = strlen(text);
    struct joined joined = {memory_zeroed(length + 1, 1),
                            memory_zeroed(length + 1, sizeof *joined.lines)};
    size_t to = 0, skipped;
    unsigned line = 1;
    while (*text) {
        if ((skipped = splice_length(text)) > 0) {
            text += skipped;
            line++;
            continue;
        }
        if (text[0] == '\r' && text[1] == '\n')
            text++;
        joined.lines[to] = line;
        joined.text[to++] = *text == '\r' ? '\n' : *text;
        line += *text == '\n' || *text == '\r';
        text++;
    }
    joined.lines[to] = line;
    return joined;
}

static void joined_release(struct joined *joined) {
    free(joined->text);
    free(joined->lines);
}

/* ---- tokens ---- */

static bool begins_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_name_char(char c) {
    return begins_name(c) || isdigit((unsigned char)c);
}

static size_t blank_length(const char *at) {
    if (isspace((unsigned char)*at))
        return 1;
    if (at[0] == '/' && at[1] == '/')
        return strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? (size_t)(end + 2 - at) : strlen(at);
    }
    return 0;
}

/* A string or character, which ends with its line at the latest. */
static size_t quoted_length(const char *at) {
    size_t length = 1;
    while (at[length] && at[length] != '\n' && at[length] != *at)
        length += at[length] == '\\' && at[length + 1] && at[length + 1] != '\n' ? 2 : 1;
    return length + (at[length] == *at);
}

static size_t number_length(const char *at) {
    size_t length = 1;
    while (is_name_char(at[length]) || at[length] == '.' ||
           (at[length] == '\'' && is_name_char(at[length + 1])))
        length++;
    return length;
}

static size_t name_length(const char *at) {
    size_t length = 0;
    while (is_name_char(at[length]))
        length++;
    return length;
}

/* A raw string begins at `at` with a prefix of that length; its lines are not joined. */
static bool begins_raw(const char *at, size_t length) {
    static const char *const prefixes[] = {"R", "u8R", "uR", "UR", "LR"};
    for (size_t i = 0; at[length] == '"' && i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strlen(prefixes[i]) == length && strncmp(at, prefixes[i], length) == 0)
            return true;
    return false;
}

/* Takes the next token from *at, and advances it. */
static struct token take_token(const struct joined *joined, const char **at) {
    size_t blank;
    while (**at && (blank = blank_length(*at)) > 0)
        *at += blank;
    struct token token = {TOKEN_OTHER, *at, 1, joined->lines[*at - joined->text]};
    const char c = **at;
    if (!c) {
        token.kind = TOKEN_END;
        return token;
    }
    if (begins_name(c)) {
        token.length = name_length(*at);
        token.kind = begins_raw(*at, token.length) ? TOKEN_RAW : TOKEN_NAME;
    } else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)(*at)[1]))) {
        token.kind = TOKEN_NUMBER;
        token.length = number_length(*at);
    } else if (c == '"' || c == '\'') {
        token.kind = TOKEN_STRING;
        token.length = quoted_length(*at);
    } else if (strncmp(*at, "##", 2) == 0) {
        token.length = 2;
    } else if (strncmp(*at, "%:%:", 4) == 0) {
        token.length = 4;
    } else if (strncmp(*at, "%:", 2) == 0) {
        token.length = 2;
    }
    *at += token.length;
    return token;
}

static bool is_token(const struct token *token, const char *text) {
    return token->length == strlen(text) && strncmp(token->text, text, token->length) == 0;
}

/* ---- refused text ---- */

/* Prefixes of our names, and of those of memory checkers. */
static bool is_ours(const struct token *token) {
    static const char *const begins[] = {
        "cpu_",    "CPU_",    "shflviz",     "SHFLVIZ", "cudacpu", "CUDACPU", "__tsan_",
        "__asan_", "__ubsan", "__sanitizer", "__wrap_", "__real_", "__cuda",  "__REDIRECT"};
    for (size_t i = 0; token->kind == TOKEN_NAME && i < sizeof begins / sizeof begins[0]; i++)
        if (token->length >= strlen(begins[i]) &&
            strncmp(token->text, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool is_assembly(const struct token *token) {
    return token->kind == TOKEN_NAME &&
           (is_token(token, "asm") || is_token(token, "__asm") || is_token(token, "__asm__"));
}

/* True if inline PTX begins after `asm`: a string that is empty or contains a blank or a semicolon,
 * unlike any assembler name of a variable. */
static bool is_statement(const struct joined *joined, const char *at) {
    static const char *const words[] = {"volatile", "__volatile__", "__volatile"};
    struct token token = take_token(joined, &at);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_token(&token, words[i]))
            token = take_token(joined, &at);
    if (!is_token(&token, "("))
        return false;
    token = take_token(joined, &at);
    if (token.kind != TOKEN_STRING)
        return false;
    if (memchr(token.text, ' ', token.length) || memchr(token.text, ';', token.length))
        return true;
    if (!is_token(&token, "\"\""))
        return false;
    token = take_token(joined, &at);
    return is_token(&token, ":") || is_token(&token, ")");
}

/* True at the # of a #line directive, which renames the following lines. */
static bool renames_lines(const struct joined *joined, const struct token *token, const char *at) {
    if (!is_token(token, "#") && !is_token(token, "%:"))
        return false;
    const struct token next = take_token(joined, &at);
    return next.kind == TOKEN_NUMBER || is_token(&next, "line");
}

static const char *refusal(const struct joined *joined, const struct token *token,
                           const char *behind) {
    if (renames_lines(joined, token, behind))
        return _("a submission may not use #line or # NUMBER");
    if (is_ours(token))
        return _("the name is reserved for shflviz: a submission may not use it");
    if (is_token(token, "##") || is_token(token, "%:%:"))
        return _("a submission may not join tokens with ##");
    if (is_token(token, "\\"))
        return _("a submission may not contain a backslash outside strings");
    if (token->kind == TOKEN_RAW)
        return _("a submission may not contain raw strings");
    if (is_assembly(token) && !is_statement(joined, behind))
        return _("a submission may use inline PTX only as asm(\"...\") with a string literal");
    return NULL;
}

int submission_check(const char *name, const char *text, struct error *err) {
    struct joined joined = join_lines(text);
    const char *at = joined.text, *why = NULL;
    struct token token;
    int status = 0;
    do {
        token = take_token(&joined, &at);
        why = token.kind == TOKEN_END ? NULL : refusal(&joined, &token, at);
    } while (token.kind != TOKEN_END && !why);
    if (why)
        status = error_set(err, ERROR_USAGE, "%s:%u: '%.*s': %s", name, token.line,
                           (int)(token.length < 80 ? token.length : 80), token.text, why);
    joined_release(&joined);
    return status;
}

/* ---- the host's side ---- */

void submission_append_host(struct text *text, const char *test) {
    struct joined joined = join_lines(test);
    const char *at = joined.text, *begin = at;
    bool is_kernel = false;
    for (struct token token; (token = take_token(&joined, &at)).kind != TOKEN_END;) {
        is_kernel = is_kernel || is_token(&token, "__global__");
        if (is_token(&token, "#")) /* a directive is a line */
            begin = at += strcspn(at, "\n");
        if (is_token(&token, ";") && is_kernel) {
            text_append_bytes(text, begin, (size_t)(token.text - begin));
            text_append(text, " {}\n");
        }
        if (is_token(&token, ";") || is_token(&token, "{") || is_token(&token, "}")) {
            begin = at;
            is_kernel = false;
        }
    }
    joined_release(&joined);
}
