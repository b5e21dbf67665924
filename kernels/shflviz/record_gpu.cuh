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

static __device__ __forceinline__ void put_value(unsigned char *values, unsigned int bytes,
                                                 unsigned int lane, unsigned long long bits) {
    if (bytes == 8)
        reinterpret_cast<unsigned long long *>(values)[lane] = bits;
    else
        reinterpret_cast<unsigned int *>(values)[lane] = (unsigned int)bits;
}

/* What one lane knows of a call. */
struct call {
    const shflviz_site *site;
    int which, type;
    unsigned int bytes; /* of a value, 4 or 8 */
    unsigned int members;
    int arg, width;
    unsigned long long in, out;
};

/* What lanes know a call by: the address of its constant object; where it has none (it names no
 * function then; groups/cooperative_groups.h), its text and line. */
static __device__ __forceinline__ unsigned long long key_of(const shflviz_site *site) {
    if (site->function)
        return (unsigned long long)site;
    return (unsigned long long)site->text ^ (unsigned long long)site->line << 48;
}

static __device__ __forceinline__ shflviz_place place_of(const shflviz_site *site) {
    shflviz_place place;
    place.block_index[0] = blockIdx.x;
    place.block_index[1] = blockIdx.y;
    place.block_index[2] = blockIdx.z;
    place.block = blockIdx.x + (unsigned long long)gridDim.x *
                                   (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    place.warp = thread_in_block() / 32;
    place.line = site->line;
    return place;
}

/* All of the header but its sequence, by the lowest lane of the group. */
static __device__ __forceinline__ void write_header(shflviz_record_header *header, const call &made,
                                                    const shflviz_place &place, unsigned int group,
                                                    bool widths_differ) {
    header->block = place.block;
    header->launch = recording.launch;
    header->warp = place.warp;
    header->site =
        ring_site(&recording, key_of(made.site), made.site->line, made.site->file, made.site->text);
    header->op = (uint8_t)made.which;
    header->type = (uint8_t)made.type;
    header->flags = widths_differ ? SHFLVIZ_RECORD_WIDTHS_DIFFER : 0;
    header->members = made.members;
    header->present = group;
    header->width = made.width;
    header->exited = 0;
    header->reserved[0] = 0;
    header->reserved[1] = 0;
}

/* The lanes of `group` have met and make one record. */
static __device__ __forceinline__ void write_record(const call &made, unsigned int group) {
    unsigned int lane = thread_in_block() % 32;
    unsigned int leader = __ffs(group) - 1;
    const shflviz_place place = place_of(made.site);
    if (!shflviz_filter_passes(&recording.filter, &place))
        return;
    unsigned long long ticket = 0;
    unsigned long long address = 0;
    if (lane == leader) {
        if (made.bytes > recording.value_bytes) {
            ring_add(&recording.state->unfit, 1);
        } else {
            ticket = ring_take(&recording);
            address = (unsigned long long)ring_place(&recording, ticket);
        }
    }
    address = __shfl_sync(group, address, leader);
    if (address == 0)
        return;
    bool widths_differ = !__all_sync(group, made.width == __shfl_sync(group, made.width, leader));
    unsigned char *record = reinterpret_cast<unsigned char *>(address);
    unsigned int bytes = recording.value_bytes;
    reinterpret_cast<int *>(record + SHFLVIZ_RECORD_OFFSET_ARG)[lane] = made.arg;
    put_value(record + SHFLVIZ_RECORD_OFFSET_IN, bytes, lane, made.in);
    put_value(record + SHFLVIZ_RECORD_OFFSET_OUT(bytes), bytes, lane, made.out);
    if (widths_differ)
        reinterpret_cast<short *>(record + SHFLVIZ_RECORD_OFFSET_WIDTH)[lane] = (short)made.width;
    shflviz_record_header *header = reinterpret_cast<shflviz_record_header *>(record);
    if (lane == leader)
        write_header(header, made, place, group, widths_differ);
    ring_fence();
    __syncwarp(group);
    if (lane == leader)
        ring_commit(&recording, ticket, &header->sequence);
}

/* Lanes that an honest mask names. Not inlined: kernels keep their shape, and a call's registers
 * are free again after it. */
static __device__ __noinline__ void record_members(const call made) {
    write_record(made, __match_any_sync(made.members, made.which << 8 | (int)made.bytes));
}

/* Lanes that nothing brings together. */
static __device__ __noinline__ void record_those_here(const call made) {
    unsigned int here = __activemask();
    unsigned int same_site = __match_any_sync(here, key_of(made.site));
    write_record(made, same_site & __match_any_sync(here, made.members));
}

static __device__ __forceinline__ void record(const call &made) {
    if (!recording.state)
        return;
    if (made.members >> thread_in_block() % 32 & 1)
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
    const call made = {site, which, type_of<T>::number, bytes_of<T>(),  members,
                       arg,  width, bits_of(value),     bits_of(result)};
    record(made);
    return result;
}

static __device__ __forceinline__ void synchronise(const shflviz_site *site, unsigned int members) {
    __syncwarp(members);
    const call made = {site, OP_SYNC, TYPE_NONE, 4, members, 0, 0, 0, 0};
    record(made);
}

static __device__ __forceinline__ unsigned int query(const shflviz_site *site) {
    unsigned int active = __activemask();
    const call made = {site, OP_ACTIVEMASK, TYPE_UNSIGNED, 4, active, 0, 0, 0, active};
    record(made);
    return active;
}

/* The lanes that happen to be together; it brings none together. */
template <class T> static __device__ __forceinline__ void show(const shflviz_site *site, T value) {
    unsigned long long bits = bits_of(value);
    const call made = {site, OP_WATCH, type_of<T>::number, bytes_of<T>(), __activemask(), 0, 0,
                       bits, bits};
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
