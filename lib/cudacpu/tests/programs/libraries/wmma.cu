// nvcuda::wmma: products of small matrices, of each type, compared with a loop.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// D = 2 A B + C; A is row-major, B column-major.
template <int M, int N, int K, class T, class Memory, class C>
__global__ void multiply(const Memory *a, const Memory *b, const C *c, C *d) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum, more;
    wmma::fill_fragment(sum, (C)0.0f);
    wmma::load_matrix_sync(left, a, K);
    wmma::load_matrix_sync(right, b, K);
    for (int i = 0; i < 2; i++)
        wmma::mma_sync(sum, left, right, sum);
    wmma::load_matrix_sync(more, c, N, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = sum.x[i] + more.x[i];
    wmma::store_matrix_sync(d, sum, M, wmma::mem_col_major);
}

template <int M, int N, int K, class T, class Memory, class C> void run(const char *name) {
    Memory *a, *b;
    C *c, *d;
    cudaMallocManaged(&a, M * K * sizeof *a);
    cudaMallocManaged(&b, K * N * sizeof *b);
    cudaMallocManaged(&c, M * N * sizeof *c);
    cudaMallocManaged(&d, M * N * sizeof *d);
    for (int i = 0; i < M * K; i++)
        a[i] = (Memory)(float)(i % 7 - 3 + 3);
    for (int i = 0; i < K * N; i++)
        b[i] = (Memory)(float)(i % 5);
    for (int i = 0; i < M * N; i++)
        c[i] = (C)(float)(i % 11);
    multiply<M, N, K, T, Memory, C><<<1, 32>>>(a, b, c, d);
    cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int sum = (i * N + j) % 11;
            for (int k = 0; k < K; k++)
                sum += 2 * ((i * K + k) % 7) * ((j * K + k) % 5);
            wrong += (float)d[j * M + i] != (float)sum;
        }
    printf("%s: %d wrong, error %d\n", name, wrong, error);
}

int main() {
    run<16, 16, 16, half, half, float>("half");
    run<32, 8, 16, half, half, half>("half, sum of half");
    run<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16");
    run<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
    run<8, 8, 4, double, double, double>("double");
    run<16, 16, 16, signed char, signed char, int>("signed char");
    run<32, 8, 16, unsigned char, unsigned char, int>("unsigned char");
}
