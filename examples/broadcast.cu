// broadcast [SRCLANE [WIDTH]] - every lane reads its group's lane SRCLANE, 5 unless it is given.
#include <cstdio>
#include <cstdlib>

__global__ void broadcast(int srcLane, int width) {
    int mine = threadIdx.x;
    int got = __shfl_sync(0xffffffff, mine, srcLane, width);
    printf("lane %d had %d and got %d\n", threadIdx.x, mine, got);
}

int main(int argc, char **argv) {
    int srcLane = argc > 1 ? atoi(argv[1]) : 5, width = argc > 2 ? atoi(argv[2]) : 32;
    broadcast<<<1, 32>>>(srcLane, width);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
