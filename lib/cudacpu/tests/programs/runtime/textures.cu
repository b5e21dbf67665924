// Textures, by the rules of the programming guide, "Texture Fetching".
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void fetch(cudaTextureObject_t texture, float *out) {
    out[threadIdx.x] = tex1Dfetch<float>(texture, (int)threadIdx.x);
}
__global__ void line(cudaTextureObject_t texture, const float *at, float *out) {
    out[threadIdx.x] = tex1D<float>(texture, at[threadIdx.x]);
}
__global__ void plane(cudaTextureObject_t texture, const float2 *at, float *out) {
    out[threadIdx.x] = tex2D<float>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void bytes(cudaTextureObject_t texture, float4 *out) {
    out[threadIdx.x] = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f);
}
static void print(const float *device, int n) {
    float host[32];
    cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        printf("%g%c", host[i], i + 1 < n ? ' ' : '\n');
}

int main() {
    const float numbers[6] = {0, 10, 20, 30, 40, 50};
    float *memory, *out, *at;
    float2 *points;
    cudaMalloc(&memory, sizeof numbers);
    cudaMalloc(&out, 128);
    cudaMalloc(&at, 128);
    cudaMalloc(&points, 128);
    cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice);

    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = sizeof numbers;
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    fetch<<<1, 8>>>(texture, out);
    print(out, 8);
    cudaDestroyTextureObject(texture);

    /* T = 0 10 20 30: linear filtering, then each address mode. */
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 4);
    cudaMemcpy2DToArray(array, 0, 0, numbers, 16, 16, 1, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    desc.filterMode = cudaFilterModeLinear;
    desc.addressMode[0] = cudaAddressModeClamp;
    const float where[8] = {0, 0.5f, 1, 1.25f, 3.5f, 4, 9, -3};
    cudaMemcpy(at, where, sizeof where, cudaMemcpyHostToDevice);
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    line<<<1, 8>>>(texture, at, out);
    print(out, 8);
    cudaDestroyTextureObject(texture);
    desc.filterMode = cudaFilterModePoint;
    desc.normalizedCoords = 1;
    const float parts[6] = {0.1f, 0.9f, 1.1f, 1.4f, -0.1f, 2.6f};
    cudaMemcpy(at, parts, sizeof parts, cudaMemcpyHostToDevice);
    for (int mode = 0; mode < 4; mode++) {
        desc.addressMode[0] = (cudaTextureAddressMode)mode;
        cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
        line<<<1, 6>>>(texture, at, out);
        print(out, 6);
        cudaDestroyTextureObject(texture);
    }

    /* 3 by 2, pitched: halfway between four texels is their mean. */
    char *pitched;
    size_t pitch;
    cudaMallocPitch(&pitched, &pitch, 12, 2);
    cudaMemcpy2D(pitched, pitch, numbers, 12, 12, 2, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = pitched;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = 3;
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = pitch;
    desc = {};
    desc.filterMode = cudaFilterModeLinear;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    const float2 centres[4] = {{1, 1}, {0.5f, 0.5f}, {2.5f, 1.5f}, {1.5f, 1.25f}};
    cudaMemcpy(points, centres, sizeof centres, cudaMemcpyHostToDevice);
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    plane<<<1, 4>>>(texture, points, out);
    print(out, 4);
    cudaDestroyTextureObject(texture);

    /* Bytes as numbers in 0..1. */
    const uchar4 colours[2] = {{0, 51, 255, 102}, {255, 0, 0, 0}};
    cudaArray_t pixels;
    cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&pixels, &four, 2, 1);
    cudaMemcpy2DToArray(pixels, 0, 0, colours, 8, 8, 1, cudaMemcpyHostToDevice);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = pixels;
    desc = {};
    desc.readMode = cudaReadModeNormalizedFloat;
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    bytes<<<1, 2>>>(texture, (float4 *)out);
    print(out, 8);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
