/*
 * All rounds of a reduction, a scan or a sort: lanes across, rounds down.
 *
 *     lane  0 1 2 3
 *     in    5 3 7 1
 *           | X | X       ^1: a vertical wire is the value a lane keeps, a slanted one what it gets
 *           8 8 8 8
 *           |\ X /|       ^2
 *          16 . . .
 *
 * The path of the selected lane's value is lit: every lane that contributed to it, back to the
 * inputs. Everything else recedes. A tree is the path to its root; a butterfly has one for every
 * lane.
 */
#include "replay/pages/rounds.h"
#include "base/message.h"
#include "explain/explain.h"
#include "replay/whose.h"
#include "view/pictures/network.h"

#include <stdio.h>
#include <stdlib.h>

#define FIELD_LEAST 2 /* values are left out to keep this many rows of wires */
#define FIELD_MOST  12

struct figure {
    struct network net;
    struct rounds rounds;
    int first, count;      /* rounds shown */
    int level_rows;        /* of values; 1 where there are only nodes */
    int field[ROUNDS_MAX]; /* the rows of wires of each round */
    bool has_values;
    int wires_end;  /* first hidden round */
    int values_end; /* first hidden row of values before a round */
    bool has_path;  /* the path of a value is lit (replay/whose.h): */
    uint32_t to[ROUNDS_MAX], level[ROUNDS_MAX + 1]; /* lanes that get a part of it in a round, and
                                                       lanes that have one before it */
};

/* ---- positions ---- */

static const struct warp_operation *operation_at(const struct figure *figure, int level) {
    const struct rounds *rounds = &figure->rounds;
    if (level < rounds->count)
        return &rounds->round[level].operation;
    return rounds->has_end ? &rounds->end : NULL;
}

static bool is_present(const struct figure *figure, int level, int lane) {
    const struct rounds *rounds = &figure->rounds;
    const int round = level < rounds->count ? level : rounds->count - 1;
    return rounds->round[round].operation.present >> lane & 1;
}

/* The text of a value; "" if the value is unknown or hidden. */
static const char *value_at(const struct figure *figure, int level, int lane,
                            char text[WARP_VALUE_TEXT]) {
    const struct warp_operation *operation = operation_at(figure, level);
    if (!operation || level >= figure->values_end || !(operation->present >> lane & 1))
        return "";
    return explain_in_marked(operation, lane, text);
}

static int longest_value(const struct figure *figure) {
    char text[WARP_VALUE_TEXT];
    int longest = 0;
    for (int level = figure->first; level <= figure->first + figure->count; level++)
        for (int lane = 0; lane < WARP_LANES; lane++) {
            int length = (int)strlen(value_at(figure, level, lane, text));
            longest = length > longest ? length : longest;
        }
    return longest;
}

/* While a question is open only earlier values may be shown. */
static void hide(struct figure *figure, const struct moment *moment) {
    const struct rounds *rounds = &figure->rounds;
    const bool later = moment->hide & (REPLAY_HIDES_OUT | REPLAY_HIDES_LATER);
    figure->wires_end = figure->values_end = rounds->count + 1;
    if (moment->hide & REPLAY_HIDES_READS)
        figure->wires_end = rounds->current;
    if (later || moment->hide & REPLAY_HIDES_READS)
        figure->values_end = rounds->current + 1;
    if (moment->hide & REPLAY_HIDES_IN)
        figure->values_end = rounds->current;
}

/* The length of the longest wire of a round. */
static int longest_wire(const struct round *round) {
    int reach = 1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const int distance = round->source[lane] < 0 ? 0 : abs(round->source[lane] - lane);
        reach = distance > reach ? distance : reach;
    }
    return reach;
}

/* Distributes the rows: one to each round, the rest where wires are flattest. Returns the number of
 * rows left. */
static int share_rows(struct figure *figure, int rows) {
    for (int i = 0; i < figure->count; i++)
        figure->field[i] = 1;
    for (rows -= figure->count; rows > 0; rows--) {
        int flattest = -1, most = 0;
        for (int i = 0; i < figure->count; i++) {
            const int reach = longest_wire(&figure->rounds.round[figure->first + i]);
            const int flat = (reach + 8) * 64 / figure->field[i];
            if (figure->field[i] < FIELD_MOST && flat > most) {
                most = flat;
                flattest = i;
            }
        }
        if (flattest < 0)
            break;
        figure->field[flattest]++;
    }
    return rows > 0 ? rows : 0;
}

/* Selects all rounds if they fit, else those around the current one; values if there is room left.
 * Returns the number of rows left. */
static int fit_rounds(struct figure *figure, int rows) {
    const struct rounds *rounds = &figure->rounds;
    figure->first = 0;
    figure->count = rounds->count;
    figure->level_rows = 1;
    if (2 * figure->count + 1 > rows) {
        figure->count = (rows - 1) / 2 > 1 ? (rows - 1) / 2 : 1;
        figure->first = rounds->current - figure->count / 2;
        if (figure->first + figure->count > rounds->count)
            figure->first = rounds->count - figure->count;
        figure->first = figure->first > 0 ? figure->first : 0;
    }
    const int values = network_rows_of(&figure->net, longest_value(figure));
    figure->has_values =
        values > 0 && rows - (figure->count + 1) * values >= figure->count * FIELD_LEAST;
    if (figure->has_values)
        figure->level_rows = values;
    return share_rows(figure, rows - (figure->count + 1) * figure->level_rows);
}

/* The lanes before a round that contributed to the selected lane's value, as far as may be
 * shown. */
static uint32_t path_at(const struct figure *figure, int level) {
    if (figure->has_path)
        return level < figure->wires_end ? figure->level[level] : 0;
    const int lane = figure->net.moment->replay->lane;
    const int end =
        figure->wires_end < figure->rounds.count ? figure->wires_end : figure->rounds.count;
    return level > end || figure->net.moment->unmarked
               ? 0
               : rounds_ancestors(&figure->rounds, lane, end, level);
}

static uint64_t step_of(const struct figure *figure, uint64_t position) {
    const struct cursor *cursor = &figure->net.moment->replay->cursor;
    return trace_warp_step(cursor->trace, &cursor->warp, position);
}

/* Works back from the last round: before a round, the path is in the lanes that give a value, and
 * in those that are on it after the round and keep theirs. */
static void find_path(struct figure *figure, const struct moment *moment) {
    const struct rounds *rounds = &figure->rounds;
    struct origin_terms path;
    figure->has_path = whose_path(moment->replay, &path);
    if (!figure->has_path)
        return;
    for (int i = rounds->count - 1; i >= 0; i--) {
        const struct round *round = &rounds->round[i];
        for (uint64_t at = round->first; at <= round->last; at++) {
            figure->to[i] |= whose_path_to(&path, step_of(figure, at));
            figure->level[i] |= whose_path_from(&path, step_of(figure, at));
        }
        figure->level[i + 1] |= figure->to[i];
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (warp_has_lane(figure->level[i + 1], lane) && round_keeps(round, lane))
                figure->level[i] |= UINT32_C(1) << lane;
    }
    origins_terms_release(&path);
}

/* ---- drawing ---- */

static struct style group_style(const struct figure *figure, int level, int lane) {
    const int round = level < figure->rounds.count ? level : figure->rounds.count - 1;
    const int group = explain_group(&figure->rounds.round[round].operation, lane);
    if (!is_present(figure, level, lane))
        return style_role(STYLE_ABSENT);
    if (group < 0 || figure->net.moment->hide & REPLAY_HIDES_CALL)
        return style_role(STYLE_PLAIN);
    return (struct style){STYLE_GROUP, (uint8_t)group, 0};
}

static void draw_level(struct area area, int y, const struct figure *figure, int level) {
    const uint32_t path = path_at(figure, level);
    const bool current = level == figure->rounds.current;
    char text[WARP_VALUE_TEXT];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const bool lit = path >> lane & 1;
        struct style style = group_style(figure, level, lane);
        const char *value = figure->has_values ? value_at(figure, level, lane, text) : "";
        if (lit)
            style = style_with(style, STYLE_SELECTED | STYLE_BOLD);
        else if (!current)
            style = style_with(style, STYLE_FAINT);
        if (!*value)
            value = !is_present(figure, level, lane) ? "·"
                    : lit                            ? figure->has_path ? "■" : "●"
                                                     : "○";
        network_text(area, y, figure->level_rows, &figure->net, lane, value, style);
        area_hit(area, network_x(&figure->net, lane), y, 1, figure->level_rows, ACTION_LANE_GO,
                 lane);
    }
}

static void draw_wire(const struct figure *figure, int round, int from, int to, bool lit) {
    const struct round *shown = &figure->rounds.round[round];
    const bool undefined = from != to && shown->undefined >> to & 1;
    struct pen pen = {
        .style = group_style(figure, round, to), .lane = to, .on_top = lit, .thin = true};
    if (lit)
        pen.style = style_with(style_role(STYLE_TITLE), STYLE_BOLD);
    else if (round != figure->rounds.current)
        pen.style = style_with(pen.style, STYLE_FAINT);
    if (undefined)
        pen.style = style_with(style_role(STYLE_UNDEFINED), lit ? STYLE_BOLD : 0);
    if (undefined) {
        pen.period = 7;
        pen.on = 3;
    }
    network_wire(&figure->net, from, to, &pen);
}

static void draw_round(struct area area, int y, struct figure *figure, int i) {
    const int round = figure->first + i;
    const struct round *shown = &figure->rounds.round[round];
    const uint32_t path = path_at(figure, round + 1);
    figure->net.field = area_within(area, 0, y, area.columns, figure->field[i]);
    for (int lit = 0; round < figure->wires_end && lit < 2; lit++)
        for (int lane = 0; lane < WARP_LANES; lane++) {
            if ((int)(path >> lane & 1) != lit || !(shown->operation.present >> lane & 1))
                continue;
            const int source = shown->source[lane];
            if (!lit || round_keeps(shown, lane))
                draw_wire(figure, round, lane, lane, lit);
            const bool takes = figure->has_path ? warp_has_lane(figure->to[round], lane)
                                                : round_takes(shown, lane);
            if (source >= 0 && source != lane && (!lit || takes))
                draw_wire(figure, round, source, lane, lit);
        }
}

/* "^16", or only the sign if lanes differ; '@' for idx, as in the history. */
static void draw_label(struct area area, int y, const struct figure *figure, int i) {
    const int round = figure->first + i;
    const struct round *shown = &figure->rounds.round[round];
    const bool current = round == figure->rounds.current;
    const enum warp_op op = shown->operation.op;
    const char sign = op == WARP_OP_IDX ? '@' : explain_sign(op);
    int32_t distance;
    char label[16];
    if (figure->net.moment->hide & REPLAY_HIDES_CALL)
        snprintf(label, sizeof label, "?");
    else if (warp_agree(shown->operation.arg, shown->operation.present, &distance))
        snprintf(label, sizeof label, "%c%d", sign, distance);
    else
        snprintf(label, sizeof label, "%c", sign);
    draw_value(area, 0, y, figure->net.x0 - 2 < 5 ? 5 : figure->net.x0 - 2, label,
               style_role(current ? STYLE_ACTIVE : STYLE_LABEL));
    area_hit(area, 0, y, figure->net.x0 - 1, 1, ACTION_OPERATION_GO, (int64_t)shown->first);
}

static void draw_caption(struct area area, int y, const struct figure *figure) {
    const struct rounds *rounds = &figure->rounds;
    char text[160], lanes[EXPLAIN_LANES_TEXT];
    const int end = figure->wires_end < rounds->count ? figure->wires_end : rounds->count;
    if (y >= area.rows || end == 0 || figure->net.moment->unmarked)
        return;
    if (figure->has_path) {
        snprintf(text, sizeof text, _("lit: path of the value asked for with o, in lane %d"),
                 figure->net.moment->replay->lane);
        area_text_clipped(area, 1, y, area.columns - 2, text, style_role(STYLE_DIM));
        return;
    }
    const uint32_t from = rounds_ancestors(rounds, figure->net.moment->replay->lane, end, 0) &
                          rounds->round[0].operation.launched;
    snprintf(text, sizeof text, _("lit: everything that went into lane %d: %s"),
             figure->net.moment->replay->lane, explain_lanes(from, lanes));
    /* Drawn below the wires, or further left if its length requires it. */
    int x = area.columns - 1 - utf8_columns(text);
    x = x > figure->net.x0 ? figure->net.x0 : x < 1 ? 1 : x;
    area_text_clipped(area, x, y, area.columns - x - 1, text, style_role(STYLE_DIM));
}

static void draw_figure(struct area area, struct figure *figure) {
    const struct network *net = &figure->net;
    const int rows = area.rows - net->number_rows;
    int y = net->number_rows, caption = fit_rounds(figure, rows) > 0;
    if (!caption && figure->field[0] > FIELD_LEAST && fit_rounds(figure, rows - 1) >= 0)
        caption = 1;
    network_label(area, net->number_rows - 1, net, _("lane"));
    network_numbers(area, 0, net);
    for (int i = 0; i <= figure->count; i++) {
        draw_level(area, y, figure, figure->first + i);
        y += figure->level_rows;
        if (i == figure->count)
            break;
        draw_round(area, y, figure, i);
        draw_label(area, y + (figure->field[i] - 1) / 2, figure, i);
        y += figure->field[i];
    }
    if (caption)
        draw_caption(area, y, figure);
}

void draw_rounds(struct area area, const struct moment *moment) {
    struct figure figure = {.net = {.moment = moment}};
    rounds_find(&moment->replay->cursor, &figure.rounds);
    if (figure.rounds.count < 1) {
        draw_wires(area, moment);
        return;
    }
    if (draw_matrix(area, moment, &figure.rounds))
        return;
    network_spread(&figure.net, area, moment);
    hide(&figure, moment);
    find_path(&figure, moment);
    draw_figure(area, &figure);
}
