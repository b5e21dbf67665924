// Accesses that are misaligned for their type: error 716, and the program continues.
#include <cstdio>
#include <cuda_fp16.h>

#define FETCH4(x) (reinterpret_cast<float4 *>(&(x))[0])
__global__ void fetch(float *from, float *to) {
    FETCH4(to[threadIdx.x * 4]) = FETCH4(from[threadIdx.x * 4 + 1]);
}
__global__ void parameter(const float4 *__restrict__ from, float4 *to) {
    to[threadIdx.x] = from[threadIdx.x];
}
struct points {
    float4 *at;
    int count;
};
__global__ void member(points p) {
    p.at[threadIdx.x] = make_float4(1, 2, 3, 4);
}
__global__ void variable(half *values) {
    half2 *pairs = reinterpret_cast<half2 *>(values);
    pairs[threadIdx.x] = __hadd2(pairs[threadIdx.x], pairs[threadIdx.x]);
}
__global__ void bytes(char *from) {
    if (threadIdx.x > 4)
        *(int *)(from + threadIdx.x) = 3;
}
template <class T> __global__ void any(char *to) {
    T *element = reinterpret_cast<T *>(to);
    *element = T();
}
struct __align__(16) four {
    float x, y, z, w;
};
__global__ void structure(const four *from, four *to) {
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void load(float *p) {
    p[0] = __ldg((const float4 *)p).x;
}

// All of these are right: a member of a vector has the member's alignment.
__global__ void right(float *p) {
    float4 *vectors = (float4 *)(p + 1), local[2] = {};
    float2 *halves = (float2 *)local;
    halves[1] = make_float2(1, 2);
    float sum = vectors[threadIdx.x].x + local[0].z * 2;
    *(float4 *)&p[8] = local[0];
    ((int2 *)p)[1] = make_int2(1, (int)sum);
}

static char *memory;
static void begin() {
    cudaMalloc(&memory, 8192);
}
static void end(const char *what) {
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %d %s\n", what, error, cudaGetErrorString(error));
    cudaDeviceReset();
}

int main() {
    begin();
    fetch<<<1, 32>>>((float *)memory, (float *)(memory + 4096));
    end("fetch");
    begin();
    parameter<<<1, 32>>>((float4 *)(memory + 8), (float4 *)(memory + 4096));
    end("parameter");
    begin();
    member<<<1, 32>>>(points{(float4 *)(memory + 4), 3});
    end("member");
    begin();
    variable<<<1, 32>>>((half *)memory + 1);
    end("variable");
    begin();
    bytes<<<1, 32>>>(memory);
    end("bytes");
    begin();
    any<double><<<1, 1>>>(memory + 4);
    end("any");
    begin();
    structure<<<1, 32>>>((four *)(memory + 8), (four *)(memory + 4096));
    end("structure");
    begin();
    load<<<1, 32>>>((float *)memory + 3);
    end("load");
    begin();
    right<<<1, 32>>>((float *)memory);
    end("right");
}
