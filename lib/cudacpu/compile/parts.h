/*
 * parts.h - the parts that a user's own program is built with: headers, and the CPU warp as a
 * library, or the recording of a GPU. They lie beside the installed shflviz; for one that still
 * lies in the folder that it was built in, there and in the sources. The program itself names no
 * folder.
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
    struct text include[PARTS_FOLDERS]; /* in the order they are searched; empty: another has it */
    struct text library[PARTS_LIBRARIES]; /* in the order in which they are linked */
    struct text library_gpu;
    struct text instrument; /* cudacpu-instrument */
    struct text clang;      /* that reads CUDA C++; empty until it is looked for */
    struct text llvm;       /* its LLVM, which `instrument` is to load; empty: it is linked */
    int llvm_major;         /* of clang and LLVM; 0 until they are looked for */
    struct text source;     /* the checkout that the headers lie in; empty for what is installed */
};

/* Fails with ERROR_MISSING, naming the file that is not there. To be released either way. */
int parts_find(struct parts *parts, struct error *err);
/* Looks for clang, too. Fails with ERROR_MISSING if it or cudacpu-instrument is not there. */
int parts_find_clang(struct parts *parts, struct error *err);
void parts_release(struct parts *parts);

#endif
