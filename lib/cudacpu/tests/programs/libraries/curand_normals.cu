// The host's normal numbers are those of kernels: in each turn a lane gives a pair of numbers by
// Box and Muller, or two pairs with Philox, and lanes take turns. The last bits may differ.
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

#define SEED  4711
#define LANES 50

template <class State> __global__ void pairs(double *numbers) {
    State state;
    curand_init(SEED, threadIdx.x, 0, &state);
    for (int i = 0; i < 2; i++)
        numbers[2 * threadIdx.x + i] = curand_normal(&state);
}
__global__ void fours(double *numbers) {
    curandStatePhilox4_32_10_t state;
    curand_init(SEED, threadIdx.x, 0, &state);
    const float4 four = curand_normal4(&state);
    numbers[4 * threadIdx.x] = four.x, numbers[4 * threadIdx.x + 1] = four.y;
    numbers[4 * threadIdx.x + 2] = four.z, numbers[4 * threadIdx.x + 3] = four.w;
}
template <class State> __global__ void double_pairs(double *numbers) {
    State state;
    curand_init(SEED, threadIdx.x, 0, &state);
    for (int i = 0; i < 2; i++)
        numbers[2 * threadIdx.x + i] = curand_normal_double(&state);
}

static void compare(const char *name, curandRngType_t type, const double *kernels, int count,
                    bool wide) {
    static double both[4 * LANES];
    float *const floats = (float *)both;
    curandGenerator_t generator;
    cudaDeviceSynchronize();
    curandCreateGeneratorHost(&generator, type);
    curandSetPseudoRandomGeneratorSeed(generator, SEED);
    const int status = wide ? curandGenerateNormalDouble(generator, both, count, 3, 2)
                            : curandGenerateNormal(generator, floats, count, 3, 2);
    int same = 0;
    for (int i = 0; i < count; i++)
        same += fabs((wide ? both[i] : (double)floats[i]) - (3 + 2 * kernels[i])) < 2e-5;
    printf("%s: %d, %d of %d\n", name, status, same, count);
    curandDestroyGenerator(generator);
}

int main() {
    double *numbers;
    cudaMallocManaged(&numbers, 4 * LANES * sizeof *numbers);
    pairs<curandStateXORWOW_t><<<1, LANES>>>(numbers);
    compare("XORWOW", CURAND_RNG_PSEUDO_XORWOW, numbers, 2 * LANES, false);
    pairs<curandStateMRG32k3a_t><<<1, LANES>>>(numbers);
    compare("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, numbers, 2 * LANES, false);
    fours<<<1, LANES>>>(numbers);
    compare("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, numbers, 4 * LANES, false);
    double_pairs<curandStateXORWOW_t><<<1, LANES>>>(numbers);
    compare("XORWOW, double", CURAND_RNG_PSEUDO_XORWOW, numbers, 2 * LANES, true);
    double_pairs<curandStateMRG32k3a_t><<<1, LANES>>>(numbers);
    compare("MRG32k3a, double", CURAND_RNG_PSEUDO_MRG32K3A, numbers, 2 * LANES, true);
}
