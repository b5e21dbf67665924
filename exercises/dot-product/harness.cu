#include <shflviz/exercise.cuh>

__global__ void dot(const int *a, const int *b, int n, int *result);

void test(exercise::trial &t) {
    const int sizes[] = {32, 1, 50, 256, 1000, t.number(0, 2000)};
    const int blocks[] = {1, 1, 1, 2, 3, 2}, threads[] = {32, 32, 64, 64, 64, 128};
    for (int i = 0; i < 6; i++) {
        t.begin("n = %d, %d blocks of %d threads", sizes[i], blocks[i], threads[i]);
        auto a = t.integers(sizes[i], -99, 99), b = t.integers(sizes[i], -99, 99);
        auto result = t.filled<int>(1, 0);
        dot<<<blocks[i], threads[i]>>>(a.gpu(), b.gpu(), sizes[i], result.gpu());
        int sum = 0;
        for (int j = 0; j < sizes[i]; j++)
            sum += a[j] * b[j];
        result.want(0, sum);
        t.compare(result, threads[i]);
    }
}
