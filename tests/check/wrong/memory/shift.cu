// A mask of the smaller lanes, made from the thread's number: from thread 32 on, the shift amount
// is at least the width.
__global__ void count_below(const int *keep, int *out) {
    unsigned kept = __ballot_sync(0xffffffff, keep[threadIdx.x]);
    unsigned below = (1u << threadIdx.x) - 1; // finds shift_too_far
    // says instead: shift by the lane number, threadIdx.x % 32
    out[threadIdx.x] = __popc(kept & below);
}

int main() {
    int *keep, *out;
    cudaMalloc(&keep, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(keep, 1, 64 * sizeof(int));
    count_below<<<1, 64>>>(keep, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
