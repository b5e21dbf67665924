/*
 * classroom.h - what a teacher sees of a class that answers.
 */
#ifndef SHFLVIZ_VIEW_CLASSROOM_H
#define SHFLVIZ_VIEW_CLASSROOM_H

#include "teach/player.h"
#include "teach/room.h"
#include "view/grid.h"

struct class_view {
    const struct room *room;
    const struct player *player;  /* NULL: no lesson is open */
    const char *url, *code, *key; /* key: which leads to the pages */
    int qr_width;                 /* modules on a side of the address as a QR code; 0: none */
    const unsigned char *qr;      /* qr_width * qr_width, row by row: whether the module is black */
    /* What happened in the last minute; 0: nothing to tell. */
    unsigned came, turned_away, guesses;
    bool empties; /* the key that empties the room was pressed, and is to be pressed once more */
    bool local;   /* only this machine can open the address */
    bool light;   /* the terminal's background */
};

#define CLASS_EMPTY_KEY "E" /* on the page of how to get in: all leave, and the code changes */

/* How students get in: the address, the code, who is here. All of the grid. */
void view_draw_class_door(struct grid *grid, const struct class_view *view);
/* How the answers fall, with the belief behind each. All of the grid. */
void view_draw_class_answers(struct grid *grid, const struct class_view *view);
/* One row below a lesson: the address, who is here, who has answered. */
void view_draw_class_line(struct area row, const struct class_view *view);

#endif
