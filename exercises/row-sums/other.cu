// c0 and c1 are this lane's values in row lane / 4 of C; c2 and c3 are its values 8 rows lower.
// Returns the sum of the first row in x and the sum of the second row in y, in all four lanes that
// hold these rows.
__device__ float2 row_sums(float c0, float c1, float c2, float c3) {
    const bool odd = threadIdx.x % 2;
    const float low = c0 + c1, high = c2 + c3;
    // An even lane gives its part of the second row for its partner's of the first.
    float mine = (odd ? high : low) + __shfl_xor_sync(0xffffffff, odd ? low : high, 1);
    mine += __shfl_xor_sync(0xffffffff, mine, 2);
    const float other = __shfl_xor_sync(0xffffffff, mine, 1);
    return odd ? make_float2(other, mine) : make_float2(mine, other);
}
