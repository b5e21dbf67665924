/*
 * view.h - drawing a moment of a replay into a grid of cells.
 *
 * Pure: the same replay and size give the same cells. 80x24 shows all 32 lanes without scrolling;
 * 120x40 and above put several views side by side; below 60x20 one clear line says what is needed.
 */
#ifndef SHFLVIZ_VIEW_VIEW_H
#define SHFLVIZ_VIEW_VIEW_H

#include "replay/pages/comparison.h"
#include "replay/pages/fragment_page.h"
#include "replay/pages/overview.h"
#include "replay/pages/which_page.h"
#include "replay/replay.h"
#include "teach/catalog.h"
#include "teach/player.h"
#include "teach/quiz.h"
#include "teach/workbench.h"
#include "teach/worklist.h"
#include "view/grid.h"

#define VIEW_MIN_COLUMNS 60
#define VIEW_MIN_ROWS    20

/* The whole screen of the program, into all of the grid. */
void view_draw(struct grid *grid, const struct replay *replay);

/*
 * A lesson: the picture, and beside it what is said and asked. At 80x24 the picture has all 32
 * lanes; where a view needs the width (source) the text is below it. Before a class
 * (player->presenting) nothing but the picture and the line being spoken of. Draws the help, the
 * black screen and, after the last beat, what was right and what comes next, too.
 */
void view_draw_player(struct grid *grid, const struct player *player);

/* Whether all that is said now is on a screen of this size without scrolling. */
bool view_player_fits(const struct player *player, int columns, int rows);

/* The speaker's notes: what to say, the line spoken of, what comes next, the time that passed. */
void view_draw_notes(struct grid *grid, const struct player *player, long milliseconds);

/* The list of lessons: chapters, how far the learner is, what the selected one is about. */
void view_draw_catalog(struct grid *grid, const struct catalog *catalog);

/* The list of exercises, and what the selected one is about. */
void view_draw_worklist(struct grid *grid, const struct worklist *list);

/* What there is to do, and shuffles that move; a call that is typed, NULL: none is. */
void view_draw_start(struct grid *grid, const struct worklist *list, const struct replay *replay,
                     const char *typed);

/* An exercise: the last verdict, the task, the hints that are open. */
void view_draw_workbench(struct grid *grid, const struct workbench *bench);
/* The replay of what is wrong, under a line that says what is wanted. */
void view_draw_wrong(struct grid *grid, const struct replay *replay, const char *what);

/* What is wrong with a lesson that is being written, line by line as `lesson check` has it;
 * `playable` if it can be looked at all the same. */
void view_draw_faults(struct grid *grid, const char *path, const char *faults, size_t count,
                      bool playable, int scroll);

/* A quiz: the picture, the score, the question. */
void view_draw_quiz(struct grid *grid, const struct quiz *quiz);

/* A recording as a whole; `replay` is of the same one. */
void view_draw_overview(struct grid *grid, const struct overview *overview,
                        const struct replay *replay);
/* The same as text: all lists, the launches cut. Sizes the grid; it is `columns` wide, and more
 * where a list needs it. */
void view_draw_overview_table(struct grid *grid, const struct census *census, int columns);

/* Something to be said over the last row of a screen that has been drawn. */
void view_draw_notice(struct grid *grid, const char *text);

/* Two recordings side by side, of which one difference at least is listed. */
void view_draw_comparison(struct grid *grid, const struct comparison *comparison);

/* Two settings side by side, at the place of the replay: on the left that of another recording of
 * the same kind. `names` are the commands. */
void view_draw_beside(struct grid *grid, const struct replay *replay, const struct trace *left,
                      const char *const names[2]);

/* The calls that give what was wished for, to choose from. */
void view_draw_which(struct grid *grid, const struct which_page *page);
/* All of them as text; sizes the grid, at least `columns` wide. */
void view_draw_which_table(struct grid *grid, const struct which *which,
                           const struct which_wish *wish, int columns);

/* Which lane holds which element of an instruction's matrices. */
void view_draw_fragments(struct grid *grid, const struct fragment_page *page);
/* The same as text or for paper, with a lane lit, or none (-1); sizes the grid, at least `columns`
 * wide. */
void view_draw_fragments_table(struct grid *grid, const struct fragments *fragments, int lane,
                               int columns);

/* A picture for paper. */
struct figure_wish {
    enum view_kind view; /* one that the step has */
    int columns, rows;   /* cells that the picture may take; 0: as many as it needs */
    bool marks_lane;     /* the selected lane stands out */
};

/* Whether the step that is looked at has this view: not all have a source, or rounds. */
bool view_applies(const struct replay *replay, enum view_kind view);

/*
 * A heading, the call, the picture and, below it, what its signs mean and what is wrong. The grid
 * keeps wires as strokes (grid->vector); it is sized here, with blank edges that the caller cuts
 * off. Undefined values are "?".
 */
void view_draw_figure(struct grid *grid, const struct replay *replay,
                      const struct figure_wish *wish);
/* The columns and rows that it takes for its picture if the wish has none; 0 if there is nothing.
 */
void view_figure_size(const struct replay *replay, enum view_kind view, int *columns, int *rows);

/*
 * One operation as a table for `--format text`, whatever the phase: a heading, the call, a blank
 * line, column headings, 32 lanes (lane, group, in, formula, the lane read, status, out), and below
 * them findings and what is to be known about the recording. Sizes the grid itself: at least
 * `columns` wide, wider where the table or the call needs it. Undefined values are "?".
 */
void view_draw_table(struct grid *grid, const struct replay *replay, int columns);

/* The picture alone, as it is now, on paper: a heading and the call, then lanes, history or source,
 * whichever is looked at. What an open question hides stays hidden. Sizes the grid itself. */
void view_draw_picture(struct grid *grid, const struct replay *replay, int columns);

#endif
