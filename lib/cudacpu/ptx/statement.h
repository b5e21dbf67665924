/*
 * statement.h - an asm statement of a device's code, as cudacpu-instrument lists it.
 */
#ifndef CUDACPU_PTX_STATEMENT_H
#define CUDACPU_PTX_STATEMENT_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct ptx_operand {
    char letter; /* 'r', 'l', 'f' ... */
    bool is_output;
    bool is_tied;  /* an input in the place of an output: */
    size_t output; /* that one */
};

struct ptx_statement {
    const char *file, *function;
    unsigned line, column; /* of the word asm */
    struct text code;      /* with %0 and its like for operands, and every other % as PTX has it */
    struct ptx_operand *operands;
    size_t count;
};

/*
 * Reads the next statement of a list (instrument/instrument.h) at `*at`, and leaves `*at` behind
 * it; false at the list's end. To be released where it is true.
 */
bool ptx_statement_read(struct ptx_statement *statement, const char **at, const char *end);
void ptx_statement_release(struct ptx_statement *statement);

/* The type of C++ that holds an operand of that letter; NULL: there is none. */
const char *ptx_operand_type(char letter);

#endif
