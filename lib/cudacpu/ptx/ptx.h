/*
 * ptx.h - inline PTX, made into C++ for the CPU warp: a function for each asm statement of a file,
 * in which each instruction is a call of a function of cudacpu/include/cudacpu/ptx/functions.h, a
 * warp operation that of the intrinsic, with the statement's place, so that it is recorded as one.
 * ptx_table.h lists the instructions.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PTX_H
#define SHFLVIZ_DEVICE_OWN_PTX_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* The status of cudacpu-instrument where a file has inline PTX and it was given no functions. */
#define INSTRUMENT_PTX 3

/* Appends the text of a file, by the name that it has in the list; false: it cannot be read. */
typedef bool ptx_source(void *context, const char *file, struct text *text);

/*
 * Appends a file of C++ to `code` with the functions for a list of cudacpu-instrument's
 * (instrument/instrument.h): void cudacpu_asm_N(OUTPUT &..., INPUT ...), N counting from 0.
 * `source` may be NULL: then an instruction's line is its statement's.
 *
 * Fails (ERROR_USAGE) with "FILE:LINE: ..." at an instruction that is not supported.
 */
int ptx_write(struct text *code, const struct text *list, ptx_source *source, void *context,
              struct error *err);

#endif
