// A graph made node by node, and changed after it has been instantiated.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    if (cudaError_t error = (call))                                                                \
    printf("line %d: %s\n", __LINE__, cudaGetErrorName(error))

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}
static void tell(cudaError_t error) {
    printf("%s\n", cudaGetErrorName(error));
    cudaGetLastError();
}
static void say(void *what) {
    printf("host %s\n", (const char *)what);
}

int main() {
    cudaGraph_t graph, child, clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t fill, kernel, inner, host, copy, empty, recorded, waited, node;
    cudaEvent_t event;
    int *x, result[4] = {0}, seven = 7, hundred = 100;
    CHECK(cudaMalloc(&x, sizeof result));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&child, 0));
    tell(cudaGraphCreate(nullptr, 0));

    cudaMemsetParams zeros = {};
    zeros.dst = x, zeros.elementSize = 4, zeros.width = 4, zeros.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros));
    void *arguments[] = {&x, &seven};
    cudaKernelNodeParams params = {};
    params.func = (void *)add, params.gridDim = dim3(1), params.blockDim = dim3(4);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &params));
    void *others[] = {&x, &hundred};
    params.kernelParams = others;
    CHECK(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &params));
    CHECK(cudaGraphAddChildGraphNode(&node, graph, &kernel, 1, child));
    cudaHostNodeParams words = {};
    words.fn = say, words.userData = (void *)"first";
    CHECK(cudaGraphAddHostNode(&host, graph, &node, 1, &words));
    CHECK(cudaGraphAddEventRecordNode(&recorded, graph, &host, 1, event));
    CHECK(cudaGraphAddEventWaitNode(&waited, graph, &recorded, 1, event));
    CHECK(cudaGraphAddEmptyNode(&empty, graph, &waited, 1));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &empty, 1, result, x, sizeof result,
                                   cudaMemcpyDeviceToHost));

    // A node of another graph, missing parameters, a function that is not a kernel, an element of 3
    // bytes.
    tell(cudaGraphAddEmptyNode(&node, graph, &inner, 1));
    tell(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
    zeros.elementSize = 3;
    tell(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &zeros));
    zeros.elementSize = 4;
    words.fn = nullptr;
    tell(cudaGraphAddHostNode(&node, graph, nullptr, 0, &words));

    size_t count = 0, roots = 2;
    cudaGraphNode_t first[2];
    cudaGraphNodeType type;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK(cudaGraphGetRootNodes(graph, first, &roots));
    CHECK(cudaGraphNodeGetType(first[0], &type));
    printf("%d nodes, %d root, a memset %d, none %d\n", (int)count, (int)roots,
           type == cudaGraphNodeTypeMemset, first[1] == nullptr);
    cudaKernelNodeParams asked;
    CHECK(cudaGraphKernelNodeGetParams(kernel, &asked));
    printf("block of %d, %d\n", asked.blockDim.x, *(int *)asked.kernelParams[1]);
    tell(cudaGraphKernelNodeGetParams(fill, &asked));

    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphUpload(exec, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d %d, event %s\n", result[0], result[3], cudaGetErrorName(cudaEventQuery(event)));

    // The graph itself stays as it was when a node of the instance changes, and vice versa.
    int thousand = 1000;
    void *changed[] = {&x, &thousand};
    params.kernelParams = changed, params.blockDim = dim3(2);
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
    words.fn = say, words.userData = (void *)"second";
    CHECK(cudaGraphExecHostNodeSetParams(exec, host, &words));
    zeros.value = 1, zeros.width = 3;
    CHECK(cudaGraphExecMemsetNodeSetParams(exec, fill, &zeros));
    int other[4] = {-1, -1, -1, -1};
    CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, other, x, 3 * sizeof(int),
                                             cudaMemcpyDeviceToHost));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d %d %d %d\n", other[0], other[1], other[2], other[3]);
    tell(cudaGraphExecKernelNodeSetParams(exec, host, &params));

    // A graph of the same shape replaces the instance's graph; a graph of another shape does not.
    CHECK(cudaGraphClone(&clone, graph));
    CHECK(cudaGraphKernelNodeSetParams(kernel, &params));
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, graph, &info));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    printf("%d %d\n", result[1], result[2]);
    CHECK(cudaGraphAddEmptyNode(&node, clone, nullptr, 0));
    tell(cudaGraphExecUpdate(exec, clone, &info));
    printf("topology %d\n", info.result == cudaGraphExecUpdateErrorTopologyChanged);

    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(clone));
    CHECK(cudaGraphDestroy(child));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaFree(x));
    return 0;
}
