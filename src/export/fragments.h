/*
 * fragments.h - the lanes and registers that hold the elements of an instruction's matrices, as
 * JSON (docs/JSON.md) and CSV.
 */
#ifndef SHFLVIZ_EXPORT_FRAGMENTS_H
#define SHFLVIZ_EXPORT_FRAGMENTS_H

#include "explain/fragments.h"

#include <stdio.h>

/* Selects elements: of one lane, or of all (-1); of one cell of the fragment `which`, or of every
 * cell (NULL). */
struct fragments_options {
    int lane;
    size_t which;
    const struct fragment_cell *cell;
    const struct trace_registers *registers; /* with values; NULL: without */
};

void export_fragments_json(FILE *out, const struct fragments *fragments,
                           const struct fragments_options *opts);
void export_fragments_csv(FILE *out, const struct fragments *fragments,
                          const struct fragments_options *opts);

#endif
