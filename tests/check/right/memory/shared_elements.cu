/* Blocks that read the same elements of an array, as they should, or only their own. */
#include <cstdio>

__global__ void sum(const int *in, int *out, int n) {
    int sum = 0;
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += (int)(blockDim.x * gridDim.x))
        sum += in[i];
    atomicAdd(out, sum);
}

/* A table that every block reads in full. */
__global__ void look_up(const int *table, const int *in, int *out, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        out[i] = table[in[i] % 64] + table[threadIdx.x];
}

/* The head of a longer buffer. */
__global__ void head(const int *in, int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x];
}

/* Each block reads its neighbour's elements, too. */
__global__ void halo(const int *in, int *out, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    out[i] = in[i] + in[(i + 64) % n];
}

int main() {
    int *in, *table, *out;
    cudaMalloc(&in, 1024 * sizeof *in);
    cudaMalloc(&table, 64 * sizeof *table);
    cudaMalloc(&out, 1024 * sizeof *out);
    cudaMemset(in, 1, 1024 * sizeof *in);
    cudaMemset(table, 1, 64 * sizeof *table);
    cudaMemset(out, 0, 1024 * sizeof *out);
    sum<<<4, 64>>>(in, out, 1024);
    sum<<<4, 64>>>(in, out, 1000);
    look_up<<<16, 64>>>(table, in, out, 1024);
    head<<<16, 64>>>(in, out);
    halo<<<4, 64>>>(in, out, 1024);
    cudaDeviceSynchronize();
}
