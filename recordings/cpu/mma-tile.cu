// The lesson `mma-tile`: two products along k make S, 16 by 16, in two fragments of C; they become
// A of a third product without a shuffle; then the largest value of each row, in the lanes that
// hold it. Values say where they are: S[r][c] is 100 r + c + 2.
#include <cstdio>
#include <cuda_fp16.h>
#include <shflviz/watch.h>

#define MMA(d, a, b0, b1)                                                                          \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "                              \
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                 \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))

__device__ unsigned packed(float low, float high) {
    return __half_as_ushort(__float2half(low)) | (unsigned)__half_as_ushort(__float2half(high))
                                                     << 16;
}

__global__ void tile(const __half *a, const __half *b, const __half *v, float *out) {
    int lane = threadIdx.x, group = lane / 4, pair = lane % 4;
    float s[2][4] = {}, o[4] = {};
    for (int n = 0; n < 2; n++)
        for (int k = 0; k < 32; k += 16) {
            const unsigned *upper = (const unsigned *)(a + 32 * group + k) + pair;
            const unsigned *lower = (const unsigned *)(a + 32 * (group + 8) + k) + pair;
            const unsigned *across = (const unsigned *)(b + 32 * (8 * n + group) + k) + pair;
            const unsigned registers[] = {upper[0], lower[0], upper[4], lower[4]};
            MMA(s[n], registers, across[0], across[4]);
        }
    const unsigned p[] = {packed(s[0][0], s[0][1]), packed(s[0][2], s[0][3]),
                          packed(s[1][0], s[1][1]), packed(s[1][2], s[1][3])};
    const unsigned *across = (const unsigned *)(v + 16 * group) + pair;
    MMA(o, p, across[0], across[4]);
    float most = fmaxf(o[0], o[1]);
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 1));
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, 2));
    shflviz_watch(most);
    if (pair == 0)
        out[group] = most;
}

int main() {
    __half *a, *b, *v;
    float *out;
    cudaMallocManaged(&a, 16 * 32 * sizeof *a);
    cudaMallocManaged(&b, 16 * 32 * sizeof *b);
    cudaMallocManaged(&v, 8 * 16 * sizeof *v);
    cudaMallocManaged(&out, 8 * sizeof *out);
    for (int row = 0; row < 16; row++)
        for (int k = 0; k < 32; k++)
            a[32 * row + k] = __float2half(k == row ? 1.0f : k == row + 16 ? 2.0f : 0.0f);
    for (int column = 0; column < 16; column++)
        for (int k = 0; k < 32; k++)
            b[32 * column + k] = __float2half(k < 16 ? (float)(100 * k + column) : 1.0f);
    for (int i = 0; i < 128; i++)
        v[i] = __float2half((float)(i / 16 == i % 16));
    tile<<<1, 32>>>(a, b, v, out);
    cudaDeviceSynchronize();
    std::printf("the largest of row 1 is %g\n", out[1]);
}
