// Code that nvcc accepts and a strict compiler refuses: a macro that expands to a pragma, a
// dependent type without typename, an initialized floating-point member, a return without a value,
// a PTX statement that writes an input's register. Also groups used as their base class.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

#ifdef __CUDA_ARCH__
#define UNROLL #pragma unroll
#else
#define UNROLL
#endif
template <class T> struct Table {
    using mapped = T;
    static const T zero = static_cast<T>(0);
    __device__ mapped find(int i);
};
// clang-format off
template <class T> __device__ Table<T>::mapped Table<T>::find(int i) { return T(i) + zero; }
// clang-format on

__device__ unsigned size_of(cg::thread_group &group) {
    group.sync();
    return group.size() * 1000 + group.thread_rank();
}
__device__ unsigned rank_in(cg::thread_group group) {
    return group.thread_rank();
}
__global__ void k(int *value) {
    float sum = 0;
    UNROLL
    for (int i = 0; i < 4; i++)
        sum += Table<float>().find(i);
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    const unsigned of_block = size_of(block), of_tile = size_of(tile);
    if (threadIdx.x % 2)
        return;
    cg::coalesced_group together = cg::coalesced_threads();
    const unsigned of_lanes = size_of(together);
    if (threadIdx.x != 30)
        return;
    int old = 0;
    asm volatile("ld.global.u32 %1, [%0];\n\tadd.u32 %1, %1, 1;\n\tst.global.u32 [%0], %1;\n\t"
                 :
                 : "l"(value), "r"(old)
                 : "memory");
    printf("%g %u %u %u %u\n", sum, of_block, of_tile, of_lanes, rank_in(tile));
}
int main(int count, char **) {
    if (count > 5)
        return;
    int *value;
    cudaMallocManaged(&value, sizeof *value);
    *value = 4;
    k<<<1, 64>>>(value);
    cudaDeviceSynchronize();
    printf("%d\n", *value);
    return 0;
}
