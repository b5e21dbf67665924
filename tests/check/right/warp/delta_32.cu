// A scan whose last round, with a delta of 32, adds nothing in any lane.
__global__ void scan(int *out) {
    int v = 1;
    for (int d = 1; d <= 32; d *= 2) {
        const int other = __shfl_up_sync(0xffffffff, v, d);
        if (threadIdx.x % 32 >= d)
            v += other;
    }
    out[threadIdx.x] = v;
}

int main() {
    int *out, got[64];
    cudaMalloc(&out, sizeof got);
    scan<<<1, 64>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    return got[63] == 32 ? 0 : 1;
}
