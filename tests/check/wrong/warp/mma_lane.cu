// mma.sync is for all lanes of the warp; the last lane does not call it.
static __device__ double product(double a, double b) {
    double c[2] = {0, 0};
    // finds not_participating_lane_in_mask
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a), "d"(b));
    return c[0] + c[1];
}

__global__ void sums(double *out, int n) {
    double sum = 0;
    if (threadIdx.x < n)
        sum = product(threadIdx.x, 1);
    out[threadIdx.x] = sum;
}

int main() {
    double *out;
    cudaMalloc(&out, 32 * sizeof *out);
    sums<<<1, 32>>>(out, 31);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
