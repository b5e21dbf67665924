// The cell of C (16 by 8) that this lane holds in c[i], as 8 * row + column.
__device__ int c_cell(int i) {
    const int group = threadIdx.x % 32 / 4, pair = threadIdx.x % 4;
    return 0;
}

// The cell of A (16 by 16) that this lane holds in a[i], as 16 * row + column.
__device__ int a_cell(int i) {
    return 0;
}

// The holder of C[row][column], as 4 * lane + i.
__device__ int c_holder(int row, int column) {
    return 0;
}
