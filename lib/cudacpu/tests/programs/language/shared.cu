// Every kind of access to shared memory: vectors, a template's variable, dynamic shared memory,
// atomic operations, a lock, volatile, small and large elements, lanes that diverge.
// run: --memory-accesses
#include <cstdio>
#include <cuda_runtime.h>

template <class T, int N> __global__ void sum(T *out) {
    __shared__ T part[N];
    int t = threadIdx.x;
    part[t] = t;
    __syncthreads();
    for (int half = N / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        *out = part[0];
}

__global__ void vectors(float4 *out) {
    __shared__ float4 quads[32];
    extern __shared__ double dynamic[];
    int t = threadIdx.x;
    quads[t] = make_float4(t, t + 0.25f, t + 0.5f, t + 0.75f);
    dynamic[t] = 2 * t;
    __syncwarp();
    float4 quad = quads[31 - t];
    quad.x += dynamic[t ^ 1];
    out[t] = quad;
}

__shared__ char letters[32];

__global__ void parted(int *out) {
    __shared__ int bins[4], lock;
    __shared__ volatile int count;
    int t = threadIdx.x;
    if (t < 4)
        bins[t] = 0;
    if (t == 0)
        lock = count = 0;
    letters[t] = 'a' - t;
    __syncwarp();
    atomicAdd(&bins[t % 4], t < 16 ? 1 : 2);
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0, 1) == 0) {
            count = count + 1;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    __syncwarp();
    out[t] = t < 4 ? bins[t] : t == 4 ? count : letters[t];
}

int main() {
    float *total;
    float4 *quads;
    int *numbers;
    cudaMallocManaged(&total, sizeof *total);
    cudaMallocManaged(&quads, 32 * sizeof *quads);
    cudaMallocManaged(&numbers, 32 * sizeof *numbers);
    sum<float, 64><<<1, 64>>>(total);
    vectors<<<1, 32, 32 * sizeof(double)>>>(quads);
    parted<<<1, 32>>>(numbers);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%g; %g %g %g; %d %d %d %d\n", *total, quads[0].x, quads[0].w, quads[31].x, numbers[0],
           numbers[3], numbers[4], numbers[31]);
}
