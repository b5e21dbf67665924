#include <shflviz/exercise.cuh>

__device__ int scan_before(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = scan_before(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int warps = 1; warps <= 2; warps++) {
        t.begin(warps == 1 ? "%d warp" : "%d warps", warps);
        auto in = t.integers(32 * warps, 1, 999);
        auto out = t.output<int>(32 * warps);
        call<<<1, 32 * warps>>>(in.gpu(), out.gpu());
        int sum = 0;
        for (int i = 0; i < 32 * warps; i++) {
            sum = i % 32 == 0 ? 0 : sum + in[i - 1];
            out.want(i, sum);
        }
        t.compare(out, 32 * warps);
    }
}
