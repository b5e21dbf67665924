/*
 * test_graph.c - graphs made by hand: their effect and order, queries, copies, changes and
 * refusals ("CUDA Runtime API", "Graph Management"); and errors' names.
 */
#include "test_device.h"

#include <cuda_runtime_api.h>

#include <string.h>

enum { OK = cudaSuccess, BAD = cudaErrorInvalidValue };

static char order[64];
static void host_a(void *data) {
    strcat(order, data);
}
static void host_b(void *data) {
    strcat(strcat(order, "!"), data);
}
static const struct cudaHostNodeParams one = {host_a, "1"}, two = {host_a, "2"};
static const struct cudaHostNodeParams other = {host_b, "3"};

static void test_run(void **state) {
    cudaGraph_t graph, child, clone;
    cudaGraphNode_t node[8], none;
    cudaGraphExec_t exec, second;
    cudaEvent_t event;
    unsigned char *memory, seen[17] = {0};
    enum cudaGraphNodeType type;
    (void)state;
    GIVES(BAD, cudaGraphCreate(NULL, 0));
    GIVES(BAD, cudaGraphCreate(&graph, 1));
    DONE(cudaGraphCreate(&graph, 0));
    DONE(cudaGraphCreate(&child, 0));
    DONE(cudaEventCreate(&event));
    DONE(cudaMallocManaged((void **)&memory, 64, cudaMemAttachGlobal));
    memset(memory, 9, 64);
    DONE(cudaGraphAddHostNode(&node[7], child, NULL, 0, &two));
    struct cudaMemsetParams fill = {
        .dst = memory, .elementSize = 2, .value = 0x0102, .width = 3, .height = 2, .pitch = 8};
    DONE(cudaGraphAddMemsetNode(&node[0], graph, NULL, 0, &fill));
    DONE(cudaGraphAddMemcpyNode1D(&node[1], graph, node, 1, seen, memory, 16, cudaMemcpyDefault));
    DONE(cudaGraphAddHostNode(&node[2], graph, node + 1, 1, &one));
    DONE(cudaGraphAddChildGraphNode(&node[3], graph, node + 2, 1, child));
    DONE(cudaGraphAddEmptyNode(&node[4], graph, NULL, 0));
    DONE(cudaGraphAddEventRecordNode(&node[5], graph, node, 5, event));
    DONE(cudaGraphAddEventWaitNode(&node[6], graph, node + 5, 1, event));
    static const enum cudaGraphNodeType types[] = {
        cudaGraphNodeTypeMemset,   cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeHost,
        cudaGraphNodeTypeGraph,    cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeEventRecord,
        cudaGraphNodeTypeWaitEvent};
    for (int i = 0; i < COUNT(types); i++) {
        DONE(cudaGraphNodeGetType(node[i], &type));
        assert_int_equal(type, types[i]);
    }
    GIVES(BAD, cudaGraphNodeGetType(NULL, &type));
    GIVES(BAD, cudaGraphNodeGetType(node[0], NULL));

    /* Invalid nodes, graphs, elements, functions, events. */
    GIVES(BAD, cudaGraphAddEmptyNode(&none, graph, node + 7, 1));
    GIVES(BAD, cudaGraphAddEmptyNode(&none, graph, NULL, 1));
    GIVES(BAD, cudaGraphAddEmptyNode(NULL, graph, NULL, 0));
    GIVES(BAD, cudaGraphAddEmptyNode(&none, NULL, NULL, 0));
    GIVES(BAD, cudaGraphAddMemcpyNode(&none, graph, NULL, 0, NULL));
    GIVES(BAD, cudaGraphAddMemsetNode(&none, graph, NULL, 0, NULL));
    GIVES(BAD, cudaGraphAddHostNode(&none, graph, NULL, 0, NULL));
    GIVES(BAD, cudaGraphAddHostNode(&none, graph, NULL, 0, &(struct cudaHostNodeParams){0}));
    GIVES(BAD, cudaGraphAddChildGraphNode(&none, graph, NULL, 0, graph));
    GIVES(BAD, cudaGraphAddChildGraphNode(&none, graph, NULL, 0, NULL));
    for (unsigned size = 0; size < 9; size++)
        if (size != 1 && size != 2 && size != 4) {
            struct cudaMemsetParams odd = fill;
            odd.elementSize = size;
            GIVES(BAD, cudaGraphAddMemsetNode(&none, graph, NULL, 0, &odd));
        }

    /* The child and the graph are copies; refused copies leave nothing behind. */
    DONE(cudaGraphInstantiate(&exec, graph, 0));
    DONE(cudaGraphClone(&clone, graph));
    GIVES(BAD, cudaGraphClone(NULL, graph));
    DONE(cudaGraphDestroy(child));
    GIVES(BAD, cudaGraphDestroy(child));
    GIVES(BAD, cudaGraphInstantiate(&second, child, 0));
    GIVES(BAD, cudaGraphInstantiate(NULL, graph, 0));
    order[0] = 0;
    DONE(cudaGraphUpload(exec, NULL));
    assert_string_equal(order, "");
    DONE(cudaGraphLaunch(exec, NULL));
    DONE(cudaDeviceSynchronize());
    assert_string_equal(order, "12");
    DONE(cudaEventQuery(event));
    for (int i = 0; i < 17; i++) /* two lines of three elements, low byte first */
        assert_int_equal(seen[i], i == 16 ? 0 : i % 8 < 6 ? 2 - i % 2 : 9);

    /* An instantiated graph is changed through the nodes of the graph that it came from. */
    fill.value = 0x0506;
    DONE(cudaGraphExecMemsetNodeSetParams(exec, node[0], &fill));
    DONE(cudaGraphExecMemcpyNodeSetParams1D(exec, node[1], seen, memory, 3, cudaMemcpyDefault));
    DONE(cudaGraphExecHostNodeSetParams(exec, node[2], &other));
    GIVES(BAD, cudaGraphExecHostNodeSetParams(exec, node[0], &other));
    GIVES(BAD, cudaGraphExecHostNodeSetParams(exec, node[2], NULL));
    GIVES(BAD, cudaGraphExecMemsetNodeSetParams(exec, node[1], &fill));
    GIVES(BAD, cudaGraphExecMemsetNodeSetParams(exec, node[0], NULL));
    GIVES(BAD,
          cudaGraphExecMemcpyNodeSetParams1D(exec, node[0], seen, memory, 3, cudaMemcpyDefault));
    order[0] = 0;
    DONE(cudaGraphLaunch(exec, NULL));
    assert_string_equal(order, "!32");
    assert_memory_equal(seen, ((unsigned char[]){6, 5, 6, 1, 2}), 5);

    /* The graph and its clone stay as they were, and the clone outlives the graph. */
    DONE(cudaGraphDestroy(graph));
    DONE(cudaGraphInstantiateWithFlags(&second, clone, 0));
    DONE(cudaGraphDestroy(clone));
    order[0] = 0;
    DONE(cudaGraphLaunch(second, NULL));
    assert_string_equal(order, "12");
    DONE(cudaGraphExecDestroy(exec));
    GIVES(BAD, cudaGraphExecDestroy(exec));
    GIVES(BAD, cudaGraphLaunch(exec, NULL));
    GIVES(BAD, cudaGraphUpload(exec, NULL));
    DONE(cudaGraphLaunch(second, NULL));
    assert_string_equal(order, "1212");
    DONE(cudaGraphExecDestroy(second));
    DONE(cudaEventDestroy(event));
    DONE(cudaFree(memory));
}

/* As many nodes as fit; the remaining entries are NULL. */
static void test_nodes(void **state) {
    enum { NODES = 40, ROOTS = 3 };
    cudaGraph_t graph;
    cudaGraphNode_t node[NODES], got[NODES + 2];
    size_t count = 0;
    (void)state;
    DONE(cudaGraphCreate(&graph, 0));
    DONE(cudaGraphGetNodes(graph, NULL, &count));
    assert_int_equal(count, 0);
    for (int i = 0; i < NODES; i++)
        DONE(cudaGraphAddEmptyNode(&node[i], graph, node, i < ROOTS ? 0 : (size_t)i));
    GIVES(BAD, cudaGraphGetNodes(graph, got, NULL));
    GIVES(BAD, cudaGraphGetNodes(NULL, got, &count));
    for (int roots = 0; roots < 2; roots++) {
        const size_t all = roots ? ROOTS : NODES;
        cudaError_t (*ask)(cudaGraph_t, cudaGraphNode_t *, size_t *) =
            roots ? cudaGraphGetRootNodes : cudaGraphGetNodes;
        DONE(ask(graph, NULL, &count));
        assert_int_equal(count, all);
        for (size_t room = all - 2; room <= all + 2; room++) {
            for (int i = 0; i < NODES + 2; i++)
                got[i] = (cudaGraphNode_t)&count;
            count = room;
            DONE(ask(graph, got, &count));
            assert_int_equal(count, room < all ? room : all);
            for (size_t i = 0; i < NODES + 2; i++)
                assert_ptr_equal(got[i], i >= room ? (void *)&count : i < all ? node[i] : NULL);
        }
    }
    DONE(cudaGraphDestroy(graph));
}

static void test_update(void **state) {
    cudaGraph_t graph, longer, changed, same;
    cudaGraphNode_t node, after;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    (void)state;
    DONE(cudaGraphCreate(&graph, 0));
    DONE(cudaGraphCreate(&longer, 0));
    DONE(cudaGraphCreate(&changed, 0));
    DONE(cudaGraphCreate(&same, 0));
    DONE(cudaGraphAddHostNode(&node, graph, NULL, 0, &one));
    DONE(cudaGraphAddHostNode(&node, longer, NULL, 0, &two));
    DONE(cudaGraphAddHostNode(&after, longer, &node, 1, &two));
    DONE(cudaGraphAddHostNode(&node, same, NULL, 0, &other));
    DONE(cudaGraphAddEmptyNode(&node, changed, NULL, 0));
    DONE(cudaGraphInstantiate(&exec, graph, 0));
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, longer, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateErrorTopologyChanged);
    GIVES(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, changed, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
    assert_ptr_equal(info.errorNode, node);
    GIVES(BAD, cudaGraphExecUpdate(NULL, same, &info));
    GIVES(BAD, cudaGraphExecUpdate(exec, NULL, &info));
    order[0] = 0;
    DONE(cudaGraphLaunch(exec, NULL));
    DONE(cudaGraphExecUpdate(exec, same, &info));
    assert_int_equal(info.result, cudaGraphExecUpdateSuccess);
    DONE(cudaGraphLaunch(exec, NULL));
    assert_string_equal(order, "1!3");
    /* Kept until the device ends: graph, longer, changed, same, exec. */
}

static void test_errors(void **state) {
    (void)state;
    assert_string_equal(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
    assert_string_equal(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    assert_string_equal(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    assert_string_equal(cudaGetErrorName(cudaErrorUnknown), "cudaErrorUnknown");
    assert_string_equal(cudaGetErrorString(cudaErrorUnknown), "unknown error");
    assert_string_equal(cudaGetErrorName((cudaError_t)-1), "unrecognized error code");
    assert_string_equal(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
    GIVES(OK, cudaGetLastError());
    GIVES(BAD, cudaGraphCreate(NULL, 0));
    GIVES(OK, cudaDeviceSynchronize()); /* a call that succeeds keeps the error */
    GIVES(BAD, cudaPeekAtLastError());
    GIVES(BAD, cudaGetLastError());
    GIVES(OK, cudaPeekAtLastError());
    GIVES(OK, cudaGetLastError());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        API_TEST(test_run),
        API_TEST(test_nodes),
        API_TEST(test_update),
        API_TEST(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
