#include <shflviz/exercise.cuh>

__global__ void tree_sum(const int *values, int *result);

void test(exercise::trial &t) {
    for (int i = 0; i < 3; i++) {
        t.begin("64 random values");
        auto values = t.integers(64, -999, 999);
        auto result = t.output<int>(1);
        tree_sum<<<1, 64>>>(values.gpu(), result.gpu());
        int sum = 0;
        for (int j = 0; j < 64; j++)
            sum += values[j];
        result.want(0, sum);
        t.compare(result, 64);
    }
}
