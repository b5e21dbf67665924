// The driver's arrays, its copies into them, and textures over them; occupancy by the driver.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void read_bytes(CUtexObject texture, float *out) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}
__global__ void read_numbers(CUtexObject texture, int *out) {
    out[threadIdx.x] =
        tex2D<unsigned char>(texture, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}
__global__ void read_linear(CUtexObject texture, float *out) {
    out[threadIdx.x] = tex1Dfetch<float2>(texture, threadIdx.x).y;
}

static size_t shared_of(int block) {
    return block * 64;
}

int main() {
    CUcontext context;
    cuInit(0);
    cuCtxCreate(&context, nullptr, 0, 0);
    unsigned char pixels[2][8] = {{0, 51, 102, 255, 9, 9, 9, 9}, {255, 204, 153, 0, 9, 9, 9, 9}};
    CUDA_ARRAY_DESCRIPTOR wanted = {4, 2, CU_AD_FORMAT_UNSIGNED_INT8, 1}, got;
    CUarray array;
    printf("%d\n", cuArrayCreate(&array, &wanted));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = pixels;
    copy.srcPitch = 8;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 4;
    copy.Height = 2;
    printf("%d\n", cuMemcpy2D(&copy));
    copy.WidthInBytes = 5; // beyond the array
    printf("%d\n", cuMemcpy2D(&copy));
    cuArrayGetDescriptor(&got, array);
    printf("%zu %zu %d %u\n", got.Width, got.Height, got.Format, got.NumChannels);

    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC how = {};
    how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject texture, numbers, line;
    printf("%d\n", cuTexObjectCreate(&texture, &resource, &how, NULL));
    how.flags = CU_TRSF_READ_AS_INTEGER;
    printf("%d\n", cuTexObjectCreate(&numbers, &resource, &how, NULL));
    float *out, host[8];
    int *integers, whole[8];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&integers, sizeof whole);
    read_bytes<<<1, 8>>>(texture, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    read_numbers<<<1, 8>>>(numbers, integers);
    cudaMemcpy(whole, integers, sizeof whole, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%.1f %d%c", host[i], whole[i], i < 7 ? ',' : '\n');

    float pairs[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    CUdeviceptr memory;
    cuMemAlloc(&memory, sizeof pairs);
    cuMemcpyHtoD(memory, pairs, sizeof pairs);
    CUDA_RESOURCE_DESC linear = {};
    linear.resType = CU_RESOURCE_TYPE_LINEAR;
    linear.res.linear.devPtr = memory;
    linear.res.linear.format = CU_AD_FORMAT_FLOAT;
    linear.res.linear.numChannels = 2;
    linear.res.linear.sizeInBytes = sizeof pairs;
    printf("%d\n", cuTexObjectCreate(&line, &linear, &how, NULL));
    read_linear<<<1, 4>>>(line, out);
    cudaMemcpy(host, out, 4 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);

    CUfunction function;
    int grid = 0, block = 0, bound_grid = 0, bound = 0;
    cudaGetFuncBySymbol((cudaFunction_t *)&function, (const void *)read_linear);
    cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0);
    cuOccupancyMaxPotentialBlockSize(&bound_grid, &bound, function, shared_of, 0, 500);
    printf("%d %d, %d %d\n", block, grid > 0, bound > 0 && bound <= 500, bound_grid > 0);
    printf("%d %d %d %d\n", cuTexObjectDestroy(texture), cuTexObjectDestroy(numbers),
           cuTexObjectDestroy(line), cuArrayDestroy(array));
}
