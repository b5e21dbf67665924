/*
 * lane_lines.h - which lanes of the warp are at which lines of the source, for what is drawn beside
 * it. For src/view alone.
 */
#ifndef SHFLVIZ_VIEW_LANE_LINES_H
#define SHFLVIZ_VIEW_LANE_LINES_H

#include "view/moment.h"

#define LANE_LINES_MAX 8

enum lane_line_kind {
    LANES_CALL,       /* make the call that is looked at */
    LANES_WAIT,       /* wait there, and the run never went on */
    LANES_CALL_LATER, /* make their next call there */
};

struct lane_line {
    uint32_t line, lanes;
    enum lane_line_kind kind;
};

struct lane_lines {
    struct lane_line line[LANE_LINES_MAX];
    int count; /* 0 where all lanes that there are make the call, or it is not to be seen */
};

/* Lines are those of the file that the current call is in. */
void lane_lines_find(const struct moment *moment, struct lane_lines *lines);

#endif
