#include <shflviz/exercise.cuh>

__device__ int c_cell(int i);
__device__ int a_cell(int i);
__device__ int c_holder(int row, int column);

// Each lane writes the cells of its four elements of C, then of its eight of A, and says who holds
// four cells of C.
__global__ void call(int *out) {
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        out[16 * lane + i] = c_cell(i);
        out[16 * lane + 12 + i] = c_holder(lane / 2, lane % 2 * 4 + i);
    }
    for (int i = 0; i < 8; i++)
        out[16 * lane + 4 + i] = a_cell(i);
}

void test(exercise::trial &t) {
    // A lane's elements are counted in the order in which its cells come up.
    int c_seen[32] = {0}, a_seen[32] = {0}, holder[16][8];
    t.begin("all cells");
    auto out = t.output<int>(32 * 16);
    call<<<1, 32>>>(out.gpu());
    for (int half = 0; half < 2; half++)
        for (int row = 8 * half; row < 8 * half + 8; row++)
            for (int column = 0; column < 8; column++) {
                const int lane = (8 * row + column) % 64 / 2, i = c_seen[lane]++;
                out.want(16 * lane + i, 8 * row + column);
                holder[row][column] = 4 * lane + i;
            }
    for (int right = 0; right < 2; right++)
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 8; column++) {
                const int lane = (8 * row + column) % 64 / 2, i = a_seen[lane]++;
                out.want(16 * lane + 4 + i, 16 * row + 8 * right + column);
            }
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 4; i++)
            out.want(16 * lane + 12 + i, holder[lane / 2][lane % 2 * 4 + i]);
    t.compare(out, 512);
}
