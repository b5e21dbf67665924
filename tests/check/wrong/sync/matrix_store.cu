// store_matrix_sync() is not a memory barrier, yet other lanes read its result without a barrier.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void multiply(const half *a, const half *b, float *out) {
    __shared__ float tile[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::fill_fragment(fc, 0.0f);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(tile, fc, 16, wmma::mem_row_major);
    for (int i = threadIdx.x; i < 256; i += 32)
        out[i] = tile[i]; // finds shared_race
}

/* ldmatrix waits for the lanes, but not for their writes. */
__device__ void load_matrix(unsigned (&r)[4], const unsigned *row) {
    // finds uninitialized_read
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
}

__global__ void load(const unsigned *in, unsigned *out) {
    __shared__ __align__(16) unsigned tile[16 * 8];
    const int lane = (int)threadIdx.x;
    unsigned r[4];
    for (int i = 0; i < 4; i++)
        tile[32 * i + lane] = in[32 * i + lane]; // finds shared_race
    load_matrix(r, &tile[lane % 16 * 8 + lane / 16 * 4]);
    out[lane] = r[0] + r[1] + r[2] + r[3];
}

int main() {
    half *a, *b;
    float *out;
    cudaMalloc(&a, 256 * sizeof *a);
    cudaMalloc(&b, 256 * sizeof *b);
    cudaMalloc(&out, 256 * sizeof *out);
    cudaMemset(a, 0, 256 * sizeof *a);
    cudaMemset(b, 0, 256 * sizeof *b);
    multiply<<<1, 32>>>(a, b, out);
    load<<<1, 32>>>((unsigned *)a, (unsigned *)out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
