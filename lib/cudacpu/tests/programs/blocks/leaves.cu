// status 3
// main() returns while another thread of the host launches.
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void sum(int *out) {
    int value = threadIdx.x;
    for (int d = 16; d; d /= 2)
        value += __shfl_xor_sync(0xffffffff, value, d);
    out[threadIdx.x] = value;
}

static std::atomic<int> launched;

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    std::thread([=] {
        for (;; launched++)
            sum<<<64, 32>>>(out);
    }).detach();
    while (launched < 20)
        std::this_thread::yield();
    printf("leaves\n");
    return 3;
}
