// transpose - a matrix transposed in shared memory, for `shflviz run --memory-accesses`. A tile 32
// wide is read by columns, each in one bank; one more word in each row spreads it over all banks.
#include <cstdio>

#define N 32

__global__ void plain(const float *in, float *out) {
    __shared__ float tile[N][N];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * N + x];
    __syncthreads();
    out[y * N + x] = tile[x][y];
}

__global__ void padded(const float *in, float *out) {
    __shared__ float tile[N][N + 1];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * N + x];
    __syncthreads();
    out[y * N + x] = tile[x][y];
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, N * N * sizeof *in);
    cudaMallocManaged(&out, N * N * sizeof *out);
    for (int i = 0; i < N * N; i++)
        in[i] = i;
    plain<<<1, dim3(N, N)>>>(in, out);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", out[0], out[1], out[N]);
    padded<<<1, dim3(N, N)>>>(in, out);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", out[0], out[1], out[N]);
}
