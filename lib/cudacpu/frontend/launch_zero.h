/*
 * launch_zero.h - 0 and NULL among the arguments of a launch. To a call they are null pointers,
 * too; handed on through a template they are integers. shflviz::zero() (launch.h) stays both.
 */
#ifndef SHFLVIZ_DEVICE_OWN_LAUNCH_ZERO_H
#define SHFLVIZ_DEVICE_OWN_LAUNCH_ZERO_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the word of `length` bytes at `at` is 0 or what the preprocessor makes of NULL. */
bool is_zero_word(const char *at, size_t length);
/* Whether that word is an argument of its own: what stands before it, since `floor`, and behind it
 * ends others. Blanks and line markers count for nothing. */
bool is_whole_argument(const char *floor, const char *written_end, const char *after,
                       const char *end);
/* Whether the launch whose shape begins at `shape`, behind <<<, has such an argument. */
bool launch_has_zero(const char *shape, const char *end);

#endif
