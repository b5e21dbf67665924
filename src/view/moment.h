/*
 * moment.h - the content of one frame: the replay's moment, decoded once into words and numbers,
 * and the views that draw it. For src/view only.
 *
 * A moment also limits what may be shown: the phase is `before` while a prediction is
 * asked for, and value texts of lanes whose result is undefined are "?", so that no view can print
 * one as a value.
 */
#ifndef SHFLVIZ_VIEW_MOMENT_H
#define SHFLVIZ_VIEW_MOMENT_H

#include "explain/findings/finding.h"
#include "explain/shared.h"
#include "replay/replay.h"
#include "view/grid.h"

#include <string.h>

/* The picture in the view `wires`. */
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
    bool asked;    /* a prediction is asked for: nothing may reveal the answer */
    unsigned hide; /* enum replay_hidden */
    bool ghosts;   /* wires may be shown faintly beforehand, because no question asks about them */
    bool spread;   /* in front of a class: space between the lanes */
    bool unmarked; /* on paper: no lane is highlighted unless requested */
    uint32_t present; /* lanes whose call may be shown */
    bool has_groups;  /* lanes are grouped: by width, or in a match by value, once that may be shown
                       */
    char in[WARP_LANES][WARP_VALUE_TEXT];
    char out[WARP_LANES][WARP_VALUE_TEXT]; /* "?" where undefined, "" where absent */
    char formula[WARP_LANES][24];          /* for a vote the bit of the predicate */
    int group[WARP_LANES];                 /* -1 if the width, or a match's result, is undefined */
    int in_columns, out_columns, formula_columns;
    struct shared_variable variable; /* for an access to shared memory: the lowest lane's */
    uint32_t changed;                /* lanes whose value this operation changed */
    struct warp_finding findings[WARP_FINDINGS_MAX];
    int finding_count;
};

/* False if the replay has no step to show: then `operation` and `site` are NULL. */
bool moment_init(struct moment *moment, const struct replay *replay);

bool moment_present(const struct moment *moment, int lane);
/* True if the lane is the highlighted one. */
bool moment_selects(const struct moment *moment, int lane);

/* True for the parts that may be shown at this phase, with these parts hidden. */
bool moment_shows_address(const struct moment *moment); /* formulas, and the lanes that they name */
bool moment_shows_reads(const struct moment *moment);   /* the lane really read, or own, or ? */
bool moment_shows_out(const struct moment *moment);
bool moment_shows_changed(const struct moment *moment);

/* The sign for a lane's part in an answer: marked; once judged, correctly marked, wrongly marked,
 * or missing. 0 for no sign. */
uint32_t moment_mark(const struct moment *moment, int lane, struct style *style);
/* The style of a lane's number: reversed if the lesson points at it. */
struct style moment_number_style(const struct moment *moment, int lane);
/* The style of a lane's cells: its group's, plain without a group, or that of absent lanes. */
struct style moment_lane_style(const struct moment *moment, int lane);
/* The same for the name of its group, which is undefined with an undefined width. */
struct style moment_group_style(const struct moment *moment, int lane);
/* The letter of its group; a blank if it has none. */
char moment_letter(const struct moment *moment, int lane);
/* The style of a lane's result: that of the lane it came from, or the one for own or undefined
 * values. */
struct style moment_out_style(const struct moment *moment, int lane);

/* "xor  laneMask 3  width 16  int"; arguments that differ between lanes are described as such. */
void moment_heading(const struct moment *moment, char *buffer, size_t size);
/* "emulated on the CPU warp", "measured on NVIDIA H200" */
void moment_device(const struct replay *replay, char *buffer, size_t size);
/* The same for a lesson with a measured recording: a device's result looks like the rules' result.
 * Names the device or, in few columns, only says "measured"; "" if neither fits, or for an
 * emulated recording. */
void moment_measured(const struct replay *replay, int columns, char *buffer, size_t size);
/* "! RULE: what is wrong", in one sentence. */
#define MOMENT_FINDING_TEXT (EXPLAIN_FINDING_TEXT + 64)
char *moment_finding(const struct moment *moment, const struct warp_finding *finding,
                     char buffer[MOMENT_FINDING_TEXT]);
/* "read", "own", "undefined", "absent" in the language in use. */
const char *moment_status(const struct moment *moment, int lane);
/* Everything about a lane at this phase, full values included. */
void moment_sentence(const struct moment *moment, int lane, char *buffer, size_t size);
/* As much of that as fits in `rows` lines of `columns`. */
void moment_sentence_fit(const struct moment *moment, int lane, int columns, int rows, char *buffer,
                         size_t size);
/* The finding that concerns the lane, or the first: its message if that fits, else the lanes and
 * the rule. "" if there is none. */
void moment_finding_fit(const struct moment *moment, int lane, int columns, int rows, char *buffer,
                        size_t size);
/* Facts about the recording itself, such as that it ends early or that steps were dropped. "" if
 * there are none. */
void moment_recording_note(const struct replay *replay, char *buffer, size_t size);
/* The heading of the formula column: "lane^laneMask", or "lane^3" in few columns; "bit" for a
   vote. */
char *moment_formula_label(const struct moment *moment, int columns, char *buffer, size_t size);

/* Draws a value at the right end of `columns` cells; a value that is too long is shortened with "…"
 * in it. */
void draw_value(struct area area, int x, int y, int columns, const char *value, struct style style);
/* Draws a formula from x on; if it is too long, only its end, with the result: "…%16=1". */
void draw_formula(struct area area, int x, int y, int columns, const char *formula,
                  struct style style);

/* The views. Each draws into all of its area, and fits it or shows "…". */
struct view {
    const char *name;
    void (*draw)(struct area area, const struct moment *moment);
};
const struct view *view_of(enum view_kind kind);
/* Its name in the language in use; that of the wires depends on the picture: "bits" for a vote,
 * "groups" for a match, "arithmetic" for a reduction, "waits" if lanes wait. */
const char *view_label(const struct moment *moment, enum view_kind kind);

void draw_lanes(struct area area, const struct moment *moment);
void draw_wires(struct area area, const struct moment *moment);
void draw_history(struct area area, const struct moment *moment);
void draw_source(struct area area, const struct moment *moment);
void draw_explain(struct area area, const struct moment *moment);
void draw_rounds(struct area area, const struct moment *moment);
void draw_variables(struct area area, const struct moment *moment);
void draw_block(struct area area, const struct moment *moment);
/* The number of rows that the view of a block takes. */
int block_rows(const struct replay *replay);
/* In the view of a block: the elements that the selected lane takes. False if none are known. */
bool block_sentence(const struct moment *moment, char *buffer, size_t size);
/* "^16" for an xor, the variable for a watched value, else the operation's name. */
#define OPERATION_LABEL 64
const char *operation_label(const struct warp_operation *operation, const char *call,
                            char label[OPERATION_LABEL]);
/* In the view of variables: the line's effect on the selected lane's variables. True if there is
 * nothing else to report, because the line performs no operation. */
bool variables_sentence(const struct moment *moment, char *buffer, size_t size);
/* Draws the origins of values instead of the view; false if nobody asked for them. */
bool draw_whose(struct area area, const struct moment *moment);
/* A sentence about the first line at which a result goes wrong; false if there is none. */
bool whose_miscount_sentence(const struct moment *moment, struct text *text);
bool whose_sentence(const struct moment *moment, char *buffer, size_t size);
/* Draws a text around one of its lines, which is lit. */
void draw_code_around(struct area area, const char *source, uint32_t line);
/* True if the name's first word, "sum" or the p of "p.key", is a word of this line of the text. */
bool source_line_names(const char *source, uint32_t line, const char *name);
/* The columns that the history needs for whole values of all operations, at most COLUMNS_MAX. */
int history_natural_columns(const struct moment *moment);
/* The columns that a source's longest line takes with a line number; 0 for NULL. */
int source_columns(const char *source);
/* The source's number of lines, 0 without a source; *columns gets the width of the longest. */
int source_lines(const struct moment *moment, int *columns);
/* Draws the keys of a screen, from the table, and the meaning of its signs. */
void draw_help(struct area area, enum action_mode mode);

/* True if the recording has the source of the call, and it may be shown. */
bool moment_has_source(const struct moment *moment);
/* The line of the current call, from the source or as the recording's site has it, in one row. */
void draw_call_line(struct area area, const struct moment *moment);

/* Draws the views into the body of the screen; true if a screen of this width has the explanation
 * among them. */
bool layout_has_explanation(const struct replay *replay, int columns);
void layout_draw(struct area area, const struct moment *moment);
/* The same for a part of a screen that has its own text, with fewer views. */
void layout_draw_alone(struct area area, const struct moment *moment);

/* Parts of a screen that all kinds of screens have (view.c). */
struct area row_of(struct area area, int y);
/* Rules: over all columns of a row, and over all rows of a column. */
void draw_rule(struct area area, int y);
void draw_divider(struct area area, int x);
/* Draws a text that ends before column `end`; returns the column where it begins. */
int draw_right_aligned(struct area area, int end, int y, const char *text, struct style style);
/* Draws the typed text after its label, with a cursor, and then a hint, if there is room. */
void draw_typing(struct area area, const char *label, const char *typed, const char *hint,
                 enum style_role hint_role);
/* Clears the grid for a screen. False if something else was drawn instead: a note that the terminal
 * is too small, or the help of `mode`, if it is open. */
bool screen_prepare(struct grid *grid, int columns, int rows, bool help, enum action_mode mode);
/* The cells that the names of the phases take, with a blank on either side. */
int phases_columns(void);
/* Draws the phases; returns the cell after the last. */
int draw_phases(struct area area, const struct moment *moment);
/* Draws the caption of the phase, from x on, if `reserved` cells remain after it. Returns the cell
 * after it, or x if there is no room. */
int draw_phase_caption(struct area area, const struct moment *moment, int x, int reserved);
void draw_damage(struct area area, const struct replay *replay);
/* The prompt for an answer or a search, with the allowed input. */
void draw_prompt(struct area area, const struct replay *replay);
/* The last row of a replay: the prompt, a message, or the keys. */
void draw_replay_foot(struct area area, const struct replay *replay);
/* The command that makes the scene, if it can be changed; else "". */
const char *live_command(const struct replay *replay);
/* The same once it has been changed: for a lesson, whose title names the original. */
const char *live_changed_command(const struct replay *replay);
/* The prompt, marks or confirmation about a change; false if there is none. */
bool draw_live_prompt(struct area area, const struct replay *replay);
/* Draws the reason why a change was refused over the lowest rows of the area. */
void draw_complaint(struct area area, const struct replay *replay);
/* Draws the meaning of the signs over the lowest rows, if replays are new to the user. */
void draw_legend(struct area area, const struct replay *replay);
/* "→" for "Right". */
const char *key_label(const char *key, bool ascii);
/* Draws the last row of a screen: as many of its keys, from the table, as there is room for. Those
 * for help and leaving are at the right end; those that mean nothing for the open question are left
 * out. */
void draw_keys(struct area area, enum action_mode mode, const struct replay *replay);
/* The same, without the keys in `idle`, which mean nothing at the moment. */
void draw_keys_except(struct area area, enum action_mode mode, const struct replay *replay,
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
