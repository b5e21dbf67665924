/*
 * sys/resource.h - a page's only limit is its memory.
 */
#ifndef SHFLVIZ_WEB_SYS_RESOURCE_H
#define SHFLVIZ_WEB_SYS_RESOURCE_H

#include <stdint.h>

typedef uint64_t rlim_t;
struct rlimit {
    rlim_t rlim_cur, rlim_max;
};
enum { RLIMIT_FSIZE, RLIMIT_AS };
#define RLIM_INFINITY (~(rlim_t)0)

static inline int getrlimit(int what, struct rlimit *limit) {
    (void)what;
    *limit = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
    return 0;
}

#endif
