/* Blocks signal each other with operations of block scope. */
#include <cuda/atomic>

__global__ void fence_of_block(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence_block();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        *out = *data; // finds global_race
        // says the operation at flag_of_block.cu:10 that orders the accesses has only block scope
    }
}

__global__ void release_of_block(int *data, int *flag, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_block> set(*flag);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        set.store(1, cuda::memory_order_release);
    } else {
        while (set.load(cuda::memory_order_acquire) == 0) // finds global_race
            ;
        *out = *data; // finds global_race
        // says the operation at flag_of_block.cu:25 that orders the accesses has only block scope
    }
}

__global__ void by_ptx(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int seen;
        do
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (!seen);
        *out = *data; // finds global_race
    }
}

__global__ void count(int *total) {
    atomicAdd_block(total, 1); // finds global_race
    // says is atomic only within its block
}

int main() {
    int *data, *flag, *out;
    cudaMalloc(&data, 3 * sizeof *data);
    cudaMalloc(&flag, 4 * sizeof *flag);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(flag, 0, 4 * sizeof *flag);
    fence_of_block<<<2, 32>>>(data, flag, out);
    release_of_block<<<2, 32>>>(data + 1, flag + 1, out);
    by_ptx<<<2, 32>>>(data + 2, flag + 2, out);
    count<<<4, 32>>>(flag + 3);
    return cudaDeviceSynchronize();
}
