#include <shflviz/exercise.cuh>

__device__ int partial_sum(int value, int n);

__global__ void call(const int *in, int *out, int n) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane < n) {
        const int sum = partial_sum(in[warp * n + lane], n);
        if (lane == 0)
            out[warp] = sum;
    }
    __syncwarp(); // where the other lanes wait
}

void test(exercise::trial &t) {
    const int sizes[] = {32, 31, 20, 17, 16, 3, 1, t.number(2, 30)};
    for (int n : sizes) {
        t.begin("two warps, n = %d", n);
        auto in = t.integers(2 * n, -999, 999);
        auto out = t.output<int>(2);
        call<<<1, 64>>>(in.gpu(), out.gpu(), n);
        for (int warp = 0; warp < 2; warp++) {
            int sum = 0;
            for (int lane = 0; lane < n; lane++)
                sum += in[warp * n + lane];
            out.want(warp, sum);
        }
        t.compare(out, 64, 32);
    }
}
