// C = A B: A has 16 rows of k values, B has 8 columns of k values, each row and column contiguous;
// C has 16 rows of 8. One warp; k is a multiple of 16.
__global__ void product(const __half *a, const __half *b, float *c, int k) {
    const int group = threadIdx.x / 4, pair = threadIdx.x % 4;
    float d[4] = {0, 0, 0, 0};
    for (int first = 0; first < k; first += 16) {
        // Two values make a register.
        const unsigned *upper = (const unsigned *)(a + k * group + first) + pair;
        const unsigned *lower = (const unsigned *)(a + k * (group + 8) + first) + pair;
        const unsigned *column = (const unsigned *)(b + k * group + first) + pair;
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(upper[0]), "r"(lower[0]), "r"(upper[4]), "r"(lower[4]), "r"(column[0]),
                       "r"(column[4]));
    }
    c[8 * group + 2 * pair] = d[0];
    c[8 * group + 2 * pair + 1] = d[1];
    c[8 * (group + 8) + 2 * pair] = d[2];
    c[8 * (group + 8) + 2 * pair + 1] = d[3];
}
