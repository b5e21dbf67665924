// Threads that poll the clock until some time has passed: the clock runs faster meanwhile, so
// that they need not wait that long.
#include <cstdio>

__global__ void wait(long long clocks, unsigned *asked, int *backwards) {
    const long long begin = clock64();
    long long now = begin;
    unsigned times = 0;
    while (now - begin < clocks) {
        const long long next = clock64();
        *backwards += next < now;
        now = next;
        times++;
    }
    atomicMax(asked, times);
}

int main() {
    unsigned *asked;
    int *backwards;
    cudaMallocManaged(&asked, sizeof *asked);
    cudaMallocManaged(&backwards, sizeof *backwards);
    *asked = *backwards = 0;
    wait<<<2, 64>>>(1000000000, asked, backwards);
    cudaDeviceSynchronize();
    printf("%s, backwards %d times\n", *asked < 1000000 ? "waited" : "asked too often", *backwards);
}
