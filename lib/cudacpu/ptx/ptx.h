/*
 * ptx.h - inline PTX, made into C++ for the CPU warp: each instruction becomes a call of a function
 * of cudacpu/include/cudacpu/ptx/functions.h, a warp operation that of the intrinsic, with its
 * place, so that it is recorded as one. ptx_table.h lists the instructions.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PTX_H
#define SHFLVIZ_DEVICE_OWN_PTX_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

struct ptx_source {
    const char *at, *end; /* behind the word asm; the end of the text */
    const char *file;     /* of `at`; not NUL-terminated */
    size_t file_length;
    unsigned line;
};

struct ptx_result {
    struct text text;   /* an expression in the place of the statement, in one line */
    const char *after;  /* the statement's end; NULL: it is not PTX and stays as it is */
    bool uses_volatile; /* it has volatile accesses */
};

/*
 * PTX is a template whose first instruction begins with an opcode of PTX and a full stop, as those
 * of no other machine do, or a declaration of registers. All other asm is the host's.
 *
 * Fails (ERROR_USAGE) with "FILE:LINE: ..." at an instruction that is not supported. To be released
 * either way.
 */
int ptx_translate(struct ptx_result *result, const struct ptx_source *source, struct error *err);
void ptx_result_release(struct ptx_result *result);

#endif
