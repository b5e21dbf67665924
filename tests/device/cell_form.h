/*
 * cell_form.h - records as a GPU writes them (shflviz/cell.h), made by hand.
 */
#ifndef SHFLVIZ_TESTS_CELL_FORM_H
#define SHFLVIZ_TESTS_CELL_FORM_H

#include "shflviz/cell.h"

#include <stddef.h>
#include <stdint.h>

/* The cells of a record in the form of shflviz/cell.h; values that are in no cell are not
 * checked. */
struct form {
    uint32_t kinds, head[SHFLVIZ_HEAD_WORDS];
    uint32_t in[32], upper[32], arg[32], width[32], out[32], out_upper[32];
};

static inline uint64_t *put_cell(uint64_t *cell, const uint32_t values[32],
                                 const uint32_t parts[32], uint32_t mark) {
    static const uint32_t none[32];
    for (unsigned i = 0; i < 32; i++)
        cell[i] = ring_word(values[i], (parts ? parts : none)[i], mark);
    return cell + 32;
}

/* Returns the number of cells. */
static inline size_t put_record(uint64_t *cells, const struct form *form, uint32_t tag) {
    uint32_t parts[32] = {0};
    uint64_t *at = cells;
    for (unsigned i = 0; i < SHFLVIZ_HEAD_WORDS; i++) {
        const uint32_t word = i == SHFLVIZ_HEAD_KINDS ? form->kinds : form->head[i];
        parts[2 * i] = word & 0xffff;
        parts[2 * i + 1] = word >> 16;
    }
    at = put_cell(at, form->in, parts, SHFLVIZ_CELL_FIRST | tag);
    if (form->kinds & SHFLVIZ_KINDS_WIDE)
        at = put_cell(at, form->upper, NULL, tag);
    if (form->kinds & SHFLVIZ_KINDS_ARGS)
        at = put_cell(at, form->arg, form->width, tag);
    if (form->kinds & SHFLVIZ_KINDS_OUTS)
        at = put_cell(at, form->out, NULL, tag);
    if (form->kinds & SHFLVIZ_KINDS_OUTS && form->kinds & SHFLVIZ_KINDS_WIDE)
        at = put_cell(at, form->out_upper, NULL, tag);
    return (size_t)(at - cells) / 32;
}

static inline struct form form_of(uint32_t kinds) {
    struct form form = {.kinds = SHFLVIZ_KINDS(3, 7, 0, 2) | kinds,
                        .head = {[SHFLVIZ_HEAD_BLOCK] = 9,
                                 [SHFLVIZ_HEAD_ARG] = 3,
                                 [SHFLVIZ_HEAD_WIDTH] = 8,
                                 [SHFLVIZ_HEAD_MEMBERS] = 0xffff,
                                 [SHFLVIZ_HEAD_PRESENT] = 0xff,
                                 [SHFLVIZ_HEAD_BLOCK_HIGH] = 2,
                                 [SHFLVIZ_HEAD_WIDTH_TOO] = 4}};
    for (unsigned i = 0; i < 32; i++) {
        form.in[i] = 100 + i;
        form.upper[i] = 200 + i;
        form.arg[i] = 300 + i;
        form.width[i] = 1 + i;
        form.out[i] = 400 + i;
        form.out_upper[i] = 500 + i;
    }
    return form;
}

#endif
