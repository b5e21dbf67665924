// Another thread's local variable, accessed by a function from a header and by inline PTX.
__global__ void use(int *out) {
    int sum = 0, list[32];
    int *of_first = (int *)__shfl_sync(0xffffffff, (unsigned long long)&sum, 0);
    unsigned long long of_list = __shfl_sync(0xffffffff, (unsigned long long)list, 0);
    atomicAdd(of_first, 1); // finds wrong_memory_space
    // says atomically updates 4 bytes of another thread's local memory
    of_list += 4 * threadIdx.x;
    asm volatile("st.s32 [%0], %1;" ::"l"(of_list), "r"(7) : "memory"); // finds wrong_memory_space
    __syncwarp();
    out[threadIdx.x] = sum + ((volatile int *)list)[threadIdx.x] * 0;
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    use<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
