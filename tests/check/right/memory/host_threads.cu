// Host threads that allocate, write, launch and free concurrently.
#include <thread>
#include <vector>

__global__ void add(int *data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i]++;
}

static void work(int id, bool *good) {
    *good = true;
    for (int round = 0; round < 20; round++) {
        const int n = 200 + (round * 7919 + id * 104729) % 1000;
        int *host, *device;
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        cudaMalloc(&device, n * sizeof(int));
        cudaHostAlloc(&host, n * sizeof(int), cudaHostAllocPortable);
        for (int i = 0; i < n; i++)
            host[i] = id + i;
        cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice, stream);
        add<<<(n + 127) / 128, 128, 0, stream>>>(device, n);
        cudaMemcpyAsync(host, device, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        for (int i = 0; i < n; i++)
            *good = *good && host[i] == id + i + 1;
        cudaFree(device);
        cudaFreeHost(host);
        cudaStreamDestroy(stream);
    }
}

int main() {
    bool good[6];
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; i++)
        threads.emplace_back(work, i, &good[i]);
    for (std::thread &thread : threads)
        thread.join();
    for (bool each : good)
        if (!each)
            return 1;
    return 0;
}
