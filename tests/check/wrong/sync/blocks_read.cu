// Blocks do not wait for each other, even if their lanes have the same numbers. All
// memory belongs to the program's variables; none is allocated.
__device__ int once, both, told[2];

__global__ void unordered() {
    if (threadIdx.x == 0)
        once = 1;
    if (threadIdx.x == 33)
        told[0] = once; // finds global_race
}

__global__ void blocks() {
    int value = both;
    told[blockIdx.x] = value;
    if (blockIdx.x == 1)
        both = value + 1; // finds global_race
}

int main() {
    unordered<<<1, 64>>>();
    blocks<<<2, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
