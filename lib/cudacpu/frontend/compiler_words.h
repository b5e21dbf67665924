/*
 * compiler_words.h - turns a compiler's messages about a program into those that its author should
 * read: at the author's own lines, with CUDA's names.
 *
 * The compiler sees more than the author wrote: our headers before it, and calls to our functions
 * in place of launches and warp operations. Diagnostics of gcc and clang are understood, in
 * English only: run compilers with LC_MESSAGES=C. Other lines are kept.
 */
#ifndef SHFLVIZ_DEVICE_OWN_COMPILER_WORDS_H
#define SHFLVIZ_DEVICE_OWN_COMPILER_WORDS_H

#include "base/text.h"

/*
 * Rewrites `words`, whole lines. `ours` are folders, ended by NULL: messages about files in them,
 * or about the system's headers, are moved to the user's line that led there. Of the linker's
 * output only lines that name a missing symbol are kept. Each diagnostic begins with "FILE:LINE:".
 */
void compiler_words_tidy(struct text *words, char *const *ours);

#endif
