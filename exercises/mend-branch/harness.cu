#include <shflviz/exercise.cuh>

__device__ int sum_of_first(int value, int n);

__global__ void call(const int *in, int *out, int n) {
    out[threadIdx.x] = sum_of_first(in[threadIdx.x], n);
}

void test(exercise::trial &t) {
    const int sizes[] = {32, 17, 1, 16, 31, t.number(2, 30)};
    for (int n : sizes) {
        t.begin("two warps, n = %d", n);
        auto in = t.integers(64, -999, 999);
        auto out = t.output<int>(64);
        call<<<1, 64>>>(in.gpu(), out.gpu(), n);
        for (int warp = 0; warp < 64; warp += 32) {
            int sum = 0;
            for (int lane = 0; lane < n; lane++)
                sum += in[warp + lane];
            for (int lane = 0; lane < 32; lane++)
                out.want(warp + lane, sum);
        }
        t.compare(out, 64);
    }
}
