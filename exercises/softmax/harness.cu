#include <shflviz/exercise.cuh>

__device__ float softmax(float x);

__global__ void call(const float *in, float *out) {
    out[threadIdx.x] = softmax(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    const float scales[] = {1, 10, 1000};
    for (float scale : scales)
        for (int sign = -1; sign <= 1; sign++) {
            t.begin("values between %g and %g", scale * (sign - 1), scale * (sign + 1));
            auto in = t.floats(64);
            auto out = t.output<float>(64);
            for (int i = 0; i < 64; i++)
                in[i] = scale * (in[i] + sign);
            call<<<1, 64>>>(in.gpu(), out.gpu());
            for (int warp = 0; warp < 64; warp += 32) {
                double largest = in[warp], sum = 0;
                for (int i = 1; i < 32; i++)
                    largest = in[warp + i] > largest ? in[warp + i] : largest;
                for (int i = 0; i < 32; i++)
                    sum += exp(in[warp + i] - largest);
                for (int i = 0; i < 32; i++)
                    out.want(warp + i, (float)(exp(in[warp + i] - largest) / sum));
            }
            out.tolerance = 1e-5;
            t.compare(out, 64);
        }
}
