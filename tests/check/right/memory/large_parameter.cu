// Structures on the host's stack, passed by value to a kernel, a kernel template and a graph, and
// so large that a compiler copies them by memcpy().
#include <cstdio>

struct table {
    int value[4096];
};
template <class T> struct box {
    T held[4096];
    __host__ __device__ T at(int i) const { return held[i]; }
};

__global__ void spread(table t, int *out) {
    out[threadIdx.x] = t.value[threadIdx.x * 7];
}
template <class T> __global__ void add(box<T> b, T *out) {
    out[threadIdx.x] += b.at(threadIdx.x);
}
__global__ void next(table t, int *out) {
    out[threadIdx.x] += t.value[threadIdx.x + 1];
}

int main() {
    table t;
    box<int> b;
    for (int i = 0; i < 4096; i++) {
        t.value[i] = i;
        b.held[i] = 2 * i;
    }
    int *out, host[32];
    cudaMalloc(&out, sizeof host);
    spread<<<1, 32>>>(t, out);
    add<<<1, 32>>>(b, out);
    add<int><<<1, 32>>>(b, out);
    void *arguments[] = {&t, &out};
    cudaLaunchKernel((void *)next, 1, 32, arguments, 0, 0);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    next<<<1, 32, 0, stream>>>(t, out);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphLaunch(ready, stream);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    // 7 i + 2 i + 2 i, then i + 1 twice
    return host[0] == 2 && host[1] == 15 && host[31] == 405 ? 0 : 1;
}
