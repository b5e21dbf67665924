// Results of copies by their kind and the location of the memory, as on an H100 with CUDA 13.0.
#include <cstdio>

__constant__ float constant[4];
__device__ float variable[4];

__global__ void read(float *out) {
    for (int i = 0; i < 4; i++)
        out[i] = constant[i] * 10 + variable[i];
}

static void say(cudaError_t error) {
    printf("%s\n", cudaGetErrorName(error));
}

int main() {
    float host[4] = {1, 2, 3, 4}, got[4] = {}, *from, *to;
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    say(cudaMemcpyToSymbol(constant, from, sizeof host)); // from the device, declared as the host's
    say(cudaMemcpyToSymbol(variable, from, sizeof host, 0, cudaMemcpyDeviceToHost));
    read<<<1, 1>>>(to);
    say(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", got[0], got[1], got[2], got[3]);
    say(cudaMemcpyFromSymbol(from, constant, sizeof host));
    say(cudaMemcpy(from, host, sizeof host, cudaMemcpyDeviceToHost));
    say(cudaMemcpy(to, from, sizeof host, cudaMemcpyHostToDevice));
    say(cudaMemcpy(got, host, sizeof host, cudaMemcpyHostToDevice));
    say(cudaMemcpyToSymbolAsync(constant, from, sizeof host, 0, cudaMemcpyHostToDevice, 0));
    say(cudaGetLastError());
}
