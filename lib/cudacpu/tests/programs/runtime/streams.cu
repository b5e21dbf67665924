// Streams, events, host functions, launches by address, graphs made by hand and by capture.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int *value, int by) {
    *value += by;
}
template <class T> __global__ void twice(T *value) {
    *value *= 2;
}

static int called;
static void host(void *data) {
    called += *(int *)data;
}
static void CUDART_CB done(cudaStream_t, cudaError_t status, void *data) {
    printf("done %d %s\n", (int)status, (char *)data);
}

int main() {
    int *value, read = 0, five = 5;
    cudaMalloc(&value, sizeof *value);
    cudaStream_t stream, other;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithPriority(&other, cudaStreamDefault, -1);
    cudaEvent_t start, end, quiet;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventCreateWithFlags(&quiet, cudaEventDisableTiming);
    float milliseconds = -1;
    printf("%d ", (int)cudaEventElapsedTime(&milliseconds, start, end));
    cudaGetLastError();
    cudaEventRecord(start, stream);
    add<<<1, 1, 0, stream>>>(value, 1);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    printf("%d ", (int)cudaEventElapsedTime(&milliseconds, start, end));
    printf("%d %d\n", milliseconds > 0, (int)cudaEventQuery(end));
    cudaStreamWaitEvent(other, end, 0);
    cudaStreamAddCallback(stream, done, (void *)"and dusted", 0);
    cudaLaunchHostFunc(stream, host, &five);
    int priority;
    unsigned flags;
    cudaStreamGetPriority(other, &priority);
    cudaStreamGetFlags(stream, &flags);
    printf("%d %d %u %d\n", called, priority, flags, (int)cudaStreamQuery(stream));

    int by = 20;
    void *arguments[] = {&value, &by};
    printf("%d ", (int)cudaLaunchKernel(add, dim3(1), dim3(1), arguments, 0, stream));
    void *one[] = {&value};
    printf("%d ",
           (int)cudaLaunchCooperativeKernel((void *)twice<int>, dim3(1), dim3(1), one, 0, stream));
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    printf("%d ", (int)cudaLaunchKernelEx(&config, add, value, 3));
    cudaMemcpy(&read, value, sizeof read, cudaMemcpyDeviceToHost);
    printf("%d\n", read); /* (0 + 1 + 20) * 2 + 3 */

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(value, 0, sizeof *value, stream);
    add<<<1, 1, 0, stream>>>(value, by);
    by = 99; /* the graph has its own copy */
    cudaEventRecord(quiet, stream);
    cudaStreamWaitEvent(other, quiet, 0);
    twice<<<1, 1, 0, other>>>(value);
    cudaEventRecord(end, other);
    cudaStreamWaitEvent(stream, end, 0);
    cudaMemcpyAsync(&read, value, sizeof read, cudaMemcpyDeviceToHost, stream);
    cudaStreamEndCapture(stream, &graph);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    printf("%d nodes, nothing done: %d\n", (int)nodes, read);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", read);

    cudaGraph_t made;
    cudaGraphNode_t first, second, third, fourth;
    cudaGraphCreate(&made, 0);
    cudaMemsetParams zero = {value, 0, 7, 4, 1, 1};
    cudaGraphAddMemsetNode(&first, made, nullptr, 0, &zero);
    int hundred = 100;
    void *more[] = {&value, &hundred};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = more;
    printf("%d ", (int)cudaGraphAddKernelNode(&second, made, &first, 1, &kernel));
    cudaGraphAddMemcpyNode1D(&third, made, &second, 1, &read, value, sizeof read,
                             cudaMemcpyDeviceToHost);
    cudaHostNodeParams node = {host, &five};
    cudaGraphAddHostNode(&fourth, made, &third, 1, &node);
    cudaGraphExec_t run;
    cudaGraphInstantiate(&run, made, nullptr, nullptr, 0);
    cudaGraphLaunch(run, 0);
    cudaDeviceSynchronize();
    printf("%d %d ", read, called);
    hundred = 200;
    cudaGraphExecKernelNodeSetParams(run, second, &kernel);
    cudaGraphLaunch(run, 0);
    cudaDeviceSynchronize();
    printf("%d %d\n", read, called);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(made);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(start);
    printf("%d\n", (int)cudaStreamDestroy(stream));
}
