// Memory that a library has written counts as written: no kernel and no copy precedes the reads
// below.
#include <cublas_v2.h>
#include <curand.h>

__global__ void add(const float *numbers, const float *product, float *out) {
    int t = threadIdx.x;
    out[t] = numbers[t] + product[t];
}

int main() {
    float *numbers, *product, *out;
    cudaMalloc(&numbers, 33 * sizeof(float));
    cudaMalloc(&product, 33 * sizeof(float));
    cudaMalloc(&out, 33 * sizeof(float));

    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_XORWOW);
    curandGenerateUniform(generator, numbers, 33);

    // A column times a single number.
    cublasHandle_t handle;
    const float one = 1, zero = 0;
    cublasCreate(&handle);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 33, 1, 1, &one, numbers, 33, numbers, 1, &zero,
                product, 33);

    add<<<1, 33>>>(numbers, product, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
