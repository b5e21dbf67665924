#include <shflviz/exercise.cuh>

__global__ void add_all(const int *values, int n, int *result);

void test(exercise::trial &t) {
    const int sizes[] = {128, 100, 64, 1, 200, t.number(1, 500)};
    for (int n : sizes) {
        const int threads = n == 64 ? 64 : 128, blocks = (n + threads - 1) / threads;
        t.begin("n = %d, %d blocks of %d threads", n, blocks, threads);
        auto values = t.integers(n, -999, 999);
        auto result = t.filled<int>(1, 0);
        add_all<<<blocks, threads>>>(values.gpu(), n, result.gpu());
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += values[i];
        result.want(0, sum);
        t.compare(result, threads);
    }
}
