/*
 * The exchange as a network: lanes above give, lanes below receive, a wire is a read.
 *
 *     group   A . . .        the same columns above and below, one per lane
 *     lane    0 1 2 3
 *     in      0 1 2 3
 *             o o o o
 *              \ X /         the field: Braille dots, or / \ | - where only ASCII may be drawn
 *             o o o o
 *     out     3 2 1 0
 *
 * Wires are drawn in the order others, own, undefined, selected, so that the selected lane's is on
 * top. They are straight: what a butterfly is called after is the crossing of straight lines.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "view/moment.h"

#include <stdio.h>
#include <stdlib.h>

#define LABEL_COLUMNS 7
#define PITCH_MAX     6
#define STACK_DIGITS  3 /* values of up to so many glyphs are upright where lanes are close */
#define FIELD_LEAST   5
#define BRAILLE       0x2800u

struct network {
    struct area field; /* between the two rows of nodes */
    int x0, pitch;     /* cell of lane 0, cells from lane to lane */
    int label;         /* cells for what the rows are called */
    int in_rows, out_rows;
    const struct moment *moment;
};

static int lane_x(const struct network *net, int lane) {
    return net->x0 + lane * net->pitch;
}

/* ---- dots ---- */

/* Sets one of the 2x4 dots of a cell. A wire on top takes the cell from the others. */
static void set_dot(struct area field, int dot_x, int dot_y, struct style style, int lane,
                    bool on_top) {
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    struct cell *cell = area_cell(field, dot_x / 2, dot_y / 4);
    if (!cell || dot_x < 0 || dot_y < 0)
        return;
    bool mine = cell->style.flags & STYLE_BOLD && cell->hit.argument == lane;
    uint32_t dots = cell->glyph >= BRAILLE && cell->glyph < BRAILLE + 256 ? cell->glyph : BRAILLE;
    if (on_top && !mine)
        dots = BRAILLE;
    cell->glyph = dots | bits[dot_y % 4][dot_x % 2];
    cell->style = style;
    cell->hit = (struct hit){ACTION_LANE_GO, lane};
}

/* How a wire is drawn: every dot, or `on` dots of each `period`. */
struct pen {
    struct style style;
    int period, on;
    bool on_top;
    int lane;
};

static void draw_dots(const struct network *net, int from, int to, const struct pen *pen) {
    int x0 = lane_x(net, from) * 2, x1 = lane_x(net, to) * 2;
    int height = net->field.rows * 4 - 1, width = abs(x1 - x0);
    int steps = width > height ? width : height;
    for (int i = 0; i <= steps; i++) {
        if (pen->period && i % pen->period >= pen->on)
            continue;
        /* Rounded to the nearest dot; both ends are met exactly. */
        int x = x0 + ((x1 - x0) * i * 2 + (x1 >= x0 ? steps : -steps)) / (steps * 2);
        int y = (height * i * 2 + steps) / (steps * 2);
        set_dot(net->field, x, y, pen->style, pen->lane, pen->on_top);
        if (pen->on_top) /* the selected wire is two dots thick */
            set_dot(net->field, x + 1, y, pen->style, pen->lane, true);
    }
}

static void draw_ascii(const struct network *net, int from, int to, const struct pen *pen) {
    int x0 = lane_x(net, from), x1 = lane_x(net, to), rows = net->field.rows;
    for (int y = 0; y < rows; y++) {
        if (pen->period && y % 2)
            continue;
        int left = x0 + (x1 - x0) * y / rows, right = x0 + (x1 - x0) * (y + 1) / rows;
        int step = right > left ? 1 : -1;
        char glyph = left == right ? '|' : right > left ? '\\' : '/';
        for (int x = left;; x += step) {
            struct cell *cell = area_cell(net->field, x, y);
            bool steep = abs(right - left) <= 1 || x == left;
            if (cell) {
                cell->glyph = (uint32_t)(steep ? glyph : '-');
                cell->style = pen->style;
                cell->hit = (struct hit){ACTION_LANE_GO, pen->lane};
            }
            if (x == right || x + step == right)
                break;
        }
    }
}

static void draw_line(const struct network *net, int from, int to, const struct pen *pen) {
    if (net->field.grid->ascii)
        draw_ascii(net, from, to, pen);
    else
        draw_dots(net, from, to, pen);
}

/* ---- wires ---- */

static struct pen pen_of(const struct network *net, int lane) {
    const struct moment *moment = net->moment;
    bool selected = moment->replay->lane == lane, lit = moment->phase == PHASE_MOVE;
    struct pen pen = {.style = moment_out_style(moment, lane), .lane = lane, .on_top = selected};
    if (moment->phase == PHASE_ADDRESS) {
        pen.style = moment_lane_style(moment, lane);
        pen.period = 4;
        pen.on = 2;
    } else if (moment->outcome[lane].status == LANE_UNDEFINED) {
        pen.period = 7;
        pen.on = 3;
    }
    /* Brighter than its group and two dots thick; a band behind slanting dots looks like a stair.
     */
    if (selected)
        pen.style = style_with(moment->outcome[lane].status == LANE_READ ? style_role(STYLE_TITLE)
                                                                         : pen.style,
                               STYLE_BOLD);
    else if (!lit)
        pen.style = style_with(pen.style, STYLE_FAINT);
    return pen;
}

/* At `address` a wire leads to the lane that the formula names, if there is one; from `range` on
 * from the lane that is really read. */
static void draw_wire(const struct network *net, int lane) {
    const struct lane_outcome *outcome = &net->moment->outcome[lane];
    bool address = net->moment->phase == PHASE_ADDRESS;
    int source = address ? outcome->address.target : outcome->address.source;
    if (outcome->status == LANE_ABSENT || source < 0 || source >= WARP_LANES)
        return;
    struct pen pen = pen_of(net, lane);
    draw_line(net, source, lane, &pen);
}

static int wire_rank(const struct network *net, int lane) {
    if (net->moment->replay->lane == lane)
        return 3;
    switch (net->moment->outcome[lane].status) {
    case LANE_UNDEFINED:
        return 2;
    case LANE_OWN:
        return 1;
    default:
        return 0;
    }
}

static void draw_shuffle(const struct network *net) {
    if (!moment_shows_address(net->moment))
        return;
    for (int rank = 0; rank <= 3; rank++)
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (wire_rank(net, lane) == rank)
                draw_wire(net, lane);
}

/* Votes, matches, reductions and barriers join their callers in one bar. */
static void draw_collective(const struct network *net) {
    const struct moment *moment = net->moment;
    int middle = net->field.rows / 2, first = -1, last = -1;
    if (moment->phase == PHASE_BEFORE || moment->operation->op == WARP_OP_WATCH)
        return;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!moment_present(moment, lane))
            continue;
        struct style style = moment_lane_style(moment, lane);
        first = first < 0 ? lane : first;
        last = lane;
        for (int y = 0; y < net->field.rows; y++)
            area_glyph(net->field, lane_x(net, lane), y, 0x2502, style);
    }
    if (first < 0)
        return;
    for (int x = lane_x(net, first); x <= lane_x(net, last); x++)
        area_glyph(net->field, x, middle, 0x2501, style_bold(STYLE_ACTIVE));
    char text[48];
    snprintf(text, sizeof text, " %s ", moment->info->name);
    int x = (lane_x(net, first) + lane_x(net, last) - utf8_columns(text)) / 2;
    x = x < 0 ? 0 : x;
    area_text(net->field, x, middle, text, style_bold(STYLE_ACTIVE));
}

/* ---- lanes above and below ---- */

/* Rows that values of this length take: upright where lanes are close, 0 if not even so. */
static int value_rows(int length, int pitch) {
    if (length == 0)
        return 0;
    return length < pitch ? 1 : length <= STACK_DIGITS ? length : 0;
}

/* A text under or over a lane, its last glyph in the lane's column; upright over several rows. */
static void draw_upright(struct area area, int x, int y, int rows, const char *text,
                         struct style style) {
    int length = utf8_columns(text);
    if (rows == 1) {
        area_text(area, x - length + 1, y, text, style);
        return;
    }
    for (int i = 0; *text && i < rows; i++)
        area_glyph(area, x, y + rows - length + i, text_glyph(&text), style);
}

static struct style selected_style(const struct network *net, int lane, struct style style) {
    if (net->moment->replay->lane == lane)
        style = style_with(style, STYLE_SELECTED | STYLE_BOLD);
    return style;
}

/* One letter per group at its first lane, and a rule along its lanes. */
static void draw_groups(struct area area, int y, const struct network *net) {
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int group = moment->group[lane], x = lane_x(net, lane);
        bool starts = lane == 0 || moment->group[lane - 1] != group;
        struct style style = group < 0 ? style_role(STYLE_UNDEFINED)
                                       : (struct style){STYLE_GROUP, (uint8_t)group, 0};
        bool ends = lane + 1 == WARP_LANES || moment->group[lane + 1] != group;
        for (int i = 0; i < (ends ? 1 : net->pitch); i++)
            area_glyph(area, x + i, y, 0x2500, style);
        if (starts)
            area_glyph(area, x, y, (uint32_t)group_letter(group), style_with(style, STYLE_BOLD));
    }
}

static void draw_numbers(struct area area, int y, int rows, const struct network *net) {
    for (int lane = 0; lane < WARP_LANES; lane++) {
        char number[16];
        snprintf(number, sizeof number, "%d", lane);
        bool pointed = net->moment->replay->points >> lane & 1;
        struct style style = moment_lane_style(net->moment, lane);
        style = selected_style(net, lane, style_with(style, pointed ? STYLE_REVERSE : 0u));
        draw_upright(area, lane_x(net, lane), y, rows, number, style);
        area_hit(area, lane_x(net, lane), y, 1, rows, ACTION_LANE_GO, lane);
    }
}

static void draw_values(struct area area, int y, int rows, const struct network *net, bool out) {
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct style style = out ? moment_out_style(moment, lane) : moment_lane_style(moment, lane);
        if (out && moment_shows_changed(moment) && (moment->changed >> lane & 1))
            style = style_with(style, STYLE_BOLD);
        draw_upright(area, lane_x(net, lane), y, rows, out ? moment->out[lane] : moment->in[lane],
                     selected_style(net, lane, style));
    }
}

static uint32_t node_glyph(const struct moment *moment, int lane, bool bottom) {
    if (!moment_present(moment, lane))
        return 0xb7;
    if (!bottom)
        return 0x25cf;
    if (!moment_shows_reads(moment) || !moment->info->is_shuffle)
        return moment->phase == PHASE_AFTER ? 0x25cf : 0x25cb;
    switch (moment->outcome[lane].status) {
    case LANE_UNDEFINED:
        return '?';
    case LANE_OWN:
        return 0x21ba;
    default:
        return moment->phase == PHASE_AFTER ? 0x25cf : 0x25cb;
    }
}

static void draw_nodes(struct area area, int y, const struct network *net, bool bottom) {
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct style style = bottom && moment_shows_reads(moment) ? moment_out_style(moment, lane)
                                                                  : moment_lane_style(moment, lane);
        int x = lane_x(net, lane);
        struct style marked;
        uint32_t mark = bottom ? moment_mark(moment, lane, &marked) : 0;
        if (mark)
            area_glyph(area, x, y, mark, marked);
        else
            area_glyph(area, x, y, node_glyph(moment, lane, bottom),
                       selected_style(net, lane, style));
        area_hit(area, x, y, 1, 1, ACTION_LANE_GO, lane);
    }
}

/* ---- the picture ---- */

static void draw_label(struct area area, int y, const struct network *net, const char *label) {
    int gap = net->label < LABEL_COLUMNS ? 1 : 2;
    draw_value(area, net->x0 - net->label, y, net->label - gap, label, style_role(STYLE_LABEL));
}

/* Value rows are dropped, longest first, until the field keeps its least height. */
static void fit_rows(struct network *net, int rows, int fixed) {
    net->in_rows = value_rows(net->moment->in_columns, net->pitch);
    net->out_rows = value_rows(net->moment->out_columns, net->pitch);
    if (rows - fixed - net->in_rows - net->out_rows >= FIELD_LEAST)
        return;
    net->in_rows = net->in_rows > 1 ? 0 : net->in_rows;
    net->out_rows = net->out_rows > 1 ? 0 : net->out_rows;
}

void draw_wires(struct area area, const struct moment *moment) {
    struct network net = {.moment = moment};
    int spare = area.columns - WARP_LANES;
    net.label = spare < LABEL_COLUMNS ? spare : LABEL_COLUMNS;
    net.pitch = (area.columns - net.label - 1) / (WARP_LANES - 1);
    net.pitch = net.pitch < 1 ? 1 : net.pitch > PITCH_MAX ? PITCH_MAX : net.pitch;
    int used = (WARP_LANES - 1) * net.pitch + 1;
    net.x0 = net.label + (area.columns - net.label - used - (spare > LABEL_COLUMNS)) / 2;
    int number_rows = net.pitch >= 3 ? 1 : 2;
    bool groups = moment->has_width;
    fit_rows(&net, area.rows, groups + number_rows + 2);
    int y = 0;
    if (groups) {
        draw_label(area, y, &net, _("group"));
        draw_groups(area, y++, &net);
    }
    draw_label(area, y + number_rows - 1, &net, _("lane"));
    draw_numbers(area, y, number_rows, &net);
    y += number_rows;
    if (net.in_rows) {
        draw_label(area, y + net.in_rows - 1, &net, _("in"));
        draw_values(area, y, net.in_rows, &net, false);
        y += net.in_rows;
    }
    draw_nodes(area, y++, &net, false);
    int bottom = area.rows - net.out_rows - 1;
    net.field = area_within(area, 0, y, area.columns, bottom - y);
    if (moment->info->is_shuffle)
        draw_shuffle(&net);
    else
        draw_collective(&net);
    draw_nodes(area, bottom, &net, true);
    if (net.out_rows && moment_shows_out(moment)) {
        draw_label(area, bottom + net.out_rows, &net, _("out"));
        draw_values(area, bottom + 1, net.out_rows, &net, true);
    }
}
