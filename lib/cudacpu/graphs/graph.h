/*
 * graph.h - graphs, shared by cudacpu/graphs/graph.c and cudacpu/graphs/capture.c. A node is made
 * after those on which it depends, so nodes can run in the order in which they were made.
 */
#ifndef SHFLVIZ_CPU_API_GRAPH_H
#define SHFLVIZ_CPU_API_GRAPH_H

#include "cudacpu/runtime/api.h"

struct CUgraphNode_st {
    enum cudaGraphNodeType type;
    struct CUgraph_st *graph;
    const struct CUgraphNode_st *original; /* in a copy: the very first original */
    struct CUgraphNode_st **after;         /* the nodes that it depends on, in the same graph */
    size_t after_count;
    struct cpu_launch launch; /* its name and arguments belong to this node */
    void *values;             /* the arguments' bytes */
    struct api_copy copy;
    struct api_fill fill;
    cudaHostFn_t host;
    void *host_data;
    struct CUgraph_st *child; /* this node's */
    struct CUevent_st *event;
};

/* How a capture makes nodes. */
struct api_graph_functions {
    struct CUgraphNode_st *(*add)(struct CUgraph_st *graph, enum cudaGraphNodeType type,
                                  struct CUgraphNode_st *const *after, size_t count);
    void (*set_launch)(struct CUgraphNode_st *node, const struct cpu_launch *launch);
};

struct CUgraph_st {
    const struct api_graph_functions *functions;
    struct CUgraph_st *next;
    struct CUgraphNode_st **nodes;
    size_t count, capacity;
    /* Set while it is being captured: the mode, and whether an operation was refused. */
    enum cudaStreamCaptureMode mode;
    bool broken;
};

struct CUgraphExec_st {
    struct CUgraphExec_st *next;
    struct CUgraph_st *graph; /* its own copy */
};

/* A new graph, or a node of one; `after` are nodes of the same graph. */
struct CUgraph_st *api_graph_make(struct cpu_api *api);
struct CUgraphNode_st *api_graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type,
                                     struct CUgraphNode_st *const *after, size_t count);
struct CUgraph_st *api_graph_copy(const struct CUgraph_st *graph);
void api_graph_release(struct CUgraph_st *graph);
bool api_is_graph(const struct cpu_api *api, const struct CUgraph_st *graph);
cudaError_t api_graph_check(struct cpu_device *device, cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *after, size_t count);
cudaError_t api_graph_run(struct cpu_device *device, const struct CUgraph_st *graph);

/* Copies a launch's parameters and its arguments. */
void api_graph_set_launch(struct CUgraphNode_st *node, const struct cpu_launch *launch);

#endif
