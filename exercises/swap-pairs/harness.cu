#include <shflviz/exercise.cuh>

__device__ int swap_pairs(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = swap_pairs(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int warps = 1; warps <= 2; warps++) {
        t.begin(warps == 1 ? "%d warp" : "%d warps", warps);
        auto in = t.integers(32 * warps, -999, 999);
        auto out = t.output<int>(32 * warps);
        call<<<1, 32 * warps>>>(in.gpu(), out.gpu());
        for (int i = 0; i < 32 * warps; i += 2) {
            const bool ordered = in[i] <= in[i + 1];
            out.want(i, ordered ? in[i] : in[i + 1]);
            out.want(i + 1, ordered ? in[i + 1] : in[i]);
        }
        t.compare(out, 32 * warps);
    }
}
