#include <shflviz/exercise.cuh>

struct particle {
    float x, y;
    int id;
};

__device__ particle from_lane(particle mine, int source);

__global__ void call(const float *x, const float *y, const int *id, float *out_x, float *out_y,
                     int *out_id, int source) {
    const int i = threadIdx.x;
    const particle got = from_lane(particle{x[i], y[i], id[i]}, source);
    out_x[i] = got.x;
    out_y[i] = got.y;
    out_id[i] = got.id;
}

void test(exercise::trial &t) {
    const int sources[] = {0, 31, t.number(1, 30), t.number(1, 30)};
    for (int source : sources) {
        t.begin("source = %d", source);
        auto x = t.floats(64), y = t.floats(64);
        auto id = t.integers(64, -999999, 999999);
        auto out_x = t.output<float>(64), out_y = t.output<float>(64);
        auto out_id = t.output<int>(64);
        call<<<1, 64>>>(x.gpu(), y.gpu(), id.gpu(), out_x.gpu(), out_y.gpu(), out_id.gpu(), source);
        for (int i = 0; i < 64; i++) {
            const int from = i / 32 * 32 + source;
            out_x.want(i, x[from]);
            out_y.want(i, y[from]);
            out_id.want(i, id[from]);
        }
        t.compare(out_x, 64);
        t.compare(out_y, 64);
        t.compare(out_id, 64);
    }
}
