#include "bring/cpp_text.h"

#include "base/text/c_expression.h"

#include <string.h>

/* An identifier may also contain any character beyond ASCII. */
static bool is_letter(char c) {
    return c_word_length((char[]){c, '\0'}) > 0 || (unsigned char)c >= 0x80;
}

static const char *skip_line(const char *at) {
    for (; *at && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at += 1 + (at[1] == '\r' && at[2] == '\n');
    return at;
}

static const char *skip_comment(const char *at) {
    if (at[1] == '/')
        return skip_line(at);
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* R"x( ... )x" */
static const char *skip_raw(const char *at) {
    char end[24] = ")";
    const size_t length = strcspn(at + 1, "( \n\\)");
    if (length > 16 || at[1 + length] != '(')
        return at + 1;
    memcpy(end + 1, at + 1, length);
    strcpy(end + 1 + length, "\"");
    const char *found = strstr(at + 1 + length, end);
    return found ? found + length + 2 : at + strlen(at);
}

/* Skips a string or a character; one that is not closed ends with its line. */
static const char *skip_string(const char *at) {
    const char quote = *at++;
    for (; *at && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return at + (*at == quote);
}

static bool is_comment(const char *at) {
    return *at == '/' && (at[1] == '/' || at[1] == '*');
}

static const char *skip_directive(const char *at) {
    while (*at && *at != '\n')
        if (is_comment(at) && at[1] == '*')
            at = skip_comment(at);
        else if (is_comment(at))
            at = skip_line(at);
        else if (*at == '\\' && at[1])
            at += 2 + (at[1] == '\r' && at[2] == '\n');
        else
            at++;
    return at;
}

/* 1'000.5e-3f */
static const char *skip_number(const char *at) {
    for (; is_letter(*at) || *at == '.' || (*at == '\'' && is_letter(at[1])); at++)
        if (strchr("eEpP", *at) && (at[1] == '+' || at[1] == '-') && at[2] >= '0' && at[2] <= '9')
            at++;
    return at;
}

static const char *skip_blanks(struct cpp_reader *reader) {
    const char *at = reader->at;
    for (;;) {
        if (is_comment(at)) {
            at = skip_comment(at);
        } else if (*at == '\\' && (at[1] == '\n' || at[1] == '\r')) {
            at++;
        } else if (strncmp(at, "\xef\xbb\xbf", 3) == 0) {
            at += 3; /* a byte-order mark */
        } else if (*at == ' ' || (*at >= '\t' && *at <= '\r')) {
            if (*at == '\n')
                reader->in_line = false;
            at++;
        } else {
            return at;
        }
    }
}

struct cpp_token cpp_next(struct cpp_reader *reader) {
    const char *before = reader->at, *at = skip_blanks(reader);
    struct cpp_token token = {CPP_SYMBOL, at, 1, at == before};
    const char *end = at + 1;
    if (!*at) {
        token.kind = CPP_END;
        end = at;
    } else if (*at == '#' && !reader->in_line) {
        token.kind = CPP_DIRECTIVE;
        end = skip_directive(at);
    } else if ((*at >= '0' && *at <= '9') || (*at == '.' && at[1] >= '0' && at[1] <= '9')) {
        token.kind = CPP_NUMBER;
        end = skip_number(at);
    } else if (is_letter(*at)) {
        token.kind = CPP_WORD;
        while (is_letter(*end))
            end++;
        if (*end == '"' && end[-1] == 'R') {
            token.kind = CPP_STRING;
            end = skip_raw(end);
        }
    } else if (*at == '"' || *at == '\'') {
        token.kind = CPP_STRING;
        end = skip_string(at);
    }
    token.length = (size_t)(end - at);
    reader->at = end;
    reader->in_line = true;
    return token;
}

bool cpp_is(const struct cpp_token *token, const char *text) {
    return (token->kind == CPP_WORD || token->kind == CPP_SYMBOL) &&
           strlen(text) == token->length && memcmp(token->at, text, token->length) == 0;
}

struct cpp_position cpp_position(const char *text, const char *at) {
    struct cpp_position position = {1, 1};
    for (; text < at; text++)
        if (*text == '\n')
            position = (struct cpp_position){position.line + 1, 1};
        else
            position.column += ((unsigned char)*text & 0xc0) != 0x80;
    return position;
}

int cpp_group_size(const char *name, size_t length) {
    size_t digits = 0;
    int size = 0;
    while (digits < length && strchr("0123456789", name[length - digits - 1]))
        digits++;
    if (digits < 3)
        for (; digits > 0; digits--)
            size = 10 * size + name[length - digits] - '0';
    return size > 0 && size <= 32 && (size & (size - 1)) == 0 ? size : 32;
}
