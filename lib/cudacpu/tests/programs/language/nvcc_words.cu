// nvcc's built-in names: macros, atomic functions with memory orders, and NVTX's calls (no-ops).
#include <cstdio>
#include <nvtx3/nvToolsExtCudaRt.h>

#if __CUDACC__ && __NVCC__ && __CUDA_ARCH__ >= 0
__device__ int seen = 1;
#endif

__global__ void atomics(int *x, float *y) {
    __nv_atomic_fetch_add(x, 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(y, 0.5f, __NV_ATOMIC_RELAXED);
    if (threadIdx.x == 0)
        __nv_atomic_fetch_max(&x[1], 40, __NV_ATOMIC_SEQ_CST);
    int wanted = 7, other = 8;
    if (threadIdx.x == 1)
        x[2] = __nv_atomic_compare_exchange_n(&x[3], &wanted, 9, false, __NV_ATOMIC_ACQ_REL,
                                              __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __syncthreads();
    if (threadIdx.x == 2) {
        bool was = __nv_atomic_compare_exchange_n(&x[3], &other, 1, false, __NV_ATOMIC_RELAXED,
                                                  __NV_ATOMIC_RELAXED);
        __nv_atomic_store_n(&x[4], was ? -1 : other, __NV_ATOMIC_RELEASE);
        x[5] = __nv_atomic_load_n(&x[1], __NV_ATOMIC_ACQUIRE) +
               __nv_atomic_exchange_n(&x[6], 3, __NV_ATOMIC_RELAXED);
    }
}

__global__ void words(unsigned *out) {
    out[0] = __viaddmax_s16x2(0x7fff0001u, 0x00010002u, 0xfff00002u); // 0x8000 wraps to -32768
    out[1] = __vimin3_u16x2(0x00050009u, 0x00060008u, 0x00070003u);
    out[2] = __vimax3_s16x2_relu(0xffff0003u, 0xfffe0004u, 0xfffd0005u);
    bool high, low;
    out[3] = __vibmax_s16x2(0x0001fff0u, 0x00010001u, &high, &low);
    out[4] = high * 2 + low;
    out[5] = __vimin_s32_relu(-5, 3);
    out[6] = __viaddmin_u32(0xffffffffu, 3, 5);
}

int main() {
    nvtxRangePushA("all");
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "part";
    nvtxRangePushEx(&event);
    int *x, start[7] = {0, 39, 0, 7, 0, 0, 2}, got[7];
    float *y, sum = 0;
    unsigned *out, host[7];
    cudaMalloc(&x, sizeof start);
    cudaMalloc(&y, sizeof sum);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(x, start, sizeof start, cudaMemcpyHostToDevice);
    cudaMemset(y, 0, sizeof sum);
    atomics<<<1, 32>>>(x, y);
    words<<<1, 1>>>(out);
    cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, y, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int value : got)
        printf("%d ", value);
    printf("%g\n", sum);
    for (unsigned value : host)
        printf("%x ", value);
    nvtxRangePop();
    nvtxNameCudaStreamA(0, "default");
    int there = 0;
    cudaMemcpyFromSymbol(&there, seen, sizeof there);
    printf("%d\n", there);
}
