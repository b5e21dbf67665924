#include <shflviz/exercise.cuh>

__device__ int sort(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = sort(in[threadIdx.x]);
}

static void try_it(exercise::trial &t, exercise::array<int> in) {
    auto out = t.output<int>(64);
    call<<<1, 64>>>(in.gpu(), out.gpu());
    for (int warp = 0; warp < 64; warp += 32)
        for (int i = 0; i < 32; i++) {
            int place = 0; // how many come before it
            for (int j = 0; j < 32; j++)
                place += in[warp + j] < in[warp + i] || (in[warp + j] == in[warp + i] && j < i);
            out.want(warp + place, in[warp + i]);
        }
    t.compare(out, 64);
}

void test(exercise::trial &t) {
    t.begin("random values");
    try_it(t, t.integers(64, -999, 999));
    t.begin("many equal values");
    try_it(t, t.integers(64, 0, 3));
    t.begin("sorted the other way round");
    auto in = t.filled<int>(64, 0);
    for (int i = 0; i < 64; i++)
        in[i] = 64 - i;
    try_it(t, in);
}
