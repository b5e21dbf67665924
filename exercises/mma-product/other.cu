// C = A B: A has 16 rows of k values, B has 8 columns of k values, each row and column contiguous;
// C has 16 rows of 8. One warp; k is a multiple of 16.
__global__ void product(const __half *a, const __half *b, float *c, int k) {
    const int group = threadIdx.x / 4, pair = threadIdx.x % 4;
    float d[4] = {0, 0, 0, 0};
    for (int first = 0; first < k; first += 16) {
        // Takes four adjacent values for two columns and the two that are 8 columns further on, in
        // both A and B: only the order of the additions changes.
        const uint2 upper = *(const uint2 *)(a + k * group + first + 4 * pair);
        const uint2 lower = *(const uint2 *)(a + k * (group + 8) + first + 4 * pair);
        const uint2 column = *(const uint2 *)(b + k * group + first + 4 * pair);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(upper.x), "r"(lower.x), "r"(upper.y), "r"(lower.y), "r"(column.x),
                       "r"(column.y));
    }
    *(float2 *)(c + 8 * group + 2 * pair) = make_float2(d[0], d[1]);
    *(float2 *)(c + 8 * (group + 8) + 2 * pair) = make_float2(d[2], d[3]);
}
