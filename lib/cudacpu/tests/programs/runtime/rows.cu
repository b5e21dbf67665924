// Lanes begin where the previous lane has ended, until a lane waits, ends early or leaves a gap.
// Each lane runs once, and lanes that wait meet the lanes that are left.
#include <cstdio>

__global__ void none_waits(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] += i;
}

/* Lanes before the waiting lane have ended; lanes after it begin on their own stacks. */
__global__ void one_waits(int *out, int which) {
    const int lane = threadIdx.x % 32;
    out[threadIdx.x] += 1;
    if (lane == which)
        __syncwarp(1u << which);
    out[threadIdx.x] += 10;
}

__global__ void some_leave(int *out) {
    const int t = threadIdx.x;
    if (t % 3 == 0) {
        out[t] += 1;
        return;
    }
    out[t] += 2;
    const int left = __syncthreads_count(t % 3 == 1);
    out[t] += 100 * left;
}

__global__ void half_votes(unsigned *out) {
    const int t = threadIdx.x;
    if (t < 16)
        return;
    out[t] = __ballot_sync(0xffff0000, t % 2);
}

__global__ void some_exit(int *out) {
    const int t = threadIdx.x;
    out[t] += 5;
    if (t % 7 == 3)
        asm("exit;");
    out[t] += 6;
}

static long sum(int *values, int n) {
    cudaDeviceSynchronize();
    long all = 0;
    for (int i = 0; i < n; i++) {
        all += (long)(i + 1) * values[i];
        values[i] = 0;
    }
    return all;
}

int main() {
    int *out;
    cudaMallocManaged(&out, 1000 * sizeof *out);
    none_waits<<<10, 100>>>(out, 991); /* the last warp of a block has four lanes */
    printf("none waits: %ld\n", sum(out, 1000));
    for (int which = 0; which < 32; which++)
        one_waits<<<1, 70>>>(out, which);
    printf("one waits: %ld\n", sum(out, 1000));
    some_leave<<<1, 70>>>(out);
    printf("some leave: %ld\n", sum(out, 1000));
    half_votes<<<1, 32>>>((unsigned *)out);
    cudaDeviceSynchronize();
    printf("half votes: %x %x %x\n", out[15], out[16], out[31]);
    sum(out, 1000);
    some_exit<<<1, 70>>>(out);
    printf("some exit: %ld\n", sum(out, 1000));
}
