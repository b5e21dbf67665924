// Accesses beyond memory that a kernel got from malloc(), and to another thread's local variable.
__device__ int *list;

__global__ void make(int n) {
    list = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        list[i] = i;
}

__global__ void use(int n, int *out) {
    __shared__ int *of_first;
    int mine = threadIdx.x + 1;
    if (threadIdx.x == 0)
        of_first = &mine;
    __syncthreads();
    int sum = *of_first; // finds wrong_memory_space
    __syncthreads();
    for (int i = 0; i <= n; i++)
        sum += list[i]; // finds out_of_bounds
    out[threadIdx.x] = sum;
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    make<<<1, 1>>>(10);
    use<<<1, 32>>>(10, out);
    cudaDeviceSynchronize();
}
