// run: --schedule 3
// Code that relies on a warp keeping step at volatile accesses, and spins on volatile variables.
#include <cstdio>
__global__ void reduce(const int *in, int *out) {
    __shared__ int sdata[256];
    int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int s = 128; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        volatile int *v = sdata;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
__global__ void scan(int *data) { // a warp-synchronous inclusive scan without conditions
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    s[t + 32] = data[t];
    for (int d = 1; d < 32; d *= 2)
        s[t + 32] += s[t + 32 - d];
    data[t] = s[t + 32];
}
__global__ void flag(volatile int *f, int *out) {
    if (threadIdx.x == 0) {
        while (f[0] == 0)
            ;
        out[0] = f[0];
    } else if (threadIdx.x == 40) {
        f[0] = 7;
    }
}
__global__ void flag2(volatile int *f, int *out) {
    if (threadIdx.x == 0) {
        while (f[1] == 0)
            ;
        out[1] = f[1];
    } else if (threadIdx.x == 1) {
        f[1] = 9;
    }
}
__global__ void passed(volatile int *flag, const volatile float *x, int *out) {
    while (*flag == 0)
        ;
    *out = *flag + (int)x[0];
}
int main() {
    int n = 1024, *in, *out, h[4], expect = 0;
    cudaMallocManaged(&in, n * 4);
    cudaMalloc(&out, 16);
    for (int i = 0; i < n; i++) {
        in[i] = i * i % 17;
        expect += in[i];
    }
    reduce<<<4, 256>>>(in, out);
    cudaMemcpy(h, out, 16, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0] + h[1] + h[2] + h[3], expect);
    for (int i = 0; i < 32; i++)
        in[i] = 1;
    scan<<<1, 32>>>(in);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", in[0], in[13], in[31]);
    cudaMemset(in, 0, 64);
    cudaMemset(out, 0, 16);
    flag<<<1, 64>>>(in, out);
    flag2<<<1, 64>>>(in, out);
    cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[1]);
    volatile int *set; // the pointer is volatile for the host, too
    float *x;
    cudaHostAlloc((void **)&set, sizeof *set, cudaHostAllocPortable);
    cudaMallocManaged(&x, sizeof *x);
    *set = 5;
    *x = 3;
    passed<<<1, 1>>>(set, x, in);
    cudaDeviceSynchronize();
    printf("passed %d\n", *in);
    return 0;
}
