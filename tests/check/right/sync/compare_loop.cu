// Atomic operations built from atomicCAS(), as in the programming guide: the first read is a guess.
#include <cstdio>

__device__ double add(double *address, double value) {
    unsigned long long *p = (unsigned long long *)address;
    unsigned long long old = *p, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ void most(float *address, const float *value) {
    int *p = (int *)address;
    int old = *p;
    while (__int_as_float(old) < *value) {
        const int assumed = old;
        old = atomicCAS(p, assumed, __float_as_int(*value));
        if (old == assumed)
            break;
    }
}

__global__ void both(double *sum, float *largest, const float *in) {
    __shared__ float of_block;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    add(sum, in[threadIdx.x]);
    most(&of_block, in + threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        most(largest, &of_block);
}

int main() {
    float in[64], *d, *largest, l;
    double *sum, s;
    for (int i = 0; i < 64; i++)
        in[i] = (float)(i * 7 % 64);
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&largest, sizeof l);
    cudaMalloc(&sum, sizeof s);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(largest, 0, sizeof l);
    cudaMemset(sum, 0, sizeof s);
    both<<<4, 64>>>(sum, largest, d);
    cudaMemcpy(&l, largest, sizeof l, cudaMemcpyDeviceToHost);
    cudaMemcpy(&s, sum, sizeof s, cudaMemcpyDeviceToHost);
    printf("%g %g\n", s, l);
    return s != 4 * 2016 || l != 63;
}
