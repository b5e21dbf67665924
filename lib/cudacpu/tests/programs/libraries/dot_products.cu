// Dot products of vectors' bytes and halves, and cuBLAS's product of halves.
#include <cstdio>
#include <cublas_v2.h>

__global__ void dot(int *out) {
    const char4 a = make_char4(1, -2, 3, 4), b = make_char4(5, 6, -7, 8);
    const uchar4 c = make_uchar4(200, 1, 2, 255);
    const short2 s = make_short2(1000, -2000);
    out[0] = __dp4a(a, b, 100);  // 100 + 5 - 12 - 21 + 32
    out[1] = __dp4a(c, c, 1u);   // 1 + 40000 + 1 + 4 + 65025
    out[2] = __dp2a_lo(s, a, 1); // 1 + 1000 + 4000
    out[3] = __dp2a_hi(s, a, 1); // 1 + 3000 - 8000
}

int main() {
    int *out;
    __half *m;
    cudaMallocManaged(&out, 4 * sizeof *out);
    cudaMallocManaged(&m, 12 * sizeof *m);
    dot<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    for (int i = 0; i < 12; i++)
        m[i] = __float2half((float)i);
    cublasHandle_t handle;
    cublasCreate(&handle);
    const __half one = __float2half(1), zero = __float2half(0);
    // Column-major: (0 2; 1 3) times (4 6; 5 7).
    cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, m, 2, m + 4, 2, &zero, m + 8, 2);
    cudaDeviceSynchronize();
    for (int i = 8; i < 12; i++)
        printf("%g ", __half2float(m[i]));
    puts("");
    cublasDestroy(handle);
    return 0;
}
