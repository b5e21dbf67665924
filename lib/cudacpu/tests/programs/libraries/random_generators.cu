// cuRAND's generators one by one: each call's result for wrong arguments (cuRAND Library, each
// function's return values), and numbers worked out by hand.
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

static int calls;
static void expect(int line, int result, int wanted) {
    calls++;
    if (result != wanted)
        printf("line %d: %d, not %d\n", line, result, wanted);
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define IS(what)            expect(__LINE__, (what) ? 1 : 0, 1)

// MRG32k3a's number i is the first of subsequence i; 81,920 subsequences take turns.
__global__ void draw(unsigned int *integers, float *floats, double *doubles) {
    curandStateMRG32k3a state;
    curand_init(9, threadIdx.x, 0, &state);
    integers[threadIdx.x] = curand(&state);
    curand_init(9, threadIdx.x, 0, &state);
    floats[threadIdx.x] = curand_uniform(&state);
    curand_init(9, threadIdx.x, 0, &state);
    doubles[threadIdx.x] = curand_uniform_double(&state);
}

static void generators() {
    curandGenerator_t mrg, philox, sobol, gone;
    unsigned int *integers, *of_device, parts[8];
    float *floats, *floats_of_device;
    double *doubles, *doubles_of_device;
    int version = 0, part = -1;
    cudaMallocManaged(&integers, 4096 * sizeof *integers);
    cudaMallocManaged(&of_device, 32 * sizeof *of_device);
    cudaMallocManaged(&floats, 4096 * sizeof *floats);
    cudaMallocManaged(&floats_of_device, 32 * sizeof *floats);
    cudaMallocManaged(&doubles, 4096 * sizeof *doubles);
    cudaMallocManaged(&doubles_of_device, 32 * sizeof *doubles);
    GIVES(CURAND_STATUS_SUCCESS, curandGetVersion(&version));
    IS(version == CURAND_VERSION);
    GIVES(CURAND_STATUS_SUCCESS, curandGetProperty(MINOR_VERSION, &part));
    IS(part == CURAND_VER_MINOR);
    GIVES(CURAND_STATUS_OUT_OF_RANGE, curandGetProperty((libraryPropertyType)9, &part));
    GIVES(CURAND_STATUS_SUCCESS, curandCreateGenerator(&gone, CURAND_RNG_PSEUDO_XORWOW));
    GIVES(CURAND_STATUS_SUCCESS, curandCreateGenerator(&mrg, CURAND_RNG_PSEUDO_MRG32K3A));
    GIVES(CURAND_STATUS_SUCCESS, curandCreateGenerator(&philox, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    GIVES(CURAND_STATUS_SUCCESS, curandCreateGeneratorHost(&sobol, CURAND_RNG_QUASI_DEFAULT));
    GIVES(CURAND_STATUS_SUCCESS, curandDestroyGenerator(gone)); // the generator that was made first
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandDestroyGenerator(gone));
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandSetStream(gone, 0));
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandSetPseudoRandomGeneratorSeed(gone, 1));
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandSetGeneratorOffset(gone, 1));
    GIVES(CURAND_STATUS_NOT_INITIALIZED,
          curandSetGeneratorOrdering(gone, CURAND_ORDERING_PSEUDO_BEST));
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandSetQuasiRandomGeneratorDimensions(gone, 1));
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandGenerateSeeds(gone));
    GIVES(CURAND_STATUS_NOT_INITIALIZED, curandGenerate(gone, integers, 4));
    GIVES(CURAND_STATUS_TYPE_ERROR, curandSetPseudoRandomGeneratorSeed(sobol, 1));
    GIVES(CURAND_STATUS_TYPE_ERROR, curandSetQuasiRandomGeneratorDimensions(mrg, 3));
    GIVES(CURAND_STATUS_OUT_OF_RANGE, curandSetQuasiRandomGeneratorDimensions(sobol, 0));
    GIVES(CURAND_STATUS_OUT_OF_RANGE,
          curandSetGeneratorOrdering(mrg, CURAND_ORDERING_QUASI_DEFAULT));
    GIVES(CURAND_STATUS_OUT_OF_RANGE,
          curandSetGeneratorOrdering(sobol, CURAND_ORDERING_PSEUDO_BEST));
    GIVES(CURAND_STATUS_SUCCESS, curandSetGeneratorOrdering(sobol, CURAND_ORDERING_QUASI_DEFAULT));
    GIVES(CURAND_STATUS_SUCCESS, curandSetGeneratorOrdering(mrg, CURAND_ORDERING_PSEUDO_DEFAULT));
    GIVES(CURAND_STATUS_SUCCESS, curandSetStream(mrg, 0));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateSeeds(mrg));
    // MRG32k3a gives the same numbers as on the device.
    draw<<<1, 32>>>(of_device, floats_of_device, doubles_of_device);
    GIVES(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(mrg, 9));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerate(mrg, integers, 32));
    GIVES(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(mrg, 9));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateUniform(mrg, floats, 32));
    GIVES(CURAND_STATUS_SUCCESS, curandSetPseudoRandomGeneratorSeed(mrg, 9));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateUniformDouble(mrg, doubles, 32));
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) {
        IS(integers[i] == of_device[i]);
        IS(floats[i] == floats_of_device[i]);
        IS(doubles[i] == doubles_of_device[i]);
    }
    // 4096 normal numbers: their mean is within 0.08 of the wanted one (5 deviations).
    double sum = 0, other_sum = 0;
    GIVES(CURAND_STATUS_LENGTH_NOT_MULTIPLE, curandGenerateNormalDouble(mrg, doubles, 7, 2, 1));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateNormalDouble(mrg, doubles, 4096, 2, 1));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateNormal(mrg, floats, 4096, -1, 1));
    for (int i = 0; i < 4096; i++)
        sum += doubles[i] / 4096, other_sum += floats[i] / 4096;
    IS(fabs(sum - 2) < 0.08 && fabs(other_sum + 1) < 0.08);
    sum = other_sum = 0;
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateLogNormalDouble(mrg, doubles, 4096, 2, 1));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateLogNormal(philox, floats, 4096, -1, 1));
    for (int i = 0; i < 4096; i++)
        sum += log(doubles[i]) / 4096, other_sum += logf(floats[i]) / 4096;
    IS(fabs(sum - 2) < 0.08 && fabs(other_sum + 1) < 0.08);
    // Philox gives four numbers per turn: drawn in parts, they equal the numbers drawn in one call.
    curandSetPseudoRandomGeneratorSeed(philox, 3);
    GIVES(CURAND_STATUS_SUCCESS, curandGenerate(philox, integers, 3));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerate(philox, integers + 3, 5));
    for (int i = 0; i < 8; i++)
        parts[i] = integers[i];
    GIVES(CURAND_STATUS_SUCCESS, curandSetGeneratorOffset(philox, 0));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerate(philox, integers, 8));
    for (int i = 0; i < 8; i++)
        IS(parts[i] == integers[i]);
    // Sobol in three dimensions, with the direction numbers 1/2 1/4 1/8, 1/2 3/4 5/8, 1/2 3/4 3/8.
    const float points[] = {0,    .5f,   .75f, .25f, .375f, 0,    .5f,  .25f,
                            .75f, .375f, 0,    .5f,  .25f,  .75f, .625f};
    GIVES(CURAND_STATUS_SUCCESS, curandSetQuasiRandomGeneratorDimensions(sobol, 3));
    GIVES(CURAND_STATUS_LENGTH_NOT_MULTIPLE, curandGenerate(sobol, integers, 16));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerate(sobol, integers, 15));
    GIVES(CURAND_STATUS_SUCCESS, curandSetGeneratorOffset(sobol, 0));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateUniform(sobol, floats, 15));
    GIVES(CURAND_STATUS_SUCCESS, curandSetGeneratorOffset(sobol, 0));
    GIVES(CURAND_STATUS_SUCCESS, curandGenerateUniformDouble(sobol, doubles, 15));
    for (int i = 0; i < 15; i++) {
        IS(integers[i] == points[i] * 0x1p32f);
        IS(floats[i] > 0 && floats[i] - points[i] < 0x1p-30f);
        IS(doubles[i] == points[i] + 0x1p-32);
    }
    GIVES(CURAND_STATUS_TYPE_ERROR, curandGenerateNormal(sobol, floats, 15, 0, 1)); // unsupported
    GIVES(CURAND_STATUS_OUT_OF_RANGE, curandSetQuasiRandomGeneratorDimensions(sobol, 11)); // ditto
    GIVES(CURAND_STATUS_SUCCESS, curandDestroyGenerator(mrg));
}

int main() {
    generators();
    printf("%s\n", calls > 200 ? "all" : "too few");
}
