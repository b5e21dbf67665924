/*
 * Looks at the steps on both sides of the current one and extends the series as far as the
 * distances fit. Nothing is kept: the search is bounded and quick.
 */
#include "replay/pages/rounds.h"

#include <string.h>

/* The fewest rounds that make a recording open in the view of rounds; two are enough if several
 * values are watched after them. */
#define ROUNDS_LEAST 3
#define STEPS_LOOKED 64

static bool read_step(const struct cursor *cursor, uint64_t position, struct trace_step *step) {
    uint64_t number = trace_warp_step(cursor->trace, &cursor->warp, position);
    return trace_step(cursor->trace, number, step, NULL) == 0;
}

static bool is_watch(const struct trace_step *step) {
    return step->operation.op == WARP_OP_WATCH;
}

static bool is_shuffle(const struct trace_step *step) {
    return warp_op_info(step->operation.op)->is_shuffle && step->operation.present;
}

/* True if the lanes of both pass the same arguments. */
static bool is_same_round(const struct warp_operation *a, const struct warp_operation *b) {
    if (a->op != b->op || a->present != b->present)
        return false;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (a->present >> lane & 1 &&
            (a->arg[lane] != b->arg[lane] || a->width[lane] != b->width[lane]))
            return false;
    return true;
}

/* True if one distance is half the other, rounded either way, or twice it. */
static bool is_next_distance(const struct warp_operation *a, const struct warp_operation *b) {
    int32_t from, to;
    return a->op == b->op && a->op != WARP_OP_IDX && warp_agree(a->arg, a->present, &from) &&
           warp_agree(b->arg, b->present, &to) && from > 0 && to > 0 &&
           (to == from / 2 || to == (from + 1) / 2 || to == from * 2);
}

static bool is_series(const struct trace_step *a, const struct trace_step *b) {
    if (!is_shuffle(a) || !is_shuffle(b) || a->launch != b->launch ||
        !(a->operation.present & b->operation.present)) /* divergent branches */
        return false;
    return a->operation.op == b->operation.op &&
           (a->site == b->site || is_same_round(&a->operation, &b->operation) ||
            is_next_distance(&a->operation, &b->operation));
}

/* ---- the series ---- */

static void fill_round(struct round *round, const struct trace_step *step, uint64_t position) {
    struct lane_outcome outcome[WARP_LANES];
    round->first = round->last = position;
    round->operation = step->operation;
    round->undefined = round->taken = 0;
    warp_outcome(&step->operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const bool reads = outcome[lane].status != LANE_ABSENT;
        round->source[lane] = (int8_t)(reads ? outcome[lane].address.source : -1);
        if (outcome[lane].status == LANE_UNDEFINED)
            round->undefined |= UINT32_C(1) << lane;
    }
}

/* The shuffle at the cursor or, if a watched value is there, the last shuffle before it. */
static bool find_middle(const struct cursor *cursor, struct trace_step *step, uint64_t *position) {
    *step = cursor->step;
    *position = cursor->position;
    for (int i = 0; is_watch(step) && i < STEPS_LOOKED; i++)
        if (*position == 0 || !read_step(cursor, --*position, step))
            return false;
    return is_shuffle(step);
}

/* The first shuffle of the series, or one late enough that the shuffle at `position` is among
 * ROUNDS_MAX. */
static uint64_t find_first(const struct cursor *cursor, uint64_t position, struct trace_step *first,
                           bool *before) {
    struct trace_step step;
    uint64_t at = position;
    for (int i = 1; at > 0 && i < ROUNDS_MAX; i++) {
        if (!read_step(cursor, --at, &step))
            return position;
        if (is_watch(&step))
            continue;
        if (!is_series(&step, first))
            return position;
        *first = step;
        position = at;
    }
    *before = at > 0 && position == at;
    return position;
}

static void find_end(const struct cursor *cursor, struct rounds *rounds) {
    struct trace_step step;
    uint64_t next = rounds->round[rounds->count - 1].last + 1;
    rounds->has_end =
        next < cursor->warp.steps && read_step(cursor, next, &step) && is_watch(&step);
    if (rounds->has_end)
        rounds->end = step.operation;
}

/* True if two partners have the same two values before and after, and these differ. */
static bool is_pair_exchange(const struct round *round, const uint64_t *next, int lane,
                             bool *differ) {
    const uint64_t *in = round->operation.in;
    const int other = round->source[lane];
    if (other < 0 || round->source[other] != lane)
        return false;
    *differ = *differ || in[lane] != in[other];
    return (next[lane] == in[lane] && next[other] == in[other]) ||
           (next[lane] == in[other] && next[other] == in[lane]);
}

/* Takes the lanes' values from before the next round, or from the end. */
static void find_exchange(struct round *round, const struct warp_operation *after) {
    bool differ = false, all = after && after->present == round->operation.present &&
                               after->type == round->operation.type;
    for (int lane = 0; all && lane < WARP_LANES; lane++)
        if (round->operation.present >> lane & 1) {
            all = is_pair_exchange(round, after->in, lane, &differ);
            if (all && after->in[lane] != round->operation.in[lane])
                round->taken |= UINT32_C(1) << lane;
        }
    round->is_exchange = all && differ;
}

static void find_exchanges(struct rounds *rounds) {
    for (int i = 0; i < rounds->count; i++) {
        const bool last = i + 1 == rounds->count;
        const struct warp_operation *after = !last             ? &rounds->round[i + 1].operation
                                             : rounds->has_end ? &rounds->end
                                                               : NULL;
        find_exchange(&rounds->round[i], after);
    }
}

void rounds_find(const struct cursor *cursor, struct rounds *rounds) {
    struct trace_step step, last;
    uint64_t middle;
    rounds->count = rounds->current = 0;
    rounds->before = rounds->after = rounds->has_end = false;
    if (!cursor->has_step || !find_middle(cursor, &last, &middle))
        return;
    uint64_t at = find_first(cursor, middle, &last, &rounds->before);
    for (;; at++) {
        struct round *round = rounds->count ? &rounds->round[rounds->count - 1] : NULL;
        if (!read_step(cursor, at, &step) || (!is_watch(&step) && !is_series(&last, &step)))
            break;
        if (is_watch(&step))
            continue;
        last = step;
        if (round && is_same_round(&round->operation, &step.operation)) {
            round->last = at;
            if (at == middle)
                round->operation = step.operation;
        } else if (rounds->count < ROUNDS_MAX) {
            fill_round(&rounds->round[rounds->count++], &step, at);
        } else {
            rounds->after = true;
            break;
        }
        if (at == middle)
            rounds->current = rounds->count - 1;
    }
    if (!rounds->after && rounds->count > 0)
        find_end(cursor, rounds);
    find_exchanges(rounds);
}

bool round_keeps(const struct round *round, int lane) {
    return !round->is_exchange || !(round->taken >> lane & 1);
}

bool round_takes(const struct round *round, int lane) {
    return !round->is_exchange || round->taken >> lane & 1;
}

uint32_t rounds_ancestors(const struct rounds *rounds, int lane, int to, int from) {
    uint32_t lanes = UINT32_C(1) << lane;
    for (int i = to - 1; i >= from; i--) {
        uint32_t before = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            const int at = __builtin_ctz(rest), source = rounds->round[i].source[at];
            if (round_keeps(&rounds->round[i], at))
                before |= UINT32_C(1) << at;
            if (source >= 0 && round_takes(&rounds->round[i], at))
                before |= UINT32_C(1) << source;
        }
        lanes = before;
    }
    return lanes;
}

#define NEIGHBOURS 8 /* steps searched for another shuffle */

static bool has_neighbour(const struct cursor *cursor, const struct trace_step *step,
                          uint64_t position, int direction) {
    struct trace_step other;
    for (int i = 0; i < NEIGHBOURS; i++) {
        if (direction < 0 ? position == 0 : position + 1 >= cursor->warp.steps)
            return false;
        position = direction < 0 ? position - 1 : position + 1;
        if (!read_step(cursor, position, &other))
            return false;
        if (is_shuffle(&other) && is_same_round(&other.operation, &step->operation))
            continue;
        if (!is_watch(&other))
            return direction < 0 ? is_series(&other, step) : is_series(step, &other);
    }
    return false;
}

bool rounds_at_cursor(const struct cursor *cursor) {
    struct trace_step step;
    uint64_t position;
    return cursor->has_step && find_middle(cursor, &step, &position) &&
           (has_neighbour(cursor, &step, position, -1) ||
            has_neighbour(cursor, &step, position, 1));
}

bool rounds_only(const struct cursor *cursor) {
    struct trace_step step, last = {0};
    int shuffles = 0, distances = 0, watched = 0;
    if (cursor->warp.steps > STEPS_LOOKED)
        return false;
    for (uint64_t at = 0; at < cursor->warp.steps; at++) {
        if (!read_step(cursor, at, &step))
            return false;
        watched = is_watch(&step) ? watched + 1 : 0;
        if (watched)
            continue;
        if (!is_shuffle(&step) || step.operation.op == WARP_OP_IDX ||
            (shuffles > 0 && !is_series(&last, &step)))
            return false;
        distances += shuffles > 0 && is_next_distance(&last.operation, &step.operation);
        shuffles++;
        last = step;
    }
    return distances + 1 >= ROUNDS_LEAST || (distances > 0 && watched > 1);
}
