#include <shflviz/exercise.cuh>

__device__ int partial_sum(int value, int n);

__global__ void call(const int *in, int *out, int n) {
    if (threadIdx.x < n) {
        const int sum = partial_sum(in[threadIdx.x], n);
        if (threadIdx.x == 0)
            *out = sum;
    }
    __syncwarp(); // where the other lanes wait
}

void test(exercise::trial &t) {
    const int sizes[] = {32, 31, 20, 17, 16, 3, 1, t.number(2, 30)};
    for (int n : sizes) {
        t.begin("n = %d", n);
        auto in = t.integers(n, -999, 999);
        auto out = t.output<int>(1);
        call<<<1, 32>>>(in.gpu(), out.gpu(), n);
        int sum = 0;
        for (int lane = 0; lane < n; lane++)
            sum += in[lane];
        out.want(0, sum);
        t.compare(out, 32);
    }
}
