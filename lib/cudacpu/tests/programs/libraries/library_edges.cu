// Products whose results are at the limits of 16 bits, by wmma and by cuBLAS: infinities, NaNs,
// subnormal numbers, ties; integers that saturate or wrap. Also cuBLAS's results for wrong
// arguments, and those of cuBLAS and cuRAND after a sticky error.
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <mma.h>
using namespace nvcuda;

static int calls;
static void expect(int line, long long result, long long wanted) {
    calls++;
    if (result != wanted)
        printf("line %d: %lld, not %lld\n", line, result, wanted);
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define IS(what)            expect(__LINE__, (what) ? 1 : 0, 1)

/* Factors and products as bits of halves, rounded as in IEEE 754: to nearest, ties to even. */
static const struct {
    unsigned short a, b, product;
} products[] = {
    {0x7c00, 0x3c00, 0x7c00}, // infinity * 1
    {0x7c00, 0xbc00, 0xfc00}, // infinity * -1
    {0x7e00, 0x3c00, 0x7fff}, // a NaN, which becomes the canonical NaN (PTX ISA)
    {0x7bff, 0x3c00, 0x7bff}, // 65504 * 1, the largest
    {0x7bff, 0x4000, 0x7c00}, // 65504 * 2
    {0xfbff, 0x4000, 0xfc00}, // -65504 * 2
    {0x7bff, 0x3c01, 0x7c00}, // 65504 * (1 + 2^-10) = 65567.97, beyond 65520
    {0x0001, 0x3c00, 0x0001}, // 2^-24, the smallest
    {0x8001, 0x3c00, 0x8001}, // -2^-24
    {0x0001, 0x3800, 0x0000}, // half of it: a tie, to 0
    {0x0003, 0x3800, 0x0002}, // 1.5 * 2^-24: a tie, to 2
    {0x0400, 0x3800, 0x0200}, // 2^-14 / 2
    {0x0001, 0x6400, 0x0400}, // 2^-24 * 1024 = 2^-14, which is normal again
    {0x3c01, 0x3e00, 0x3e02}, // (1 + 2^-10) * 1.5 = 1 + (512 + 1.5) / 1024: a tie, to 514
    {0x3c03, 0x3e00, 0x3e04}, // (1 + 3 * 2^-10) * 1.5 = 1 + (512 + 4.5) / 1024: a tie, to 516
};
static const int COUNT = sizeof products / sizeof products[0];

/* Row i of A is a_i in its first column, and column i of B is b_i in its first row. */
__global__ void by_wmma(const half *a, const half *b, half *d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
    wmma::fill_fragment(sum, __float2half(0.0f));
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

static void halves() {
    unsigned short *a, *b, *d;
    cublasHandle_t h;
    cudaMallocManaged(&a, 512);
    cudaMallocManaged(&b, 512);
    cudaMallocManaged(&d, 512);
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < 256; j++)
            a[j] = b[j] = 0;
        a[0] = products[i].a, b[0] = products[i].b;
        by_wmma<<<1, 32>>>((half *)a, (half *)b, (half *)d);
        cudaDeviceSynchronize();
        GIVES(products[i].product, d[0]);
        GIVES(0, d[17]);
    }
    GIVES(CUBLAS_STATUS_SUCCESS, cublasCreate(&h));
    const float one = 1, zero = 0;
    for (int i = 0; i < COUNT; i++) {
        a[0] = products[i].a, b[0] = products[i].b;
        GIVES(CUBLAS_STATUS_SUCCESS,
              cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, CUDA_R_16F, 1, b,
                           CUDA_R_16F, 1, &zero, d, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT));
        cudaDeviceSynchronize();
        GIVES(products[i].product, d[0]);
    }
    // bfloat16: (1 + 2^-7)^2 = 1 + 2^-6 + 2^-14, rounded to 1 + 2^-6; infinity; a NaN.
    const unsigned short wide[][3] = {
        {0x3f81, 0x3f81, 0x3f82}, {0x7f80, 0x3f80, 0x7f80}, {0x7fff, 0x3f80, 0x7fff}};
    for (auto &w : wide) {
        a[0] = w[0], b[0] = w[1];
        GIVES(CUBLAS_STATUS_SUCCESS,
              cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, CUDA_R_16BF, 1, b,
                           CUDA_R_16BF, 1, &zero, d, CUDA_R_16BF, 1, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT));
        cudaDeviceSynchronize();
        GIVES(w[2], d[0]);
    }
    // Scalars as halves: subnormal, infinite.
    const unsigned short scalars[][2] = {{0x0001, 0x0001}, {0x8001, 0x8001}, {0x7c00, 0x7c00}};
    for (auto &s : scalars) {
        const unsigned short none = 0;
        a[0] = b[0] = 0x3c00;
        GIVES(CUBLAS_STATUS_SUCCESS,
              cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &s[0], a, CUDA_R_16F, 1, b,
                           CUDA_R_16F, 1, &none, d, CUDA_R_16F, 1, CUBLAS_COMPUTE_16F_PEDANTIC,
                           CUBLAS_GEMM_DEFAULT));
        cudaDeviceSynchronize();
        GIVES(s[1], d[0]);
    }
    double x[2] = {3, 5}, *y;
    const double two = 2, nothing = 0;
    cudaMallocManaged(&y, 64);
    y[0] = x[0], y[1] = x[1];
    GIVES(CUBLAS_STATUS_SUCCESS,
          cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &two, y, CUDA_R_64F, 1, y + 1,
                       CUDA_R_64F, 1, &nothing, y + 2, CUDA_R_64F, 1, CUBLAS_COMPUTE_64F_PEDANTIC,
                       CUBLAS_GEMM_DEFAULT));
    cudaDeviceSynchronize();
    IS(y[2] == 30);
    // Calls that are refused, or are not supported on the CPU warp.
    const auto refused = [&](cublasStatus_t wanted, cublasHandle_t handle, const void *alpha,
                             const void *beta, cudaDataType A, cudaDataType B, cudaDataType C,
                             cublasComputeType_t compute) {
        GIVES(wanted, cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, alpha, a, A, 1, b, B,
                                   1, beta, d, C, 1, compute, CUBLAS_GEMM_DEFAULT));
    };
    const cudaDataType H = CUDA_R_16F, F = CUDA_R_32F, D = CUDA_R_64F, I = CUDA_R_8I;
    const cublasComputeType_t f = CUBLAS_COMPUTE_32F;
    const cublasStatus_t no = CUBLAS_STATUS_NOT_SUPPORTED;
    refused(CUBLAS_STATUS_NOT_INITIALIZED, nullptr, &one, &zero, H, H, H, f);
    refused(CUBLAS_STATUS_INVALID_VALUE, h, nullptr, &zero, H, H, H, f);
    refused(CUBLAS_STATUS_INVALID_VALUE, h, &one, nullptr, H, H, H, f);
    refused(no, h, &one, &zero, I, I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    refused(no, h, &one, &zero, H, I, H, f);
    refused(no, h, &one, &zero, H, H, I, f);
    refused(no, h, &one, &zero, H, F, F, f);
    refused(no, h, &one, &zero, F, F, D, f);
    refused(no, h, &one, &zero, D, D, F, f);
    refused(no, h, &one, &zero, F, F, F, CUBLAS_COMPUTE_64F);
    refused(no, h, &one, &zero, F, F, F, CUBLAS_COMPUTE_32I);
    GIVES(CUBLAS_STATUS_SUCCESS, cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    refused(no, h, a, b, H, H, H, CUBLAS_COMPUTE_16F);
    // Copies, whose leading dimensions must be large enough.
    float host[4] = {}, *device;
    cudaMalloc(&device, 16);
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(-1, 2, 4, host, 2, device, 2));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(2, -1, 4, host, 2, device, 2));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(2, 2, 0, host, 2, device, 2));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(2, 2, 4, host, 1, device, 2));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(2, 2, 4, host, 2, device, 1));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(0, 2, 4, host, 0, device, 2));
    GIVES(CUBLAS_STATUS_INVALID_VALUE, cublasSetMatrix(0, 2, 4, host, 2, device, 0));
    GIVES(CUBLAS_STATUS_SUCCESS, cublasSetMatrix(0, 2, 4, host, 2, device, 2));
    GIVES(CUBLAS_STATUS_SUCCESS, cublasSetMatrix(2, 0, 4, host, 2, device, 2));
    GIVES(CUBLAS_STATUS_MAPPING_ERROR, cublasSetVector(64, 4, host, 1, device, 1)); // too long
}

template <bool saturates>
__global__ void whole(const signed char *a, const signed char *b, int *c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, b, 16);
    wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum, saturates);
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

static void integers() {
    signed char *a, *b;
    int *c;
    cudaMallocManaged(&a, 256);
    cudaMallocManaged(&b, 256);
    cudaMallocManaged(&c, 1024);
    for (int saturates = 0; saturates < 2; saturates++) {
        // Rows of 100 and of -100 times columns of 100: 160000 and -160000 are added.
        for (int i = 0; i < 256; i++)
            a[i] = i / 16 % 2 ? -100 : 100, b[i] = 100;
        for (int i = 0; i < 256; i++)
            c[i] = i % 4 == 0 ? INT_MAX - 10 : i % 4 == 1 ? INT_MIN + 10 : 7;
        if (saturates)
            whole<true><<<1, 32>>>(a, b, c);
        else
            whole<false><<<1, 32>>>(a, b, c);
        cudaDeviceSynchronize();
        for (int i = 0; i < 256; i++) {
            const long long exact = (i % 4 == 0   ? INT_MAX - 10ll
                                     : i % 4 == 1 ? INT_MIN + 10ll
                                                  : 7ll) +
                                    (i / 16 % 2 ? -160000 : 160000);
            const long long wanted = !saturates        ? (int)(unsigned)exact
                                     : exact > INT_MAX ? INT_MAX
                                     : exact < INT_MIN ? INT_MIN
                                                       : exact;
            GIVES(wanted, c[i]);
        }
    }
}

__global__ void fail() {
    assert(false);
}

static void after_an_error() {
    cublasHandle_t blas;
    curandGenerator_t random;
    float *memory;
    const float one = 1;
    cudaMallocManaged(&memory, 256);
    cublasCreate(&blas);
    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_XORWOW);
    fail<<<1, 1>>>();
    GIVES(CUBLAS_STATUS_EXECUTION_FAILED, cublasSscal(blas, 4, &one, memory, 1));
    GIVES(CUBLAS_STATUS_MAPPING_ERROR, cublasSetVector(1, 4, &one, 1, memory, 1));
    GIVES(CURAND_STATUS_LAUNCH_FAILURE, curandGenerateUniform(random, memory, 4));
}

int main() {
    halves();
    integers();
    after_an_error();
    printf("%s\n", calls > 600 ? "all" : "too few");
}
