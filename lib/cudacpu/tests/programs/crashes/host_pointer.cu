// Kernels that follow a pointer to the host's memory: error 700, found when the host waits for
// them, until the device is reset. Memory of both sides is allowed.
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void add(int *v, const int *w) {
    v[threadIdx.x] += w[threadIdx.x];
}
__global__ void store(int *v) {
    if (threadIdx.x == 5)
        *v = 7;
}
// A pointer that nobody follows is only a number.
__global__ void tell(const int *from, const int *to, int *v) {
    v[threadIdx.x] = from == nullptr ? -1 : (int)(to - from);
}
__device__ int both[32];
__device__ int *made;
__global__ void make() {
    made = new int(41);
}
__global__ void take(int *v, int *from) {
    *v = *from + 1;
}

static void report(const char *what) {
    cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    printf("%s: %s, then %s\n", what, cudaGetErrorName(launched), cudaGetErrorName(ended));
    if (ended == cudaSuccess)
        return;
    void *none;
    printf("  cudaMalloc: %s\n", cudaGetErrorName(cudaMalloc(&none, 4)));
    cudaDeviceReset();
}

int main() {
    int *heap = (int *)malloc(32 * sizeof(int)), local = 3, *device, *managed, *pinned, *mapped,
        *symbol, *of_kernel;
    std::vector<int> large(1 << 20), registered(32);
    for (int i = 0; i < 32; i++)
        heap[i] = i;
    cudaMalloc(&device, 128);
    add<<<1, 32>>>(device, heap);
    report("malloc");
    store<<<1, 32>>>(&local);
    report("a local variable");
    store<<<1, 32>>>(large.data());
    report("std::vector");
    cudaMalloc(&device, 128);
    void *arguments[] = {&device, &heap};
    cudaLaunchKernel((void *)add, 1, 32, arguments, 0, 0);
    report("cudaLaunchKernel");

    cudaMalloc(&device, 128);
    tell<<<1, 32>>>(heap, heap + 32, device);
    report("not followed");
    cudaMemcpy(heap, device, 128, cudaMemcpyDeviceToHost);
    cudaMallocManaged(&managed, 128);
    cudaMallocHost(&pinned, 128);
    cudaHostRegister(registered.data(), 128, cudaHostRegisterMapped);
    cudaHostGetDevicePointer((void **)&mapped, registered.data(), 0);
    cudaGetSymbolAddress((void **)&symbol, both);
    for (int i = 0; i < 32; i++)
        managed[i] = pinned[i] = i;
    add<<<1, 32>>>(managed, pinned);
    report("managed and pinned");
    add<<<1, 32>>>(mapped, managed);
    report("registered");
    add<<<1, 32>>>(symbol, device);
    report("a symbol");
    make<<<1, 1>>>();
    cudaMemcpyFromSymbol(&of_kernel, made, sizeof made);
    take<<<1, 1>>>(device, of_kernel);
    report("new in a kernel");
    int last;
    cudaMemcpy(&last, device, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", local, heap[31], registered[31], large[0], last);
    free(heap);
}
