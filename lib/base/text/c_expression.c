#include "base/text/c_expression.h"

#include "base/message.h"

#include <stddef.h>

/* ---- words ---- */

static unsigned digit_value(char c) {
    if (c_is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 99;
}

static unsigned number_base(const char *text) {
    if (text[0] != '0')
        return 10;
    if (text[1] == 'x' || text[1] == 'X')
        return 16;
    if (text[1] == 'b' || text[1] == 'B')
        return 2;
    return c_is_digit(text[1]) ? 8 : 10;
}

enum number_problem number_scan(const char *text, const char **end, uint64_t *number) {
    unsigned base = number_base(text);
    bool prefix = base == 16 || base == 2;
    const char *c = prefix ? text + 2 : text;
    const char *first = c;
    uint64_t value = 0;
    bool fits = true;
    for (unsigned digit; (digit = digit_value(*c)) < base; c++) {
        fits = fits && value <= (UINT64_MAX - digit) / base;
        value = value * base + digit;
    }
    bool missing = c == first;
    *end = missing && prefix ? text + 1 : c;
    *number = fits ? value : UINT64_MAX;
    if (missing)
        return prefix ? NUMBER_NO_DIGITS : NUMBER_MISSING;
    if (base == 8)
        return NUMBER_LEADING_ZERO;
    return fits ? NUMBER_FINE : NUMBER_TOO_LARGE;
}

const char *number_problem_text(enum number_problem problem) {
    static const char *const texts[] = {
        [NUMBER_FINE] = N_("is a number"),
        [NUMBER_MISSING] = N_("is not a number"),
        [NUMBER_NO_DIGITS] = N_("has no digits after its prefix"),
        [NUMBER_LEADING_ZERO] = N_("begins with 0, which C reads as octal: leave the 0 out"),
        [NUMBER_TOO_LARGE] = N_("is larger than 2^64-1"),
    };
    return _(texts[problem]);
}

/* ---- operators ---- */

const struct c_operator *c_operator_at(const char *text) {
    /* In ASCII order, except that those of two characters come before their first character
     * alone. */
    static const struct c_operator operators[] = {
        {"!=", 2, 6, C_NOT_EQUAL},     {"%", 1, 10, C_REMAINDER},   {"&&", 2, 2, C_AND},
        {"&", 1, 5, C_BIT_AND},        {"*", 1, 10, C_MULTIPLY},    {"+", 1, 9, C_ADD},
        {"-", 1, 9, C_SUBTRACT},       {"/", 1, 10, C_DIVIDE},      {"<<", 2, 8, C_SHIFT_LEFT},
        {"<=", 2, 7, C_LESS_EQUAL},    {"<", 1, 7, C_LESS},         {"==", 2, 6, C_EQUAL},
        {">=", 2, 7, C_GREATER_EQUAL}, {">>", 2, 8, C_SHIFT_RIGHT}, {">", 1, 7, C_GREATER},
        {"^", 1, 4, C_BIT_XOR},        {"||", 2, 1, C_OR},          {"|", 1, 3, C_BIT_OR},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const struct c_operator *op = &operators[i];
        if (op->sign[0] > text[0])
            break;
        if (op->sign[0] == text[0] && (op->length == 1 || op->sign[1] == text[1]))
            return op;
    }
    return NULL;
}
