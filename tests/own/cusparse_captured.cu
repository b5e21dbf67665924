// Numbers that cuSPARSE is given by the host are read at the call, those in the device's memory
// when the product is made: a graph that is launched later tells which.
#include <cstdio>
#include <cuda_runtime.h>
#include <cusparse.h>

int main() {
    // 2 by 2: 1 2 / 0 3, times 1 1
    int offsets[] = {0, 2, 3}, columns[] = {0, 1, 1};
    float values[] = {1, 2, 3}, ones[] = {1, 1}, one = 1, zero = 0, hundred = 100;
    int *rows_at, *columns_at;
    float *values_at, *x_at, *y, *alpha_at, *beta_at, alpha = 5, beta = 0;
    cudaMallocManaged(&y, 2 * sizeof *y);
    cudaMalloc(&rows_at, sizeof offsets), cudaMalloc(&columns_at, sizeof columns);
    cudaMalloc(&values_at, sizeof values), cudaMalloc(&x_at, sizeof ones);
    cudaMalloc(&alpha_at, sizeof alpha), cudaMalloc(&beta_at, sizeof beta);
    cudaMemcpy(rows_at, offsets, sizeof offsets, cudaMemcpyDefault);
    cudaMemcpy(columns_at, columns, sizeof columns, cudaMemcpyDefault);
    cudaMemcpy(values_at, values, sizeof values, cudaMemcpyDefault);
    cudaMemcpy(x_at, ones, sizeof ones, cudaMemcpyDefault);
    cudaMemcpy(alpha_at, &one, sizeof one, cudaMemcpyDefault);
    cudaMemcpy(beta_at, &zero, sizeof zero, cudaMemcpyDefault);

    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t x, to;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t bytes;
    void *buffer;
    cusparseCreate(&handle);
    cusparseCreateCsr(&a, 2, 2, 3, rows_at, columns_at, values_at, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    cusparseCreateDnVec(&x, 2, x_at, CUDA_R_32F);
    cusparseCreateDnVec(&to, 2, y, CUDA_R_32F);
    cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, x, &beta, to,
                            CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    cudaMalloc(&buffer, bytes);
    cudaStreamCreate(&stream);
    cusparseSetStream(handle, stream);
    for (int on_device = 0; on_device < 2; on_device++) {
        cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE
                                                 : CUSPARSE_POINTER_MODE_HOST);
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
        int status = cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                  on_device ? alpha_at : &alpha, a, x, on_device ? beta_at : &beta,
                                  to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
        cudaStreamEndCapture(stream, &graph);
        cudaGraphInstantiate(&exec, graph, 0);
        if (on_device)
            cudaMemcpy(alpha_at, &hundred, sizeof hundred, cudaMemcpyDefault);
        alpha = 7;
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
        printf("%d: %g %g\n", status, y[0], y[1]); // 5 or 100 times 3 3
    }
}
