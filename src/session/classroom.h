/*
 * classroom.h - a presentation to a class that answers: the room, its server, and the teacher's
 * view of both.
 *
 * The presenter reports each change; the classroom opens and ends questions in the room as the
 * lesson does, and sends every page the new frame. Answers are judged by the lesson's question,
 * here and not on the student's device, so that the page need not contain the right one.
 */
#ifndef SHFLVIZ_SESSION_CLASSROOM_H
#define SHFLVIZ_SESSION_CLASSROOM_H

#include "base/error.h"
#include "teach/player.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stddef.h>

struct classroom_options {
    const char *serve;   /* "[ADDRESS:]PORT"; NULL if there is no class */
    const char *proxy;   /* the address for students if they come through a proxy; may be NULL */
    const char *collect; /* a file to which answers are appended; NULL if they are not kept */
    bool light;          /* the terminal's background */
    const char *page; /* a page for students instead of the page of cells, borrowed; may be NULL */
    size_t page_size;
};

struct classroom;

/* Begins to serve. Fails like server_open() and serve_address_parse(), and (ERROR_USAGE) if the
 * file cannot be written. */
int classroom_open(struct classroom **room, const struct classroom_options *opts,
                   struct error *err);
/* Ends it: -1, with err set, if the collected answers could not be written. NULL is fine. */
int classroom_close(struct classroom *room, struct error *err);

/* The lesson has moved, or another one is open; NULL if none is. The player is borrowed until the
 * next call. */
void classroom_update(struct classroom *room, const struct player *player);

/* True if the key was for a page of the class: ACTION_CLASS shows one; CLASS_EMPTY_KEY, pressed
 * twice on the page for joining, empties the room; any other key closes the page. */
bool classroom_key(struct classroom *room, struct press press);
/* True if it would take the key. */
bool classroom_takes(const struct classroom *room, struct press press);
/* True if a page of the class covers the lesson. */
bool classroom_covers(const struct classroom *room);
/* Draws that page, or only the row below the lesson; the rows above it are left to the lesson. */
void classroom_draw(const struct classroom *room, struct grid *grid);
#define CLASSROOM_ROWS 1

/* As in a screen's program (term/screen.h). */
size_t classroom_descriptors(const struct classroom *room, int *descriptors, size_t most);
long classroom_wait(const struct classroom *room);
/* Does the pending work; true if anything visible changed. */
bool classroom_run(struct classroom *room);

#endif
