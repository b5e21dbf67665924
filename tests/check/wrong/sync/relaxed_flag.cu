/* A relaxed flag publishes nothing but itself, not earlier writes. */
#include <cstdio>
#include <cuda/atomic>

typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_flag;

__global__ void no_release(int *data, int *flag, int *out) {
    device_flag set(*flag);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        set.store(1, cuda::memory_order_relaxed);
    } else {
        while (set.load(cuda::memory_order_acquire) == 0)
            ;
        *out = *data; // finds global_race
        // says no fence separates the write from the atomic operation at relaxed_flag.cu:13
    }
}

__global__ void no_acquire(int *data, int *flag, int *out) {
    device_flag set(*flag);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        set.store(1, cuda::memory_order_release);
    } else {
        while (set.load(cuda::memory_order_relaxed) == 0)
            ;
        *out = *data; // finds global_race
        // says the atomic read at relaxed_flag.cu:30 is relaxed, and no fence follows it
    }
}

/* A release covers only the writes before it, and so does a fence. */
__global__ void too_late(int *data, int *flag, int *out) {
    device_flag set(*flag);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        __threadfence();
        set.store(2, cuda::memory_order_release);
        *data = 7;
        set.store(1, cuda::memory_order_relaxed);
    } else {
        while (set.load() != 1)
            ;
        *out = *data; // finds global_race
    }
}

__global__ void by_ptx(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int seen;
        do
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (!seen);
        *out = *data; // finds global_race
    }
}

int main() {
    int *data, *flag, *out;
    cudaMalloc(&data, 4 * sizeof *data);
    cudaMalloc(&flag, 4 * sizeof *flag);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(flag, 0, 4 * sizeof *flag);
    no_release<<<2, 32>>>(data, flag, out);
    no_acquire<<<2, 32>>>(data + 1, flag + 1, out);
    too_late<<<2, 32>>>(data + 2, flag + 2, out);
    by_ptx<<<2, 32>>>(data + 3, flag + 3, out);
    return cudaDeviceSynchronize();
}
