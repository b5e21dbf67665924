// Memory that is allocated again gets its new size; memory after it is watched as before.
__global__ void fill(int *a, int *b, int *c) {
    int t = threadIdx.x;
    a[t] = 1;
    b[t] = 2;
    c[t] = a[t] + b[t + 64]; // finds out_of_bounds
}

__global__ void add(const int *a, const int *b, int *c) {
    int t = threadIdx.x;
    c[t] = a[t] + b[t]; // finds uninitialized_read
}

int main() {
    int *a, *b, *c, *again;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    cudaMalloc(&c, 256);
    cudaMemset(a, 0, 256);
    cudaFree(a);
    cudaMalloc(&again, 256);
    if (again != a)
        return 1;
    add<<<1, 64>>>(b, b, c);
    fill<<<1, 64>>>(again, b, c);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
