/*
 * graph.h - graphs: what cudacpu/graphs/graph.c and cudacpu/graphs/capture.c share.
 *
 * A node is made after those that it depends on, so the order of making is an order to run them in.
 */
#ifndef SHFLVIZ_CPU_API_GRAPH_H
#define SHFLVIZ_CPU_API_GRAPH_H

#include "cudacpu/runtime/api.h"

struct CUgraphNode_st {
    enum cudaGraphNodeType type;
    struct CUgraph_st *graph;
    const struct CUgraphNode_st *original; /* of a copy: what it was copied from, first of all */
    struct CUgraphNode_st **after;         /* those before it, in the same graph */
    size_t after_count;
    struct cpu_launch launch; /* its name and arguments are this node's */
    void *values;             /* the arguments' bytes */
    struct api_copy copy;
    struct api_fill fill;
    cudaHostFn_t host;
    void *host_data;
    struct CUgraph_st *child; /* this node's */
    struct CUevent_st *event;
    void *memory; /* that is there from here on, or no longer */
    /* A condition, and the graphs that it chooses from: this node's. */
    struct api_condition *condition;
    enum cudaGraphConditionalNodeType choice;
    struct CUgraph_st **bodies;
    size_t body_count;
    bool joined; /* at the end of a capture: its first stream comes after it */
};

/* What a cudaGraphConditionalHandle stands for; lasts as long as the device. */
struct api_condition {
    struct api_condition *next;
    unsigned value, first;
    bool begins_with_first; /* at each launch */
};

struct CUgraph_st {
    struct CUgraph_st *next;
    struct CUgraphNode_st **nodes;
    size_t count, capacity;
    /* While it is captured: how, by which thread, and whether something refused has ended that. */
    enum cudaStreamCaptureMode mode;
    const void *thread;
    bool broken;
};

struct CUgraphExec_st {
    struct CUgraphExec_st *next;
    struct CUgraph_st *graph; /* its own copy */
    unsigned long long flags;
};

/* A new graph, or node of one; `after` are nodes of the same graph. */
struct CUgraph_st *api_graph_make(struct cpu_api *api);
struct CUgraphNode_st *api_graph_add(struct CUgraph_st *graph, enum cudaGraphNodeType type,
                                     struct CUgraphNode_st *const *after, size_t count);
struct CUgraph_st *api_graph_copy(const struct CUgraph_st *graph);
void api_graph_release(struct CUgraph_st *graph);
/* Whether it is a graph, or one that a condition chooses. */
bool api_is_graph(const struct cpu_api *api, const struct CUgraph_st *graph);
cudaError_t api_graph_check(struct cpu_device *device, cudaGraphNode_t *node, cudaGraph_t graph,
                            const cudaGraphNode_t *after, size_t count);
cudaError_t api_graph_run(struct cpu_device *device, const struct CUgraph_st *graph);

/* ---- cudacpu/graphs/graph_memory.c ---- */

/* Memory and conditions of nodes: what a copy has, what running does, what a launch begins with. */
void api_graph_copy_special(struct CUgraphNode_st *to, const struct CUgraphNode_st *from);
void api_graph_release_special(struct CUgraphNode_st *node);
cudaError_t api_graph_run_special(struct cpu_device *device, const struct CUgraphNode_st *node);
cudaError_t api_graph_begin(struct cpu_device *device, const struct CUgraph_st *graph,
                            unsigned long long flags);
void api_conditions_release(struct cpu_api *api);
/* The node of an allocation or, with `memory`, of what frees it. */
cudaError_t api_graph_add_memory(struct cpu_device *device, struct CUgraph_st *graph,
                                 struct CUgraphNode_st *const *after, size_t count, size_t size,
                                 void **memory, struct CUgraphNode_st **node);
cudaError_t api_graph_add_free(struct cpu_device *device, struct CUgraph_st *graph,
                               struct CUgraphNode_st *const *after, size_t count, void *memory,
                               struct CUgraphNode_st **node);

/* Copies what a launch says, and its arguments. */
void api_graph_set_launch(struct CUgraphNode_st *node, const struct cpu_launch *launch);

#endif
