#include <shflviz/exercise.cuh>

__device__ int scan(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = scan(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int warps = 1; warps <= 2; warps++) {
        t.begin(warps == 1 ? "%d warp" : "%d warps", warps);
        auto in = t.integers(32 * warps, -999, 999);
        auto out = t.output<int>(32 * warps);
        call<<<1, 32 * warps>>>(in.gpu(), out.gpu());
        int sum = 0;
        for (int i = 0; i < 32 * warps; i++)
            out.want(i, sum = i % 32 == 0 ? in[i] : sum + in[i]);
        t.compare(out, 32 * warps);
    }
}
