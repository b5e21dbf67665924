/*
 * Tries a number of random positions and takes the first that suits the level, which is simpler
 * than listing the suitable ones, and quick enough because most positions are suitable.
 */
#include "teach/draw.h"

#define DRAWS             200 /* tries for a question of a level before another level is used */
#define EMPTY_SETS_ONE_IN 6   /* an empty set is an answer, too, but seldom a good question */

/* Numerical Recipes' 64-bit generator; only its high bits are good. */
static uint64_t random_below(struct draw *draw, uint64_t count) {
    draw->random = draw->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (draw->random >> 33) % count;
}

/* ---- properties of a question ---- */

static const struct warp_operation *operation_of(const struct draw *draw) {
    return &draw->replay->cursor.step.operation;
}

static bool is_shuffle(const struct draw *draw) {
    return draw->replay->cursor.has_step && warp_op_info(operation_of(draw)->op)->is_shuffle;
}

/* The lane holds no surprises: it reads another lane of its group, and the argument is used as it
 * is. */
static bool is_plain(const struct draw *draw, int lane) {
    const struct warp_operation *operation = operation_of(draw);
    const struct lane_outcome *outcome = &draw->replay->cursor.outcome[lane];
    int32_t arg = operation->arg[lane];
    bool idx = operation->op == WARP_OP_IDX;
    return outcome->status == LANE_READ && outcome->address.source != lane && arg >= 0 &&
           arg < (idx ? operation->width[lane] : WARP_LANES) &&
           outcome->address.source >= lane / operation->width[lane] * operation->width[lane];
}

static bool differs_by_lane(const struct warp_operation *operation) {
    int32_t arg, width;
    return !warp_agree(operation->arg, operation->present, &arg) ||
           !warp_agree(operation->width, operation->present, &width);
}

/* True if the inputs can be computed from the previous round, which is on the screen in the
 * history, as is the source line in between. */
static bool is_later_round(const struct draw *draw) {
    struct trace_step before;
    const struct replay *replay = draw->replay;
    const struct warp_operation *operation = operation_of(draw);
    const struct trace_site *site = trace_site(replay->cursor.trace, replay->cursor.step.site);
    if (replay->cursor.position == 0 || !site || !trace_source(replay->cursor.trace, site->file))
        return false;
    uint64_t number =
        trace_warp_step(replay->cursor.trace, &replay->cursor.warp, replay->cursor.position - 1);
    if (trace_step(replay->cursor.trace, number, &before, NULL) != 0)
        return false;
    return before.operation.type == operation->type &&
           warp_op_info(before.operation.op)->is_shuffle &&
           before.operation.present == operation->present;
}

/* ---- one question of a level ---- */

static enum question_kind draw_set_kind(struct draw *draw) {
    static const enum question_kind kinds[] = {QUESTION_READERS, QUESTION_READERS,
                                               QUESTION_OWN,     QUESTION_UNDEFINED,
                                               QUESTION_CHANGED, QUESTION_ABSENT};
    return kinds[random_below(draw, sizeof kinds / sizeof *kinds)];
}

static bool suits_set(struct draw *draw, const struct answer *answer) {
    return answer->lanes != 0 || random_below(draw, EMPTY_SETS_ONE_IN) == 0;
}

/* True if a drawn question is one of that level. */
static bool suits(struct draw *draw, int level, const struct question *question,
                  const struct answer *answer) {
    const struct warp_operation *operation = operation_of(draw);
    bool set = question_is_set(question);
    switch (level) {
    case 1:
        return is_plain(draw, question->lane);
    case 2:
        return !is_plain(draw, question->lane);
    case 3:
        return is_shuffle(draw);
    case 4:
        return suits_set(draw, answer);
    default:
        return operation->present != 0 && (!set || suits_set(draw, answer)) &&
               (!is_shuffle(draw) || differs_by_lane(operation));
    }
}

static enum question_kind draw_kind(struct draw *draw, int level) {
    switch (level) {
    case 1:
    case 2:
        return QUESTION_SOURCE;
    case 3:
        return QUESTION_VALUE;
    case 4:
        return draw_set_kind(draw);
    default:
        return random_below(draw, 3) ? QUESTION_VALUE : draw_set_kind(draw);
    }
}

static bool draw_position(struct draw *draw) {
    struct trace_warp warp;
    const struct trace *trace = draw->replay->cursor.trace;
    uint64_t count = trace_warp_count(trace);
    if (!trace_warp(trace, random_below(draw, count), &warp))
        return false;
    return replay_go_position(draw->replay, warp.launch, warp.block, warp.warp,
                              random_below(draw, warp.steps)) &&
           draw->replay->cursor.has_step;
}

static bool same(const struct drawn *a, const struct drawn *b) {
    return a->question.kind == b->question.kind && a->question.lane == b->question.lane &&
           a->warp == b->warp && a->position == b->position;
}

/* Tries once; the replay stays where the question was drawn. */
static bool draw_question(struct draw *draw, int level, const struct drawn *last,
                          struct drawn *drawn) {
    struct answer answer;
    if (!draw_position(draw))
        return false;
    struct question question = {.kind = draw_kind(draw, level)};
    if (!question_is_set(&question) || question.kind == QUESTION_READERS)
        question.lane = (int)random_below(draw, WARP_LANES);
    *drawn =
        (struct drawn){question, draw->replay->cursor.warp.index, draw->replay->cursor.position, 0};
    bool fits = answer_of(replay_subject(draw->replay), &question, &answer, NULL) == 0 &&
                !same(drawn, last);
    if (!fits)
        return false;
    if (level == DRAW_LEVELS && question.kind == QUESTION_VALUE && !answer.undefined &&
        is_later_round(draw)) {
        drawn->hide = REPLAY_HIDES_IN;
        return true;
    }
    return suits(draw, level, &question, &answer);
}

static bool draw_level(struct draw *draw, int level, const struct drawn *last,
                       struct drawn *drawn) {
    for (int i = 0; i < DRAWS; i++)
        if (draw_question(draw, level, last, drawn))
            return true;
    return false;
}

/* Random tries may miss a rare question: this goes through all positions. */
bool draw_exhaustive(struct draw *draw, const struct drawn *last, struct drawn *drawn) {
    const struct trace *trace = draw->replay->cursor.trace;
    uint64_t limit = DRAWS;
    struct trace_warp warp;
    for (uint64_t w = 0; w < trace_warp_count(trace) && trace_warp(trace, w, &warp); w++)
        for (uint64_t position = 0; position < warp.steps && limit > 0; position++, limit--) {
            replay_go_position(draw->replay, warp.launch, warp.block, warp.warp, position);
            for (int kind = QUESTION_SOURCE; kind < QUESTION_ABSENT; kind++)
                for (int lane = 0; lane < WARP_LANES; lane++) {
                    struct answer answer;
                    *drawn = (struct drawn){
                        {.kind = (enum question_kind)kind, .lane = lane}, w, position, 0};
                    if (question_is_set(&drawn->question) && kind != QUESTION_READERS)
                        drawn->question.lane = 0;
                    if (!same(drawn, last) && answer_of(replay_subject(draw->replay),
                                                        &drawn->question, &answer, NULL) == 0)
                        return true;
                }
        }
    return false;
}

bool draw_question_of(struct draw *draw, int wanted, const struct drawn *last,
                      struct drawn *drawn) {
    for (int level = wanted; level >= 1; level--)
        if (draw_level(draw, level, last, drawn))
            return true;
    for (int level = wanted + 1; level <= DRAW_LEVELS; level++)
        if (draw_level(draw, level, last, drawn))
            return true;
    return draw_exhaustive(draw, last, drawn);
}
