/*
 * lane_lines.h - the source lines at which the warp's lanes are, for drawing beside the source.
 * For src/view only.
 */
#ifndef SHFLVIZ_VIEW_LANE_LINES_H
#define SHFLVIZ_VIEW_LANE_LINES_H

#include "view/moment.h"

#define LANE_LINES_MAX 8

enum lane_line_kind {
    LANES_CALL,       /* make the current call */
    LANES_WAIT,       /* wait there, and the run never continued */
    LANES_CALL_LATER, /* make their next call there */
};

struct lane_line {
    uint32_t line, lanes;
    enum lane_line_kind kind;
};

struct lane_lines {
    struct lane_line line[LANE_LINES_MAX];
    int count; /* 0 if all existing lanes make the call, or it must be hidden */
};

/* Lines are those of the file that the current call is in. */
void lane_lines_find(const struct moment *moment, struct lane_lines *lines);

#endif
