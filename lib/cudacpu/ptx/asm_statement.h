/*
 * asm_statement.h - an asm statement of GNU C++, taken apart: `asm volatile("add.u32 %0, %1, %2;"
 * : "=r"(a) : "r"(b), "r"(c) : "memory")`.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ASM_STATEMENT_H
#define SHFLVIZ_DEVICE_OWN_ASM_STATEMENT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define ASM_OPERANDS 64

/* Stands in a template for the end of a line of the source between or in its strings, so that an
 * instruction's line is known. */
#define ASM_LINE_END '\001'

struct asm_operand {
    char constraint; /* 'r', 'l', 'f' ...; a digit for an input that is in an output's place */
    bool is_output, is_both; /* "=r"; "+r" */
    struct text expression;  /* in one line */
};

struct asm_statement {
    struct text template; /* what the strings hold, one behind the other */
    struct asm_operand operands[ASM_OPERANDS];
    size_t count;
    const char *end; /* behind the closing bracket */
};

/* Reads what follows the word asm at `at`. Returns false if that is no asm statement of C++ (a name
 * for the linker is not, as in `int f() asm("g")`, as far as it cannot be told apart: the caller
 * looks at the template). To be released either way. */
bool asm_statement_read(struct asm_statement *statement, const char *at, const char *end);
void asm_statement_release(struct asm_statement *statement);

#endif
