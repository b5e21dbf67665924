/*
 * clang.h - the clang that reads the CUDA C++ of a user's program. Its LLVM IR is read by
 * cudacpu-instrument, so both must use the same version of LLVM.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CLANG_H
#define SHFLVIZ_DEVICE_OWN_CLANG_H

#include "base/error.h"
#include "base/text.h"

/* The major version of LLVM that cudacpu-instrument was built with; 0 if there was none. */
#define CLANG_MAJOR SHFLVIZ_LLVM_MAJOR

/* With CLANG_LATE, cudacpu-instrument links no LLVM and loads the one that the installed clang
 * uses. These versions have been tried: each may describe types and variables in a new way
 * (instrument/types.c, instrument/lines). */
#define CLANG_LATE   SHFLVIZ_LLVM_LATE
#define CLANG_OLDEST 14
#define CLANG_NEWEST 22

/*
 * Sets `path` to clang++: the one that the variable SHFLVIZ_CLANG names, else the one of the LLVM
 * that this shflviz was built with, else one of that version in PATH; where LLVM is loaded late,
 * any in PATH. Fails (ERROR_MISSING) if there is none, and says which packages have it.
 */
int clang_find(struct text *path, struct error *err);

/* Only searches PATH, for example for clang++-14, or for a clang++ of that version. */
int clang_find_in_path(struct text *path, struct error *err);

/* Searches PATH for any clang++, the plain name first. */
int clang_find_any(struct text *path, struct error *err);

/* The major version of this clang++, and the shared library of LLVM that it uses, as dlopen()
 * takes it. 0 if it has none, or one that is not supported. */
int clang_llvm(const char *clang, struct text *library);

/* Fails (ERROR_MISSING) because clang_llvm() has found nothing. */
int clang_missing_library(const char *clang, struct error *err);

/* Fails (ERROR_MISSING) because this shflviz was built without clang and LLVM, so that it has no
 * cudacpu-instrument. */
int clang_missing_at_build(struct error *err);

#endif
