#include <shflviz/exercise.cuh>

__device__ int c_cell(int i);
__device__ int a_cell(int i);
__device__ int c_holder(int row, int column);

// One block for each element of C and of A, then four in which each lane computes which lane holds
// a cell of C.
__global__ void call(int *out) {
    const int lane = threadIdx.x % 32, i = blockIdx.x;
    out[64 * i + threadIdx.x] = i < 4    ? c_cell(i)
                                : i < 12 ? a_cell(i - 4)
                                         : c_holder(lane / 2, lane % 2 * 4 + i - 12);
}

// The same for both warps.
static void want(exercise::array<int> &out, int i, int lane, int value) {
    out.want(64 * i + lane, value);
    out.want(64 * i + 32 + lane, value);
}

void test(exercise::trial &t) {
    // A lane's elements are counted in the order in which its cells come up.
    int c_seen[32] = {0}, a_seen[32] = {0}, holder[16][8];
    t.begin("all cells");
    auto out = t.output<int>(64 * 16);
    call<<<16, 64>>>(out.gpu());
    for (int half = 0; half < 2; half++)
        for (int row = 8 * half; row < 8 * half + 8; row++)
            for (int column = 0; column < 8; column++) {
                const int lane = (8 * row + column) % 64 / 2, i = c_seen[lane]++;
                want(out, i, lane, 8 * row + column);
                holder[row][column] = 4 * lane + i;
            }
    for (int right = 0; right < 2; right++)
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 8; column++) {
                const int lane = (8 * row + column) % 64 / 2, i = a_seen[lane]++;
                want(out, 4 + i, lane, 16 * row + 8 * right + column);
            }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 4; i++)
            want(out, 12 + i, lane, holder[lane / 2][lane % 2 * 4 + i]);
    t.compare(out, 64);
}
