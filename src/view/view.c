/*
 * The frame around the views:
 *
 *     title                                             device
 *     the call
 *     phases                                     timeline 1/5
 *     tabs -------------------------------------- block, warp
 *     (views)
 *     explanation of the selected lane, two lines
 *     keys, a message or a prompt
 *
 * A screen lower than 24 rows or narrower than 80 columns leaves out the call, the tabs and one
 * line of explanation: the 32 lanes come first.
 */
#include "view/view.h"

#include "base/file.h"
#include "base/message.h"
#include "replay/keys/handlers.h"
#include "replay/predict.h"
#include "view/moment.h"

#include <stdio.h>
#include <string.h>

#define FULL_COLUMNS   80
#define FULL_ROWS      24
#define PLACE_LEAST    8  /* cells of the text beside the tabs */
#define DEVICE_SHORT   14 /* "emulated", and the margins of the title */
#define TIMELINE_LEAST 12 /* "123/456" and its margins; its dots appear if there is more room */

/* ---- head ---- */

/* Low screens have no row for tabs; the row's other text must go elsewhere. */
static bool has_tabs(const struct grid *grid) {
    return grid->rows >= 23;
}

/* Draws findings and the device at the right of the title, in fewer words if the heading needs the
 * room; with `stays` the heading is shortened instead. Returns the cell where the text begins. */
static int draw_device(struct area area, const struct moment *moment, int heading, bool stays) {
    char device[128], findings[32] = "";
    if (moment->finding_count)
        snprintf(findings, sizeof findings,
                 message_plural("%d finding", "%d findings", (unsigned long)moment->finding_count),
                 moment->finding_count);
    moment_device(moment->replay, device, sizeof device);
    struct style style = style_role(STYLE_DIM);
    if (!has_tabs(area.grid)) {
        char note[128];
        moment_recording_note(moment->replay, note, sizeof note);
        if (note[0]) {
            snprintf(device, sizeof device, "%s", note);
            style = style_role(moment->replay->goes_on ? STYLE_KEY : STYLE_BAD);
        }
    }
    /* A margin at both ends and two cells between the parts. */
    int needed = heading + 4 + (findings[0] ? utf8_columns(findings) + 2 : 0);
    if (needed + utf8_columns(device) > area.columns && style.role == STYLE_DIM) {
        const char *recorded = trace_note(moment->replay->cursor.trace, TRACE_NOTE_RECORDED);
        snprintf(device, sizeof device, "%s", recorded ? _(recorded) : "");
    }
    if (needed + utf8_columns(device) > area.columns && !stays)
        device[0] = '\0';
    int x = area.columns - 1 - utf8_columns(device);
    area_text_clipped(area, x, 0, area.columns - x, device, style);
    if (findings[0])
        x = draw_right_aligned(area, x - 2, 0, findings, style_role(STYLE_BAD));
    return x;
}

/* The command describes the scene; the heading follows if there is room. A kernel's command does
 * not name the call, so heading and device are shortened to make room for it. */
static void draw_command(struct area area, const struct moment *moment, const char *command,
                         char *heading) {
    const bool kernel = strncmp(command, "shflviz kernel", 14) == 0;
    int parts = utf8_columns(command) + 3 + utf8_columns(heading);
    if (kernel && parts + DEVICE_SHORT > area.columns && moment->operation) {
        char *more = strstr(heading, "  "); /* the operation and its argument */
        more = more ? strstr(more + 2, "  ") : NULL;
        if (more)
            *more = '\0';
        parts = utf8_columns(command) + 3 + utf8_columns(heading);
    }
    const bool fits = kernel && parts + DEVICE_SHORT <= area.columns;
    const int end = draw_device(area, moment, fits ? parts : utf8_columns(command), true) - 2;
    int x = area_text_clipped(area, 1, 0, end - 1, command, style_bold(STYLE_TITLE));
    if (end - x < utf8_columns(heading) + 3)
        return;
    x = area_text(area, x, 0, " › ", style_role(STYLE_DIM));
    area_text_clipped(area, x, 0, end - x, heading, style_role(STYLE_LABEL));
}

static void draw_title(struct area area, const struct moment *moment) {
    const struct replay *replay = moment->replay;
    char heading[192];
    if (moment->operation)
        moment_heading(moment, heading, sizeof heading);
    else
        snprintf(heading, sizeof heading, "%s", _("a step that cannot be read"));
    const char *command = live_command(replay);
    if (*command) {
        draw_command(area, moment, command, heading);
        return;
    }
    const int end = draw_device(area, moment, utf8_columns(heading), false) - 2;
    int x = 1;
    const struct trace_launch *launch =
        trace_launch(replay->cursor.trace, replay->cursor.warp.launch);
    const char *title = trace_note(replay->cursor.trace, TRACE_NOTE_TITLE);
    if (!title && launch)
        title = launch->kernel;
    if (title && *title && trace_step_count(replay->cursor.trace) > 1 &&
        end - utf8_columns(heading) - 4 >= utf8_columns(title)) {
        x = area_text(area, x, 0, title, style_role(STYLE_LABEL));
        x = area_text(area, x, 0, " › ", style_role(STYLE_DIM));
    }
    area_text_clipped(area, x, 0, end - x, heading, style_bold(STYLE_TITLE));
}

/* "shuffle_xor.cu:9  int got = __shfl_xor_sync(...);": the source's line if there is one. */
static void draw_call(struct area area, const struct moment *moment) {
    if (!moment->site) {
        area_text(area, 1, 0, _("the recording does not say where the call is"),
                  style_role(STYLE_DIM));
        return;
    }
    const struct trace_site *site = moment->site;
    char location[128];
    snprintf(location, sizeof location, "%s:%u", file_base_name(site->file), site->line);
    int x = area_text_clipped(area, 1, 0, area.columns / 3, location, style_role(STYLE_DIM)) + 2;
    draw_call_line(area_within(area, x, 0, area.columns - x - 1, 1), moment);
}

int phases_columns(void) {
    int columns = PHASE_COUNT - 1;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        columns += 2 + utf8_columns(_(phase_name((enum phase)phase)));
    return columns;
}

int draw_phases(struct area area, const struct moment *moment) {
    bool tight = phases_columns() > area.columns;
    int x = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        bool applies = moment->operation && phase_applies(moment->operation->op, (enum phase)phase);
        bool current = moment->operation && phase == (int)moment->phase;
        struct style style = style_role(current ? STYLE_ACTIVE : applies ? STYLE_PLAIN : STYLE_DIM);
        if (current)
            style = style_with(style, STYLE_BOLD);
        if (!applies)
            style = style_with(style, STYLE_FAINT);
        int end =
            area_format(area, x, 0, style, tight ? "%s" : " %s ", _(phase_name((enum phase)phase)));
        area_hit(area, x, 0, end - x, 1, ACTION_PHASE_GO, phase);
        x = end;
        if (phase + 1 < PHASE_COUNT)
            x = area_glyph(area, x, 0, 0x203a, style_role(STYLE_DIM));
    }
    return x;
}

int draw_phase_caption(struct area area, const struct moment *moment, int x, int reserved) {
    if (!moment->operation || !moment->info->is_shuffle)
        return x;
    const char *caption = phase_caption(moment->phase);
    return x + 2 + utf8_columns(caption) + reserved > area.columns
               ? x
               : area_text(area, x + 2, 0, caption, style_role(STYLE_DIM));
}

/* The operations of the warp as a line to click on, the current one marked, right-aligned. */
static void draw_timeline(struct area area, const struct moment *moment) {
    const struct replay *replay = moment->replay;
    uint64_t steps = replay->cursor.warp.steps;
    char label[96], location[48] = "";
    if (!has_tabs(area.grid) && trace_warp_count(replay->cursor.trace) > 1)
        snprintf(location, sizeof location, _("b%llu w%u  "),
                 (unsigned long long)replay->cursor.warp.block, replay->cursor.warp.warp);
    /* A plus if more operations may follow. */
    snprintf(label, sizeof label, "%s%s%llu/%llu%s", location, replay->playing ? "▶ " : "",
             (unsigned long long)replay->cursor.position + 1, (unsigned long long)steps,
             trace_warps_listed(replay->cursor.trace) ? "" : "+");
    int x = draw_right_aligned(area, area.columns - 1, 0, label,
                               style_role(replay->playing ? STYLE_ACTIVE : STYLE_PLAIN));
    int room = x - 3;
    if (steps < 2 || room < 4)
        return;
    bool dotted = steps <= ((uint64_t)room + 1) / 2; /* a dot for each operation */
    int cells = dotted ? (int)steps * 2 - 1 : room;
    int start = x - 1 - cells;
    for (int i = 0; i < cells; i++) {
        /* The first and last cells represent the first and last operations. */
        uint64_t position = (uint64_t)((double)i * (double)(steps - 1) / (cells - 1) + 0.5);
        area_glyph(area, start + i, 0, dotted && i % 2 == 0 ? 0x25cb : 0x2500,
                   style_role(STYLE_DIM));
        area_hit(area, start + i, 0, 1, 1, ACTION_OPERATION_GO, (int64_t)position);
    }
    int here = (int)((double)replay->cursor.position * (cells - 1) / (double)(steps - 1) + 0.5);
    area_glyph(area, start + here, 0, 0x25cf, style_bold(STYLE_KEY));
}

static bool has_tab(const struct moment *moment, int kind) {
    return view_is_available(moment->replay, (enum view_kind)kind) ||
           (int)replay_view(moment->replay) == kind;
}

/* The cells of all tabs up to `last` with their names; with less room only the current one has
 * its name. */
static int tabs_columns(const struct moment *moment, int last) {
    int columns = 1;
    for (int kind = 0; kind <= last; kind++)
        columns +=
            has_tab(moment, kind) ? 4 + utf8_columns(view_label(moment, (enum view_kind)kind)) : 0;
    return columns;
}

/* Draws the tab of a view; returns the cell after it. */
static int draw_tab(struct area area, const struct moment *moment, int kind, int x, bool named) {
    const bool current = kind == (int)replay_view(moment->replay);
    const struct style style = current ? style_bold(STYLE_ACTIVE) : style_role(STYLE_LABEL);
    const int start = x;
    x = area_glyph(area, x, 0, ' ', style);
    x = area_format(area, x, 0, current ? style : style_role(STYLE_KEY), "%d", kind + 1);
    x = area_format(area, x, 0, style, named || current ? " %s " : "%s",
                    named || current ? view_label(moment, (enum view_kind)kind) : " ");
    area_hit(area, start, 0, x - start, 1, ACTION_VIEW_GO, kind);
    return x;
}

static void draw_tabs(struct area area, const struct moment *moment) {
    const struct replay *replay = moment->replay;
    draw_rule(area, 0);
    int x = 1;
    char location[160];
    moment_recording_note(replay, location, sizeof location);
    const struct style beside = style_role(replay->goes_on ? STYLE_KEY
                                           : location[0]   ? STYLE_BAD
                                                           : STYLE_DIM);
    if (!location[0] && trace_warp_count(replay->cursor.trace) > 1)
        snprintf(location, sizeof location, _("block %llu warp %u"),
                 (unsigned long long)replay->cursor.warp.block, replay->cursor.warp.warp);
    /* Names of tabs make room for text that appears nowhere else. */
    const int least = replay->goes_on ? utf8_columns(location) + 3
                      : location[0]   ? PLACE_LEAST + 3
                                      : 0;
    /* The last tab, which few recordings have, is left out if the others would lose their names. */
    const bool has_last =
        replay_view(replay) == VIEW_BLOCK ||
        tabs_columns(moment, VIEW_BLOCK) + utf8_columns(location) + 4 < area.columns;
    const int last = has_last ? VIEW_BLOCK : VIEW_BLOCK - 1;
    const bool named = tabs_columns(moment, last) + least < area.columns;
    for (int kind = 0; kind <= last; kind++)
        if (has_tab(moment, kind))
            x = draw_tab(area, moment, kind, x, named);
    int columns = utf8_columns(location), room = area.columns - x - 4;
    if (columns == 0 || room < PLACE_LEAST)
        return;
    int start = columns < room ? area.columns - columns - 2 : x + 1;
    area_glyph(area, start - 1, 0, ' ', beside);
    start = area_text_clipped(area, start, 0, room, location, beside);
    area_glyph(area, start, 0, ' ', beside);
}

/* ---- foot ---- */

static void draw_finding(struct area area, const struct moment *moment) {
    char text[320];
    moment_finding_fit(moment, moment->replay->lane, area.columns - 2, area.rows, text,
                       sizeof text);
    area_text_wrapped(area_within(area, 1, 0, area.columns - 2, area.rows), 0, 2, text,
                      style_role(STYLE_BAD));
    area_hit(area, 0, 0, area.columns, area.rows, ACTION_VIEW_GO, VIEW_EXPLAIN);
}

/* Lines of explanation; the last becomes the banner of a finding. */
static void draw_explanation(struct area area, const struct moment *moment) {
    char text[512];
    int rows = area.rows;
    if (moment->finding_count && rows > 1)
        draw_finding(area_within(area, 0, --rows, area.columns, 1), moment);
    struct area lines = area_within(area, 1, 0, area.columns - 2, rows);
    struct text miscount = TEXT_INIT;
    if (whose_miscount_sentence(moment, &miscount)) {
        area_text_clipped(lines, 0, 0, lines.columns, miscount.data, style_bold(STYLE_CHANGED));
        lines = area_within(lines, 0, 1, lines.columns, lines.rows - 1);
    }
    text_release(&miscount);
    if (!whose_sentence(moment, text, sizeof text) && !block_sentence(moment, text, sizeof text) &&
        !variables_sentence(moment, text, sizeof text))
        moment_sentence_fit(moment, moment->replay->lane, lines.columns, lines.rows, text,
                            sizeof text);
    area_text_wrapped(lines, 0, 2, text, style_role(STYLE_PLAIN));
}

void draw_typing(struct area area, const char *label, const char *typed, const char *hint,
                 enum style_role hint_role) {
    int x = area_text(area, 1, 0, label, style_bold(STYLE_KEY));
    x = area_text_clipped(area, x, 0, area.columns - x - 2, typed, style_role(STYLE_TITLE));
    x = area_glyph(area, x, 0, ' ', style_with(style_role(STYLE_PLAIN), STYLE_REVERSE));
    if (x + 12 < area.columns)
        area_text_clipped(area, x + 1, 0, area.columns - x - 2, hint, style_role(hint_role));
}

void draw_prompt(struct area area, const struct replay *replay) {
    char label[96], help[128];
    const char *hint = _("17 lane · xor op · line 12 · =31 value · undefined · text");
    if (replay->input.prompt == PROMPT_FIND) {
        snprintf(label, sizeof label, "%s", _("find /"));
    } else {
        question_label(&replay->asking.question, label, sizeof label);
        snprintf(help, sizeof help, _("%s, then Enter"),
                 question_help(replay_subject(replay), &replay->asking.question));
        hint = help;
    }
    if (replay->message[0])
        draw_typing(area, label, replay->input.text, replay->message, STYLE_BAD);
    else
        draw_typing(area, label, replay->input.text, hint, STYLE_DIM);
}

void view_draw_notice(struct grid *grid, const char *text) {
    const struct area foot = row_of(grid_area(grid), grid->rows - 1);
    area_fill(foot, ' ', style_role(STYLE_PLAIN));
    area_text_clipped(foot, 1, 0, foot.columns - 2, text, style_bold(STYLE_KEY));
}

void draw_replay_foot(struct area area, const struct replay *replay) {
    if (draw_live_prompt(area, replay))
        return;
    if (replay->input.prompt != PROMPT_NONE) {
        draw_prompt(area, replay);
        return;
    }
    if (replay->input.count.typed && !replay->input.count.doubtful) {
        int x = area_format(area, 1, 0, style_role(STYLE_KEY), "%ld", replay->input.count.number);
        area_format(area, x, 0, style_role(STYLE_DIM),
                    _(" then a movement (%s, %s or %s); %s drops the count"),
                    action_key(ACTION_MODE_REPLAY, ACTION_OPERATION_NEXT),
                    action_key(ACTION_MODE_REPLAY, ACTION_WARP_NEXT),
                    action_key(ACTION_MODE_REPLAY, ACTION_BLOCK_NEXT),
                    action_key(ACTION_MODE_REPLAY, ACTION_CANCEL));
        return;
    }
    /* Without a step the body shows the message, or a note that there is none. */
    if (!replay->message[0] || !replay->cursor.has_step) {
        draw_keys(area, ACTION_MODE_REPLAY, replay);
        return;
    }
    enum style_role role = replay->asking.state == PREDICTION_RIGHT   ? STYLE_GOOD
                           : replay->asking.state == PREDICTION_WRONG ? STYLE_BAD
                                                                      : STYLE_KEY;
    area_text_clipped(area, 1, 0, area.columns - 2, replay->message, style_role(role));
}

/* ---- the screen ---- */

struct area row_of(struct area area, int y) {
    return area_within(area, 0, y, area.columns, 1);
}

/* Lines that meet are joined, as in a frame. The sides that a glyph reaches: 1 left, 2 right, 4 up,
 * 8 down. */
static const uint32_t line_glyphs[16] = {
    [3] = 0x2500,  [5] = 0x2518,  [6] = 0x2514,  [7] = 0x2534,  [9] = 0x2510, [10] = 0x250c,
    [11] = 0x252c, [12] = 0x2502, [13] = 0x2524, [14] = 0x251c, [15] = 0x253c};

/* The cell may be outside the area, as the lines around the area are. */
static struct cell *screen_cell(struct area area, int x, int y) {
    return area_cell(grid_area(area.grid), area.x + x, area.y + y);
}

static unsigned line_sides(const struct cell *cell) {
    if (cell && cell->glyph >= 0x2500 && cell->style.role == STYLE_DIM)
        for (unsigned sides = 3; sides < 16; sides++)
            if (line_glyphs[sides] == cell->glyph)
                return sides;
    return 0;
}

static void join_lines(struct area area, int x, int y) {
    struct cell *cell = screen_cell(area, x, y);
    const unsigned upright = (line_sides(screen_cell(area, x, y - 1)) & 8 ? 4 : 0) |
                             (line_sides(screen_cell(area, x, y + 1)) & 4 ? 8 : 0);
    if (!upright || !line_sides(cell))
        return;
    const unsigned level = (line_sides(screen_cell(area, x - 1, y)) & 2 ? 1 : 0) |
                           (line_sides(screen_cell(area, x + 1, y)) & 1 ? 2 : 0);
    if (level)
        cell->glyph = line_glyphs[level | upright];
}

/* Extends a rule that begins at `x` across the blank column before it to a divider. */
static void reach_divider(struct area area, int x, int y) {
    struct cell *gap = screen_cell(area, x - 1, y);
    if (gap && gap->glyph == ' ' && line_sides(screen_cell(area, x, y)) & 1 &&
        line_sides(screen_cell(area, x - 2, y)) & 8) {
        gap->glyph = line_glyphs[3];
        gap->style = style_role(STYLE_DIM);
    }
}

void draw_rule(struct area area, int y) {
    for (int x = 0; x < area.columns; x++)
        area_glyph(area, x, y, line_glyphs[3], style_role(STYLE_DIM));
    reach_divider(area, 0, y);
    for (int x = -2; x <= area.columns; x++)
        join_lines(area, x, y);
}

void draw_divider(struct area area, int x) {
    for (int y = 0; y < area.rows; y++)
        area_glyph(area, x, y, line_glyphs[12], style_role(STYLE_DIM));
    for (int y = 0; y < area.rows; y++)
        reach_divider(area, x + 2, y);
    for (int y = -1; y <= area.rows; y++)
        join_lines(area, x, y);
}

int draw_right_aligned(struct area area, int end, int y, const char *text, struct style style) {
    area_text(area, end - utf8_columns(text), y, text, style);
    return end - utf8_columns(text);
}

static void draw_too_small(struct area area, int columns, int rows) {
    char text[64];
    snprintf(text, sizeof text, _("needs %dx%d, has %dx%d"), columns, rows, area.columns,
             area.rows);
    if (utf8_columns(text) > area.columns)
        snprintf(text, sizeof text, _("needs %dx%d"), columns, rows);
    if (utf8_columns(text) > area.columns)
        snprintf(text, sizeof text, "%dx%d", columns, rows);
    int x = (area.columns - utf8_columns(text)) / 2;
    if (area.columns > 0 && area.rows > 0)
        area_text_clipped(area, x < 0 ? 0 : x, area.rows / 2, area.columns, text,
                          style_role(STYLE_BAD));
}

bool screen_prepare(struct grid *grid, int columns, int rows, bool help, enum action_mode mode) {
    bool fits = grid->columns >= columns && grid->rows >= rows;
    grid_clear(grid);
    if (!fits)
        draw_too_small(grid_area(grid), columns, rows);
    else if (help)
        draw_help(grid_area(grid), mode);
    return fits && !help;
}

void draw_damage(struct area area, const struct replay *replay) {
    area_text_wrapped(area_within(area, 2, 1, area.columns - 4, area.rows - 1), 0, 0,
                      replay->message[0] ? replay->message
                                         : _("this step of the recording is damaged"),
                      style_role(STYLE_BAD));
}

/* The 32 lanes come first: a small screen leaves out the call, the tabs, a line of explanation. */
static void draw_screen(struct area area, const struct moment *moment) {
    bool full = area.columns >= FULL_COLUMNS && area.rows >= FULL_ROWS;
    int head = 1, foot = area.rows >= FULL_ROWS ? 3 : 2;
    /* The explanation among the views includes the findings. */
    if (full && layout_has_explanation(moment->replay, area.columns))
        foot = 1;
    draw_title(row_of(area, 0), moment);
    if (full)
        draw_call(row_of(area, head++), moment);
    int x = draw_phases(row_of(area, head), moment);
    x = draw_phase_caption(row_of(area, head), moment, x, TIMELINE_LEAST);
    draw_timeline(area_within(area, x, head++, area.columns - x, 1), moment);
    if (!full && area.rows >= 22)
        draw_call(row_of(area, head++), moment);
    if (has_tabs(area.grid))
        draw_tabs(row_of(area, head++), moment);
    struct area body = area_within(area, 0, head, area.columns, area.rows - head - foot);
    if (!moment->operation) {
        draw_damage(body, moment->replay);
        return;
    }
    layout_draw(body, moment);
    if (foot > 1)
        draw_explanation(area_within(area, 0, area.rows - foot, area.columns, foot - 1), moment);
}

void view_draw(struct grid *grid, const struct replay *replay) {
    struct moment moment;
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, replay->help,
                        replay->help_live ? ACTION_MODE_LIVE : replay_key_mode(replay))) {
        if (replay->help && replay->live.on && !replay->help_live)
            area_format(grid_area(grid), 1 + utf8_columns(_("Keys")) + 2, 0, style_role(STYLE_KEY),
                        _("%s again: more keys"), action_key(ACTION_MODE_REPLAY, ACTION_HELP));
        return;
    }
    moment_init(&moment, replay);
    moment.ghosts = true;
    draw_screen(grid_area(grid), &moment);
    draw_legend(area_within(grid_area(grid), 0, 0, grid->columns, grid->rows - 1), replay);
    draw_complaint(area_within(grid_area(grid), 0, 0, grid->columns, grid->rows - 1), replay);
    draw_replay_foot(row_of(grid_area(grid), grid->rows - 1), replay);
}
