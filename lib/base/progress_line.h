/*
 * progress_line.h - what the program is doing, in one line on standard error that comes and goes.
 *
 *     shflviz: exporting: 34%, 7 s
 *
 * Code that begins something long says so, and then how far it is; a thread draws the line, from
 * the first second on. It is drawn only on a terminal that can erase a line, not in the middle of a
 * line that something else has begun, and not in a process that was forked meanwhile. Where it is
 * not drawn, nothing here costs anything.
 *
 * All but progress_line_part() and progress_line_count() are for the main thread. The language
 * stays as it is from the first begin to the last end.
 */
#ifndef SHFLVIZ_BASE_PROGRESS_LINE_H
#define SHFLVIZ_BASE_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something begins: "exporting". Within something else it takes that one's place until it ends; the
 * seconds are those since the outermost began. Each begin has its end. */
void progress_line_begin(const char *what);
void progress_line_end(void);

/* Replaces the text that it began with, and forgets how far it was: "run 2 of 20". */
void progress_line_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* How far it is: as a percentage, or as "12 of 1000". Cheap enough for each step of a recording. */
void progress_line_part(uint64_t done, uint64_t all);
void progress_line_count(uint64_t done, uint64_t all);

/* Takes the line away, before anything is printed; progress_line_printed() lets it come again. */
void progress_line_hold(void);
/* Notes what was printed on the terminal meanwhile; NULL: whole lines, or nothing. */
void progress_line_printed(const char *bytes, size_t count);

/* While a screen has the terminal, on standard output: the line is drawn over its last row.
 * progress_line_marred() says whether it was since last asked: the screen is then drawn anew. */
void progress_line_on_screen(bool on_screen);
bool progress_line_marred(void);

#endif
