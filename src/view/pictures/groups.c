/*
 * A match: lanes with equal values form a group, and each gets the mask of its group.
 *
 *     lane   0 1 2 3 4 5
 *       in   7 3 7 7 3 9
 *            A B A A B C       letters and colours in the order of the groups' first lanes
 *
 *            *---*-*           one rail per group, where there is room
 *            A  7  x3  0x0000000d
 *              *-----*
 *              B  3  x2  0x00000012
 *
 * If the rails do not fit, the groups are listed. match_all gives its mask only if there is one
 * group; then its predicate is 1.
 */
#include "base/message.h"
#include "explain/explain.h"
#include "view/pictures/network.h"

#define ENTRY_LEAST 26 /* cells of an entry of the list */

struct match {
    struct network net;
    int groups;
    uint32_t lanes[WARP_LANES]; /* of each group */
    int first[WARP_LANES];      /* its lowest lane */
    int value_columns;          /* of the longest value */
};

static void match_init(struct match *match, const struct moment *moment) {
    *match = (struct match){.groups = 0};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int group = moment->group[lane];
        if (!moment->has_groups || !moment_present(moment, lane) || group < 0)
            continue;
        if (match->lanes[group] == 0)
            match->first[group] = lane;
        match->lanes[group] |= UINT32_C(1) << lane;
        match->groups = group >= match->groups ? group + 1 : match->groups;
    }
    match->value_columns = moment->in_columns;
}

static struct style group_style(int group, bool selected) {
    return (struct style){STYLE_GROUP, (uint8_t)group, selected ? STYLE_BOLD : 0};
}

static bool is_selected(const struct match *match, int group) {
    const struct moment *moment = match->net.moment;
    return !moment->unmarked && match->lanes[group] >> moment->replay->lane & 1;
}

/* "A  7  x3  0x0000000d" */
static void draw_entry(struct area area, int x, int y, int columns, const struct match *match,
                       int group) {
    bool selected = is_selected(match, group);
    struct style style = group_style(group, selected);
    const int fixed = 1 + 2 + 2 + 3 + 2 + 10;
    int room = columns - fixed, value = match->value_columns;
    value = value > room ? room : value;
    area_glyph(area, x, y, (uint32_t)group_letter(group), style_with(style, STYLE_BOLD));
    draw_value(area, x + 3, y, value, match->net.moment->in[match->first[group]], style);
    int next = area_glyph(area, x + 3 + value + 2, y, 0xd7, style_role(STYLE_DIM));
    area_format(area, next, y, style_role(STYLE_DIM), "%d",
                __builtin_popcount(match->lanes[group]));
    area_format(area, x + 3 + value + 7, y, style, "0x%08x", match->lanes[group]);
    area_hit(area, x, y, fixed + value, 1, ACTION_LANE_GO, match->first[group]);
}

static void draw_rail(struct area area, int y, const struct match *match, int group) {
    const struct network *net = &match->net;
    bool selected = is_selected(match, group);
    struct style style = group_style(group, selected);
    int last = WARP_LANES - 1 - __builtin_clz(match->lanes[group]);
    int end = network_x(net, last);
    for (int x = network_x(net, match->first[group]); x < end; x++)
        area_glyph(area, x, y, selected ? 0x2501 : 0x2500, style);
    for (int lane = match->first[group]; lane <= last; lane++)
        if (match->lanes[group] >> lane & 1)
            network_glyph(area, y, net, lane, 0x25cf, style);
}

static void draw_rails(struct area area, int y, const struct match *match) {
    for (int group = 0; group < match->groups; group++) {
        int x = network_x(&match->net, match->first[group]);
        int columns = 3 + match->value_columns + 17;
        draw_rail(area, y++, match, group);
        x = x + columns > area.columns ? area.columns - columns : x;
        draw_entry(area, x < 0 ? 0 : x, y++, area.columns, match, group);
    }
}

static void draw_list(struct area area, int y, const struct match *match) {
    int width = match->value_columns + 22 > ENTRY_LEAST ? match->value_columns + 22 : ENTRY_LEAST;
    int x0 = match->net.x0 + width > area.columns ? 0 : match->net.x0;
    int across = (area.columns - x0) / width > 0 ? (area.columns - x0) / width : 1;
    int rows = area.rows - y, shown = match->groups;
    if (rows * across < shown) /* the last slot gives the number left out */
        shown = rows * across - 1;
    int down = (match->groups + across - 1) / across;
    down = down > rows ? rows : down;
    for (int group = 0; group < shown; group++)
        draw_entry(area, x0 + group / down * width, y + group % down, width, match, group);
    if (shown < match->groups && shown >= 0)
        area_format(area, x0 + shown / down * width, y + shown % down, style_role(STYLE_DIM),
                    _("and %d more"), match->groups - shown);
}

/* The result of match_all. */
static void draw_verdict(struct area area, int y, const struct match *match) {
    const struct moment *moment = match->net.moment;
    int lane = moment->replay->lane;
    if (moment->outcome[lane].status != LANE_READ)
        lane = match->groups > 0 ? match->first[0] : -1;
    if (lane < 0)
        return;
    bool all = match->groups == 1;
    area_format(area, match->net.x0, y, style_bold(STYLE_TITLE), "%s  pred %d", moment->out[lane],
                moment->operation->arg[lane]);
    area_text_clipped(area, match->net.x0 + 20, y, area.columns - match->net.x0 - 21,
                      all ? _("all lanes of the mask hold the same value")
                          : _("the lanes of the mask hold different values"),
                      style_role(STYLE_PLAIN));
}

static void draw_lane_row(const struct match *match, int y, bool letters) {
    const struct network *net = &match->net;
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t glyph = !moment_present(moment, lane) ? 0xb7
                         : letters                     ? (uint32_t)moment_letter(moment, lane)
                                                       : 0x25cf;
        struct style style =
            letters ? moment_group_style(moment, lane) : moment_lane_style(moment, lane);
        if (!network_mark(net->area, y, net, lane))
            network_glyph(net->area, y, net, lane, glyph, style_with(style, STYLE_BOLD));
    }
}

void draw_match(struct area area, const struct moment *moment) {
    struct match match;
    struct network *net = &match.net;
    bool all = moment->operation->op == WARP_OP_MATCH_ALL;
    match_init(&match, moment);
    network_spread(net, area, moment);
    network_rows(net, area.rows, net->number_rows + 1 + 4 + (all ? 2 : 0));
    int y = network_head(net, 0);
    if (moment->has_groups)
        network_label(area, y, net, _("group"));
    draw_lane_row(&match, y++, moment->has_groups);
    if (!moment->has_groups)
        return;
    y++;
    if (all && moment->phase == PHASE_AFTER)
        draw_verdict(area, y, &match);
    y += all ? 2 : 0;
    if (match.groups * 2 <= area.rows - y)
        draw_rails(area, y, &match);
    else
        draw_list(area, y, &match);
}
