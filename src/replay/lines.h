/*
 * lines.h - where one is among the lines of the program's text that the warp has run, if the
 * recording has them. In the view of variables movements go by line; in all others by operation,
 * and the line is then that of the operation.
 */
#ifndef SHFLVIZ_REPLAY_LINES_H
#define SHFLVIZ_REPLAY_LINES_H

#include "replay/state.h"
#include "trace/lines/lines.h"

/* The lines of the warp looked at; NULL if there are none. */
const struct trace_lines *replay_lines(const struct replay *replay);
/* Whether movements go by them now. */
bool replay_goes_by_line(const struct replay *replay);
/* The line that has just been run, by its number among them; 0 if there are none. */
size_t replay_line(const struct replay *replay);
/* Steps of the warp that belong to the line: operations that it makes. */
bool replay_line_operates(const struct trace_lines *lines, size_t number);

/* All return whether anything changed, and say when they come to an end. */
bool lines_by(struct replay *replay, long count, int direction);
bool lines_go(struct replay *replay, size_t number);
bool lines_operation_by(struct replay *replay, long count, int direction);
bool lines_at_end(const struct replay *replay);
/* "line 15", or a condition: the next line at which it holds, round to this one. False where the
 * text is neither, and nothing is said. */
bool lines_find(struct replay *replay, const char *find);
/* Whether the text is one that lines_find() looks for. */
bool lines_can_find(const struct replay *replay, const char *find);
/* Whether play stops at this line: it is that line of the text, or it is the one by which the
 * condition has become true. Selects a lane of which that holds. */
bool lines_stop(struct replay *replay, const char *find);

#endif
