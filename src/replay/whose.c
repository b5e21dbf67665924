/*
 * A chosen value stays chosen as the cursor moves, and is looked up again at each position, so that
 * a learner can follow one value through a kernel.
 */
#include "replay/whose.h"

#include "base/message.h"
#include "base/unused.h"
#include "replay/lines.h"

#include <string.h>

/* The number of lines searched backwards for a change. */
#define AGE_MOST 512

/* ---- which variable ---- */

/* Ranks variables: a higher rank means changed later or, among equals, later in the source. 0 if
 * the variable is not in scope, or unset. */
static uint64_t rank(const struct trace_lines *lines, size_t at, uint32_t variable) {
    if (!trace_line_shows(lines, &lines->lines[at], variable))
        return 0;
    for (size_t age = 0; age <= at && age < AGE_MOST; age++) {
        const struct trace_line *line = &lines->lines[at - age];
        for (uint32_t i = 0; i < line->change_count; i++)
            if (lines->changes[line->change + i].variable == variable)
                return (uint64_t)(AGE_MOST - age) << 32 | (variable + 1);
    }
    return variable + 1;
}

/* The variable with the highest rank below another. False if there is none. */
static bool best_below(const struct replay *replay, uint64_t below, uint32_t *variable) {
    const struct trace_lines *lines = replay_lines(replay);
    const size_t at = replay_line(replay);
    const struct trace_function *function = trace_function(lines->trace, lines->lines[at].function);
    uint64_t best = 0;
    for (uint32_t i = 0; i < function->variable_count; i++) {
        const uint64_t one = rank(lines, at, function->first + i);
        if (one <= best || one >= below)
            continue;
        best = one;
        *variable = function->first + i;
    }
    return best > 0;
}

static bool next_variable(const struct replay *replay, uint32_t *variable) {
    const struct trace_lines *lines = replay_lines(replay);
    const uint64_t here =
        *variable == UINT32_MAX ? UINT64_MAX : rank(lines, replay_line(replay), *variable);
    return best_below(replay, here, variable);
}

/* The requested variable if it is in scope, else the variable that was changed last. */
static bool asked_variable(const struct replay *replay, uint32_t *variable) {
    const struct trace_lines *lines = replay_lines(replay);
    *variable = replay->whose.variable;
    if (*variable != UINT32_MAX &&
        trace_line_shows(lines, &lines->lines[replay_line(replay)], *variable))
        return true;
    return best_below(replay, UINT64_MAX, variable);
}

/* ---- its origins ---- */

static void read_variable(const struct replay *replay, struct whose *whose) {
    const struct trace_lines *lines = replay_lines(replay);
    const size_t at = replay_line(replay);
    const struct trace_warp *warp = &replay->cursor.warp;
    struct trace_line_state state;
    uint32_t number;
    if (!asked_variable(replay, &number))
        return;
    const struct trace_function *function = trace_function_of(lines->trace, number);
    whose->variable = &function->variables[number - function->first];
    whose->line = function->lines[lines->lines[at].line];
    trace_line_state_init(&state, lines->trace);
    trace_lines_state(lines, at + 1, &state);
    whose->lanes = state.set[number];
    trace_line_state_release(&state);
    for (uint32_t lane = 0; whose->origins && lane < WARP_LANES; lane++) {
        const struct trace_origin_value wanted = {.launch = warp->launch,
                                                  .warp = warp->warp,
                                                  .block = warp->block,
                                                  .line = at + 1,
                                                  .variable = number,
                                                  .lane = lane};
        whose->node[lane] = trace_origins_value(whose->origins, &wanted);
    }
}

/* Each lane whose result depends on more than constants has a node of its own for it. */
static void read_operation(const struct replay *replay, struct whose *whose) {
    const struct trace_step *step = &replay->cursor.step;
    const struct trace_origins *origins = whose->origins;
    if (!replay->cursor.has_step || step->operation.op > WARP_OP_REDUCE_XOR)
        return;
    whose->lanes = step->operation.present;
    for (uint32_t i = 0; origins && i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        if (node->extra != step->number)
            continue;
        if (node->kind == TRACE_ORIGIN_MOVED)
            whose->node[(node->b >> 8) % WARP_LANES] = i;
        else if (node->kind == TRACE_ORIGIN_UNSET_LANE)
            whose->node[node->a % WARP_LANES] = i;
    }
}

void whose_read(const struct replay *replay, struct whose *whose) {
    *whose = (struct whose){.origins = trace_origins_of(replay->cursor.trace)};
    if (replay_moves_by_line(replay))
        read_variable(replay, whose);
    else
        read_operation(replay, whose);
}

/* ---- asking ---- */

bool whose_is_asked(const struct replay *replay) {
    return replay->whose.is_open && !(replay->whose.lit && replay->whose.lit_here) &&
           replay->whose.view == replay_view(replay) && replay->asking.state != PREDICTION_ASKED;
}

/* ---- paths ---- */

static bool is_lit(const struct replay *replay) {
    const struct replay_whose *whose = &replay->whose;
    return whose->is_open && whose->lit && !replay->hide &&
           (whose->lit_here || whose->view != replay_view(replay)) &&
           replay->whose.lit == trace_origins_of(replay->cursor.trace) &&
           replay->asking.state != PREDICTION_ASKED;
}

bool whose_light(struct replay *replay, enum view_kind view) {
    struct whose whose;
    if (view != VIEW_WIRES && view != VIEW_ROUNDS && view != VIEW_SOURCE)
        return false;
    if (!whose_is_asked(replay))
        return is_lit(replay);
    whose_read(replay, &whose);
    replay->whose.lit = whose.origins;
    replay->whose.lit_here = view == replay->whose.view;
    memcpy(replay->whose.node, whose.node, sizeof whose.node);
    return whose.origins != NULL;
}

bool whose_path(const struct replay *replay, struct origin_terms *path) {
    const bool lit = is_lit(replay);
    if (lit)
        origins_collect(replay->whose.lit, replay->whose.node[replay->lane], path);
    return lit;
}

void whose_miscounts(const struct replay *replay, struct miscounts *found) {
    *found = (struct miscounts){0};
    if (whose_is_asked(replay) || is_lit(replay))
        miscounts_find(replay->cursor.trace, replay->cursor.warp.launch, UINT32_MAX, UINT64_MAX,
                       found);
}

uint32_t whose_path_to(const struct origin_terms *path, uint64_t step) {
    uint32_t lanes = 0;
    for (size_t i = 0; i < path->move_count; i++)
        lanes |= path->moves[i].step == step ? UINT32_C(1) << path->moves[i].to : 0;
    return lanes;
}

uint32_t whose_path_from(const struct origin_terms *path, uint64_t step) {
    uint32_t lanes = 0;
    for (size_t i = 0; i < path->move_count; i++)
        lanes |= path->moves[i].step == step ? UINT32_C(1) << path->moves[i].from : 0;
    return lanes;
}

/* ---- opening and closing ---- */

bool whose_close(struct replay *replay) {
    const bool was = whose_is_asked(replay) || is_lit(replay);
    replay->whose.is_open = false;
    return was;
}

bool look_whose(struct replay *replay, long argument UNUSED) {
    struct replay_whose *whose = &replay->whose;
    uint32_t variable;
    if (replay->live.on && !replay->can_detail && !trace_origins_of(replay->cursor.trace)) {
        replay_set_message(replay, _("only programs record this: shflviz run FILE.cu --whose '%s'"),
                           "NAME@LINE");
        return false;
    }
    if (!whose_is_asked(replay)) {
        *whose = (struct replay_whose){
            .is_open = true, .view = replay_view(replay), .variable = UINT32_MAX};
        if (trace_origins_of(replay->cursor.trace))
            replay_set_message(replay,
                               _("see %d (wires), %d (source) and %d (rounds) for the path"),
                               VIEW_WIRES + 1, VIEW_SOURCE + 1, VIEW_ROUNDS + 1);
        return true;
    }
    if (!replay_moves_by_line(replay) || !asked_variable(replay, &variable) ||
        !next_variable(replay, &variable))
        return whose_close(replay);
    whose->variable = variable;
    return true;
}
