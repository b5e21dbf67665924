/*
 * expression_code.h - what an expression is compiled to. Inside src/launch/expression*.c only.
 */
#ifndef SHFLVIZ_LAUNCH_EXPRESSION_CODE_H
#define SHFLVIZ_LAUNCH_EXPRESSION_CODE_H

#include "base/text/c_expression.h"
#include "launch/expression.h"

#include <stddef.h>

#define STACK_LIMIT 512 /* values that wait for their operator */

enum opcode {
    OP_END,
    OP_INTEGER,       /* push a constant */
    OP_REAL,          /* push a constant */
    OP_LANE,          /* push */
    OP_THREAD,        /* push */
    OP_NOTHING,       /* a place kept for OP_TO_REAL */
    OP_TO_REAL,       /* converts the top */
    OP_TO_REAL_BELOW, /* converts the value below the top */
    OP_JUMP,
    OP_JUMP_IF_ZERO, /* pops what it looks at */
    OP_AND,          /* jumps and keeps the top if it is 0, else pops it */
    OP_OR,           /* jumps and keeps the top if it is not 0, else pops it */
    OP_TRUTH,        /* 0 or 1 */
    OP_UNARY,        /* operand.sign x */
    OP_COMPUTE,      /* of the two values on the top, operand.operation */
    OP_REAL_TRUTH,
    OP_REAL_NOT,
    OP_REAL_NEGATE,
    OP_REAL_COMPUTE,
};

struct instruction {
    enum opcode opcode;
    size_t offset; /* of the operator in the text, for messages */
    union {
        int64_t integer;
        double real;
        size_t target; /* of a jump */
        char sign;
        enum c_operation operation;
    } operand;
};

struct item {
    size_t start; /* in the code */
    bool is_real; /* it comes to a double */
};

struct expression {
    struct expression_rules rules;
    char *text;
    struct instruction *code;
    size_t length, capacity;
    struct item *items; /* of the list */
    size_t item_count, item_capacity;
    bool is_random;
    uint64_t seed;
};

/* Fails with "OPTION: message", the text around `offset` with a caret below, and lines of advice.
 */
int expression_fail_at(const struct expression *expression, size_t offset, struct error *err,
                       const char *advice, const char *message);

#endif
