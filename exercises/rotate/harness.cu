#include <shflviz/exercise.cuh>

__device__ int rotate(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = rotate(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int warps = 1; warps <= 3; warps++) {
        t.begin(warps == 1 ? "%d warp" : "%d warps", warps);
        auto in = t.integers(32 * warps, -999, 999);
        auto out = t.output<int>(32 * warps);
        call<<<1, 32 * warps>>>(in.gpu(), out.gpu());
        for (int i = 0; i < 32 * warps; i++)
            out.want(i, in[i / 32 * 32 + (i + 1) % 32]);
        t.compare(out, 32 * warps);
    }
}
