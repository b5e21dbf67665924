#include <shflviz/exercise.cuh>

__device__ int place(bool keep);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = place(in[threadIdx.x] == 0);
    __syncwarp(); // no lane leaves before this
}

void test(exercise::trial &t) {
    const int seldom[] = {1, 2, 5, 30};
    for (int most : seldom) {
        t.begin("about one lane in %d keeps its value", most);
        auto in = t.integers(64, 0, most - 1);
        auto out = t.output<int>(64);
        call<<<1, 64>>>(in.gpu(), out.gpu());
        int kept = 0;
        for (int i = 0; i < 64; i++) {
            kept = i % 32 == 0 ? 0 : kept;
            out.want(i, in[i] == 0 ? kept++ : -1);
        }
        t.compare(out, 64);
    }
}
