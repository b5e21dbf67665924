// mma.sync, ldmatrix, stmatrix and movmatrix, as in a kernel like cuBLAS's: registers are filled by
// the formulas of the PTX ISA or by ldmatrix, and the products are compared with a loop.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define GROUP  (threadIdx.x >> 2)
#define THREAD (threadIdx.x % 4)

static __device__ unsigned at(const void *shared) {
    return (unsigned)__cvta_generic_to_shared(shared);
}

// A (16 by 16) and B (16 by 8), both row-major, are read through shared memory.
__global__ void halves(const half *a, const half *b, float *c) {
    __shared__ __align__(16) half left[16][16], right[16][8];
    for (int i = threadIdx.x; i < 256; i += 32)
        left[i / 16][i % 16] = a[i];
    for (int i = threadIdx.x; i < 128; i += 32)
        right[i / 8][i % 8] = b[i];
    __syncwarp();
    unsigned ra[4], rb[2];
    // Matrix 0 is at the upper left, 1 below it, 2 to its right: the order of a0 to a7.
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(at(&left[threadIdx.x % 16][threadIdx.x / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(at(&right[threadIdx.x % 16])));
    float d[4] = {0, 0, 0, 0};
    for (int twice = 0; twice < 2; twice++)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++)
        c[(i < 2 ? GROUP : GROUP + 8) * 8 + THREAD * 2 + (i & 1)] = d[i];
}

static __device__ unsigned pack(float low, float high) {
    const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
    unsigned bits;
    memcpy(&bits, &both, 4);
    return bits;
}

__global__ void bfloats(const float *a, const float *b, float *c) {
    float d[4];
    const unsigned g = GROUP, t = THREAD;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
        "{%7,%7,%7,%7};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(pack(a[g * 8 + t * 2], a[g * 8 + t * 2 + 1])),
          "r"(pack(a[(g + 8) * 8 + t * 2], a[(g + 8) * 8 + t * 2 + 1])),
          "r"(pack(b[t * 2 * 8 + g], b[(t * 2 + 1) * 8 + g])), "f"(1.0f));
    for (int i = 0; i < 4; i++)
        c[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = d[i];
}

__global__ void tf32s(const float *a, const float *b, float *c) {
    float d[4];
    const unsigned g = GROUP, t = THREAD;
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%10,%10,%10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(__float_as_uint(a[g * 8 + t])), "r"(__float_as_uint(a[(g + 8) * 8 + t])),
          "r"(__float_as_uint(a[g * 8 + t + 4])), "r"(__float_as_uint(a[(g + 8) * 8 + t + 4])),
          "r"(__float_as_uint(b[t * 8 + g])), "r"(__float_as_uint(b[(t + 4) * 8 + g])), "f"(1.0f));
    for (int i = 0; i < 4; i++)
        c[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = d[i];
}

// A is row-major, B column-major, with k = 32; signed times unsigned.
__global__ void bytes(const signed char *a, const unsigned char *b, int *c) {
    const unsigned g = GROUP, t = THREAD;
    int d[4];
    auto left = [=](unsigned row, unsigned column) {
        return *(const int *)(a + row * 32 + column);
    };
    auto right = [=](unsigned row) { return *(const int *)(b + g * 32 + row); };
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%10,%10,%10,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(left(g, t * 4)), "r"(left(g + 8, t * 4)), "r"(left(g, t * 4 + 16)),
          "r"(left(g + 8, t * 4 + 16)), "r"(right(t * 4)), "r"(right(t * 4 + 16)), "r"(1));
    for (int i = 0; i < 4; i++)
        c[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = d[i];
}

__global__ void doubles(const double *a, const double *b, double *c) {
    double d[2];
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%4};"
        : "=d"(d[0]), "=d"(d[1])
        : "d"(a[GROUP * 4 + THREAD]), "d"(b[THREAD * 8 + GROUP]), "d"(1.0));
    c[GROUP * 8 + THREAD * 2] = d[0];
    c[GROUP * 8 + THREAD * 2 + 1] = d[1];
}

// A matrix stored directly, one moved to its transpose, and one stored transposed: the same in
// memory except for the second.
__global__ void moves(unsigned short *out) {
    __shared__ __align__(16) unsigned short memory[3][8][8];
    const unsigned held = (GROUP * 8 + THREAD * 2) | (GROUP * 8 + THREAD * 2 + 1) << 16;
    unsigned moved;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(held));
    const unsigned row = threadIdx.x % 8;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at(memory[0][row])),
                 "r"(held));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(
                     at(memory[1 + threadIdx.x / 8 % 2][row])),
                 "r"(moved), "r"(held));
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at(memory[2][row])),
        "r"(moved));
    __syncwarp();
    for (int i = threadIdx.x; i < 192; i += 32)
        out[i] = memory[0][0][i];
}

template <class A, class B, class C>
static int wrong(const A *a, const B *b, const C *c, int m, int k, int times, int more,
                 bool by_columns) {
    int count = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 8; j++) {
            double sum = more;
            for (int l = 0; l < k; l++)
                sum += times * (double)(float)a[i * k + l] *
                       (double)(float)b[by_columns ? j * k + l : l * 8 + j];
            count += sum != (double)c[i * 8 + j];
        }
    return count;
}

template <class A, class B, class C>
static void test(const char *name, void (*kernel)(const A *, const B *, C *), int m, int k,
                 int times, int more, bool by_columns = false) {
    A *a;
    B *b;
    C *c;
    cudaMallocManaged(&a, m * k * sizeof *a);
    cudaMallocManaged(&b, k * 8 * sizeof *b);
    cudaMallocManaged(&c, m * 8 * sizeof *c);
    for (int i = 0; i < m * k; i++)
        a[i] = (A)(float)(i * 5 % 13 - 6);
    for (int i = 0; i < k * 8; i++)
        b[i] = (B)(float)(i * 7 % 11);
    kernel<<<1, 32>>>(a, b, c);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d wrong, error %d\n", name, wrong(a, b, c, m, k, times, more, by_columns), error);
}

int main() {
    test("f16", halves, 16, 16, 2, 0);
    test("bf16", bfloats, 16, 8, 1, 1);
    test("tf32", tf32s, 16, 8, 1, 1);
    test("s8 by u8", bytes, 16, 32, 1, 1, true);
    test("f64", doubles, 8, 4, 1, 1);
    unsigned short *out;
    cudaMallocManaged(&out, 192 * sizeof *out);
    moves<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    int same = 0, transposed = 0, again = 0;
    for (int i = 0; i < 64; i++) {
        same += out[i] == i;
        transposed += out[64 + i] == i % 8 * 8 + i / 8;
        again += out[128 + i] == i;
    }
    printf("stored %d, transposed %d, back %d\n", same, transposed, again);
}
