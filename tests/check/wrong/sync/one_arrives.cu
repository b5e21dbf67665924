/* Each thread of a warp fills an element, and one thread arrives: its arrival publishes only
 * its own element. */
#include <cuda/barrier>

__global__ void hand_over(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ int buffer[32];
    const unsigned t = threadIdx.x;
    if (t == 0)
        init(&filled, 33);
    __syncthreads();
    if (t < 32) {
        buffer[t] = (int)t;
        if (t == 0)
            (void)filled.arrive();
    } else {
        filled.arrive_and_wait();
        out[t - 32] = buffer[t - 32]; // finds shared_race
        // says instead: let the program's barrier order the accesses: call arrive() after the first
        // of the two
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof *out);
    hand_over<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
