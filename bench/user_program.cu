// user_program.cu - a program of a hundred lines, for bench/user_program: a vector's norm, a filter
// and a sum, each checked on the host. With -DPLAIN it is C++, with loops instead of threads.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef PLAIN
#define __global__ static
struct index {
    int x;
};
static index threadIdx, blockIdx, blockDim;
#define LAUNCH(kernel, blocks, threads, ...)                                                       \
    for (blockDim.x = threads, blockIdx.x = 0; blockIdx.x < (blocks); blockIdx.x++)                \
        for (threadIdx.x = 0; threadIdx.x < (threads); threadIdx.x++)                              \
    kernel(__VA_ARGS__)
#define ADD(to, value) (*(to) += (value))
static void *allocate(size_t bytes) {
    return calloc(bytes, 1);
}
#else
#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#define ADD(to, value)                       atomicAdd(to, value)
static void *allocate(size_t bytes) {
    void *memory = nullptr;
    if (cudaMallocManaged(&memory, bytes) != cudaSuccess) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}
#endif

__global__ void squares(double *out, const double *in, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i] * in[i];
}

__global__ void smooth(double *out, const double *in, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 || i >= count - 1) {
        if (i < count)
            out[i] = in[i];
        return;
    }
    double sum = 0;
    for (int near = -1; near <= 1; near++)
        sum += in[i + near];
    out[i] = sum / 3;
}

__global__ void total(unsigned long long *sum, const double *in, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        ADD(sum, (unsigned long long)(in[i] * 16));
}

static std::vector<double> make(int count) {
    std::vector<double> values(count);
    for (int i = 0; i < count; i++)
        values[i] = (i * 7 % 32) / 4.0;
    return values;
}

static bool check(const char *what, const double *got, const std::vector<double> &wanted) {
    for (size_t i = 0; i < wanted.size(); i++)
        if (std::fabs(got[i] - wanted[i]) > 1e-12) {
            printf("%s: %g at %zu, not %g\n", what, got[i], i, wanted[i]);
            return false;
        }
    printf("%s: right\n", what);
    return true;
}

int main() {
    const int count = 1 << 16, threads = 256, blocks = (count + threads - 1) / threads;
    const std::vector<double> values = make(count);
    double *in = static_cast<double *>(allocate(count * sizeof *in));
    double *out = static_cast<double *>(allocate(count * sizeof *out));
    unsigned long long *sum = static_cast<unsigned long long *>(allocate(sizeof *sum));
    std::vector<double> wanted(count);
    unsigned long long expected = 0;
    for (int i = 0; i < count; i++)
        in[i] = values[i];

    LAUNCH(squares, blocks, threads, out, in, count);
#ifndef PLAIN
    cudaDeviceSynchronize();
#endif
    for (int i = 0; i < count; i++)
        wanted[i] = values[i] * values[i];
    bool good = check("squares", out, wanted);

    LAUNCH(smooth, blocks, threads, out, in, count);
    LAUNCH(total, blocks, threads, sum, in, count);
#ifndef PLAIN
    cudaDeviceSynchronize();
#endif
    for (int i = 0; i < count; i++) {
        const bool edge = i == 0 || i == count - 1;
        wanted[i] = edge ? values[i] : (values[i - 1] + values[i] + values[i + 1]) / 3;
        expected += (unsigned long long)(values[i] * 16);
    }
    good = check("smooth", out, wanted) && good;
    printf("sum %llu, expected %llu\n", *sum, expected);
    return good && *sum == expected ? 0 : 1;
}
