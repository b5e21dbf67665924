#include <shflviz/exercise.cuh>

__device__ float ordered_sum(float value);

__global__ void call(const float *in, float *out) {
    out[threadIdx.x] = ordered_sum(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    for (int i = 0; i < 6; i++) {
        t.begin("random values");
        auto in = t.floats(32);
        auto out = t.output<float>(32);
        float sum[32];
        for (int lane = 0; lane < 32; lane++)
            sum[lane] = in[lane] *= t.number(1, 1000) / 7.0f;
        call<<<1, 32>>>(in.gpu(), out.gpu());
        for (int count = 32; count > 1; count /= 2)
            for (int pair = 0; pair < count / 2; pair++)
                sum[pair] = sum[2 * pair] + sum[2 * pair + 1];
        for (int lane = 0; lane < 32; lane++)
            out.want(lane, sum[0]);
        t.compare(out, 32);
    }
}
