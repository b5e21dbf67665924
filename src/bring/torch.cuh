/*
 * torch.cuh - the parts of torch that the device side of an extension needs: type names,
 * accessors of tensors, ATen's shuffles. The host side is left out.
 */
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#define C10_WARP_SIZE                 32
#define C10_HOST_DEVICE               __host__ __device__
#define C10_DEVICE                    __device__
#define C10_LAUNCH_BOUNDS_1(a)        __launch_bounds__(a)
#define C10_LAUNCH_BOUNDS_2(a, b)     __launch_bounds__(a, b)
#define C10_RESTRICT                  __restrict__
#define TORCH_CHECK(...)              ((void)0)
#define AT_ERROR(...)                 ((void)0)
#define CUDA_KERNEL_ASSERT(condition) ((void)0)
#define CUDA_KERNEL_LOOP_TYPE(i, n, type)                                                          \
    for (type i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_KERNEL_LOOP(i, n)    CUDA_KERNEL_LOOP_TYPE(i, n, int)
#define CUDA_1D_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

template <class T>
__device__ __forceinline__ T WARP_SHFL(T value, int lane, int width = 32, unsigned mask = ~0u) {
    return __shfl_sync(mask, value, lane, width);
}
template <class T>
__device__ __forceinline__ T WARP_SHFL_UP(T value, unsigned delta, int width = 32,
                                          unsigned mask = ~0u) {
    return __shfl_up_sync(mask, value, delta, width);
}
template <class T>
__device__ __forceinline__ T WARP_SHFL_DOWN(T value, unsigned delta, int width = 32,
                                            unsigned mask = ~0u) {
    return __shfl_down_sync(mask, value, delta, width);
}
template <class T>
__device__ __forceinline__ T WARP_SHFL_XOR(T value, int laneMask, int width = 32,
                                           unsigned mask = ~0u) {
    return __shfl_xor_sync(mask, value, laneMask, width);
}
static __device__ __forceinline__ unsigned WARP_BALLOT(int predicate, unsigned mask = ~0u) {
    return __ballot_sync(mask, predicate);
}

namespace c10 {
using Half = __half;
using BFloat16 = __nv_bfloat16;
} // namespace c10

namespace at {
using Half = __half;
using BFloat16 = __nv_bfloat16;
template <class T, bool> struct shflviz_acc { using type = T; };
template <> struct shflviz_acc<__half, true> { using type = float; };
template <> struct shflviz_acc<__nv_bfloat16, true> { using type = float; };
template <class T, bool is_cuda = true> using acc_type = typename shflviz_acc<T, is_cuda>::type;
template <class T> using opmath_type = typename shflviz_acc<T, true>::type;

template <class T> struct RestrictPtrTraits { using PtrType = T *__restrict__; };
template <class T> struct DefaultPtrTraits { using PtrType = T *; };

/* An accessor of rows of 64 values, with any number of dimensions. */
template <class T, int N> struct shflviz_accessor {
    T *data;
    __host__ __device__ auto operator[](long long i) const {
        return shflviz_accessor<T, N - 1>{data + i * (N > 3 ? 64 : 64)};
    }
    __host__ __device__ int64_t size(int) const { return 64; }
    __host__ __device__ int64_t stride(int dimension) const { return dimension == N - 1 ? 1 : 64; }
};
template <class T> struct shflviz_accessor<T, 1> {
    T *data;
    __host__ __device__ T &operator[](long long i) const { return data[i]; }
    __host__ __device__ int64_t size(int) const { return 64; }
    __host__ __device__ int64_t stride(int) const { return 1; }
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
          class Index = int32_t>
struct shflviz_packed : shflviz_accessor<T, static_cast<int>(N)> {
    using shflviz_element = T;
    shflviz_packed() = default;
    shflviz_packed(T *at, size_t) { this->data = at; }
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = shflviz_packed<T, N, Traits>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = shflviz_packed<T, N, Traits>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
          class Index = int64_t>
using PackedTensorAccessor = shflviz_packed<T, N, Traits>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits,
          class Index = int64_t>
using GenericPackedTensorAccessor = shflviz_packed<T, N, Traits>;
} // namespace at

namespace torch {
using at::BFloat16;
using at::DefaultPtrTraits;
using at::GenericPackedTensorAccessor;
using at::Half;
using at::PackedTensorAccessor;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::RestrictPtrTraits;
} // namespace torch
