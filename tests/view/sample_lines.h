/*
 * sample_lines.h - a recording with local variables, made in memory: a kernel of seven lines whose
 * lanes diverge once.
 */
#ifndef SHFLVIZ_TESTS_SAMPLE_LINES_H
#define SHFLVIZ_TESTS_SAMPLE_LINES_H

#include "trace/trace.h"

/* The caller closes it. The lines run in this order: 1, 2, 3, 4, 5 (lanes 0 to 15), 6
 * with the shuffle, 7. */
struct trace *sample_lines_open(void);
/* The same with `mine` set to in[lane], and with the origin of each value. */
struct trace *sample_whose_open(void);

#endif
