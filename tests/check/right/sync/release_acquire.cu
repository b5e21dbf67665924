/* Each way in which a thread can signal that it has written something, used once. */
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_flag;

/* By a flag, from block 0 to block 1. */
__global__ void by_flag(int way, int *data, int *flag, int *out) {
    device_flag set(*flag);
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        if (way == 0)
            set.store(1, cuda::memory_order_release);
        if (way == 1)
            set = 1; /* sequentially consistent */
        if (way == 2) {
            cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
            set.store(1, cuda::memory_order_relaxed);
        }
        if (way == 3)
            set.fetch_add(1, cuda::memory_order_acq_rel);
        if (way == 4)
            asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
        if (way == 5) {
            asm volatile("fence.acq_rel.gpu;" ::: "memory");
            asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
        }
        if (way == 6)
            __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
        return;
    }
    int seen = 0;
    while (!seen) {
        if (way == 0 || way == 3)
            seen = set.load(cuda::memory_order_acquire);
        if (way == 1)
            seen = set;
        if (way == 2)
            seen = set.load(cuda::memory_order_relaxed);
        if (way == 4)
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        if (way == 5)
            asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        if (way == 6)
            seen = __nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    }
    if (way == 2)
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    if (way == 5)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    *out = *data;
}

/* The last block reads what all blocks have written; a relaxed counter is between two fences. */
__global__ void last(int *partial, int *arrived, int *out) {
    __shared__ bool is_last;
    device_flag counter(*arrived);
    partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = counter.fetch_add(1, cuda::memory_order_relaxed) == (int)gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last)
        atomicAdd(out, partial[threadIdx.x]);
}

/* Within a block, at block scope. */
__global__ void in_block(int *out) {
    __shared__ int data, flag, fenced;
    cuda::atomic_ref<int, cuda::thread_scope_block> set(flag), late(fenced);
    if (threadIdx.x == 0)
        flag = fenced = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 7;
        set.store(1, cuda::memory_order_release);
    }
    if (threadIdx.x == 32) {
        while (!set.load(cuda::memory_order_acquire))
            ;
        data++;
        __threadfence_block();
        late.store(1, cuda::memory_order_relaxed);
    }
    if (threadIdx.x == 64) {
        while (!late.load(cuda::memory_order_relaxed))
            ;
        __threadfence_block();
        out[blockIdx.x] = data;
    }
}

/* A warp fills a buffer several times, and another warp empties it each time. */
__global__ void by_barrier(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> filled, emptied;
    __shared__ int buffer[32];
    const int t = (int)threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&filled, 64);
        init(&emptied, 64);
    }
    __syncthreads();
    for (int round = 0; round < 3; round++)
        if (threadIdx.x < 32) {
            buffer[t] = t + round;
            (void)filled.arrive();
            emptied.arrive_and_wait();
        } else {
            filled.arrive_and_wait();
            out[64 * blockIdx.x + t] = buffer[31 - t];
            (void)emptied.arrive();
        }
}

/* One lane arrives for its warp, after waiting for the other lanes. */
__global__ void one_arrives(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ int buffer[32];
    const int t = (int)threadIdx.x % 32;
    if (threadIdx.x == 0)
        init(&filled, 33);
    __syncthreads();
    if (threadIdx.x < 32) {
        buffer[t] = t;
        __syncwarp();
        if (t == 0)
            (void)filled.arrive();
    } else {
        filled.arrive_and_wait();
        out[32 * blockIdx.x + t] = buffer[t];
    }
}

__global__ void by_others(cuda::latch<cuda::thread_scope_device> *latch,
                          cuda::counting_semaphore<cuda::thread_scope_device> *turn, int *data,
                          int *out) {
    if (threadIdx.x)
        return;
    data[blockIdx.x] = (int)blockIdx.x;
    latch->arrive_and_wait();
    out[blockIdx.x] = data[1 - blockIdx.x];
    turn->acquire();
    ++*data;
    turn->release();
}

__global__ void begin(cuda::latch<cuda::thread_scope_device> *latch,
                      cuda::counting_semaphore<cuda::thread_scope_device> *turn) {
    new (latch) cuda::latch<cuda::thread_scope_device>(2);
    new (turn) cuda::counting_semaphore<cuda::thread_scope_device>(1);
}

int main() {
    int *data, *flag, *out;
    cuda::latch<cuda::thread_scope_device> *latch;
    cuda::counting_semaphore<cuda::thread_scope_device> *turn;
    cudaMalloc(&data, 1024 * sizeof *data);
    cudaMalloc(&flag, 8 * sizeof *flag);
    cudaMalloc(&out, 256 * sizeof *out);
    cudaMalloc(&latch, sizeof *latch);
    cudaMalloc(&turn, sizeof *turn);
    cudaMemset(flag, 0, 8 * sizeof *flag);
    cudaMemset(out, 0, 256 * sizeof *out);
    for (int way = 0; way < 7; way++)
        by_flag<<<2, 32>>>(way, data, flag + way, out);
    last<<<8, 64>>>(data, flag + 7, out);
    in_block<<<3, 96>>>(out);
    by_barrier<<<2, 64>>>(out);
    one_arrives<<<2, 64>>>(out);
    begin<<<1, 1>>>(latch, turn);
    by_others<<<2, 32>>>(latch, turn, data, out);
    return cudaDeviceSynchronize();
}
