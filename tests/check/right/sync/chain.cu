// Lane 0's writes are ordered for lane 1 after the first barrier, and for lane 2 after the
// second, which lane 0 does not join. Writes that lane 3 has seen from the beginning stay ordered.
__device__ int told, early, got[2];

__global__ void hand_on() {
    int lane = threadIdx.x;
    if (lane == 4)
        early = 5;
    __syncwarp();
    if (lane == 0)
        told = 7;
    if (lane < 2)
        __syncwarp(0x3);
    if (lane == 1 || lane == 2)
        __syncwarp(0x6);
    if (lane == 2)
        got[0] = told;
    if (lane == 2 || lane == 3)
        __syncwarp(0xc);
    if (lane == 3)
        got[1] = early;
}

int main() {
    hand_on<<<1, 32>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
