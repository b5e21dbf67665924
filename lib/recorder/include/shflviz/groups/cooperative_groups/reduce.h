/*
 * reduce.h - cg::reduce of tiles and coalesced groups; see cooperative_groups.h.
 *
 * As in the toolkit: one instruction for 32-bit integers in a tile of 16 or 32 lanes and in a
 * coalesced group (compute capability 8.0 and later), else several shuffles, which in a tile are a
 * butterfly. All of it is recorded at the calling line. In a tile all lanes must be there.
 */
#ifndef SHFLVIZ_COOPERATIVE_GROUPS_REDUCE_H
#define SHFLVIZ_COOPERATIVE_GROUPS_REDUCE_H

#include <cooperative_groups.h>

CUDACPU_DEVICE_BEGIN

namespace cooperative_groups {

#define SHFLVIZ_GROUP_OPERATION(name, expression)                                                  \
    template <class T> struct name {                                                               \
        SHFLVIZ_GROUP_INLINE T operator()(T a, T b) const { return expression; }                   \
    };
SHFLVIZ_GROUP_OPERATION(plus, a + b)
SHFLVIZ_GROUP_OPERATION(less, b < a ? b : a)
SHFLVIZ_GROUP_OPERATION(greater, a < b ? b : a)
SHFLVIZ_GROUP_OPERATION(bit_and, a &b)
SHFLVIZ_GROUP_OPERATION(bit_or, a | b)
SHFLVIZ_GROUP_OPERATION(bit_xor, a ^ b)
#undef SHFLVIZ_GROUP_OPERATION

namespace shflviz_details {

/* The instruction for an operation, if there is one. */
template <class Operation> struct instruction { static constexpr bool known = false; };
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define SHFLVIZ_GROUP_INSTRUCTION(operation, T, name)                                              \
    template <> struct instruction<operation<T>> {                                                 \
        static constexpr bool known = true;                                                        \
        SHFLVIZ_GROUP_INLINE static T run(const shflviz_site *site, unsigned int mask, T value) {  \
            return (T)shflviz::name;                                                               \
        }                                                                                          \
    };
#define SHFLVIZ_GROUP_INSTRUCTIONS(T)                                                              \
    SHFLVIZ_GROUP_INSTRUCTION(plus, T, reduce_add(site, mask, value))                              \
    SHFLVIZ_GROUP_INSTRUCTION(less, T, reduce_min(site, mask, value))                              \
    SHFLVIZ_GROUP_INSTRUCTION(greater, T, reduce_max(site, mask, value))                           \
    SHFLVIZ_GROUP_INSTRUCTION(bit_and, T, reduce_and(site, mask, (unsigned int)value))             \
    SHFLVIZ_GROUP_INSTRUCTION(bit_or, T, reduce_or(site, mask, (unsigned int)value))               \
    SHFLVIZ_GROUP_INSTRUCTION(bit_xor, T, reduce_xor(site, mask, (unsigned int)value))
SHFLVIZ_GROUP_INSTRUCTIONS(int)
SHFLVIZ_GROUP_INSTRUCTIONS(unsigned int)
#undef SHFLVIZ_GROUP_INSTRUCTIONS
#undef SHFLVIZ_GROUP_INSTRUCTION
#endif

} // namespace shflviz_details

template <unsigned int Size, class Parent, class T, class Operation>
static SHFLVIZ_GROUP_INLINE T reduce(const thread_block_tile<Size, Parent> &tile, T value,
                                     Operation operation,
                                     shflviz_details::caller at = shflviz_details::here()) {
    if constexpr (Size > 32) {
        return tile.shflviz_reduce(value, operation, at);
    } else if constexpr (Size >= 16 && shflviz_details::instruction<Operation>::known) {
        SHFLVIZ_GROUP_SITE(at, "reduce(tile, value, operation)");
        return shflviz_details::instruction<Operation>::run(site, tile.shflviz_members(), value);
    } else {
        for (unsigned int lane_mask = Size / 2; lane_mask > 0; lane_mask /= 2)
            value = operation(tile.shfl_xor(value, lane_mask, at), value);
        return value;
    }
}

/* Without an instruction, values are folded down to rank 0, which then broadcasts the result. */
template <class T, class Operation>
static SHFLVIZ_GROUP_INLINE T reduce(const coalesced_group &group, T value, Operation operation,
                                     shflviz_details::caller at = shflviz_details::here()) {
    if constexpr (shflviz_details::instruction<Operation>::known) {
        SHFLVIZ_GROUP_SITE(at, "reduce(group, value, operation)");
        return shflviz_details::instruction<Operation>::run(site, group.shflviz_members(), value);
    } else {
        for (unsigned int delta = 16; delta > 0; delta /= 2) {
            T other = group.shfl_down(value, delta, at);
            if (group.thread_rank() + delta < group.num_threads())
                value = operation(value, other);
        }
        return group.shfl(value, 0, at);
    }
}

} // namespace cooperative_groups

CUDACPU_DEVICE_END
#endif
