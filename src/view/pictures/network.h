/*
 * network.h - two rows of lanes, one column per lane, and the field between them: the common part
 * of the pictures of an exchange (wires.c), of votes, matches, reductions and of waiting lanes. For
 * src/view only.
 */
#ifndef SHFLVIZ_VIEW_NETWORK_H
#define SHFLVIZ_VIEW_NETWORK_H

#include "view/moment.h"

struct network {
    const struct moment *moment;
    struct area area;  /* all of the picture */
    struct area field; /* between the two rows of nodes */
    int x0, pitch;     /* cell of the leftmost lane, cells from lane to lane */
    int gap;           /* extra cells between nibbles (the hexadecimal digits of a number) */
    bool falling;      /* lane 31 is on the left, where a number has its bit 31 */
    int label;         /* cells for the row labels */
    int number_rows, in_rows, out_rows;
    bool has_path;     /* the path of a value is lit (replay/whose.h): */
    uint32_t to, from; /* lanes that get, and that give, a part of it */
};

/* Spreads the lanes over the width of the area. Set `falling` first, or leave it false. */
void network_spread(struct network *net, struct area area, const struct moment *moment);
/* The rows that values of that many glyphs take. Neighbours alternate between two rows; if a lane
 * has only one cell, values are upright. 0 if there is no room for them at all. */
int network_rows_of(const struct network *net, int length);
/* The rows that lane numbers and values take. Rows of values are left out, the longest first, until
 * the rest and `others` fit in `rows`. */
void network_rows(struct network *net, int rows, int others);

int network_x(const struct network *net, int lane);
/* The cells from the leftmost lane to the rightmost. */
int network_columns(const struct network *net);

void network_label(struct area area, int y, const struct network *net, const char *label);
void network_numbers(struct area area, int y, const struct network *net);
/* A text at a lane, in its row of `rows` as returned by network_rows_of(); its last glyph is in
 * the lane's column. */
void network_text(struct area area, int y, int rows, const struct network *net, int lane,
                  const char *text, struct style style);
/* The lanes' inputs, or results; nothing if there is no room. */
void network_values(struct area area, int y, const struct network *net, bool out);
/* The style of a wire: every dot, or `on` dots of each `period`. */
struct pen {
    struct style style;
    int period, on;
    int shift;   /* offset of the first dot in a period */
    bool on_top; /* it owns its cells, and is two dots thick, */
    bool thin;   /* unless there are many of its kind */
    bool bent;   /* down, across in the middle, down: not straight */
    int lane;    /* the lane that a click selects */
};
/* Draws a wire across the rows of net->field, from a lane above to one below. In ASCII / \ | - +.
 */
void network_wire(const struct network *net, int from, int to, const struct pen *pen);
/* Draws a glyph at a lane, which a click selects. */
void network_glyph(struct area area, int y, const struct network *net, int lane, uint32_t glyph,
                   struct style style);
/* The sign for a lane's part in an answer, if it has one. */
bool network_mark(struct area area, int y, const struct network *net, int lane);
/* Draws labels, lane numbers and values from row `y` on. Returns the row after them. */
int network_head(struct network *net, int y);

/* True if the picture of a shuffle is two rows of lanes with nothing between them, because no wire
 * may be shown yet. */
bool wires_are_bare(const struct moment *moment);
/* The pictures. Each fills the area of the view `wires`. */
void draw_votes(struct area area, const struct moment *moment);
void draw_match(struct area area, const struct moment *moment);
void draw_reduce(struct area area, const struct moment *moment);
void draw_barrier(struct area area, const struct moment *moment);
void draw_memory(struct area area, const struct moment *moment);
/* The size of the picture of an access in a figure: all rows, without numbers. */
void memory_natural_size(const struct moment *moment, int *columns, int *rows);
/* Rounds that move values from register to register: the registers of every lane before and after
 * each. False, with nothing drawn, if the recording does not show registers. */
struct rounds;
bool draw_matrix(struct area area, const struct moment *moment, const struct rounds *rounds);
/* For a moment whose picture is PICTURE_STOP. */
void draw_stop(struct area area, const struct moment *moment);

#endif
