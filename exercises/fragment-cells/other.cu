// The layout ((4,8),(2,2)):((2,8),(1,64)) of C by rows, ((4,8),(2,2,2)):((2,16),(1,128,8)) of A:
// each digit of the lane and of i has a weight.

// The cell of C (16 by 8) that this lane holds in c[i], as 8 * row + column.
__device__ int c_cell(int i) {
    const int lane = threadIdx.x % 32;
    return (lane & 3) * 2 + (lane >> 2) * 8 + (i & 1) + (i >> 1) * 64;
}

// The cell of A (16 by 16) that this lane holds in a[i], as 16 * row + column.
__device__ int a_cell(int i) {
    const int lane = threadIdx.x % 32;
    return (lane & 3) * 2 + (lane >> 2) * 16 + (i & 1) + (i >> 1 & 1) * 128 + (i >> 2) * 8;
}

// The holder of C[row][column], as 4 * lane + i.
__device__ int c_holder(int row, int column) {
    const int cell = 8 * row + column;
    // The bits of the cell are row 8421, column 421; those of the answer lane 16 to 1, i 21.
    return (cell & 63) >> 1 << 2 | cell >> 6 << 1 | (cell & 1);
}
