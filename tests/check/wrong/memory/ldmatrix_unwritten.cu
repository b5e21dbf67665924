// ldmatrix reads rows of shared memory whose lower half was never written.
static __device__ unsigned load(const unsigned short *row) {
    const unsigned at = (unsigned)__cvta_generic_to_shared(row);
    unsigned r;
    // finds uninitialized_read
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at));
    return r;
}

__global__ void halves(unsigned *out) {
    __shared__ __align__(16) unsigned short memory[8][8];
    if (threadIdx.x < 32)
        memory[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = load(memory[threadIdx.x % 8]);
}

int main() {
    unsigned *out;
    cudaMalloc(&out, 32 * sizeof *out);
    halves<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
