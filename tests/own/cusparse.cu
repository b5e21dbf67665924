// cuSPARSE: a small matrix as CSR and COO, times vectors and dense matrices, counted by hand.
#include <cstdio>
#include <cuda_runtime.h>
#include <cusparse.h>

// 1 0 2
// 0 0 3
// 4 5 0
// 0 6 0
static const int offsets[5] = {0, 2, 3, 5, 6}, columns[6] = {0, 2, 2, 0, 1, 1};
static const int rows[6] = {1, 1, 2, 3, 3, 4}, ones[6] = {1, 3, 3, 1, 2, 2};
static const float values[6] = {1, 2, 3, 4, 5, 6};

template <class T> static T *on_device(const T *from, int count) {
    T *to;
    cudaMalloc(&to, count * sizeof(T));
    cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}
static void print(const float *device, int count) {
    float host[12];
    cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        printf("%g%c", host[i], i < count - 1 ? ' ' : '\n');
}

int main() {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t csr, coo;
    cusparseDnVecDescr_t x, y, z;
    printf("%s\n", cusparseGetErrorName(cusparseCreate(&handle)));
    int *o = on_device(offsets, 5), *c = on_device(columns, 6);
    int *r = on_device(rows, 6), *c1 = on_device(ones, 6);
    float *v = on_device(values, 6);
    cusparseCreateCsr(&csr, 4, 3, 6, o, c, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateCoo(&coo, 4, 3, 6, r, c1, v, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE,
                      CUDA_R_32F);
    const float three[3] = {1, 2, 3}, four[4] = {1, 1, 1, 1};
    float *dx = on_device(three, 3), *dy = on_device(four, 4), *dz = on_device(three, 3);
    cusparseCreateDnVec(&x, 3, dx, CUDA_R_32F);
    cusparseCreateDnVec(&y, 4, dy, CUDA_R_32F);
    cusparseCreateDnVec(&z, 3, dz, CUDA_R_32F);
    float alpha = 2, beta = 10;
    size_t bytes = 0;
    void *buffer;
    cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, x, &beta, y,
                            CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    cudaMalloc(&buffer, bytes);
    // 2 A (1 2 3) + 10: A (1 2 3) is 7 9 14 12
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, csr, x, &beta, y, CUDA_R_32F,
                 CUSPARSE_SPMV_ALG_DEFAULT, buffer);
    print(dy, 4);
    // The other way round, by numbers in the device's memory: 2 A' (24 28 38 34)
    const float zero = 0;
    float *da = on_device(&alpha, 1), *db = on_device(&zero, 1);
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
    cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, da, coo, y, db, z, CUDA_R_32F,
                 CUSPARSE_SPMV_COO_ALG1, buffer);
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
    print(dz, 3);
    printf("%s\n", cusparseGetErrorName(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                     &alpha, csr, y, &beta, x, CUDA_R_32F,
                                                     CUSPARSE_SPMV_ALG_DEFAULT, buffer)));

    // A times the columns (1 2 3) and (1 1 1), row by row.
    const float pairs[6] = {1, 1, 2, 1, 3, 1}, empty[8] = {};
    float *dm = on_device(pairs, 6), *dn = on_device(empty, 8);
    cusparseDnMatDescr_t m, n, dense;
    cusparseCreateDnMat(&m, 3, 2, 2, dm, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&n, 4, 2, 4, dn, CUDA_R_32F, CUSPARSE_ORDER_COL);
    alpha = 1;
    beta = 0;
    cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha,
                 csr, m, &beta, n, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, buffer);
    print(dn, 8);
    float *dd;
    cudaMalloc(&dd, 12 * sizeof(float));
    cusparseCreateDnMat(&dense, 4, 3, 3, dd, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseSparseToDense(handle, coo, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer);
    print(dd, 12);
    cusparseDestroyDnMat(m);
    cusparseDestroyDnMat(n);
    cusparseDestroyDnMat(dense);
    cusparseDestroyDnVec(x);
    cusparseDestroyDnVec(y);
    cusparseDestroyDnVec(z);
    cusparseDestroySpMat(csr);
    cusparseDestroySpMat(coo);
    cusparseDestroy(handle);
}
