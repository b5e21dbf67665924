// A warp hands data to another, using __syncwarp(), fences and a flag in shared memory.
#include <cuda_runtime.h>
__global__ void hand(int *v) {
    __shared__ int data[32];
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = v[lane];
        __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            atomicExch(&flag, 1);
        }
    } else {
        if (lane == 0) {
            while (atomicAdd(&flag, 0) == 0)
                ;
            __threadfence_block();
        }
        __syncwarp();
        v[32 + lane] = data[31 - lane];
    }
}
int main() {
    int *v;
    cudaMalloc(&v, 256);
    cudaMemset(v, 0, 256);
    hand<<<1, 64>>>(v);
    return cudaDeviceSynchronize();
}
