#include <shflviz/exercise.cuh>

__device__ int all_sum(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = all_sum(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int warps = 1; warps <= 3; warps++) {
        t.begin(warps == 1 ? "%d warp" : "%d warps", warps);
        auto in = t.integers(32 * warps, -999, 999);
        auto out = t.output<int>(32 * warps);
        call<<<1, 32 * warps>>>(in.gpu(), out.gpu());
        for (int warp = 0; warp < warps; warp++) {
            int sum = 0;
            for (int lane = 0; lane < 32; lane++)
                sum += in[32 * warp + lane];
            for (int lane = 0; lane < 32; lane++)
                out.want(32 * warp + lane, sum);
        }
        t.compare(out, 32 * warps);
    }
}
