/*
 * compiler_words.h - what a compiler says about a program, as the person who wrote it should read
 * it: at their own lines, in CUDA's names.
 *
 * The compiler sees more than they wrote: headers of ours in front of it, launches and warp
 * operations as calls of functions of ours. Diagnostics of gcc and clang are understood; other
 * lines stay as they are. Languages other than English are not: ask with LC_MESSAGES=C.
 */
#ifndef SHFLVIZ_DEVICE_OWN_COMPILER_WORDS_H
#define SHFLVIZ_DEVICE_OWN_COMPILER_WORDS_H

#include "base/text.h"

/*
 * Rewrites `words`, whole lines. `ours` are folders, ended by NULL: what is said of files in them,
 * or of the system's headers, is said of the person's line that led there. Of the linker's words
 * those stay that name what is missing. Each diagnostic begins with "FILE:LINE:".
 */
void compiler_words_tidy(struct text *words, char *const *ours);

#endif
