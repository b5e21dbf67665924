#include <shflviz/exercise.cuh>

__device__ int group_sum(int value, int width);

__global__ void call(const int *in, int *out, int width) {
    out[threadIdx.x] = group_sum(in[threadIdx.x], width);
}

void test(exercise::trial &t) {
    for (int width = 2; width <= 32; width *= 2) {
        t.begin("width = %d", width);
        auto in = t.integers(64, -999, 999);
        auto out = t.output<int>(64);
        call<<<1, 64>>>(in.gpu(), out.gpu(), width);
        for (int i = 0; i < 64; i++) {
            int sum = 0;
            for (int j = i / width * width; j < i / width * width + width; j++)
                sum += in[j];
            out.want(i, sum);
        }
        t.compare(out, 64);
    }
}
