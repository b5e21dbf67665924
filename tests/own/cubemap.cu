// Cubemaps: faces in the guide's order, where a direction hits them, and layers of six.
#include <cstdio>
#include <cuda_runtime.h>

struct direction {
    float x, y, z;
};

__global__ void look(cudaTextureObject_t one, cudaTextureObject_t many, const direction *to,
                     float *out) {
    const direction d = to[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(one, d.x, d.y, d.z);
    out[threadIdx.x + blockDim.x] = texCubemapLayered<float>(many, d.x, d.y, d.z, 1);
}

// Texel (column, row) of face f of layer l is 100 l + 10 f + 2 row + column.
static cudaArray_t cube(int layers, unsigned flags, cudaTextureObject_t *texture) {
    static float texels[2 * 6 * 4];
    for (int f = 0; f < 6 * layers; f++)
        for (int i = 0; i < 4; i++)
            texels[4 * f + i] = 100 * (f / 6) + 10 * (f % 6) + i;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    printf("%s\n", cudaGetErrorName(cudaMalloc3DArray(&array, &format,
                                                      make_cudaExtent(2, 2, 6 * layers), flags)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(float), 2, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(2, 2, 6 * layers);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.filterMode = cudaFilterModePoint;
    cudaCreateTextureObject(texture, &resource, &how, NULL);
    return array;
}

int main() {
    cudaArray_t bad;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    printf("%s\n", cudaGetErrorName(cudaMalloc3DArray(&bad, &format, make_cudaExtent(2, 3, 6),
                                                      cudaArrayCubemap)));
    cudaTextureObject_t one, many;
    cudaArray_t first = cube(1, cudaArrayCubemap, &one);
    cudaArray_t second = cube(2, cudaArrayCubemap | cudaArrayLayered, &many);
    // The upper left texel of each face, then one to the lower right of face +x.
    const direction to[7] = {{1, .5f, .5f},  {-2, 1, -1},    {-.5f, 1, -.5f}, {-.5f, -1, .5f},
                             {-.5f, .5f, 1}, {.5f, .5f, -1}, {1, -.5f, -.5f}};
    direction *d;
    float *out, host[14];
    cudaMalloc(&d, sizeof to);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(d, to, sizeof to, cudaMemcpyHostToDevice);
    look<<<1, 7>>>(one, many, d, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 14; i++)
        printf("%g%c", host[i], i % 7 < 6 ? ' ' : '\n');
    cudaDestroyTextureObject(one);
    cudaDestroyTextureObject(many);
    cudaFreeArray(first);
    cudaFreeArray(second);
}
