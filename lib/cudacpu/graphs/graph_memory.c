/*
 * graph_memory.c - nodes with memory of their own, nodes with conditions, and
 * cudaGraphAddNode(), which makes any.
 *
 * A graph's memory has its address from when the node is made. It is live from the node that
 * allocates to what frees it, a node of this or another graph or the program; its address is kept
 * for the next launch.
 */
#include "cudacpu/graphs/graph.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- memory ---- */

/* Whether a node comes behind another. */
static bool is_behind(const struct CUgraphNode_st *node, const struct CUgraphNode_st *other) {
    if (node == other)
        return true;
    for (size_t i = 0; i < node->after_count; i++)
        if (is_behind(node->after[i], other))
            return true;
    return false;
}

/* Memory of the graph that is free again behind these nodes, and large enough; or NULL. */
static void *free_again(struct cpu_device *device, const struct CUgraph_st *graph,
                        struct CUgraphNode_st *const *after, size_t count, size_t size) {
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *at = graph->nodes[i];
        bool behind = false, taken = false;
        for (size_t a = 0; a < count; a++)
            behind = behind || is_behind(after[a], at);
        for (size_t j = i + 1; j < graph->count; j++)
            taken = taken || (graph->nodes[j]->type == cudaGraphNodeTypeMemAlloc &&
                              graph->nodes[j]->memory == at->memory);
        const struct api_allocation *found = api_find(device, at->memory);
        if (at->type == cudaGraphNodeTypeMemFree && behind && !taken && found &&
            found->size >= size)
            return at->memory;
    }
    return NULL;
}

cudaError_t api_graph_add_memory(struct cpu_device *device, struct CUgraph_st *graph,
                                 struct CUgraphNode_st *const *after, size_t count, size_t size,
                                 void **memory, struct CUgraphNode_st **node) {
    if (!memory || size == 0)
        return cudaErrorInvalidValue;
    *memory = free_again(device, graph, after, count, size);
    if (!*memory) {
        cudaError_t error = api_allocate(device, memory, size, API_DEVICE, 0);
        if (error != cudaSuccess)
            return error;
        api_find(device, *memory)->of_graph = true;
    }
    *node = api_graph_add(graph, cudaGraphNodeTypeMemAlloc, after, count);
    (*node)->memory = *memory;
    return cudaSuccess;
}

cudaError_t api_graph_add_free(struct cpu_device *device, struct CUgraph_st *graph,
                               struct CUgraphNode_st *const *after, size_t count, void *memory,
                               struct CUgraphNode_st **node) {
    const struct api_allocation *found = memory ? api_find(device, memory) : NULL;
    if (!found || found->start != memory || !found->of_graph)
        return cudaErrorInvalidValue;
    *node = api_graph_add(graph, cudaGraphNodeTypeMemFree, after, count);
    (*node)->memory = memory;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *params) {
    API_BEGIN;
    cudaError_t error = api_graph_check(device, node, graph, after, count);
    if (error == cudaSuccess &&
        (!params || params->poolProps.allocType != cudaMemAllocationTypePinned))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        error = api_graph_add_memory(device, graph, after, count, params->bytesize, &params->dptr,
                                     node);
    return api_end(error);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *memory) {
    API_BEGIN;
    cudaError_t error = api_graph_check(device, node, graph, after, count);
    if (error == cudaSuccess)
        error = api_graph_add_free(device, graph, after, count, memory, node);
    return api_end(error);
}

static cudaError_t run_memory(struct cpu_device *device, const struct CUgraphNode_st *node) {
    struct cpu_api *api = device->api;
    struct api_allocation *found = api_find(device, node->memory);
    if (!found)
        return cudaErrorInvalidValue;
    if (node->type == cudaGraphNodeTypeMemFree)
        return api_release(device, node->memory, false);
    if (found->live)
        return cudaErrorInvalidValue;
    found->live = true;
    api->graph_live += found->size;
    if (api->graph_live > api->graph_kept)
        api->graph_kept = api->graph_live;
    if (api->graph_kept > api->graph_kept_high)
        api->graph_kept_high = api->graph_kept;
    return cudaSuccess;
}

/* Memory that graphs have freed stays theirs until cudaDeviceGraphMemTrim(), as on a GPU, and
 * counts as used until then. */
cudaError_t cudaDeviceGetGraphMemAttribute(int number, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
    API_BEGIN;
    const struct cpu_api *api = device->api;
    if (number != 0 || !value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh)
        return api_end(number != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    *(uint64_t *)value = high ? api->graph_kept_high : api->graph_kept;
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceSetGraphMemAttribute(int number, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
    API_BEGIN;
    const bool high =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (number != 0 || !value || !high || *(const uint64_t *)value != 0)
        return api_end(number != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    device->api->graph_kept_high = device->api->graph_kept;
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int number) {
    API_BEGIN;
    if (number != 0)
        return api_end(cudaErrorInvalidDevice);
    device->api->graph_kept = device->api->graph_live;
    return api_end(cudaSuccess);
}

/* ---- conditions ---- */

static struct api_condition *condition_of(const struct cpu_api *api,
                                          cudaGraphConditionalHandle handle) {
    for (struct api_condition *at = api->conditions; at; at = at->next)
        if ((cudaGraphConditionalHandle)(uintptr_t)at == handle)
            return at;
    return NULL;
}

void api_conditions_release(struct cpu_api *api) {
    while (api->conditions) {
        struct api_condition *condition = api->conditions;
        api->conditions = condition->next;
        free(condition);
    }
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int first, unsigned int flags) {
    API_BEGIN;
    if (!handle || !api_is_graph(device->api, graph) || flags > cudaGraphCondAssignDefault)
        return api_end(cudaErrorInvalidValue);
    struct api_condition *made = memory_zeroed(1, sizeof *made);
    made->first = first;
    made->begins_with_first = flags == cudaGraphCondAssignDefault;
    made->next = device->api->conditions;
    device->api->conditions = made;
    *handle = (cudaGraphConditionalHandle)(uintptr_t)made;
    return api_end(cudaSuccess);
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    cudaError_t error;
    struct cpu_device *device = api_begin(&error);
    if (!device)
        return;
    struct api_condition *condition = condition_of(device->api, handle);
    if (condition)
        condition->value = value;
    api_end(cudaSuccess);
}

static cudaError_t add_condition(struct cpu_device *device, cudaGraphNode_t *node,
                                 cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                 struct cudaConditionalNodeParams *params) {
    struct api_condition *condition = condition_of(device->api, params->handle);
    const unsigned most = params->type == cudaGraphCondTypeIf      ? 2
                          : params->type == cudaGraphCondTypeWhile ? 1
                                                                   : 1u << 16;
    if (!condition || (unsigned)params->type > cudaGraphCondTypeSwitch || params->size == 0 ||
        params->size > most)
        return cudaErrorInvalidValue;
    struct CUgraphNode_st *made = api_graph_add(graph, cudaGraphNodeTypeConditional, after, count);
    made->condition = condition;
    made->choice = params->type;
    made->body_count = params->size;
    made->bodies = memory_zeroed(params->size, sizeof(struct CUgraph_st *));
    for (size_t i = 0; i < made->body_count; i++)
        made->bodies[i] = memory_zeroed(1, sizeof(struct CUgraph_st));
    params->phGraph_out = made->bodies;
    *node = made;
    return cudaSuccess;
}

static cudaError_t run_condition(struct cpu_device *device, const struct CUgraphNode_st *node) {
    const struct api_condition *condition = node->condition;
    cudaError_t error = cudaSuccess;
    switch (node->choice) {
    case cudaGraphCondTypeIf:
        if (condition->value)
            return api_graph_run(device, node->bodies[0]);
        return node->body_count > 1 ? api_graph_run(device, node->bodies[1]) : cudaSuccess;
    case cudaGraphCondTypeWhile:
        while (condition->value && error == cudaSuccess)
            error = api_graph_run(device, node->bodies[0]);
        return error;
    case cudaGraphCondTypeSwitch:
        break;
    }
    return condition->value < node->body_count
               ? api_graph_run(device, node->bodies[condition->value])
               : cudaSuccess;
}

/* ---- for cudacpu/graphs/graph.c ---- */

void api_graph_release_special(struct CUgraphNode_st *node) {
    for (size_t i = 0; i < node->body_count; i++)
        api_graph_release(node->bodies[i]);
    free(node->bodies);
    node->bodies = NULL;
    node->body_count = 0;
}

void api_graph_copy_special(struct CUgraphNode_st *to, const struct CUgraphNode_st *from) {
    api_graph_release_special(to);
    to->memory = from->memory;
    to->condition = from->condition;
    to->choice = from->choice;
    if (from->body_count)
        to->bodies = memory_zeroed(from->body_count, sizeof(struct CUgraph_st *));
    to->body_count = from->body_count;
    for (size_t i = 0; i < from->body_count; i++)
        to->bodies[i] = api_graph_copy(from->bodies[i]);
}

cudaError_t api_graph_run_special(struct cpu_device *device, const struct CUgraphNode_st *node) {
    return node->type == cudaGraphNodeTypeConditional ? run_condition(device, node)
                                                      : run_memory(device, node);
}

cudaError_t api_graph_begin(struct cpu_device *device, const struct CUgraph_st *graph,
                            unsigned long long flags) {
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        if (node->condition && node->condition->begins_with_first)
            node->condition->value = node->condition->first;
        for (size_t b = 0; b < node->body_count; b++)
            (void)api_graph_begin(device, node->bodies[b], flags);
        const struct api_allocation *found =
            node->type == cudaGraphNodeTypeMemAlloc ? api_find(device, node->memory) : NULL;
        if (!found || !found->live)
            continue;
        if (!(flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
            return cudaErrorInvalidValue; /* what the last launch allocated nobody has freed */
        (void)api_release(device, node->memory, false);
    }
    return cudaSuccess;
}

/* ---- nodes of any kind ---- */

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
    case cudaGraphNodeTypeMemAlloc:
        error = cudaGraphAddMemAllocNode(node, graph, after, count, &params->alloc);
        break;
    case cudaGraphNodeTypeMemFree:
        error = cudaGraphAddMemFreeNode(node, graph, after, count, params->free.dptr);
        break;
    case cudaGraphNodeTypeConditional:
        error = add_condition(device, node, graph, after, count, &params->conditional);
        break;
    default:
        error = cudaErrorNotSupported;
        break;
    }
    return api_end(error);
}
