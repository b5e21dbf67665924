/*
 * stage.h - the screen of a lesson and of a quiz: a picture of the replay and a text beside it.
 * For src/view only.
 */
#ifndef SHFLVIZ_VIEW_STAGE_H
#define SHFLVIZ_VIEW_STAGE_H

#include "teach/player.h"
#include "view/flow.h"
#include "view/moment.h"

/* The division of a screen. */
struct stage {
    struct area title, bar, picture, text, foot; /* `bar` has no rows on a short screen */
    bool below; /* the text is under the picture, below a rule; else to its right */
};

/* `code`: the picture's text is about code, whose lines are long. `wires`: the picture is wires,
 * and the text is short enough to go below them. */
struct stage stage_of(struct area area, enum view_kind view, bool code, bool wires);
/* The same for a picture that needs that many columns, if the rest is enough for the text. */
struct stage stage_of_least_width(struct area area, enum view_kind view, bool code, bool wires,
                                  int least);
/* The rule between picture and text. */
void stage_draw_rule(const struct stage *stage);
/* The picture with its heading, phases and sentence, as far as there is room. */
void stage_draw_picture(struct area area, const struct moment *moment);
/* Writes the call and its arguments to the buffer; if they are too long, with fewer blanks and
 * without the type. */
void stage_heading(const struct moment *moment, int columns, char *buffer, size_t size);
/* Draws the matrix that a lesson shows, below its instruction, over the whole area. Returns false
 * if it shows none, or the step has none of that name. stage_matrix_columns() returns the columns
 * that the matrix needs, or 0 if there is none. */
bool stage_draw_matrix(struct area area, const struct moment *moment);
int stage_matrix_columns(const struct replay *replay);
/* The keys that scroll, if the text has lines above or below the visible ones. */
void stage_draw_more(const struct stage *stage, int lines, int skip);

/* The text of a lesson's moment, in one column. */
struct panel {
    int gap;        /* blank lines between paragraphs */
    bool narration; /* left out if a later text needs the room */
};
/* Chooses the most spacious layout that fits in `rows` lines of `columns`, else the tightest.
 * Returns its number of lines. */
int panel_fit(const struct player *player, int columns, int rows, struct panel *panel);
void panel_flow(struct flow *flow, const struct player *player, struct panel panel);

/* The right answer in words, or "" where there is none. */
const char *flow_right_answer(const struct replay *replay, const struct question *question,
                              char buffer[ANSWER_TEXT]);
/* The verdict on the answer ("" if there was none; partly right answers are named as such), and the
 * right answer ("" if it must not be revealed). */
void flow_verdict(struct flow *flow, bool right, const char *typed, bool is_part,
                  const char *answer);

/* The parts of a player's screen that are screens of their own. */
void draw_presentation(struct area area, const struct player *player);
bool presentation_fits(const struct player *player, int columns, int rows);
void draw_finished(struct area area, const struct player *player);
void draw_player_foot(struct area area, const struct player *player);

#endif
