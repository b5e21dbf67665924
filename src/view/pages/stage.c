/*
 *     lesson › beat                                        3/8
 *     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────
 *     xor  laneMask 1  width 32  int        │ The laneMask is 1.
 *     before › address › range › move       │ Write 5 in binary
 *     (the view)                            │ and flip the last
 *     lane 5: 5 ^ 1 = 4                     │ bit.
 *     keys
 *
 * A short screen has no bar; the 32 lanes come first.
 */
#include "view/pages/stage.h"

#include "base/message.h"

#include <stdio.h>
#include <string.h>

#define BAR_ROWS      24 /* from this height on, there is a row for the progress */
#define TEXT_LEAST    21 /* beside the picture */
#define TEXT_MOST     44
#define TEXT_BELOW    8   /* rows */
#define TEXT_LOW      6   /* its rows on a short screen */
#define LOW_ROWS      28  /* below this a screen is short */
#define BELOW_COLUMNS 70  /* from this width on, a picture above text has two columns per lane */
#define BELOW_ROWS    22  /* from this height on, it has room for its values */
#define WIDE_COLUMNS  118 /* from this width on, every view has room beside the text */
#define WIRES_LEAST   42  /* columns of the wires with one column per lane */
#define HISTORY_LEAST 56  /* columns of five rounds of a reduction, and the result */
#define TABLE_ROWS    17
#define PICTURE_LEAST 37 /* columns of the lanes, slim */
#define CODE_MOST     78

/* ---- division of the screen ---- */

static int text_width(int columns, enum view_kind view, bool code) {
    int text = columns / 3;
    if (code && columns >= 80)
        return columns - PICTURE_LEAST - 2 < CODE_MOST ? columns - PICTURE_LEAST - 2 : CODE_MOST;
    if (columns < 80)
        text = TEXT_LEAST + (columns - 60) * 9 / 20;
    else if (view == VIEW_HISTORY && columns < WIDE_COLUMNS)
        text = columns < 82 ? columns - HISTORY_LEAST - 2 : 24;
    else if (view == VIEW_WIRES && columns < 100)
        text = columns - WIRES_LEAST - 2;
    else if (text < 30)
        text = 30;
    return text > TEXT_MOST ? TEXT_MOST : text;
}

/* Source lines are long, and wires beside the text would have only one or two columns per lane. */
static bool goes_below(struct area area, enum view_kind view, bool wires) {
    if (area.columns >= WIDE_COLUMNS)
        return false;
    return view == VIEW_SOURCE ||
           (wires && area.columns >= BELOW_COLUMNS && area.rows >= BELOW_ROWS);
}

struct stage stage_of(struct area area, enum view_kind view, bool code, bool wires) {
    return stage_of_least_width(area, view, code, wires, 0);
}

struct stage stage_of_least_width(struct area area, enum view_kind view, bool code, bool wires,
                                  int least) {
    struct stage stage = {.below = goes_below(area, view, wires)};
    int head = area.rows >= BAR_ROWS ? 2 : 1, rows = area.rows - head - 1;
    stage.title = row_of(area, 0);
    stage.bar = area_within(area, 0, 1, area.columns, head - 1);
    stage.foot = row_of(area, area.rows - 1);
    if (stage.below) {
        const int low = wires && area.rows < LOW_ROWS ? TEXT_LOW : TEXT_BELOW;
        const int below = wires && area.rows < LOW_ROWS ? low : rows / 3 > low ? rows / 3 : low;
        stage.picture = area_within(area, 0, head, area.columns, rows - below - 1);
        stage.text = area_within(area, 1, head + rows - below, area.columns - 2, below);
        return stage;
    }
    int text = text_width(area.columns, view, code);
    if (area.columns - text - 2 < least && area.columns - least - 2 >= TEXT_LEAST)
        text = area.columns - least - 2;
    stage.picture = area_within(area, 0, head, area.columns - text - 2, rows);
    stage.text = area_within(area, area.columns - text, head, text - (area.columns > 60), rows);
    return stage;
}

void stage_draw_rule(const struct stage *stage) {
    struct area area = grid_area(stage->picture.grid);
    if (stage->below)
        draw_rule(area, stage->text.y - 1);
    else
        draw_divider(area_within(area, 0, stage->text.y, area.columns, stage->picture.rows),
                     stage->text.x - 2);
}

void stage_draw_more(const struct stage *stage, int lines, int skip) {
    struct area area = grid_area(stage->picture.grid);
    struct style key = style_role(STYLE_KEY);
    int left = stage->below ? area.columns - 12 : stage->text.x - 2;
    int bottom = stage->text.y + stage->text.rows - 1;
    if (stage->below && skip > 0)
        area_text(area, left, stage->text.y - 1, " K ↑", key);
    if (stage->below && lines > skip + stage->text.rows)
        area_text(area, left + 5, stage->text.y - 1, " J ↓ ", key);
    if (!stage->below && skip > 0) {
        area_glyph(area, left, stage->text.y, 0x2191, key);
        area_glyph(area, left, stage->text.y + 1, 'K', key);
    }
    if (!stage->below && lines > skip + stage->text.rows) {
        area_glyph(area, left, bottom - 1, 'J', key);
        area_glyph(area, left, bottom, 0x2193, key);
    }
}

/* ---- the picture ---- */

#define HEADS_ROWS 15 /* a picture this short has a single row for heading and phases */

/* Uses single blanks instead of double ones if it does not all fit. */
static void tighten(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || from[1] != ' ')
            *to++ = *from;
    *to = '\0';
}

/* The mask matters more than the type. */
static void drop_word(char *text, const char *word) {
    const size_t length = strlen(word);
    for (char *at = length ? strstr(text, word) : NULL; at; at = strstr(at + 1, word))
        if (at > text && at[-1] == ' ' && at[length] == ' ') {
            memmove(at, at + length + 1, strlen(at + length + 1) + 1);
            return;
        }
}

void stage_heading(const struct moment *moment, int columns, char *buffer, size_t size) {
    moment_heading(moment, buffer, size);
    if (utf8_columns(buffer) > columns)
        tighten(buffer);
    if (utf8_columns(buffer) > columns && moment->operation->members != WARP_FULL_MASK)
        drop_word(buffer, warp_type_info(moment->operation->type)->cuda);
}

static void draw_heading(struct area area, const struct moment *moment) {
    const struct replay *replay = moment->replay;
    char heading[192], measured[128], place[64] = "";
    int end = area.columns - 1;
    stage_heading(moment, end - 1, heading, sizeof heading);
    if (*live_changed_command(replay)) {
        snprintf(heading, sizeof heading, "%s", live_changed_command(replay));
        if (utf8_columns(heading) > end - 1)
            tighten(heading);
    }
    if (trace_warp_count(replay->cursor.trace) > 1)
        snprintf(place, sizeof place, _("b%llu w%u  "),
                 (unsigned long long)replay->cursor.warp.block, replay->cursor.warp.warp);
    if (utf8_columns(heading) + utf8_columns(place) + 1 < area.columns) {
        end -= utf8_columns(place);
        area_text(area, end + 1, 0, place, style_role(STYLE_DIM));
    }
    /* A margin before the heading, and two cells after it. */
    moment_measured(replay, end - utf8_columns(heading) - 3, measured, sizeof measured);
    if (measured[0]) {
        end -= utf8_columns(measured) + 2;
        area_text(area, end + 2, 0, measured, style_role(STYLE_DIM));
    }
    area_text_clipped(area, 1, 0, end - 1, heading, style_role(STYLE_PLAIN));
}

static void draw_progress(struct area area, const struct moment *moment) {
    const struct replay *replay = moment->replay;
    char place[64];
    int x = draw_phases(area, moment);
    x = draw_phase_caption(area, moment, x, moment->replay->cursor.warp.steps > 1 ? 9 : 1);
    snprintf(place, sizeof place, "%llu/%llu", (unsigned long long)replay->cursor.position + 1,
             (unsigned long long)replay->cursor.warp.steps);
    int columns = utf8_columns(place);
    if (replay->cursor.warp.steps > 1 && x + 1 + columns < area.columns)
        area_text(area, area.columns - 1 - columns, 0, place, style_role(STYLE_DIM));
}

/* Draws heading and phases in one row, if rows are few and everything fits. */
static bool draw_compact_head(struct area area, const struct moment *moment, int rows) {
    const struct trace *trace = moment->replay->cursor.trace;
    char heading[192], measured[128];
    moment_heading(moment, heading, sizeof heading);
    moment_measured(moment->replay, area.columns, measured, sizeof measured);
    const int right = phases_columns() + (moment->replay->cursor.warp.steps > 1 ? 9 : 1);
    const int left = area.columns - right;
    if (rows > HEADS_ROWS || replay_view(moment->replay) == VIEW_LANES || measured[0] ||
        trace_warp_count(trace) > 1 || *live_changed_command(moment->replay) ||
        utf8_columns(heading) + 3 > left)
        return false;
    draw_heading(area_within(area, 0, 0, left, 1), moment);
    draw_progress(area_within(area, left, 0, right, 1), moment);
    return true;
}

static void draw_sentence(struct area area, const struct moment *moment) {
    char text[512];
    if (area.rows < 1 || replay_view(moment->replay) == VIEW_EXPLAIN)
        return;
    moment_sentence_fit(moment, moment->replay->lane, area.columns - 2, area.rows, text,
                        sizeof text);
    area_text_wrapped(area_within(area, 1, 0, area.columns - 2, area.rows), 0, 2, text,
                      style_role(STYLE_DIM));
}

/* Above a picture without a call, draws its warp and a blank row in place of the phases, so that
 * the lanes are where the next beat has them. */
static int draw_warp(struct area area, const struct moment *moment, int spare) {
    const struct trace_warp *warp = &moment->replay->cursor.warp;
    if (spare >= 2)
        area_format(area, 1, 0, style_role(STYLE_DIM), _("block %llu warp %u"),
                    (unsigned long long)warp->block, warp->warp);
    return spare >= 2 ? 2 : spare >= 1;
}

void stage_draw_picture(struct area area, const struct moment *moment) {
    int spare = area.rows - TABLE_ROWS, y = 0;
    if (!moment->operation) {
        draw_damage(area, moment->replay);
        return;
    }
    if (stage_draw_matrix(area, moment))
        return;
    const bool bare = (moment->replay->hide & REPLAY_HIDES_CALL) != 0;
    const bool heads = !bare && draw_compact_head(row_of(area, 0), moment, area.rows);
    if (bare)
        y = draw_warp(area, moment, spare);
    else if (!heads && (spare >= 2 || replay_view(moment->replay) != VIEW_LANES))
        draw_heading(row_of(area, y++), moment);
    if (heads)
        y++;
    else if (!bare && (spare >= 1 || replay_view(moment->replay) != VIEW_LANES))
        draw_progress(row_of(area, y++), moment);
    int foot = spare - y > 2 ? 2 : spare - y > 0 ? spare - y : 0;
    foot = replay_view(moment->replay) == VIEW_EXPLAIN || replay_view(moment->replay) == VIEW_SOURCE
               ? 0
               : foot;
    layout_draw_alone(area_within(area, 0, y, area.columns, area.rows - y - foot), moment);
    draw_sentence(area_within(area, 0, area.rows - foot, area.columns, foot), moment);
}
