// out becomes `in` transposed, 32 by 32, with 32 by 8 threads.
__global__ void transpose(const int *in, int *out) {
    __shared__ int tile[32][32];
    const int x = threadIdx.x;
    for (int row = threadIdx.y; row < 32; row += 8)
        tile[row][x ^ row] = in[32 * row + x];
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8)
        out[32 * row + x] = tile[x][row ^ x];
}
