/*
 * origins.h - the two halves of what tells what values are made of (simt/origins.h): origin_nodes.c
 * has the graph, origins.c the memory and what the CPU warp does.
 */
#ifndef CUDACPU_OBSERVE_ORIGINS_H
#define CUDACPU_OBSERVE_ORIGINS_H

#include "simt/origins.h"
#include "simt/simt.h"
#include "trace/lines/origins.h"

/* More nodes are not made: what would be one is unknown. */
#define ORIGIN_NODES_MOST (4u << 20)

/* The node, which may be there already. */
uint32_t origin_make(enum trace_origin_kind kind, uint32_t a, uint32_t b, uint64_t line,
                     uint64_t extra);
/* A leaf of floating-point numbers. */
void origin_set_real(uint32_t node);
enum trace_origin_kind origin_kind(uint32_t node);
/* The number of a text. */
uint32_t origin_text(const char *text);

/* What is to be written into the recording: nodes come before what names them. */
struct text *origin_pending(void);

#endif
