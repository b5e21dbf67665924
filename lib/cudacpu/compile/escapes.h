/*
 * escapes.h - what nvcc takes and clang refuses: a lone % in inline PTX, "mov.u32 %0, %laneid;" for
 * "... %%laneid;", and a launch with blanks in it, "kernel << <1, 32 >> >(out)".
 */
#ifndef CUDACPU_COMPILE_ESCAPES_H
#define CUDACPU_COMPILE_ESCAPES_H

#include "cudacpu/compile/builder.h"

/*
 * What clang has said of the source of that number is in b->output. Where it complains of such a
 * place, a copy of the file is written in which that is mended, and b->mended has the words by
 * which clang reads that copy in the file's place. Returns whether there is anything new to read.
 */
bool escapes_mend(struct builder *b, size_t number);

/* In the text, doubles the % that is nearest before that column of that line, and those like it up
 * to the string's end; false if there is none. Lines and columns count from 1. */
bool escapes_double(struct text *text, unsigned line, unsigned column);

/* From that line on to the end of the statement, joins the angles of a launch; false if there is
 * none that is apart. */
bool escapes_join(struct text *text, unsigned line, unsigned column);

#endif
