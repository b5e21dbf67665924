// Every function reports an error if it gets a stream, event, graph, array or object that has been
// destroyed. Objects that still exist when the device is reset are destroyed with it.
#include <cstdio>
#include <cuda_runtime.h>

static int calls;
static void expect(int line, cudaError_t error, cudaError_t wanted) {
    calls++;
    if (error != wanted)
        printf("line %d: %d %s\n", line, error, cudaGetErrorName(error));
}
#define HANDLE(call)  expect(__LINE__, call, cudaErrorInvalidResourceHandle)
#define INVALID(call) expect(__LINE__, call, cudaErrorInvalidValue)
#define OK(call)      expect(__LINE__, call, cudaSuccess)

static void nothing(void *) {}
static void called(cudaStream_t, cudaError_t, void *) {}
__global__ void kernel() {}

static void streams() {
    cudaStream_t stream;
    cudaEvent_t event, gone, untimed;
    cudaGraph_t graph;
    unsigned flags;
    unsigned long long id;
    int number;
    char *memory;
    cudaLaunchAttributeValue value = {};
    cudaStreamCaptureStatus status;
    OK(cudaMalloc(&memory, 64));
    OK(cudaEventCreate(&event));
    OK(cudaEventRecord(event));
    OK(cudaEventCreate(&gone));
    OK(cudaEventDestroy(gone));
    OK(cudaStreamCreate(&stream));
    OK(cudaStreamDestroy(stream));
    HANDLE(cudaStreamDestroy(stream));
    HANDLE(cudaStreamSynchronize(stream));
    HANDLE(cudaStreamQuery(stream));
    HANDLE(cudaStreamGetFlags(stream, &flags));
    HANDLE(cudaStreamGetPriority(stream, &number));
    HANDLE(cudaStreamGetId(stream, &id));
    HANDLE(cudaStreamGetDevice(stream, &number));
    HANDLE(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
    HANDLE(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value));
    HANDLE(cudaStreamAddCallback(stream, called, nullptr, 0));
    HANDLE(cudaStreamWaitEvent(stream, event, 0));
    HANDLE(cudaStreamWaitEvent(0, gone, 0));
    HANDLE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    HANDLE(cudaStreamEndCapture(stream, &graph));
    HANDLE(cudaStreamIsCapturing(stream, &status));
    HANDLE(cudaLaunchHostFunc(stream, nothing, nullptr));
    HANDLE(cudaEventRecord(event, stream));
    HANDLE(cudaEventRecord(gone, 0));
    HANDLE(cudaEventSynchronize(gone));
    HANDLE(cudaEventQuery(gone));
    HANDLE(cudaEventDestroy(gone));
    HANDLE(cudaMemcpyAsync(memory, memory + 32, 8, cudaMemcpyDeviceToDevice, stream));
    HANDLE(cudaMemsetAsync(memory, 0, 8, stream));
    HANDLE(cudaFreeAsync(memory, stream));
    HANDLE(cudaMallocAsync((void **)&memory, 64, stream));
    // Calls that fail even for objects that exist, and the values that calls return.
    INVALID(cudaStreamAddCallback(0, called, nullptr, 1));
    INVALID(cudaStreamCreateWithFlags(&stream, 6));
    INVALID(cudaEventCreateWithFlags(&gone, 8));
    INVALID(cudaEventCreateWithFlags(&gone, cudaEventInterprocess));
    INVALID(cudaStreamWaitEvent(0, event, 2));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    float time;
    HANDLE(cudaEventElapsedTime(&time, event, untimed));
    OK(cudaEventRecord(untimed));
    HANDLE(cudaEventElapsedTime(&time, event, untimed));
    INVALID(cudaEventElapsedTime(nullptr, event, event));
    OK(cudaEventElapsedTime(&time, event, event));
    printf("%g\n", time); // 0
    OK(cudaStreamGetId(cudaStreamLegacy, &id));
    printf("%llu", id); // 1
    OK(cudaStreamGetId(cudaStreamPerThread, &id));
    printf(" %llu\n", id); // 2
    OK(cudaStreamGetDevice(0, &number));
    OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1000));
    OK(cudaStreamGetPriority(stream, &number));
    int least, greatest;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    printf("%d", number == greatest); // 1: the nearest one that exists
    value.priority = least;
    OK(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
    value.priority = 77;
    OK(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value));
    printf(" %d", value.priority == least); // 1
    OK(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    printf(" %d\n", value.syncPolicy == cudaSyncPolicyAuto);
    OK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
}

static void captures() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaEvent_t event;
    cudaStreamCaptureStatus status;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    OK(cudaStreamIsCapturing(stream, &status));
    printf("%d", status == cudaStreamCaptureStatusNone);
    INVALID(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)3));
    expect(__LINE__, cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    OK(cudaStreamBeginCapture(stream, mode));
    expect(__LINE__, cudaStreamBeginCapture(stream, mode), cudaErrorIllegalState);
    OK(cudaStreamIsCapturing(stream, &status));
    printf(" %d", status == cudaStreamCaptureStatusActive);
    kernel<<<1, 1, 0, stream>>>();
    OK(cudaEventRecord(event, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf(" %zu\n", nodes); // the kernel's
    OK(cudaGraphDestroy(graph));
    INVALID(cudaGraphDestroy(graph));
    INVALID(cudaGraphGetNodes(graph, nullptr, &nodes));
    cudaGraph_t clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    INVALID(cudaGraphClone(&clone, graph));
    INVALID(cudaGraphInstantiate(&exec, graph, 0));
    INVALID(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    OK(cudaGraphCreate(&graph, 0));
    INVALID(cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
    INVALID(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, graph));
    OK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphUpload(exec, stream));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaGraphExecDestroy(exec));
    INVALID(cudaGraphExecDestroy(exec));
    INVALID(cudaGraphLaunch(exec, stream));
    cudaKernelNodeParams params = {};
    INVALID(cudaGraphKernelNodeGetParams(node, &params)); // it is an empty graph
    INVALID(cudaGraphKernelNodeSetParams(node, &params));
    params.func = (void *)kernel;
    params.gridDim = params.blockDim = dim3(1);
    OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    params.func = &calls;
    expect(__LINE__, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params),
           cudaErrorInvalidDeviceFunction);
}

static void left() {
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaArray_t array;
    cudaTextureObject_t texture;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaMallocArray(&array, &desc, 8, 8));
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    OK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    OK(cudaDeviceReset());
    HANDLE(cudaStreamQuery(stream));
    HANDLE(cudaEventQuery(event));
    INVALID(cudaGraphDestroy(graph));
    INVALID(cudaGraphExecDestroy(exec));
    INVALID(cudaFreeArray(array));
    INVALID(cudaGetTextureObjectResourceDesc(&what, texture));
    INVALID(cudaGetTextureObjectTextureDesc(&how, texture));
}

int main() {
    streams();
    captures();
    left();
    printf("%d calls\n", calls);
}
