// cuBLAS: each function on numbers small enough to be checked by hand; column-major matrices.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_fp16.h>

template <class T> T *device(const T *values, int n) {
    T *memory;
    cudaMalloc(&memory, n * sizeof(T));
    if (cublasSetVector(n, sizeof(T), values, 1, memory, 1) != CUBLAS_STATUS_SUCCESS)
        printf("not set\n");
    return memory;
}
template <class T> void show(const char *name, const T *memory, int n) {
    T values[16];
    if (cublasGetVector(n, sizeof(T), memory, 1, values, 1) != CUBLAS_STATUS_SUCCESS)
        printf("not got\n");
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %g", (double)(float)values[i]);
    printf("\n");
}
__global__ void increase(float *x) {
    x[threadIdx.x] += 1;
}
__global__ void scale(float *factor) {
    *factor = 3;
}

int main() {
    cublasHandle_t h;
    printf("%s\n", cublasGetStatusName(cublasCreate(&h)));
    const float first[] = {3, -7, 2, 5}, second[] = {1, 2, 3, 4};
    const float a23[] = {1, 4, 2, 5, 3, 6};    // 1 2 3 / 4 5 6
    const float b32[] = {7, 9, 11, 8, 10, 12}; // 7 8 / 9 10 / 11 12
    float *x = device(first, 4), *y = device(second, 4), *A = device(a23, 6), *B = device(b32, 6);
    float *C = device(second, 4), result, two = 2, one = 1, zero = 0, minus = -1;
    int most, least;
    cublasIsamax(h, 4, x, 1, &most);
    cublasIsamin(h, 4, x, 1, &least);
    printf("%d %d", most, least); // counted from 1: 2 3
    cublasSasum(h, 4, x, 1, &result);
    printf(" %g", result); // 17
    cublasSnrm2(h, 2, y + 2, 1, &result);
    printf(" %g", result); // 5
    cublasSdot(h, 4, x, 1, y, 1, &result);
    printf(" %g", result); // 3 - 14 + 6 + 20 = 15
    cublasSdot(h, 2, x, 2, y, -1, &result);
    printf(" %g\n", result); // 3 * 2 + 2 * 1 = 8
    cublasSaxpy(h, 4, &two, x, 1, y, 1);
    show("axpy", y, 4); // 7 -12 7 14
    cublasSscal(h, 2, &minus, y, 2);
    show("scal", y, 4); // -7 -12 -7 14
    cublasSswap(h, 4, x, 1, y, 1);
    cublasScopy(h, 2, x, 1, y + 2, 1);
    show("swap", x, 4);       // -7 -12 -7 14
    show("swap, copy", y, 4); // 3 -7 -7 -12
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, A, 2, B, 3, &zero, C, 2);
    show("gemm", C, 4); // 58 139 64 154
    cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 2, &two, A, 2, B, 3, &one, C, 2);
    show("gemm of both transposed", C,
         4); // + 2 (39 49 / 54 68): 136 247 162 290
    cublasSgemv(h, CUBLAS_OP_N, 2, 3, &one, A, 2, B, 1, &zero, C, 1);
    cublasSgemv(h, CUBLAS_OP_T, 2, 1, &one, A, 2, B, 1, &two, C, 1);
    show("gemv", C, 2); // 7 + 18 + 33 = 58, 139; then 7 + 36 + 2 * 58 = 159, 139
    cublasSger(h, 2, 2, &one, B, 1, A, 1, C, 2);
    show("ger", C, 4); // 159 139 162 290 and 7 9 28 36: 166 148 190 326
    cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, A, 2, &minus, B, 3, B, 3);
    show("geam", B, 6);                    // A^T - B: -6 -7 -8 -4 -5 -6
    const float triangle[] = {2, 1, 0, 4}; // 2 0 / 1 4
    const float right[] = {2, 9, 4, 14};
    float *L = device(triangle, 4), *R = device(right, 4);
    cublasStrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2,
                2, &one, L, 2, R, 2);
    show("trsm", R, 4); // 1 2 2 3
    cublasStrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, 2,
                2, &two, L, 2, R, 2);
    show("trsm of the right", R, 4); // X (2 1 / 0 4) = 2 (1 2 / 2 3): 1 2 0.75 1
    cublasSsyrk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 3, &one, A, 2, &zero, R, 2);
    show("syrk", R, 4); // 14 2 32 77, of which the 2 was there
    cublasSdgmm(h, CUBLAS_SIDE_LEFT, 2, 2, L, 2, A, 1, R, 2);
    show("dgmm", R, 4); // rows by 1, 4: 2 4 0 16

    // A product of 300 by 300 by 300 in double: sums of i * j + 1.
    const int n = 300;
    double *P, *Q, *S, d1 = 1, d0 = 0;
    cudaMallocManaged(&P, n * n * sizeof(double));
    cudaMallocManaged(&Q, n * n * sizeof(double));
    cudaMallocManaged(&S, n * n * sizeof(double));
    for (int i = 0; i < n * n; i++)
        P[i] = i % n + 1, Q[i] = i / n - 2; // P: row + 1; Q: column - 2
    cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &d1, P, n, Q, n, &d0, S, n);
    int wrong = 0;
    for (int i = 0; i < n * n; i++)
        wrong += S[i] != 300.0 * (i % n + 1) * (i / n - 2);
    printf("%d wrong;", wrong);
    cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &d1, P, 1, 2, P, 2, 2, &d0, S,
                              1, 1, 3);
    printf(" %g %g %g;", S[0], S[1], S[2]); // 1 + 4, 9 + 16, 25 + 36
    double **lists;                         // three matrices of each kind
    cudaMallocManaged(&lists, 9 * sizeof *lists);
    for (int i = 0; i < 3; i++)
        lists[i] = P + i, lists[3 + i] = P + 2 * i, lists[6 + i] = S + i;
    cublasDgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &d1, lists, 1, lists + 3, 1, &d0,
                       lists + 6, 1, 3);
    printf(" %g %g %g\n", S[0], S[1], S[2]); // 1 * 1, 2 * 3, 3 * 5

    // Halves in, floats out; a scalar that a kernel writes.
    const __half halves[] = {__float2half(0.5f), __float2half(-2.0f), __float2half(1024.0f),
                             __float2half(0.25f)};
    __half *H = device(halves, 4), *G = device(halves, 4);
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, H, CUDA_R_16F, 2, H, CUDA_R_16F, 2,
                 &zero, R, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    show("halves", R, 4); // 0.25 - 2048 = -2047.75, -1.5; 768, -2047.9375
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, H, CUDA_R_16F, 2, H, CUDA_R_16F, 2,
                 &zero, G, CUDA_R_16F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    show("halves out", G, 4); // rounded to 16 bits, in steps of 1 there: -2048 -1.5 768 -2048
    float *factor;
    cudaMalloc(&factor, sizeof *factor);
    scale<<<1, 1>>>(factor);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    cublasSscal(h, 4, factor, L, 1);
    show("by the device's 3", L, 4); // 6 3 0 12
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
    // A graph: a kernel, then a product, three times.
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *z = device(second, 4);
    cudaStreamCreate(&stream);
    cublasSetStream(h, stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    increase<<<1, 4, 0, stream>>>(z);
    cublasSscal(h, 4, &two, z, 1);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    show("launched", z, 4); // 1 becomes 4, 10, 22; 4 becomes 10, 22, 46
    printf("%d", cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, A, 1, B, 3, &zero, C, 2));
    printf(" %d", cublasSaxpy(nullptr, 4, &one, x, 1, y, 1));
    printf(" %d", cublasSetVector(4, 0, first, 1, x, 1));
    printf(" %d\n", cublasDestroy(h)); // 7 1 7 0
}
