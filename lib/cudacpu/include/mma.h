/*
 * mma.h - nvcuda::wmma for the CPU warp: products of small matrices by all lanes of a warp.
 *
 * CUDA leaves open which lane holds which element of a fragment. Here the layout is that of an H100
 * and an H200 (measured by tests/gpu/fragments.cu, kept in conformance/data/wmma.csv), including
 * the number of elements: each of A's or B's is held twice where 16 elements are more than a lane's
 * share. Every function except fill_fragment() is a rendezvous of the warp, recorded as one with
 * the registers of all lanes; in it each lane passes the others its fragments' addresses.
 */
#ifndef SHFLVIZ_CUDA_MMA_H
#define SHFLVIZ_CUDA_MMA_H

#include "cudacpu/matrix.h"
#include "cudacpu/together.h"

#include <type_traits>

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

struct __half; /* cuda_fp16.h, cuda_bf16.h */
struct __nv_bfloat16;

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

/* The storage type of a fragment's elements. */
template <class T> struct storage { typedef T type; };
template <> struct storage<precision::tf32> { typedef float type; };

/* The supported shapes, by A's type. */
template <int M, int N, int K, class T> struct has_shape {
    static const bool value =
        std::is_same<T, double>::value ? M == 8 && N == 8 && K == 4
        : std::is_same<T, precision::tf32>::value
            ? M == 16 && N == 16 && K == 8
            : K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
};
/* Types smaller than a byte are declared, since CUTLASS names them on every architecture, but
 * refused where a fragment of them is made or bmma_sync() is called. */
namespace experimental {
namespace precision {
struct b1;
struct s4;
struct u4;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
template <class D, class A, class B, class C>
__attribute__((error("bmma_sync() on single bits is not available on the CPU warp"))) void
bmma_sync(D &d, const A &a, const B &b, const C &c,
          experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);

/* Cells of a matrix, as row-major indexes. */
struct shflviz_cells {
    unsigned short of[512]; /* lane by lane, without the elements that are held twice */
};

/*
 * A quad of lanes shares one row of A or C, or one column of B or of a C that is 8 by 32. That
 * row's or column's number is "across", the position within it "along". The bits of an element's
 * number, from the lowest on, give its place among `Neighbours` along, then alternately a step
 * across (of 8 at first) and a step along, as long as the matrix extends in that dimension; in a B
 * of 16 columns the step along comes first.
 */
template <int Rows, int Columns, int Neighbours, bool ByColumns, bool AlongFirst>
constexpr int shflviz_cell(int lane, int element) {
    const int across_size = ByColumns ? Columns : Rows, along_size = ByColumns ? Rows : Columns;
    int across = lane / 4, along = lane % 4 * Neighbours + element % Neighbours;
    int across_step = 8, along_step = 4 * Neighbours;
    bool goes_along = AlongFirst;
    for (element /= Neighbours; across_step < across_size || along_step < along_size;
         element /= 2) {
        goes_along = across_step >= across_size || (goes_along && along_step < along_size);
        (goes_along ? along : across) += element % 2 * (goes_along ? along_step : across_step);
        (goes_along ? along_step : across_step) *= 2;
        goes_along = !goes_along;
    }
    return ByColumns ? along * Columns + across : across * Columns + along;
}

template <class Use, int Rows, int Columns, class T, class Layout> struct shflviz_fragment {
    typedef typename storage<T>::type element_type;
    typedef element_type storage_element_type;
    typedef Layout layout;
    static const bool is_sum = std::is_same<Use, accumulator>::value,
                      is_b = std::is_same<Use, matrix_b>::value;
    static const int rows = Rows, columns = Columns, share = Rows * Columns / 32;
    enum {
        num_elements = !is_sum && std::is_same<T, __half>::value ? 16 : share,
        num_storage_elements = num_elements
    };
    element_type x[num_elements];

    static constexpr int shflviz_at(int lane, int element) {
        return shflviz_cell < Rows, Columns,
               is_sum                     ? 2
               : sizeof(element_type) < 4 ? 4 / sizeof(element_type)
                                          : 1,
               is_b || (is_sum && Columns == 32), is_b && Columns == 16 > (lane, element);
    }
    static constexpr shflviz_cells shflviz_all() {
        shflviz_cells cells = {};
        for (int i = 0; i < 32 * share; i++)
            cells.of[i] = (unsigned short)shflviz_at(i / share, i % share);
        return cells;
    }
    static constexpr shflviz_cells cells = shflviz_all();
};
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment;
template <int M, int N, int K, class T, class Layout>
class fragment<matrix_a, M, N, K, T, Layout> : public shflviz_fragment<matrix_a, M, K, T, Layout> {
    static_assert(has_shape<M, N, K, T>::value, "wmma does not have this shape for this type here");
};
template <int M, int N, int K, class T, class Layout>
class fragment<matrix_b, M, N, K, T, Layout> : public shflviz_fragment<matrix_b, K, N, T, Layout> {
    static_assert(has_shape<M, N, K, T>::value, "wmma does not have this shape for this type here");
};
template <int M, int N, int K, class T>
class fragment<accumulator, M, N, K, T, void>
    : public shflviz_fragment<accumulator, M, N, T, void> {};

/* The positions of this lane's elements in memory whose rows or columns are `ldm` elements apart. A
 * cell's position is the sum of two: that of the lane's first element, and that of the same element
 * in lane 0. */
template <class Fragment> struct shflviz_places {
    const unsigned ldm;
    const bool by_row;
    size_t first;

    shflviz_places(unsigned ldm_, bool by_row_) : ldm(ldm_), by_row(by_row_) {
        first = position(Fragment::cells.of[cpu_now.lane->index * Fragment::share]);
    }
    size_t position(unsigned cell) const {
        const size_t row = cell / Fragment::columns, column = cell % Fragment::columns;
        return by_row ? row * ldm + column : column * ldm + row;
    }
    size_t operator[](int element) const {
        return first + position(Fragment::cells.of[element % Fragment::share]);
    }
};
#define SHFLVIZ_MMA_CALLER                                                                         \
    const char *file = __builtin_FILE(), unsigned line = (unsigned)__builtin_LINE()

/* A type for cpu_multiply(). */
template <class T> static inline constexpr cpu_number shflviz_number() {
    if constexpr (std::is_same<T, __half>::value)
        return CPU_NUMBER_HALF;
    else if constexpr (std::is_same<T, precision::tf32>::value)
        return CPU_NUMBER_TF32;
    else if constexpr (std::is_same<T, float>::value)
        return CPU_NUMBER_FLOAT;
    else if constexpr (std::is_same<T, double>::value)
        return CPU_NUMBER_DOUBLE;
    else if constexpr (std::is_same<T, signed char>::value || std::is_same<T, char>::value)
        return CPU_NUMBER_SIGNED_CHAR;
    else if constexpr (std::is_same<T, unsigned char>::value)
        return CPU_NUMBER_UNSIGNED_CHAR;
    else if constexpr (std::is_same<T, int>::value)
        return CPU_NUMBER_INT;
    else
        return CPU_NUMBER_BFLOAT;
}

/* The rendezvous of a load or a store. The first lane to continue records the fragments of all;
 * `words` are those of the instruction's name in PTX. */
template <class Use, int M, int N, int K, class T, class Layout>
static inline void shflviz_moved(const shflviz_site *site, const char *words,
                                 const fragment<Use, M, N, K, T, Layout> &fragment) {
    const cpu_product_part mine = {fragment.x, nullptr, nullptr, nullptr}, *parts[32];
    if (!shflviz::together(site, &mine, parts))
        return;
    const cpu_wmma_move move = {words, M, N, K, shflviz_number<T>(), fragment.share};
    cpu_wmma_moved(&move, parts);
}

template <class Fragment, class T>
static inline auto fill_fragment(Fragment &fragment, const T &value)
    -> decltype(fragment.x, void()) {
    for (auto &element : fragment.x)
        element = (typename Fragment::element_type)value;
}

template <class Fragment, class T>
static inline void shflviz_load(Fragment &fragment, const T *from, unsigned ldm, bool by_row) {
    const shflviz_places<Fragment> places(ldm, by_row);
    for (int i = 0; i < Fragment::num_elements; i++)
        fragment.x[i] = from[places[i]];
}
template <class Use, int M, int N, int K, class T, class Layout>
static inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to,
                                    const typename storage<T>::type *from, unsigned ldm,
                                    SHFLVIZ_MMA_CALLER) {
    static_assert(!std::is_same<Use, accumulator>::value, "an accumulator needs a layout");
    const bool by_row = std::is_same<Layout, row_major>::value;
    shflviz_load(to, from, ldm, by_row);
    shflviz_moved(cpu_site(file, line, "load_matrix_sync(fragment, memory, ldm)"),
                  std::is_same<Use, matrix_a>::value ? by_row ? "load.a.row" : "load.a.col"
                  : by_row                           ? "load.b.row"
                                                     : "load.b.col",
                  to);
}
template <int M, int N, int K, class T>
static inline void load_matrix_sync(fragment<accumulator, M, N, K, T> &to, const T *from,
                                    unsigned ldm, layout_t layout, SHFLVIZ_MMA_CALLER) {
    shflviz_load(to, from, ldm, layout == mem_row_major);
    shflviz_moved(cpu_site(file, line, "load_matrix_sync(fragment, memory, ldm, layout)"),
                  layout == mem_row_major ? "load.c.row" : "load.c.col", to);
}
template <int M, int N, int K, class T>
static inline void store_matrix_sync(T *to, const fragment<accumulator, M, N, K, T> &from,
                                     unsigned ldm, layout_t layout, SHFLVIZ_MMA_CALLER) {
    const shflviz_places<fragment<accumulator, M, N, K, T>> places(ldm, layout == mem_row_major);
    for (int i = 0; i < from.num_elements; i++)
        to[places[i]] = from.x[i];
    shflviz_moved(cpu_site(file, line, "store_matrix_sync(memory, fragment, ldm, layout)"),
                  layout == mem_row_major ? "store.d.row" : "store.d.col", from);
}

/* The significant bits of a tf32: ten after the point. */
static inline float __float_to_tf32(float x) {
    if (!(x - x == 0))
        return x;
    return __uint_as_float((__float_as_uint(x) + 0x1000) & ~0x1fffu);
}
/* Sums of integers wrap or, with `saturates`, are clamped; other sums are rounded at the end. The
 * first lane to continue after the rendezvous computes them for all. */
template <int M, int N, int K, class A, class LayoutA, class LayoutB, class C, class D>
static inline void
mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LayoutA> &a,
         const fragment<matrix_b, M, N, K, A, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool saturates = false, SHFLVIZ_MMA_CALLER) {
    static_assert(shflviz_number<A>() != CPU_NUMBER_BFLOAT || std::is_same<A, __nv_bfloat16>::value,
                  "wmma does not have this type here");
    const cpu_product_part mine = {a.x, b.x, c.x, d.x}, *parts[32];
    if (!shflviz::together(cpu_site(file, line, "mma_sync(d, a, b, c)"), &mine, parts))
        return;
    const cpu_product product = {M,
                                 N,
                                 K,
                                 shflviz_number<A>(),
                                 shflviz_number<C>(),
                                 shflviz_number<D>(),
                                 saturates,
                                 fragment<matrix_a, M, N, K, A, LayoutA>::cells.of,
                                 fragment<matrix_b, M, N, K, A, LayoutB>::cells.of,
                                 fragment<accumulator, M, N, K, C>::cells.of};
    const bool a_row = std::is_same<LayoutA, row_major>::value,
               b_row = std::is_same<LayoutB, row_major>::value;
    cpu_wmma(&product,
             a_row   ? b_row ? "row.row" : "row.col"
             : b_row ? "col.row"
                     : "col.col",
             parts);
}
#undef SHFLVIZ_MMA_CALLER

} // namespace wmma
} // namespace nvcuda

CUDACPU_DEVICE_END
#endif
