/*
 * graph.c - graphs made by hand, instantiated and launched.
 */
#include "cudacpu/graphs/graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---- */

static void release_launch(struct CUgraphNode_st *node) {
    if (node->launch.use)
        node->launch.use(node->launch.context, -1);
    free((char *)(uintptr_t)node->launch.name);
    free(node->launch.arguments);
    free(node->values);
    node->launch = (struct cpu_launch){.name = NULL};
    node->values = NULL;
}

static size_t rounded(size_t size) {
    return (size + 15) / 16 * 16;
}

void api_graph_set_launch(struct CUgraphNode_st *node, const struct cpu_launch *launch) {
    static const struct cpu_kernel_type none = {.count = 0};
    struct cpu_launch copy = *launch;
    const struct cpu_kernel_type *type = launch->type ? launch->type : &none;
    if (copy.use)
        copy.use(copy.context, 1);
    size_t bytes = 0;
    for (size_t i = 0; i < type->count; i++)
        bytes += rounded(type->sizes[i]);
    char *values = memory_zeroed(bytes + 1, 1);
    copy.arguments = memory_zeroed(type->count + 1, sizeof *copy.arguments);
    bytes = 0;
    for (size_t i = 0; i < type->count; i++) {
        copy.arguments[i] = values + bytes;
        memcpy(values + bytes, launch->arguments[i], type->sizes[i]);
        bytes += rounded(type->sizes[i]);
    }
    copy.name = memory_string(launch->name ? launch->name : "kernel");
    copy.stream = NULL;
    release_launch(node);
    node->launch = copy;
    node->values = values;
}

static void release_all(struct cpu_api *api);

struct CUgraph_st *api_graph_make(struct cpu_api *api) {
    static const struct api_graph_functions functions = {api_graph_add, api_graph_set_launch};
    struct CUgraph_st *graph = memory_zeroed(1, sizeof *graph);
    graph->functions = &functions;
    graph->next = api->graphs;
    api->graphs = graph;
    api->release_graphs = release_all;
    return graph;
}

struct CUgraphNode_st *api_graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type,
                                     struct CUgraphNode_st *const *after, size_t count) {
    graph->nodes =
        memory_room(graph->nodes, graph->count, &graph->capacity, sizeof graph->nodes[0]);
    struct CUgraphNode_st *node = memory_zeroed(1, sizeof *node);
    node->type = type;
    node->graph = graph;
    node->original = node;
    node->after = memory_zeroed(count + 1, sizeof *node->after);
    for (size_t i = 0; i < count; i++)
        node->after[i] = after[i];
    node->after_count = count;
    graph->nodes[graph->count++] = node;
    return node;
}

/* ---- whole graphs ---- */

void api_graph_release(struct CUgraph_st *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        release_launch(graph->nodes[i]);
        if (graph->nodes[i]->child)
            api_graph_release(graph->nodes[i]->child);
        free(graph->nodes[i]->after);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    free(graph);
}

static void copy_node(struct CUgraphNode_st *to, const struct CUgraphNode_st *from);

struct CUgraph_st *api_graph_copy(const struct CUgraph_st *from) {
    struct CUgraph_st *to = memory_zeroed(1, sizeof *to);
    to->functions = from->functions;
    for (size_t i = 0; i < from->count; i++) {
        const struct CUgraphNode_st *node = from->nodes[i];
        struct CUgraphNode_st *copy = api_graph_add(to, node->type, node->after, node->after_count);
        for (size_t d = 0; d < node->after_count; d++)
            for (size_t j = 0; j < i; j++)
                if (from->nodes[j] == node->after[d])
                    copy->after[d] = to->nodes[j];
        copy->original = node->original;
        copy_node(copy, node);
    }
    return to;
}

/* Copies the node's work, without its position in the graph. */
static void copy_node(struct CUgraphNode_st *to, const struct CUgraphNode_st *from) {
    if (from->type == cudaGraphNodeTypeKernel)
        api_graph_set_launch(to, &from->launch);
    to->copy = from->copy;
    to->fill = from->fill;
    to->host = from->host;
    to->host_data = from->host_data;
    to->event = from->event;
    if (to->child)
        api_graph_release(to->child);
    to->child = from->child ? api_graph_copy(from->child) : NULL;
}

static struct CUgraph_st **find_graph(struct cpu_device *device, cudaGraph_t graph) {
    struct CUgraph_st **at = &device->api->graphs;
    while (*at && *at != graph)
        at = &(*at)->next;
    return at;
}

static struct CUgraphExec_st **find_exec(struct cpu_device *device, cudaGraphExec_t exec) {
    struct CUgraphExec_st **at = &device->api->execs;
    while (*at && *at != exec)
        at = &(*at)->next;
    return at;
}

bool api_is_graph(const struct cpu_api *api, const struct CUgraph_st *graph) {
    for (const struct CUgraph_st *at = api->graphs; at; at = at->next)
        if (at == graph)
            return true;
    return false;
}

static void release_all(struct cpu_api *api) {
    while (api->graphs) {
        struct CUgraph_st *graph = api->graphs;
        api->graphs = graph->next;
        api_graph_release(graph);
    }
    while (api->execs) {
        struct CUgraphExec_st *exec = api->execs;
        api->execs = exec->next;
        api_graph_release(exec->graph);
        free(exec);
    }
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
    API_BEGIN;
    if (!graph || flags)
        return api_end(cudaErrorInvalidValue);
    *graph = api_graph_make(device->api);
    return api_end(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
    API_BEGIN;
    if (!clone || !api_is_graph(device->api, graph))
        return api_end(cudaErrorInvalidValue);
    struct CUgraph_st *copy = api_graph_copy(graph);
    copy->next = device->api->graphs;
    device->api->graphs = copy;
    *clone = copy;
    return api_end(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    API_BEGIN;
    struct CUgraph_st **at = find_graph(device, graph);
    if (!*at)
        return api_end(cudaErrorInvalidValue);
    *at = graph->next;
    api_graph_release(graph);
    return api_end(cudaSuccess);
}

/* ---- nodes made by hand ---- */

cudaError_t api_graph_check(struct cpu_device *device, cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *after, size_t count) {
    if (!node || !graph || !api_is_graph(device->api, graph) || (count && !after))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!after[i] || after[i]->graph != graph)
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t launch_of(struct cpu_device *device, const struct cudaKernelNodeParams *params,
                             struct cpu_launch *launch) {
    if (!params || params->extra)
        return cudaErrorInvalidValue;
    const struct api_function *function =
        params->func ? api_function_of(device, params->func) : NULL;
    if (!function || !function->type)
        return cudaErrorInvalidDeviceFunction;
    if (function->type->count && !params->kernelParams)
        return cudaErrorInvalidValue;
    *launch = (struct cpu_launch){.name = function->name,
                                  .function = params->func,
                                  .type = function->type,
                                  .arguments = params->kernelParams,
                                  .grid = params->gridDim,
                                  .block = params->blockDim,
                                  .shared = params->sharedMemBytes,
                                  .shared_memory = cpu_dynamic_shared_memory()};
    return cudaSuccess;
}

/* Adds a node with the work of `what`, unless `error` says that this is invalid. */
static cudaError_t add_node(struct cpu_device *device, cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *after, size_t count, cudaError_t error,
                            const struct CUgraphNode_st *what) {
    const cudaError_t wrong = api_graph_check(device, node, graph, after, count);
    if (wrong == cudaSuccess && error == cudaSuccess) {
        *node = api_graph_add(graph, what->type, after, count);
        copy_node(*node, what);
    }
    return api_end(wrong != cudaSuccess ? wrong : error);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeKernel};
    const cudaError_t error = launch_of(device, params, &what.launch);
    return add_node(device, node, graph, after, count, error, &what);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeMemcpy};
    cudaError_t error = params ? api_copy_of(device, params, &what.copy) : cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = api_check_copy(device, &what.copy);
    return add_node(device, node, graph, after, count, error, &what);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t size, enum cudaMemcpyKind kind) {
    API_BEGIN;
    const struct CUgraphNode_st what = {.type = cudaGraphNodeTypeMemcpy,
                                        .copy = api_copy_line(to, from, size, kind)};
    return add_node(device, node, graph, after, count, api_check_copy(device, &what.copy), &what);
}

static cudaError_t fill_of(struct cpu_device *device, const struct cudaMemsetParams *params,
                           struct api_fill *fill) {
    if (!params ||
        (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
        return cudaErrorInvalidValue;
    *fill = (struct api_fill){.to = {params->dst, params->pitch, 0, false},
                              .value = params->value,
                              .element = params->elementSize,
                              .width = params->width * params->elementSize,
                              .height = params->height,
                              .depth = 1};
    return api_check_fill(device, fill);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeMemset};
    const cudaError_t error = fill_of(device, params, &what.fill);
    return add_node(device, node, graph, after, count, error, &what);
}

static cudaError_t host_of(const struct cudaHostNodeParams *params, struct CUgraphNode_st *what) {
    if (!params || !params->fn)
        return cudaErrorInvalidValue;
    what->host = params->fn;
    what->host_data = params->userData;
    return cudaSuccess;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeHost};
    return add_node(device, node, graph, after, count, host_of(params, &what), &what);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child) {
    API_BEGIN;
    const struct CUgraphNode_st what = {.type = cudaGraphNodeTypeGraph, .child = child};
    const bool is_child = api_is_graph(device->api, child) && child != graph;
    return add_node(device, node, graph, after, count,
                    is_child ? cudaSuccess : cudaErrorInvalidValue, &what);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count) {
    API_BEGIN;
    const struct CUgraphNode_st what = {.type = cudaGraphNodeTypeEmpty};
    return add_node(device, node, graph, after, count, cudaSuccess, &what);
}

static cudaError_t add_event(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, cudaEvent_t event, enum cudaGraphNodeType type) {
    API_BEGIN;
    const struct CUgraphNode_st what = {.type = type, .event = event};
    return add_node(device, node, graph, after, count,
                    api_event(device, event) ? cudaSuccess : cudaErrorInvalidResourceHandle, &what);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event) {
    return add_event(node, graph, after, count, event, cudaGraphNodeTypeEventRecord);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *after, size_t count,
                                      cudaEvent_t event) {
    return add_event(node, graph, after, count, event, cudaGraphNodeTypeWaitEvent);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *params) {
    API_BEGIN;
    cudaError_t error = api_graph_check(device, node, graph, after, count);
    if (error != cudaSuccess || !params || edges)
        return api_end(cudaErrorInvalidValue);
    switch (params->type) {
    case cudaGraphNodeTypeKernel:
        error = cudaGraphAddKernelNode(node, graph, after, count, &params->kernel);
        break;
    case cudaGraphNodeTypeMemcpy:
        error = cudaGraphAddMemcpyNode(node, graph, after, count, &params->memcpy.copyParams);
        break;
    case cudaGraphNodeTypeMemset:
        error = cudaGraphAddMemsetNode(node, graph, after, count, &params->memset);
        break;
    case cudaGraphNodeTypeHost:
        error = cudaGraphAddHostNode(node, graph, after, count, &params->host);
        break;
    case cudaGraphNodeTypeGraph:
        error = cudaGraphAddChildGraphNode(node, graph, after, count, params->graph.graph);
        break;
    case cudaGraphNodeTypeEmpty:
        error = cudaGraphAddEmptyNode(node, graph, after, count);
        break;
    case cudaGraphNodeTypeWaitEvent:
        error = cudaGraphAddEventWaitNode(node, graph, after, count, params->eventWait.event);
        break;
    case cudaGraphNodeTypeEventRecord:
        error = cudaGraphAddEventRecordNode(node, graph, after, count, params->eventRecord.event);
        break;
    default:
        error = cudaErrorNotSupported;
        break;
    }
    return api_end(error);
}

/* ---- queries ---- */

static cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count,
                              bool roots) {
    API_BEGIN;
    size_t found = 0;
    if (!count || !api_is_graph(device->api, graph))
        return api_end(cudaErrorInvalidValue);
    for (size_t i = 0; i < graph->count; i++)
        if (!roots || graph->nodes[i]->after_count == 0) {
            if (nodes && found < *count)
                nodes[found] = graph->nodes[i];
            found++;
        }
    for (size_t i = found; nodes && i < *count; i++)
        nodes[i] = NULL;
    *count = nodes && *count < found ? *count : found;
    return api_end(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    return list_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    return list_nodes(graph, nodes, count, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
    if (!node || !type)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    *type = node->type;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *params) {
    if (!node || !params || node->type != cudaGraphNodeTypeKernel)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    if (!node->launch.function) /* captured from <<<>>>: its arguments belong to the compiler */
        return (cudaError_t)cpu_runtime_set_error(cudaErrorNotSupported);
    *params = (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)node->launch.function,
                                            .gridDim = node->launch.grid,
                                            .blockDim = node->launch.block,
                                            .sharedMemBytes = (unsigned)node->launch.shared,
                                            .kernelParams = node->launch.arguments};
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params) {
    API_BEGIN;
    struct cpu_launch launch;
    if (!node || node->type != cudaGraphNodeTypeKernel)
        return api_end(cudaErrorInvalidValue);
    cudaError_t error = launch_of(device, params, &launch);
    if (error == cudaSuccess)
        api_graph_set_launch(node, &launch);
    return api_end(error);
}

/* ---- running ---- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags) {
    API_BEGIN;
    (void)flags; /* hints */
    if (!exec || !api_is_graph(device->api, graph))
        return api_end(cudaErrorInvalidValue);
    struct CUgraphExec_st *made = memory_zeroed(1, sizeof *made);
    made->graph = api_graph_copy(graph);
    made->next = device->api->execs;
    device->api->execs = made;
    *exec = made;
    return api_end(cudaSuccess);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    API_BEGIN;
    struct CUgraphExec_st **at = find_exec(device, exec);
    if (!*at)
        return api_end(cudaErrorInvalidValue);
    *at = exec->next;
    api_graph_release(exec->graph);
    free(exec);
    return api_end(cudaSuccess);
}

static cudaError_t run_node(struct cpu_device *device, const struct CUgraphNode_st *node) {
    cudaError_t error = cudaSuccess;
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
        return api_launch_now(device, &node->launch);
    case cudaGraphNodeTypeMemcpy:
        error = api_check_copy(device, &node->copy);
        if (error == cudaSuccess)
            api_do_copy(&node->copy);
        return error;
    case cudaGraphNodeTypeMemset:
        error = api_check_fill(device, &node->fill);
        if (error == cudaSuccess)
            api_do_fill(&node->fill);
        return error;
    case cudaGraphNodeTypeHost:
        cpu_runtime_synchronize();
        node->host(node->host_data);
        return cudaSuccess;
    case cudaGraphNodeTypeGraph:
        return api_graph_run(device, node->child);
    case cudaGraphNodeTypeEventRecord:
        node->event->recorded = true;
        node->event->milliseconds = cpu_runtime_milliseconds();
        return cudaSuccess;
    default: /* nothing to wait for */
        return cudaSuccess;
    }
}

cudaError_t api_graph_run(struct cpu_device *device, const struct CUgraph_st *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        cudaError_t error = run_node(device, graph->nodes[i]);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
    API_BEGIN;
    struct CUstream_st *stream;
    cudaError_t error = api_capture_stream(device, handle, &stream);
    if (error == cudaSuccess && !*find_exec(device, exec))
        error = cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return api_end(error);
    if (stream->capture) { /* becomes a child of the graph that is being made */
        struct CUgraphNode_st *node = api_graph_add(stream->capture, cudaGraphNodeTypeGraph,
                                                    stream->last, stream->last_count);
        node->child = api_graph_copy(exec->graph);
        api_capture_last(stream, node);
        return api_end(cudaSuccess);
    }
    return api_end(api_graph_run(device, exec->graph));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    API_BEGIN;
    if (!api_stream(device, stream))
        return api_end(cudaErrorInvalidResourceHandle);
    return api_end(*find_exec(device, exec) ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- changing an instantiated graph ---- */

static struct CUgraphNode_st *node_in(struct cpu_device *device, cudaGraphExec_t exec,
                                      cudaGraphNode_t node, enum cudaGraphNodeType type) {
    if (!*find_exec(device, exec) || !node || node->type != type)
        return NULL;
    for (size_t i = 0; i < exec->graph->count; i++)
        if (exec->graph->nodes[i]->original == node->original)
            return exec->graph->nodes[i];
    return NULL;
}

static cudaError_t set_node(struct cpu_device *device, cudaGraphExec_t exec, cudaGraphNode_t node,
                            cudaError_t error, const struct CUgraphNode_st *what) {
    struct CUgraphNode_st *at = node_in(device, exec, node, what->type);
    if (at && error == cudaSuccess)
        copy_node(at, what);
    return api_end(at ? error : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeKernel};
    const cudaError_t error = launch_of(device, params, &what.launch);
    return set_node(device, exec, node, error, &what);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t size,
                                               enum cudaMemcpyKind kind) {
    API_BEGIN;
    const struct CUgraphNode_st what = {.type = cudaGraphNodeTypeMemcpy,
                                        .copy = api_copy_line(to, from, size, kind)};
    return set_node(device, exec, node, api_check_copy(device, &what.copy), &what);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeMemset};
    const cudaError_t error = fill_of(device, params, &what.fill);
    return set_node(device, exec, node, error, &what);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params) {
    API_BEGIN;
    struct CUgraphNode_st what = {.type = cudaGraphNodeTypeHost};
    return set_node(device, exec, node, host_of(params, &what), &what);
}

/* Compares two graphs: the same nodes in the same order, with the same dependencies. */
static cudaGraphExecUpdateResultInfo compare(const struct CUgraph_st *a,
                                             const struct CUgraph_st *b) {
    cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateSuccess};
    if (a->count != b->count)
        info.result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < a->count && info.result == cudaGraphExecUpdateSuccess; i++) {
        if (a->nodes[i]->type != b->nodes[i]->type)
            info.result = cudaGraphExecUpdateErrorNodeTypeChanged;
        else if (a->nodes[i]->after_count != b->nodes[i]->after_count)
            info.result = cudaGraphExecUpdateErrorTopologyChanged;
        if (info.result != cudaGraphExecUpdateSuccess)
            info.errorNode = b->nodes[i];
    }
    return info;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
    API_BEGIN;
    if (!*find_exec(device, exec) || !api_is_graph(device->api, graph))
        return api_end(cudaErrorInvalidValue);
    cudaGraphExecUpdateResultInfo info = compare(exec->graph, graph);
    if (result)
        *result = info;
    if (info.result != cudaGraphExecUpdateSuccess)
        return api_end(cudaErrorGraphExecUpdateFailure);
    struct CUgraph_st *copy = api_graph_copy(graph);
    api_graph_release(exec->graph);
    exec->graph = copy;
    return api_end(cudaSuccess);
}
