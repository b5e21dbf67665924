/*
 * record_gpu.cuh - the base of record.cuh where a GPU runs the kernel.
 *
 * Every recorded operation is the intrinsic itself; then the lanes that made it write a record into
 * the ring of shflviz/ring.h, from which the host takes it while the kernel runs.
 *
 * Which lanes share a record. Lanes run independently; hardware may return them from an operation
 * together, but no document promises it. So the recorder does not rely on the lanes that happen to
 * be there, but finds out. A lane that its own mask names meets the others of that mask once more,
 * with __match_any_sync() on the intrinsic that they called. That is legal exactly where the
 * operation was: all lanes of the mask that have not left the kernel have called it and come
 * here next. Hence, for honest masks:
 *
 * - one operation is one record, and `present` names all its lanes, however far apart the hardware
 *   schedules them;
 * - the same holds where they met from different calls with one mask (both branches of an if): the
 *   record has the site of the lowest lane, as on the CPU warp;
 * - members that have left the kernel are not waited for, as in the operation itself.
 *
 * If the mask is wrong:
 *
 * - a lane that is not in its own mask meets no other lane. It shares a record with those that
 *   passed the same mask in the same call and are there at the same moment (__activemask()), and
 *   with no other;
 * - a mask that names lanes that never arrive is undefined without the recorder, too: a kernel that
 *   gets away with it there may wait forever here. The time limit covers that.
 *
 * __activemask() and shflviz_watch() bring no lanes together: the lanes that are there share a
 * record.
 *
 * In every case each lane that makes a call is in at most one record, with the argument and the
 * value it passed and the value it got. It is in exactly one, unless the record is dropped (and
 * counted, see ring.h) or filtered out. `exited` is not known, so it is 0.
 *
 * Results that follow from the rules are left out of a record. The warp checks that: each lane
 * fetches the value of the lane that the rules name, and compares it with its result. If any
 * differs, the record has all of them.
 *
 * Needs compute capability 7.0 or later (__match_any_sync).
 */
#ifndef SHFLVIZ_RECORD_GPU_CUH
#define SHFLVIZ_RECORD_GPU_CUH

#define SHFLVIZ_DEVICE_FUNCTION static __device__ __forceinline__
#include "shflviz/ring.h"
#include "trace/record.h"

namespace shflviz {

/* The ring that the kernels of this source file record to; `state` is NULL if there is none. Set
   before each launch. */
static __constant__ shflviz_ring recording;

template <class T> static __device__ __forceinline__ unsigned long long bits_of(T value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

static __device__ __forceinline__ unsigned int thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* Equal to the thread's number in its block, modulo 32, and faster to get. */
static __device__ __forceinline__ unsigned int lane_id() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* One lane's view of a call. */
struct call {
    const shflviz_site *site;
    unsigned int kinds; /* as in a cell: operation, type, whether values have 64 bits */
    unsigned int members;
    int arg, width;
    unsigned long long in, out;
};

/* Identifies a site: by the address of its constant object or, if it has none (see
 * groups/cooperative_groups.h), by its text and line. */
static __device__ __forceinline__ unsigned long long key_of(const shflviz_site *site) {
    if (__isGlobal(site))
        return (unsigned long long)site;
    return (unsigned long long)site->text ^ (unsigned long long)site->line << 48;
}

static __device__ __forceinline__ unsigned long long block_number() {
    return blockIdx.x + (unsigned long long)gridDim.x *
                            (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
}

static __device__ __noinline__ bool passes_filter(const shflviz_site *site) {
    shflviz_origin place;
    place.block_index[0] = blockIdx.x;
    place.block_index[1] = blockIdx.y;
    place.block_index[2] = blockIdx.z;
    place.block = block_number();
    place.warp = thread_in_block() / 32;
    place.line = site->line;
    return shflviz_filter_passes(&recording.filter, &place);
}

/* The next number of a stripe, for the lane that leads; undefined in the others. Predicated and in
 * assembly, so that the lanes stay together and nothing waits for the number before it is used. */
static __device__ __forceinline__ unsigned long long take_number(unsigned int stripe, bool leads) {
    unsigned long long number;
    asm volatile("{\n"
                 ".reg .pred leads;\n"
                 "setp.ne.u32 leads, %2, 0;\n"
                 "@leads atom.relaxed.gpu.global.add.u64 %0, [%1], 1;\n"
                 "}"
                 : "=l"(number)
                 : "l"(__cvta_generic_to_global(&recording.state->stripe[stripe].next)),
                   "r"((unsigned int)leads)
                 : "memory");
    return number;
}

static __device__ __forceinline__ unsigned int stripe_of_block() {
    return ring_stripe(&recording, blockIdx.x + blockIdx.y + blockIdx.z);
}

/* The part of a record that its lanes share. */
struct head {
    unsigned int word[SHFLVIZ_HEAD_WORDS];
};

/* The piece of the head in a lane's word. */
static __device__ __forceinline__ unsigned int part_of(const head &h, unsigned int lane) {
    unsigned int word = h.word[0];
#pragma unroll
    for (unsigned int i = 1; i < SHFLVIZ_HEAD_WORDS; i++)
        word = (lane / 2 & 7) == i ? h.word[i] : word;
    return lane & 1 ? word >> 16 : word;
}

/* Each lane of `group` writes its own word of the cell; the words of the others are shared out. */
static __device__ __forceinline__ void write_cell(uint64_t *cell, unsigned int group,
                                                  unsigned int value, unsigned int part,
                                                  unsigned int mark) {
    const unsigned int lane = lane_id(), lanes = __popc(group);
    unsigned int turn = __popc(group & ((1u << lane) - 1));
    cell[lane] = ring_word(value, part, mark);
    for (unsigned int left = ~group; left; left &= left - 1, turn = turn ? turn - 1 : lanes - 1)
        if (turn == 0)
            cell[__ffs(left) - 1] = ring_word(0, 0, mark);
}

/* The same for the first cell; every lane has the head. */
static __device__ __forceinline__ void write_first(uint64_t *cell, unsigned int group,
                                                   unsigned int value, const head &h,
                                                   unsigned int mark) {
    const unsigned int lane = lane_id(), lanes = __popc(group);
    unsigned int turn = __popc(group & ((1u << lane) - 1));
    cell[lane] = ring_word(value, part_of(h, lane), mark);
    for (unsigned int left = ~group; left; left &= left - 1, turn = turn ? turn - 1 : lanes - 1)
        if (turn == 0)
            cell[__ffs(left) - 1] = ring_word(0, part_of(h, __ffs(left) - 1), mark);
}

static __device__ __forceinline__ bool is_shuffle(int which) {
    return which <= OP_XOR;
}

/* For all lanes of a warp: true if each of them got the result of the rules, as far as a record
 * implies it: for a shuffle of a defined width, and for operations that return a lane's own
 * value. */
static __device__ __forceinline__ bool follows_rules(const call &made) {
    const bool defined = is_shuffle(SHFLVIZ_KINDS_OP(made.kinds))
                             ? ring_width_is_defined(made.width)
                             : SHFLVIZ_KINDS_OP(made.kinds) == OP_WATCH;
    const unsigned int source = ring_predicted_lane(SHFLVIZ_KINDS_OP(made.kinds), lane_id(),
                                                    made.arg, defined ? made.width : 32);
    return __all_sync(0xffffffff, __shfl_sync(0xffffffff, made.in, source) == made.out && defined);
}

/* The kinds of a record of the lanes of `group`, without the warp and the site. */
static __device__ __forceinline__ unsigned int kinds_of(const call &made, unsigned int group,
                                                        bool widths_differ) {
    const unsigned int leader = __ffs(group) - 1;
    unsigned int kinds = made.kinds | SHFLVIZ_KINDS_LONG;
    if (widths_differ)
        kinds |= SHFLVIZ_KINDS_WIDTHS | SHFLVIZ_KINDS_ARGS;
    if (!__all_sync(group, made.arg == __shfl_sync(group, made.arg, leader)))
        kinds |= SHFLVIZ_KINDS_ARGS;
    if (group == 0xffffffff && !widths_differ && follows_rules(made))
        return kinds;
    if (__all_sync(group, made.out == __shfl_sync(group, (unsigned int)made.out, leader)))
        return kinds | SHFLVIZ_KINDS_SAME_OUT;
    return kinds | SHFLVIZ_KINDS_OUTS;
}

/* The cells of a record. */
static __device__ __forceinline__ void
write_cells(uint64_t *cell, const call &made, unsigned int group, const head &h, unsigned int tag) {
    const unsigned int kinds = h.word[SHFLVIZ_HEAD_KINDS];
    write_first(cell, group, (unsigned int)made.in, h, SHFLVIZ_CELL_FIRST | tag);
    if (kinds & SHFLVIZ_KINDS_WIDE)
        write_cell(cell += SHFLVIZ_CELL_WORDS, group, (unsigned int)(made.in >> 32), 0, tag);
    if (kinds & SHFLVIZ_KINDS_ARGS)
        write_cell(cell += SHFLVIZ_CELL_WORDS, group, made.arg, made.width, tag);
    if (!(kinds & SHFLVIZ_KINDS_OUTS))
        return;
    write_cell(cell += SHFLVIZ_CELL_WORDS, group, (unsigned int)made.out, 0, tag);
    if (kinds & SHFLVIZ_KINDS_WIDE)
        write_cell(cell += SHFLVIZ_CELL_WORDS, group, (unsigned int)(made.out >> 32), 0, tag);
}

/* Writes the record of the lanes of `group`, which have met; `slot` and `room` count only in the
 * leading lane. */
static __device__ __forceinline__ void write_at(const call &made, unsigned int group,
                                                unsigned int kinds, unsigned int slot,
                                                unsigned long long room) {
    const unsigned int leader = __ffs(group) - 1;
    room = (unsigned long long)__shfl_sync(group, (unsigned int)(room >> 32), leader) << 32 |
           __shfl_sync(group, (unsigned int)room, leader);
    if (room == SHFLVIZ_RING_NO_ROOM)
        return;
    kinds |= SHFLVIZ_KINDS(thread_in_block() / 32, slot, 0, 0);
    kinds = __shfl_sync(group, kinds, leader); /* types may differ */
    const unsigned int out = __shfl_sync(group, (unsigned int)made.out, leader);
    const unsigned int width = __shfl_sync(group, made.width, leader);
    const unsigned long long block = block_number();
    head h;
    h.word[SHFLVIZ_HEAD_BLOCK] = (unsigned int)block;
    h.word[SHFLVIZ_HEAD_KINDS] = kinds;
    h.word[SHFLVIZ_HEAD_ARG] = __shfl_sync(group, made.arg, leader);
    h.word[SHFLVIZ_HEAD_WIDTH] = kinds & SHFLVIZ_KINDS_SAME_OUT ? out : width;
    h.word[SHFLVIZ_HEAD_MEMBERS] = __shfl_sync(group, made.members, leader);
    h.word[SHFLVIZ_HEAD_PRESENT] = group;
    h.word[SHFLVIZ_HEAD_BLOCK_HIGH] = (unsigned int)(block >> 32);
    h.word[SHFLVIZ_HEAD_WIDTH_TOO] = width;
    write_cells(ring_at(&recording, room), made, group, h, ring_tag(room));
}

/* The lanes of `group` have met and write one record; if `late`, of one cell, for which `number`
 * has been taken already. */
static __device__ __forceinline__ void write_record(const call &made, unsigned int group,
                                                    bool widths_differ, bool late,
                                                    unsigned long long number) {
    const bool leads = lane_id() == __ffs(group) - 1;
    const unsigned int stripe = stripe_of_block();
    if (made.kinds & SHFLVIZ_KINDS_WIDE && recording.value_bytes < 8) {
        if (leads)
            ring_add(&recording.state->unfit, 1);
        return;
    }
    const unsigned int kinds = kinds_of(made, group, widths_differ);
    unsigned int slot = 0;
    unsigned long long room = 0;
    if (leads) {
        slot = ring_site(&recording, key_of(made.site), made.site);
        room = late ? ring_place(&recording, stripe, number)
                    : ring_room(&recording, stripe, ring_cells_of(kinds));
    }
    write_at(made, group, kinds, slot, room);
}

/* True if the lanes of `group` passed different widths. */
static __device__ __forceinline__ bool widths_of(unsigned int group, int width) {
    return !__all_sync(group, width == __shfl_sync(group, width, __ffs(group) - 1));
}

/*
 * Writes any record. Lanes that an honest mask names meet; otherwise those that happen to be here
 * share one. If all bits of `met` are set, lane 0 has the number that the quick path took, for
 * which it found no room; else no lane has one.
 */
static __device__ __noinline__ void record_slowly(const call made, unsigned int met,
                                                  unsigned long long number) {
    const bool late = met == 0xffffffff;
    unsigned int group;
    if (made.members >> lane_id() & 1)
        group = __match_any_sync(made.members, made.kinds & ~SHFLVIZ_KINDS(0, 0, 0, 31));
    else {
        const unsigned int here = __activemask();
        group = __match_any_sync(here, key_of(made.site));
        group &= __match_any_sync(here, made.members);
    }
    if (!(recording.filter.parts & SHFLVIZ_FILTER_PLACES) || passes_filter(made.site))
        write_record(made, group, widths_of(group, made.width), late, number);
}

/*
 * The common record, without a wait and with few instructions: one cell of a whole warp whose lanes
 * all made the same known call with the same short argument and width, and got either the results
 * of the rules or all the same result. Whatever the operation, the warp meets in the same
 * instructions here, so that lanes that made different calls find each other. The number of
 * instructions bounds how fast a GPU records, so everything that only the slow path needs is left
 * to it.
 */

/* True if the results in a common record follow from the rules; else they are all the same. */
static __device__ __forceinline__ bool is_ruled(const call &made) {
    return is_shuffle(SHFLVIZ_KINDS_OP(made.kinds)) || SHFLVIZ_KINDS_OP(made.kinds) == OP_WATCH;
}

/* All ones if the lanes of the warp may share the common record. */
static __device__ __forceinline__ unsigned int meet(const call &made, unsigned int slot) {
    const unsigned int lane = lane_id();
    const bool defined =
        !is_shuffle(SHFLVIZ_KINDS_OP(made.kinds)) || ring_width_is_defined(made.width);
    const unsigned int source = is_ruled(made)
                                    ? ring_predicted_lane(SHFLVIZ_KINDS_OP(made.kinds), lane,
                                                          made.arg, defined ? made.width : 32)
                                    : 0;
    const unsigned int predicted =
        __shfl_sync(0xffffffff, (unsigned int)(is_ruled(made) ? made.in : made.out), source);
    /* Known calls with the same slot are the same call. Lanes may look at different times, so all
     * of them must have seen it; a lane that has not, or that got another result, makes its word
     * differ from all others. */
    const bool fits = (ring_glance(&recording.state->sites[slot]) == key_of(made.site)) & defined &
                      (predicted == (unsigned int)made.out) & ((int)(short)made.arg == made.arg);
    const unsigned int shared = slot | (unsigned int)made.width << 8 | (unsigned int)made.arg << 16;
    static_assert(SHFLVIZ_RING_SITES <= 1 << 8, "a slot, a width and an argument are one word");
    int all;
    return __match_all_sync(0xffffffff, fits ? shared : 1u << 14 | lane, &all);
}

/* The half above the value in a lane's word of the common record. */
static __device__ __forceinline__ unsigned int upper_half(const call &made, unsigned int slot) {
    const unsigned int lane = lane_id();
    const unsigned int kinds = made.kinds | (is_ruled(made) ? 0 : SHFLVIZ_KINDS_SAME_OUT);
    const unsigned int a = lane & 2 ? kinds | SHFLVIZ_KINDS(thread_in_block() / 32, slot, 0, 0)
                                    : (unsigned int)block_number();
    const unsigned int b =
        lane & 2 ? (unsigned int)(is_ruled(made) ? made.width : made.out) : (unsigned int)made.arg;
    /* The shift counts modulo 32: odd lanes have the high half. */
    return __byte_perm(__funnelshift_r(lane & 4 ? b : a, 0, 16 * lane), recording.quick_mark,
                       0x5410);
}

static __device__ __forceinline__ void record(const call &made) {
    unsigned long long number;
    unsigned int met;
    asm("" : "=l"(number)); /* gives it any value, without an instruction */
    if (recording.quick_places && !(made.kinds & SHFLVIZ_KINDS_WIDE) &&
        made.members == 0xffffffff) {
        const unsigned int slot = ring_site_slot(key_of(made.site)), lane = lane_id();
        met = meet(made, slot);
        if (met == 0xffffffff) {
            const unsigned int stripe = stripe_of_block();
            number = take_number(stripe, lane == 0);
            const unsigned int low =
                __shfl_sync(0xffffffff, number >> 32 ? 0xffffffffu : (unsigned int)number, 0);
            const unsigned int upper = upper_half(made, slot);
            const unsigned int index = low - (unsigned int)ring_early(&recording, stripe);
            if (index < recording.quick_places) {
                uint64_t *cell = reinterpret_cast<uint64_t *>(
                    recording.records +
                    (size_t)(stripe * recording.stripe_places + index) * SHFLVIZ_CELL_BYTES);
                __builtin_assume(__isGlobal(cell));
                cell[lane] = (unsigned int)made.in | (unsigned long long)upper << 32;
                return;
            }
        }
    } else if (recording.state)
        met = 0;
    else
        return;
    record_slowly(made, met, number);
}

/* For an operation on a T. */
template <class T> static __device__ __forceinline__ constexpr unsigned int kinds_for(int which) {
    return SHFLVIZ_KINDS(0, 0, which, type_of<T>::number) |
           (sizeof(T) > 4 ? SHFLVIZ_KINDS_WIDE : 0);
}

/* One shuffle, vote, match or reduction; its result has type R. */
template <int which, class R, class T>
static __device__ __forceinline__ R operation(const shflviz_site *site, unsigned int members,
                                              T value, int arg, int width) {
    R result;
    if constexpr (which == OP_IDX)
        result = __shfl_sync(members, value, arg, width);
    else if constexpr (which == OP_UP)
        result = __shfl_up_sync(members, value, (unsigned int)arg, width);
    else if constexpr (which == OP_DOWN)
        result = __shfl_down_sync(members, value, (unsigned int)arg, width);
    else if constexpr (which == OP_XOR)
        result = __shfl_xor_sync(members, value, arg, width);
    else if constexpr (which == OP_BALLOT)
        result = __ballot_sync(members, value);
    else if constexpr (which == OP_ANY)
        result = __any_sync(members, value);
    else if constexpr (which == OP_ALL)
        result = __all_sync(members, value);
    else if constexpr (which == OP_MATCH_ANY)
        result = __match_any_sync(members, value);
    else if constexpr (which == OP_MATCH_ALL)
        result = __match_all_sync(members, value, &arg);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    else if constexpr (which == OP_REDUCE_ADD)
        result = __reduce_add_sync(members, value);
    else if constexpr (which == OP_REDUCE_MIN)
        result = __reduce_min_sync(members, value);
    else if constexpr (which == OP_REDUCE_MAX)
        result = __reduce_max_sync(members, value);
    else if constexpr (which == OP_REDUCE_AND)
        result = __reduce_and_sync(members, value);
    else if constexpr (which == OP_REDUCE_OR)
        result = __reduce_or_sync(members, value);
    else if constexpr (which == OP_REDUCE_XOR)
        result = __reduce_xor_sync(members, value);
#endif
    record({site, kinds_for<T>(which), members, arg, width, bits_of(value), bits_of(result)});
    return result;
}

static __device__ __forceinline__ void synchronise(const shflviz_site *site, unsigned int members) {
    __syncwarp(members);
    record({site, SHFLVIZ_KINDS(0, 0, OP_SYNC, TYPE_NONE), members, 0, 0, 0, 0});
}

static __device__ __forceinline__ unsigned int query(const shflviz_site *site) {
    unsigned int active = __activemask();
    record({site, kinds_for<unsigned int>(OP_ACTIVEMASK), active, 0, 0, 0, active});
    return active;
}

/* Records the lanes that happen to be together; it does not bring lanes together. */
template <class T> static __device__ __forceinline__ void show(const shflviz_site *site, T value) {
    unsigned long long bits = bits_of(value);
    record({site, kinds_for<T>(OP_WATCH), __activemask(), 0, 0, bits, bits});
}

} // namespace shflviz

/* ---- launches ---- */

#ifdef SHFLVIZ_GPU_PROGRAM

/* Defined in gpu/launches.cc, which intercepts all launches of a user program. */
extern "C" void shflviz_gpu_register(cudaError_t (*setter)(const struct shflviz_ring *ring));

namespace shflviz {

static cudaError_t set_recording(const shflviz_ring *ring) {
    return cudaMemcpyToSymbol(recording, ring, sizeof *ring);
}
static struct registered {
    registered() { shflviz_gpu_register(set_recording); }
} registered_here;

} // namespace shflviz

#else

/*
 * A launch by cudaLaunchKernel() is announced to the recording, and the host then takes records
 * out of the ring until the kernel has ended. Without a recording it is a plain launch.
 */

extern "C" {
/* Defined in device/gpu/cuda.c: fills *ring for a launch and returns 1, or 0 if nothing records. */
int shflviz_gpu_begin_launch(struct shflviz_ring *ring, const char *text, const unsigned grid[3],
                             const unsigned block[3], size_t shared);
/* Takes records until the kernel has ended. `launched` and the result are cudaError_t. */
int shflviz_gpu_finish_launch(int launched);
}

namespace shflviz {

template <class Kernel>
static inline cudaError_t launch_recorded(const char *text, Kernel kernel, dim3 grid, dim3 block,
                                          void **arguments, size_t shared = 0,
                                          cudaStream_t stream = 0) {
    const unsigned grid_size[3] = {grid.x, grid.y, grid.z};
    const unsigned block_size[3] = {block.x, block.y, block.z};
    shflviz_ring ring;
    if (!shflviz_gpu_begin_launch(&ring, text, grid_size, block_size, shared))
        return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
    cudaError_t error = cudaMemcpyToSymbol(recording, &ring, sizeof ring);
    if (error == cudaSuccess)
        error = cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
    return (cudaError_t)shflviz_gpu_finish_launch(error);
}

} // namespace shflviz

#define cudaLaunchKernel(...) shflviz::launch_recorded(#__VA_ARGS__, __VA_ARGS__)

#endif

#endif
