#include <cuda_fp16.h>
#include <shflviz/exercise.cuh>

__global__ void product(const __half *a, const __half *b, float *c, int k);

void test(exercise::trial &t) {
    const int sizes[] = {16, 32, 80};
    for (int k : sizes) {
        t.begin("k = %d", k);
        auto a = t.filled(16 * k, __float2half(0)), b = t.filled(8 * k, __float2half(0));
        int left[16 * 80], right[8 * 80];
        for (int i = 0; i < 16 * k; i++)
            a[i] = __float2half((float)(left[i] = t.number(-9, 9)));
        for (int i = 0; i < 8 * k; i++)
            b[i] = __float2half((float)(right[i] = t.number(-9, 9)));
        auto c = t.output<float>(16 * 8);
        product<<<1, 32>>>(a.gpu(), b.gpu(), c.gpu(), k);
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 8; column++) {
                int sum = 0;
                for (int i = 0; i < k; i++)
                    sum += left[k * row + i] * right[k * column + i];
                c.want(8 * row + column, (float)sum);
            }
        t.compare(c, 128);
    }
}
