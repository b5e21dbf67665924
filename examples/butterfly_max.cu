// butterfly_max - the largest of 32 values in every lane; prints what each lane knows after each
// step.
#include <cstdio>

constexpr int steps = 5;

__global__ void butterfly_max(int *known) {
    int lane = threadIdx.x, largest = lane;
    known[lane] = largest;
    for (int step = 1, laneMask = 16; laneMask > 0; step++, laneMask /= 2) {
        largest = max(largest, __shfl_xor_sync(0xffffffff, largest, laneMask));
        known[step * 32 + lane] = largest;
    }
}

int main() {
    int known[(steps + 1) * 32], *device;
    cudaMalloc(&device, sizeof known);
    butterfly_max<<<1, 32>>>(device);
    if (cudaMemcpy(known, device, sizeof known, cudaMemcpyDeviceToHost) != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    printf("lane  in  16   8   4   2   1\n");
    for (int lane = 0; lane < 32; lane++) {
        printf("%4d", lane);
        for (int step = 0; step <= steps; step++)
            printf(" %3d", known[step * 32 + lane]);
        printf("\n");
    }
    cudaFree(device);
    return 0;
}
