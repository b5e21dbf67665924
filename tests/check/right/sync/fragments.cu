// ldmatrix after the barrier that it needs, mma.sync by all lanes, and an epilogue of shuffles.
#include <cuda_fp16.h>

__global__ void rows(const half *a, float *out) {
    __shared__ __align__(16) half tile[16][16];
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i / 16][i % 16] = a[i];
    __syncwarp();
    const unsigned at =
        (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 16][threadIdx.x / 16 * 8]);
    unsigned r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
    const unsigned ones = 0x3c003c00; // two halves, each of them 1
    float c[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(ones));
    // Lane 4g holds row g in c0 and row g + 8 in c2.
    const float low = __shfl_sync(0xffffffff, c[0], threadIdx.x % 8 * 4),
                high = __shfl_sync(0xffffffff, c[2], threadIdx.x % 8 * 4);
    if (threadIdx.x < 16)
        out[threadIdx.x] = threadIdx.x < 8 ? low : high;
}

int main() {
    half *a;
    float *out;
    cudaMallocManaged(&a, 256 * sizeof *a);
    cudaMallocManaged(&out, 16 * sizeof *out);
    for (int i = 0; i < 256; i++)
        a[i] = __float2half((float)(i / 16));
    rows<<<1, 32>>>(a, out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < 16; i++)
        if (out[i] != 16.0f * i)
            return 1;
    return 0;
}
