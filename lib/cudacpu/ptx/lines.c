/*
 * A small lexer for the strings of asm statements. It reads only strings and comments: the
 * statement's meaning comes from clang, and here only line ends matter.
 */
#include "cudacpu/ptx/lines.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_mark(char c) {
    return c != '\0' && strchr(";,{}[]@", c);
}

size_t ptx_mark_count(const char *from, const char *end) {
    size_t count = 0;
    for (; from < end; from++)
        count += is_mark(*from);
    return count;
}

/* ---- comments ---- */

static void keep_line_ends(struct text *to, const char *from, const char *end) {
    for (; from < end; from++)
        if (*from == PTX_LINE_END)
            text_append_char(to, PTX_LINE_END);
}

void ptx_strip_comments(struct text *to, const struct text *code) {
    const char *at = code->data, *end = at + code->length;
    while (at < end) {
        const char *from = at;
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *close = strstr(at + 2, "*/");
            at = close ? close + 2 : end;
            text_append_char(to, ' ');
        } else {
            text_append_char(to, *at++);
            continue;
        }
        keep_line_ends(to, from, at);
    }
}

/* ---- strings ---- */

struct reader {
    const char *at, *end;
    struct text text; /* the strings' contents, with PTX_LINE_END */
};

/* Blanks and comments of C++. */
static void skip_blanks(struct reader *r) {
    while (r->at < r->end) {
        const char *from = r->at;
        if (isspace((unsigned char)*from)) {
            r->at++;
        } else if (from[0] == '/' && from[1] == '/') {
            r->at += strcspn(from, "\n");
        } else if (from[0] == '/' && from[1] == '*') {
            const char *close = strstr(from + 2, "*/");
            r->at = close ? close + 2 : r->end;
        } else if (from[0] == '\\' && from[1] == '\n') { /* in a macro */
            r->at += 2;
        } else {
            return;
        }
        for (; from < r->at; from++)
            if (*from == '\n')
                text_append_char(&r->text, PTX_LINE_END);
    }
}

/* After a backslash: the character does not matter unless it is a marker or a blank. */
static void take_escape(struct reader *r) {
    const char c = *r->at++;
    if (c == '\n')
        text_append_char(&r->text, PTX_LINE_END);
    else
        text_append_char(&r->text, c == 'n' ? '\n' : strchr("tvfr", c) ? ' ' : c);
}

static bool take_plain_string(struct reader *r) {
    for (r->at++; r->at < r->end && *r->at != '"';)
        if (*r->at == '\\' && r->at + 1 < r->end) {
            r->at++;
            take_escape(r);
        } else {
            text_append_char(&r->text, *r->at++);
        }
    return r->at++ < r->end;
}

/* R"delimiter( ... )delimiter" */
static bool take_raw_string(struct reader *r) {
    const char *from = r->at + 2, *open = strchr(from, '(');
    struct text close = TEXT_INIT;
    if (!open)
        return false;
    text_append_char(&close, ')');
    text_append_bytes(&close, from, (size_t)(open - from));
    text_append_char(&close, '"');
    const char *end = strstr(open + 1, close.data);
    for (const char *at = open + 1; end && at < end; at++) {
        if (*at == '\n')
            text_append_char(&r->text, PTX_LINE_END);
        text_append_char(&r->text, *at);
    }
    r->at = end ? end + close.length : r->end;
    text_release(&close);
    return end != NULL;
}

/* asm volatile( "..." R"(...)" : */
static bool take_strings(struct reader *r) {
    const char *open = memchr(r->at, '(', (size_t)(r->end - r->at));
    while (r->at < r->end && (*r->at == '_' || isalpha((unsigned char)*r->at))) {
        r->at++;
        if (r->at < r->end && *r->at != '_' && !isalpha((unsigned char)*r->at))
            skip_blanks(r);
    }
    if (!open || r->at != open)
        return false;
    r->at++;
    bool read = true;
    for (skip_blanks(r); read && r->at < r->end; skip_blanks(r))
        if (*r->at == '"')
            read = take_plain_string(r);
        else if (r->at[0] == 'R' && r->at[1] == '"')
            read = take_raw_string(r);
        else
            return *r->at == ':' || *r->at == ')';
    return false;
}

/* ---- lines ---- */

static void add_line(struct ptx_lines *lines, unsigned line) {
    lines->line = memory_grow(lines->line, lines->count + 1, sizeof *lines->line);
    lines->line[lines->count++] = line;
}

static void count_lines(struct ptx_lines *lines, const struct text *code, unsigned line) {
    bool is_marked = true; /* a mark precedes, with nothing but blanks since */
    for (const char *at = code->data; *at; at++) {
        if (*at == PTX_LINE_END) {
            line++;
            continue;
        }
        if (is_marked && !isspace((unsigned char)*at)) {
            add_line(lines, line);
            is_marked = false;
        }
        is_marked = is_marked || is_mark(*at);
    }
    if (is_marked)
        add_line(lines, line);
}

void ptx_lines_read(struct ptx_lines *lines, const struct text *source, unsigned line,
                    unsigned column) {
    struct reader r = {.at = source->data, .end = source->data + source->length, .text = TEXT_INIT};
    *lines = (struct ptx_lines){0};
    for (unsigned number = 1; number < line && r.at < r.end; number++) {
        r.at += strcspn(r.at, "\n");
        r.at += r.at < r.end;
    }
    if (column > 0 && strcspn(r.at, "\n") >= column) {
        struct text code = TEXT_INIT;
        r.at += column - 1;
        if (take_strings(&r)) {
            ptx_strip_comments(&code, &r.text);
            count_lines(lines, &code, line);
        }
        text_release(&code);
    }
    text_release(&r.text);
}

void ptx_lines_release(struct ptx_lines *lines) {
    free(lines->line);
}
