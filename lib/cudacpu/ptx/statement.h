/* statement.h - an asm statement of device code, as cudacpu-instrument lists it. */
#ifndef CUDACPU_PTX_STATEMENT_H
#define CUDACPU_PTX_STATEMENT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct ptx_operand {
    char letter; /* 'r', 'l', 'f' ... */
    bool is_output;
    bool is_tied;  /* an input tied to an output: */
    size_t output; /* its number */
};

struct ptx_statement {
    const char *file, *function;
    unsigned line, column; /* of the word asm */
    struct text code;      /* with %0 and its like for operands, and every other % unchanged */
    struct ptx_operand *operands;
    size_t count;
};

/*
 * Reads the next statement of a list (instrument/instrument.h) at `*at`, and advances it; false at
 * the list's end. To be released if it is true.
 */
bool ptx_statement_read(struct ptx_statement *statement, const char **at, const char *end);
void ptx_statement_release(struct ptx_statement *statement);

/* The C++ type of an operand with that letter; NULL if there is none. */
const char *ptx_operand_type(char letter);

#endif
