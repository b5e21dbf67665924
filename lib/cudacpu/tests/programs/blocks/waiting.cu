// Blocks, warps and lanes that wait for each other through memory.
#include <cstdio>
__device__ unsigned int arrived, tickets, lock_word;
__device__ volatile int flags[64];
__device__ int counter, last_sum;

// A hand-made barrier of all blocks.
__global__ void grid_barrier(int *v) {
    v[blockIdx.x] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x)
            ;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        v[64 + blockIdx.x] = v[(blockIdx.x + 1) % gridDim.x];
}
// The last block to arrive computes the sum.
__global__ void last_block(const int *v) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; i++)
            last_sum += v[64 + i];
}
// Each block waits for the next one; they begin in reverse order.
__global__ void chain() {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (flags[blockIdx.x + 1] == 0)
                ;
        flags[blockIdx.x] = blockIdx.x + 1 < gridDim.x ? flags[blockIdx.x + 1] + 1 : 1;
    }
}
// A lock that every thread takes once.
__global__ void locked() {
    for (bool done = false; !done;)
        if (atomicCAS(&lock_word, 0, 1) == 0) {
            counter = counter + 1;
            __threadfence();
            atomicExch(&lock_word, 0);
            done = true;
        }
}
// Warp 1 does what warp 0 waits for, and lane 3 does what lane 2 waits for.
__global__ void warps(int *v) {
    __shared__ volatile int a;
    __shared__ int b;
    if (threadIdx.x == 0)
        a = b = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        while (a == 0)
            ;
        if (threadIdx.x == 2)
            while (atomicAdd(&b, 0) == 0)
                __nanosleep(100);
        if (threadIdx.x == 3)
            atomicExch(&b, 5);
        v[threadIdx.x] = a;
    } else if (threadIdx.x == 40) {
        a = 8;
    }
}
int main() {
    int *v, wrong = 0;
    cudaMallocManaged(&v, 1024);
    grid_barrier<<<64, 96>>>(v);
    last_block<<<64, 32>>>(v);
    chain<<<64, 32>>>();
    locked<<<8, 64>>>();
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++)
        wrong += v[64 + i] != (i + 1) % 64;
    int sum, first, count;
    cudaMemcpyFromSymbol(&sum, last_sum, sizeof sum);
    cudaMemcpyFromSymbol(&first, flags, sizeof first);
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    printf("%d wrong, %d, %d, %d\n", wrong, sum, first, count);
    warps<<<1, 64>>>(v);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d %d\n", cudaGetErrorName(error), v[0], v[31]);
}
