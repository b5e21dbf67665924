#include <shflviz/exercise.cuh>

__device__ float2 row_sums(float c0, float c1, float c2, float c3);

// C is read as the lanes of an mma hold it. Each lane writes the sum of one of its rows: the first
// in block 0, the other in block 1.
__global__ void call(const int *c, float *out) {
    const int lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2;
    const float2 sums =
        row_sums((float)c[8 * row + column], (float)c[8 * row + column + 1],
                 (float)c[8 * (row + 8) + column], (float)c[8 * (row + 8) + column + 1]);
    out[32 * blockIdx.x + lane] = blockIdx.x ? sums.y : sums.x;
}

void test(exercise::trial &t) {
    for (int i = 0; i < 2; i++) {
        t.begin("a random matrix");
        auto c = t.integers(16 * 8, -999, 999);
        auto out = t.output<float>(2 * 32);
        call<<<2, 32>>>(c.gpu(), out.gpu());
        for (int row = 0; row < 16; row++) {
            int sum = 0;
            for (int column = 0; column < 8; column++)
                sum += c[8 * row + column];
            for (int lane = row % 8 * 4; lane < row % 8 * 4 + 4; lane++)
                out.want(row / 8 * 32 + lane, (float)sum);
        }
        t.compare(out, 32);
    }
}
