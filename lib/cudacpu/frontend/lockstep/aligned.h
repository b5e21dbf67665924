/*
 * aligned.h - accesses by a pointer that has been cast, or that is one to a vector (float4), so
 * written that their alignment is checked as a GPU does (cudacpu/include/cudacpu/aligned.h).
 *
 * Neither compiler can be asked for that at the cost of these accesses alone: -fsanitize=alignment
 * checks every one, which takes g++'s tight loops three times as long, and clang sees no copies of
 * vectors at all. What is done to a member of a vector, p[i].x, is left out: it has the member's
 * alignment.
 */
#ifndef SHFLVIZ_DEVICE_OWN_ALIGNED_H
#define SHFLVIZ_DEVICE_OWN_ALIGNED_H

#include "base/text.h"

/*
 * Changes a preprocessed text, whose lines stay. Each access becomes one of shflviz::aligned() or
 * shflviz::aligned_pointer: of *(T *)x, ((T *)x)[i], *reinterpret_cast<T *>(x), and of p[i] and *p
 * where the text declares some p as a pointer to a vector, or from a cast. It looks at words: a
 * name that is something else in another place may be written so, too, and means the same. Returns
 * whether it has changed anything. `skipped` as for words_read().
 */
bool aligned_accesses(struct text *text, char *const *skipped);

#endif
