#include "teach/quiz.h"

#include "base/message.h"
#include "replay/answer.h"

#include <stdio.h>
#include <string.h>

#define DRAWS             200 /* tries for a question of a level before another level is taken */
#define TRIES             2
#define ROW_UP            3
#define ROW_DOWN          2
#define RECORDING_LASTS   4 /* questions about one recording */
#define EMPTY_SETS_ONE_IN 6 /* an empty set is an answer, too, but seldom a good question */

/* Numerical Recipes' 64-bit generator; its high bits are the good ones. */
static uint64_t draw(struct quiz *quiz, uint64_t count) {
    quiz->random = quiz->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (quiz->random >> 33) % count;
}

/* ---- what a question is like -------------------------------------------------------------------
 */

static const struct warp_operation *operation_of(const struct quiz *quiz) {
    return &quiz->replay.step.operation;
}

static bool is_shuffle(const struct quiz *quiz) {
    return quiz->replay.has_step && warp_op_info(operation_of(quiz)->op)->is_shuffle;
}

/* Nothing about the lane that could surprise: it reads another lane of its group, and the argument
 * is what it seems. */
static bool is_plain(const struct quiz *quiz, int lane) {
    const struct warp_operation *operation = operation_of(quiz);
    const struct lane_outcome *outcome = &quiz->replay.outcome[lane];
    int32_t arg = operation->arg[lane];
    bool idx = operation->op == WARP_OP_IDX;
    return outcome->status == LANE_READ && outcome->address.source != lane && arg >= 0 &&
           arg < (idx ? operation->width[lane] : WARP_LANES) &&
           outcome->address.source >= lane / operation->width[lane] * operation->width[lane];
}

static bool differs_by_lane(const struct warp_operation *operation) {
    uint32_t first = (uint32_t)__builtin_ctz(operation->present);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (operation->present >> lane & 1 && (operation->arg[lane] != operation->arg[first] ||
                                               operation->width[lane] != operation->width[first]))
            return true;
    return false;
}

/* Whether what comes in can be worked out from the round before: it is on the screen, in the
 * history, and so is the line that makes the one of the other in the source. */
static bool is_later_round(const struct quiz *quiz) {
    struct trace_step before;
    const struct replay *replay = &quiz->replay;
    const struct warp_operation *operation = operation_of(quiz);
    const struct trace_site *site = trace_site(replay->trace, replay->step.site);
    if (replay->position == 0 || !site || !trace_source(replay->trace, site->file))
        return false;
    uint64_t number = trace_warp_step(replay->trace, &replay->warp, replay->position - 1);
    if (trace_step(replay->trace, number, &before, NULL) != 0)
        return false;
    return before.operation.type == operation->type &&
           warp_op_info(before.operation.op)->is_shuffle &&
           before.operation.present == operation->present;
}

/* ---- one question of a level -------------------------------------------------------------------
 */

static enum question_kind draw_set(struct quiz *quiz) {
    static const enum question_kind kinds[] = {QUESTION_READERS, QUESTION_READERS,
                                               QUESTION_OWN,     QUESTION_UNDEFINED,
                                               QUESTION_CHANGED, QUESTION_ABSENT};
    return kinds[draw(quiz, sizeof kinds / sizeof *kinds)];
}

static bool suits_set(struct quiz *quiz, const struct answer *answer) {
    return answer->lanes != 0 || draw(quiz, EMPTY_SETS_ONE_IN) == 0;
}

/* Whether a drawn question is one of that level. */
static bool suits(struct quiz *quiz, int level, const struct question *question,
                  const struct answer *answer) {
    const struct warp_operation *operation = operation_of(quiz);
    bool set = question_is_set(question);
    switch (level) {
    case 1:
        return is_plain(quiz, question->lane);
    case 2:
        return !is_plain(quiz, question->lane);
    case 3:
        return is_shuffle(quiz);
    case 4:
        return suits_set(quiz, answer);
    default:
        return operation->present != 0 && (!set || suits_set(quiz, answer)) &&
               (!is_shuffle(quiz) || differs_by_lane(operation));
    }
}

static enum question_kind draw_kind(struct quiz *quiz, int level) {
    switch (level) {
    case 1:
    case 2:
        return QUESTION_SOURCE;
    case 3:
        return QUESTION_VALUE;
    case 4:
        return draw_set(quiz);
    default:
        return draw(quiz, 3) ? QUESTION_VALUE : draw_set(quiz);
    }
}

static bool draw_place(struct quiz *quiz) {
    struct trace_warp warp;
    const struct trace *trace = quiz->replay.trace;
    uint64_t count = trace_warp_count(trace);
    if (!trace_warp(trace, draw(quiz, count), &warp))
        return false;
    return replay_place(&quiz->replay, warp.launch, warp.block, warp.warp,
                        draw(quiz, warp.steps)) &&
           quiz->replay.has_step;
}

struct drawn {
    struct question question;
    uint64_t warp, position;
    unsigned hide;
};

static bool same(const struct drawn *a, const struct drawn *b) {
    return a->question.kind == b->question.kind && a->question.lane == b->question.lane &&
           a->warp == b->warp && a->position == b->position;
}

/* One try; the replay is left where it was drawn. */
static bool draw_question(struct quiz *quiz, int level, const struct drawn *last,
                          struct drawn *drawn) {
    struct answer answer;
    if (!draw_place(quiz))
        return false;
    struct question question = {draw_kind(quiz, level), 0};
    if (!question_is_set(&question) || question.kind == QUESTION_READERS)
        question.lane = (int)draw(quiz, WARP_LANES);
    *drawn = (struct drawn){question, quiz->replay.warp.index, quiz->replay.position, 0};
    bool fits = answer_of(replay_subject(&quiz->replay), &question, &answer, NULL) == 0 &&
                !same(drawn, last);
    if (!fits)
        return false;
    if (level == QUIZ_LEVELS && question.kind == QUESTION_VALUE && !answer.undefined &&
        is_later_round(quiz)) {
        drawn->hide = REPLAY_HIDES_IN;
        return true;
    }
    return suits(quiz, level, &question, &answer);
}

static bool draw_level(struct quiz *quiz, int level, const struct drawn *last,
                       struct drawn *drawn) {
    for (int i = 0; i < DRAWS; i++)
        if (draw_question(quiz, level, last, drawn))
            return true;
    return false;
}

/* Chance may miss a question that is rare: this goes through the places one by one. */
static bool search_question(struct quiz *quiz, const struct drawn *last, struct drawn *drawn) {
    const struct trace *trace = quiz->replay.trace;
    uint64_t limit = DRAWS;
    struct trace_warp warp;
    for (uint64_t w = 0; w < trace_warp_count(trace) && trace_warp(trace, w, &warp); w++)
        for (uint64_t position = 0; position < warp.steps && limit > 0; position++, limit--) {
            if (!replay_place(&quiz->replay, warp.launch, warp.block, warp.warp, position) ||
                !quiz->replay.has_step)
                continue;
            for (int kind = QUESTION_SOURCE; kind < QUESTION_ABSENT; kind++)
                for (int lane = 0; lane < WARP_LANES; lane++) {
                    struct answer answer;
                    *drawn = (struct drawn){{(enum question_kind)kind, lane}, w, position, 0};
                    if (question_is_set(&drawn->question) && kind != QUESTION_READERS)
                        drawn->question.lane = 0;
                    if (!same(drawn, last) && answer_of(replay_subject(&quiz->replay),
                                                        &drawn->question, &answer, NULL) == 0)
                        return true;
                }
        }
    return false;
}

static bool draw_any(struct quiz *quiz, const struct drawn *last, struct drawn *drawn) {
    for (int level = quiz->level; level >= 1; level--)
        if (draw_level(quiz, level, last, drawn))
            return true;
    for (int level = quiz->level + 1; level <= QUIZ_LEVELS; level++)
        if (draw_level(quiz, level, last, drawn))
            return true;
    return search_question(quiz, last, drawn);
}

/* ---- asking ------------------------------------------------------------------------------------
 */

/* The picture that a question is asked beside. */
static void set_picture(struct quiz *quiz, const struct drawn *drawn) {
    struct replay *replay = &quiz->replay;
    replay->hide = drawn->hide;
    replay_set_phase(replay, PHASE_BEFORE);
    if (question_is_set(&drawn->question) && drawn->question.kind != QUESTION_READERS)
        replay->lane = 0;
    else
        replay->lane = drawn->question.lane;
    if (drawn->hide)
        replay->view = VIEW_HISTORY; /* where the rounds before are */
    else if (replay->view == VIEW_HISTORY)
        replay->view = VIEW_LANES;
}

/* Fails with the quiz as it was. */
static int ask_next(struct quiz *quiz, struct error *err) {
    struct drawn last = {quiz->question, quiz->warp, quiz->position, 0}, drawn;
    struct quiz was;
    memcpy(&was, quiz, sizeof was);
    replay_ask_end(&quiz->replay);
    /* Who makes a call can be asked of a barrier, too, but is no quiz by itself. */
    if (!search_question(quiz, &last, &drawn) || !draw_any(quiz, &last, &drawn)) {
        memcpy(quiz, &was, sizeof was);
        return error_set(err, ERROR_USAGE,
                         _("nothing can be asked about this recording\n"
                           "a quiz needs an operation that gives its lanes a defined result\n"
                           "try `shflviz quiz` without a recording"));
    }
    set_picture(quiz, &drawn);
    quiz->question = drawn.question;
    quiz->warp = drawn.warp;
    quiz->position = drawn.position;
    quiz->answered = quiz->hinted = false;
    quiz->tries = 0;
    quiz->since_recording++;
    quiz->wants_recording = quiz->since_recording > RECORDING_LASTS;
    return replay_ask(&quiz->replay, &quiz->question, err);
}

int quiz_init(struct quiz *quiz, const struct trace *trace, uint64_t seed, int level,
              struct error *err) {
    memset(quiz, 0, sizeof *quiz);
    quiz->random = seed;
    quiz->level = level < 1 ? 1 : level > QUIZ_LEVELS ? QUIZ_LEVELS : level;
    if (replay_init(&quiz->replay, trace, err) != 0)
        return -1;
    return ask_next(quiz, err);
}

int quiz_recording(struct quiz *quiz, const struct trace *trace, struct error *err) {
    struct quiz next;
    memcpy(&next, quiz, sizeof next);
    next.question = (struct question){QUESTION_NONE, 0};
    next.since_recording = 0;
    if (replay_init(&next.replay, trace, err) != 0)
        return -1;
    next.replay.view = quiz->replay.view;
    next.replay.speed = quiz->replay.speed;
    if (ask_next(&next, err) != 0)
        return -1;
    memcpy(quiz, &next, sizeof next);
    return 0;
}

/* ---- answering ---------------------------------------------------------------------------------
 */

static void say(struct quiz *quiz, const char *text) {
    size_t length = strlen(text), most = sizeof quiz->message - 1;
    if (length > most)
        for (length = most; length > 0 && (text[length] & 0xc0) == 0x80;)
            length--; /* not in the middle of a character */
    memcpy(quiz->message, text, length);
    quiz->message[length] = '\0';
}

static void count_right(struct quiz *quiz) {
    quiz->right++;
    quiz->wrong_row = 0;
    if (++quiz->row % ROW_UP == 0 && quiz->level < QUIZ_LEVELS)
        quiz->level++;
}

static void count_wrong(struct quiz *quiz) {
    quiz->row = 0;
    if (++quiz->wrong_row % ROW_DOWN == 0 && quiz->level > 1)
        quiz->level--;
}

/* The answer is on the picture. */
static void settle(struct quiz *quiz, bool right) {
    quiz->asked++;
    quiz->answered = true;
    quiz->replay.hide = 0;
    if (right && quiz->tries == 0 && !quiz->hinted)
        count_right(quiz);
    else if (right)
        quiz->row = 0;
    else
        count_wrong(quiz);
    say(quiz, quiz->replay.message);
}

static void answer(struct quiz *quiz) {
    char normal[ANSWER_TEXT];
    struct replay *replay = &quiz->replay;
    enum answer_verdict verdict =
        answer_judge(replay_subject(replay), &quiz->question, replay->input, replay->marks, normal);
    if (verdict == ANSWER_WRONG && quiz->tries + 1 < TRIES) {
        char text[ANSWER_TEXT + 64];
        quiz->tries++;
        quiz->hinted = true;
        snprintf(text, sizeof text, _("%s is not it: try once more"), message(normal));
        say(quiz, text);
        if (question_is_set(&quiz->question))
            replay->input_kept = true;
        else
            replay->input[0] = '\0';
        return;
    }
    replay_answer(replay);
    if (verdict == ANSWER_UNREADABLE)
        say(quiz, replay->message);
    else
        settle(quiz, verdict == ANSWER_RIGHT);
}

static void reveal(struct quiz *quiz) {
    replay_reveal(&quiz->replay);
    settle(quiz, false);
}

static void next_question(struct quiz *quiz) {
    struct error err = ERROR_INIT;
    if (ask_next(quiz, &err) != 0) {
        err.text[strcspn(err.text, "\n")] = '\0';
        say(quiz, err.text);
    }
}

static void go_further(struct quiz *quiz) {
    if (quiz->answered)
        next_question(quiz);
    else
        answer(quiz);
}

/* ---- keys --------------------------------------------------------------------------------------
 */

/* What looks at the picture without moving it away from the question. */
static bool looks(enum action action) {
    switch (action) {
    case ACTION_LANE_GO:
    case ACTION_LANE_NEXT:
    case ACTION_LANE_PREVIOUS:
    case ACTION_VIEW_GO:
    case ACTION_VIEW_NEXT:
    case ACTION_VIEW_PREVIOUS:
    case ACTION_HELP:
    case ACTION_CANCEL:
        return true;
    default:
        return false;
    }
}

/* Through the phases of the operation that was asked about. */
static void step_phase(struct quiz *quiz, int direction) {
    for (int phase = (int)quiz->replay.phase + direction; phase >= 0 && phase < PHASE_COUNT;
         phase += direction)
        if (phase_applies(operation_of(quiz)->op, (enum phase)phase)) {
            replay_set_phase(&quiz->replay, (enum phase)phase);
            return;
        }
}

static bool act_on_phase(struct quiz *quiz, enum action action, long argument) {
    if (action != ACTION_PHASE_NEXT && action != ACTION_PHASE_PREVIOUS && action != ACTION_PHASE_GO)
        return false;
    if (!quiz->answered)
        return false;
    if (action == ACTION_PHASE_GO && argument >= 0 && argument < PHASE_COUNT)
        replay_set_phase(&quiz->replay, (enum phase)argument);
    else if (action != ACTION_PHASE_GO)
        step_phase(quiz, action == ACTION_PHASE_NEXT ? 1 : -1);
    return true;
}

/* The quiz's own actions; false for those of the replay. */
static bool act(struct quiz *quiz, enum action action, long argument) {
    switch (action) {
    case ACTION_CONTINUE:
        go_further(quiz);
        return true;
    case ACTION_HINT:
        quiz->hinted = quiz->hinted || !quiz->answered;
        return true;
    case ACTION_REVEAL:
        if (!quiz->answered)
            reveal(quiz);
        return true;
    case ACTION_MARK:
        if (!quiz->answered)
            replay_key(&quiz->replay, "Space");
        return true;
    case ACTION_QUIT:
        quiz->quit = true;
        return true;
    default:
        if (looks(action))
            return action == ACTION_CANCEL && !quiz->answered; /* it would end the question */
        if (act_on_phase(quiz, action, argument) || action == ACTION_NONE ||
            action == ACTION_REDRAW)
            return true;
        say(quiz, quiz->answered ? _("Enter asks the next question")
                                 : _("answer first; Tab gives a hint, Escape shows the answer"));
        return true;
    }
}

static void take_message(struct quiz *quiz) {
    if (quiz->replay.message[0])
        say(quiz, quiz->replay.message);
    quiz->quit = quiz->quit || quiz->replay.quit;
    quiz->replay.quit = false;
}

static bool help_takes(struct quiz *quiz, const char *key) {
    static const char *const closing[] = {"?", "F1", "q", "Escape", "Enter", "Space", NULL};
    if (!quiz->replay.help)
        return false;
    quiz->replay.help = false;
    for (int i = 0; closing[i]; i++)
        if (strcmp(key, closing[i]) == 0)
            return true;
    return false;
}

static void question_key(struct quiz *quiz, const char *key) {
    bool empty = quiz->replay.input[0] == '\0', set = question_is_set(&quiz->question);
    const struct action_info *info = action_for_key_at(ACTION_PLACE_QUESTION, key);
    enum action action = info ? info->action : ACTION_NONE;
    if (strcmp(key, "F1") == 0 || (strcmp(key, "?") == 0 && empty && set))
        quiz->replay.help = true;
    else if (action == ACTION_CONTINUE || action == ACTION_HINT || action == ACTION_REVEAL ||
             (action == ACTION_QUIT && empty))
        act(quiz, action, 0);
    else {
        replay_key(&quiz->replay, key);
        take_message(quiz);
    }
}

static void answered_key(struct quiz *quiz, const char *key) {
    const struct action_info *info = action_for_key_at(ACTION_PLACE_QUIZ, key);
    bool digit = key[0] >= '0' && key[0] <= '9' && key[1] == '\0';
    char text[64];
    if (info && act(quiz, info->action, info->argument))
        return;
    if (info || digit) {
        replay_key(&quiz->replay, key);
        take_message(quiz);
        return;
    }
    snprintf(text, sizeof text, _("%s does nothing: ? shows the keys"), key);
    say(quiz, text);
}

bool quiz_key(struct quiz *quiz, const char *key) {
    struct quiz was;
    memcpy(&was, quiz, sizeof was);
    if (strcmp(key, "Ctrl-L") == 0)
        return true;
    quiz->message[0] = quiz->replay.message[0] = '\0';
    if (help_takes(quiz, key))
        return true;
    if (quiz->answered)
        answered_key(quiz, key);
    else
        question_key(quiz, key);
    return memcmp(&was, quiz, sizeof was) != 0;
}

bool quiz_apply(struct quiz *quiz, enum action action, long argument) {
    struct quiz was;
    memcpy(&was, quiz, sizeof was);
    quiz->message[0] = '\0';
    if (action != ACTION_HELP && action != ACTION_REDRAW && action != ACTION_NONE)
        quiz->replay.help = false;
    if (!act(quiz, action, argument)) {
        replay_apply(&quiz->replay, action, argument);
        take_message(quiz);
    }
    return action == ACTION_REDRAW || memcmp(&was, quiz, sizeof was) != 0;
}

bool quiz_tick(struct quiz *quiz, long milliseconds) {
    return replay_tick(&quiz->replay, milliseconds);
}

long quiz_wait(const struct quiz *quiz) {
    return replay_wait(&quiz->replay);
}
