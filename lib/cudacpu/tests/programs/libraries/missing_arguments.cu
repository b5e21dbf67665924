// Missing arguments, as in the manuals: a null pointer where something must be written or read is
// an invalid value; of two optional results, either may be omitted.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

static void priorities() {
    int least = 7, greatest = 7;
    cudaDeviceGetStreamPriorityRange(&least, nullptr);
    printf("least %d, %d\n", least, cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
    printf("greater: %s\n", greatest < least ? "yes" : "no");
}

static void rows() {
    const float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t plane; // with two rows, so two more do not fit from the second on
    cudaMallocArray(&plane, &format, 2, 2);
    printf("%d ", cudaMemcpy2DToArray(plane, 0, 1, texels, 8, 8, 1, cudaMemcpyHostToDevice));
    printf("%d\n", cudaMemcpy2DToArray(plane, 0, 1, texels, 8, 8, 2, cudaMemcpyHostToDevice));
}

int main() {
    priorities();
    rows();
    return cudaDeviceSynchronize();
}
