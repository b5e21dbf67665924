#include <shflviz/exercise.cuh>

#include <limits.h>

__device__ int argmax(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = argmax(in[threadIdx.x]);
}

static void try_it(exercise::trial &t, exercise::array<int> in) {
    auto out = t.output<int>(64);
    call<<<1, 64>>>(in.gpu(), out.gpu());
    for (int warp = 0; warp < 64; warp += 32) {
        int best = 0;
        for (int lane = 1; lane < 32; lane++)
            best = in[warp + lane] > in[warp + best] ? lane : best;
        for (int lane = 0; lane < 32; lane++)
            out.want(warp + lane, best);
    }
    t.compare(out, 64);
}

void test(exercise::trial &t) {
    t.begin("random values");
    try_it(t, t.integers(64, -999, 999));
    for (int i = 0; i < 4; i++) {
        t.begin("many ties");
        try_it(t, t.integers(64, -3, -1));
    }
    t.begin("the largest and the smallest that an int holds");
    auto ends = t.integers(64, -3, 3);
    ends[t.number(0, 31)] = INT_MAX;
    ends[t.number(32, 63)] = INT_MIN;
    try_it(t, ends);
    t.begin("1 << 27 among small values");
    auto high = t.integers(64, -3, 3);
    high[t.number(0, 31)] = high[t.number(32, 63)] = 1 << 27;
    try_it(t, high);
    t.begin("all values but one are INT_MIN");
    auto low = t.filled<int>(64, INT_MIN);
    low[t.number(0, 31)] = INT_MIN + 1;
    try_it(t, low);
    t.begin("all values are the same");
    try_it(t, t.filled<int>(64, 5));
    for (int i = 0; i < 4; i++) {
        t.begin("the largest value twice");
        auto in = t.integers(64, -9, 0);
        in[t.number(0, 31)] = in[t.number(0, 31)] = 1;
        in[t.number(32, 63)] = in[t.number(32, 63)] = 1;
        try_it(t, in);
    }
}
