/*
 * moment.h - what one frame shows: the replay's moment, decoded once into words and numbers, and
 * the views that draw it. For src/view alone.
 *
 * A moment tells what may be shown, too: the phase is `before` while a prediction is asked, and
 * value texts of lanes whose result is undefined are "?", so that no view can print one as a value.
 */
#ifndef SHFLVIZ_VIEW_MOMENT_H
#define SHFLVIZ_VIEW_MOMENT_H

#include "explain/findings/finding.h"
#include "explain/shared.h"
#include "replay/replay.h"
#include "view/grid.h"

#include <string.h>

/* What the view `wires` draws. */
enum picture {
    PICTURE_WIRES,
    PICTURE_BITS,
    PICTURE_GROUPS,
    PICTURE_ARITHMETIC,
    PICTURE_WAITS, /* a barrier */
    PICTURE_STOP,  /* where the run stopped */
    PICTURE_MEMORY,
};

struct moment {
    const struct replay *replay;
    const struct warp_operation *operation;
    const struct lane_outcome *outcome;
    const struct warp_op_info *info;
    const struct trace_site *site; /* NULL if unknown */
    enum phase phase;
    enum picture picture;
    bool asked;       /* a prediction is asked: nothing may give the answer away */
    unsigned hide;    /* enum replay_hidden */
    bool ghosts;      /* wires are hinted at before they are: nobody asks about them */
    bool spread;      /* before a class: air between the lanes */
    bool unmarked;    /* on paper: no lane stands out unless one was asked for */
    uint32_t present; /* lanes that may be seen to make the call */
    bool has_groups;  /* lanes are in groups: by width, or of a match by value once it is shown */
    char in[WARP_LANES][WARP_VALUE_TEXT];
    char out[WARP_LANES][WARP_VALUE_TEXT]; /* "?" where undefined, "" where absent */
    char formula[WARP_LANES][24];          /* of a vote the bit that the predicate is */
    int group[WARP_LANES]; /* -1 where the width, or what a match gives, is undefined */
    int in_columns, out_columns, formula_columns;
    struct shared_variable variable; /* of an access to shared memory: the lowest lane's */
    uint32_t changed;                /* lanes whose value this operation changed */
    struct warp_finding findings[WARP_FINDINGS_MAX];
    int finding_count;
};

/* False if the replay has no step to show: then `operation` and `site` are NULL. */
bool moment_init(struct moment *moment, const struct replay *replay);

bool moment_present(const struct moment *moment, int lane);
/* Whether the lane is the one that stands out. */
bool moment_selects(const struct moment *moment, int lane);

/* What may be seen, by the phase and by what is hidden. */
bool moment_shows_address(const struct moment *moment); /* formulas, the lane they name */
bool moment_shows_reads(const struct moment *moment);   /* the lane really read, or own, or ? */
bool moment_shows_out(const struct moment *moment);
bool moment_shows_changed(const struct moment *moment);

/* The sign for a lane's part in an answer: marked; once judged, marked rightly, wrongly, or not
 * although it belongs there. 0 for none. */
uint32_t moment_mark(const struct moment *moment, int lane, struct style *style);
/* The style of a lane's number: reversed where the lesson points at it. */
struct style moment_number_style(const struct moment *moment, int lane);
/* The style of what belongs to a lane: its group's, plain if it has none, or absent. */
struct style moment_lane_style(const struct moment *moment, int lane);
/* The same for the name of its group, which an undefined width leaves undefined. */
struct style moment_group_style(const struct moment *moment, int lane);
/* The letter of its group; a blank if it has none. */
char moment_letter(const struct moment *moment, int lane);
/* The style of what a lane got: that of the lane it came from, own or undefined. */
struct style moment_out_style(const struct moment *moment, int lane);

/* "xor  laneMask 3  width 16  int"; arguments that differ between lanes are said to. */
void moment_heading(const struct moment *moment, char *buffer, size_t size);
/* "emulated on the CPU warp", "measured on NVIDIA H200" */
void moment_device(const struct replay *replay, char *buffer, size_t size);
/* The same of what was measured, for a lesson: what a device did looks like what the rules say.
 * With the device's name or in one word, as `columns` allow; "" if not at all, or if emulated. */
void moment_measured(const struct replay *replay, int columns, char *buffer, size_t size);
/* "! RULE: what is wrong", in one sentence. */
#define MOMENT_FINDING_TEXT (EXPLAIN_FINDING_TEXT + 64)
char *moment_finding(const struct moment *moment, const struct warp_finding *finding,
                     char buffer[MOMENT_FINDING_TEXT]);
/* "read", "own", "undefined", "absent" in the language in use. */
const char *moment_status(const struct moment *moment, int lane);
/* Everything to be said about a lane at this phase, full values included. */
void moment_sentence(const struct moment *moment, int lane, char *buffer, size_t size);
/* The most of it that fits `rows` lines of `columns`. */
void moment_sentence_fit(const struct moment *moment, int lane, int columns, int rows, char *buffer,
                         size_t size);
/* The finding that concerns the lane, or the first: the message where it fits, else which lanes
 * break which rule. "" if there is none. */
void moment_finding_fit(const struct moment *moment, int lane, int columns, int rows, char *buffer,
                        size_t size);
/* What has to be known about the recording itself: that it ends early, that steps were dropped.
 * "" if nothing. */
void moment_recording_note(const struct replay *replay, char *buffer, size_t size);
/* The heading of the formula column: "lane^laneMask", or "lane^3" in few columns; "bit" of a vote.
 */
char *moment_formula_label(const struct moment *moment, int columns, char *buffer, size_t size);

/* A value at the right end of `columns` cells; one that is too long is shortened with "…" in it. */
void draw_value(struct area area, int x, int y, int columns, const char *value, struct style style);
/* A formula from x on; of one that is too long the end with the result is kept: "…%16=1". */
void draw_formula(struct area area, int x, int y, int columns, const char *formula,
                  struct style style);

/* The views. Each draws into all of its area, and fits it or says with "…" that it does not. */
struct view {
    const char *name;
    void (*draw)(struct area area, const struct moment *moment);
};
const struct view *view_of(enum view_kind kind);
/* Its name in the language in use; that of the wires by what they show: "bits" of a vote, "groups"
 * of a match, "arithmetic" of a reduction, "waits" where lanes do. */
const char *view_label(const struct moment *moment, enum view_kind kind);

void draw_lanes(struct area area, const struct moment *moment);
void draw_wires(struct area area, const struct moment *moment);
void draw_history(struct area area, const struct moment *moment);
void draw_source(struct area area, const struct moment *moment);
void draw_explain(struct area area, const struct moment *moment);
void draw_rounds(struct area area, const struct moment *moment);
void draw_variables(struct area area, const struct moment *moment);
/* In the view of variables: what the line did to those of the selected lane. True if there is
 * nothing else to say: the line makes no operation. */
bool variables_sentence(const struct moment *moment, char *buffer, size_t size);
/* In place of the view, what values are made of; false where nobody asks. */
bool draw_whose(struct area area, const struct moment *moment);
bool whose_sentence(const struct moment *moment, char *buffer, size_t size);
/* A text around one of its lines, which is lit. */
void draw_code_around(struct area area, const char *source, uint32_t line);
/* Columns in which the history shows whole values of all operations, as far as COLUMNS_MAX. */
int history_natural_columns(const struct moment *moment);
/* Lines of the source; 0 without one. Its longest line's columns. */
int source_lines(const struct moment *moment, int *columns);
/* The keys of a screen, from the table, and what its signs mean. */
void draw_help(struct area area, enum action_place place);

/* Whether the recording has the text that the call is in, and it may be seen. */
bool moment_has_source(const struct moment *moment);
/* The line of the current call, from the source or as the recording's site has it, in one row. */
void draw_call_line(struct area area, const struct moment *moment);

/* Puts the views into the body of the screen; whether the explanation is among them on a screen so
 * wide. */
bool layout_has_explanation(const struct replay *replay, int columns);
void layout_draw(struct area area, const struct moment *moment);
/* The same for a part of a screen that has a text of its own: less is drawn beside it. */
void layout_draw_alone(struct area area, const struct moment *moment);

/* Parts of a screen that every kind of screen has (view.c). */
struct area row_of(struct area area, int y);
/* A rule over all columns of a row, over all rows of a column. */
void draw_rule(struct area area, int y);
void draw_divider(struct area area, int x);
/* A text that ends before column `end`; returns where it begins. */
int draw_before(struct area area, int end, int y, const char *text, struct style style);
/* What is being typed behind its label, with a cursor; a hint behind that, if there is room. */
void draw_typing(struct area area, const char *label, const char *typed, const char *hint,
                 enum style_role hint_role);
/* Clears the grid for a screen. False where another takes its place: that the terminal is too
 * small, or the help of `place`, if it is open. */
bool screen_begins(struct grid *grid, int columns, int rows, bool help, enum action_place place);
/* Cells that the names of the phases take with a blank on either side. */
int phases_columns(void);
/* Returns the cell behind the last. */
int draw_phases(struct area area, const struct moment *moment);
/* Draws what happens in the phase, from x on, if `reserved` cells remain behind it. Returns the
 * cell behind it, or x if there is no room. */
int draw_phase_caption(struct area area, const struct moment *moment, int x, int reserved);
void draw_damage(struct area area, const struct replay *replay);
/* The prompt for an answer or for what to find, with what may be typed. */
void draw_prompt(struct area area, const struct replay *replay);
/* The last row of a replay: what is typed, said, or the keys. */
void draw_replay_foot(struct area area, const struct replay *replay);
/* The command that makes what is shown, if it can be changed; else "". */
const char *live_command(const struct replay *replay);
/* The same once it has been changed: where a lesson says what it shows. */
const char *live_changed_command(const struct replay *replay);
/* What is typed, marked or asked about what is changed; false if nothing is. */
bool draw_live_prompt(struct area area, const struct replay *replay);
/* Why a change was refused: over the lowest rows of the area. */
void draw_complaint(struct area area, const struct replay *replay);
/* What the signs mean, over the lowest rows, if the replay has not been looked at before. */
void draw_legend(struct area area, const struct replay *replay);
/* "→" for "Right". */
const char *key_label(const char *key, bool ascii);
/* The last row of a screen: what its keys do, from the table, help and leaving at the right end;
 * as many as there is room for, without those that mean nothing for the question that is open. */
void draw_keys(struct area area, enum action_place place, const struct replay *replay);
/* The same without those of `idle`, which mean nothing at the moment. */
void draw_keys_but(struct area area, enum action_place place, const struct replay *replay,
                   const enum action *idle, size_t idle_count);

static inline struct style style_role(enum style_role role) {
    return (struct style){(uint8_t)role, 0, 0};
}

static inline struct style style_bold(enum style_role role) {
    return (struct style){(uint8_t)role, 0, STYLE_BOLD};
}

static inline struct style style_with(struct style style, unsigned flags) {
    style.flags |= (uint8_t)flags;
    return style;
}

#endif
