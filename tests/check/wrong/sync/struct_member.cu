/* Members of structures in shared and global memory, used without a barrier: findings name them. */
#include <cstdio>

struct bins {
    int count;
    struct {
        float x, y;
    } middle;
    int partial[2][16];
};
__device__ bins all[3];

__global__ void sum(int *out) {
    __shared__ bins s;
    __shared__ bins of_warp[2];
    const int t = (int)threadIdx.x;
    s.partial[t / 16][t % 16] = t;
    of_warp[t / 16].middle.y = 1;
    if (t == 0)
        s.count = 7;
    if (t == 0)
        out[0] = s.partial[1][3]; // finds shared_race
    // says reads s.partial[1][3], which
    if (t == 17)
        out[1] = s.count + (int)of_warp[0].middle.y; // finds shared_race
    // says reads s.count, which
    if (t == 1)
        all[2].middle.x = 1;
    if (t == 2)
        out[2] = (int)all[2].middle.x; // finds global_race
    // says reads all[2].middle.x, which
}

/* The same accesses through pointers to one structure, and to several structures. */
__global__ void by_pointer(bins *p, bins *table, int *out) {
    const int t = (int)threadIdx.x;
    if (t == 0) {
        p->middle.y = 1;
        table[1].partial[1][4] = 2;
    }
    if (t == 1)
        out[0] = (int)p->middle.y; // finds global_race
    // says reads p->middle.y, which
    if (t == 2)
        out[1] = table[1].partial[1][4]; // finds global_race
    // says reads table[1].partial[1][4], which
}

int main() {
    int *out;
    bins *one, *two;
    cudaMalloc(&one, sizeof *one);
    cudaMalloc(&two, 2 * sizeof *two);
    cudaMalloc(&out, 3 * sizeof *out);
    sum<<<1, 32>>>(out);
    by_pointer<<<1, 32>>>(one, two, out);
    return cudaDeviceSynchronize();
}
