// An executable graph no longer needs the graph from which it was made, and two executable graphs
// made from one graph do not need each other; the nodes after which a captured stream continues;
// and the legacy stream, which cannot be captured.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

static void expect(int line, cudaError_t error, cudaError_t wanted) {
    if (error != wanted)
        printf("line %d: %d %s\n", line, error, cudaGetErrorName(error));
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define OK(call)            GIVES(cudaSuccess, call)

struct numbers {
    int of[6];
};
__global__ void add(numbers n, int *x) {
    x[threadIdx.x] += n.of[threadIdx.x];
}

// Allocates and fills memory of all small sizes, so that any memory freed too soon has
// changed.
static void reuse_memory() {
    static char *taken[64][8];
    for (int size = 1; size < 64; size++)
        for (int i = 0; i < 8; i++)
            taken[size][i] = (char *)memset(malloc(16 * size), 0x5a, 16 * size);
    for (int size = 1; size < 64; size++)
        for (int i = 0; i < 8; i++)
            free(taken[size][i]);
}

// Makes `count` executable graphs; each is used and destroyed while later ones still exist.
static void outlived(int count) {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made[3];
    int *x;
    OK(cudaStreamCreate(&stream));
    OK(cudaMallocManaged(&x, 6 * sizeof *x));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 6, 0, stream>>>(numbers{{1, 2, 3, 4, 5, 6}}, x);
    add<<<1, 6, 0, stream>>>(numbers{{10, 20, 30, 40, 50, 60}}, x);
    OK(cudaStreamEndCapture(stream, &graph));
    for (int i = 0; i < count; i++)
        OK(cudaGraphInstantiate(&made[i], graph, 0));
    OK(cudaGraphDestroy(graph));
    for (int i = 0; i < count; i++) {
        reuse_memory();
        OK(cudaGraphLaunch(made[i], stream));
        OK(cudaStreamSynchronize(stream));
        OK(cudaGraphExecDestroy(made[i]));
    }
    for (int i = 0; i < 6; i++)
        printf("%d ", x[i]); // `count` times 11, 22, ...
    printf("\n");
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(x));
}

static void dependencies() {
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphNode_t kernel, made[2];
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last;
    size_t count;
    int *x;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaEventCreate(&event));
    OK(cudaMallocManaged(&x, 6 * sizeof *x));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 6, 0, stream>>>(numbers{{1, 2, 3, 4, 5, 6}}, x);
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, nullptr, &count));
    kernel = last[0];
    OK(cudaGraphAddEmptyNode(&made[0], graph, nullptr, 0));
    OK(cudaGraphAddEmptyNode(&made[1], graph, nullptr, 0));
    OK(cudaStreamUpdateCaptureDependencies(stream, made, nullptr, 2,
                                           cudaStreamAddCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count));
    printf("%zu: %d %d %d\n", count, last[0] == kernel, last[1] == made[0], last[2] == made[1]);
    OK(cudaStreamUpdateCaptureDependencies(stream, &made[1], nullptr, 1,
                                           cudaStreamSetCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count));
    printf("%zu: %d\n", count, last[0] == made[1]);
    OK(cudaEventRecord(event, stream));
    GIVES(cudaErrorStreamCaptureUnsupported,
          cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(x, 0, 4, stream));
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count));
    printf("%zu: %d\n", count, last[0] == made[1]); // the fill alone
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphDestroy(graph));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(stream));
}

int main() {
    for (int count = 1; count <= 3; count++)
        outlived(count);
    dependencies();
}
