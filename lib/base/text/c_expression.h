/*
 * c_expression.h - C's words, operators and integers, for every reader of expressions.
 *
 * A reader keeps its own operands, its own messages and the width of its own integers.
 */
#ifndef SHFLVIZ_BASE_C_EXPRESSION_H
#define SHFLVIZ_BASE_C_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- words ---- */

static inline bool c_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Skips the blanks and line ends that `text` begins with. */
static inline const char *c_skip_blanks(const char *text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    return text;
}

/* Letters, digits and _ at the beginning of `text`. */
static inline size_t c_word_length(const char *text) {
    const char *c = text;
    while (c_is_digit(*c) || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_')
        c++;
    return (size_t)(c - text);
}

/* The end of the comment that `text` begins with; NULL if it begins with none. */
static inline const char *c_comment_end(const char *text) {
    if (text[0] != '/' || (text[1] != '/' && text[1] != '*'))
        return NULL;
    if (text[1] == '/')
        return text + strcspn(text, "\n");
    const char *end = strstr(text + 2, "*/");
    return end ? end + 2 : text + strlen(text);
}

enum number_problem {
    NUMBER_FINE,
    NUMBER_MISSING,      /* not a digit: "", "x" */
    NUMBER_NO_DIGITS,    /* a prefix without digits: "0x", "0b2"; read as the 0 before it */
    NUMBER_LEADING_ZERO, /* "010": 8 in C, but 10 for most people; read as in C */
    NUMBER_TOO_LARGE,    /* more than 2^64-1; read as that */
};

/*
 * Reads the decimal, 0x hexadecimal or 0b binary number that `text` begins with; *end is set after
 * its last digit (after all digits of a number that is too large, too). The caller checks the text
 * after it.
 */
enum number_problem number_scan(const char *text, const char **end, uint64_t *number);

/* The problem in words, to be printed after the given text: "is larger than 2^64-1". */
const char *number_problem_text(enum number_problem problem);

/* ---- operators of two operands ---- */

/* In the groups that the functions below distinguish. */
enum c_operation {
    C_OR,
    C_AND,
    C_BIT_OR,
    C_BIT_XOR,
    C_BIT_AND,
    C_REMAINDER,
    C_SHIFT_RIGHT,
    C_SHIFT_LEFT,
    C_ADD,
    C_SUBTRACT,
    C_MULTIPLY,
    C_DIVIDE,
    C_LESS,
    C_LESS_EQUAL,
    C_GREATER,
    C_GREATER_EQUAL,
    C_EQUAL,
    C_NOT_EQUAL
};

struct c_operator {
    char sign[3];
    signed char length;
    signed char precedence; /* from 1; higher ones bind more tightly */
    enum c_operation operation;
};

/* The longest operator that `text` begins with, or NULL. */
const struct c_operator *c_operator_at(const char *text);

static inline bool c_is_logical(enum c_operation operation) {
    return operation <= C_AND;
}

static inline bool c_takes_integers_only(enum c_operation operation) {
    return operation <= C_SHIFT_LEFT;
}

static inline bool c_can_overflow(enum c_operation operation) {
    return operation >= C_SHIFT_LEFT && operation <= C_DIVIDE;
}

static inline bool c_compares(enum c_operation operation) {
    return operation >= C_LESS;
}

/* ---- integers ---- */

/* Computed as unsigned, which wraps: signed overflow is undefined. */

/* SIGN x, for - + ~ !. */
static inline int64_t c_compute_unary(char sign, int64_t x) {
    return sign == '-' ? (int64_t)(0 - (uint64_t)x) : sign == '~' ? ~x : sign == '!' ? !x : x;
}

/* True if the comparison holds for a and b; if one is a NaN, `less`, `equal` and `greater` are all
 * false. */
static inline bool c_comparison_holds(enum c_operation operation, bool less, bool equal,
                                      bool greater) {
    return operation == C_LESS            ? less
           : operation == C_LESS_EQUAL    ? less || equal
           : operation == C_GREATER       ? greater
           : operation == C_GREATER_EQUAL ? greater || equal
                                          : equal == (operation == C_EQUAL);
}

static inline int64_t c_divide(int64_t a, int64_t b) {
    return b == 0 ? 0 : b == -1 ? c_compute_unary('-', a) : a / b;
}

static inline int64_t c_shift_right(int64_t value, int64_t count) {
    uint64_t bits = (uint64_t)value;
    return (int64_t)(value < 0 ? ~(~bits >> count) : bits >> count);
}

/*
 * a OPERATION b in 64 bits, two's complement. Overflow wraps: INT64_MIN / -1 is INT64_MIN,
 * and the remainder is 0. / truncates, % has the sign of the dividend, >> keeps the sign. A
 * division by zero gives 0; a shift count must be 0 to 63.
 */
static inline int64_t c_compute(enum c_operation operation, int64_t a, int64_t b) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (operation) {
    case C_OR:
        return a || b;
    case C_AND:
        return a && b;
    case C_BIT_OR:
        return a | b;
    case C_BIT_XOR:
        return a ^ b;
    case C_BIT_AND:
        return a & b;
    case C_REMAINDER:
        return b == 0 || b == -1 ? 0 : a % b;
    case C_SHIFT_RIGHT:
        return c_shift_right(a, b);
    case C_SHIFT_LEFT:
        return (int64_t)(ua << ub);
    case C_ADD:
        return (int64_t)(ua + ub);
    case C_SUBTRACT:
        return (int64_t)(ua - ub);
    case C_MULTIPLY:
        return (int64_t)(ua * ub);
    case C_DIVIDE:
        return c_divide(a, b);
    default:
        return c_comparison_holds(operation, a < b, a == b, b < a);
    }
}

#endif
