#include "cudacpu/ptx/asm_statement.h"

#include "cudacpu/frontend/preprocessed.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct asm_statement *statement;
    const char *at, *end;
};

/* Blanks and line markers; in a template the ends of lines are kept. */
static void skip_blanks(struct reader *r, bool in_template) {
    while (r->at < r->end)
        if (*r->at == '#' && r->at[-1] == '\n') {
            r->at += line_length(r->at, r->end);
        } else if (is_blank(*r->at)) {
            if (in_template && *r->at == '\n')
                text_append_char(&r->statement->template, ASM_LINE_END);
            r->at++;
        } else {
            return;
        }
}

static bool take(struct reader *r, char c) {
    skip_blanks(r, false);
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(struct reader *r, const char *word) {
    size_t length = strlen(word);
    skip_blanks(r, false);
    if ((size_t)(r->end - r->at) <= length || memcmp(r->at, word, length) != 0 ||
        is_name(r->at[length]))
        return false;
    r->at += length;
    return true;
}

static unsigned digits(struct reader *r, unsigned base, int most) {
    unsigned value = 0;
    for (; most > 0 && r->at < r->end; most--, r->at++) {
        const char c = *r->at;
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                               : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                      : 99;
        if (digit >= base)
            break;
        value = value * base + digit;
    }
    return value;
}

/* Behind a backslash. */
static void take_escape(struct reader *r, struct text *text) {
    static const char from[] = "nrtvfab", to[] = "\n\r\t\v\f\a\b";
    const char c = *r->at;
    const char *found = c ? strchr(from, c) : NULL;
    if (found) {
        r->at++;
        text_append_char(text, to[found - from]);
    } else if (c >= '0' && c <= '7') {
        text_append_char(text, (char)digits(r, 8, 3));
    } else if (c == 'x') {
        r->at++;
        text_append_char(text, (char)digits(r, 16, 2));
    } else {
        r->at++;
        text_append_char(text, c);
    }
}

static bool take_plain_string(struct reader *r, struct text *text) {
    for (r->at++; r->at < r->end && *r->at != '"';)
        if (*r->at == '\\' && r->at + 1 < r->end) {
            r->at++;
            take_escape(r, text);
        } else {
            text_append_char(text, *r->at++);
        }
    return take(r, '"');
}

/* R"delimiter( ... )delimiter", behind the R. */
static bool take_raw_string(struct reader *r, struct text *text) {
    const char *open = memchr(r->at, '(', (size_t)(r->end - r->at));
    const size_t delimiter = open ? (size_t)(open - r->at) - 1 : 0;
    if (!open || delimiter > 16)
        return false;
    for (const char *at = open + 1; at + delimiter + 1 < r->end; at++) {
        if (*at == ')' && memcmp(at + 1, r->at + 1, delimiter) == 0 && at[delimiter + 1] == '"') {
            r->at = at + delimiter + 2;
            return true;
        }
        text_append_char(text, *at);
        if (*at == '\n')
            text_append_char(text, ASM_LINE_END);
    }
    return false;
}

static bool take_string(struct reader *r, struct text *text) {
    if (r->end - r->at > 1 && *r->at == 'R' && r->at[1] == '"') {
        r->at++;
        return take_raw_string(r, text);
    }
    return r->at < r->end && *r->at == '"' && take_plain_string(r, text);
}

/* Strings side by side are one. */
static bool take_strings(struct reader *r, struct text *text, bool is_template) {
    skip_blanks(r, is_template);
    if (!take_string(r, text))
        return false;
    for (skip_blanks(r, is_template); r->at < r->end && (*r->at == '"' || *r->at == 'R');
         skip_blanks(r, is_template))
        if (!take_string(r, text))
            return false;
    return true;
}

/* ( ... ): what is between the brackets, which may hold strings and brackets. */
static bool take_expression(struct reader *r, struct text *text) {
    if (!take(r, '('))
        return false;
    const char *from = r->at;
    for (int depth = 1; r->at < r->end; r->at++) {
        const char c = *r->at;
        if (c == '"' || (c == '\'' && !is_name(r->at[-1]))) {
            for (r->at++; r->at < r->end && *r->at != c; r->at++)
                r->at += *r->at == '\\';
            continue;
        }
        depth += (c == '(') - (c == ')');
        if (depth == 0) {
            append_in_line(text, from, (size_t)(r->at - from));
            r->at++;
            return true;
        }
    }
    return false;
}

/* "=r"(expression) */
static bool take_operand(struct reader *r, bool is_output) {
    struct asm_statement *statement = r->statement;
    if (statement->count == ASM_OPERANDS)
        return false;
    struct asm_operand *operand = &statement->operands[statement->count++];
    *operand = (struct asm_operand){.is_output = is_output, .expression = TEXT_INIT};
    struct text constraint = TEXT_INIT;
    skip_blanks(r, false);
    bool read = take_strings(r, &constraint, false) && take_expression(r, &operand->expression);
    for (const char *at = constraint.data; *at; at++)
        if (*at == '+')
            operand->is_both = true;
        else if (!strchr("=&% ", *at))
            operand->constraint = *at;
    text_release(&constraint);
    return read && operand->constraint;
}

/* As nvcc, a comma between two may be left out. */
static bool take_operands(struct reader *r, bool are_outputs) {
    for (skip_blanks(r, false); r->at < r->end && *r->at == '"'; skip_blanks(r, false)) {
        if (!take_operand(r, are_outputs))
            return false;
        take(r, ',');
    }
    return true;
}

bool asm_statement_read(struct asm_statement *statement, const char *at, const char *end) {
    struct reader r = {.statement = statement, .at = at, .end = end};
    struct text clobbers = TEXT_INIT;
    statement->template = (struct text)TEXT_INIT;
    statement->count = 0;
    while (take_word(&r, "volatile") || take_word(&r, "__volatile__") ||
           take_word(&r, "__volatile") || take_word(&r, "inline"))
        ;
    bool read = take(&r, '(') && take_strings(&r, &statement->template, true);
    for (int part = 0; read && take(&r, ':'); part++)
        if (part < 2)
            read = take_operands(&r, part == 0);
        else
            for (skip_blanks(&r, false); read && r.at < r.end && *r.at == '"';
                 skip_blanks(&r, false)) {
                read = take_strings(&r, &clobbers, false);
                take(&r, ',');
            }
    read = read && take(&r, ')');
    text_release(&clobbers);
    statement->end = r.at;
    return read;
}

void asm_statement_release(struct asm_statement *statement) {
    text_release(&statement->template);
    for (size_t i = 0; i < statement->count; i++)
        text_release(&statement->operands[i].expression);
    statement->count = 0;
}
