/*
 * progress_line.h - shows the program's progress in one temporary line on standard error.
 *
 *     shflviz: exporting: 34%, 7 s
 *
 * Code that begins a long task reports that, and then its progress; a thread draws the line, after
 * the first second. It is drawn only on a terminal that can erase a line, not in the middle of a
 * line that something else has begun, and not in a process that was forked meanwhile. Where it is
 * not drawn, these functions take almost no time.
 *
 * All but progress_line_part() and progress_line_count() are for the main thread. The language must
 * not change between the first begin and the last end.
 */
#ifndef SHFLVIZ_BASE_PROGRESS_LINE_H
#define SHFLVIZ_BASE_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins a task: "exporting". A nested task replaces the outer one until it ends; the seconds are
 * those since the outermost began. Every begin needs an end. */
void progress_line_begin(const char *what);
void progress_line_end(void);

/* Replaces the task's text and resets its progress: "run 2 of 20". */
void progress_line_set_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets its progress: as a percentage, or as "12 of 1000". Cheap enough for each step of a
 * recording. */
void progress_line_part(uint64_t done, uint64_t all);
void progress_line_count(uint64_t done, uint64_t all);

/* Erases the line, before anything is printed; progress_line_printed() allows it again. */
void progress_line_hold(void);
/* Notes the text printed on the terminal meanwhile; NULL if it was whole lines, or nothing. */
void progress_line_printed(const char *bytes, size_t count);

/* While a screen has the terminal, on standard output, the line is drawn over its last row.
 * progress_line_was_drawn() returns true if it has been drawn since the last call: the screen is
 * then redrawn. */
void progress_line_on_screen(bool on_screen);
/* The screen leaves this many columns for the line at the end of its first row, before the last
 * column; 0 for none. */
void progress_line_corner(int columns);
bool progress_line_was_drawn(void);

#endif
