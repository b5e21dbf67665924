/*
 * fragments.h - the fragments of one instruction, as a person asks for them and reads them.
 */
#ifndef SHFLVIZ_EXPLAIN_FRAGMENTS_H
#define SHFLVIZ_EXPLAIN_FRAGMENTS_H

#include "base/error.h"
#include "base/text.h"
#include "warp/fragment.h"

#include <stdbool.h>
#include <stddef.h>

#define FRAGMENTS_MOST 4
#define FRAGMENTS_NAME 384
#define FRAGMENTS_SAME 256

struct fragments {
    char instruction[FRAGMENTS_NAME]; /* whole: "mma.sync.aligned.m16n8k16.row.col.f32.f16..."; of a
                                         layout its text */
    char same[FRAGMENTS_SAME]; /* of a layout: the operands that it is the layout of; else "" */
    bool is_layout;
    int architecture; /* sm_80: 80, the first that has it */
    bool is_mma;
    struct mma mma; /* of mma.sync */
    size_t count;
    const char *names[FRAGMENTS_MOST]; /* "A", "B", "C"; of moves as PTX has them: "r", "d", "a" */
    struct fragment list[FRAGMENTS_MOST];
};

/*
 * Reads a layout (warp/layout.h) if the text begins with a bracket: its index counts the rows of
 * the first operand that has the same, else eight rows. Else reads an instruction of mma.sync,
 * ldmatrix, stmatrix or movmatrix, named by its first word. Of mma.sync the words that fix the
 * fragments are enough (warp/fragment.h); of the others also "x2" or "trans" alone, or nothing: one
 * matrix. D is among the fragments only where its layout is not C's. Fails (ERROR_USAGE) with what
 * was given and what may be, for wgmma and the like with the reason.
 */
int fragments_read(struct fragments *fragments, const char *command, const char *text,
                   struct error *err);

/* The fragment of that name ("A", "a"; "D" is C where it is not listed), or -1. */
int fragments_find(const struct fragments *fragments, const char *name, size_t length);

/* Appends an element as the PTX ISA calls it: "c2". */
void fragment_append_element(struct text *text, const struct fragment *fragment, int element);

/* Appends a cell as it is written in C: "[9][3]"; of several matrices "1[9][3]". */
void fragment_append_cell(struct text *text, const struct fragment *fragment,
                          struct fragment_cell cell);

/* Appends a sentence on a cell: "C[9][3]: lane 5 holds it in c3, register 3"; where a register has
 * several elements, with its bits. */
void fragments_append_holder(struct text *text, const struct fragments *fragments, size_t which,
                             struct fragment_cell cell);

/* Appends what a lane holds of one fragment: "a0 [1][2]  a1 [1][3] ...". */
void fragments_append_lane(struct text *text, const struct fragments *fragments, size_t which,
                           int lane);

/*
 * "m16n8k16 C[9][3]", "ldmatrix.x4.trans 1[3][5]": which lane and register hold it. True if the
 * text asks that: it begins with such an instruction and a blank. Then fails as fragments_read(),
 * or if there is no such cell.
 */
bool fragments_asked(const char *text);
int fragments_ask(struct fragments *fragments, size_t *which, struct fragment_cell *cell,
                  const char *text, struct error *err);

#endif
