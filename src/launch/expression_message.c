/* Where an expression went wrong, shown under the expression. */
#include "launch/expression_code.h"

/* Bytes of the UTF-8 character at c if a terminal can show it as it is, else 0. */
static size_t printable_bytes(const char *c) {
    const unsigned char *u = (const unsigned char *)c;
    if (u[0] < 0x80)
        return u[0] >= 0x20 && u[0] != 0x7f;
    size_t count = u[0] >= 0xf0 && u[0] <= 0xf4   ? 4
                   : u[0] >= 0xe0 && u[0] <= 0xef ? 3
                   : u[0] >= 0xc2 && u[0] <= 0xdf ? 2
                                                  : 0;
    for (size_t i = 1; i < count; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return count == 2 && u[0] == 0xc2 && u[1] < 0xa0 ? 0 : count; /* not C1 controls */
}

const char *expression_append_character(struct text *out, const char *c) {
    size_t count = printable_bytes(c);
    if (count)
        text_append_bytes(out, c, count);
    else
        text_append_char(out, *c == '\t' || *c == '\n' ? ' ' : '?');
    return c + (count ? count : 1);
}

#define EXCERPT_BEFORE 40
#define EXCERPT_AFTER  30

/* Appends two lines: the part of the text around `offset`, and a caret below it. What stands before
 * the place has been read, so it is ASCII. */
static void append_excerpt(struct text *out, const char *text, size_t offset) {
    const char *place = text + offset;
    const char *c = offset > EXCERPT_BEFORE ? place - EXCERPT_BEFORE : text;
    size_t column = 4;
    text_append(out, "\n    ");
    if (c > text) {
        text_append(out, "...");
        column += 3;
    }
    for (; c < place; column++)
        c = expression_append_character(out, c);
    for (int i = 0; i < EXCERPT_AFTER && *c; i++)
        c = expression_append_character(out, c);
    if (*c)
        text_append(out, "...");
    text_append_format(out, "\n%*s^", (int)column, "");
}

int expression_fail_at(const struct expression *expression, size_t offset, struct error *err,
                       const char *advice, const char *format, va_list arguments) {
    struct text message = TEXT_INIT;
    text_append_vformat(&message, format, arguments);
    append_excerpt(&message, expression->text, offset);
    error_set(err, ERROR_USAGE, "%s: %s\n%s", expression->rules.option, message.data, advice);
    text_release(&message);
    return -1;
}
