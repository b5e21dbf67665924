#include <shflviz/exercise.cuh>

__device__ int block_total(int value);

__global__ void call(const int *in, int *out) {
    const int total = block_total(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

void test(exercise::trial &t) {
    const int sizes[] = {64, 180, 192, 129, 159, 3, 1, t.number(2, 1024)};
    for (int threads : sizes) {
        t.begin("2 blocks of %d threads", threads);
        auto in = t.integers(2 * threads, -999, 999);
        auto out = t.output<int>(2);
        call<<<2, threads>>>(in.gpu(), out.gpu());
        for (int block = 0; block < 2; block++) {
            int sum = 0;
            for (int i = 0; i < threads; i++)
                sum += in[block * threads + i];
            out.want(block, sum);
        }
        t.compare(out, threads, threads);
    }
}
