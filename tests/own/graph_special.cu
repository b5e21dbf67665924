// Graphs with memory of their own and with conditions.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    if (cudaError_t error = (call))                                                                \
    printf("line %d: %s\n", __LINE__, cudaGetErrorName(error))

__global__ void add(int *x, int n) {
    *x += n;
}
__global__ void count_down(int *x, int *turns, cudaGraphConditionalHandle handle) {
    ++*turns;
    --*x;
    cudaGraphSetConditional(handle, *x > 0);
}
__global__ void decide(int *x, cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, *x);
}
static unsigned long long kept() {
    uint64_t bytes = 77;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &bytes));
    return bytes;
}

static void memory() {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t first, fill, freed, second;
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 1 << 20;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &params));
    void *a = params.dptr;
    cudaMemsetParams bytes = {};
    bytes.dst = a, bytes.value = 1, bytes.elementSize = 1, bytes.width = 4, bytes.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, graph, &first, 1, &bytes));
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &fill, 1, a));
    CHECK(cudaGraphAddMemAllocNode(&second, graph, &freed, 1, &params)); // may have a's place
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    printf("same address %d, kept %llu", params.dptr == a, kept());
    CHECK(cudaGraphLaunch(exec, 0));
    printf(" %llu\n", kept());                                  // 1 MiB
    printf("%s\n", cudaGetErrorName(cudaGraphLaunch(exec, 0))); // the second is still there
    cudaGetLastError();
    CHECK(cudaFree(params.dptr));
    printf("%s\n", cudaGetErrorName(cudaFree(params.dptr))); // it is not
    cudaGetLastError();
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaFree(params.dptr));
    printf("kept %llu", kept());
    CHECK(cudaDeviceGraphMemTrim(0));
    printf(" %llu\n", kept());
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

static void captured() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *x, *result;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocManaged(&result, sizeof *result));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&x, sizeof *x, stream));
    CHECK(cudaMemsetAsync(x, 0, sizeof *x, stream));
    add<<<1, 1, 0, stream>>>(x, 40);
    add<<<1, 1, 0, stream>>>(x, 2);
    CHECK(cudaMemcpyAsync(result, x, sizeof *x, cudaMemcpyDefault, stream));
    CHECK(cudaFreeAsync(x, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        *result = 0;
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        printf("%d ", *result); // 42
    }
    printf("\n");
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t *after, void *kernel,
                                  void **arguments) {
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    params.kernel.func = kernel;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &params));
    return node;
}
static cudaGraph_t *add_condition(cudaGraph_t graph, cudaGraphNode_t *after,
                                  cudaGraphConditionalHandle handle,
                                  cudaGraphConditionalNodeType type, int size) {
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    CHECK(cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &params));
    return params.conditional.phGraph_out;
}

static void conditions() {
    int *x, *turns;
    CHECK(cudaMallocManaged(&x, sizeof *x));
    CHECK(cudaMallocManaged(&turns, sizeof *turns));
    // while, captured into the body; the condition begins as 1 at every launch
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaStream_t stream;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraph_t body = *add_condition(graph, nullptr, handle, cudaGraphCondTypeWhile, 1);
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    count_down<<<1, 1, 0, stream>>>(x, turns, handle);
    CHECK(cudaStreamEndCapture(stream, nullptr));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int start : {5, -3, 10}) {
        *x = start, *turns = 0;
        CHECK(cudaGraphLaunch(exec, 0));
        CHECK(cudaDeviceSynchronize());
        printf("%d ", *turns); // 5 1 10
    }
    // if and switch behind a kernel that decides
    for (cudaGraphConditionalNodeType type : {cudaGraphCondTypeIf, cudaGraphCondTypeSwitch}) {
        CHECK(cudaGraphCreate(&graph, 0));
        CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
        void *decides[] = {&x, &handle};
        cudaGraphNode_t node = add_kernel(graph, nullptr, (void *)decide, decides);
        cudaGraph_t *bodies = add_condition(graph, &node, handle, type, 2);
        int amount[] = {100, 1000};
        for (int i = 0; i < 2; i++) {
            void *arguments[] = {&turns, &amount[i]};
            add_kernel(bodies[i], nullptr, (void *)add, arguments);
        }
        CHECK(cudaGraphInstantiate(&exec, graph, 0));
        for (int value : {0, 1, 2}) {
            *x = value, *turns = 0;
            CHECK(cudaGraphLaunch(exec, 0));
            CHECK(cudaDeviceSynchronize());
            printf("%d ", *turns); // 1000 100 100, then 100 1000 0
        }
    }
    printf("\n");
}

int main() {
    memory();
    captured();
    conditions();
}
