/*
 * ptx.h - translates inline PTX into C++ for the CPU warp: a function for each asm statement of a
 * file, in which each instruction is a call to a function in
 * cudacpu/include/cudacpu/ptx/functions.h. A warp operation calls the intrinsic's function, with
 * the statement's source location, so that it is recorded. ptx_table.h lists the instructions.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PTX_H
#define SHFLVIZ_DEVICE_OWN_PTX_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* cudacpu-instrument's exit status if a file has inline PTX and it was given no functions for
 * it. */
#define INSTRUMENT_PTX 3

/* Appends the content of a file, by its name in the list; false if it cannot be read. */
typedef bool ptx_source(void *context, const char *file, struct text *text);

/*
 * Appends a file of C++ to `code` with the functions for a list made by cudacpu-instrument
 * (instrument/instrument.h): void cudacpu_asm_N(OUTPUT &..., INPUT ...), N counting from 0.
 * `source` may be NULL: then an instruction's line is its statement's.
 *
 * Fails (ERROR_USAGE) with "FILE:LINE: ..." at an instruction that is not supported.
 */
int ptx_write(struct text *code, const struct text *list, ptx_source *source, void *context,
              struct error *err);

#endif
