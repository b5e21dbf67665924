#include <shflviz/exercise.cuh>

__global__ void transpose(const int *in, int *out);

void test(exercise::trial &t) {
    for (int i = 0; i < 2; i++) {
        t.begin("a random matrix");
        auto in = t.integers(1024, -999, 999);
        auto out = t.output<int>(1024);
        transpose<<<1, dim3(32, 8)>>>(in.gpu(), out.gpu());
        for (int row = 0; row < 32; row++)
            for (int column = 0; column < 32; column++)
                out.want(32 * column + row, in[32 * row + column]);
        t.compare(out, 256);
    }
}
