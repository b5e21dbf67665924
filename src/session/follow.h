/*
 * follow.h - a lesson on one terminal, followed on others: the speaker's notes.
 *
 * A presentation is a Unix socket that only this user can reach:
 * $XDG_RUNTIME_DIR/shflviz/presentation, or /tmp/shflviz-UID/presentation, in a directory with mode
 * 0700. Followers connect and read lines: the lesson, then each position in it (teach/player.h).
 * They send nothing: one that does, or reads too slowly, is disconnected, and so is the oldest if
 * there are more than FOLLOWERS_MAX. Neither end ever waits for the other.
 */
#ifndef SHFLVIZ_SESSION_FOLLOW_H
#define SHFLVIZ_SESSION_FOLLOW_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define FOLLOWERS_MAX 16

/* ---- the presenter's end ---- */

struct presentation {
    int listener; /* -1 if no follower can join */
    int followers[FOLLOWERS_MAX];
    size_t follower_count;
    char *path;
    char *lesson;   /* which lesson: sent first */
    char *position; /* the last position sent after it */
};

/* Fails (ERROR_USAGE) if another presentation of this user is running, or the socket cannot be
 * created. Then no follower can join, and every function below does nothing. */
int presentation_open(struct presentation *presentation, struct error *err);
void presentation_close(struct presentation *presentation);

/* `lesson` is the name of a built-in lesson, or an absolute path. */
void presentation_lesson(struct presentation *presentation, const char *lesson);
void presentation_position(struct presentation *presentation, const char *position);

size_t presentation_descriptors(const struct presentation *presentation, int *descriptors,
                                size_t most);
void presentation_ready(
    struct presentation *presentation); /* accepts followers and drops those that left */

/* ---- the follower's end ---- */

struct follower {
    int descriptor;   /* -1 when the presentation is over */
    struct text read; /* received */
    size_t taken;     /* bytes of it that were returned as lines */
};

/* Fails (ERROR_USAGE) if there is no presentation of this user, or none that answers. */
int follower_join(struct follower *follower, struct error *err);
void follower_leave(struct follower *follower);

/* Reads what has arrived, without waiting. Returns false when the presentation is over. */
bool follower_ready(struct follower *follower);
/* The next complete line, without its end; NULL if there is none yet. The caller frees. */
char *follower_line(struct follower *follower);
/* Waits for the next line, at most that long; NULL if none arrives. The caller frees. */
char *follower_await_line(struct follower *follower, int milliseconds);

/* The content of a line: the text after "lesson " or "at "; NULL if it is the other kind. */
const char *follower_lesson(const char *line);
const char *follower_position(const char *line);

#endif
