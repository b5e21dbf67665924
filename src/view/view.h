/*
 * view.h - drawing a moment of a replay into a grid of cells.
 *
 * Drawing is a pure function: the same replay and size give the same cells. 80x24 shows all 32
 * lanes without scrolling; 120x40 and above put several views side by side; below 60x20 one clear
 * line states the required size.
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
 * A lesson: the picture, and beside it the text and the question. At 80x24 the picture has all 32
 * lanes; if a view needs the width (source), the text is below it. In front of a class
 * (player->presenting), only the picture and the current line of the narration. Also draws the
 * help, the black screen and, after the last beat, the results and what comes next.
 */
void view_draw_player(struct grid *grid, const struct player *player);

/* True if the current text fits a screen of this size without scrolling. */
bool view_player_fits(const struct player *player, int columns, int rows);

/* The speaker's notes: the text, its current line, what comes next, the elapsed time. */
void view_draw_notes(struct grid *grid, const struct player *player, long milliseconds);

/* The list of lessons: chapters, the learner's progress, a description of the selected lesson. */
void view_draw_catalog(struct grid *grid, const struct catalog *catalog);

/* The list of exercises, and a description of the selected one. */
void view_draw_worklist(struct grid *grid, const struct worklist *list);

/* The start list, and animated shuffles; `typed` is the call being typed, or NULL. */
void view_draw_start(struct grid *grid, const struct worklist *list, const struct replay *replay,
                     const char *typed);

/* An exercise: the last verdict, the task, the hints that are open. */
void view_draw_workbench(struct grid *grid, const struct workbench *bench);
/* The replay of the failure, under a line with the expected result. */
void view_draw_wrong(struct grid *grid, const struct replay *replay, const char *what);

/* The errors of a lesson that is being written, line by line as in `lesson check`; `playable` if it
 * can be played in spite of them. */
void view_draw_faults(struct grid *grid, const char *path, const char *faults, size_t count,
                      bool playable, int scroll);

/* A quiz: the picture, the score, the question. */
void view_draw_quiz(struct grid *grid, const struct quiz *quiz);

/* A recording as a whole; `replay` shows the same recording. */
void view_draw_overview(struct grid *grid, const struct overview *overview,
                        const struct replay *replay);
/* The same as text: all lists, with a limited number of launches. Sizes the grid; it is `columns`
 * wide, and more if a list needs it. */
void view_draw_overview_table(struct grid *grid, const struct census *census, int columns);

/* Draws a message over the last row of a screen that has been drawn. */
void view_draw_notice(struct grid *grid, const char *text);

/* The state of a launch's block at its end, as text. Sizes the grid, at least `columns` wide. */
void view_draw_block_table(struct grid *grid, const struct trace *trace, uint32_t launch,
                           uint64_t number, int columns);

/* Two recordings side by side, with at least one difference listed. */
void view_draw_comparison(struct grid *grid, const struct comparison *comparison);

/* Two settings side by side, at the replay's position: on the left is another recording, of the
 * same kind. `names` are the commands. */
void view_draw_beside(struct grid *grid, const struct replay *replay, const struct trace *left,
                      const char *const names[2]);

/* The calls that give the requested values, to choose from. */
void view_draw_which(struct grid *grid, const struct which_page *page);
/* All of them as text; sizes the grid, at least `columns` wide. */
void view_draw_which_table(struct grid *grid, const struct which *which,
                           const struct which_request *opts, int columns);

/* Which lane holds which element of an instruction's matrices. */
void view_draw_fragments(struct grid *grid, const struct fragment_page *page);
/* The same as text or for paper, without the cursor, with a lane lit, or none (-1); sizes the grid,
 * at least `columns` wide. */
void view_draw_fragments_table(struct grid *grid, const struct fragment_page *page, int lane,
                               int columns);

/* A picture for paper. */
struct figure_options {
    enum view_kind view; /* a view that the step has */
    int columns, rows;   /* cells that the picture may take; 0 for as many as it needs */
    bool marks_lane;     /* highlights the selected lane */
};

/* True if the current step has this view: not every step has a source, or rounds. */
bool view_applies(const struct replay *replay, enum view_kind view);

/*
 * A heading, the call, the picture and, below it, the meaning of its signs and the findings. The
 * grid keeps wires as strokes (grid->vector); it is sized here, with blank edges that the caller
 * cuts off. Undefined values are "?".
 */
void view_draw_figure(struct grid *grid, const struct replay *replay,
                      const struct figure_options *opts);
/* The default columns and rows of the picture; 0 if there is nothing to show. */
void view_figure_size(const struct replay *replay, enum view_kind view, int *columns, int *rows);

/*
 * One operation as a table for `--format text`, whatever the phase: a heading, the call, a blank
 * line, column headings, 32 lanes (lane, group, in, formula, the lane read, status, out), and
 * below them findings and notes about the recording. Sizes the grid itself: at least `columns`
 * wide, wider where the table or the call needs it. Undefined values are "?".
 */
void view_draw_table(struct grid *grid, const struct replay *replay, int columns);

/* The picture alone, as it is now, on paper: a heading and the call, then lanes, history or
 * source, whichever is shown. Parts hidden by an open question stay hidden. Sizes the grid
 * itself. */
void view_draw_picture(struct grid *grid, const struct replay *replay, int columns);

#endif
