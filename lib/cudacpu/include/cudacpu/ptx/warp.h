/*
 * ptx/warp.h - inline PTX: special registers, and operations of a warp's lanes and a block's
 * threads. A warp operation is recorded as its intrinsic.
 */
#ifndef SHFLVIZ_CUDA_PTX_WARP_H
#define SHFLVIZ_CUDA_PTX_WARP_H

#include "cudacpu/ptx/memory.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {
namespace ptx {

/* ---- special registers ---- */

SHFLVIZ_PTX u32 sreg_laneid() {
    return cpu_now.lane->index;
}
SHFLVIZ_PTX u32 sreg_lanemask_eq() {
    return cpu_now.lane->bit;
}
SHFLVIZ_PTX u32 sreg_lanemask_lt() {
    return cpu_now.lane->bit - 1;
}
SHFLVIZ_PTX u32 sreg_lanemask_le() {
    return cpu_now.lane->bit | (cpu_now.lane->bit - 1);
}
SHFLVIZ_PTX u32 sreg_lanemask_gt() {
    return ~sreg_lanemask_le();
}
SHFLVIZ_PTX u32 sreg_lanemask_ge() {
    return ~sreg_lanemask_lt();
}
SHFLVIZ_PTX u32 sreg_warpid() {
    return cpu_now.warp->index;
}
/* As in cudaDeviceGetAttribute(): 2048 threads per multiprocessor, 16 multiprocessors. */
SHFLVIZ_PTX u32 sreg_nwarpid() {
    return 64;
}
SHFLVIZ_PTX u32 sreg_nsmid() {
    int count = 0;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return (u32)count;
}
/* Blocks are assigned to the multiprocessors in turn. */
SHFLVIZ_PTX u32 sreg_smid() {
    const u64 rows = blockIdx.y + (u64)gridDim.y * blockIdx.z;
    return (u32)((blockIdx.x + gridDim.x * rows) % sreg_nsmid());
}
SHFLVIZ_PTX u64 sreg_gridid() {
    return 1;
}
SHFLVIZ_PTX u64 sreg_clock64() {
    return (u64)clock64();
}
SHFLVIZ_PTX u32 sreg_clock() {
    return (u32)clock64();
}
SHFLVIZ_PTX u32 sreg_clock_hi() {
    return (u32)((u64)clock64() >> 32);
}
SHFLVIZ_PTX u64 sreg_globaltimer() {
    return (u64)clock64();
}
SHFLVIZ_PTX u32 sreg_globaltimer_lo() {
    return sreg_clock();
}
SHFLVIZ_PTX u32 sreg_globaltimer_hi() {
    return sreg_clock_hi();
}
SHFLVIZ_PTX uint3 sreg_tid() {
    return threadIdx;
}
SHFLVIZ_PTX dim3 sreg_ntid() {
    return blockDim;
}
SHFLVIZ_PTX uint3 sreg_ctaid() {
    return blockIdx;
}
SHFLVIZ_PTX dim3 sreg_nctaid() {
    return gridDim;
}

/* ---- shuffles ---- */

/* A value in a type of the recorder: int, unsigned or float. */
template <class V> SHFLVIZ_PTX auto lane_value(V value) {
    if constexpr (std::is_same<V, float>::value)
        return value;
    else if constexpr (std::is_signed<V>::value)
        return as<int>(value);
    else
        return as<unsigned int>(value);
}

/*
 * Operand c has the clamp in bits 0 to 4 and the segment mask in bits 8 to 12. Operands that
 * the intrinsics would pass for some width make an operation of that width. With any others, a lane
 * reads the one that the clamp yields, which is recorded as an indexed shuffle.
 */
template <int op, bool masked, class V, class B, class C, class M>
SHFLVIZ_PTX auto shuffle(const shflviz_site *site, V value, B b_, C c_, M mask, bool &p) {
    const u32 b = as<u32>(b_), c = as<u32>(c_), clamp = c & 31, segments = c >> 8 & 31;
    const s32 lane = (s32)sreg_laneid(), step = (s32)(b & 31);
    const s32 least = lane & (s32)segments, greatest = least | (s32)(clamp & ~segments);
    const s32 from = op == OP_IDX    ? least | (step & ~(s32)segments)
                     : op == OP_UP   ? lane - step
                     : op == OP_DOWN ? lane + step
                                     : lane ^ step;
    const u32 width = 32 - segments;
    p = op == OP_UP ? from >= greatest : from <= greatest;
    constexpr int old = masked ? 0 : NO_MASK;
    auto own = lane_value(value);
    typedef decltype(own) T;
    if ((width & (width - 1)) == 0 && clamp == (op == OP_UP ? 0 : 31))
        return operation<op | old, T, T>(site, as<u32>(mask), own, (int)b, (int)width);
    return operation<OP_IDX | old, T, T>(site, as<u32>(mask), own, p ? from : lane, 32);
}
#define SHFLVIZ_PTX_SHUFFLE(name, op)                                                              \
    template <class T, class V, class B, class C, class M>                                         \
    SHFLVIZ_PTX auto i_shfl_sync_##name(const shflviz_site *site, V v, B b, C c, M m, bool &p) {   \
        return shuffle<op, true>(site, v, b, c, m, p);                                             \
    }                                                                                              \
    template <class T, class V, class B, class C>                                                  \
    SHFLVIZ_PTX auto i_shfl_##name(const shflviz_site *site, V v, B b, C c, bool &p) {             \
        return shuffle<op, false>(site, v, b, c, 0u, p);                                           \
    }
SHFLVIZ_PTX_SHUFFLE(idx, OP_IDX)
SHFLVIZ_PTX_SHUFFLE(up, OP_UP)
SHFLVIZ_PTX_SHUFFLE(down, OP_DOWN)
SHFLVIZ_PTX_SHUFFLE(bfly, OP_XOR)
#undef SHFLVIZ_PTX_SHUFFLE

/* ---- votes, matches, reductions ---- */

#define SHFLVIZ_PTX_VOTE(name, R, expression)                                                      \
    template <class T, class M>                                                                    \
    SHFLVIZ_PTX R i_vote_sync_##name(const shflviz_site *site, bool p, M mask_) {                  \
        const u32 mask = as<u32>(mask_);                                                           \
        return (expression);                                                                       \
    }
SHFLVIZ_PTX_VOTE(all, bool, ::shflviz::all(site, mask, p) != 0)
SHFLVIZ_PTX_VOTE(any, bool, ::shflviz::any(site, mask, p) != 0)
SHFLVIZ_PTX_VOTE(uni, bool, ::shflviz::all(site, mask, p) != 0 | ::shflviz::any(site, mask, p) == 0)
SHFLVIZ_PTX_VOTE(ballot, u32, ::shflviz::ballot(site, mask, p))
#undef SHFLVIZ_PTX_VOTE
template <class T> SHFLVIZ_PTX bool i_vote_all(const shflviz_site *site, bool p) {
    return old_vote<OP_ALL, int>(site, p) != 0;
}
template <class T> SHFLVIZ_PTX bool i_vote_any(const shflviz_site *site, bool p) {
    return old_vote<OP_ANY, int>(site, p) != 0;
}
template <class T> SHFLVIZ_PTX u32 i_vote_ballot(const shflviz_site *site, bool p) {
    return old_vote<OP_BALLOT, unsigned int>(site, p);
}

/* Bits are matched, whatever the type. */
template <class T, class V, class M>
SHFLVIZ_PTX u32 i_match_any_sync(const shflviz_site *site, V value, M mask) {
    return match_any(site, as<u32>(mask), as<T>(value));
}
template <class T, class V, class M>
SHFLVIZ_PTX u32 i_match_all_sync(const shflviz_site *site, V value, M mask, bool &p) {
    int all_match = 0;
    const u32 lanes = match_all(site, as<u32>(mask), as<T>(value), &all_match);
    p = all_match != 0;
    return lanes;
}

#define SHFLVIZ_PTX_REDUX(name)                                                                    \
    template <class T, class V, class M>                                                           \
    SHFLVIZ_PTX T i_redux_sync_##name(const shflviz_site *site, V value, M mask) {                 \
        return reduce_##name(site, as<u32>(mask), as<T>(value));                                   \
    }
SHFLVIZ_PTX_REDUX(add)
SHFLVIZ_PTX_REDUX(min)
SHFLVIZ_PTX_REDUX(max)
SHFLVIZ_PTX_REDUX(and)
SHFLVIZ_PTX_REDUX(or)
SHFLVIZ_PTX_REDUX(xor)
#undef SHFLVIZ_PTX_REDUX

template <class T> SHFLVIZ_PTX u32 i_activemask(const shflviz_site *site) {
    return activemask(site);
}
template <class M> SHFLVIZ_PTX int i_bar_warp_sync(const shflviz_site *site, M mask) {
    synchronise(site, as<u32>(mask));
    return 0;
}

/* ---- barriers: the block's own, of number 0, and those of some of its warps ---- */

template <class N, class C>
SHFLVIZ_PTX void block_barrier(const shflviz_site *site, N number, C count, bool waits) {
    const u32 threads = blockDim.x * blockDim.y * blockDim.z, all = (threads + 31) / 32 * 32;
    const u32 wanted = count ? as<u32>(count) : all;
    if (waits && as<u32>(number) == 0 && wanted == all)
        cpu_block_barrier(site, 0);
    else
        cpu_barrier_arrive_named(site, as<u32>(number), wanted, waits);
}
#define SHFLVIZ_PTX_BARRIER(name, waits)                                                           \
    template <class N> SHFLVIZ_PTX int name(const shflviz_site *site, N number) {                  \
        block_barrier(site, number, 0, waits);                                                     \
        return 0;                                                                                  \
    }                                                                                              \
    template <class N, class C>                                                                    \
    SHFLVIZ_PTX int name(const shflviz_site *site, N number, C count) {                            \
        block_barrier(site, number, count, waits);                                                 \
        return 0;                                                                                  \
    }
SHFLVIZ_PTX_BARRIER(i_bar_sync, true)
SHFLVIZ_PTX_BARRIER(i_barrier_sync, true)
SHFLVIZ_PTX_BARRIER(i_bar_arrive, false)
SHFLVIZ_PTX_BARRIER(i_barrier_arrive, false)
#undef SHFLVIZ_PTX_BARRIER
#define SHFLVIZ_PTX_BARRIER(name, R, expression)                                                   \
    template <class T, class N> SHFLVIZ_PTX R name(const shflviz_site *site, N, bool p) {          \
        cpu_block_barrier(site, p);                                                                \
        return (R)(expression);                                                                    \
    }
SHFLVIZ_PTX_BARRIER(i_bar_red_popc, u32, cpu_block_barrier_result())
SHFLVIZ_PTX_BARRIER(i_bar_red_and, bool, cpu_block_barrier_result() == cpu_block_barrier_threads())
SHFLVIZ_PTX_BARRIER(i_bar_red_or, bool, cpu_block_barrier_result() != 0)
SHFLVIZ_PTX_BARRIER(i_barrier_red_popc, u32, cpu_block_barrier_result())
SHFLVIZ_PTX_BARRIER(i_barrier_red_and, bool,
                    cpu_block_barrier_result() == cpu_block_barrier_threads())
SHFLVIZ_PTX_BARRIER(i_barrier_red_or, bool, cpu_block_barrier_result() != 0)
#undef SHFLVIZ_PTX_BARRIER

/* ---- a thread alone ---- */

template <class T, class N> SHFLVIZ_PTX int i_nanosleep(N) {
    cpu_yield(0);
    return 0;
}
SHFLVIZ_PTX int i_trap() {
    cpu_trap();
    return 0;
}
SHFLVIZ_PTX int i_brkpt() {
    cpu_trap();
    return 0;
}
SHFLVIZ_PTX int i_exit() {
    cpu_exit();
    return 0;
}

} // namespace ptx
} // namespace shflviz

CUDACPU_DEVICE_END
#endif
