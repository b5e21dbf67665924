#include <shflviz/exercise.cuh>

__device__ void count_values(int *bins, int bin);

__global__ void call(const int *in, int *bins) {
    count_values(bins, in[threadIdx.x]);
    __syncwarp(); // no lane leaves before this
}

void test(exercise::trial &t) {
    const int sizes[] = {1, 2, 7, 100};
    for (int size : sizes) {
        t.begin("%d bins", size);
        auto in = t.integers(64, 0, size - 1);
        auto bins = t.filled<int>(size, 3);
        call<<<1, 64>>>(in.gpu(), bins.gpu());
        for (int bin = 0; bin < size; bin++) {
            int count = 3;
            for (int i = 0; i < 64; i++)
                count += in[i] == bin;
            bins.want(bin, count);
        }
        t.compare(bins, 64);
    }
}
