// Host calls whose failure is ignored: a copy in the wrong direction, a pointer that is
// not the beginning of an allocation, more memory than there is, and a launch.
#include <cstdio>

__global__ void count(int *out, int n) {
    if (threadIdx.x < n)
        atomicAdd(out, 1);
}

int main() {
    int *out, *large, host = 0;
    bool verbose = true;
    cudaMalloc(&out, 4096);
    cudaMalloc(&large, 1ull << 45); // finds error_ignored
    // says cudaMalloc() fails with cudaErrorMemoryAllocation (out of memory), and
    cudaMemset(out, 0, 4096);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyHostToDevice); // finds error_ignored
    if (verbose)
        cudaMemset(&host, 0, 4096); // finds error_ignored
    else
        cudaFree(&host);
    count<<<1, 32, 100 << 10>>>(out, 32); // finds error_ignored
    // says the launch fails with cudaErrorInvalidValue (invalid argument), and nothing
    count<<<1, 2048>>>(out, 32); // finds launch_refused
    // says a kernel launch with a block size of 2048 is refused: a block has 1 to 1024 threads
    printf("%d\n", host);
    cudaFree(out + 1); // finds error_ignored
    cudaFree(out);
}
