/*
 * block.h - a block at one moment: its warps, the elements of the input that each warp takes, the
 * values that the warp's lanes pass to operations, and the shared memory through which warps pass
 * on their results.
 *
 * Every recording has the operations. The elements, and the cells of shared memory, come from the
 * lines and the origins of values (`run --whose`, or recorded when the view asks for them): a cell
 * is known if a local variable had, or later got, the value that the cell holds. Nothing is
 * guessed: a cell that two lanes may have written has no writer.
 *
 * A warp's operations form two stages: those before the warp first reads a cell, and those after
 * it. Without origins, the second stage begins where another series of shuffles begins.
 */
#ifndef SHFLVIZ_REPLAY_BLOCK_H
#define SHFLVIZ_REPLAY_BLOCK_H

#include "base/text.h"
#include "replay/cursor.h"
#include "trace/lines/origins.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK_WARPS   32
#define BLOCK_ELEMENT UINT8_MAX       /* an element that no warp takes */
#define BLOCK_SHARED  (UINT8_MAX - 1) /* an element that several warps take */

/* The moment shown: `steps` steps of the recording have been made, and the warp has run `lines` of
 * its lines. The other warps have run their lines up to the same step. */
struct block_time {
    uint32_t launch, warp;
    uint64_t block, steps;
    size_t lines; /* SIZE_MAX: the lines of that warp follow from the steps, too */
};

/* A lane's value: is_known if it can be determined, has_come if the moment shown has reached it. */
struct block_value {
    bool is_known, has_come;
    bool is_doubtful; /* computed from an undefined value */
    enum warp_type type;
    uint64_t bits;
};

struct block_warp {
    bool is_here;            /* it has an operation, or lines */
    struct trace_warp steps; /* .steps 0: it has no operation */
    uint64_t done;           /* operations that have been made */
    uint64_t second;         /* the first operation of its second stage; .steps if there is none */
    struct trace_lines *lines;
    size_t lines_done;
};

struct block_cell {
    uint32_t array; /* text of the origins */
    uint64_t index;
    uint32_t line; /* line of the program that writes it */
    uint32_t node;
    int warp, lane; /* the writer; -1 if not known */
    struct block_value value;
    int reader;       /* a warp that reads it; -1 if there is none */
    uint32_t readers; /* lanes of that warp */
};

/* An element to which the kernel wrote a value from the block. */
struct block_result {
    uint32_t array;
    uint64_t index;
    uint32_t node;
    int warp, lane;
    struct block_value value;
};

struct block {
    const struct trace *trace;
    const struct trace_origins *origins; /* NULL if there are none for this block */
    struct block_time time;
    unsigned warp_count, threads;
    struct block_warp warp[BLOCK_WARPS];
    struct block_cell *cells; /* in order of writer, array, index; each cell's last write so far */
    struct block_result *results;
    size_t cell_count, cell_room, result_count, result_room;
    /* For each element of the array from which the warps take the most: the warp that takes it. */
    uint32_t array;
    uint64_t first;
    uint8_t *owner;
    size_t element_count;
};

void block_read(struct block *block, const struct trace *trace, const struct block_time *time);
void block_release(struct block *block);

/* "in[0..31], in[64..95]": the elements of all arrays that a warp, or one of its lanes, takes (-1:
 * all lanes). False if it takes none. */
bool block_takes(const struct block *block, int warp, int lane, struct text *text);
/* The value that the lane passes to the warp's operation at `position`. */
struct block_value block_input(const struct block *block, int warp, uint64_t position, int lane);
/* The position `end`, moved back past any watched values directly before it. */
uint64_t block_trimmed(const struct block *block, int warp, uint64_t end);
/* The value that the lane has after the last operation of a stage: the value of the variable that
 * contains that operation's result. */
struct block_value block_after(const struct block *block, int warp, uint64_t last, int lane);
/* The warp whose second stage is shown: the current warp if it has one, else the first that does;
 * -1 if there is none. */
int block_second_warp(const struct block *block);

#endif
