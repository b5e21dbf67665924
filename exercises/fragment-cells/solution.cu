// The cell of C (16 by 8) that this lane holds in c[i], as 8 * row + column.
__device__ int c_cell(int i) {
    const int group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    const int row = group + i / 2 * 8, column = 2 * pair + i % 2;
    return 8 * row + column;
}

// The cell of A (16 by 16) that this lane holds in a[i], as 16 * row + column.
__device__ int a_cell(int i) {
    const int group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    const int row = group + i / 2 % 2 * 8, column = 2 * pair + i % 2 + i / 4 * 8;
    return 16 * row + column;
}

// The holder of C[row][column], as 4 * lane + i.
__device__ int c_holder(int row, int column) {
    const int lane = row % 8 * 4 + column / 2;
    return 4 * lane + row / 8 * 2 + column % 2;
}
