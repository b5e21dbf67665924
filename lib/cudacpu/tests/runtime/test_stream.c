/*
 * test_stream.c - streams, events and capture: "CUDA Runtime API", "Stream Management" and "Event
 * Management"; the operations that become a graph are defined in the Programming Guide, "Stream
 * Capture".
 */
#include "cudacpu/runtime/api.h"
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <string.h>

enum { OK = cudaSuccess, BAD = cudaErrorInvalidValue, NONE = cudaErrorInvalidResourceHandle };
#define NO_STREAM ((cudaStream_t)(uintptr_t)0x1230)
#define NO_EVENT  ((cudaEvent_t)(uintptr_t)0x1230)
#define GLOBAL    cudaStreamCaptureModeGlobal

static void test_streams(void **state) {
    static const int asked[] = {7, 1, 0, -1, -4, -5, -6, -100};
    static const int given[] = {0, 0, 0, -1, -4, -5, -5, -5};
    cudaStream_t stream, all[COUNT(asked)], gone;
    cudaLaunchAttributeValue value;
    unsigned long long id, last = 2;
    unsigned flags = 9;
    int number = 9;
    (void)state;
    for (int i = 0; i < COUNT(asked); i++) {
        DONE(cudaStreamCreateWithPriority(&all[i], (unsigned)i % 2, asked[i]));
        DONE(cudaStreamGetPriority(all[i], &number));
        assert_int_equal(number, given[i]);
        DONE(cudaStreamGetFlags(all[i], &flags));
        assert_int_equal(flags, i % 2);
        DONE(cudaStreamGetId(all[i], &id));
        assert_true(id > last); /* each has an id of its own */
        last = id;
        DONE(cudaStreamGetDevice(all[i], &number));
        assert_int_equal(number, 0);
    }
    DONE(cudaStreamGetId(NULL, &id));
    assert_int_equal(id, 1);
    DONE(cudaStreamGetId(cudaStreamLegacy, &id));
    assert_int_equal(id, 1);
    DONE(cudaStreamGetId(cudaStreamPerThread, &id));
    assert_int_equal(id, 2);
    DONE(cudaStreamCreate(&stream));
    DONE(cudaStreamGetPriority(stream, &number));
    assert_int_equal(number, 0);
    DONE(cudaStreamGetFlags(stream, &flags));
    assert_int_equal(flags, cudaStreamDefault);
    DONE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    DONE(cudaStreamGetFlags(stream, &flags));
    assert_int_equal(flags, cudaStreamNonBlocking);
    GIVES(BAD, cudaStreamCreateWithFlags(&stream, 2));
    GIVES(BAD, cudaStreamCreate(NULL));
    DONE(cudaDeviceGetStreamPriorityRange(&number, NULL));
    assert_int_equal(number, 0);
    DONE(cudaDeviceGetStreamPriorityRange(NULL, &number));
    assert_int_equal(number, -5);
    /* Only the priority is kept as an attribute. */
    value.priority = -3;
    DONE(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
    DONE(cudaStreamGetPriority(stream, &number));
    assert_int_equal(number, -3);
    value.priority = -2;
    DONE(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    DONE(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value));
    assert_int_equal(value.priority, -3);
    DONE(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    assert_int_equal(value.syncPolicy, cudaSyncPolicyAuto);
    /* Invalid streams, and NULL. */
    gone = all[3];
    DONE(cudaStreamDestroy(gone)); /* neither the first nor the last of them */
    DONE(cudaStreamQuery(all[2]));
    DONE(cudaStreamQuery(all[4]));
    const cudaStream_t wrong[] = {gone, NO_STREAM};
    for (int i = 0; i < COUNT(wrong); i++) {
        GIVES(NONE, cudaStreamDestroy(wrong[i]));
        GIVES(NONE, cudaStreamQuery(wrong[i]));
        GIVES(NONE, cudaStreamSynchronize(wrong[i]));
        GIVES(NONE, cudaStreamGetPriority(wrong[i], &number));
        GIVES(NONE, cudaStreamGetFlags(wrong[i], &flags));
        GIVES(NONE, cudaStreamGetId(wrong[i], &id));
        GIVES(NONE, cudaStreamGetDevice(wrong[i], &number));
        GIVES(NONE, cudaStreamSetAttribute(wrong[i], cudaLaunchAttributePriority, &value));
        GIVES(NONE, cudaStreamGetAttribute(wrong[i], cudaLaunchAttributePriority, &value));
        GIVES(NONE, cudaStreamBeginCapture(wrong[i], GLOBAL));
    }
    GIVES(NONE, cudaStreamDestroy(NULL));
    GIVES(BAD, cudaStreamGetPriority(stream, NULL));
    GIVES(BAD, cudaStreamGetFlags(stream, NULL));
    GIVES(BAD, cudaStreamGetId(stream, NULL));
    GIVES(BAD, cudaStreamGetDevice(stream, NULL));
    GIVES(BAD, cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, NULL));
    GIVES(BAD, cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, NULL));
    DONE(cudaStreamSynchronize(NULL));
}

static int called;
static void count_call(void *data) {
    called += *(int *)data;
}
static void count_callback(cudaStream_t stream, cudaError_t error, void *data) {
    (void)stream;
    assert_int_equal(error, cudaSuccess);
    called += *(int *)data;
}

static void test_host_functions(void **state) {
    int step = 3;
    cudaStream_t stream;
    (void)state;
    called = 0;
    DONE(cudaStreamCreate(&stream));
    DONE(cudaLaunchHostFunc(stream, count_call, &step));
    assert_int_equal(called, 3);
    GIVES(BAD, cudaLaunchHostFunc(stream, NULL, &step));
    GIVES(NONE, cudaLaunchHostFunc(NO_STREAM, count_call, &step));
    DONE(cudaStreamAddCallback(stream, count_callback, &step, 0));
    assert_int_equal(called, 6);
    GIVES(BAD, cudaStreamAddCallback(stream, NULL, &step, 0));
    GIVES(BAD, cudaStreamAddCallback(stream, count_callback, &step, 1));
    GIVES(NONE, cudaStreamAddCallback(NO_STREAM, count_callback, &step, 0));
    assert_int_equal(called, 6);
}

static void test_events(void **state) {
    cudaEvent_t first, second, plain, gone;
    float milliseconds = -1;
    (void)state;
    for (unsigned flags = 0; flags < 10; flags++) { /* flag 4 (processes) needs 2 (no timing) */
        const bool right = flags < 8 && (!(flags & 4) || flags & 2);
        GIVES(right ? OK : BAD, cudaEventCreateWithFlags(&first, flags));
    }
    GIVES(BAD, cudaEventCreate(NULL));
    DONE(cudaEventCreate(&first));
    DONE(cudaEventCreate(&second));
    DONE(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
    DONE(cudaEventCreate(&gone));
    DONE(cudaEventQuery(first));
    DONE(cudaEventSynchronize(first));
    GIVES(NONE, cudaEventElapsedTime(&milliseconds, first, second)); /* not recorded */
    DONE(cudaEventRecord(first, NULL));
    GIVES(NONE, cudaEventElapsedTime(&milliseconds, first, second));
    GIVES(NONE, cudaEventElapsedTime(&milliseconds, second, first));
    DONE(cudaEventRecordWithFlags(second, NULL, 0));
    DONE(cudaEventRecord(plain, NULL));
    DONE(cudaEventElapsedTime(&milliseconds, first, second));
    assert_true(milliseconds >= 0.0005f && milliseconds < 60000); /* the resolution of a GPU */
    DONE(cudaEventElapsedTime(&milliseconds, second, first));
    assert_true(milliseconds <= 0 || milliseconds == 0.0005f);
    DONE(cudaEventElapsedTime(&milliseconds, first, first));
    assert_true(milliseconds == 0);
    GIVES(NONE, cudaEventElapsedTime(&milliseconds, first, plain));
    GIVES(NONE, cudaEventElapsedTime(&milliseconds, plain, second));
    GIVES(BAD, cudaEventElapsedTime(NULL, first, second));
    DONE(cudaEventDestroy(second));
    DONE(cudaEventQuery(first)); /* the next one in memory */
    const cudaEvent_t wrong[] = {second, NO_EVENT, NULL};
    for (int i = 0; i < COUNT(wrong); i++) {
        GIVES(NONE, cudaEventDestroy(wrong[i]));
        GIVES(NONE, cudaEventRecord(wrong[i], NULL));
        GIVES(NONE, cudaEventQuery(wrong[i]));
        GIVES(NONE, cudaEventSynchronize(wrong[i]));
        GIVES(NONE, cudaEventElapsedTime(&milliseconds, wrong[i], first));
        GIVES(NONE, cudaEventElapsedTime(&milliseconds, first, wrong[i]));
        GIVES(NONE, cudaStreamWaitEvent(NULL, wrong[i], 0));
    }
    GIVES(NONE, cudaEventRecord(first, NO_STREAM));
    GIVES(NONE, cudaStreamWaitEvent(NO_STREAM, first, 0));
    DONE(cudaStreamWaitEvent(NULL, first, 0));
    DONE(cudaStreamWaitEvent(NULL, first, 1));
    GIVES(BAD, cudaStreamWaitEvent(NULL, first, 2));
}

/* ---- capture ---- */

static int status_of(cudaStream_t stream) {
    enum cudaStreamCaptureStatus status, same;
    DONE(cudaStreamIsCapturing(stream, &status));
    DONE(cudaStreamGetCaptureInfo(stream, &same, NULL, NULL, NULL, NULL, NULL));
    assert_int_equal(status, same);
    assert_int_equal(cpu_runtime_is_capturing(stream), status != cudaStreamCaptureStatusNone);
    return status;
}
static size_t count_of(cudaGraph_t graph, bool roots) {
    size_t count = 0;
    DONE(roots ? cudaGraphGetRootNodes(graph, NULL, &count)
               : cudaGraphGetNodes(graph, NULL, &count));
    return count;
}

/* Two streams: a, then b and c in parallel, then d after both. */
static void test_capture(void **state) {
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last = NULL;
    const cudaGraphEdgeData *edges = (const cudaGraphEdgeData *)(uintptr_t)1;
    cudaGraphNode_t nodes[5];
    cudaStream_t one, two, other;
    cudaEvent_t begun, joined;
    cudaGraph_t graph = NULL, same = NULL;
    cudaGraphExec_t exec;
    unsigned long long id = 0;
    size_t count = 5;
    char *memory, host[4] = {1, 2, 3, 4}, back[4] = {0};
    int step = 1;
    (void)state;
    called = 0;
    DONE(cudaMalloc((void **)&memory, 4));
    DONE(cudaStreamCreate(&one));
    DONE(cudaStreamCreate(&two));
    DONE(cudaStreamCreate(&other));
    DONE(cudaEventCreate(&begun));
    DONE(cudaEventCreate(&joined));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(NULL, GLOBAL));
    GIVES(BAD, cudaStreamBeginCapture(one, (enum cudaStreamCaptureMode)3));
    GIVES(cudaErrorIllegalState, cudaStreamEndCapture(one, &graph));
    assert_int_equal(status_of(one), cudaStreamCaptureStatusNone);
    DONE(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
    assert_int_equal(status_of(one), cudaStreamCaptureStatusActive);
    assert_int_equal(status_of(two), cudaStreamCaptureStatusNone);
    GIVES(cudaErrorIllegalState, cudaStreamBeginCapture(one, GLOBAL));
    DONE(cudaMemcpyAsync(memory, host, 4, cudaMemcpyHostToDevice, one));
    DONE(cudaEventRecord(begun, one));
    DONE(cudaStreamWaitEvent(two, begun, 0));
    assert_int_equal(status_of(two), cudaStreamCaptureStatusActive);
    DONE(cudaMemsetAsync(memory, 9, 2, one));
    DONE(cudaLaunchHostFunc(two, count_call, &step));
    assert_int_equal(called, 0); /* not yet */
    DONE(cudaEventRecord(joined, two));
    DONE(cudaStreamWaitEvent(one, joined, 0));
    DONE(cudaStreamGetCaptureInfo(one, &status, &id, &same, &last, &edges, &count));
    assert_int_equal(count, 2);
    assert_non_null(last[0]);
    assert_true(last[0] != last[1] && id != 0);
    assert_null(edges);
    DONE(cudaMemcpyAsync(back, memory, 4, cudaMemcpyDeviceToHost, one));
    GIVES(BAD, cudaStreamEndCapture(one, NULL));
    DONE(cudaStreamEndCapture(one, &graph));
    assert_ptr_equal(graph, same);
    assert_int_equal(status_of(one), cudaStreamCaptureStatusNone);
    assert_int_equal(status_of(two), cudaStreamCaptureStatusNone);
    DONE(cudaEventQuery(begun));
    assert_int_equal(count_of(graph, false), 4);
    assert_int_equal(count_of(graph, true), 1);
    static const int kinds[] = {cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset,
                                cudaGraphNodeTypeHost, cudaGraphNodeTypeMemcpy};
    count = 5;
    DONE(cudaGraphGetNodes(graph, nodes, &count));
    assert_int_equal(count, 4);
    assert_null(nodes[4]);
    for (int i = 0; i < 4; i++) {
        enum cudaGraphNodeType kind;
        DONE(cudaGraphNodeGetType(nodes[i], &kind));
        assert_int_equal(kind, kinds[i]);
    }
    count = 2;
    DONE(cudaGraphGetNodes(graph, nodes + 2, &count));
    assert_int_equal(count, 2);
    assert_ptr_equal(nodes[2], nodes[0]);
    DONE(cudaGraphInstantiate(&exec, graph, 0));
    assert_int_equal(back[3], 0);
    DONE(cudaGraphLaunch(exec, other));
    assert_memory_equal(back, "\x09\x09\x03\x04", 4);
    assert_int_equal(called, 1);
    /* A launch in a captured stream is one node. */
    DONE(cudaStreamBeginCapture(cudaStreamPerThread, GLOBAL));
    DONE(cudaGraphLaunch(exec, cudaStreamPerThread));
    DONE(cudaLaunchHostFunc(cudaStreamPerThread, count_call, &step));
    DONE(cudaStreamEndCapture(cudaStreamPerThread, &same));
    assert_int_equal(status_of(cudaStreamPerThread), cudaStreamCaptureStatusNone);
    assert_int_equal(called, 1);
    assert_int_equal(count_of(same, false), 2);
    assert_int_equal(count_of(same, true), 1);
    GIVES(NONE, cudaStreamEndCapture(NO_STREAM, &same));
    GIVES(NONE, cudaStreamIsCapturing(NO_STREAM, &status));
    GIVES(BAD, cudaStreamIsCapturing(one, NULL));
    GIVES(BAD, cudaStreamGetCaptureInfo(one, NULL, NULL, NULL, NULL, NULL, NULL));
    GIVES(NONE, cudaStreamGetCaptureInfo(NO_STREAM, &status, NULL, NULL, NULL, NULL, NULL));
    enum cudaStreamCaptureMode mode = GLOBAL;
    DONE(cudaThreadExchangeStreamCaptureMode(&mode));
    GIVES(BAD, cudaThreadExchangeStreamCaptureMode(NULL));
}

/* Calls that would wait for a captured stream, or that a graph cannot contain. Each of them
 * invalidates the capture. */
static cudaError_t refused(int call, cudaStream_t stream, cudaEvent_t event, void **memory) {
    static int step = 1;
    switch (call) {
    case 0:
        return cudaStreamSynchronize(stream);
    case 1:
        return cudaStreamQuery(stream);
    case 2:
        return cudaDeviceSynchronize();
    case 3:
        return cudaEventSynchronize(event);
    case 4:
        return cudaEventQuery(event);
    case 5:
        return cudaStreamWaitEvent(NULL, event, 0);
    case 6:
        return cudaStreamAddCallback(stream, count_callback, &step, 0);
    case 7:
        return cudaMallocAsync(memory, 16, stream);
    case 8:
        return cudaFreeAsync(*memory, stream);
    case 9:
        return cudaMemset(*memory, 0, 4); /* the legacy stream waits for blocking streams */
    case 10:
        return cudaStreamSynchronize(NULL);
    case 11:
        return cudaMalloc(memory, 16);
    default:
        return cudaFree(*memory);
    }
}

static void test_refused(void **state) {
    enum { CALLS = 13, LEGACY = 9, ALLOCATES = 11 };
    (void)state;
    for (int i = 0; i < CALLS * 4; i++) {
        const bool blocking = i / CALLS % 2, global = i / CALLS / 2;
        const int call = i % CALLS;
        cudaStream_t stream, other;
        cudaEvent_t event;
        cudaGraph_t graph;
        void *memory;
        DONE(cudaMalloc(&memory, 16));
        DONE(cudaStreamCreateWithFlags(&stream, blocking ? 0 : cudaStreamNonBlocking));
        DONE(cudaStreamCreate(&other));
        DONE(cudaEventCreate(&event));
        DONE(cudaStreamBeginCapture(stream, global ? GLOBAL : cudaStreamCaptureModeRelaxed));
        DONE(cudaEventRecord(event, stream));
        DONE(cudaStreamQuery(other)); /* that stream is not captured */
        DONE(cudaMemsetAsync(memory, 0, 4, other));
        const bool allowed =
            call >= ALLOCATES ? !global : (call == LEGACY || call == LEGACY + 1) && !blocking;
        GIVES(allowed ? OK : cudaErrorStreamCaptureUnsupported,
              refused(call, stream, event, &memory));
        assert_int_equal(status_of(stream), allowed ? cudaStreamCaptureStatusActive
                                                    : cudaStreamCaptureStatusInvalidated);
        GIVES(allowed ? OK : cudaErrorStreamCaptureInvalidated,
              cudaStreamEndCapture(stream, &graph));
        assert_int_equal(graph != NULL, allowed);
        assert_int_equal(status_of(stream), cudaStreamCaptureStatusNone);
        DONE(cudaStreamSynchronize(stream));
    }
    /* A thread in relaxed mode may allocate, and no stream is in two captures. */
    enum cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaStream_t one, two;
    cudaEvent_t event;
    cudaGraph_t graph;
    void *memory;
    DONE(cudaStreamCreate(&one));
    DONE(cudaStreamCreate(&two));
    DONE(cudaEventCreate(&event));
    DONE(cudaStreamBeginCapture(one, GLOBAL));
    DONE(cudaThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, GLOBAL);
    DONE(cudaMalloc(&memory, 16));
    DONE(cudaThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, cudaStreamCaptureModeRelaxed);
    DONE(cudaStreamBeginCapture(two, GLOBAL));
    DONE(cudaEventRecord(event, one));
    GIVES(cudaErrorStreamCaptureUnsupported, cudaStreamWaitEvent(two, event, 0));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(one, &graph));
    GIVES(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(two, &graph));
}

/* Nodes that are added to an existing graph, and their predecessors. */
static void test_into_graph(void **state) {
    enum cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last = NULL;
    cudaGraphNode_t root, second, foreign;
    cudaGraph_t graph, other;
    cudaStream_t stream;
    size_t count = 0;
    int step = 1;
    (void)state;
    DONE(cudaStreamCreate(&stream));
    DONE(cudaGraphCreate(&graph, 0));
    DONE(cudaGraphCreate(&other, 0));
    DONE(cudaGraphAddEmptyNode(&root, graph, NULL, 0));
    DONE(cudaGraphAddEmptyNode(&second, graph, &root, 1));
    DONE(cudaGraphAddEmptyNode(&foreign, other, NULL, 0));
    const cudaGraphEdgeData edge = {0};
    const enum cudaStreamCaptureMode wrong = (enum cudaStreamCaptureMode)3;
    GIVES(NONE, cudaStreamBeginCaptureToGraph(NO_STREAM, graph, &root, NULL, 1, GLOBAL));
    GIVES(cudaErrorStreamCaptureUnsupported,
          cudaStreamBeginCaptureToGraph(NULL, graph, &root, NULL, 1, GLOBAL));
    GIVES(BAD, cudaStreamBeginCaptureToGraph(stream, NULL, &root, NULL, 1, GLOBAL));
    GIVES(BAD, cudaStreamBeginCaptureToGraph(stream, graph, &foreign, NULL, 1, GLOBAL));
    GIVES(BAD, cudaStreamBeginCaptureToGraph(stream, graph, &root, &edge, 1, GLOBAL));
    GIVES(BAD, cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 1, GLOBAL));
    GIVES(BAD, cudaStreamBeginCaptureToGraph(stream, graph, &root, NULL, 1, wrong));
    GIVES(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(stream, &root, NULL, 1, 0));
    DONE(cudaStreamBeginCaptureToGraph(stream, graph, &root, NULL, 1, GLOBAL));
    GIVES(cudaErrorIllegalState,
          cudaStreamBeginCaptureToGraph(stream, graph, &root, NULL, 1, GLOBAL));
    GIVES(NONE, cudaStreamUpdateCaptureDependencies(NO_STREAM, &root, NULL, 1, 0));
    GIVES(BAD, cudaStreamUpdateCaptureDependencies(stream, &foreign, NULL, 1, 0));
    GIVES(BAD, cudaStreamUpdateCaptureDependencies(stream, &root, &edge, 1, 0));
    GIVES(BAD, cudaStreamUpdateCaptureDependencies(stream, &root, NULL, 1, 2));
    DONE(cudaStreamUpdateCaptureDependencies(stream, &second, NULL, 1, 0)); /* adds one */
    DONE(cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, &last, NULL, &count));
    assert_true(count == 2 && last[0] == root && last[1] == second);
    DONE(cudaStreamUpdateCaptureDependencies(stream, &second, NULL, 1,
                                             cudaStreamSetCaptureDependencies)); /* only that */
    DONE(cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, &last, NULL, &count));
    assert_true(count == 1 && last[0] == second);
    DONE(cudaLaunchHostFunc(stream, count_call, &step));
    DONE(cudaStreamEndCapture(stream, NULL));
    assert_int_equal(count_of(graph, false), 3);
    assert_int_equal(count_of(graph, true), 1);
    assert_int_equal(count_of(other, false), 1);
    DONE(cudaStreamBeginCapture(stream, GLOBAL)); /* captures into its own graph again */
    GIVES(BAD, cudaStreamEndCapture(stream, NULL));
    DONE(cudaStreamEndCapture(stream, &other));
    assert_int_equal(count_of(other, false), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_streams), API_TEST(test_host_functions), API_TEST(test_events),
        API_TEST(test_capture), API_TEST(test_refused),        API_TEST(test_into_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
