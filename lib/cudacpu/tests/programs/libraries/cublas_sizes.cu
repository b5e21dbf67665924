// cublasSgemm, cublasDgemm: matrices that do not fit the blocks in which they are computed, with
// gaps between columns, transposed or not, compared with a loop. All numbers are small integers:
// exact.
#include <cstdio>
#include <cublas_v2.h>
#include <vector>

static cublasStatus_t gemm(cublasHandle_t h, bool ta, bool tb, int m, int n, int k, float *A,
                           int lda, float *B, int ldb, float *C, int ldc) {
    const float two = 2, three = 3;
    return cublasSgemm(h, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k,
                       &two, A, lda, B, ldb, &three, C, ldc);
}
static cublasStatus_t gemm(cublasHandle_t h, bool ta, bool tb, int m, int n, int k, double *A,
                           int lda, double *B, int ldb, double *C, int ldc) {
    const double two = 2, three = 3;
    return cublasDgemm(h, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k,
                       &two, A, lda, B, ldb, &three, C, ldc);
}

template <class T> static int wrong(cublasHandle_t h, int m, int n, int k, bool ta, bool tb) {
    const int lda = (ta ? k : m) + 3, ldb = (tb ? n : k) + 1, ldc = m + 2;
    const int a_size = lda * (ta ? m : k), b_size = ldb * (tb ? k : n), c_size = ldc * n;
    T *A, *B, *C;
    cudaMallocManaged(&A, a_size * sizeof(T));
    cudaMallocManaged(&B, b_size * sizeof(T));
    cudaMallocManaged(&C, c_size * sizeof(T));
    for (int i = 0; i < a_size; i++)
        A[i] = i * 7 % 13 - 6;
    for (int i = 0; i < b_size; i++)
        B[i] = i * 5 % 11 - 5;
    for (int i = 0; i < c_size; i++)
        C[i] = i % 17;
    std::vector<T> expected(C, C + c_size);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[ta ? l + i * lda : i + l * lda] * B[tb ? j + l * ldb : l + j * ldb];
            expected[i + j * ldc] = 2 * sum + 3 * expected[i + j * ldc];
        }
    int count = gemm(h, ta, tb, m, n, k, A, lda, B, ldb, C, ldc) != CUBLAS_STATUS_SUCCESS;
    cudaDeviceSynchronize();
    for (int i = 0; i < c_size; i++)
        count += C[i] != expected[i];
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return count;
}

int main() {
    static const int sizes[][3] = {
        {1, 1, 1}, {3, 5, 7}, {33, 4, 200}, {193, 67, 193}, {16, 194, 4}};
    cublasHandle_t h;
    cublasCreate(&h);
    int count = 0;
    for (const auto &size : sizes)
        for (int way = 0; way < 4; way++)
            count += wrong<float>(h, size[0], size[1], size[2], way & 1, way & 2) +
                     wrong<double>(h, size[0], size[1], size[2], way & 1, way & 2);
    printf("%d wrong\n", count);
}
