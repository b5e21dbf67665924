#include <shflviz/exercise.cuh>

__device__ int warp_sum(int value);

__global__ void call(const int *in, int *out) {
    const int sum = warp_sum(in[threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = sum;
}

void test(exercise::trial &t) {
    const int warps[] = {1, 1, 3};
    for (int n : warps) {
        t.begin(n == 1 ? "%d warp, random values" : "%d warps, random values", n);
        auto in = t.integers(32 * n, -999, 999);
        auto out = t.output<int>(n);
        call<<<1, 32 * n>>>(in.gpu(), out.gpu());
        for (int warp = 0; warp < n; warp++) {
            int sum = 0;
            for (int lane = 0; lane < 32; lane++)
                sum += in[32 * warp + lane];
            out.want(warp, sum);
        }
        t.compare(out, 32 * n, 32);
    }
}
