/*
 * A picture for paper: the same views as on the screen, as large as they need to be, without keys
 * or a cursor.
 *
 *     xor  laneMask 3  width 16  int                       emulated on the CPU warp
 *     shfl_xor.cu:9  __shfl_xor_sync(0xffffffff, value, laneMask, width)
 *
 *     the picture
 *
 *     ? undefined: no rule says what the lane gets   ↺ its own value
 */
#include "replay/keys/handlers.h"
#include "view/view.h"

#include "base/message.h"
#include "explain/explain.h"
#include "replay/pages/rounds.h"
#include "view/moment.h"
#include "view/pictures/network.h"

#include <stdio.h>
#include <stdlib.h>

#define VARIABLES_COLUMNS 110
#define HEAD_ROWS         3 /* heading, call, blank */
#define NOTE_ROWS         12
#define TABLE_COLUMNS     80
#define LANE_PITCH        3 /* cells from lane to lane, where values are short */
#define PITCH_MOST        6
#define WIRE_ROWS         14
#define OTHER_ROWS        22
#define ROUND_ROWS        7 /* wires and values of one round */
#define SOURCE_ROWS       80
#define WIDEST            400

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* The width of lanes and labels at which values of that many glyphs fit in one row. */
static int network_width(int longest) {
    const int pitch = larger(smaller(longest + 1, PITCH_MOST), LANE_PITCH);
    return 8 + pitch * (WARP_LANES - 1) + 2;
}

static int longest_in_rounds(const struct moment *moment, const struct rounds *rounds) {
    int longest = moment->in_columns;
    char text[WARP_VALUE_TEXT];
    for (int i = 0; i < rounds->count; i++)
        for (int lane = 0; lane < WARP_LANES; lane++)
            longest = larger(
                longest, (int)strlen(explain_in_marked(&rounds->round[i].operation, lane, text)));
    return smaller(longest, 2 * PITCH_MOST);
}

/* Long wires need height, or they would be nearly flat. */
static int wire_rows(const struct moment *moment) {
    int reach = 1;
    for (int lane = 0; moment->info->is_shuffle && lane < WARP_LANES; lane++)
        if (moment->outcome[lane].status == LANE_READ)
            reach = larger(reach, abs(moment->outcome[lane].address.source - lane));
    return moment->info->is_shuffle ? WIRE_ROWS + smaller(reach, WARP_LANES / 2) / 2 : OTHER_ROWS;
}

/* The default size of the picture. */
static void natural_size(const struct moment *moment, enum view_kind view, int *columns,
                         int *rows) {
    struct rounds rounds;
    *columns = TABLE_COLUMNS;
    *rows = 1 + WARP_LANES / 2;
    switch (view) {
    case VIEW_WIRES:
        if (moment->picture == PICTURE_MEMORY) {
            memory_natural_size(moment, columns, rows);
            break;
        }
        *columns = network_width(larger(moment->in_columns, moment->out_columns));
        *rows = wire_rows(moment);
        break;
    case VIEW_ROUNDS:
        rounds_find(&moment->replay->cursor, &rounds);
        *columns = network_width(longest_in_rounds(moment, &rounds));
        *rows = larger(4 + rounds.count * ROUND_ROWS, WARP_LANES + 12);
        break;
    case VIEW_HISTORY:
        *columns = smaller(history_natural_columns(moment), WIDEST);
        *rows = WARP_LANES + 2;
        break;
    case VIEW_SOURCE:
        *rows = smaller(source_lines(moment, columns) + 1, SOURCE_ROWS);
        *columns = smaller(*columns + 2, WIDEST);
        break;
    case VIEW_EXPLAIN:
        *rows = WARP_LANES;
        break;
    case VIEW_VARIABLES:
        *columns = VARIABLES_COLUMNS;
        *rows = WARP_LANES + 1;
        break;
    case VIEW_BLOCK:
        *columns = VARIABLES_COLUMNS;
        *rows = block_rows(moment->replay);
        break;
    default:
        break;
    }
}

bool view_applies(const struct replay *replay, enum view_kind view) {
    struct moment moment;
    if (!moment_init(&moment, replay))
        return view == VIEW_LANES;
    if (view == VIEW_SOURCE)
        return moment_has_source(&moment);
    if (view == VIEW_VARIABLES)
        return view_is_available(replay, view);
    return view != VIEW_ROUNDS || rounds_at_cursor(&replay->cursor);
}

/* ---- the lines below ---- */

/* Draws a text on as many lines as it takes; returns the row after it. */
static int note(struct area area, int y, const char *text, enum style_role role) {
    return area_text_wrapped(area, y, 2, text, style_role(role));
}

static bool any_lane(const struct moment *moment, enum lane_status status) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (moment->outcome[lane].status == status)
            return true;
    return false;
}

/* The meaning of the signs that occur. */
static int draw_signs(struct area area, int y, const struct moment *moment, enum view_kind view) {
    const bool pictured = view == VIEW_LANES || view == VIEW_WIRES || view == VIEW_ROUNDS;
    int x = 0;
    if (!pictured || !moment_shows_reads(moment) || !moment->info->is_shuffle)
        return y;
    const struct {
        enum lane_status status;
        const char *text;
        enum style_role role;
    } signs[] = {
        {LANE_UNDEFINED, _("? undefined: no rule says what the lane gets"), STYLE_UNDEFINED},
        {LANE_OWN, _("↺ out of range: the lane's own value"), STYLE_OWN},
        {LANE_ABSENT, _("· makes no call"), STYLE_ABSENT},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (any_lane(moment, signs[i].status))
            x = area_text(area, x, y, signs[i].text, style_role(signs[i].role)) + 3;
    if (view == VIEW_LANES && moment_shows_changed(moment) && moment->changed)
        x = area_text(area, x, y, _("◆ changed"), style_role(STYLE_CHANGED)) + 3;
    return x ? y + 1 : y;
}

static void draw_notes(struct area area, const struct moment *moment, enum view_kind view) {
    char text[MOMENT_FINDING_TEXT];
    int y = draw_signs(area, 0, moment, view);
    for (int i = 0; i < moment->finding_count; i++)
        y = note(area, y, moment_finding(moment, &moment->findings[i], text), STYLE_BAD);
    if (moment->operation->doubtful_in | moment->operation->doubtful_out)
        y = note(area, y, _("? before a value: computed from an undefined value"), STYLE_DIM);
    moment_recording_note(moment->replay, text, sizeof text);
    if (text[0])
        note(area, y, text, STYLE_BAD);
}

/* ---- the whole figure ---- */

/* For views of a whole warp the heading is the recording's title. */
static void format_heading(const struct moment *moment, enum view_kind view, char *heading,
                           size_t size) {
    const char *title = trace_note(moment->replay->cursor.trace, TRACE_NOTE_TITLE);
    moment_heading(moment, heading, size);
    if (title && (view == VIEW_HISTORY || view == VIEW_ROUNDS) &&
        !(moment->hide & REPLAY_HIDES_CALL))
        snprintf(heading, size, "%s", title);
}

/* The columns that the heading and the device need side by side. */
static int head_columns(const struct moment *moment, enum view_kind view) {
    char heading[256], device[128];
    format_heading(moment, view, heading, sizeof heading);
    moment_device(moment->replay, device, sizeof device);
    return utf8_columns(heading) + 2 + utf8_columns(device);
}

static void draw_head(struct area area, const struct moment *moment, enum view_kind view) {
    char heading[256], device[128], call[640];
    format_heading(moment, view, heading, sizeof heading);
    moment_device(moment->replay, device, sizeof device);
    const int x = area_text(area, 0, 0, heading, style_bold(STYLE_TITLE));
    area_text(area, larger(x + 2, area.columns - utf8_columns(device)), 0, device,
              style_role(STYLE_DIM));
    if (!moment->site || moment->hide & REPLAY_HIDES_CALL)
        return;
    snprintf(call, sizeof call, "%.127s:%u  %.500s", moment->site->file, moment->site->line,
             moment->site->text);
    area_text_clipped(area, 0, 1, area.columns, call, style_role(STYLE_CODE));
}

/* The last row of the area that is not empty; -1 if there is none. */
static int last_row(struct area area) {
    int last = -1;
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.columns; x++)
            if (area_cell(area, x, y)->glyph != ' ')
                last = y;
    return last;
}

static void size_of(const struct moment *moment, enum view_kind view, int *columns, int *rows) {
    natural_size(moment, view, columns, rows);
    *columns = larger(*columns, head_columns(moment, view));
}

void view_figure_size(const struct replay *replay, enum view_kind view, int *columns, int *rows) {
    struct moment moment;
    *columns = *rows = 0;
    if (moment_init(&moment, replay))
        size_of(&moment, view, columns, rows);
}

void view_draw_figure(struct grid *grid, const struct replay *replay,
                      const struct figure_options *opts) {
    struct moment moment;
    int columns, rows;
    grid->vector = true;
    if (!moment_init(&moment, replay)) {
        grid_resize(grid, TABLE_COLUMNS, 1);
        area_text_clipped(grid_area(grid), 0, 0, TABLE_COLUMNS, replay->message,
                          style_role(STYLE_BAD));
        return;
    }
    moment.unmarked = !opts->marks_lane;
    size_of(&moment, opts->view, &columns, &rows);
    columns = opts->columns ? opts->columns : columns;
    rows = opts->rows ? opts->rows : rows;
    grid_resize(grid, columns, HEAD_ROWS + rows + 1 + NOTE_ROWS);
    struct area area = grid_area(grid);
    draw_head(area_within(area, 0, 0, columns, HEAD_ROWS), &moment, opts->view);
    struct area picture = area_within(area, 0, HEAD_ROWS, columns, rows);
    view_of(opts->view)->draw(picture, &moment);
    draw_notes(area_within(area, 0, HEAD_ROWS + last_row(picture) + 2, columns, NOTE_ROWS), &moment,
               opts->view);
}
