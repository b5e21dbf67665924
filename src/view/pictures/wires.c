/*
 * The exchange as a network: lanes above give, lanes below receive, and each wire is a read.
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
 * top. They are straight: a butterfly is named after the crossing of straight lines. Only
 * those of a broadcast go down from one horizontal line.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "replay/whose.h"
#include "view/pictures/network.h"

#include <stdlib.h>

#define FIELD_LEAST 4
#define FIELD_LOW   2   /* the fewest rows of wires below lane numbers */
#define FIELD_HIGH  12  /* rows in which wires are distinguishable */
#define LOW         9   /* rows */
#define DENSE       200 /* cells */
#define BROADCAST   5   /* lanes that read the same one; with fewer, wires can be told apart */
#define BRAILLE     0x2800u
#define PATH_GLYPH  0x25a0

/* ---- dots ---- */

/* Sets one of the 2x4 dots of a cell. A wire on top takes over the cell. */
static void set_dot(struct area field, int dot_x, int dot_y, struct style style, int lane,
                    bool on_top) {
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    struct cell *cell = area_cell(field, dot_x / 2, dot_y / 4);
    if (!cell || dot_x < 0 || dot_y < 0)
        return;
    bool mine = cell->style.flags & STYLE_BOLD; /* owned by a wire on top */
    uint32_t dots = cell->glyph >= BRAILLE && cell->glyph < BRAILLE + 256 ? cell->glyph : BRAILLE;
    if (on_top && !mine)
        dots = BRAILLE;
    cell->glyph = dots | bits[dot_y % 4][dot_x % 2];
    cell->style = style;
    cell->hit = (struct hit){ACTION_LANE_GO, lane};
}

static void draw_dots(const struct network *net, int from, int to, const struct pen *pen) {
    int x0 = network_x(net, from) * 2, x1 = network_x(net, to) * 2;
    int height = net->field.rows * 4 - 1, width = abs(x1 - x0);
    int steps = width > height ? width : height;
    for (int i = 0; i <= steps; i++) {
        if (pen->period && (i + pen->shift) % pen->period >= pen->on)
            continue;
        /* Rounded to the nearest dot; both ends are met exactly. */
        int x = x0 + ((x1 - x0) * i * 2 + (x1 >= x0 ? steps : -steps)) / (steps * 2);
        int y = (height * i * 2 + steps) / (steps * 2);
        set_dot(net->field, x, y, pen->style, pen->lane, pen->on_top);
        if (pen->on_top && !pen->thin)
            set_dot(net->field, x + 1, y, pen->style, pen->lane, true);
    }
}

static void draw_bent_dots(const struct network *net, int from, int to, const struct pen *pen) {
    const int x0 = network_x(net, from) * 2, x1 = network_x(net, to) * 2;
    const int height = net->field.rows * 4 - 1, middle = height / 2, width = abs(x1 - x0);
    for (int i = 0; i <= height + width; i++) {
        if (pen->period && (i + pen->shift) % pen->period >= pen->on)
            continue;
        const int across = i < middle ? 0 : i - middle < width ? i - middle : width;
        const int x = x0 + (x1 > x0 ? across : -across), y = i - across;
        set_dot(net->field, x, y, pen->style, pen->lane, pen->on_top);
        if (pen->on_top && !pen->thin) /* two dots thick, also around corners */
            for (int k = 1; k < 4; k++)
                set_dot(net->field, x + k % 2, y + k / 2, pen->style, pen->lane, true);
    }
}

static void put_ascii(const struct network *net, int x, int y, char glyph, const struct pen *pen) {
    struct cell *cell = area_cell(net->field, x, y);
    if (!cell)
        return;
    cell->glyph = (uint32_t)glyph;
    cell->style = pen->style;
    cell->hit = (struct hit){ACTION_LANE_GO, pen->lane};
}

static void draw_bent_ascii(const struct network *net, int from, int to, const struct pen *pen) {
    const int x0 = network_x(net, from), x1 = network_x(net, to), rows = net->field.rows;
    const int middle = (rows - 1) / 2, step = x1 > x0 ? 1 : -1;
    for (int y = 0; y < rows; y++)
        if (y != middle && (pen->period <= 3 || y % 2 == 0))
            put_ascii(net, y < middle ? x0 : x1, y, '|', pen);
    for (int x = x0;; x += step) {
        const struct cell *cell = area_cell(net->field, x, middle);
        const bool joint = x == x0 || x == x1 || (cell && cell->glyph == '+');
        put_ascii(net, x, middle, joint ? '+' : '-', pen);
        if (x == x1)
            break;
    }
}

static void draw_ascii(const struct network *net, int from, int to, const struct pen *pen) {
    int x0 = network_x(net, from), x1 = network_x(net, to), rows = net->field.rows;
    const bool among_many = pen->period == 2 || pen->period == 3;
    for (int y = 0; y < rows; y++) {
        if (pen->period > 3 && y % 2)
            continue;
        int left = x0 + (x1 - x0) * y / rows, right = x0 + (x1 - x0) * (y + 1) / rows;
        int step = right > left ? 1 : -1;
        char glyph = left == right ? '|' : right > left ? '\\' : '/';
        for (int x = left;; x += step) {
            bool steep = abs(right - left) <= 1 || x == left;
            put_ascii(net, x, y, steep ? glyph : '-', pen);
            if (x == right || x + step == right || among_many)
                break;
        }
    }
}

static void add_stroke(const struct network *net, int from, int to, const struct pen *pen) {
    const struct area field = net->field;
    grid_stroke(field.grid, &(struct stroke){.x0 = (int16_t)(field.x + network_x(net, from)),
                                             .y0 = (int16_t)field.y,
                                             .x1 = (int16_t)(field.x + network_x(net, to)),
                                             .y1 = (int16_t)(field.y + field.rows),
                                             .style = pen->style,
                                             .period = (uint8_t)pen->period,
                                             .on = (uint8_t)pen->on,
                                             .on_top = pen->on_top});
}

void network_wire(const struct network *net, int from, int to, const struct pen *pen) {
    if (net->field.grid->vector)
        add_stroke(net, from, to, pen);
    else if (net->field.grid->ascii)
        (pen->bent ? draw_bent_ascii : draw_ascii)(net, from, to, pen);
    else
        (pen->bent ? draw_bent_dots : draw_dots)(net, from, to, pen);
}

/* ---- wires ---- */

/* True if the wires have so many horizontal cells in total that single ones cannot be made out. */
static bool is_dense(const struct moment *moment) {
    int distance = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (moment->outcome[lane].status == LANE_READ)
            distance += abs(moment->outcome[lane].address.source - lane);
    return distance > DENSE;
}

/* The other end of a lane's wire: up to phase `address` the lane that the formula names, later the
 * lane that is really read. -1 if there is none. */
static int source_of(const struct network *net, int lane) {
    const struct lane_outcome *outcome = &net->moment->outcome[lane];
    const bool address = net->moment->phase <= PHASE_ADDRESS;
    const int source = address ? outcome->address.target : outcome->address.source;
    return outcome->status == LANE_ABSENT || source >= WARP_LANES ? -1 : source;
}

/* True if many neighbouring lanes read `source`: their wires go down from one horizontal line,
 * since the slanting wires of a fan cannot be told apart. */
static bool is_broadcast(const struct network *net, int source) {
    int first = source, last = source, readers = 0, others = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (source_of(net, lane) == source) {
            first = lane < first ? lane : first;
            last = lane > last ? lane : last;
            readers++;
        }
    for (int lane = first; readers >= BROADCAST && lane <= last; lane++)
        others += source_of(net, lane) >= 0 && source_of(net, lane) != source;
    return readers >= BROADCAST && others == 0;
}

static struct pen pen_of(const struct network *net, int lane) {
    const struct moment *moment = net->moment;
    const bool on_path = net->has_path && warp_has_lane(net->to, lane);
    bool selected = net->has_path ? on_path : moment_selects(moment, lane);
    bool lit = moment->phase == PHASE_MOVE && !is_dense(moment);
    struct pen pen = {.style = moment_out_style(moment, lane),
                      .lane = lane,
                      .on_top = selected,
                      .bent = is_broadcast(net, source_of(net, lane))};
    if (moment->phase == PHASE_BEFORE) {
        pen.style = moment_lane_style(moment, lane);
        pen.period = 5;
        pen.on = 1;
        pen.on_top = false;
        selected = false;
    } else if (moment->phase == PHASE_ADDRESS) {
        pen.style = moment_lane_style(moment, lane);
        pen.period = 4;
        pen.on = 2;
    } else if (moment->outcome[lane].status == LANE_UNDEFINED) {
        pen.period = 7;
        pen.on = 3;
    } else if (!selected && !pen.bent && is_dense(moment)) {
        /* Thin enough that the selected one can be followed among them. */
        pen.period = net->field.rows < FIELD_HIGH ? 3 : 2;
        pen.on = 1;
    }
    /* Brighter than its group and two dots thick; a band behind slanting dots would look like a
       staircase. */
    if (selected)
        pen.style = style_with(moment->outcome[lane].status == LANE_READ ? style_role(STYLE_TITLE)
                                                                         : pen.style,
                               STYLE_BOLD);
    else if (!lit)
        pen.style = style_with(pen.style, STYLE_FAINT);
    return pen;
}

static void draw_wire(const struct network *net, int lane) {
    const int source = source_of(net, lane);
    if (source < 0)
        return;
    struct pen pen = pen_of(net, lane);
    network_wire(net, source, lane, &pen);
}

static int wire_rank(const struct network *net, int lane) {
    if (net->has_path ? warp_has_lane(net->to, lane) : moment_selects(net->moment, lane))
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

/* True if a question that keeps the wires hidden is about one lane of the picture. */
static bool has_candidates(const struct moment *moment) {
    const enum question_kind kind = moment->replay->asking.question.kind;
    return moment->asked && moment->hide & REPLAY_HIDES_READS && moment->info->is_shuffle &&
           (kind == QUESTION_READERS || kind == QUESTION_SOURCE);
}

static bool has_wires(const struct moment *moment) {
    const bool ghosts = moment->ghosts && moment->phase == PHASE_BEFORE;
    return moment->info->is_shuffle &&
           (moment_shows_address(moment) || (ghosts && !(moment->hide & REPLAY_HIDES_READS)));
}

bool wires_are_bare(const struct moment *moment) {
    return moment->picture == PICTURE_WIRES && moment->info->is_shuffle && !has_wires(moment) &&
           !has_candidates(moment);
}

/* Draws the possible wires: from the lane whose readers are asked for, or to the lane that
 * reads. */
static void draw_candidates(const struct network *net) {
    const struct moment *moment = net->moment;
    const struct question *question = &moment->replay->asking.question;
    const bool readers = question->kind == QUESTION_READERS;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct pen pen = {.style = style_with(moment_lane_style(moment, lane), STYLE_FAINT),
                                .period = 5,
                                .on = 1,
                                .shift = lane * 2, /* else all nodes would be rings */
                                .lane = lane};
        network_wire(net, readers ? question->lane : lane, readers ? lane : question->lane, &pen);
    }
}

static void draw_shuffle(const struct network *net) {
    const struct moment *moment = net->moment;
    if (has_candidates(moment))
        draw_candidates(net);
    if (!has_wires(moment))
        return;
    for (int rank = 0; rank <= 3; rank++)
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (wire_rank(net, lane) == rank)
                draw_wire(net, lane);
}

/* ---- lanes above and below ---- */

/* One letter per group at its first lane, and a rule along its lanes. */
static void draw_groups(struct area area, int y, const struct network *net) {
    const struct moment *moment = net->moment;
    if (moment->hide & REPLAY_HIDES_CALL)
        return; /* one letter for all would look like width 32 */
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int group = moment->group[lane], x = network_x(net, lane);
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

static uint32_t node_glyph(const struct moment *moment, int lane, bool bottom) {
    if (!moment_present(moment, lane))
        return 0xb7;
    if (!bottom || !moment->info->is_shuffle)
        return 0x25cf;
    if (!moment_shows_reads(moment))
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

/* A lane that gives (in the row below: gets) a part of the value whose path is lit. */
static bool is_on_path(const struct network *net, int lane, bool bottom) {
    return net->has_path && warp_has_lane(bottom ? net->to : net->from, lane);
}

static void draw_nodes(struct area area, int y, const struct network *net, bool bottom) {
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct style style = bottom && moment_shows_reads(moment) ? moment_out_style(moment, lane)
                                                                  : moment_lane_style(moment, lane);
        if (bottom && network_mark(area, y, net, lane))
            area_hit(area, network_x(net, lane), y, 1, 1, ACTION_LANE_GO, lane);
        else
            network_glyph(area, y, net, lane,
                          is_on_path(net, lane, bottom) ? PATH_GLYPH
                                                        : node_glyph(moment, lane, bottom),
                          is_on_path(net, lane, bottom) ? style_with(style, STYLE_BOLD) : style);
    }
}

/* ---- the picture ---- */

static void find_path(struct network *net) {
    const struct replay *replay = net->moment->replay;
    struct origin_terms path;
    net->has_path = moment_shows_reads(net->moment) && whose_path(replay, &path);
    if (!net->has_path)
        return;
    net->to = whose_path_to(&path, replay->cursor.step.number);
    net->from = whose_path_from(&path, replay->cursor.step.number);
    origins_terms_release(&path);
}

static void draw_exchange(struct area area, const struct moment *moment) {
    struct network net = {.moment = moment};
    network_spread(&net, area, moment);
    find_path(&net);
    bool groups = moment->has_groups && area.rows >= LOW;
    if (area.rows >= LOW)
        network_rows(&net, area.rows, groups + net.number_rows + 2 + FIELD_LEAST);
    if (area.rows < net.number_rows + 2 + FIELD_LOW)
        net.number_rows = 0;
    int y = 0;
    if (groups) {
        network_label(area, y, &net, _("group"));
        draw_groups(area, y++, &net);
    }
    y = network_head(&net, y);
    draw_nodes(area, y++, &net, !moment->info->is_shuffle);
    if (!moment->info->is_shuffle) /* watched values: nothing moves */
        return;
    int bottom = area.rows - net.out_rows - 1;
    net.field = area_within(area, 0, y, area.columns, bottom - y);
    draw_shuffle(&net);
    draw_nodes(area, bottom, &net, true);
    if (net.out_rows && moment_shows_out(moment)) {
        network_label(area, bottom + net.out_rows, &net, _("out"));
        network_values(area, bottom + 1, &net, true);
    }
}

void draw_wires(struct area area, const struct moment *moment) {
    static void (*const pictures[])(struct area, const struct moment *) = {
        [PICTURE_WIRES] = draw_exchange, [PICTURE_BITS] = draw_votes,
        [PICTURE_GROUPS] = draw_match,   [PICTURE_ARITHMETIC] = draw_reduce,
        [PICTURE_WAITS] = draw_barrier,  [PICTURE_STOP] = draw_stop,
        [PICTURE_MEMORY] = draw_memory,
    };
    pictures[moment->picture](area, moment);
}
