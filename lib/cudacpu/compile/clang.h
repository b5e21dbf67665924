/*
 * clang.h - the clang that reads the CUDA C++ of a user's program. Its LLVM IR is read by
 * cudacpu-instrument, so that both are of one version of LLVM.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CLANG_H
#define SHFLVIZ_DEVICE_OWN_CLANG_H

#include "base/error.h"
#include "base/text.h"

/* The major version of LLVM that cudacpu-instrument is built with; 0: there was none. */
#define CLANG_MAJOR SHFLVIZ_LLVM_MAJOR

/*
 * Makes `path` that of clang++: what the variable SHFLVIZ_CLANG names, else the one of the LLVM
 * that this shflviz was built with, else one of that version in PATH. Fails (ERROR_MISSING) if
 * there is none, and says which packages have it.
 */
int clang_find(struct text *path, struct error *err);

/* The last of them: clang++-14 for example, or a clang++ that is of the version. */
int clang_find_in_path(struct text *path, struct error *err);

/* Fails (ERROR_MISSING): this shflviz was built without clang and LLVM, so that it has no
 * cudacpu-instrument. */
int clang_was_not_there(struct error *err);

#endif
