// CUDA's errors: names and strings, copies in the wrong direction, sizes, frees, launches.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing() {}

static void say(const char *what, cudaError_t error) {
    cudaError_t last = cudaGetLastError();
    printf("%s: %d %s (%s), last %d\n", what, (int)error, cudaGetErrorName(error),
           cudaGetErrorString(error), (int)last);
}

int main() {
    int *device, *other, host[4] = {1, 2, 3, 4};
    void *never = nullptr;
    say("cudaMalloc", cudaMalloc(&device, sizeof host));
    cudaMalloc(&other, sizeof host);
    say("host to device", cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    say("device as host", cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice));
    say("host as device", cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost));
    say("host twice", cudaMemcpy(host, host + 2, 4, cudaMemcpyDeviceToDevice));
    say("direction 9", cudaMemcpy(device, host, 4, (cudaMemcpyKind)9));
    say("too long", cudaMemcpy(device, host, 1 << 20, cudaMemcpyHostToDevice));
    say("default", cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault));
    say("null", cudaMemset(nullptr, 0, 4));
    say("a host's memory", cudaFree(host));
    say("free", cudaFree(device));
    say("free again", cudaFree(device));
    say("free nothing", cudaFree(nullptr));
    say("far too much", cudaMalloc(&never, (size_t)1 << 50));
    printf("%d\n", never == nullptr);
    say("device 1", cudaSetDevice(1));
    nothing<<<1, 32, 1 << 20>>>();
    say("shared memory", cudaPeekAtLastError());
    nothing<<<0, 32>>>();
    say("no blocks", cudaPeekAtLastError());
    say("pitch", cudaMemcpy2D(other, 2, host, 8, 4, 2, cudaMemcpyHostToDevice));
    say("nothing", cudaDeviceSynchronize());
    printf("%s %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)710));
}
