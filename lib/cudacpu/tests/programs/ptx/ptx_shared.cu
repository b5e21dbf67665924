// 32-bit addresses of every kind of shared variable, in a program whose accesses are recorded.
#include <cstdio>

__device__ int wrong;

__device__ unsigned short_address(const void *pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}

__device__ void put(unsigned address, int value) {
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

__device__ int get(unsigned address) {
    int value;
    asm volatile("ld.shared.s32 %0, [%1+4];" : "=r"(value) : "r"(address - 4) : "memory");
    return value;
}

template <int n> __device__ unsigned of_template() {
    __shared__ int tile[n];
    return short_address(tile);
}

__global__ void kinds() {
    __shared__ int tile[32];
    extern __shared__ int dynamic[];
    const unsigned at[] = {short_address(tile), of_template<32>(), short_address(dynamic)};
    for (int kind = 0; kind < 3; kind++) {
        put(at[kind] + 4 * threadIdx.x, 100 * kind + threadIdx.x);
        __syncthreads();
        if (get(at[kind] + 4 * (threadIdx.x ^ 1)) != 100 * kind + (int)(threadIdx.x ^ 1))
            atomicAdd(&wrong, 1);
        if (__cvta_shared_to_generic(__cvta_generic_to_shared(tile + 3)) != tile + 3)
            atomicAdd(&wrong, 1);
    }
}

int main() {
    int failed, there;
    kinds<<<2, 32, 32 * sizeof(int)>>>();
    failed = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&there, wrong, sizeof there);
    printf("%d wrong, error %d\n", there, failed);
}
