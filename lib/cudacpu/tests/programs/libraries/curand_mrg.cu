// The host's MRG32k3a. With seed 0, its state is 12345 six times, for which L'Ecuyer's program
// first gives 0.127011. With an offset of 1, a generator begins one number later.
#include <cstdio>
#include <curand.h>
static double first(unsigned long long seed, unsigned long long offset, double *v) {
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MRG32K3A);
    curandSetPseudoRandomGeneratorSeed(generator, seed);
    curandSetGeneratorOffset(generator, offset);
    curandGenerateUniformDouble(generator, v, 2);
    curandDestroyGenerator(generator);
    cudaDeviceSynchronize();
    return v[0];
}
int main() {
    double *v;
    cudaMallocManaged(&v, 4 * sizeof *v);
    printf("%.6f\n", first(0, 0, v));
    double second = v[1];
    printf("%d\n", first(0, 1, v) == second);
    printf("%d %d\n", first(7, 0, v) == first(7, 0, v), first(7, 0, v) == first(8, 0, v));
    unsigned int *words = (unsigned int *)v;
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MRG32K3A);
    curandSetPseudoRandomGeneratorSeed(generator, 0);
    curandGenerate(generator, words, 2);
    cudaDeviceSynchronize();
    printf("%.6f\n", words[0] / 4294967296.0);
}
