#include <shflviz/exercise.cuh>

__device__ int group_total(int value);

__global__ void call(const int *in, int *out, int parts) {
    if (threadIdx.x % parts == 0) // some do more, and arrive later
        __syncwarp(0xffffffff / ((1u << parts) - 1));
    out[threadIdx.x] = group_total(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int parts = 1; parts <= 8; parts *= 2) {
        t.begin("one lane in %d comes later", parts);
        auto in = t.integers(32, -999, 999);
        auto out = t.output<int>(32);
        call<<<1, 32>>>(in.gpu(), out.gpu(), parts);
        int sum = 0;
        for (int lane = 0; lane < 32; lane++)
            sum += in[lane];
        for (int lane = 0; lane < 32; lane++)
            out.want(lane, sum);
        t.compare(out, 32);
    }
}
