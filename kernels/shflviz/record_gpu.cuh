/*
 * record_gpu.cuh - what record.cuh stands on where a GPU runs the kernel.
 *
 * Every recorded operation is the intrinsic itself; then the lanes that made it write a record into
 * the ring of device/gpu/ring.h, from where the host takes it while the kernel goes on.
 *
 * Which lanes share a record. Lanes run independently; that they come back from an operation
 * together is what hardware does and no document promises. So the recorder does not look who
 * happens to be there: it asks. A lane that its own mask names meets the others of that mask once
 * more, with __match_any_sync() on the intrinsic that they called. That is legal exactly where the
 * operation was: all lanes of the mask that have not left the kernel made the operation and come
 * here next. Hence, for honest masks:
 *  - one operation is one record, and `present` names all its lanes, however far apart the hardware
 *    schedules them;
 *  - so it is where they met from different calls with one mask (both branches of an if): the
 * record has the place of the lowest lane, as on the CPU warp;
 *  - members that have left the kernel are not waited for, as in the operation itself.
 * Where the mask lies:
 *  - a lane that its own mask leaves out meets nobody. It shares a record with those that passed
 * the same mask in the same call and are there at the same moment (__activemask()), and with no
 * other;
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
#include "device/gpu/ring.h"
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
    unsigned long long key; /* what lanes know the call by */
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
    shflviz_place place;
    place.block_index[0] = blockIdx.x;
    place.block_index[1] = blockIdx.y;
    place.block_index[2] = blockIdx.z;
    place.block = block_number();
    place.warp = thread_in_block() / 32;
    place.line = site->line;
    return shflviz_filter_passes(&recording.filter, &place);
}

/* By the lowest lane of the group: the next number of the block's stripe. In assembly, since the
 * compiler would have each lane that is here counted, and one is. */
static __device__ __forceinline__ unsigned long long take_number(unsigned int stripe) {
    unsigned long long number;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;"
                 : "=l"(number)
                 : "l"(__cvta_generic_to_global(&recording.state->stripe[stripe].next))
                 : "memory");
    return number;
}

/* The header, 16 bytes at a time; `reserved` and `exited` the host makes 0. */
static __device__ __forceinline__ void write_header(unsigned char *record, const call &made,
                                                    unsigned int site, unsigned int group,
                                                    bool widths_differ,
                                                    unsigned long long sequence) {
    const unsigned long long block = block_number();
    const unsigned int kinds =
        made.which | made.type << 8 | (widths_differ ? SHFLVIZ_RECORD_WIDTHS_DIFFER << 16 : 0);
    uint4 *to = reinterpret_cast<uint4 *>(record);
    to[0] = make_uint4((unsigned int)sequence, (unsigned int)(sequence >> 32), (unsigned int)block,
                       (unsigned int)(block >> 32));
    to[1] = make_uint4(recording.launch, thread_in_block() / 32, site, kinds);
    to[2] = make_uint4(made.members, group, (unsigned int)made.width, 0);
}

static __device__ __forceinline__ void write_lane(unsigned char *record, const call &made,
                                                  unsigned int lane) {
    int *words = reinterpret_cast<int *>(record) + lane;
    words[SHFLVIZ_RECORD_OFFSET_ARG / 4] = made.arg;
    if (recording.value_bytes == 4) {
        words[SHFLVIZ_RECORD_OFFSET_IN / 4] = (int)made.in;
        words[SHFLVIZ_RECORD_OFFSET_OUT(4) / 4] = (int)made.out;
    } else {
        unsigned long long *values = reinterpret_cast<unsigned long long *>(record) + lane;
        values[SHFLVIZ_RECORD_OFFSET_IN / 8] = made.in;
        values[SHFLVIZ_RECORD_OFFSET_OUT(8) / 8] = made.out;
    }
}

/* The lanes of `group` have met and make one record. */
static __device__ __forceinline__ void write_record(const call &made, unsigned int group,
                                                    bool widths_differ) {
    const unsigned int lane = lane_id();
    const unsigned int leader = __ffs(group) - 1;
    const unsigned int stripe = ring_stripe(&recording, blockIdx.x + blockIdx.y + blockIdx.z);
    unsigned int place = SHFLVIZ_RING_NO_PLACE;
    unsigned int site = 0;
    unsigned long long number = 0;
    if (recording.filter.parts && !passes_filter(made.site))
        return;
    if (lane == leader) {
        if (made.bytes > recording.value_bytes) {
            ring_add(&recording.state->unfit, 1);
        } else {
            number = take_number(stripe);
            site = ring_site(&recording, made.key, made.site);
            place = ring_place(&recording, stripe, number);
        }
    }
    place = __shfl_sync(group, place, leader);
    if (place == SHFLVIZ_RING_NO_PLACE)
        return;
    unsigned char *record = ring_at(&recording, place);
    write_lane(record, made, lane);
    if (widths_differ)
        reinterpret_cast<short *>(record + SHFLVIZ_RECORD_OFFSET_WIDTH)[lane] = (short)made.width;
    const bool ends_with_kernel = !recording.drained && !(place & SHFLVIZ_RING_EARLY);
    if (lane == leader)
        write_header(record, made, site, group, widths_differ,
                     ends_with_kernel ? ring_sequence(&recording, place, number) : 0);
    if (ends_with_kernel)
        return;
    __syncwarp(group);
    if (lane == leader)
        ring_commit(&recording, stripe, place, number, reinterpret_cast<uint64_t *>(record));
}

/* Whether the lanes of `group` passed different widths. */
static __device__ __forceinline__ bool widths_of(unsigned int group, int width) {
    return !__all_sync(group, width == __shfl_sync(group, width, __ffs(group) - 1));
}

/* Lanes that an honest mask names. Nearly always all of them made the same operation with the same
 * width, which one instruction tells; of a width the low bits count in any case. Not inlined:
 * kernels keep their shape, and a call's registers are free again after it. */
static __device__ __noinline__ void record_members(const call made) {
    const unsigned int kind = made.which << 1 | made.bytes / 8;
    int same;
    unsigned int group =
        __match_all_sync(made.members, (unsigned int)made.width << 8 | kind, &same);
    bool widths_differ = false;
    if (!same) {
        group = __match_any_sync(made.members, kind);
        widths_differ = widths_of(group, made.width);
    }
    write_record(made, group, widths_differ);
}

/* Lanes that nothing brings together. */
static __device__ __noinline__ void record_those_here(const call made) {
    unsigned int here = __activemask();
    unsigned int same_site = __match_any_sync(here, made.key);
    unsigned int group = same_site & __match_any_sync(here, made.members);
    write_record(made, group, widths_of(group, made.width));
}

static __device__ __forceinline__ void record(const call &made) {
    if (!recording.state)
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

/* The lanes that happen to be together; it brings none together. */
template <class T> static __device__ __forceinline__ void show(const shflviz_site *site, T value) {
    unsigned long long bits = bits_of(value);
    const call made = {
        site, key_of(site), OP_WATCH, type_of<T>::number, bytes_of<T>(), __activemask(), 0,
        0,    bits,         bits};
    record(made);
}

} // namespace shflviz

/* ---- launches
 * ------------------------------------------------------------------------------------ A launch by
 * cudaLaunchKernel() is told to the recording, and the host then takes records out of the ring
 * until the kernel has ended. Where nothing records, it is what it was.
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
