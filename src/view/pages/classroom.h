/* classroom.h - a teacher's view of a class that answers. */
#ifndef SHFLVIZ_VIEW_CLASSROOM_H
#define SHFLVIZ_VIEW_CLASSROOM_H

#include "teach/player.h"
#include "teach/room.h"
#include "view/grid.h"

struct class_view {
    const struct room *room;
    const struct player *player;  /* NULL if no lesson is open */
    const char *url, *code, *key; /* the key that leads to the pages */
    int qr_width;                 /* modules on a side of the address's QR code; 0 for none */
    const unsigned char *qr;      /* qr_width * qr_width, row by row: true if the module is black */
    /* Events of the last minute; 0 if there were none. */
    unsigned came, turned_away, guesses;
    bool empties; /* the key that removes all students was pressed, and must be pressed once more */
    bool local;   /* only this machine can open the address */
    bool light;   /* the terminal's background */
};

/* On the page for joining: removes all students and changes the code. */
#define CLASS_EMPTY_KEY "E"

/* Draws the page for joining, on all of the grid: the address, the code, the students. */
void view_draw_class_join(struct grid *grid, const struct class_view *view);
/* Draws the distribution of answers, with the belief behind each, on all of the grid. */
void view_draw_class_answers(struct grid *grid, const struct class_view *view);
/* Draws the row below a lesson: the address, the numbers of students and of answers. */
void view_draw_class_line(struct area row, const struct class_view *view);

#endif
