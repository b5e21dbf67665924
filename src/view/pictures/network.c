/* Two rows of lanes and their positions. */
#include "view/pictures/network.h"

#include "base/message.h"

#include <stdio.h>

#define LABEL_COLUMNS 7
#define LABEL_SHORT   6 /* longer values give each lane one more cell */
#define PITCH_MAX     6
#define STACK_DIGITS  3 /* values up to this length are upright if a lane has one cell */
#define STAGGER_MOST  3 /* rows in which the values of neighbours alternate */

int network_x(const struct network *net, int lane) {
    int place = net->falling ? WARP_LANES - 1 - lane : lane;
    return net->x0 + place * net->pitch + place / 4 * net->gap;
}

int network_columns(const struct network *net) {
    return (WARP_LANES - 1) * net->pitch + (WARP_LANES / 4 - 1) * net->gap + 1;
}

void network_spread(struct network *net, struct area area, const struct moment *moment) {
    int spare = area.columns - WARP_LANES;
    net->moment = moment;
    net->area = area;
    net->label = spare < LABEL_COLUMNS ? spare : LABEL_COLUMNS;
    if (net->label == LABEL_COLUMNS && (area.columns - LABEL_SHORT - 1) % (WARP_LANES - 1) == 0)
        net->label = LABEL_SHORT;
    net->pitch = (area.columns - net->label - 1) / (WARP_LANES - 1);
    net->pitch = net->pitch < 1 ? 1 : net->pitch > PITCH_MAX ? PITCH_MAX : net->pitch;
    net->gap = 0;
    int room = area.columns - net->label - network_columns(net);
    if (net->falling)
        net->gap = room >= (WARP_LANES / 4 - 1) ? 1 : 0;
    net->x0 = net->label +
              (area.columns - net->label - network_columns(net) - (spare > LABEL_COLUMNS)) / 2;
    net->number_rows = network_rows_of(net, 2);
    net->in_rows = net->out_rows = 0;
}

int network_rows_of(const struct network *net, int length) {
    if (length == 0 || length > net->x0 + 1) /* else the leftmost would be cut */
        return 0;
    if (net->pitch == 1)
        return length <= STACK_DIGITS ? length : 0;
    int rows = length / net->pitch + 1;
    return rows <= STAGGER_MOST ? rows : 0;
}

void network_rows(struct network *net, int rows, int others) {
    net->in_rows = network_rows_of(net, net->moment->in_columns);
    net->out_rows = network_rows_of(net, net->moment->out_columns);
    if (rows - others - net->in_rows - net->out_rows >= 0)
        return;
    net->in_rows = net->in_rows > 1 ? 0 : net->in_rows;
    net->out_rows = net->out_rows > 1 ? 0 : net->out_rows;
}

void network_text(struct area area, int y, int rows, const struct network *net, int lane,
                  const char *text, struct style style) {
    int x = network_x(net, lane), length = utf8_columns(text);
    if (area.grid->vector)
        style = style_with(style, STYLE_CENTERED);
    if (rows == 1 || net->pitch > 1) {
        area_text(area, x - length + 1, y + lane % rows, text, style);
        return;
    }
    for (int i = 0; *text && i < rows; i++)
        area_glyph(area, x, y + rows - length + i, text_glyph(&text), style);
}

static struct style selected_style(const struct network *net, int lane, struct style style) {
    if (moment_selects(net->moment, lane))
        style = style_with(style, STYLE_SELECTED | STYLE_BOLD);
    return style;
}

void network_label(struct area area, int y, const struct network *net, const char *label) {
    const int columns = utf8_columns(label), least = columns + 2 <= net->label ? 2 : 1;
    /* Lane 0 has its values right-aligned at x0: the labels end before the longest. */
    const int in = net->in_rows == 1 ? net->moment->in_columns : 0;
    const int out = net->out_rows == 1 ? net->moment->out_columns : 0;
    int gap = in > out ? in : out;
    gap = gap > net->x0 - columns ? net->x0 - columns : gap;
    gap = gap < least ? least : gap;
    draw_value(area, 0, y, net->x0 - gap, label, style_role(STYLE_LABEL));
}

void network_numbers(struct area area, int y, const struct network *net) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        char number[16];
        snprintf(number, sizeof number, "%d", lane);
        bool pointed = replay_points(net->moment->replay) >> lane & 1;
        struct style style = moment_lane_style(net->moment, lane);
        style = selected_style(net, lane, style_with(style, pointed ? STYLE_REVERSE : 0u));
        network_text(area, y, net->number_rows, net, lane, number, style);
        area_hit(area, network_x(net, lane), y, 1, net->number_rows, ACTION_LANE_GO, lane);
    }
}

void network_values(struct area area, int y, const struct network *net, bool out) {
    const struct moment *moment = net->moment;
    int rows = out ? net->out_rows : net->in_rows;
    for (int lane = 0; rows > 0 && lane < WARP_LANES; lane++) {
        struct style style = out ? moment_out_style(moment, lane) : moment_lane_style(moment, lane);
        if (out && moment_shows_changed(moment) && (moment->changed >> lane & 1))
            style = style_with(style, STYLE_BOLD);
        network_text(area, y, rows, net, lane, out ? moment->out[lane] : moment->in[lane],
                     selected_style(net, lane, style));
    }
}

void network_glyph(struct area area, int y, const struct network *net, int lane, uint32_t glyph,
                   struct style style) {
    area_glyph(area, network_x(net, lane), y, glyph, selected_style(net, lane, style));
    area_hit(area, network_x(net, lane), y, 1, 1, ACTION_LANE_GO, lane);
}

bool network_mark(struct area area, int y, const struct network *net, int lane) {
    struct style style;
    uint32_t mark = moment_mark(net->moment, lane, &style);
    if (mark)
        area_glyph(area, network_x(net, lane), y, mark, style);
    return mark != 0;
}

int network_head(struct network *net, int y) {
    if (net->number_rows)
        network_label(net->area, y + net->number_rows - 1, net, _("lane"));
    if (net->number_rows)
        network_numbers(net->area, y, net);
    y += net->number_rows;
    if (net->in_rows) {
        network_label(net->area, y + net->in_rows - 1, net, _("in"));
        network_values(net->area, y, net, false);
    }
    return y + net->in_rows;
}
