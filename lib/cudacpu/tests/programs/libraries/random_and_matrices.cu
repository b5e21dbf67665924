// cuRAND's host generators, and cuBLAS's functions that copy matrices to the device and back.
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <curand.h>

#define CHECK(call)                                                                                \
    if (int status = (int)(call))                                                                  \
    printf("line %d: %d\n", __LINE__, status)

enum { COUNT = 4096 };

static double mean_of(const float *x) {
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += x[i];
    return sum / COUNT;
}

static void random_numbers() {
    static float a[COUNT], b[COUNT];
    static double d[COUNT];
    curandGenerator_t generator;
    int version = 0, major = 0;
    CHECK(curandGetVersion(&version));
    CHECK(curandGetProperty(MAJOR_VERSION, &major));
    printf("version %d\n", version > 0 && major > 0);
    for (int round = 0; round < 2; round++) {
        CHECK(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
        CHECK(curandSetPseudoRandomGeneratorSeed(generator, 42));
        CHECK(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
        CHECK(curandGenerateSeeds(generator));
        CHECK(curandGenerateUniform(generator, round ? b : a, COUNT));
        if (round == 0)
            CHECK(curandDestroyGenerator(generator));
    }
    int same = 0, inside = 0;
    for (int i = 0; i < COUNT; i++)
        same += a[i] == b[i], inside += a[i] > 0 && a[i] <= 1; // 0 is never drawn
    printf("same %d, inside %d, mean %d\n", same == COUNT, inside == COUNT,
           fabs(mean_of(a) - 0.5) < 0.03);
    CHECK(curandSetStream(generator, 0));
    CHECK(curandGenerateUniformDouble(generator, d, COUNT));
    inside = 0;
    for (int i = 0; i < COUNT; i++)
        inside += d[i] > 0 && d[i] <= 1;
    CHECK(curandGenerateNormal(generator, a, COUNT, 10, 2));
    CHECK(curandGenerateNormalDouble(generator, d, COUNT, 10, 2));
    printf("inside %d, around ten %d %d\n", inside == COUNT, fabs(mean_of(a) - 10) < 0.3,
           d[0] != d[1]);
    CHECK(curandGenerateLogNormal(generator, b, COUNT, 0, 0.5f));
    CHECK(curandGenerateLogNormalDouble(generator, d, COUNT, 0, 0.5));
    inside = 0;
    for (int i = 0; i < COUNT; i++)
        inside += b[i] > 0 && d[i] > 0;
    CHECK(curandDestroyGenerator(generator));
    CHECK(
        curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW)); // generates two at a time
    printf("positive %d, odd number of normals %d\n", inside == COUNT,
           curandGenerateNormal(generator, a, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandDestroyGenerator(generator));
}

static void matrices() {
    // A 2 by 3 matrix of 1 to 6: columns of 2, in storage with columns of 3.
    const float stored[] = {1, 2, -1, 3, 4, -1, 5, 6, -1};
    float back[6] = {0}, line[3] = {0}, *device;
    cublasHandle_t handle;
    int version = 0;
    cublasMath_t mode;
    CHECK(cublasCreate(&handle));
    CHECK(cublasGetVersion(handle, &version));
    CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
    CHECK(cublasGetMathMode(handle, &mode));
    printf("version %d, mode %d, %s\n", version > 0, mode == CUBLAS_PEDANTIC_MATH,
           cublasGetStatusName(CUBLAS_STATUS_SUCCESS));
    CHECK(cudaMalloc(&device, 6 * sizeof *device));
    CHECK(cublasSetMatrix(2, 3, sizeof(float), stored, 3, device, 2));
    CHECK(cublasGetMatrix(2, 3, sizeof(float), device, 2, back, 2));
    printf("%g %g %g\n", back[0], back[2], back[5]); // 1 3 6
    CHECK(cublasSetMatrixAsync(2, 2, sizeof(float), stored + 3, 3, device, 2, 0));
    CHECK(cublasGetMatrixAsync(2, 2, sizeof(float), device, 2, back, 2, 0));
    CHECK(cublasGetVectorAsync(3, sizeof(float), device, 2, line, 1, 0)); // the first row
    CHECK(cudaDeviceSynchronize());
    printf("%g %g, row %g %g %g\n", back[0], back[3], line[0], line[1], line[2]); // 3 6, row 3 5 5
    CHECK(cublasSetVectorAsync(2, sizeof(float), stored, 1, device, 1, 0));
    CHECK(cublasGetVector(2, sizeof(float), device, 1, back, 1));
    printf("%g %g, no room %d\n", back[0], back[1],
           cublasSetMatrix(3, 2, sizeof(float), stored, 2, device, 3) ==
               CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cudaFree(device));
    CHECK(cublasDestroy(handle));
}

int main() {
    random_numbers();
    matrices();
    return 0;
}
