// What calls about graphs and captures say to each wrong argument: CUDA Runtime API, the return
// values of each; and graphs in unusual orders: conditions in conditions, memory that is used
// again.
#include <cstdio>
#include <cuda_runtime.h>

static int calls;
static void expect(int line, cudaError_t error, cudaError_t wanted) {
    calls++;
    if (error != wanted)
        printf("line %d: %d %s\n", line, error, cudaGetErrorName(error));
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define OK(call)            GIVES(cudaSuccess, call)
#define INVALID(call)       GIVES(cudaErrorInvalidValue, call)
#define IS(what)            expect(__LINE__, (what) ? cudaSuccess : cudaErrorUnknown, cudaSuccess)

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}
__global__ void decide(cudaGraphConditionalHandle handle, int *value) {
    cudaGraphSetConditional(handle, *value);
}
__global__ void count_down(cudaGraphConditionalHandle handle, int *value) {
    cudaGraphSetConditional(handle, --*value > 0);
}
static void nothing(void *) {}

static cudaGraphNode_t kernel_node(cudaGraph_t graph, const cudaGraphNode_t *after, void *kernel,
                                   void **arguments) {
    cudaGraphNode_t node = nullptr;
    cudaKernelNodeParams params = {};
    params.func = kernel;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
    return node;
}

static void nodes(int *device) {
    cudaGraph_t graph, other, unknown = nullptr;
    cudaGraphNode_t node, empty, foreign;
    cudaGraphExec_t exec, second;
    cudaEvent_t event;
    cudaGraphNodeType type;
    int four = 4, host[4] = {};
    INVALID(cudaGraphCreate(nullptr, 0));
    INVALID(cudaGraphCreate(&graph, 1));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
    OK(cudaGraphAddEmptyNode(&foreign, other, nullptr, 0));
    INVALID(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
    INVALID(cudaGraphAddEmptyNode(&node, unknown, nullptr, 0));
    INVALID(cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
    INVALID(cudaGraphAddEmptyNode(&node, graph, &foreign, 1)); // of another graph
    const cudaGraphNode_t none = nullptr;
    INVALID(cudaGraphAddEmptyNode(&node, graph, &none, 1));
    INVALID(cudaGraphNodeGetType(nullptr, &type));
    INVALID(cudaGraphNodeGetType(empty, nullptr));

    cudaKernelNodeParams launch = {};
    void *arguments[] = {&device, &four}, *extra[] = {nullptr};
    INVALID(cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
    launch.gridDim = launch.blockDim = dim3(1);
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch)); // no kernel
    launch.func = (void *)add;
    INVALID(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch)); // no arguments
    launch.kernelParams = arguments, launch.extra = extra;
    INVALID(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch)); // both ways of them
    launch.extra = nullptr;
    OK(cudaGraphAddKernelNode(&node, graph, &empty, 1, &launch));
    INVALID(cudaGraphKernelNodeGetParams(nullptr, &launch));
    INVALID(cudaGraphKernelNodeGetParams(node, nullptr));
    INVALID(cudaGraphKernelNodeGetParams(empty, &launch));
    INVALID(cudaGraphKernelNodeSetParams(nullptr, &launch));
    INVALID(cudaGraphKernelNodeSetParams(empty, &launch));
    four = 5;
    OK(cudaGraphKernelNodeSetParams(node, &launch));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphInstantiate(&second, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    IS(host[0] == 5);

    cudaMemsetParams fill = {};
    INVALID(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, nullptr));
    fill.dst = device, fill.elementSize = 8, fill.width = 1, fill.height = 1;
    INVALID(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    fill.elementSize = 4, fill.width = 100;
    INVALID(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill)); // more than there is
    INVALID(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr));
    INVALID(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host, device, 100,
                                     cudaMemcpyDeviceToHost));
    cudaHostNodeParams call = {};
    INVALID(cudaGraphAddHostNode(&node, graph, nullptr, 0, nullptr));
    INVALID(cudaGraphAddHostNode(&node, graph, nullptr, 0, &call)); // no function
    call.fn = nothing;
    OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &call));
    INVALID(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, unknown));
    OK(cudaEventCreate(&event));
    OK(cudaEventDestroy(event));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, event));
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeEmpty;
    INVALID(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
    INVALID(cudaGraphAddNode(&node, unknown, nullptr, nullptr, 0, &any));
    OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));

    // What may be changed in an executable graph is what it had, when it was made.
    cudaGraphExec_t gone;
    cudaGraphNode_t late;
    OK(cudaGraphInstantiate(&gone, graph, 0));
    OK(cudaGraphAddHostNode(&late, graph, nullptr, 0, &call));
    INVALID(cudaGraphExecHostNodeSetParams(gone, late, &call)); // added since
    INVALID(cudaGraphExecHostNodeSetParams(gone, nullptr, &call));
    INVALID(cudaGraphExecHostNodeSetParams(gone, empty, &call));
    OK(cudaGraphExecDestroy(gone));
    INVALID(cudaGraphExecHostNodeSetParams(gone, late, &call));
    OK(cudaGraphInstantiate(&gone, graph, 0));
    OK(cudaGraphExecHostNodeSetParams(gone, late, &call));
    INVALID(cudaGraphExecHostNodeSetParams(gone, late, nullptr));
    call.fn = nullptr;
    INVALID(cudaGraphExecHostNodeSetParams(gone, late, &call));

    // Updates: of the same shape; other kinds of nodes; other edges; another number of nodes.
    cudaGraphExecUpdateResultInfo info;
    cudaGraph_t kinds, edges;
    cudaGraphNode_t first;
    OK(cudaGraphCreate(&kinds, 0));
    OK(cudaGraphAddEmptyNode(&first, kinds, nullptr, 0));
    call.fn = nothing;
    OK(cudaGraphAddHostNode(&node, kinds, &first, 1, &call));
    OK(cudaGraphCreate(&edges, 0));
    OK(cudaGraphAddEmptyNode(&first, edges, nullptr, 0));
    kernel_node(edges, nullptr, (void *)add, arguments);
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(second, kinds, &info));
    IS(info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == node);
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(second, edges, &info));
    IS(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(second, other, nullptr));
    INVALID(cudaGraphExecUpdate(second, unknown, &info));
    cudaGraphExec_t destroyed = exec;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamDestroy(stream));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, stream));
    GIVES(cudaErrorInvalidResourceHandle, cudaGraphUpload(exec, stream));
    OK(cudaGraphExecDestroy(exec)); // made before another one
    INVALID(cudaGraphExecUpdate(destroyed, graph, &info));
    INVALID(cudaGraphUpload(destroyed, 0));
    OK(cudaGraphExecDestroy(second));
    OK(cudaGraphDestroy(graph)); // likewise
    OK(cudaGraphDestroy(other));
}

/* What fails within a graph ends its launch, with the error. */
static void failing() {
    cudaGraph_t graph, child;
    cudaGraphNode_t node;
    cudaGraphExec_t exec;
    int *memory, host[4];
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphAddMemcpyNode1D(&node, child, nullptr, 0, host, memory, sizeof host,
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    cudaMemsetParams fill = {};
    fill.dst = memory, fill.elementSize = 4, fill.width = 4, fill.height = 1;
    OK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaFree(memory));
    IS(cudaGraphLaunch(exec, 0) != cudaSuccess); // what it copies is gone
    cudaGetLastError();
    OK(cudaGraphExecDestroy(exec));
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaGraphCreate(&graph, 0));
    fill.dst = memory;
    OK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaFree(memory));
    IS(cudaGraphLaunch(exec, 0) != cudaSuccess); // what it fills
    cudaGetLastError();
}

static void memory() {
    cudaGraph_t graph;
    cudaGraphNode_t first, give, second, third, empty;
    cudaGraphExec_t exec;
    cudaMemAllocNodeParams params = {};
    OK(cudaGraphCreate(&graph, 0));
    INVALID(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, nullptr));
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = (size_t)1 << 60;
    GIVES(cudaErrorMemoryAllocation, cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &params));
    params.bytesize = 4096;
    OK(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &params));
    char *memory = (char *)params.dptr, *own;
    OK(cudaMalloc(&own, 16));
    INVALID(cudaGraphAddMemFreeNode(&give, graph, &first, 1, nullptr));
    INVALID(cudaGraphAddMemFreeNode(&give, graph, &first, 1, memory + 8));
    INVALID(cudaGraphAddMemFreeNode(&give, graph, &first, 1, own)); // not a graph's
    OK(cudaGraphAddMemFreeNode(&give, graph, &first, 1, memory));
    OK(cudaGraphAddEmptyNode(&empty, graph, &give, 1));
    params.bytesize = 8192; // larger than what is free again
    OK(cudaGraphAddMemAllocNode(&second, graph, &empty, 1, &params));
    IS(params.dptr != memory);
    params.bytesize = 16; // free again only behind the node that frees
    OK(cudaGraphAddMemAllocNode(&third, graph, &first, 1, &params));
    IS(params.dptr != memory);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    INVALID(cudaGraphLaunch(exec, 0)); // two of them have not been freed
    OK(cudaGraphExecDestroy(exec));
    OK(cudaFree(params.dptr));
    OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaGraphLaunch(exec, 0)); // now they are, before
}

static cudaError_t add_condition(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                                 cudaGraphConditionalNodeType type, unsigned size,
                                 cudaGraph_t **bodies, const cudaGraphNode_t *after = nullptr) {
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    const cudaError_t error =
        cudaGraphAddNode(&node, graph, after, nullptr, after ? 1 : 0, &params);
    *bodies = params.conditional.phGraph_out;
    return error;
}

/* A choice within a loop: the loop runs 3 times, and what is chosen adds 1 or 10 each time. */
static void conditions(int *sum) {
    cudaGraph_t graph, *body, *choice, unknown = nullptr;
    cudaGraphConditionalHandle loop, inner, one;
    cudaGraphExec_t exec;
    int *turns, *value;
    OK(cudaMallocManaged(&turns, sizeof *turns));
    OK(cudaMallocManaged(&value, sizeof *value));
    OK(cudaGraphCreate(&graph, 0));
    INVALID(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
    INVALID(cudaGraphConditionalHandleCreate(&loop, unknown, 0, 0));
    INVALID(cudaGraphConditionalHandleCreate(&loop, graph, 0, 2));
    OK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    OK(cudaGraphConditionalHandleCreate(&inner, graph, 0, 0));
    OK(cudaGraphConditionalHandleCreate(&one, graph, 0, cudaGraphCondAssignDefault));
    INVALID(add_condition(graph, loop + 8, cudaGraphCondTypeIf, 1, &body)); // no such handle
    INVALID(add_condition(graph, loop, (cudaGraphConditionalNodeType)3, 1, &body));
    INVALID(add_condition(graph, loop, cudaGraphCondTypeIf, 0, &body));
    INVALID(add_condition(graph, loop, cudaGraphCondTypeIf, 3, &body));
    INVALID(add_condition(graph, loop, cudaGraphCondTypeWhile, 2, &body));
    OK(add_condition(graph, loop, cudaGraphCondTypeWhile, 1, &body));
    void *of_inner[] = {&inner, &value}, *of_loop[] = {&loop, &turns};
    const cudaGraphNode_t decides = kernel_node(body[0], nullptr, (void *)decide, of_inner);
    OK(add_condition(body[0], inner, cudaGraphCondTypeSwitch, 2, &choice, &decides));
    int amount[] = {1, 10};
    for (int i = 0; i < 2; i++) {
        void *arguments[] = {&sum, &amount[i]};
        kernel_node(choice[i], nullptr, (void *)add, arguments);
    }
    kernel_node(body[0], nullptr, (void *)count_down, of_loop);
    // And one of a single body, whose condition is 0: nothing is done.
    OK(add_condition(graph, one, cudaGraphCondTypeIf, 1, &body));
    void *hundred[] = {&sum, &amount[1]};
    kernel_node(body[0], nullptr, (void *)add, hundred);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int v : {0, 1, 2}) {
        int host = 0;
        OK(cudaMemset(sum, 0, 4));
        *turns = 3, *value = v;
        OK(cudaGraphLaunch(exec, 0));
        OK(cudaDeviceSynchronize());
        OK(cudaMemcpy(&host, sum, 4, cudaMemcpyDeviceToHost));
        printf("%d ", host); // 3 30 0
    }
    printf("\n");
    // A body that is not what it was: within it nothing can be launched, and it cannot be
    // destroyed.
    cudaGraph_t clone;
    OK(cudaGraphClone(&clone, graph));
    INVALID(cudaGraphDestroy(choice[0])); // it belongs to its node
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphDestroy(clone));
}

static void captures(int *device) {
    cudaStream_t stream, other, gone;
    cudaGraph_t graph, into, taken;
    cudaGraphNode_t node;
    cudaStreamCaptureStatus status;
    cudaEvent_t event;
    size_t count = 77;
    unsigned long long id = 0;
    void *memory;
    const cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamCreate(&other));
    OK(cudaStreamCreate(&gone));
    OK(cudaStreamDestroy(gone));
    OK(cudaEventCreate(&event));
    OK(cudaGraphCreate(&into, 0));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaStreamBeginCaptureToGraph(gone, into, nullptr, nullptr, 0, mode));
    GIVES(cudaErrorStreamCaptureUnsupported,
          cudaStreamBeginCaptureToGraph(cudaStreamLegacy, into, nullptr, nullptr, 0, mode));
    INVALID(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, mode));
    INVALID(
        cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, (cudaStreamCaptureMode)3));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaStreamGetCaptureInfo(gone, &status, &id, &graph, nullptr, nullptr, &count));
    INVALID(cudaStreamGetCaptureInfo(stream, nullptr, &id, &graph, nullptr, nullptr, &count));
    OK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, nullptr, nullptr, &count));
    IS(status == cudaStreamCaptureStatusNone && count == 77 && id == 0);
    GIVES(cudaErrorInvalidResourceHandle,
          cudaStreamUpdateCaptureDependencies(gone, nullptr, nullptr, 0, 0));
    GIVES(cudaErrorIllegalState,
          cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
    GIVES(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
    INVALID(cudaStreamEndCapture(stream, nullptr));

    OK(cudaStreamBeginCapture(stream, mode));
    INVALID(cudaMallocAsync(nullptr, 64, stream));
    INVALID(cudaMallocAsync(&memory, 0, stream));
    OK(cudaMallocAsync(&memory, 64, stream));
    INVALID(cudaFreeAsync(device, stream)); // not the graph's
    OK(cudaFreeAsync(memory, stream));
    INVALID(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0));
    INVALID(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 2));
    OK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                           cudaStreamAddCaptureDependencies));
    const cudaGraphEdgeData *edges = (const cudaGraphEdgeData *)&edges;
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, &edges, &count));
    IS(count == 1 && status == cudaStreamCaptureStatusActive);
    // Another stream joins by an event, and must be joined again.
    OK(cudaEventRecord(event, stream));
    OK(cudaStreamWaitEvent(other, event, 0));
    add<<<1, 1, 0, other>>>(device, 1);
    OK(cudaEventRecord(event, other));
    OK(cudaStreamWaitEvent(stream, event, 0));
    OK(cudaStreamEndCapture(stream, &taken));
    OK(cudaGraphGetNodes(taken, nullptr, &count));
    IS(count == 3);
    cudaGraphNode_t all[3];
    OK(cudaGraphGetNodes(taken, all, &count));
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(all[2], &type));
    IS(type == cudaGraphNodeTypeKernel);
    OK(cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, mode));
    GIVES(cudaErrorIllegalState,
          cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, mode));
    OK(cudaStreamEndCapture(stream, nullptr)); // the graph is known
    OK(cudaGraphAddEmptyNode(&node, into, nullptr, 0));
}

int main() {
    int *device;
    OK(cudaMalloc(&device, 16));
    OK(cudaMemset(device, 0, 16));
    nodes(device);
    failing();
    memory();
    conditions(device);
    captures(device);
    printf("%s\n", calls > 200 ? "all" : "too few");
}
