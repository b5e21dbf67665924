#include <shflviz/exercise.cuh>

__global__ void block_sum(const int *values, int *sums);

void test(exercise::trial &t) {
    const int sizes[] = {32, 64, 256, 1, 31, 33, 180, 1000, t.number(2, 1024)};
    for (int threads : sizes) {
        const int blocks = threads < 100 ? 3 : 2;
        t.begin("%d blocks of %d threads", blocks, threads);
        auto values = t.integers(blocks * threads, -999, 999);
        auto sums = t.output<int>(blocks);
        block_sum<<<blocks, threads>>>(values.gpu(), sums.gpu());
        for (int block = 0; block < blocks; block++) {
            int sum = 0;
            for (int i = 0; i < threads; i++)
                sum += values[block * threads + i];
            sums.want(block, sum);
        }
        t.compare(sums, threads, threads);
    }
}
