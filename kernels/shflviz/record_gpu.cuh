/*
 * record_gpu.cuh - what record.cuh stands on where a GPU runs the kernel.
 *
 * Every recorded operation is the intrinsic itself; then the lanes that made it write a record into
 * a buffer in the device's memory, which the host reads when the kernel has ended.
 *
 * What is guaranteed. Each lane that makes a call and finds room in the buffer is in exactly one
 * record, with the argument it passed, the value it brought and the value it got. Lanes share a
 * record only if they made the same call with the same member mask. After the operation the lanes
 * of one honest mask are brought together with __syncwarp(), so that they share one record, and
 * `present` names them all, whenever the hardware then keeps them together; it does so in practice
 * and does not promise it. Where it does not, or a mask lies, one operation may be told in several
 * records, each with the lanes that were together: none is lost and none is told twice. `exited` is
 * not known and 0. A record counts once its `sequence` is set, which is written last. A full buffer
 * counts the records it has no room for.
 *
 * Needs compute capability 7.0 or later (__match_any_sync).
 */
#ifndef SHFLVIZ_RECORD_GPU_CUH
#define SHFLVIZ_RECORD_GPU_CUH

#include "trace/record.h"

namespace shflviz {

/* In device memory; the host fills it before a launch and reads it after. */
struct gpu_buffer {
    unsigned char *records;      /* zeroed */
    unsigned long long capacity; /* in records */
    unsigned long long next;     /* index of the next free record; may pass capacity */
    unsigned long long dropped;  /* records that found no room */
    unsigned int value_bytes;    /* 4 or 8 */
    unsigned int launch;         /* for the header of each record */
};

/* Where the kernels of this source file record to; NULL: nowhere. The host sets it with
 * cudaMemcpyToSymbol(). */
static __device__ gpu_buffer *recording = nullptr;

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
    unsigned int members;
    int arg, width;
    unsigned long long in, out;
};

/* The header, by the lowest lane of the group. The site is an address of the device here; the host
 * puts its index into the record and clears the address. */
static __device__ void write_header(shflviz_record_header *header, const gpu_buffer *buffer,
                                    const call &made, unsigned int group, bool widths_differ) {
    header->block = blockIdx.x + (unsigned long long)gridDim.x *
                                     (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    header->launch = buffer->launch;
    header->warp = thread_in_block() / 32;
    header->op = (uint8_t)made.which;
    header->type = (uint8_t)made.type;
    header->flags = widths_differ ? SHFLVIZ_RECORD_WIDTHS_DIFFER : 0;
    header->members = made.members;
    header->present = group;
    header->width = made.width;
    header->reserved[0] = (uint64_t)made.site;
}

/* Not inlined: kernels keep their shape, and a call's registers are free again after it. */
static __device__ __noinline__ void record(const call &made) {
    gpu_buffer *buffer = recording;
    if (!buffer)
        return;
    unsigned int lane = thread_in_block() % 32;
    unsigned int group = __match_any_sync(__activemask(), made.members);
    unsigned int leader = __ffs(group) - 1;
    bool widths_differ = !__all_sync(group, made.width == __shfl_sync(group, made.width, leader));
    unsigned long long slot = 0;
    if (lane == leader)
        slot = atomicAdd(&buffer->next, 1ull);
    slot = __shfl_sync(group, slot, leader);
    if (slot >= buffer->capacity) {
        if (lane == leader)
            atomicAdd(&buffer->dropped, 1ull);
        return;
    }
    unsigned int bytes = buffer->value_bytes;
    unsigned char *record = buffer->records + slot * SHFLVIZ_RECORD_SIZE(bytes);
    shflviz_record_header *header = reinterpret_cast<shflviz_record_header *>(record);
    reinterpret_cast<int *>(record + SHFLVIZ_RECORD_OFFSET_ARG)[lane] = made.arg;
    put_value(record + SHFLVIZ_RECORD_OFFSET_IN, bytes, lane, made.in);
    put_value(record + SHFLVIZ_RECORD_OFFSET_OUT(bytes), bytes, lane, made.out);
    if (widths_differ)
        reinterpret_cast<short *>(record + SHFLVIZ_RECORD_OFFSET_WIDTH)[lane] = (short)made.width;
    if (lane == leader)
        write_header(header, buffer, made, group, widths_differ);
    __threadfence();
    __syncwarp(group);
    if (lane == leader)
        header->sequence = slot + 1;
}

/* Lanes that an honest mask names have all made the call; they go on together from here. */
static __device__ __forceinline__ void gather(unsigned int members) {
    if (members >> thread_in_block() % 32 & 1)
        __syncwarp(members);
}

template <int which, class T>
static __device__ __forceinline__ void note(const shflviz_site *site, unsigned int members, T value,
                                            int arg, int width, unsigned long long out) {
    gather(members);
    const call made = {site, which, type_of<T>::number, members, arg, width, bits_of(value), out};
    record(made);
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
    note<which>(site, members, value, arg, width, bits_of(result));
    return result;
}

static __device__ __forceinline__ void synchronise(const shflviz_site *site, unsigned int members) {
    __syncwarp(members);
    const call made = {site, OP_SYNC, TYPE_NONE, members, 0, 0, 0, 0};
    record(made);
}

static __device__ __forceinline__ unsigned int query(const shflviz_site *site) {
    unsigned int active = __activemask();
    const call made = {site, OP_ACTIVEMASK, TYPE_UNSIGNED, active, 0, 0, 0, active};
    record(made);
    return active;
}

/* The lanes that happen to be together; it brings none together. */
template <class T> static __device__ __forceinline__ void show(const shflviz_site *site, T value) {
    unsigned long long bits = bits_of(value);
    const call made = {site, OP_WATCH, type_of<T>::number, __activemask(), 0, 0, bits, bits};
    record(made);
}

} // namespace shflviz

#endif
