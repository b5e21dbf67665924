// Sobol's numbers. By S. Joe and F. Y. Kuo (2008), the k-th direction number of a dimension is
// m(k) / 2^k, and number n of the sequence, in Gray code order, is direction number k alone if n
// is 2^k - 1. So m can be read off; m(s + 1) and later ones follow from earlier ones by the paper's
// recurrence.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>

int main() {
    const int dimensions = 10, each = 256;
    curandGenerator_t generator;
    unsigned *numbers;
    static unsigned host[dimensions * each];
    cudaMalloc(&numbers, sizeof host);
    curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32);
    curandSetQuasiRandomGeneratorDimensions(generator, dimensions);
    curandGenerate(generator, numbers, dimensions * each);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    for (int d = 0; d < dimensions; d++) {
        printf("%d:", d + 1);
        for (int k = 1; k <= 8; k++)
            printf(" %u", host[d * each + (1 << k) - 1] >> (32 - k));
        printf("%s\n", host[d * each] == 0 && host[d * each + 255] << 8 == 0 ? "" : " (more bits)");
    }
    curandDestroyGenerator(generator);

    // Each generator's 53-bit numbers: between 0 and 1, none repeated, 1/2 on average.
    const curandRngType types[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                   CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32};
    double *values;
    static double drawn[10000];
    cudaMalloc(&values, sizeof drawn);
    for (curandRngType type : types) {
        curandCreateGenerator(&generator, type);
        curandGenerateUniformDouble(generator, values, 10000);
        cudaMemcpy(drawn, values, sizeof drawn, cudaMemcpyDeviceToHost);
        double sum = 0, least = 1, most = 0;
        int same = 0;
        for (int i = 0; i < 10000; i++) {
            sum += drawn[i];
            least = drawn[i] < least ? drawn[i] : least;
            most = drawn[i] > most ? drawn[i] : most;
            same += i > 0 && drawn[i] == drawn[i - 1];
        }
        printf("%s, mean %.1f, %d twice\n", least > 0 && most <= 1 ? "within" : "beyond",
               sum / 10000, same);
        curandDestroyGenerator(generator);
    }

    // Normal numbers of mean 5 and variance 4; all 10,000 differ.
    for (curandRngType type : types) {
        if (type == CURAND_RNG_QUASI_SOBOL32)
            continue;
        curandCreateGenerator(&generator, type);
        curandGenerateNormalDouble(generator, values, 10000, 5, 2);
        cudaMemcpy(drawn, values, sizeof drawn, cudaMemcpyDeviceToHost);
        double sum = 0, squares = 0;
        for (double value : drawn) {
            sum += value;
            squares += (value - 5) * (value - 5);
        }
        std::sort(drawn, drawn + 10000);
        printf("mean %.0f, variance %.0f, %s\n", sum / 10000, squares / 10000,
               std::adjacent_find(drawn, drawn + 10000) == drawn + 10000 ? "all differ"
                                                                         : "some twice");
        curandDestroyGenerator(generator);
    }
}
