/* Where an expression went wrong, shown under the expression. */
#include "launch/expression_code.h"

const char *expression_append_character(struct text *out, const char *c) {
    char shown[UTF8_MAX];
    size_t count = utf8_decode(c, UTF8_MAX).bytes;
    text_append_bytes(out, shown, utf8_visible(shown, c, count, UTF8_LINE));
    return c + count;
}

#define EXCERPT_BEFORE 40
#define EXCERPT_AFTER  30

/* Appends two lines: the part of the text around `offset`, and a caret below it. The text before
 * the place has been parsed, so it is ASCII. */
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
                       const char *advice, const char *message) {
    struct text excerpt = TEXT_INIT;
    append_excerpt(&excerpt, expression->text, offset);
    error_set(err, ERROR_USAGE, "%s: %s%s\n%s", expression->rules.option, message, excerpt.data,
              advice);
    text_release(&excerpt);
    return -1;
}
