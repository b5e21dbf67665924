/* fragments.h - the fragments of one instruction, in the form in which users ask for them. */
#ifndef SHFLVIZ_EXPLAIN_FRAGMENTS_H
#define SHFLVIZ_EXPLAIN_FRAGMENTS_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"
#include "warp/fragment.h"
#include "warp/rows.h"

#include <stdbool.h>
#include <stddef.h>

#define FRAGMENTS_MOST 4
#define FRAGMENTS_NAME 384
#define FRAGMENTS_SAME 256

struct fragments {
    char instruction[FRAGMENTS_NAME]; /* whole: "mma.sync.aligned.m16n8k16.row.col.f32.f16..."; for
                                         a layout its text */
    char same[FRAGMENTS_SAME];        /* for a layout: the operands that have it; else "" */
    /* For a layout that no operand has: the operand of its size that agrees in the most positions,
     * and the first position where it does not. */
    struct {
        char name[64]; /* "": none has that many lanes and values */
        int agrees, lane, value;
        uint32_t here, there;
    } nearest;
    bool is_layout;
    int architecture; /* 80 for sm_80, the first architecture that has it */
    bool is_mma;
    struct mma mma; /* for mma.sync */
    size_t count;
    const char *names[FRAGMENTS_MOST]; /* "A", "B", "C"; for moves PTX's names: "r", "d", "a" */
    struct fragment list[FRAGMENTS_MOST];
    bool has_rows; /* of ldmatrix and stmatrix: the addresses of rows are known */
    struct matrix_rows
        rows; /* if recorded, offsets are from the start of the 128 bytes that hold the first row */
};

/*
 * Reads a layout (warp/matrix_layout.h) if the text begins with a bracket. It is drawn as a matrix
 * with as many rows as the first operand that has that layout, or else with eight rows.
 *
 * Otherwise reads an instruction: wmma.load or wmma.store if the text begins with either, else the
 * one that `command` names: "mma" (mma.sync), "ldmatrix", "stmatrix" or "movmatrix". For mma.sync,
 * the words that determine the fragments are enough (warp/fragment.h); for the others, "x2" or
 * "trans" alone, or nothing for one matrix. D is among the fragments only if its layout is not C's.
 *
 * Fails (ERROR_USAGE) with the given and the allowed text; for wgmma and the like, with the reason.
 */
int fragments_read(struct fragments *fragments, const char *command, const char *text,
                   struct error *err);

/*
 * The fragments whose registers a recording has; false if they belong to an instruction that is not
 * known here, or if its operands do not match. For a product, D is always among them.
 */
bool fragments_recorded(struct fragments *fragments, const struct trace_registers *registers);

/* The number of steps whose registers the recording has left out because of their size. */
uint64_t fragments_cut(const struct trace *trace);

/* True for ldmatrix and stmatrix, which have rows in shared memory. */
bool fragments_take_rows(const struct fragments *fragments);
/* Appends the access of a cell's row: "its row: lane 3's address, +384, banks 12-15". */
void fragments_append_row(struct text *text, const struct fragments *fragments,
                          struct fragment_cell cell);
/* The total number of passes of all matrices, and how many ways the worst conflict has. */
struct bank_use fragments_use(const struct fragments *fragments);
/* Appends the passes: "8 passes instead of 1", "no bank conflict: 1 pass". */
void fragments_append_passes(struct text *text, const struct bank_use *use);

/* The recorded bits of an element of a fragment. */
uint64_t fragment_bits(const struct fragment *fragment, const struct trace_registers *registers,
                       int lane, int element);
/* The element in readable form: a number, or for 16 bits without a type its bits, "3c00". */
char *fragment_value(const struct fragment *fragment, const struct trace_registers *registers,
                     int lane, int element, char text[WARP_VALUE_TEXT]);
/*
 * An element of C after the first `k` of the products that are added to it: with none of them, C
 * itself; with all of them, D as recorded. In between, sums are kept in double and rounded to D's
 * type, as on the CPU warp; a GPU may add in another order.
 */
char *fragments_sum(const struct fragments *fragments, const struct trace_registers *registers,
                    struct fragment_cell cell, int k, char text[WARP_VALUE_TEXT]);

/* The fragment of that name ("A", "a"; "D" is C if it is not listed; for a move its letter or ""),
 * or -1. */
int fragments_find(const struct fragments *fragments, const char *name, size_t length);

/* Appends an element's PTX name: "c2". */
void fragment_append_element(struct text *text, const struct fragment *fragment, int element);

/* Appends a cell in C's notation: "[9][3]"; for several matrices "1[9][3]". */
void fragment_append_cell(struct text *text, const struct fragment *fragment,
                          struct fragment_cell cell);

/* Appends a sentence about a cell: "C[9][3]: lane 5 holds it in c3, register 3"; with the
 * element's bits in the register if that has several elements. */
void fragments_append_holder(struct text *text, const struct fragments *fragments, size_t which,
                             struct fragment_cell cell);

/* Appends a lane's elements of one fragment: "a0 [1][2]  a1 [1][3] ...". */
void fragments_append_lane(struct text *text, const struct fragments *fragments, size_t which,
                           int lane);

/*
 * "m16n8k16 C[9][3]", "ldmatrix.x4.trans 1[3][5]": finds the lane and register that hold the cell.
 * fragments_is_question() is true if the text is such a question: it begins with such an
 * instruction and a blank. fragments_ask() may still fail, like fragments_read(), or because there
 * is no such cell.
 */
bool fragments_is_question(const char *text);
int fragments_ask(struct fragments *fragments, size_t *which, struct fragment_cell *cell,
                  const char *text, struct error *err);

#endif
