/*
 * lines.h - the position among the source lines that the warp has run, if the recording has them.
 * In the views of variables and of a block, movements go by line; in all others, by operation, and
 * the line is then that of the operation.
 */
#ifndef SHFLVIZ_REPLAY_LINES_H
#define SHFLVIZ_REPLAY_LINES_H

#include "replay/state.h"
#include "trace/lines/lines.h"

/* The lines of the current warp; NULL if there are none. */
const struct trace_lines *replay_lines(const struct replay *replay);
/* True if movements currently go by line. */
bool replay_moves_by_line(const struct replay *replay);
/* The line that has just been run, by its number in the list; 0 if there are none. */
size_t replay_line(const struct replay *replay);
/* True if steps, perhaps those of other warps, were recorded while that line ran. */
bool replay_line_has_operation(const struct trace_lines *lines, size_t number);

/* The movements return true if anything changed, and report when they reach an end. */
bool lines_step(struct replay *replay, long count, int direction);
bool lines_go(struct replay *replay, size_t number);
bool lines_step_operation(struct replay *replay, long count, int direction);
bool lines_at_end(const struct replay *replay);
/* "line 15", or a condition: goes to that line, or to the next at which the condition is true,
 * wrapping around to this one. False, without a message, if the text is neither. */
bool lines_find(struct replay *replay, const char *find);
/* True if lines_find() understands the text. */
bool lines_can_find(const struct replay *replay, const char *find);
/* True if play stops at line number `at` of the warp: it is the source line that `find` names, or
 * the condition became true in it. Selects a lane for which that is so. */
bool lines_stop(struct replay *replay, const char *find, size_t at);
/* True for "line 15", with the number. */
bool lines_read_number(const char *find, unsigned long *number);

#endif
