// c0 and c1 are this lane's values in row lane / 4 of C; c2 and c3 are its values 8 rows lower.
// Returns the sum of the first row in x and the sum of the second row in y, in all four lanes that
// hold these rows.
__device__ float2 row_sums(float c0, float c1, float c2, float c3) {
    float2 sums = make_float2(c0 + c1, c2 + c3);
    for (int laneMask = 1; laneMask < 4; laneMask *= 2) {
        sums.x += __shfl_xor_sync(0xffffffff, sums.x, laneMask);
        sums.y += __shfl_xor_sync(0xffffffff, sums.y, laneMask);
    }
    return sums;
}
