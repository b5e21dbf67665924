/* A teacher's view of a class: how to join, who has joined, and the distribution of answers. */
#include "view/pages/classroom.h"

#include "base/message.h"
#include "view/flow.h"
#include "view/moment.h"

#include <stdio.h>

#define QUIET        4 /* modules around a QR code that stay white (ISO/IEC 18004) */
#define BAR          40
#define MARGIN       2
#define GUESSES_TOLD 10 /* wrong codes in a minute; fewer are slips */

/* ---- words ---- */

static void say_present(char *text, size_t size, const struct class_view *view) {
    const size_t here = room_present(view->room);
    snprintf(text, size, message_plural("%zu student here", "%zu students here", here), here);
}

static void say_answered(char *text, size_t size, const struct class_view *view) {
    const size_t answered = room_answered(view->room), here = room_present(view->room);
    snprintf(text, size, _("%zu of %zu answered"), answered, here > answered ? here : answered);
}

/* The worst problem of the last minute, or ""; the row has no room for the reason. */
static void say_trouble(char *text, size_t size, const struct class_view *view, bool in_row) {
    text[0] = '\0';
    if (view->turned_away > 0)
        snprintf(text, size,
                 in_row ? _("%u turned away")
                        : _("%u turned away this minute: too many came from one address"),
                 view->turned_away);
    else if (view->guesses >= GUESSES_TOLD)
        snprintf(text, size, in_row ? _("%u wrong codes") : _("%u wrong room codes this minute"),
                 view->guesses);
}

/* ---- the row ---- */

void view_draw_class_line(struct area row, const struct class_view *view) {
    char text[96], trouble[96];
    const enum room_state state = view->room->state;
    int x;
    say_trouble(trouble, sizeof trouble, view, true);
    x = area_text_clipped(row, 1, 0, row.columns - 2, view->url, style_role(STYLE_KEY));
    if (!trouble[0] || state == ROOM_TELLS) { /* otherwise "3 of 31 answered" has both numbers */
        say_present(text, sizeof text, view);
        x = area_text_clipped(row, x + 2, 0, row.columns - x - 3, text, style_role(STYLE_PLAIN));
    }
    if (state != ROOM_TELLS) {
        say_answered(text, sizeof text, view);
        x = area_text_clipped(row, x + 2, 0, row.columns - x - 3, text,
                              style_role(room_is_complete(view->room) ? STYLE_GOOD : STYLE_TITLE));
    }
    if (trouble[0])
        x = area_text_clipped(row, x + 2, 0, row.columns - x - 3, trouble, style_role(STYLE_BAD));
    snprintf(text, sizeof text,
             state == ROOM_SHOWN ? _("%s: the answers so far") : _("%s: how to get in"), view->key);
    if (x + 3 + utf8_columns(text) < row.columns)
        draw_right_aligned(row, row.columns - 1, 0, text, style_role(STYLE_DIM));
}

/* ---- joining ---- */

/* True if a module, or the quiet zone around the code, is white. */
static bool is_white(const struct class_view *view, int x, int y) {
    x -= QUIET;
    y -= QUIET;
    return x < 0 || y < 0 || x >= view->qr_width || y >= view->qr_width ||
           !view->qr[y * view->qr_width + x];
}

/* Each cell has two modules, one above the other. On a dark background the white ones are drawn, on
 * a light background the black ones. */
static void draw_qr(struct area area, const struct class_view *view) {
    static const uint32_t halves[] = {' ', 0x2584, 0x2580, 0x2588};
    const int side = view->qr_width + 2 * QUIET;
    for (int y = 0; y < side; y += 2)
        for (int x = 0; x < side; x++) {
            const bool upper = is_white(view, x, y) != view->light;
            const bool lower = y + 1 < side ? is_white(view, x, y + 1) != view->light : false;
            area_glyph(area, x, y / 2, halves[2 * upper + lower], style_bold(STYLE_PLAIN));
        }
}

static void draw_entrance(struct area area, const struct class_view *view) {
    char text[96];
    struct flow flow = {.area = area, .draw = true};
    flow_text(&flow,
              view->local ? _("Students open this address. Only this machine can open it: others "
                              "need ssh -L or a proxy; --serve 0.0.0.0:PORT is for the network.")
                          : _("Students open this address:"),
              0, style_role(STYLE_DIM));
    flow_blank(&flow, 1);
    flow_text(&flow, view->url, 0, style_bold(STYLE_KEY));
    flow_blank(&flow, 1);
    snprintf(text, sizeof text, _("Room code: %s"), view->code);
    flow_text(&flow, text, 0, style_bold(STYLE_TITLE));
    flow_blank(&flow, 1);
    say_present(text, sizeof text, view);
    flow_text(&flow, text, 0, style_role(STYLE_PLAIN));
    if (view->room->state == ROOM_ASKS) {
        say_answered(text, sizeof text, view);
        flow_text(&flow, text, 0, style_bold(STYLE_PLAIN));
    }
    if (view->came > 0) {
        snprintf(text, sizeof text, _("%u joined this minute"), view->came);
        flow_text(&flow, text, 0, style_role(STYLE_DIM));
    }
    say_trouble(text, sizeof text, view, false);
    if (text[0])
        flow_text(&flow, text, 0, style_role(STYLE_BAD));
    flow_blank(&flow, 1);
    snprintf(text, sizeof text,
             view->empties ? _("%s again removes everyone and changes the room code.")
                           : _("%s empties the room."),
             CLASS_EMPTY_KEY);
    flow_text(&flow, text, 0, style_role(view->empties ? STYLE_BAD : STYLE_DIM));
    snprintf(text, sizeof text, _("Any key continues; %s returns here."), view->key);
    flow_text(&flow, text, 0, style_role(STYLE_DIM));
}

void view_draw_class_join(struct grid *grid, const struct class_view *view) {
    struct area area = grid_area(grid);
    const int side = view->qr_width + 2 * QUIET;
    const bool code = view->qr_width > 0 && !grid->ascii && (side + 1) / 2 <= area.rows &&
                      side + 30 <= area.columns;
    area = area_within(area, MARGIN, 0, area.columns - 2 * MARGIN, area.rows);
    if (code) {
        draw_qr(area_within(area, 0, (area.rows - (side + 1) / 2) / 2, side, (side + 1) / 2), view);
        area = area_within(area, side + 3, 0, area.columns - side - 3, area.rows);
    }
    draw_entrance(
        area_within(area, 0, area.rows > 16 ? area.rows / 2 - 6 : 1, area.columns, area.rows - 1),
        view);
}

/* ---- the answers ---- */

/* A bar as long as the answer's share of all answers. */
static void flow_bar(struct flow *flow, const struct room_bar *bar, unsigned all) {
    const struct style style = style_role(bar->right ? STYLE_GOOD : STYLE_PLAIN);
    struct area area = flow->area;
    const int room = area.columns - 35 < BAR ? area.columns - 35 : BAR;
    int length = room > 0 ? (int)(bar->count * (unsigned)room / all) : 0;
    const int y = flow->line - flow->skip;
    if (length == 0)
        length = 1;
    int x = area_format(area, 0, y, style_bold(style.role), "%4u %3u%% ", bar->count,
                        (bar->count * 100 + all / 2) / all);
    for (int i = 0; i < length; i++)
        x = area_glyph(area, x, y, 0x2588, style);
    if (bar->right)
        x = area_glyph(area, x + 1, y, 0x2713, style);
    area_text_clipped(area, x + 1, y, area.columns - x - 1,
                      bar->answer ? message(bar->answer) : _("others"), style_bold(style.role));
    flow->line++;
}

/* The belief behind an answer, below its bar. */
static void draw_belief(struct flow *flow, const struct player *player,
                        const struct room_bar *bar) {
    struct prose belief;
    if (bar->right || !bar->answer || !player_belief(player, bar->answer, &belief))
        return;
    flow->indent = 5;
    flow_prose(flow, &belief, 0, style_role(STYLE_PLAIN));
    flow->indent = 0;
    prose_release(&belief);
}

static void flow_answers(struct flow *flow, const struct class_view *view) {
    struct room_bar bars[ROOM_BARS];
    const size_t count = room_histogram(view->room, bars);
    char text[ANSWER_TEXT + 64];
    say_answered(text, sizeof text, view);
    flow_text(flow, text, 0, style_bold(STYLE_TITLE));
    if (view->player->right[0]) {
        snprintf(text, sizeof text, _("Answer: %s"), message(view->player->right));
        flow_text(flow, text, 0, style_role(STYLE_GOOD));
    }
    unsigned all = 0;
    for (size_t i = 0; i < count; i++)
        all += bars[i].count;
    for (size_t i = 0; i < count; i++) {
        flow_blank(flow, flow->area.rows > 24 ? 1 : 0);
        flow_bar(flow, &bars[i], all);
        draw_belief(flow, view->player, &bars[i]);
    }
    if (count == 0)
        flow_text(flow, _("Nobody has answered."), 0, style_role(STYLE_DIM));
}

void view_draw_class_answers(struct grid *grid, const struct class_view *view) {
    struct area area = grid_area(grid);
    char text[64];
    struct flow flow = {.area =
                            area_within(area, MARGIN, 1, area.columns - 2 * MARGIN, area.rows - 2),
                        .draw = true};
    flow_answers(&flow, view);
    snprintf(text, sizeof text, _("Any key continues; %s returns here."), view->key);
    area_text_clipped(area, MARGIN, area.rows - 1, area.columns - 2 * MARGIN, text,
                      style_role(STYLE_DIM));
}
