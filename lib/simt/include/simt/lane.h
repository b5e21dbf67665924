/*
 * lane.h - the lanes and warps of the CPU warp, as kernels and the device share them.
 *
 * Every thread of a block is a fiber (struct cpu_lane); 32 of them make a warp. A lane that
 * reaches a warp operation leaves its value in the warp's arrays and lets another lane run; the
 * last to arrive computes the operation for all (rendezvous.c), and each reads its result when it
 * runs again. Lanes never run in lockstep.
 *
 * The common case, all lanes of a warp reaching the same shuffle in lane order, is inlined at the
 * call: a store, a comparison with the operation that the first lane opened, and a switch straight
 * to the neighbour. Such a row of lanes is called a sweep (schedule.c). Everything else goes
 * through cpu_operation_arrive().
 *
 * Included by C (the device) and by C++ (the kernels).
 */
#ifndef SHFLVIZ_CPU_LANE_H
#define SHFLVIZ_CPU_LANE_H

#include "simt/dim.h"
#include "simt/switch.h"

#include <stddef.h>
#include <stdint.h>

#ifdef CUDACPU_CLANG
#pragma clang force_cuda_host_device begin
#endif

struct shflviz_site;
struct cpu_device;

#define CPU_WARP_LANES 32

/* Uses the TLS model of the program itself, whose offsets are known when it is linked: no shared
 * library accesses the variable. */
#if defined(CUDACPU_CLANG) /* no thread-local variables there: frontend/ makes them */
#define CPU_THREAD_LOCAL
#elif defined(__ELF__)
#define CPU_THREAD_LOCAL __attribute__((tls_model("initial-exec")))
#else
#define CPU_THREAD_LOCAL
#endif

#if defined(CUDACPU_CLANG) && defined(__CUDA_ARCH__)
#define CPU_THREAD __attribute__((device))
#else
#define CPU_THREAD __thread
#endif

struct cpu_warp;

struct cpu_lane {
    struct cpu_context context; /* where the lane continues when it runs again */
    struct cpu_warp *warp;
    uint32_t index; /* in its warp: 0..31 */
    uint32_t bit;   /* 1 << index */
    struct uint3 thread_index;
    uint32_t thread;  /* linear, in its block */
    uint32_t is_last; /* 1: the last lane of its warp's sweep, else 0 */
    uint32_t fiber;   /* the stack it runs on: its own, or that of a lane that has ended */
} __attribute__((aligned(64)));

/* Added to the number of an operation without a mask: its members are the lanes that are there. */
#define CPU_CALL_NO_MASK 128
/* Likewise, for a __syncwarp() at which lanes meet without ordering memory. */
#define CPU_CALL_NO_ORDER 64

/* The operation that a lane waits at. */
struct cpu_call {
    const struct shflviz_site *site;
    uint64_t id; /* cpu_call_id() */
    uint32_t members;
    int32_t width;
    uint8_t op;   /* enum warp_op */
    uint8_t type; /* enum warp_type */
    uint8_t mask_diverges;
};

struct cpu_watch_round;

#define CPU_NAMED_BARRIERS 16
/* Threads that have reached it, and the number needed to open it. */
struct cpu_named_barrier {
    uint32_t arrived, count;
};

/*
 * A lane that exists is in exactly one of these sets: running (at most one of the whole block),
 * ready, yielding (lockstep.c), at the block's barrier, exited, or waiting at a warp operation.
 * Lanes that wait at an operation are of two kinds: those in `elsewhere` wait at their entry of
 * calls[], the others at the open call. During a sweep `ready` keeps its value from when the sweep
 * began, so it still has lanes of the sweep that have run since.
 */
struct cpu_warp {
    uint64_t sweep_id;           /* of the open call while a sweep goes on, else 0 */
    uint64_t open_key;           /* cpu_call_key() of the open call */
    struct cpu_lane *sweep_last; /* NULL: no sweep goes on */
    /* The sweep's last lane while no lane of the warp has waited in this block and the sweep's
     * lanes after the running one have not begun; else NULL. */
    struct cpu_lane *row_last;
    struct cpu_lane *lanes; /* 32, neighbours side by side */
    uint32_t ready;
    uint32_t elsewhere;
    uint32_t launched;
    uint32_t exited;
    uint32_t at_barrier;
    uint32_t index;       /* index of the warp in its block */
    uint32_t fresh;       /* lanes that have not begun */
    uint32_t prepared;    /* lanes whose context begins the kernel (schedule.c) */
    uint32_t barrier_sum; /* of lanes at the barrier: those that passed a nonzero value */
    struct cpu_call open;
    uint32_t open_is_plain; /* the open call is a shuffle for which there is a plan */
    uint32_t yielding;      /* lanes before a volatile access */
    /* The values that lanes pass and receive, by size. */
    int32_t arg[CPU_WARP_LANES] __attribute__((aligned(64)));
    uint32_t in32[CPU_WARP_LANES] __attribute__((aligned(64)));
    uint32_t out32[CPU_WARP_LANES] __attribute__((aligned(64)));
    uint64_t in64[CPU_WARP_LANES] __attribute__((aligned(64)));
    uint64_t out64[CPU_WARP_LANES] __attribute__((aligned(64)));
    struct cpu_call calls[CPU_WARP_LANES];
    const struct shflviz_site *barrier_site[CPU_WARP_LANES];
    /* PTX's named barriers: which lanes of `at_barrier` wait at one, and
     * its number. The block's are in its first warp. */
    uint32_t at_named;
    uint8_t named[CPU_WARP_LANES];
    struct cpu_named_barrier named_barriers[CPU_NAMED_BARRIERS];
    /* For tiles of several warps (groups/cooperative_groups/large_tile.h): the block's barriers,
     * likewise in its first warp, and the values that lanes pass to others. */
    uint32_t tile_barriers[31][2];
    unsigned char tile_room[CPU_WARP_LANES][32] __attribute__((aligned(16)));
    struct cpu_watch_round *rounds; /* of watched variables and accesses, not recorded yet */
    size_t round_count, round_capacity;
    struct warp_lines *lines; /* of the warp if it is shown (lines.c), else NULL */
    uint32_t released;        /* the lanes that lockstep.c released last */
    uint32_t release;         /* and how often it has done so */
    uint32_t meetings;        /* operations that its lanes have reached together (in_step.c) */
    uint64_t last_step;       /* of its last operation except full shuffles: the number of its step
                                 + 1, or 0 if it was not recorded */
    /* The lanes that waited when none of them could continue, and the state that this depended on:
     * while that is unchanged, the search need not be repeated (rendezvous.c). */
    uint32_t stuck, stuck_alive, stuck_meetings;
};

/*
 * The state of this host thread's running lane: threadIdx and the like are plain variables to a
 * kernel, so their values have to be found without an argument.
 */
struct cpu_now {
    struct cpu_lane *lane; /* NULL outside kernels */
    /* The lane's warp. Lanes of one warp switch to each other many times before it changes, so that
     * the processor need not load `lane` first to find the warp. */
    struct cpu_warp *warp;
    struct cpu_device *device; /* NULL outside kernels */
    int in_atomic;             /* the lane's next reads and writes form one atomic operation; 2: one
                                * that compares first */
    int in_step;               /* lanes keep step at accesses to memory (in_step.c) */
    int on_worker;             /* other host threads run other blocks meanwhile */
};

#ifdef __cplusplus
extern "C" {
#endif

extern CPU_THREAD struct cpu_now cpu_now CPU_THREAD_LOCAL;
/* blockIdx, blockDim, gridDim (device_launch_parameters.h) */
extern CPU_THREAD struct uint3 cpu_block_index CPU_THREAD_LOCAL;
extern CPU_THREAD struct dim3 cpu_block_dim CPU_THREAD_LOCAL, cpu_grid_dim CPU_THREAD_LOCAL;

/* Member mask and width as one number, so that one comparison is enough. */
static inline uint64_t cpu_call_key(uint32_t members, int32_t width) {
    return members | (uint64_t)(uint32_t)width << 32;
}

/*
 * The mask, width and argument of a call as far as the compiler knows them, in 16 bits: bits 0..7
 * are 0 unless it knows the width, and that the mask is full; bits 8..15 are the argument + 1, or 0
 * if it is unknown. Lanes need not store or compare what the compiler knows.
 */
static inline __attribute__((always_inline)) unsigned cpu_call_code(uint32_t members, int32_t width,
                                                                    int32_t arg) {
    if (!__builtin_constant_p(members) || members != 0xffffffff || !__builtin_constant_p(width) ||
        width < 0 || width > CPU_WARP_LANES || (width & (width - 1)))
        return 0;
    unsigned code = width ? 1 + (unsigned)__builtin_ctz((unsigned)width) : 7;
    if (__builtin_constant_p(arg) && arg >= 0 && arg < CPU_WARP_LANES)
        code |= (unsigned)(arg + 1) << 8;
    return code;
}

/* The site and code of a call in one number: an address has at most 48 bits. */
static inline __attribute__((always_inline)) uint64_t cpu_call_id(const struct shflviz_site *site,
                                                                  unsigned code) {
    return (uint64_t)(uintptr_t)site + ((uint64_t)code << 48);
}
static inline const struct shflviz_site *cpu_id_site(uint64_t id) {
    return (const struct shflviz_site *)(uintptr_t)(id & ((UINT64_C(1) << 48) - 1));
}
/* The argument that the id contains, or -1. */
static inline int32_t cpu_id_arg(uint64_t id) {
    return (int32_t)(id >> 56) - 1;
}

/*
 * The running lane, whose value and argument are in its warp's arrays (the argument only if the id
 * does not contain it), reaches a warp operation.
 * Returns the lane to switch to, which may be itself; when the caller runs again the operation is
 * done and its result is in the warp's out array. The switch is left to the caller because a
 * function that returned on a different stack would have its return, and those of its callers,
 * predicted wrong. Where lanes do not switch inline, it switches, and returns the lane.
 */
struct cpu_lane *cpu_operation_arrive(uint64_t id, int op, int type, uint32_t members,
                                      int32_t width);

/* Shows a value of the running lane in the recording, without waiting for other lanes. */
void cpu_watch(const struct shflviz_site *site, int type, uint64_t bits);

/* The running lane reaches __syncthreads; returns what cpu_operation_arrive() returns. */
struct cpu_lane *cpu_barrier_arrive(const struct shflviz_site *site, int value);
/* The running lane reaches barrier `number` of the block, which `count` threads open. If the
 * lane does not wait, it continues immediately (bar.arrive). */
void cpu_barrier_arrive_named(const struct shflviz_site *site, unsigned number, unsigned count,
                              int waits);
/* The number of the block's threads that passed a nonzero value to the last barrier. */
int cpu_block_barrier_result(void);
/* All threads of the grid meet (cooperative groups' grid.sync()). */
void cpu_grid_barrier(const struct shflviz_site *site);
/* The number of threads that met at the last barrier. */
int cpu_block_barrier_threads(void);

/*
 * The site of a call that has no constant object of its own: the same object for the same file,
 * line and text, until the device is destroyed. `file` and `text` must live as long.
 */
const struct shflviz_site *cpu_site(const char *file, unsigned int line, const char *text);

/* Marks a point where another lane may run. `changed` is 0 for an atomic operation that left memory
 * as it was: a block whose lanes do nothing else for long is reported as spinning. */
void cpu_yield(int changed);
/* Called before a volatile access of the running lane at `pc`: the other lanes of its warp reach
 * theirs first (lockstep.c). A lane's own stack is exempt. */
void cpu_before_volatile(const void *pc, const void *address, size_t size, int writes);
/* Compares and swaps atomically, across all host threads: if memory holds *expected, stores
 * *desired and returns 1; else sets *expected to the value there. `size` is 1, 2, 4, 8 or 16
 * bytes. */
int cpu_compare_exchange(void *address, void *expected, const void *desired, size_t size);
/* True if the address is in the shared memory of a block. */
int cpu_is_shared(const void *address);
/* __threadfence and the like: accesses happen in program order here, but a memory checker needs to
 * know about them. */
void cpu_fence(void);
/* Reports that a value of the running lane, of `bytes` bytes, is too large for the call at
 * `site`. */
void cpu_value_narrowed(const struct shflviz_site *site, int bytes, int is_float);

#ifdef __cplusplus
}
#endif

#ifdef CUDACPU_CLANG /* from here on for kernels only */
#pragma clang force_cuda_host_device end
#pragma clang attribute push(__attribute__((device)), apply_to = function)
#endif

/*
 * Arrives at an operation and continues when it is done; returns the lane, which is `me`. Inlined
 * into kernels. In the common case the lane matches the open call and its neighbour is the sweep's
 * next.
 */
static inline __attribute__((always_inline)) struct cpu_lane *
cpu_operation_wait(struct cpu_lane *me, const struct shflviz_site *site, unsigned code, int op,
                   int type, uint32_t members, int32_t width) {
    const uint64_t id = cpu_call_id(site, code);
#if CPU_SWITCH_INLINE
    const struct cpu_warp *warp = me->warp;
    struct cpu_lane *next;
    /* One branch instead of three, so that the branch predictor's history reaches back to the lane
     * that arrived last. */
    uint64_t differs = (warp->sweep_id ^ id) | me->is_last;
    if (code == 0)
        differs |= warp->open_key ^ cpu_call_key(members, width);
    if (__builtin_expect(differs == 0, 1))
        next = me + 1;
    else
        next = cpu_operation_arrive(id, op, type, members, width);
    me = (struct cpu_lane *)cpu_switch(&me->context, &next->context);
    cpu_now.lane = me;
    return me;
#else
    (void)me;
    return cpu_operation_arrive(id, op, type, members, width);
#endif
}

/* __syncthreads: arrives at the block's barrier and continues when all threads have. Inlined into
 * kernels, so that each call site has its own switch. */
static inline __attribute__((always_inline)) void cpu_block_barrier(const struct shflviz_site *site,
                                                                    int value) {
#if CPU_SWITCH_INLINE
    struct cpu_lane *me = cpu_now.lane;
    struct cpu_lane *next = cpu_barrier_arrive(site, value);
    cpu_now.lane = (struct cpu_lane *)cpu_switch(&me->context, &next->context);
#else
    cpu_barrier_arrive(site, value);
#endif
}

/*
 * CPU_EACH_LANE(call): the running lane's call to the kernel, and those of the lanes after it in
 * its warp's row, which begin and end on the same stack. While no lane of the warp has waited in
 * this block, only this loop changes the state it keeps here: it stores a lane's whole state and
 * reads none of it back, because otherwise each lane would wait for the stores of the one before
 * it. simt/schedule.c continues where the loop ends.
 */
struct cpu_row {
    struct cpu_lane *lane;
    struct cpu_warp *warp;
    uint32_t exited, fresh; /* how the lanes of the row change these two */
    uint32_t fiber;
};
static inline __attribute__((always_inline)) struct cpu_row cpu_row_begin(void) {
    struct cpu_lane *const lane = cpu_now.lane;
    struct cpu_warp *const warp = cpu_now.warp;
    struct cpu_row row;
    row.lane = lane;
    row.warp = warp;
    row.exited = warp->exited - lane->bit;
    row.fresh = warp->fresh + 2 * lane->bit;
    row.fiber = lane->fiber;
    return row;
}
static inline __attribute__((always_inline)) int cpu_row_goes_on(const struct cpu_row *row) {
    return (uintptr_t)row->lane < (uintptr_t)row->warp->row_last;
}
static inline __attribute__((always_inline)) void cpu_row_next(struct cpu_row *row) {
    struct cpu_lane *const next = row->lane + 1;
    const uint32_t bit = next->bit;
    row->warp->exited = row->exited + bit;
    row->warp->fresh = row->fresh - 2 * bit;
    next->fiber = row->fiber;
    cpu_now.lane = row->lane = next;
    /* If the kernel is inlined into the loop, its code belongs to this lane, which a crash then
     * names. */
    __asm__ volatile("" ::: "memory");
}
#define CPU_EACH_LANE(...)                                                                         \
    for (struct cpu_row cpu_row_ = cpu_row_begin();; cpu_row_next(&cpu_row_)) {                    \
        __VA_ARGS__;                                                                               \
        if (!cpu_row_goes_on(&cpu_row_))                                                           \
            break;                                                                                 \
    }

/* Values of 32 bits or less, zero-extended in both directions. */
static inline __attribute__((always_inline)) uint32_t
cpu_operation_32(const struct shflviz_site *site, int op, int type, uint32_t members, uint32_t in,
                 int32_t arg, int32_t width) {
    const unsigned code = cpu_call_code(members, width, arg);
    struct cpu_lane *me = cpu_now.lane;
    me->warp->in32[me->index] = in;
    if (code < 0x100)
        me->warp->arg[me->index] = arg;
    me = cpu_operation_wait(me, site, code, op, type, members, width);
    return me->warp->out32[me->index];
}

/* Values of 64 bits. */
static inline __attribute__((always_inline)) uint64_t
cpu_operation_64(const struct shflviz_site *site, int op, int type, uint32_t members, uint64_t in,
                 int32_t arg, int32_t width) {
    const unsigned code = cpu_call_code(members, width, arg);
    struct cpu_lane *me = cpu_now.lane;
    me->warp->in64[me->index] = in;
    if (code < 0x100)
        me->warp->arg[me->index] = arg;
    me = cpu_operation_wait(me, site, code, op, type, members, width);
    return me->warp->out64[me->index];
}

#ifdef CUDACPU_CLANG
#pragma clang attribute pop
#endif

#endif
