#include <shflviz/exercise.cuh>

__device__ int warp_max(int value);

__global__ void call(const int *in, int *out) {
    out[threadIdx.x] = warp_max(in[threadIdx.x]);
}

void test(exercise::trial &t) {
    const int least[] = {-999, -999, 5}, most[] = {999, -1, 9};
    for (int i = 0; i < 3; i++) {
        t.begin("values from %d to %d", least[i], most[i]);
        auto in = t.integers(64, least[i], most[i]);
        auto out = t.output<int>(64);
        call<<<1, 64>>>(in.gpu(), out.gpu());
        for (int warp = 0; warp < 2; warp++) {
            int largest = in[32 * warp];
            for (int lane = 1; lane < 32; lane++)
                largest = in[32 * warp + lane] > largest ? in[32 * warp + lane] : largest;
            for (int lane = 0; lane < 32; lane++)
                out.want(32 * warp + lane, largest);
        }
        t.compare(out, 64);
    }
    for (int lane = 0; lane < 32; lane += 5) {
        t.begin("the largest is in lane %d", lane);
        auto in = t.filled<int>(32, -7);
        auto out = t.output<int>(32);
        in[lane] = -3;
        call<<<1, 32>>>(in.gpu(), out.gpu());
        for (int i = 0; i < 32; i++)
            out.want(i, -3);
        t.compare(out, 32);
    }
}
