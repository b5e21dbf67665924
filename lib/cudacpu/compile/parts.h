/*
 * parts.h - the parts with which a user program is built: headers, and the CPU warp as a library,
 * or the recording for a GPU. They are beside an installed shflviz; for one in its
 * build folder, they are there and in the sources. The program itself contains no path.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PARTS_H
#define SHFLVIZ_DEVICE_OWN_PARTS_H

#include "base/error.h"
#include "base/text.h"

/* Folders of headers. Those from PARTS_TRACE on are for nvcc, too. */
enum {
    PARTS_CUDA,
    PARTS_FORWARDED,
    PARTS_SIMT,
    PARTS_TRACE,
    PARTS_RECORDER,
    PARTS_GROUPS,
    PARTS_FOLDERS
};

#define PARTS_LIBRARIES 6

struct parts {
    struct text include[PARTS_FOLDERS];   /* in search order; empty if another has the headers */
    struct text library[PARTS_LIBRARIES]; /* in link order */
    struct text library_gpu;
    struct text instrument; /* cudacpu-instrument */
    struct text clang;      /* the clang that reads CUDA C++; empty until it is searched for */
    struct text llvm;       /* its LLVM, for `instrument` to load; empty if that is linked in */
    int llvm_major;         /* of clang and LLVM; 0 until they are searched for */
    struct text source;     /* the checkout with the headers; empty for an installed shflviz */
};

/* Fails with ERROR_MISSING, naming the file that is missing. The caller releases them in either
 * case. */
int parts_find(struct parts *parts, struct error *err);
/* Also finds clang. Fails with ERROR_MISSING if it or cudacpu-instrument is missing. */
int parts_find_clang(struct parts *parts, struct error *err);
void parts_release(struct parts *parts);

#endif
