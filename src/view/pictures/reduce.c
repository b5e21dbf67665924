/*
 * A reduction: the values of the mask's lanes are combined into one, which all of them get.
 *
 *     lane   0 1 2 3
 *       in   5 1 4 2
 *            * * * *
 *            | | | |
 *            -- + --
 *              12
 *     5 + 1 + 4 + 2 = 12
 *
 * No order is drawn: for integers it does not matter, and none is documented.
 */
#include "base/message.h"
#include "base/text.h"
#include "explain/explain.h"
#include "view/pictures/network.h"

#include <inttypes.h>
#include <stdio.h>

#define LINES_MOST 3

static bool is_bitwise(enum warp_op op) {
    return op == WARP_OP_REDUCE_AND || op == WARP_OP_REDUCE_OR || op == WARP_OP_REDUCE_XOR;
}

static const char *sign(enum warp_op op) {
    switch (op) {
    case WARP_OP_REDUCE_ADD:
        return "+";
    case WARP_OP_REDUCE_AND:
        return "&";
    case WARP_OP_REDUCE_OR:
        return "|";
    case WARP_OP_REDUCE_XOR:
        return "^";
    default:
        return ",";
    }
}

static uint32_t members_of(const struct moment *moment) {
    return moment->operation->present & moment->operation->members;
}

/* A lane whose result the rules fix, the selected one if possible; -1 if there is none. */
static int find_example_lane(const struct moment *moment) {
    int selected = moment->replay->lane;
    if (moment->outcome[selected].has_value)
        return selected;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (moment->outcome[lane].has_value)
            return lane;
    return -1;
}

/* The form of a value in the arithmetic: hexadecimal for bits. */
static const char *operand(const struct moment *moment, uint64_t value,
                           char buffer[WARP_VALUE_TEXT]) {
    if (is_bitwise(moment->operation->op))
        snprintf(buffer, WARP_VALUE_TEXT, "0x%" PRIx64, value);
    else
        warp_value_format(moment->operation->type, value, buffer);
    return buffer;
}

/* "5 + 1 + 4 + 2 = 12", "min(5, 1) = 1"; equal values in a row are counted: "1 x 16". */
static void append_arithmetic(struct text *text, const struct moment *moment, int example) {
    const struct warp_operation *operation = moment->operation;
    bool call = sign(operation->op)[0] == ',', first = true;
    uint32_t members = members_of(moment);
    char value[WARP_VALUE_TEXT];
    if (call)
        text_append(text, operation->op == WARP_OP_REDUCE_MIN ? "min(" : "max(");
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(members >> lane & 1))
            continue;
        if (!first)
            text_append_format(text, call ? "%s " : " %s ", sign(operation->op));
        first = false;
        bool negative = warp_type_info(operation->type)->is_signed && operation->in[lane] >> 31 &&
                        !is_bitwise(operation->op) && !call;
        text_append_format(text, negative ? "(%s)" : "%s",
                           operand(moment, operation->in[lane], value));
    }
    text_append_format(text, call ? ") = %s" : " = %s",
                       operand(moment, operation->out[example], value));
}

/* The sum before it was cut to the type, if that makes a difference. */
static bool wraps(const struct moment *moment, int64_t *sum) {
    const struct warp_operation *operation = moment->operation;
    const struct warp_type_info *type = warp_type_info(operation->type);
    uint32_t members = members_of(moment);
    *sum = 0;
    if (operation->op != WARP_OP_REDUCE_ADD || type->bits != 32)
        return false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (members >> lane & 1)
            *sum += type->is_signed ? (int64_t)(int32_t)operation->in[lane]
                                    : (int64_t)(uint32_t)operation->in[lane];
    return type->is_signed ? *sum != (int32_t)*sum : *sum != (int64_t)(uint32_t)*sum;
}

/* Appends which lanes have the smallest or largest value, or that the sum did not fit the type. */
static void append_remark(struct text *text, const struct moment *moment, int example) {
    const struct warp_operation *operation = moment->operation;
    char lanes[EXPLAIN_LANES_TEXT];
    int64_t sum;
    uint32_t holders = 0;
    if (wraps(moment, &sum))
        text_append_format(text, _("the sum, %lld, is truncated to 32 bits"), (long long)sum);
    if (sign(operation->op)[0] != ',')
        return;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (members_of(moment) >> lane & 1 && operation->in[lane] == operation->out[example])
            holders |= UINT32_C(1) << lane;
    text_append_format(text, _("held by %s"), explain_lanes(holders, lanes));
}

static void draw_lines(const struct network *net, int y, int rows) {
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (int i = 0; i < rows && members_of(moment) >> lane & 1; i++)
            network_glyph(net->area, y + i, net, lane, 0x2502, moment_lane_style(moment, lane));
}

static void draw_nodes(const struct network *net, int y) {
    const struct moment *moment = net->moment;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool present = moment_present(moment, lane);
        bool stray =
            present && !(moment->hide & REPLAY_HIDES_ABSENT) && !(members_of(moment) >> lane & 1);
        if (!network_mark(net->area, y, net, lane))
            network_glyph(net->area, y, net, lane,
                          stray     ? '?'
                          : present ? 0x25cf
                                    : 0xb7,
                          stray ? style_role(STYLE_UNDEFINED) : moment_lane_style(moment, lane));
    }
}

/* The first column of a text of that width, centred; all of it must be visible, from column `first`
 * on. */
static int place_of(const struct network *net, int left, int right, int columns, int first) {
    const int middle = (left + right + 1 - columns) / 2, last = net->area.columns - columns;
    const int x = middle < last ? middle : last;
    return x > first ? x : first;
}

/* Draws a bar over all members, with the operator in its middle and the common result below it. */
static void draw_bar(const struct network *net, int y, int example) {
    const struct moment *moment = net->moment;
    uint32_t members = members_of(moment);
    char text[32];
    if (members == 0)
        return;
    int left = network_x(net, __builtin_ctz(members));
    int right = network_x(net, WARP_LANES - 1 - __builtin_clz(members));
    for (int x = left; x <= right; x++)
        area_glyph(net->area, x, y, 0x2501, style_role(STYLE_KEY));
    snprintf(text, sizeof text, " %s ", moment->info->name);
    area_text(net->area, place_of(net, left, right, utf8_columns(text), 0), y, text,
              style_bold(STYLE_ACTIVE));
    const char *out = example >= 0 ? moment->out[example] : "?";
    area_text(net->area, place_of(net, left, right, utf8_columns(out), net->x0), y + 1, out,
              style_bold(example >= 0 ? STYLE_TITLE : STYLE_UNDEFINED));
    network_label(net->area, y + 1, net, _("out"));
}

void draw_reduce(struct area area, const struct moment *moment) {
    struct network net = {.moment = moment};
    struct text arithmetic = TEXT_INIT, remark = TEXT_INIT;
    int example = find_example_lane(moment);
    bool shown =
        moment_shows_out(moment) && !(moment->hide & (REPLAY_HIDES_IN | REPLAY_HIDES_ABSENT));
    network_spread(&net, area, moment);
    network_rows(&net, area.rows, net.number_rows + 1 + 1 + 2 + 2);
    if (shown && moment->phase == PHASE_AFTER && example >= 0) {
        append_arithmetic(&arithmetic, moment, example);
        append_remark(&remark, moment, example);
    }
    int y = network_head(&net, 0);
    draw_nodes(&net, y++);
    int words = area.rows - y - 4;
    int most = arithmetic.length ? text_lines(arithmetic.data, area.columns - 2, 2) : 0;
    words = words < 0 ? 0 : words > most ? most : words;
    int lines = area.rows - y - 3 - words - (remark.length > 0);
    lines = lines < 1 ? 1 : lines > LINES_MOST ? LINES_MOST : lines;
    if (shown) {
        draw_lines(&net, y, lines);
        draw_bar(&net, y + lines, example);
    }
    y += lines + 3;
    if (arithmetic.length)
        y = area_text_wrapped(area_within(area, 1, 0, area.columns - 2, y + words), y, 2,
                              arithmetic.data, style_role(STYLE_PLAIN));
    if (remark.length && y < area.rows)
        area_text_clipped(area, 1, y, area.columns - 2, remark.data, style_role(STYLE_TITLE));
    text_release(&arithmetic);
    text_release(&remark);
}
