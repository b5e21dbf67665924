/*
 * lane_watcher.h - events, besides memory accesses, that device code reports to a memory checker.
 *
 * The functions do nothing without a watcher. They are not weak symbols, because in a
 * position-independent program a linker may give those a nonzero address.
 */
#ifndef SHFLVIZ_CUDACPU_LANE_WATCHER_H
#define SHFLVIZ_CUDACPU_LANE_WATCHER_H

#include <stddef.h>

#ifdef CUDACPU_CLANG
#pragma clang force_cuda_host_device begin
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* The running lane has requested a copy to that address (cp.async), which has been made. */
void cpu_copy_begun(const void *to, size_t size);
/* The copies it has requested since its last commit form a group. */
void cpu_copies_committed(void);
/* It has waited for all groups but the last `left`. */
void cpu_copies_waited(size_t left);
/* Its next atomic operation is atomic within its block only. */
void cpu_access_in_block(void);

#ifdef __cplusplus
}
#endif
#ifdef CUDACPU_CLANG
#pragma clang force_cuda_host_device end
#endif

/* `pc` is the return address of the call. */
struct cpu_lane_watcher {
    void (*copy_begun)(const void *to, size_t size, const void *pc);
    void (*copies_committed)(void);
    void (*copies_waited)(size_t left);
    void (*access_in_block)(void);
};

/* The watcher must outlive all lanes. */
#ifdef __cplusplus
extern "C"
#endif
    void
    cpu_watch_lanes(const struct cpu_lane_watcher *watcher);

#endif
