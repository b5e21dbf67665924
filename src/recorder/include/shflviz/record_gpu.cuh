/*
 * record_gpu.cuh - what record.cuh is built on where a GPU runs the kernel.
 *
 * Every recorded operation is the intrinsic itself; then the lanes that made it write a record into
 * the ring of shflviz/ring.h, from where the host takes it while the kernel goes on.
 *
 * Which lanes share a record. Lanes run independently; that they come back from an operation
 * together is what hardware does and no document promises. So the recorder does not rely on which
 * lanes happen to be there: it asks. A lane that its own mask names meets the others of that mask
 * once more, with __match_any_sync() on the intrinsic that they called. That is legal exactly where
 * the operation was: all lanes of the mask that have not left the kernel made the operation and
 * come here next. Hence, for honest masks:
 *  - one operation is one record, and `present` names all its lanes, however far apart the hardware
 *    schedules them;
 *  - the same holds where they met from different calls with one mask (both branches of an if):
 *    the record has the site of the lowest lane, as on the CPU warp;
 *  - members that have left the kernel are not waited for, as in the operation itself.
 * Where the mask lies:
 *  - a lane that its own mask leaves out meets nobody. It shares a record with those that passed
 *    the same mask in the same call and are there at the same moment (__activemask()), and with no
 *    other;
 *  - a mask that names lanes which never come is undefined without the recorder too: a kernel that
 *    gets away with it bare may wait here for ever. That is what a time-out is for.
 * __activemask() and shflviz_watch() bring nobody together: those who were there share a record.
 *
 * In every case each lane that makes a call is in at most one record, with the argument it passed,
 * the value it brought and the value it got. It is in exactly one, unless the record is dropped
 * (counted, see ring.h) or filtered out. `exited` is not known and 0. Entries of lanes that are not
 * present are garbage in the ring; the host makes them 0.
 *
 * Needs compute capability 7.0 or later (__match_any_sync).
 */
#ifndef SHFLVIZ_RECORD_GPU_CUH
#define SHFLVIZ_RECORD_GPU_CUH

#define SHFLVIZ_DEVICE_FUNCTION static __device__ __forceinline__
#include "shflviz/ring.h"
#include "trace/record.h"

namespace shflviz {

/* Where the kernels of this source file record to; `state` NULL: nowhere. Set before each launch.
 */
static __constant__ shflviz_ring recording;

template <class T> static __device__ __forceinline__ unsigned long long bits_of(T value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

static __device__ __forceinline__ unsigned int thread_in_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* The same as the thread's number in its block, modulo 32, and quicker to have. */
static __device__ __forceinline__ unsigned int lane_id() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* What one lane knows of a call. */
struct call {
    const shflviz_site *site;
    unsigned long long key; /* identifies the call */
    int which, type;
    unsigned int bytes; /* of a value, 4 or 8 */
    unsigned int members;
    int arg, width;
    unsigned long long in, out;
};

/* The address of its constant object; where it has none (it names no function then;
 * groups/cooperative_groups.h), its text and line. */
static __device__ __forceinline__ unsigned long long key_of(const shflviz_site *site) {
    if (site->function)
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

/* The next number of a stripe, for the lane that leads. Predicated and in assembly, so that the
 * lanes stay together and nothing waits for the number before it is used. */
static __device__ __forceinline__ unsigned long long take_number(unsigned int stripe, bool leads) {
    unsigned long long number = 0;
    asm volatile("{\n"
                 ".reg .pred leads;\n"
                 "setp.ne.u32 leads, %2, 0;\n"
                 "@leads atom.relaxed.gpu.global.add.u64 %0, [%1], 1;\n"
                 "}"
                 : "+l"(number)
                 : "l"(__cvta_generic_to_global(&recording.state->stripe[stripe].next)),
                   "r"((unsigned int)leads)
                 : "memory");
    return number;
}

/* What the first 128 bytes of a record hold but the widths: the header, then zeros. */
struct head {
    unsigned long long sequence, block;
    unsigned int launch, warp, site, kinds, members, present, width;
};

static __device__ __forceinline__ head head_of(const call &made, unsigned int site,
                                               unsigned int group, bool widths_differ,
                                               unsigned long long sequence) {
    head h;
    h.sequence = sequence;
    h.block = block_number();
    h.launch = recording.launch;
    h.warp = thread_in_block() / 32;
    h.site = site;
    h.kinds =
        made.which | made.type << 8 | (widths_differ ? SHFLVIZ_RECORD_WIDTHS_DIFFER << 16 : 0);
    h.members = made.members;
    h.present = group;
    h.width = (unsigned int)made.width;
    return h;
}

/* Called by all lanes of a warp, a word each: whole lines of memory are written faster than parts.
 */
static __device__ __forceinline__ void write_head_together(unsigned char *record, const head &h,
                                                           unsigned int lane) {
    const bool one = lane & 1, two = lane & 2, four = lane & 4, eight = lane & 8;
    unsigned int a = one ? (unsigned int)(h.sequence >> 32) : (unsigned int)h.sequence;
    unsigned int b = one ? (unsigned int)(h.block >> 32) : (unsigned int)h.block;
    unsigned int c = one ? h.warp : h.launch;
    unsigned int d = one ? h.kinds : h.site;
    unsigned int e = one ? h.present : h.members;
    unsigned int f = one ? 0 : h.width;
    a = two ? b : a;
    c = two ? d : c;
    e = two ? f : e;
    a = four ? c : a;
    e = four ? 0 : e;
    a = eight ? e : a;
    reinterpret_cast<unsigned int *>(record)[lane] = lane < 16 ? a : 0;
}

/* Called by the leading lane; the host sets `exited`, `reserved` and the widths to 0. */
static __device__ __forceinline__ void write_head_alone(unsigned char *record, const head &h) {
    uint4 *to = reinterpret_cast<uint4 *>(record);
    to[0] = make_uint4((unsigned int)h.sequence, (unsigned int)(h.sequence >> 32),
                       (unsigned int)h.block, (unsigned int)(h.block >> 32));
    to[1] = make_uint4(h.launch, h.warp, h.site, h.kinds);
    to[2] = make_uint4(h.members, h.present, h.width, 0);
}

static __device__ __forceinline__ void write_lane(unsigned char *record, const call &made,
                                                  unsigned int lane, unsigned int bytes) {
    int *words = reinterpret_cast<int *>(record) + lane;
    words[SHFLVIZ_RECORD_OFFSET_ARG / 4] = made.arg;
    if (bytes == 4) {
        words[SHFLVIZ_RECORD_OFFSET_IN / 4] = (int)made.in;
        words[SHFLVIZ_RECORD_OFFSET_OUT(4) / 4] = (int)made.out;
    } else {
        unsigned long long *values = reinterpret_cast<unsigned long long *>(record) + lane;
        values[SHFLVIZ_RECORD_OFFSET_IN / 8] = made.in;
        values[SHFLVIZ_RECORD_OFFSET_OUT(8) / 8] = made.out;
    }
}

/* A place for the number, or none; one lane waits for it if necessary. */
static __device__ __forceinline__ unsigned int await_place(unsigned int group, unsigned int leader,
                                                           unsigned int stripe,
                                                           unsigned long long number) {
    unsigned int place = SHFLVIZ_RING_NO_PLACE;
    if (lane_id() == leader)
        place = ring_place(&recording, stripe, number);
    return __shfl_sync(group, place, leader);
}

static __device__ __forceinline__ unsigned int stripe_of_block() {
    return ring_stripe(&recording, blockIdx.x + blockIdx.y + blockIdx.z);
}

/* The lanes of `group` have met and have a number: they write their record. */
static __device__ __forceinline__ void write_numbered(const call made, unsigned int group,
                                                      bool widths_differ, unsigned int slot,
                                                      unsigned long long number) {
    const unsigned int lane = lane_id();
    const unsigned int leader = __ffs(group) - 1;
    const unsigned int stripe = stripe_of_block();
    const unsigned int place = await_place(group, leader, stripe, number);
    if (place == SHFLVIZ_RING_NO_PLACE)
        return;
    unsigned char *record = ring_at(&recording, place);
    const bool early = place & SHFLVIZ_RING_EARLY;
    const head h = head_of(made, slot, group, widths_differ,
                           early ? 0 : ring_sequence(&recording, place, number));
    if (lane == leader)
        write_head_alone(record, h);
    write_lane(record, made, lane, recording.value_bytes);
    if (widths_differ)
        reinterpret_cast<short *>(record + SHFLVIZ_RECORD_OFFSET_WIDTH)[lane] = (short)made.width;
    __syncwarp(group);
    if (lane != leader)
        return;
    if (early)
        ring_commit(&recording, 0, place, number, reinterpret_cast<uint64_t *>(record));
    else
        ring_count(&recording, stripe, number);
}

/* The lanes of `group` have met and make one record. */
static __device__ __forceinline__ void write_record(const call made, unsigned int group,
                                                    bool widths_differ) {
    const unsigned int lane = lane_id();
    const unsigned int leader = __ffs(group) - 1;
    if ((recording.filter.parts & SHFLVIZ_FILTER_PLACES) && !passes_filter(made.site))
        return;
    if (made.bytes > recording.value_bytes) {
        if (lane == leader)
            ring_add(&recording.state->unfit, 1);
        return;
    }
    unsigned int slot = 0;
    if (lane == leader)
        slot = ring_site(&recording, made.key, made.site);
    unsigned long long number = take_number(stripe_of_block(), lane == leader);
    slot = __shfl_sync(group, slot, leader);
    number = (unsigned long long)__shfl_sync(group, (unsigned int)(number >> 32), leader) << 32 |
             __shfl_sync(group, (unsigned int)number, leader);
    write_numbered(made, group, widths_differ, slot, number);
}

/* Whether the lanes of `group` passed different widths. */
static __device__ __forceinline__ bool widths_of(unsigned int group, int width) {
    return !__all_sync(group, width == __shfl_sync(group, width, __ffs(group) - 1));
}

/* For lanes that an honest mask names. */
static __device__ __noinline__ void record_members(const call made) {
    unsigned int group = __match_any_sync(made.members, made.which << 1 | made.bytes / 8);
    write_record(made, group, widths_of(group, made.width));
}

/* The same where there was no room without a wait. Lane 0 has the number. */
static __device__ __noinline__ void write_late(const call made, unsigned int slot,
                                               unsigned long long number) {
    const unsigned int high = __shfl_sync(0xffffffff, (unsigned int)(number >> 32), 0);
    const unsigned int low = __shfl_sync(0xffffffff, (unsigned int)number, 0);
    write_numbered(made, 0xffffffff, false, slot, (unsigned long long)high << 32 | low);
}

/* For lanes that nothing brings together. */
static __device__ __noinline__ void record_those_here(const call made) {
    unsigned int here = __activemask();
    unsigned int same_site = __match_any_sync(here, made.key);
    unsigned int group = same_site & __match_any_sync(here, made.members);
    write_record(made, group, widths_of(group, made.width));
}

/*
 * The common record, without a wait and in few instructions: a whole warp whose lanes all made one
 * known call with the same width. One instruction tests that; only the low bits of a width count
 * anyway. Otherwise returns false, having done nothing.
 */
static __device__ __forceinline__ bool record_quickly(const call &made) {
    const unsigned int stripe = stripe_of_block();
    const unsigned int lane = lane_id();
    if (recording.quick_bytes != made.bytes || made.members != 0xffffffff)
        return false;
    /* Lanes may look at different times: they go on together only if all saw it. */
    const unsigned int slot = ring_site_slot(made.key);
    const unsigned int known = ring_glance(&recording.state->sites[slot]) == made.key;
    int same;
    unsigned int group = __match_all_sync(0xffffffff,
                                          (unsigned int)made.width << 16 | slot << 8 | known << 7 |
                                              made.which << 1 | made.bytes / 8,
                                          &same);
    if (group != 0xffffffff || !known) /* 0 where they differ */
        return false;
    const unsigned long long number = take_number(stripe, lane == 0);
    const unsigned int low =
        __shfl_sync(0xffffffff, number >> 32 ? 0xffffffffu : (unsigned int)number, 0);
    const unsigned int index = low - (unsigned int)ring_early(&recording, stripe);
    if (index >= recording.quick_places) {
        write_late(made, slot, number);
        return true;
    }
    unsigned char *record = recording.records + (size_t)(stripe * recording.stripe_places + index) *
                                                    SHFLVIZ_RECORD_SIZE(made.bytes);
    __builtin_assume(__isGlobal(record));
    write_head_together(record, head_of(made, slot, 0xffffffff, false, recording.base + low + 1),
                        lane);
    write_lane(record, made, lane, made.bytes);
    if (recording.drained) {
        __syncwarp();
        if (lane == 0)
            ring_count(&recording, stripe, low);
    }
    return true;
}

static __device__ __forceinline__ void record(const call &made) {
    if (!recording.state || record_quickly(made))
        return;
    if (made.members >> lane_id() & 1)
        record_members(made);
    else
        record_those_here(made);
}

template <class T> static __device__ __forceinline__ constexpr unsigned int bytes_of() {
    return sizeof(T) > 4 ? 8 : 4;
}

/* One shuffle, vote, match or reduction; what it returns is of type R. */
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
    const call made = {site,    key_of(site), which, type_of<T>::number, bytes_of<T>(),
                       members, arg,          width, bits_of(value),     bits_of(result)};
    record(made);
    return result;
}

static __device__ __forceinline__ void synchronise(const shflviz_site *site, unsigned int members) {
    __syncwarp(members);
    const call made = {site, key_of(site), OP_SYNC, TYPE_NONE, 4, members, 0, 0, 0, 0};
    record(made);
}

static __device__ __forceinline__ unsigned int query(const shflviz_site *site) {
    unsigned int active = __activemask();
    const call made = {site, key_of(site), OP_ACTIVEMASK, TYPE_UNSIGNED, 4, active, 0, 0,
                       0,    active};
    record(made);
    return active;
}

/* The lanes that happen to be together; it brings no lanes together. */
template <class T> static __device__ __forceinline__ void show(const shflviz_site *site, T value) {
    unsigned long long bits = bits_of(value);
    const call made = {
        site, key_of(site), OP_WATCH, type_of<T>::number, bytes_of<T>(), __activemask(), 0,
        0,    bits,         bits};
    record(made);
}

} // namespace shflviz

/* ---- launches ---- */

#ifdef SHFLVIZ_GPU_PROGRAM

/* Of gpu/launches.cc, which stands before all launches of a user's own program. */
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
 * A launch by cudaLaunchKernel() is announced to the recording, and the host then takes records out
 * of the ring until the kernel has ended. Where nothing records, it is a plain launch.
 */

extern "C" {
/* Of device/gpu/cuda.c: fills *ring for a launch and returns 1, or 0 where nothing records. */
int shflviz_gpu_begin_launch(struct shflviz_ring *ring, const char *text, const unsigned grid[3],
                             const unsigned block[3], size_t shared);
/* Takes records until the kernel has ended. `launched` and what is returned are cudaError_t. */
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
