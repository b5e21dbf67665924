/*
 * written.h - looking back over what has been written of a translation: where the expression begins
 * that names the kernel of a launch.
 */
#ifndef SHFLVIZ_DEVICE_OWN_WRITTEN_H
#define SHFLVIZ_DEVICE_OWN_WRITTEN_H

#include <stddef.h>

struct written {
    const char *text;
    size_t floor; /* nothing begins before it */
};

/* Before the blanks that end at `at`. */
size_t written_blanks(const struct written *w, size_t at);
/* The beginning of the expression before `at` that names a kernel: "k", "ns::k<int, 4>", "(k)",
 * "table[i]", "object.member", "choose(n)"; `at` itself if there is none. */
size_t written_kernel(const struct written *w, size_t at);

#endif
