/*
 * launch_syntax.h - CUDA's kernel<<<grid, block>>>(arguments) as plain C++ for the host's compiler.
 *
 * Everything else of the text stays as it is, line for line, so that complaints of the compiler and
 * recorded sites name the places of the file that a person wrote.
 */
#ifndef SHFLVIZ_CPU_LAUNCH_SYNTAX_H
#define SHFLVIZ_CPU_LAUNCH_SYNTAX_H

#include "base/error.h"
#include "base/text.h"

struct launch_syntax {
    struct text text;     /* the source, launches rewritten */
    char *dynamic_shared; /* name of the `extern __shared__` array; NULL if there is none */
    unsigned launches;
};

/* Fails (ERROR_USAGE, "FILE:LINE: ...") on a launch that has no end, and on two arrays of dynamic
 * shared memory with different names. To be released all the same. */
int launch_syntax_translate(struct launch_syntax *syntax, const char *source, const char *file,
                            struct error *err);
void launch_syntax_release(struct launch_syntax *syntax);

#endif
