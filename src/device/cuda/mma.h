/*
 * mma.h - nvcuda::wmma for the CPU warp: products of small matrices by all lanes of a warp.
 *
 * CUDA leaves open which lane holds which element of a fragment. Here a matrix's elements, row by
 * row, are dealt out in equal parts: of 16 x 16, lane 0 has elements 0 to 7 of row 0, lane 1 the
 * rest of row 0. Every function is a rendezvous of the warp, recorded as one, where mma_sync()
 * shows the others where its fragments are.
 */
#ifndef SHFLVIZ_CUDA_MMA_H
#define SHFLVIZ_CUDA_MMA_H

#include "shflviz/record.cuh"

#include <type_traits>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

/* What a fragment's elements are kept as. */
template <class T> struct storage { typedef T type; };
template <> struct storage<precision::tf32> { typedef float type; };

/* The shapes there are, of A's type. */
template <int M, int N, int K, class T> struct has_shape {
    static const bool value =
        std::is_same<T, double>::value ? M == 8 && N == 8 && K == 4
        : std::is_same<T, precision::tf32>::value
            ? M == 16 && N == 16 && K == 8
            : K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
};
template <int Rows, int Columns, class T, class Layout> struct shflviz_fragment {
    typedef typename storage<T>::type element_type;
    typedef element_type storage_element_type;
    typedef Layout layout;
    static const int rows = Rows, columns = Columns;
    enum { num_elements = Rows * Columns / 32, num_storage_elements = num_elements };
    element_type x[num_elements];
};
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment;
template <int M, int N, int K, class T, class Layout>
class fragment<matrix_a, M, N, K, T, Layout> : public shflviz_fragment<M, K, T, Layout> {
    static_assert(has_shape<M, N, K, T>::value, "wmma has no such shape for this type here");
};
template <int M, int N, int K, class T, class Layout>
class fragment<matrix_b, M, N, K, T, Layout> : public shflviz_fragment<K, N, T, Layout> {
    static_assert(has_shape<M, N, K, T>::value, "wmma has no such shape for this type here");
};
template <int M, int N, int K, class T>
class fragment<accumulator, M, N, K, T, void> : public shflviz_fragment<M, N, T, void> {};

/* The lane's elements are those from this one on. */
template <class Fragment> static inline int shflviz_first() {
    return (int)cpu_now.lane->index * Fragment::num_elements;
}
static inline void shflviz_meet(const char *file, unsigned line, const char *text) {
    shflviz::synchronise(cpu_site(file, line, text), 0xffffffffu);
}
#define SHFLVIZ_MMA_CALLER                                                                         \
    const char *file = __builtin_FILE(), unsigned line = (unsigned)__builtin_LINE()

template <class Fragment, class T>
static inline auto fill_fragment(Fragment &fragment, const T &value)
    -> decltype(fragment.x, void()) {
    for (auto &element : fragment.x)
        element = (typename Fragment::element_type)value;
}

template <class Fragment, class T>
static inline void shflviz_load(Fragment &fragment, const T *from, unsigned ldm, bool by_row) {
    const int first = shflviz_first<Fragment>();
    for (int i = 0; i < Fragment::num_elements; i++) {
        const size_t row = (first + i) / Fragment::columns,
                     column = (first + i) % Fragment::columns;
        fragment.x[i] = from[by_row ? row * ldm + column : column * ldm + row];
    }
}
template <class Use, int M, int N, int K, class T, class Layout>
static inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to,
                                    const typename storage<T>::type *from, unsigned ldm,
                                    SHFLVIZ_MMA_CALLER) {
    static_assert(!std::is_same<Use, accumulator>::value, "say the layout of an accumulator");
    shflviz_load(to, from, ldm, std::is_same<Layout, row_major>::value);
    shflviz_meet(file, line, "load_matrix_sync(fragment, memory, ldm)");
}
template <int M, int N, int K, class T>
static inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const T *from,
                                    unsigned ldm, layout_t layout, SHFLVIZ_MMA_CALLER) {
    shflviz_load(to, from, ldm, layout == mem_row_major);
    shflviz_meet(file, line, "load_matrix_sync(fragment, memory, ldm, layout)");
}
template <int M, int N, int K, class T>
static inline void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from,
                                     unsigned ldm, layout_t layout, SHFLVIZ_MMA_CALLER) {
    const int first = shflviz_first<fragment<accumulator, M, N, K, T>>();
    for (int i = 0; i < from.num_elements; i++) {
        const size_t row = (first + i) / N, column = (first + i) % N;
        to[layout == mem_row_major ? row * ldm + column : column * ldm + row] = from.x[i];
    }
    shflviz_meet(file, line, "store_matrix_sync(memory, fragment, ldm, layout)");
}

/* The bits that count of a tf32: ten behind the point. */
static inline float __float_to_tf32(float x) {
    if (!(x - x == 0))
        return x;
    return __uint_as_float((__float_as_uint(x) + 0x1000) & ~0x1fffu);
}
template <class T, class Element> static inline auto shflviz_factor(Element x) {
    if constexpr (std::is_same<T, precision::tf32>::value)
        return __uint_as_float(__float_as_uint(x) & ~0x1fffu);
    else if constexpr (std::is_integral<T>::value)
        return (int)x;
    else if constexpr (std::is_same<T, double>::value)
        return x;
    else
        return (float)x;
}
/* Element i of a matrix that all lanes hold together. */
template <class Fragment, class T>
static inline auto shflviz_element(Fragment *const *parts, int i) {
    return shflviz_factor<T>(parts[i / Fragment::num_elements]->x[i % Fragment::num_elements]);
}

/* Sums of integers wrap or, with `saturates`, stay in range; those of others are rounded at the
 * end. */
template <int M, int N, int K, class A, class LayoutA, class LayoutB, class C, class D>
static inline void
mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LayoutA> &a,
         const fragment<matrix_b, M, N, K, A, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool saturates = false, SHFLVIZ_MMA_CALLER) {
    typedef const fragment<matrix_a, M, N, K, A, LayoutA> part_a;
    typedef const fragment<matrix_b, M, N, K, A, LayoutB> part_b;
    typedef std::conditional_t<std::is_integral<A>::value, long long, double> sum_type;
    struct parts {
        part_a *a;
        part_b *b;
    } mine = {&a, &b};
    part_a *all_a[32];
    part_b *all_b[32];
    D result[M * N / 32];
    cpu_now.warp->in64[cpu_now.lane->index] = (uint64_t)(uintptr_t)&mine;
    shflviz_meet(file, line, "mma_sync(d, a, b, c)");
    for (int lane = 0; lane < 32; lane++) {
        const parts *other = (const parts *)(uintptr_t)cpu_now.warp->in64[lane];
        all_a[lane] = other->a;
        all_b[lane] = other->b;
    }
    const int first = shflviz_first<fragment<accumulator, M, N, K, D>>();
    for (int i = 0; i < M * N / 32; i++) {
        const int row = (first + i) / N, column = (first + i) % N;
        sum_type sum = (sum_type)c.x[i];
        for (int k = 0; k < K; k++)
            sum += (sum_type)shflviz_element<part_a, A>(all_a, row * K + k) *
                   (sum_type)shflviz_element<part_b, A>(all_b, k * N + column);
        if (saturates && std::is_integral<A>::value)
            sum = sum < -2147483648ll ? -2147483648ll : sum > 2147483647 ? 2147483647 : sum;
        result[i] = (D)sum;
    }
    shflviz_meet(file, line, "mma_sync(d, a, b, c): done");
    for (int i = 0; i < M * N / 32; i++)
        d.x[i] = result[i];
}
#undef SHFLVIZ_MMA_CALLER

} // namespace wmma
} // namespace nvcuda

#endif
