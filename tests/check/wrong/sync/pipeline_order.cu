// The advice about a race names the kernel's pipeline or its named barrier.
#include <cuda/pipeline>

__global__ void stages(const int *in, int *out) {
    __shared__ int s[64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int t = threadIdx.x;
    pipe.producer_acquire();
    cuda::memcpy_async(&s[t], &in[t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[t] = s[63 - t];
    pipe.consumer_release();
    s[t] = in[t] + 1;    // finds shared_race
    out[t] += s[63 - t]; // finds shared_race
    // says instead: let the program's pipeline order the accesses: write between producer_acquire()
    // and
}

__global__ void numbered(int *out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = t;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = s[63 - t];
    s[t] = 2 * t; // finds shared_race
    // says instead: let both threads reach the program's named barrier between the two accesses
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    stages<<<1, 64>>>(in, out);
    numbered<<<1, 64>>>(out);
    cudaDeviceSynchronize();
}
