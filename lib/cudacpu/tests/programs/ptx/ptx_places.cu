// Inline PTX whose meaning does not follow from its text: types of a template, operands with side
// effects, statements that macros make, several on one line. Expected values worked out by hand.
#include "ptx_places.cuh"
#include <cstdio>
__device__ int wrong;
#define IS(what, expected)                                                                         \
    do {                                                                                           \
        auto had = (what);                                                                         \
        decltype(had) want = (decltype(had))(expected);                                            \
        if (!(had == want)) {                                                                      \
            printf("line %d, thread %d: %s\n", __LINE__, threadIdx.x, #what);                      \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)

// Types that depend on a template's arguments: one source text makes several statements.
template <class T> struct pair {
    T low, high;
    typedef T value;
};
template <class T> __device__ T other_lane(T value, int lanes) {
    typename pair<T>::value got;
    static_assert(sizeof(T) == 4, "a word");
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;"
                 : "=r"(reinterpret_cast<unsigned &>(got))
                 : "r"(reinterpret_cast<const unsigned &>(value)), "r"(lanes));
    return got;
}
template <int bytes, class T> __device__ T load(const pair<T> *from) {
    T got;
    if constexpr (bytes == 8)
        asm("ld.global.u64 %0, [%1+%2];" : "=l"(got) : "l"(from), "n"(sizeof(T)));
    else
        asm("ld.global.u32 %0, [%1+%2];" : "=r"(got) : "l"(from), "n"(sizeof(T)));
    return got;
}
template <class F> __device__ auto called(F f) {
    return f(3u) + f(4u);
}

// A macro makes the instruction's name, its types and its statement.
#define BINARY(operation, type, letter, a, b)                                                      \
    ({                                                                                             \
        decltype(a) d_;                                                                            \
        asm(#operation "." #type " %0, %1, %2;" : "=" letter(d_) : letter(a), letter(b));          \
        d_;                                                                                        \
    })
#define TEXT(x)        "mov.u32 %0, " #x ";"
#define READ(name, to) asm volatile("mov.u32 %0, %" #name ";" : "=r"(to))
// clang-format off
#define SWAP(a, b) asm("{ .reg .u32 t; mov.u32 t, %0; mov.u32 %0, %1; mov.u32 %1, t; }" : "+r"(a), "+r"(b))
// clang-format on

__device__ unsigned next_of(unsigned *counter) {
    return (*counter)++;
}

__device__ pair<unsigned> word_pairs[2] = {{1, 2}, {3, 4}};
__device__ pair<unsigned long long> wide_pairs[2] = {{5, 6}, {7, 8}};

__global__ void places() {
    const int lane = threadIdx.x;
    IS(other_lane(lane, 1), lane ^ 1);
    IS(other_lane(lane + 0.5f, 2), (lane ^ 2) + 0.5f);
    IS(other_lane(100u + lane, 4), 100 + (lane ^ 4));
    IS((load<4>(word_pairs + 1)), 4);
    IS((load<8>(wide_pairs)), 6);
    IS(called([](unsigned x) {
           unsigned d;
           asm("mul.lo.u32 %0, %1, 10;" : "=r"(d) : "r"(x));
           return d;
       }),
       70);
    // Each operand is evaluated once, in order.
    unsigned counter = 0, cells[3] = {0, 0, 0}, *at = cells, x, y, z;
    asm("add.u32 %0, %1, %2;" : "=r"(*++at) : "r"(next_of(&counter) * 10), "r"(next_of(&counter)));
    IS(counter, 2);
    IS(at - cells, 1);
    IS(cells[1] == 1 || cells[1] == 10, true);
    asm("add.u32 %0, %0, %1;" : "+r"(*at++) : "r"(100));
    IS(cells[1] == 101 || cells[1] == 110, true);
    IS(at - cells, 2);
    // Macros.
    IS(BINARY(max, s32, "r", -3, 2), 2);
    IS(BINARY(add.rn, f32, "f", 1.5f, 2.0f), 3.5f);
    IS(BINARY(min, f64, "d", 1.5, 2.0), 1.5);
    IS(BINARY(xor, b64, "l", 6ull, 3ull), 5);
    asm(TEXT(42) : "=r"(x));
    IS(x, 42);
    READ(laneid, x);
    READ(ntid.x, y);
    IS(x + y, lane + 32);
    IS(lane_of_header() + 100 * threads_of_header(), lane + 3200);
    ADD_LANE(x);
    IS(x, 2 * lane);
    x = 1, y = 2;
    SWAP(x, y);
    IS(10 * x + y, 21);
    // Several statements on a line, two of them alike.
    // clang-format off
    asm("add.u32 %0, %1, 1;" : "=r"(x) : "r"(7)); asm("add.u32 %0, %1, 1;" : "=r"(y) : "r"(x)); asm("sub.u32 %0, %1, 1;" : "=r"(z) : "r"(y));
    // clang-format on
    IS(x * 100 + y * 10 + z, 898);
    // Outputs of different kinds, some of which are also inputs.
    float f = 2;
    double d;
    unsigned long long w;
    short h = -2;
    asm("{ add.f32 %0, %0, %5; cvt.f64.f32 %1, %0; mov.b64 %2, {%4, 7}; neg.s16 %3, %3; }"
        : "+f"(f), "=d"(d), "=l"(w), "+h"(h)
        : "r"(9), "f"(0.5f));
    IS(f, 2.5f);
    IS(d, 2.5);
    IS(w, 7ull << 32 | 9);
    IS(h, 2);
    // Statements that concern only the compiler.
    asm volatile("" : "+r"(x), "+f"(f), "+l"(w), "+d"(d), "+h"(h)::"memory");
    asm volatile("// nothing");
    IS(x + (unsigned)f + (unsigned)w + (unsigned)d + h, 8 + 2 + 9 + 2 + 2);
}

int main() {
    int there;
    places<<<1, 32>>>();
    int failed = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&there, wrong, sizeof there);
    printf("%d wrong, error %d\n", there, failed);
}
