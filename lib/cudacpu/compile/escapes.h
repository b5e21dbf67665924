/*
 * escapes.h - repairs constructs that nvcc accepts and clang refuses:
 *
 *  - a lone % in inline PTX: "mov.u32 %0, %laneid;" for "... %%laneid;"
 *  - a launch with blanks in it: "kernel << <1, 32 >> >(out)"
 *  - a macro that is a pragma: "#define UNROLL #pragma unroll"
 *  - up to clang 15, a dependent type without `typename` where only a type can be (C++20's P0634,
 *    which nvcc accepts in C++17, too)
 */
#ifndef CUDACPU_COMPILE_ESCAPES_H
#define CUDACPU_COMPILE_ESCAPES_H

#include "cudacpu/compile/builder.h"

/*
 * b->output has clang's messages about the source with that number. If one is about such a
 * construct, a copy of the file with the repair is written, and b->mended has the words that make
 * clang read the copy instead. Returns true if there is anything new to compile.
 */
bool escapes_repair(struct builder *b, size_t number);

/* In the text, doubles the last % before that column of that line, and those like it up to the
 * string's end; false if there is none. Lines and columns count from 1. */
bool escapes_double(struct text *text, unsigned line, unsigned column);

/* From that line to the end of the statement, joins the angle brackets of a launch; false if all
 * are joined. */
bool escapes_join(struct text *text, unsigned line, unsigned column);

/* Writes "typename " in front of that column; false if the text has no such place. */
bool escapes_type(struct text *text, unsigned line, unsigned column);

/* In that line's definition of a macro, makes "#pragma X" into _Pragma("X"); false if it has
 * none. */
bool escapes_pragma(struct text *text, unsigned line);

#endif
