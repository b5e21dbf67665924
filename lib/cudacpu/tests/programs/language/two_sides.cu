// Functions that have one body for the device and one body for the host: each side gets its own.
#include <cstdio>

#ifdef __CUDA_ARCH__
#define SIDE "device"
#else
#define SIDE "host"
#endif

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}

// A name that the code below uses.
__host__ __device__ inline int bits(unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 200
    const int found = __popc(x);
#else
    int found = 0;
    for (; x; x &= x - 1)
        found++;
    found += 100;
#endif
    return found;
}

namespace some {
template <class T> struct number {
    T value;
    __host__ __device__ explicit number(T x) : value{x}, twice{x + x} {
#ifndef __CUDA_ARCH__
        value += 10;
#endif
    }
    __host__ __device__ T operator()(T x) const {
#ifdef __CUDA_ARCH__
        return value + x;
#else
        return value * x;
#endif
    }
    T twice;
};
constexpr __host__ __device__ int fixed(int x) {
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    return x + 2;
#endif
}
} // namespace some

__host__ __device__ const char *name() {
    return SIDE;
}

__global__ void kernel(int *v) {
    const some::number<int> n(threadIdx.x);
    v[0] = side();
    v[1] = bits(255);
    v[2] = n(5);
    v[3] = some::fixed(v[0]);
    v[4] = name()[0];
#if __CUDA_ARCH__ >= 700
    v[5] = __CUDA_ARCH__ >= 700;
#endif
}

int main() {
    int *v;
    cudaMallocManaged(&v, 6 * sizeof(int));
    kernel<<<1, 1>>>(v);
    cudaDeviceSynchronize();
    const some::number<int> n(0);
    int one = side();
    printf("device %d %d %d %d %c %d\n", v[0], v[1], v[2], v[3], v[4], v[5]);
    printf("host %d %d %d %d %c\n", side(), bits(255), n(5), some::fixed(one), name()[0]);
}
