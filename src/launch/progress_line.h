/*
 * progress_line.h - how far a program is, in one line on standard error that comes and goes.
 *
 *     shflviz: launch 12, 345678 steps, 7 s
 *
 * Only on a terminal that can take a line back, and only from a moment on in which nothing else was
 * printed; not while the program is in the middle of a line of its own.
 */
#ifndef SHFLVIZ_LAUNCH_PROGRESS_LINE_H
#define SHFLVIZ_LAUNCH_PROGRESS_LINE_H

#include "device/own/own_program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress_line {
    bool enabled, shown, within_line;
    long began, next;   /* milliseconds of a clock; `next`: not drawn before */
    uint32_t run, runs; /* of several; 0: there is one */
};

/* A program starts, as run `run` of `runs`, from 1. */
void progress_line_begin(struct progress_line *line, uint32_t run, uint32_t runs);
/* Draws it anew, if it is time to. */
void progress_line_show(struct progress_line *line, const struct own_progress *progress);
/* The same where `percent` of the steps of a recording have been looked at. */
void progress_line_percent(struct progress_line *line, int percent);
/* Takes it away: before anything is printed, and at the end. */
void progress_line_clear(struct progress_line *line);
/* What the program has printed on the terminal. */
void progress_line_printed(struct progress_line *line, const char *bytes, size_t count);

#endif
