#include <shflviz/exercise.cuh>

__device__ int segmented_scan(int value, bool head);

__global__ void call(const int *in, const int *heads, int *out) {
    const int i = threadIdx.x;
    out[i] = segmented_scan(in[i], heads[i] == 0);
}

void test(exercise::trial &t) {
    const int seldom[] = {1, 2, 4, 9, 40}; // one lane in this many is a head, on average
    for (int most : seldom) {
        t.begin("about one lane in %d is a head", most);
        auto in = t.integers(64, -999, 999);
        auto heads = t.integers(64, 0, most - 1);
        auto out = t.output<int>(64);
        call<<<1, 64>>>(in.gpu(), heads.gpu(), out.gpu());
        int sum = 0;
        for (int i = 0; i < 64; i++) {
            sum = i % 32 == 0 || heads[i] == 0 ? in[i] : sum + in[i];
            out.want(i, sum);
        }
        t.compare(out, 64);
    }
}
