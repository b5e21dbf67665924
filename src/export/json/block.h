/*
 * block.h - a block of a launch as JSON (docs/JSON.md, "A block"): its warps, the elements that
 * each takes, the cells of shared memory between them, and the results.
 */
#ifndef SHFLVIZ_EXPORT_BLOCK_H
#define SHFLVIZ_EXPORT_BLOCK_H

#include "trace/trace.h"

#include <stdio.h>

void export_block_json(FILE *out, const struct trace *trace, uint32_t launch, uint64_t block);

#endif
