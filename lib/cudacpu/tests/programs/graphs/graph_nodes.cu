// Each kind of node by cudaGraphAddNode(), streams and graphs while they are captured, a graph
// whose memory is freed, and the parts of an executable graph that may be changed.
#include <cstdio>
#include <cstring>
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

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}
static int told;
static void tell(void *number) {
    told += *(int *)number;
}

static cudaGraphNodeParams of_type(cudaGraphNodeType type) {
    cudaGraphNodeParams params = {};
    params.type = type;
    return params;
}
static cudaError_t put(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                       cudaGraphNodeParams *params) {
    return cudaGraphAddNode(node, graph, after, nullptr, after ? 1 : 0, params);
}

/* 32 numbers are set to 0x01010101, added to, copied to the host, and printed. */
static void every_kind() {
    static int host[32], number = 5;
    int *device, four = 4;
    cudaGraph_t graph, child;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, kernel, copy, call, empty, record, wait, below;
    cudaEvent_t event;
    OK(cudaMalloc(&device, sizeof host));
    OK(cudaEventCreate(&event));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphCreate(&child, 0));
    cudaGraphNodeParams params = of_type(cudaGraphNodeTypeMemset);
    params.memset.dst = device;
    params.memset.value = 1;
    params.memset.elementSize = 1;
    params.memset.width = sizeof host;
    params.memset.height = 1;
    OK(put(&set, graph, nullptr, &params));
    params = of_type(cudaGraphNodeTypeKernel);
    void *arguments[] = {&device, &four};
    params.kernel.func = (void *)add;
    params.kernel.gridDim = dim3(1);
    params.kernel.blockDim = dim3(32);
    params.kernel.kernelParams = arguments;
    OK(put(&kernel, graph, &set, &params));
    params = of_type(cudaGraphNodeTypeEventRecord);
    params.eventRecord.event = event;
    OK(put(&record, graph, &kernel, &params));
    params = of_type(cudaGraphNodeTypeWaitEvent);
    params.eventWait.event = event;
    OK(put(&wait, graph, &record, &params));
    params = of_type(cudaGraphNodeTypeMemcpy);
    params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(device, sizeof host, 32, 1);
    params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(host, sizeof host, 32, 1);
    params.memcpy.copyParams.extent = make_cudaExtent(sizeof host, 1, 1);
    params.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    OK(put(&copy, graph, &wait, &params));
    params = of_type(cudaGraphNodeTypeHost);
    params.host.fn = tell;
    params.host.userData = &number;
    OK(put(&call, child, nullptr, &params));
    params = of_type(cudaGraphNodeTypeGraph);
    params.graph.graph = child;
    OK(put(&below, graph, &copy, &params));
    params = of_type(cudaGraphNodeTypeEmpty);
    OK(put(&empty, graph, &below, &params));
    params = of_type(cudaGraphNodeTypeExtSemaphoreSignal);
    GIVES(cudaErrorNotSupported, put(&empty, graph, nullptr, &params));
    const cudaGraphNodeType wanted[] = {cudaGraphNodeTypeMemset,      cudaGraphNodeTypeKernel,
                                        cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
                                        cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeGraph,
                                        cudaGraphNodeTypeEmpty};
    const cudaGraphNode_t all[] = {set, kernel, record, wait, copy, below, empty};
    for (int i = 0; i < 7; i++) {
        cudaGraphNodeType type;
        OK(cudaGraphNodeGetType(all[i], &type));
        if (type != wanted[i])
            printf("node %d is a %d\n", i, type);
    }
    size_t count = 3;
    cudaGraphNode_t first[3];
    OK(cudaGraphGetNodes(graph, first, &count));
    printf("%zu", count); // 3, as many as there was room for
    OK(cudaGraphGetRootNodes(graph, first, &count));
    printf(" %zu %d\n", count, first[0] == set); // 1 1
    OK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    printf("%x %x %d\n", host[0], host[31], told); // 1010105 1010105 5

    // Other values in the executable graph: 2 2 2 2, and 5 more are reported.
    params.type = cudaGraphNodeTypeMemset;
    cudaMemsetParams fill = {};
    fill.dst = device;
    fill.value = 0x0202;
    fill.elementSize = 2;
    fill.width = 64;
    fill.height = 1;
    OK(cudaGraphExecMemsetNodeSetParams(exec, set, &fill));
    fill.elementSize = 3;
    INVALID(cudaGraphExecMemsetNodeSetParams(exec, set, &fill));
    INVALID(cudaGraphExecMemsetNodeSetParams(exec, kernel, &fill));
    cudaKernelNodeParams launch;
    OK(cudaGraphKernelNodeGetParams(kernel, &launch));
    int six = 6;
    void *others[] = {&device, &six};
    launch.kernelParams = others;
    launch.blockDim = dim3(16);
    OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
    INVALID(cudaGraphExecKernelNodeSetParams(exec, set, &launch));
    OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, host, device, 68, cudaMemcpyDeviceToHost));
    INVALID(cudaGraphExecMemcpyNodeSetParams1D(exec, set, host, device, 4, cudaMemcpyDeviceToHost));
    INVALID(
        cudaGraphExecMemcpyNodeSetParams1D(exec, copy, host, device, 4000, cudaMemcpyDeviceToHost));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    printf("%x %x %x\n", host[15], host[16], host[17]); // 2020208 2020202 1010105
    // A graph of another shape is not accepted as an update.
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, graph, &info));
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, child, &info));
    printf("%d\n", info.result == cudaGraphExecUpdateErrorTopologyChanged);
    INVALID(cudaGraphExecUpdate(exec, nullptr, &info));
    cudaHostNodeParams hosts = {tell, &number};
    INVALID(cudaGraphExecHostNodeSetParams(exec, call, nullptr));
    (void)hosts;
    OK(cudaGraphDestroy(child));
    OK(cudaGraphDestroy(graph)); // what was instantiated stays
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaGraphExecDestroy(exec));
    printf("%d\n", told); // 15
}

/* A failure inside a graph ends its launch with the error. */
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
    INVALID(cudaGraphLaunch(exec, 0)); // the memory that it copies is freed
    cudaGetLastError();
    OK(cudaGraphExecDestroy(exec));
    OK(cudaMalloc(&memory, sizeof host));
    OK(cudaGraphCreate(&graph, 0));
    fill.dst = memory;
    OK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaFree(memory));
    INVALID(cudaGraphLaunch(exec, 0)); // the memory that it fills is freed
    cudaGetLastError();
}

static void captured() {
    cudaStream_t stream;
    cudaGraph_t graph, of_stream, inner;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    const cudaGraphNode_t *last;
    size_t count;
    int *device, host[4] = {};
    OK(cudaMalloc(&device, sizeof host));
    OK(cudaMemset(device, 0, sizeof host));
    OK(cudaStreamCreate(&stream));
    OK(cudaGraphCreate(&inner, 0));
    int one = 1;
    void *arguments[] = {&device, &one};
    cudaKernelNodeParams launch = {};
    launch.func = (void *)add;
    launch.gridDim = dim3(1), launch.blockDim = dim3(4);
    launch.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&node, inner, nullptr, 0, &launch));
    OK(cudaGraphInstantiate(&exec, inner, 0));

    OK(cudaStreamGetCaptureInfo(stream, &status, &id, &of_stream, &last, nullptr, &count));
    printf("%d", status == cudaStreamCaptureStatusNone);
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 4, 0, stream>>>(device, 10);
    OK(cudaStreamGetCaptureInfo(stream, &status, &id, &of_stream, &last, nullptr, &count));
    printf(" %d %d %zu", status == cudaStreamCaptureStatusActive, id != 0, count); // 1 1 1
    OK(cudaGraphLaunch(exec, stream)); // a child of the graph that is captured
    OK(cudaGraphAddEmptyNode(&node, of_stream, nullptr, 0));
    OK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                           cudaStreamAddCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count));
    printf(" %zu", count); // 2
    OK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                           cudaStreamSetCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &count));
    printf(" %zu\n", count); // 1
    INVALID(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, 2));
    OK(cudaStreamEndCapture(stream, &graph));
    GIVES(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, 0));
    cudaGraphExec_t both;
    OK(cudaGraphInstantiate(&both, graph, 0));
    OK(cudaGraphLaunch(both, stream));
    OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[0], host[3]); // 11 11
    // A stream of the thread, and one that is captured into an existing graph.
    OK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
    add<<<1, 4, 0, cudaStreamPerThread>>>(device, 100);
    OK(cudaStreamEndCapture(cudaStreamPerThread, &of_stream));
    OK(cudaStreamBeginCaptureToGraph(stream, of_stream, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeGlobal));
    GIVES(cudaErrorIllegalState, cudaStreamBeginCaptureToGraph(stream, of_stream, nullptr, nullptr,
                                                               0, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(device + 3, 0, 4, stream));
    OK(cudaStreamEndCapture(stream, nullptr));
    OK(cudaGraphGetNodes(of_stream, nullptr, &count));
    printf("%zu\n", count); // the kernel, the fill
}

int main() {
    every_kind();
    failing();
    captured();
    printf("%d calls\n", calls);
}
