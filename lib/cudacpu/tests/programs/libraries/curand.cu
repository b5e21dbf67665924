// cuRAND. XORWOW by Marsaglia's algorithm, from the seed's state (cuRAND's seeding of 0 gives the
// state below); Philox by the known answers of Salmon et al.'s Random123: counter 0, key 0 gives
// 6627e8d5 e169c58d bc57ac4c 9b00dbd8. Skipping n is like drawing n; subsequences are 2^67 apart.
// Sobol's first numbers in two dimensions: 0, 1/2, 3/4, 1/4, and 0, 1/2, 1/4, 3/4.
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

struct sums {
    int same, inside;
    double mean, square, poisson;
};

template <class State> __global__ void skips(int *wrong, unsigned long long n) {
    State one, other;
    curand_init(77, threadIdx.x, 0, &one);
    curand_init(77, threadIdx.x, n, &other);
    for (unsigned long long i = 0; i < n; i++)
        curand(&one);
    for (int i = 0; i < 9; i++)
        if (curand(&one) != curand(&other))
            atomicAdd(wrong, 1);
    skipahead_sequence(3, &one); // first 3 sequences and then n numbers, or vice versa
    skipahead(n, &one);
    skipahead(n, &other);
    skipahead_sequence(3, &other);
    if (curand(&one) != curand(&other))
        atomicAdd(wrong, 1);
}
__global__ void known(unsigned int *out) {
    curandState xorwow;
    curandStatePhilox4_32_10_t philox;
    curand_init(0, 0, 0, &philox);
    const uint4 four = curand4(&philox);
    out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
    curand_init(0, 0, 0, &xorwow);
    for (int i = 4; i < 8; i++)
        out[i] = curand(&xorwow);
}
template <class State> __global__ void distributions(sums *all) {
    State state;
    curand_init(1234, threadIdx.x, 0, &state);
    for (int i = 0; i < 500; i++) {
        const float u = curand_uniform(&state);
        const double d = curand_uniform_double(&state);
        const float n = curand_normal(&state);
        const double nd = curand_normal_double(&state);
        if (u > 0 && u <= 1 && d > 0 && d <= 1)
            atomicAdd(&all->inside, 1);
        atomicAdd(&all->mean, (n + nd) / 2);
        atomicAdd(&all->square, (n * n + nd * nd) / 2);
        atomicAdd(&all->poisson, (double)curand_poisson(&state, 5.0));
    }
}
template <class State> void moments(const char *name) {
    sums *all;
    cudaMallocManaged(&all, sizeof *all);
    distributions<State><<<1, 64>>>(all);
    cudaDeviceSynchronize();
    // 64 * 500 = 32000 samples: the mean of 64000 normal numbers is within 0.02 of 0 (5
    // deviations), that of their squares within 0.03 of 1, and Poisson's mean within 0.07 of 5.
    const double n = 32000, mean = all->mean / n, square = all->square / n,
                 poisson = all->poisson / n;
    printf("%s: %d inside, normal %d %d, Poisson %d\n", name, all->inside,
           mean > -0.02 && mean<0.02, square> 0.97 && square<1.03, poisson> 4.93 && poisson < 5.07);
    cudaFree(all);
}
// Marsaglia's algorithm, from the state for seed 0.
static unsigned int marsaglia(unsigned int n) {
    const unsigned int low = 1099087573u * 0xaad26b49u, high = 2591861531u * 0xf7dcefddu;
    unsigned int x = 123456789u + low, y = 362436069u ^ low, z = 521288629u + high,
                 w = 88675123u ^ high, v = 5783321u + low, d = 6615241u + low + high, t = 0;
    for (unsigned int i = 0; i <= n; i++) {
        t = x ^ (x >> 2);
        x = y, y = z, z = w, w = v;
        v = (v ^ (v << 4)) ^ (t ^ (t << 1));
        d += 362437;
    }
    return d + v;
}

int main() {
    int *wrong;
    unsigned int *out;
    cudaMallocManaged(&wrong, sizeof *wrong);
    cudaMallocManaged(&out, 8192 * sizeof *out);
    *wrong = 0;
    skips<curandState><<<1, 4>>>(wrong, 1003);
    skips<curandStatePhilox4_32_10_t><<<1, 4>>>(wrong, 1003);
    skips<curandStateMRG32k3a><<<1, 4>>>(wrong, 1003);
    known<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d wrong, philox %x %x %x %x, xorwow", *wrong, out[0], out[1], out[2], out[3]);
    for (unsigned int i = 0; i < 4; i++)
        printf(" %d", out[4 + i] == marsaglia(i));
    printf("\n");
    moments<curandState>("xorwow");
    moments<curandStatePhilox4_32_10_t>("philox");
    moments<curandStateMRG32k3a>("mrg32k3a");

    // On the host, number i of XORWOW is number i / 4096 of subsequence i % 4096.
    curandGenerator_t generator;
    printf("%d", curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    printf(" %d", curandGenerate(generator, out, 4097));
    printf(" %d %d", out[0] == marsaglia(0), out[4096] == marsaglia(1));
    curandSetGeneratorOffset(generator, 0);
    unsigned int *parts;
    cudaMallocManaged(&parts, 8192 * sizeof *parts);
    curandGenerate(generator, parts, 100);
    curandGenerate(generator, parts + 100, 3997);
    int same = 0;
    for (int i = 0; i < 4097; i++)
        same += parts[i] == out[i];
    float *normal;
    cudaMallocManaged(&normal, 10000 * sizeof *normal);
    printf(" %d %d", same, curandGenerateNormal(generator, normal, 9999, 0, 1)); // odd: 105
    printf(" %d", curandGenerateNormal(generator, normal, 10000, 5, 2));
    double mean = 0;
    for (int i = 0; i < 10000; i++)
        mean += normal[i] / 10000;
    printf(" %d %d\n", mean > 4.9 && mean < 5.1, curandDestroyGenerator(generator));
    curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32);
    curandSetQuasiRandomGeneratorDimensions(generator, 2);
    curandGenerate(generator, out, 8);
    for (int i = 0; i < 8; i++)
        printf("%g ", out[i] * 0x1p-32);
    printf("%d", curandDestroyGenerator(generator));
    printf(" %d\n", curandDestroyGenerator(generator));
    printf("%d\n", curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32));
}
