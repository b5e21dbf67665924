/*
 * lex.c - turns source into tokens; also contains the reader's functions that look at tokens and
 * refuse them.
 *
 * The only directive that has an effect is #define NAME TEXT. After a refusal peek() finds the end
 * of the text, so that no caller has to check for it.
 */
#include "interpreter/program.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/c_expression.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The levels of nesting for which a web page's stack has room. */
#define NESTED_MOST 128

static void refuse_at(struct reader *r, const struct token *token, const char *format,
                      va_list arguments) {
    char text[400];
    vsnprintf(text, sizeof text, format, arguments);
    if (!r->failed)
        error_set(r->err, ERROR_USAGE, "%s:%u: %s", r->program->source_names[token->source],
                  token->line, text);
    r->failed = true;
}

void refuse(struct reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    refuse_at(r, peek(r, 0), format, arguments);
    va_end(arguments);
}

void refuse_unknown(struct reader *r, const char *what) {
    if (r->failed)
        return;
    refuse(r,
           _("this page cannot run %s; shflviz on a computer can\ntry: other code, or shflviz on a "
             "computer"),
           what);
}

void enter(struct reader *r) {
    if (++r->depth > NESTED_MOST)
        refuse_unknown(r, _("code that is nested this deeply"));
}

void leave(struct reader *r) {
    r->depth--;
}

static const struct token end_token = {TOKEN_END, "", 0, 0, 0, false};

const struct token *peek(const struct reader *r, size_t ahead) {
    if (r->failed || r->at + ahead >= r->token_count)
        return r->failed || r->token_count == 0 ? &end_token : &r->tokens[r->token_count - 1];
    return &r->tokens[r->at + ahead];
}

bool is_ahead(const struct reader *r, size_t ahead, const char *text) {
    const struct token *token = peek(r, ahead);
    return token->kind != TOKEN_STRING && token->kind != TOKEN_END &&
           token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

bool is(const struct reader *r, const char *text) {
    return is_ahead(r, 0, text);
}

bool take(struct reader *r, const char *text) {
    if (!is(r, text))
        return false;
    r->at++;
    return true;
}

void expect(struct reader *r, const char *text) {
    const struct token *token = peek(r, 0);
    if (take(r, text) || r->failed)
        return;
    if (token->kind == TOKEN_END)
        refuse(r, _("the file ends where \"%s\" is expected"), text);
    else
        refuse(r, _("\"%.*s\" where \"%s\" is expected"), (int)token->length, token->text, text);
}

const char *take_name(struct reader *r) {
    const struct token *token = peek(r, 0);
    if (token->kind != TOKEN_NAME) {
        if (!r->failed)
            refuse(r, _("\"%.*s\" where a name is expected"), (int)token->length, token->text);
        return "";
    }
    char *name = program_alloc(r->program, token->length + 1);
    memcpy(name, token->text, token->length);
    r->at++;
    return name;
}

/* ---- making tokens ---- */

static void add_token(struct reader *r, struct token token) {
    r->tokens = memory_room(r->tokens, r->token_count, &r->token_capacity, sizeof token);
    r->tokens[r->token_count++] = token;
}

static const struct macro *find_macro(const struct reader *r, const struct token *token) {
    for (size_t i = r->macro_count; token->kind == TOKEN_NAME && i-- > 0;)
        if (r->macros[i].length == token->length &&
            memcmp(r->macros[i].name, token->text, token->length) == 0)
            return &r->macros[i];
    return NULL;
}

static size_t number_length(const char *at) {
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '.' || at[n] == '\'' ||
           ((at[n] == '+' || at[n] == '-') && n > 0 && (at[n - 1] | 32) == 'e' && at[0] != '0'))
        n++;
    return n;
}

static size_t punctuation_length(const char *at) {
    static const char *const longer[] = {
        "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
        "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "->", "::"};
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++)
        if (strncmp(at, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return 1;
}

/* Skips spaces, comments and escaped line ends; adds the lines to *line. */
static const char *skip_blank(const char *at, uint32_t *line, bool one_line) {
    while (*at) {
        const char *end = c_comment_end(at);
        if (!end && at[0] == '\\' && at[1] == '\n')
            end = at + 2;
        if (!end && isspace((unsigned char)*at) && !(one_line && *at == '\n'))
            end = at + 1;
        if (!end)
            break;
        for (; at < end; at++)
            *line += *at == '\n';
    }
    return at;
}

static uint32_t string_length(const char *at) {
    uint32_t length = 1;
    while (at[length] && at[length] != '"' && at[length] != '\n')
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length + (at[length] == '"');
}

/* The token after the spaces and comments at `at`; adds the lines to *line. */
static const char *next_token(struct reader *r, const char *at, uint32_t *line, bool one_line,
                              struct token *token) {
    const char *const begin = at;
    at = skip_blank(at, line, one_line);
    *token = (struct token){TOKEN_PUNCTUATION, at, 0, *line, token->source, at > begin};
    const unsigned char first = (unsigned char)*at;
    if (first == '\0' || first == '\n') {
        token->kind = TOKEN_END;
    } else if (isalpha(first) || first == '_') {
        token->kind = TOKEN_NAME;
        token->length = (uint32_t)c_word_length(at);
    } else if (isdigit(first) || (first == '.' && isdigit((unsigned char)at[1]))) {
        token->kind = TOKEN_NUMBER;
        token->length = (uint32_t)number_length(at);
    } else if (first == '"') {
        token->kind = TOKEN_STRING;
        token->length = string_length(at);
    } else if (first < 128 && first != '\'') {
        token->length = (uint32_t)punctuation_length(at);
    }
    const bool is_open =
        token->kind == TOKEN_STRING && (token->length < 2 || at[token->length - 1] != '"');
    if (is_open || (token->length == 0 && token->kind != TOKEN_END)) {
        add_token(r, *token);
        r->at = r->token_count - 1;
        refuse(r, is_open ? _("a string that does not end") : _("an unknown character"));
        token->kind = TOKEN_END;
    }
    return at + token->length;
}

/* #define NAME TEXT; other directives concern only the compiler. */
static const char *directive(struct reader *r, const char *at, uint32_t line, uint8_t source) {
    struct token token = {.source = source}, name = {.source = source};
    at = next_token(r, at, &line, true, &token);
    const bool defines = token.length == 6 && memcmp(token.text, "define", 6) == 0;
    if (defines) {
        at = next_token(r, at, &line, true, &name);
        if (*at == '(' || r->macro_count == sizeof r->macros / sizeof r->macros[0]) {
            add_token(r, name);
            r->at = r->token_count - 1;
            refuse_unknown(r, _("a macro with parameters"));
        } else {
            r->macros[r->macro_count++] =
                (struct macro){name.text, name.length, r->macro_token_count, 0};
        }
    }
    for (struct token part = {.source = source};;) {
        at = next_token(r, at, &line, true, &part);
        if (part.kind == TOKEN_END)
            return at;
        if (!defines || r->failed)
            continue;
        const struct macro *inner = find_macro(r, &part);
        const size_t count = inner && inner->count ? inner->count : 1;
        for (size_t i = 0; i < count; i++) {
            r->macro_tokens = memory_room(r->macro_tokens, r->macro_token_count,
                                          &r->macro_token_capacity, sizeof part);
            r->macro_tokens[r->macro_token_count++] =
                inner && inner->count ? r->macro_tokens[inner->first + i] : part;
            r->macros[r->macro_count - 1].count++;
        }
    }
}

bool lex(struct reader *r, const char *text, uint8_t source) {
    uint32_t line = 1;
    struct token token = {.source = source};
    for (const char *at = text; !r->failed;) {
        at = next_token(r, at, &line, false, &token);
        if (token.kind == TOKEN_END)
            break;
        if (token.length == 1 && *token.text == '#') {
            at = directive(r, at, line, source);
            continue;
        }
        const struct macro *macro = find_macro(r, &token);
        for (size_t i = 0; macro && i < macro->count; i++) {
            struct token part = r->macro_tokens[macro->first + i];
            part.line = token.line;
            add_token(r, part);
        }
        if (!macro)
            add_token(r, token);
    }
    token.kind = TOKEN_END;
    token.length = 0;
    add_token(r, token);
    return !r->failed;
}
