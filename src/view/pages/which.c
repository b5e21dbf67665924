/* Lists the calls that give lanes the requested values, each with a small picture of its effect. */
#include "base/message.h"
#include "view/moment.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_ROWS   6 /* the command, the picture, a blank row */
#define WIRE_ROWS    2
#define PICTURE_ROWS (WIRE_ROWS + 2) /* with the lanes' numbers above and below */
#define INDENT       2
#define BRAILLE      0x2800u

/* Sets one of the 2x4 dots of a cell. */
static void set_dot(struct area area, int x, int y, struct style style) {
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    struct cell *cell = area_cell(area, x / 2, y / 4);
    if (!cell)
        return;
    const uint32_t dots =
        cell->glyph >= BRAILLE && cell->glyph < BRAILLE + 256 ? cell->glyph : BRAILLE;
    cell->glyph = dots | bits[y % 4][x % 2];
    cell->style = style;
}

/* Draws a wire from the lane read, above, to the lane that gets its value, with two cells per lane
 * and one dot in each period. */
static void draw_read(struct area area, int from, int to, int period, struct style style) {
    const int x0 = from * 4, x1 = to * 4, height = area.rows * 4 - 1;
    const int width = abs(x1 - x0), steps = width > height ? width : height;
    for (int i = 0; i <= steps; i += period)
        set_dot(area, x0 + (x1 - x0) * i / steps, height * i / steps, style);
}

/* The requested reads are drawn last, solid and bright; the others are dotted. */
static void draw_reads(struct area area, const struct which_call *call,
                       const struct which_request *request) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (request->source[lane] < 0)
            draw_read(area, call->source[lane], lane, 3, style_role(STYLE_DIM));
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (request->source[lane] >= 0)
            draw_read(area, call->source[lane], lane, 1, style_bold(STYLE_TITLE));
}

/* Draws the requested lanes below the wires, and above the wires the lanes they read; a number that
 * would touch the previous one is left out. */
static void draw_lane_numbers(struct area area, const struct which_call *call,
                              const struct which_request *request, bool read) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (request->source[lane] >= 0)
            lanes |= UINT32_C(1) << (read ? call->source[lane] : lane);
    for (int lane = 0, end = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1 && 2 * lane >= end)
            end = area_format(area, 2 * lane, 0, style_bold(STYLE_TITLE), "%d", lane) + 1;
}

/* Where dots cannot be drawn: lists the lanes read by lanes 0 to 15 and 16 to 31. */
static void draw_numbers(struct area area, const struct which_call *call,
                         const struct which_request *request) {
    for (int half = 0; half < 2; half++) {
        int x = area_text(area, 0, half, half ? "16-31" : " 0-15", style_role(STYLE_LABEL)) + 1;
        for (int i = 0; i < WARP_LANES / 2; i++) {
            const int lane = half * WARP_LANES / 2 + i;
            x = area_format(area, x, half,
                            request->source[lane] >= 0 ? style_bold(STYLE_TITLE)
                                                       : style_role(STYLE_DIM),
                            " %2d", call->source[lane]);
        }
    }
}

static void draw_entry(struct area area, const struct which_call *call,
                       const struct which_request *request, bool selected) {
    struct text command = TEXT_INIT, widths = TEXT_INIT;
    text_append(&command, "shflviz ");
    which_append_command(call, &command);
    which_append_widths(call, &widths);
    if (selected)
        area_glyph(area, 0, 0, 0x25b8, style_role(STYLE_ACTIVE));
    int x = area_text_clipped(area, INDENT, 0, area.columns - INDENT, command.data,
                              style_bold(STYLE_TITLE));
    if (widths.length > 0) {
        char also[96];
        snprintf(also, sizeof also, _("the same at width %s"), widths.data);
        area_text_clipped(area, x + 2, 0, area.columns - x - 2, also, style_role(STYLE_DIM));
    }
    struct area picture = area_within(area, INDENT, 1, area.columns - INDENT, PICTURE_ROWS);
    if (area.grid->ascii) {
        draw_numbers(picture, call, request);
    } else {
        draw_lane_numbers(row_of(picture, 0), call, request, true);
        draw_reads(area_within(picture, 0, 1, picture.columns, WIRE_ROWS), call, request);
        draw_lane_numbers(row_of(picture, PICTURE_ROWS - 1), call, request, false);
    }
    text_release(&command);
    text_release(&widths);
}

/* The heading, and the reason if there is no call. Returns the next row. */
static int draw_heading(struct area area, const struct which *which,
                        const struct which_request *request) {
    char found[128];
    struct text reason = TEXT_INIT;
    int y = 1;
    if (which->count > 0)
        snprintf(found, sizeof found,
                 message_plural("%zu call gives this", "%zu calls give this", which->count),
                 which->count);
    else
        snprintf(found, sizeof found, "%s", _("no call gives this"));
    area_text_clipped(area, 0, 0, area.columns, found, style_bold(STYLE_LABEL));
    which_append_reason(which, request, &reason);
    if (reason.length > 0)
        y = area_text_wrapped(area, y, 2, reason.data, style_role(STYLE_BAD));
    text_release(&reason);
    return y + 1;
}

void view_draw_which_table(struct grid *grid, const struct which *which,
                           const struct which_request *request, int columns) {
    struct text reason = TEXT_INIT;
    which_append_reason(which, request, &reason);
    const int wide = columns < VIEW_MIN_COLUMNS ? VIEW_MIN_COLUMNS : columns;
    const int head = 2 + (reason.length > 0 ? text_lines(reason.data, wide, 2) : 0);
    text_release(&reason);
    int widest = wide; /* a command is not shortened */
    for (size_t i = 0; i < which->count; i++) {
        struct text command = TEXT_INIT;
        which_append_command(&which->calls[i], &command);
        const int needed = INDENT + 9 + (int)command.length;
        widest = needed > widest ? needed : widest;
        text_release(&command);
    }
    const int rows = head + (int)which->count * ENTRY_ROWS - (which->count > 0);
    grid_resize(grid, widest, which->count > 0 ? rows : head - 1);
    struct area area = grid_area(grid);
    int y = draw_heading(area_within(area, 0, 0, wide, head), which, request);
    for (size_t i = 0; i < which->count; i++, y += ENTRY_ROWS)
        draw_entry(area_within(area, 0, y, area.columns, ENTRY_ROWS), &which->calls[i], request,
                   false);
}

void view_draw_which(struct grid *grid, const struct which_page *page) {
    struct area area = grid_area(grid);
    const struct which *which = &page->which;
    if (!screen_prepare(grid, VIEW_MIN_COLUMNS, VIEW_MIN_ROWS, page->help, ACTION_MODE_WHICH))
        return;
    area_format(area, 1, 0, style_bold(STYLE_TITLE), _("Which calls give %s?"), page->asked);
    int y = 1 + draw_heading(area_within(area, 1, 1, area.columns - 2, 6), which, &page->request);
    const size_t room = (size_t)((area.rows - 1 - y) / ENTRY_ROWS);
    const size_t first = page->selected / room * room;
    for (size_t i = first; i < which->count && i < first + room; i++, y += ENTRY_ROWS) {
        struct area entry = area_within(area, 1, y, area.columns - 2, ENTRY_ROWS - 1);
        draw_entry(entry, &which->calls[i], &page->request, i == page->selected);
        area_hit(entry, 0, 0, entry.columns, entry.rows, ACTION_ROW_GO, (int64_t)i);
    }
    if (which->count > room) {
        char place[64];
        snprintf(place, sizeof place, "%zu/%zu", page->selected + 1, which->count);
        draw_right_aligned(area, area.columns - 1, 0, place, style_role(STYLE_KEY));
    }
    draw_keys(row_of(area, area.rows - 1), ACTION_MODE_WHICH, NULL);
}
