/*
 * follow.h - a lesson on one terminal, followed on others: the speaker's notes.
 *
 * The presenter opens a stage: a Unix socket of this user's own ($XDG_RUNTIME_DIR/shflviz/stage, or
 * /tmp/shflviz-UID/stage, in a folder that is nobody else's). Followers connect and read lines:
 * which lesson, then each position (teach/player.h). They send nothing. Who reads too slowly is let
 * go.
 */
#ifndef SHFLVIZ_CLI_FOLLOW_H
#define SHFLVIZ_CLI_FOLLOW_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define FOLLOWERS_MAX 16

/* ---- the presenter's end ----------------------------------------------------------------------
 */

struct stage {
    int listener; /* -1: nobody can follow */
    int followers[FOLLOWERS_MAX];
    size_t follower_count;
    char *path;
    char *lesson;   /* the line that says which lesson: sent first */
    char *position; /* the last line sent after it */
};

/* Fails (ERROR_USAGE) if another presentation of this user is on, or the socket cannot be made; the
 * stage is then one that nobody follows, and everything below does nothing. */
int stage_open(struct stage *stage, struct error *err);
void stage_close(struct stage *stage);

/* `lesson` is the name of a built-in lesson, or an absolute path. */
void stage_lesson(struct stage *stage, const char *lesson);
void stage_position(struct stage *stage, const char *position);

size_t stage_descriptors(const struct stage *stage, int *descriptors, size_t most);
void stage_ready(struct stage *stage); /* lets followers in and out */

/* ---- the follower's end ------------------------------------------------------------------------
 */

struct seat {
    int descriptor;   /* -1 when the presentation is over */
    struct text read; /* what has come and is no whole line yet */
};

/* Fails (ERROR_USAGE) if there is no presentation of this user. */
int seat_take(struct seat *seat, struct error *err);
void seat_leave(struct seat *seat);

/* Takes in what has come without waiting. Returns false when the presentation is over. */
bool seat_ready(struct seat *seat);
/* The next whole line, without its end; NULL if there is none yet. The caller frees. */
char *seat_line(struct seat *seat);
/* Waits for the next line, at most so long; NULL if none comes. */
char *seat_await_line(struct seat *seat, int milliseconds);

/* What a line says: the rest of it after "lesson " or "at "; NULL if it is another. */
const char *seat_line_lesson(const char *line);
const char *seat_line_position(const char *line);

#endif
