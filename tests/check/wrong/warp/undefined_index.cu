// An undefined value is used as an index: the kernel crashes, and the shuffle is why.
// says       to see it: shflviz run --overview
__global__ void place(int *out) {
    const int lane = threadIdx.x;
    if (lane < 16) {
        const int at = __shfl_down_sync(0xffff, lane, 8); // finds source_lane_not_in_mask
        out[at] = lane;                                   // finds out_of_bounds crashed
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    place<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
