/*
 * fragment_page.h - the fragments of an instruction on a screen: a cursor on a cell of a matrix;
 * the lane of that cell is lit in all of them.
 */
#ifndef SHFLVIZ_REPLAY_FRAGMENT_PAGE_H
#define SHFLVIZ_REPLAY_FRAGMENT_PAGE_H

#include "explain/fragments.h"
#include "replay/keys/action.h"

#include <stdbool.h>
#include <stddef.h>

struct fragment_page {
    struct fragments fragments;
    size_t which; /* the fragment that the cursor is in */
    struct fragment_cell cursor;
    const struct trace_registers *registers; /* for the values of a recording; NULL: no values */
    int k;                                   /* products included in C's values */
    struct {
        bool can_change; /* the rows come neither from a recording nor from addresses that the user
                            gave */
        uint32_t pitch;
        struct swizzle swizzle;
    } tile;
    bool help;
    bool left;
};

/* The cursor begins at the lane's first element of the fragment. */
void fragment_page_init(struct fragment_page *page, const struct fragments *fragments, size_t which,
                        int lane);

/* The same with the values of a step, all products added; false if its registers belong to an
 * instruction not known here. The registers must outlive the page. */
bool fragment_page_recorded(struct fragment_page *page, const struct trace_registers *registers,
                            int lane);

/* The lane and the element under the cursor. */
struct fragment_holder fragment_page_holder(const struct fragment_page *page);

/* A cell as the argument of ACTION_CELL_GO. */
long fragment_page_cell(size_t which, struct fragment_cell cell);

struct press fragment_page_press(const struct fragment_page *page, const char *key);
/* Does one action of a key or a click. True if anything visible changed. */
bool fragment_page_apply(struct fragment_page *page, enum action action, long argument);

#endif
