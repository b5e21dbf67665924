/*
 * translate.h - CUDA C++ that the preprocessor has been through, made into C++ for the CPU warp.
 *
 * A kernel's address that is cast to `void *` is made known to the device first, which must know
 * how the kernel is called. And four things of CUDA C++ are not C++:
 *  - a launch, kernel<<<grid, block, shared, stream>>>(arguments), becomes a call of
 *    shflviz::launcher (<cudacpu/launch.h>);
 *  - a `__shared__` variable becomes a static one in a section that the CPU warp finds;
 *  - an `extern __shared__` array, under any name and type, becomes a reference to the one area of
 *    dynamic shared memory;
 *  - inline PTX becomes calls (ptx.h).
 *
 * The text is the output of the compiler's -E, with its line markers: macros that make launches,
 * headers of the program's own and conditional parts have been dealt with. What comes from system
 * headers is passed through untouched. Every line keeps its number, so the compiler complains about
 * the lines that a person wrote. One pass; the time grows with the length of the text and with
 * nothing else.
 */
#ifndef SHFLVIZ_DEVICE_OWN_TRANSLATE_H
#define SHFLVIZ_DEVICE_OWN_TRANSLATE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct translation {
    struct text text;       /* C++, preprocessed */
    size_t launches;        /* how many <<<>>> there were */
    size_t shared_sections; /* sections shflviz_shared_0 .. of `__shared__` variables */
    bool uses_volatile;     /* in the program's own text: it may count on lanes in lockstep */
    bool has_dynamic;       /* there is an `extern __shared__` array */
    bool uses_ptx;          /* it needs ptx/functions.h, which this text has or not */
};

struct translate_options {
    char *const *skipped; /* folders, ended by NULL: files in them are passed through as those of
                             the system are; may be NULL */
    size_t first_section; /* so that files of one program do not share any */
    bool tells_shared;    /* a `__shared__` variable of a template, which g++ puts in no section, is
                             told to cpu_shared_variable() where it is declared */
    struct text *remarks; /* gets lines on what compiles and means something else than it seems */
    bool one_thread;      /* lanes run on one thread of the host: such a variable is the program's;
                             else each thread has its own */
    bool names_shared;    /* the program says what they are called, and of which type
                             (cudacpu/shared_name.cuh) */
};

/*
 * Translates `length` bytes at `source`, which end in a NUL. Fails (ERROR_USAGE) with "FILE:LINE:
 * ..." at a launch that cannot be read. To be released either way.
 */
int translate_cuda(struct translation *translation, const char *source, size_t length,
                   const struct translate_options *options, struct error *err);
void translation_release(struct translation *translation);

#endif
