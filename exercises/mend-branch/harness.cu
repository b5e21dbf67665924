#include <shflviz/exercise.cuh>

__device__ int sum_of_first(int value, int n);

__global__ void call(const int *in, int *out, int n) {
    out[threadIdx.x] = sum_of_first(in[threadIdx.x], n);
}

void test(exercise::trial &t) {
    const int sizes[] = {32, 17, 1, 16, 31, t.number(2, 30)};
    for (int n : sizes) {
        t.begin("n = %d", n);
        auto in = t.integers(32, -999, 999);
        auto out = t.output<int>(32);
        call<<<1, 32>>>(in.gpu(), out.gpu(), n);
        int sum = 0;
        for (int lane = 0; lane < n; lane++)
            sum += in[lane];
        for (int lane = 0; lane < 32; lane++)
            out.want(lane, sum);
        t.compare(out, 32);
    }
}
