// The statements of the lessons, docs/PITFALLS.md and docs/CHECK.md about which code compiles.
// check_claims.sh compiles this file: a line that ends in "// refused" must be an error, and no
// other line may be. With the marked lines removed the file must compile. Sections that only a CUDA
// Toolkit can compile are between #ifdef NVCC and #endif.
#include <cstdio>
#include <cuda_fp16.h>
#ifdef NVCC
#include <cuda/warp>
#endif

#define ALL 0xffffffffu

enum plain { one, two };
enum class scoped { one, two };
struct pair {
    int first, second;
};
struct members {
    double x;
    int i;
    bool b;
    float *p;
};

// broadcast/print: printf works in a __device__ function, too.
__device__ void show(int got) {
    printf("%d\n", got);
}

// types/struct: a bool, a char and a plain enum become an int; a pointer, a struct and an enum
// class are refused.
__device__ void overloads(bool b, char c, plain e, scoped s, float *p, pair q) {
    show(__shfl_xor_sync(ALL, b, 1));
    show(__shfl_xor_sync(ALL, c, 1));
    show(__shfl_xor_sync(ALL, e, 1));
    show(sizeof(__shfl_xor_sync(ALL, e, 1)) == sizeof(int));
    __shfl_xor_sync(ALL, s, 1); // refused
    __shfl_xor_sync(ALL, p, 1); // refused
    __shfl_xor_sync(ALL, q, 1); // refused
    show(__shfl_xor_sync(ALL, static_cast<int>(s), 1));
    show(__shfl_xor_sync(ALL, reinterpret_cast<unsigned long long>(p), 1) == 0);
}

// reduce-sync/types: add, min and max have two overloads, neither of which fits 64 bits, a float or
// a half better than the other.
__device__ void ambiguous(unsigned long long u, float f, __half h) {
    __reduce_add_sync(ALL, u); // refused
    __reduce_min_sync(ALL, u); // refused
    __reduce_max_sync(ALL, f); // refused
    __reduce_add_sync(ALL, f); // refused
    __reduce_add_sync(ALL, h); // refused
}

// reduce-sync/types: and, or and xor have one overload, to which nearly everything converts.
__device__ void narrowed(unsigned long long u, float f, double d) {
    show(__reduce_or_sync(ALL, u));
    show(__reduce_and_sync(ALL, f));
    show(__reduce_xor_sync(ALL, d));
}

// forgotten-mask: without the mask the arguments move up by one, and the call still compiles.
__device__ void forgotten(int value) {
    show(__shfl_down_sync(value, 16, 32));
    show(__shfl_sync(value, 5, 16));
}

#ifdef NVCC
// types/call, src-wraps/lanes: CCCL's wrappers take structs and report whether the source was in
// range; they refuse all pointers but void *.
__device__ void wrappers(members m, void *v, scoped s, int lane) {
    show(cuda::device::warp_shuffle_xor(m, 1).data.i);
    show(cuda::device::warp_shuffle_idx(m, lane).pred);
    show(cuda::device::warp_shuffle_up(m, 1).pred);
    show(cuda::device::warp_shuffle_xor(v, 1).pred);
    show(cuda::device::warp_shuffle_down(s, 1).pred);
}
__device__ void wrapped_pointers(float *p) {
    show(cuda::device::warp_shuffle_xor(p, 1).pred); // refused
    show(cuda::device::warp_shuffle_idx(p, 1).pred); // refused
}
#endif

__global__ void kernel(int value) {
    show(value);
}

int main() {
    kernel<<<1, 32>>>(1);
    return cudaDeviceSynchronize();
}
