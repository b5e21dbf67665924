/*
 * Lanes that wait for each other: at a barrier, or in a run that stopped for good.
 *
 *     lane   0 1 2 3 4 5 6 7
 *            * * * * o o x .       here; named by the mask and not here; left; not in the mask
 *            | | | |
 *            -- syncwarp --        shut before, open after
 *            * * * *
 *
 * For a run that stopped, there is one row for each location where lanes of this warp wait, and
 * below them the known state of the block's other warps.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "explain/findings/failure.h"
#include "view/pictures/network.h"

#include <stdio.h>
#include <string.h>

#define WAITS_MAX  64
#define LINES_MOST 3

static const uint32_t here = 0x25cf, awaited = 0x25cb, gone = 0xd7, outside = 0xb7, stray = '?';

/* A lane's role in a call, and how it is drawn. */
static uint32_t role_glyph(const struct warp_operation *operation, uint32_t present, int lane,
                           struct style *style) {
    uint32_t bit = UINT32_C(1) << lane;
    *style = style_role(STYLE_ABSENT);
    if (present & bit) {
        bool member = operation->op == WARP_OP_ACTIVEMASK || operation->members & bit;
        *style = member ? (struct style){STYLE_GROUP, 0, STYLE_BOLD} : style_role(STYLE_UNDEFINED);
        return member ? here : stray;
    }
    if (!(operation->launched & bit))
        return ' ';
    if (operation->exited & bit)
        return gone;
    if (!(operation->members & bit))
        return outside;
    *style = style_bold(STYLE_BAD);
    return awaited;
}

/* ---- a barrier ---- */

static int note(struct area area, int x, int y, enum style_role role, const char *what,
                uint32_t lanes) {
    char text[EXPLAIN_LANES_TEXT], line[EXPLAIN_LANES_TEXT + 96];
    if (lanes == 0 || y >= area.rows)
        return y;
    snprintf(line, sizeof line, _("%s: %s"), what, explain_lanes(lanes, text));
    area_text_clipped(area, x, y, area.columns - x - 1, line, style_role(role));
    return y + 1;
}

static void draw_gate(const struct network *net, int y, bool open) {
    const struct moment *moment = net->moment;
    char text[32];
    int left = net->x0, end = net->x0 + network_columns(net);
    for (int x = left; x < end; x++)
        area_glyph(net->area, x, y, open ? 0x2500 : 0x2501,
                   style_role(open ? STYLE_DIM : STYLE_KEY));
    for (int lane = 0; lane < WARP_LANES && open; lane++)
        if (moment_present(moment, lane))
            area_glyph(net->area, network_x(net, lane), y, 0x2502, moment_lane_style(moment, lane));
    snprintf(text, sizeof text, " %s ", moment->info->name);
    area_text(net->area, (left + end - utf8_columns(text)) / 2, y, text, style_bold(STYLE_ACTIVE));
}

void draw_barrier(struct area area, const struct moment *moment) {
    const struct warp_operation *operation = moment->operation;
    struct network net = {.moment = moment};
    bool open = moment->phase == PHASE_AFTER, known = !(moment->hide & REPLAY_HIDES_ABSENT);
    network_spread(&net, area, moment);
    int y = network_head(&net, 0), bottom = y + LINES_MOST + 1 + LINES_MOST + 1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct style style;
        uint32_t glyph = role_glyph(operation, moment->present, lane, &style);
        bool passes = glyph == here || glyph == stray;
        if (!network_mark(area, y, &net, lane))
            network_glyph(area, y, &net, lane, known ? glyph : here, style);
        for (int row = y + 1; passes && row < bottom; row++)
            if (row < y + 1 + LINES_MOST || open)
                network_glyph(area, row, &net, lane, 0x2502, moment_lane_style(moment, lane));
        if (passes && open)
            network_glyph(area, bottom, &net, lane, here, style);
    }
    draw_gate(&net, y + 1 + LINES_MOST, open);
    y = bottom + 2;
    if (!known)
        return;
    uint32_t absent = operation->launched & ~operation->present;
    y = note(area, net.x0, y, STYLE_PLAIN, open ? _("● continue") : _("● have arrived"),
             operation->present & operation->members);
    y = note(area, net.x0, y, STYLE_UNDEFINED, _("? call without being in their mask"),
             operation->present & ~operation->members);
    y = note(area, net.x0, y, STYLE_BAD, _("○ in the mask, but make no call here"),
             absent & operation->members & ~operation->exited);
    y = note(area, net.x0, y, STYLE_DIM, _("× have left the kernel: no lane waits for them"),
             absent & operation->exited);
    note(area, net.x0, y, STYLE_DIM, _("· not in the mask"),
         absent & ~operation->exited & ~operation->members);
}

/* ---- where the run stopped ---- */

/* The file without its folders. */
static const char *short_place(const struct failure_wait *wait) {
    const char *location = wait->location, *end = strchr(location, ' ');
    for (const char *c = location; *c && c != end; c++)
        if (*c == '/')
            location = c + 1;
    return location;
}

/* "k.cu:5 __syncwarp(0xff)"; "still running, k.cu:7". */
static void draw_location(struct area area, int x, int y, const struct failure_wait *wait) {
    if (wait->kind == FAILURE_RUNS) {
        x = area_text(area, x, y, _("still running"), style_role(STYLE_PLAIN));
        if (!wait->location[0])
            return;
        x = area_text(area, x, y, _(", "), style_role(STYLE_PLAIN));
    }
    area_text_clipped(area, x, y, area.columns - x - 1, short_place(wait), style_role(STYLE_CODE));
}

static void draw_wait(struct area area, int y, const struct network *net,
                      const struct failure_wait *wait) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool waits = wait->lanes >> lane & 1, missing = wait->missing >> lane & 1;
        struct style style = waits     ? (struct style){STYLE_GROUP, 0, STYLE_BOLD}
                             : missing ? style_bold(STYLE_BAD)
                                       : style_role(STYLE_ABSENT);
        uint32_t glyph = waits                                             ? here
                         : missing                                         ? awaited
                         : net->moment->operation->exited >> lane & 1      ? gone
                         : !(net->moment->operation->launched >> lane & 1) ? ' '
                                                                           : outside;
        network_glyph(area, y, net, lane, glyph, style);
    }
}

/* "warp 1: lanes 0-31, k.cu:9 __syncthreads()" */
static void draw_other(struct area area, int x, int y, const struct failure_wait *wait) {
    char lanes[EXPLAIN_LANES_TEXT];
    int end = area_format(area, x, y, style_role(STYLE_PLAIN), _("warp %u: %s, "), wait->warp,
                          explain_lanes(wait->lanes, lanes));
    draw_location(area, end, y, wait);
}

void draw_stop(struct area area, const struct moment *moment) {
    struct failure_wait list[WAITS_MAX];
    struct failure_waits waits = {.wait = list, .room = WAITS_MAX};
    struct network net = {.moment = moment};
    const uint32_t warp = moment->replay->cursor.warp.warp;
    failure_waits(moment->replay->cursor.trace, warp, &waits);
    network_spread(&net, area, moment);
    char own_name[32];
    utf8_format(own_name, sizeof own_name, _("warp %u"), warp);
    network_label(area, net.number_rows - 1, &net, _("lane"));
    network_numbers(area, 0, &net);
    int y = net.number_rows + (area.rows > 14), legend = area.rows - 1, others = 0;
    for (int i = 0; i < waits.count; i++)
        others += list[i].warp != warp;
    int own = waits.count - others;
    bool tight = y + own * 3 + others + 1 >= legend;
    for (int i = 0; i < waits.count && y + 1 < legend; i++) {
        if (list[i].warp != warp)
            continue;
        network_label(area, y, &net, own_name);
        draw_location(area, net.x0, y, &list[i]);
        draw_wait(area, y + 1, &net, &list[i]);
        y += tight ? 2 : 3;
    }
    int left = others;
    for (int i = 0; i < waits.count && y < legend; i++) {
        if (list[i].warp == warp)
            continue;
        if (y + 1 == legend && left > 1) {
            area_format(area, net.x0, y++, style_role(STYLE_DIM), _("and %d more"), left);
            break;
        }
        draw_other(area, net.x0, y++, &list[i]);
        left--;
    }
    area_text_clipped(area, net.x0, y < legend ? y : legend, area.columns - net.x0 - 1,
                      _("● waits  ○ never comes  × has left"), style_role(STYLE_DIM));
}
