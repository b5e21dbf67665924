/*
 * classroom.h - a presentation with a class that answers: the room, its server, what the teacher
 * sees of both.
 *
 * Whoever presents tells each change; the classroom opens and ends questions in the room as the
 * lesson does, and sends every page the new frame. Answers are judged by the lesson's question,
 * here and not on the student's device, so that the page does not have them.
 */
#ifndef SHFLVIZ_SESSION_CLASSROOM_H
#define SHFLVIZ_SESSION_CLASSROOM_H

#include "base/error.h"
#include "teach/player.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stddef.h>

struct classroom_wish {
    const char *serve;   /* "[ADDRESS:]PORT"; NULL: there is no class */
    const char *proxy;   /* what students open, if a proxy is between; may be NULL */
    const char *collect; /* a file that answers are added to; NULL: they are forgotten */
    bool light;          /* the terminal's background */
    const char *page; /* what students get instead of the page of cells, borrowed; NULL: nothing */
    size_t page_size;
};

struct classroom;

/* Begins to serve. Fails as server_open() and serve_address_parse() do, and (ERROR_USAGE) if the
 * file cannot be written. */
int classroom_open(struct classroom **room, const struct classroom_wish *wish, struct error *err);
/* Ends it: -1, with err set, if what was collected could not be written. NULL is fine. */
int classroom_close(struct classroom *room, struct error *err);

/* The lesson has moved, or another one is open; NULL: none is. The player is borrowed until the
 * next call. */
void classroom_tell(struct classroom *room, const struct player *player);

/* True if the key was for a page of the class: ACTION_CLASS shows one, CLASS_EMPTY_KEY twice on how
 * to get in empties the room, any other key closes it. */
bool classroom_key(struct classroom *room, struct press press);
/* Whether it would. */
bool classroom_takes(const struct classroom *room, struct press press);
/* Whether a page of the class is before the lesson. */
bool classroom_covers(const struct classroom *room);
/* Draws that page, or draws the row below the lesson: rows for the lesson, at the top, are left. */
void classroom_draw(const struct classroom *room, struct grid *grid);
#define CLASSROOM_ROWS 1

/* As of a screen's program (term/screen.h). */
size_t classroom_descriptors(const struct classroom *room, int *descriptors, size_t most);
long classroom_wait(const struct classroom *room);
/* Does what there is to do; true if something that can be seen changed. */
bool classroom_run(struct classroom *room);

#endif
