// What a library has written is written: no kernel and no copy came before the reads below.
#include <cufft.h>
#include <cusparse.h>

__global__ void norms(const cufftComplex *spectrum, const float *product, float *out) {
    int t = threadIdx.x;
    out[t] = spectrum[t].x * spectrum[t].x + spectrum[t].y * spectrum[t].y + product[t];
}

int main() {
    float *signal, *product, *out;
    cufftComplex *spectrum;
    cudaMalloc(&signal, 64 * sizeof(float));
    cudaMalloc(&spectrum, 33 * sizeof(cufftComplex));
    cudaMalloc(&product, 33 * sizeof(float));
    cudaMalloc(&out, 33 * sizeof(float));
    cudaMemset(signal, 0, 64 * sizeof(float));

    cufftHandle plan;
    cufftPlan1d(&plan, 64, CUFFT_R2C, 1);
    cufftExecR2C(plan, signal, spectrum);

    // A matrix of 33 rows with nothing in it.
    int *offsets;
    cudaMalloc(&offsets, 34 * sizeof(int));
    cudaMemset(offsets, 0, 34 * sizeof(int));
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    cusparseCreate(&handle);
    cusparseCreateCsr(&matrix, 33, 64, 0, offsets, offsets, signal, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&x, 64, signal, CUDA_R_32F);
    cusparseCreateDnVec(&y, 33, product, CUDA_R_32F);
    const float one = 1, zero = 0;
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y, CUDA_R_32F,
                 CUSPARSE_SPMV_ALG_DEFAULT, nullptr);

    norms<<<1, 33>>>(spectrum, product, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
