// The lesson `ldmatrix`: eight rows of eight values, 0x302 in row 3, column 2, in a tile whose rows
// are 128 bytes apart, 144 bytes apart, and 128 bytes apart with a swizzle; then the first again,
// transposed.
#include <cstdio>
#include <shflviz/watch.h>

template <int PITCH, bool SWIZZLED, bool TRANSPOSED> __global__ void load(unsigned *out) {
    __shared__ __align__(128) unsigned short tile[8 * PITCH / 2];
    int lane = threadIdx.x, row = lane % 8, piece = SWIZZLED ? row : 0;
    unsigned short *mine = tile + PITCH / 2 * row + 8 * piece;
    for (int column = lane / 8; column < 8; column += 4)
        mine[column] = (unsigned short)(256 * row + column);
    __syncwarp();
    unsigned address = (unsigned)__cvta_generic_to_shared(mine), register0;
    int bank = (int)(mine - tile) / 2 % 32;
    shflviz_watch(bank);
    if (TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                     : "=r"(register0)
                     : "r"(address)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                     : "=r"(register0)
                     : "r"(address)
                     : "memory");
    int low = (int)(register0 >> 8 & 0xff) * 100 + (int)(register0 & 0xff); // 302
    shflviz_watch(low);
    out[lane] = register0;
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 32 * sizeof *out);
    load<128, false, false><<<1, 32>>>(out);
    load<144, false, false><<<1, 32>>>(out);
    load<128, true, false><<<1, 32>>>(out);
    load<128, false, true><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::printf("lane 5 has %04x and %04x\n", out[5] & 0xffff, out[5] >> 16);
}
