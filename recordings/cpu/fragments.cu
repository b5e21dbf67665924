// The lesson `fragments`: A[r][c] is 100 r + c and B a 1 on its diagonal, so that C is the left
// half of A, and a value says where it is.
#include <cstdio>
#include <cuda_fp16.h>
#include <shflviz/watch.h>

__global__ void multiply(const __half *a, const __half *b, float *c) {
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    int row = group + 8, column = 2 * pair;
    const unsigned *upper = (const unsigned *)(a + 16 * group) + pair;
    const unsigned *lower = (const unsigned *)(a + 16 * (group + 8)) + pair;
    const unsigned *across = (const unsigned *)(b + 16 * group) + pair;
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                 : "r"(upper[0]), "r"(lower[0]), "r"(upper[4]), "r"(lower[4]), "r"(across[0]),
                   "r"(across[4]));
    shflviz_watch(c0);
    shflviz_watch(c1);
    shflviz_watch(c2);
    shflviz_watch(row);
    c[8 * group + column] = c0;
    c[8 * group + column + 1] = c1;
    c[8 * row + column] = c2;
    c[8 * row + column + 1] = c3;
}

int main() {
    __half *a, *b;
    float *c;
    cudaMallocManaged(&a, 16 * 16 * sizeof *a);
    cudaMallocManaged(&b, 8 * 16 * sizeof *b);
    cudaMallocManaged(&c, 16 * 8 * sizeof *c);
    for (int i = 0; i < 256; i++)
        a[i] = __float2half((float)(i / 16 * 100 + i % 16));
    for (int i = 0; i < 128; i++)
        b[i] = __float2half((float)(i / 16 == i % 16));
    multiply<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    std::printf("C[9][3] = %g\n", c[8 * 9 + 3]);
}
