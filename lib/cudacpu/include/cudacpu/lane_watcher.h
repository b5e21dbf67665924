/*
 * lane_watcher.h - events, besides memory accesses, that device code reports to a memory checker.
 *
 * The functions do nothing without a watcher. They are not weak symbols, because in a
 * position-independent program a linker may give those a nonzero address.
 */
#ifndef SHFLVIZ_CUDACPU_LANE_WATCHER_H
#define SHFLVIZ_CUDACPU_LANE_WATCHER_H

#include <stddef.h>

/* Only a program whose accesses are watched makes this call. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CPU_READ_ONLY(address, size) cpu_read_only(address, size)
#endif
#endif
#ifndef CPU_READ_ONLY
#define CPU_READ_ONLY(address, size) ((void)0)
#endif

/* These are bits; the numbers are those of access_file.h. */
enum cpu_access_kind {
    CPU_ACCESS_IN_BLOCK = 8, /* its scope is the block */
    CPU_ACCESS_RELAXED = 16, /* reading a value orders nothing after it */
    CPU_ACCESS_RELEASE = 32, /* earlier accesses are ordered before an acquire of its value */
    CPU_ACCESS_LOADS = 64,   /* it only reads; */
    CPU_ACCESS_STORES = 128  /* it only writes; here, both kinds read and write */
};

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
/* It has waited for all groups except the last `left`. */
void cpu_copies_waited(size_t left);
/* Like cpu_copy_begun(), for a copy that is complete once that phase of a barrier, counted from 0,
 * has been waited for. With NULL, the same as cpu_copy_begun(). */
void cpu_copy_bound(const void *to, size_t size, const void *barrier, unsigned phase);
/* The running lane has waited until that many phases of the barrier were complete. */
void cpu_phases_waited(const void *barrier, unsigned phases);
/* Its next atomic operation or fence is of this kind, of enum cpu_access_kind. Without this call an
 * operation orders later accesses after the write whose value it reads, and no earlier ones; its
 * scope, like a fence's, is the device. */
void cpu_access_next(unsigned kind);
/* Its next access reads that memory through the read-only cache. */
void cpu_read_only(const void *address, size_t size);

#ifdef __cplusplus
}
#endif
#ifdef CUDACPU_CLANG
#pragma clang force_cuda_host_device end
#endif

/* For headers that are also used without lib/cudacpu. */
#define SHFLVIZ_COPY_BEGUN(to, size) cpu_copy_begun(to, size)
#define SHFLVIZ_COPIES_COMMITTED()   cpu_copies_committed()
#define SHFLVIZ_COPIES_WAITED(left)  cpu_copies_waited(left)

/* `pc` is the return address of the call. */
struct cpu_lane_watcher {
    void (*copy_begun)(const void *to, size_t size, const void *pc);
    void (*copies_committed)(void);
    void (*copies_waited)(size_t left);
    void (*copy_bound)(const void *to, size_t size, const void *barrier, unsigned phase,
                       const void *pc);
    void (*phases_waited)(const void *barrier, unsigned phases);
    void (*access_next)(unsigned kind);
    void (*read_only)(const void *address, size_t size);
    void (*part)(int part, const void *start, size_t value); /* memory_parts.h */
};

/* The watcher must outlive all lanes. */
#ifdef __cplusplus
extern "C"
#endif
    void
    cpu_watch_lanes(const struct cpu_lane_watcher *watcher);

#endif
