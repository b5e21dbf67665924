#include <shflviz/exercise.cuh>

__global__ void compact(const int *values, int n, int *out, int *count);

void test(exercise::trial &t) {
    const int sizes[] = {32, 64, 40, 1, 33, 300, t.number(2, 1000)};
    for (int n : sizes) {
        const int threads = (n + 31) / 32 * 32;
        t.begin("n = %d, %d threads", n, threads);
        auto values = t.integers(n, -1, 1);
        auto out = t.output<int>(n);
        auto count = t.output<int>(1);
        compact<<<1, threads>>>(values.gpu(), n, out.gpu(), count.gpu());
        int kept = 0;
        for (int i = 0; i < n; i++) {
            values[i] = values[i];
            if (values[i] != 0)
                out.want(kept++, values[i]);
        }
        count.want(0, kept);
        t.compare(count, threads, threads);
        t.compare(out, threads);
    }
}
