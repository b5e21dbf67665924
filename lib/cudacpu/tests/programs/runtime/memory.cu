// Every kind of memory and copy: managed, pinned, mapped, pitched, arrays, symbols, pools.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__constant__ int factors[4];
__device__ int counter = 5;
__managed__ int managed = 7;

__global__ void scale(int *values, int n) {
    int i = threadIdx.x;
    if (i < n)
        values[i] *= factors[i % 4];
    if (i == 0)
        counter += managed;
}

__global__ void rows(char *base, size_t pitch) {
    base[blockIdx.x * pitch + threadIdx.x] = (char)('a' + blockIdx.x + threadIdx.x);
}

int main() {
    const int by[4] = {1, 10, 100, 1000};
    int *shared, *pinned, *seen, read = 0;
    cudaMemcpyToSymbol(factors, by, sizeof by);
    cudaMallocManaged(&shared, 8 * sizeof(int));
    for (int i = 0; i < 8; i++)
        shared[i] = i;
    scale<<<1, 32>>>(shared, 8);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        printf("%d ", shared[i]);
    cudaMemcpyFromSymbol(&read, counter, sizeof read);
    printf("| %d\n", read);

    cudaHostAlloc(&pinned, 4 * sizeof(int), cudaHostAllocMapped);
    for (int i = 0; i < 4; i++)
        pinned[i] = i + 1;
    cudaHostGetDevicePointer(&seen, pinned, 0);
    scale<<<1, 4>>>(seen, 4);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", pinned[0], pinned[1], pinned[2], pinned[3]);

    char *pitched, flat[3][5];
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 5, 3);
    rows<<<3, 5>>>(pitched, pitch);
    cudaMemcpy2D(flat, 5, pitched, pitch, 5, 3, cudaMemcpyDeviceToHost);
    printf("%.5s %.5s %.5s %d\n", flat[0], flat[1], flat[2], pitch % 512 == 0);
    cudaMemset2D(pitched, pitch, 'z', 2, 3);
    cudaMemcpy2D(flat, 5, pitched, pitch, 5, 3, cudaMemcpyDeviceToHost);
    printf("%.5s %.5s %.5s\n", flat[0], flat[1], flat[2]);

    cudaExtent extent = make_cudaExtent(2 * sizeof(int), 2, 2);
    cudaPitchedPtr cube;
    int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
    cudaMalloc3D(&cube, extent);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(in, 2 * sizeof(int), 2 * sizeof(int), 2);
    copy.dstPtr = cube;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    copy.srcPtr = cube;
    copy.dstPtr = make_cudaPitchedPtr(out, 2 * sizeof(int), 2 * sizeof(int), 2);
    copy.kind = cudaMemcpyDeviceToHost;
    printf("%s", cudaGetErrorName(cudaMemcpy3D(&copy)));
    for (int value : out)
        printf(" %d", value);
    printf("\n");

    cudaPointerAttributes attributes;
    const void *pointers[] = {pitched, shared, pinned, in};
    for (const void *pointer : pointers) {
        cudaPointerGetAttributes(&attributes, pointer);
        printf("%d ", attributes.type);
    }
    void *address;
    size_t size;
    cudaGetSymbolAddress(&address, counter);
    cudaGetSymbolSize(&size, factors);
    cudaMemset(address, 0, sizeof(int));
    cudaMemcpyFromSymbol(&read, counter, sizeof read);
    printf("| %d %d\n", (int)size, read);

    int *pooled, *zero;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync(&pooled, 4 * sizeof(int), stream);
    cudaMemsetAsync(pooled, 1, 4 * sizeof(int), stream);
    cudaMemcpyAsync(out, pooled, 4 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(pooled, stream);
    cudaStreamSynchronize(stream);
    printf("%x", out[3]);
    cudaMalloc(&zero, 1 << 22); /* fresh memory is zero, as on a fresh GPU */
    cudaMemcpy(out, zero + 1000000, 8, cudaMemcpyDeviceToHost);
    printf(" %d\n", out[0]);
    size_t available, total;
    cudaMemGetInfo(&available, &total);
    printf("%d\n", total - available >= (1 << 22) && total > ((size_t)1 << 30));
}
