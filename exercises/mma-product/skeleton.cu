// C = A B: A has 16 rows of k values, B has 8 columns of k values, each row and column contiguous;
// C has 16 rows of 8. One warp; k is a multiple of 16.
__global__ void product(const __half *a, const __half *b, float *c, int k) {
    unsigned a0 = 0, a1 = 0, a2 = 0, a3 = 0, b0 = 0, b1 = 0; // two values each
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    // d0 to d3 belong in C.
}
