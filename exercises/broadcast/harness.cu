#include <shflviz/exercise.cuh>

__device__ int broadcast(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = broadcast(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int i = 0; i < 3; i++) {
        t.begin("one warp, random values");
        auto in = t.integers(32, -999, 999);
        auto out = t.output<int>(32);
        call<<<1, 32>>>(in.gpu(), out.gpu());
        for (int lane = 0; lane < 32; lane++)
            out.want(lane, in[5]);
        t.compare(out, 32);
    }
    t.begin("two warps: each has a lane 5 of its own");
    auto in = t.integers(64, -999, 999);
    auto out = t.output<int>(64);
    call<<<1, 64>>>(in.gpu(), out.gpu());
    for (int i = 0; i < 64; i++)
        out.want(i, in[i / 32 * 32 + 5]);
    t.compare(out, 64);
}
