// A full mask in a branch whose lanes never read the other branch: no lane waits here, since
// the others have exited the kernel by then, but they skipped a call whose mask names them.
__global__ void pairs(int *out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v += __shfl_xor_sync(0xffffffff, v, 1); // finds not_participating_lane_in_mask
    out[threadIdx.x] = v;
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    pairs<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
