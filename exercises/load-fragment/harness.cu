#include <shflviz/exercise.cuh>

__device__ void load_a(const unsigned short *tile, int k, unsigned (&a)[4]);

// A block for each register. The tile has 16 rows of 64 values, 128 bytes each. The eight pieces of
// a row, of eight values each, change places: piece p of row r is where piece p ^ (r % 8) would be.
__global__ void call(const int *in, int k, unsigned *out) {
    __shared__ __align__(16) unsigned short tile[16 * 64];
    const int lane = threadIdx.x;
    for (int i = lane; i < 16 * 64; i += 64) {
        const int row = i / 64, piece = i % 64 / 8;
        tile[64 * row + 8 * (piece ^ row % 8) + i % 8] = (unsigned short)in[i];
    }
    __syncthreads();
    unsigned a[4] = {0, 0, 0, 0};
    load_a(tile, k, a);
    out[64 * blockIdx.x + threadIdx.x] = a[blockIdx.x];
}

void test(exercise::trial &t) {
    for (int k = 0; k < 4; k++) {
        t.begin("k = %d: columns %d to %d", k, 16 * k, 16 * k + 15);
        auto in = t.integers(16 * 64, 0, 65535);
        auto out = t.output<unsigned>(4 * 64);
        call<<<4, 64>>>(in.gpu(), k, out.gpu());
        int seen[32] = {0};
        for (int right = 0; right < 2; right++)
            for (int row = 0; row < 16; row++)
                for (int column = 0; column < 8; column += 2) {
                    const int lane = (8 * row + column) % 64 / 2;
                    const int at = 64 * row + 16 * k + 8 * right + column;
                    const unsigned pair = (unsigned)in[at] | (unsigned)in[at + 1] << 16;
                    for (int warp = 0; warp < 2; warp++)
                        out.want(64 * seen[lane] + 32 * warp + lane, pair);
                    seen[lane]++;
                }
        t.compare(out, 64);
    }
}
