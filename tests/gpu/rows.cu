/*
 * Checks, on a GPU, the number of passes that lib/warp/rows.h computes for the rows of ldmatrix.
 *
 *     nvcc -std=c++17 -arch=native -Ilib tests/gpu/rows.cu lib/warp/rows.c lib/warp/banks.c -o rows
 *     ./rows >expected
 *
 * Each case is a separate launch, so that Nsight Compute counts it by itself: tests/gpu/run
 * compares the passes of an instruction, which are printed here, with ncu's shared-memory
 * wavefronts for that instruction. Exits with 77 without a GPU.
 */
#include "warp/rows.h"

#include <cstdio>

#define TILE_BYTES (32u << 10)
#define REPEATS    64

/* Each instruction depends on the previous one, so the compiler keeps them all. */
template <int Matrices> __global__ void load(matrix_rows rows, unsigned *out) {
    extern __shared__ __align__(1024) unsigned char tile[];
    for (unsigned i = threadIdx.x; i < TILE_BYTES / 4; i += 32)
        ((unsigned *)tile)[i] = 0;
    __syncwarp();
    unsigned address = (unsigned)__cvta_generic_to_shared(tile) + rows.offset[threadIdx.x];
    for (int i = 0; i < REPEATS; i++) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (Matrices == 1)
            asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                         : "=r"(a)
                         : "r"(address));
        else if (Matrices == 2)
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                         : "=r"(a), "=r"(b)
                         : "r"(address));
        else
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "r"(address));
        address += a + b + c + d; /* zeros */
    }
    out[threadIdx.x] = address;
}

template <int Matrices> static void count(unsigned pitch, const char *text, unsigned *out) {
    swizzle by = {0, 0, 0};
    matrix_rows rows;
    bank_use use;
    int passes = 0;
    if (*text)
        swizzle_read(&by, text);
    matrix_rows_in_tile(&rows, Matrices, pitch, &by);
    for (int i = 0; i < Matrices; i++) {
        matrix_rows_use(&rows, i, &use);
        passes += use.passes;
    }
    printf("%d\n", passes);
    load<Matrices><<<1, 32, TILE_BYTES>>>(rows, out);
}

int main() {
    static const struct {
        unsigned pitch;
        const char *swizzle;
    } cases[] = {{16, ""},  {32, ""},      {64, ""},    {128, ""},  {144, ""},
                 {272, ""}, {128, "128B"}, {64, "64B"}, {32, "32B"}};
    int devices = 0;
    unsigned *out;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
        return 77;
    cudaMalloc(&out, 32 * sizeof *out);
    for (const auto &c : cases) {
        count<1>(c.pitch, c.swizzle, out);
        count<2>(c.pitch, c.swizzle, out);
        count<4>(c.pitch, c.swizzle, out);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
