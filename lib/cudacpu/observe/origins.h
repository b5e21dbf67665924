/*
 * origins.h - the two parts that track the origins of values (simt/origins.h): origin_nodes.c has
 * the graph, origins.c the memory and the CPU warp's moves.
 */
#ifndef CUDACPU_OBSERVE_ORIGINS_H
#define CUDACPU_OBSERVE_ORIGINS_H

#include "simt/origins.h"
#include "simt/simt.h"
#include "trace/lines/origins.h"

/* The most nodes; values that would need further ones have an unknown origin. */
#define ORIGIN_NODES_MOST (4u << 20)

/* Finds or makes the node. */
uint32_t origin_make(enum trace_origin_kind kind, uint32_t a, uint32_t b, uint64_t line,
                     uint64_t extra);
/* A leaf of floating-point numbers. */
void origin_set_real(uint32_t node);
enum trace_origin_kind origin_kind(uint32_t node);
/* The number that stands in for a text. */
uint32_t origin_text(const char *text);

/* The text to write into the recording: nodes come before the entries that name them. */
struct text *origin_pending(void);

#endif
