/*
 * escapes.h - what nvcc takes and clang refuses: a lone % in inline PTX, "mov.u32 %0, %laneid;" for
 * "... %%laneid;", a launch with blanks in it, "kernel << <1, 32 >> >(out)", a macro that is a
 * pragma, "#define UNROLL #pragma unroll", and, up to clang 15, a dependent type without `typename`
 * where only a type can stand (C++20's P0634, which nvcc takes in C++17, too).
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

/* Writes "typename " in front of that column; false if the text has no such place. */
bool escapes_type(struct text *text, unsigned line, unsigned column);

/* In that line's definition of a macro, makes "#pragma X" into _Pragma("X"); false if it has none.
 */
bool escapes_pragma(struct text *text, unsigned line);

#endif
