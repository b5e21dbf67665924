/*
 * A quiz is a replay with a question over it. Its own actions come first; of the replay's actions,
 * it allows only those that do not lead away from the question.
 */
#include "teach/quiz.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "base/unused.h"
#include "replay/predict.h"
#include "teach/draw.h"
#include "teach/scene.h"

#include <stdlib.h>
#include <string.h>

#define TRIES           2
#define ROW_UP          3
#define ROW_DOWN        2
#define RECORDING_LASTS 4 /* questions about one recording */

/* ---- asking ---- */

/* Sets the picture for a question. */
static void set_picture(struct quiz *quiz, const struct drawn *drawn) {
    struct replay *replay = &quiz->replay;
    replay_set_picture(replay, drawn->hide, replay->points);
    replay_set_phase(replay, PHASE_BEFORE);
    replay_set_lane(replay, drawn->question.lane); /* 0 if the question is not about a lane */
    if (drawn->hide)
        replay_set_view(replay, VIEW_HISTORY); /* the earlier rounds are shown first */
    else if (replay->view == VIEW_HISTORY)
        replay_set_view(replay, VIEW_LANES);
}

/* On failure the quiz is unchanged. */
static int ask_next(struct quiz *quiz, struct error *err) {
    struct drawn last = {quiz->question, quiz->warp, quiz->position, 0}, drawn;
    struct quiz was;
    memcpy(&was, quiz, sizeof was);
    replay_ask_end(&quiz->replay);
    struct draw draw = {&quiz->replay, quiz->random};
    /* Absent lanes can also be asked about at a barrier, but that alone is not a quiz. */
    if (!draw_exhaustive(&draw, &last, &drawn) ||
        !draw_question_of(&draw, quiz->level, &last, &drawn)) {
        memcpy(quiz, &was, sizeof was);
        return error_set(err, ERROR_USAGE,
                         _("nothing can be asked about this recording\n"
                           "a quiz needs an operation that gives its lanes a defined result\n"
                           "try `shflviz quiz` without a recording"));
    }
    quiz->random = draw.random;
    if (quiz->asks_beat) /* its lesson chose the view */
        replay_set_view(&quiz->replay, VIEW_LANES);
    quiz->asks_beat = false;
    set_picture(quiz, &drawn);
    quiz->question = drawn.question;
    quiz->warp = drawn.warp;
    quiz->position = drawn.position;
    quiz->answered = quiz->hinted = quiz->reveal_asked = false;
    quiz->tries = 0;
    quiz->since_recording++;
    quiz->wants_recording = quiz->since_recording > RECORDING_LASTS;
    if (replay_ask(&quiz->replay, &quiz->question, err) != 0)
        return -1;
    prose_release(&quiz->told);
    return 0;
}

/* Shows the beat's narration and question; if these have values from other recordings, or there is
 * no question, shows the program's own sentence and the code instead. */
static void show_texts(struct quiz *quiz, const struct lesson *lesson,
                       const struct lesson_beat *beat, size_t language) {
    struct text markdown = TEXT_INIT;
    char words[320];
    const size_t index = (size_t)(beat - lesson->beats);
    const char *narration = lesson_part(lesson, index, language, LESSON_NARRATION);
    const char *question = lesson_part(lesson, index, language, LESSON_QUESTION);
    struct trace **traces = memory_zeroed(lesson->run_count, sizeof *traces);
    struct scene scene = {lesson, traces, &beat->show};
    memcpy(&traces[beat->show.run], &quiz->replay.cursor.trace, sizeof *traces);
    prose_release(&quiz->told);
    if (narration && question)
        text_append_format(&markdown, "%s\n\n%s\n\n", narration, question);
    scene_append_code(&beat->ask, &markdown);
    if (prose_make(&quiz->told, markdown.data, scene_lookup, &scene, NULL) != 0 ||
        (!question && markdown.length)) {
        text_clear(&markdown);
        text_append_format(
            &markdown, "%s\n\n",
            question_sentence(replay_subject(&quiz->replay), &beat->ask, words, sizeof words));
        scene_append_code(&beat->ask, &markdown);
        prose_release(&quiz->told);
        prose_make(&quiz->told, markdown.data, NULL, NULL, NULL);
    }
    free(traces);
    text_release(&markdown);
}

int quiz_ask(struct quiz *quiz, const struct lesson *lesson, const struct lesson_beat *beat,
             const char *language, struct error *err) {
    struct replay replay;
    if (scene_open(&replay, quiz->replay.cursor.trace, &beat->show, err) != 0)
        return -1;
    if (replay_ask(&replay, &beat->ask, err) != 0)
        return -1;
    replay_set_speed(&replay, quiz->replay.speed);
    memcpy(&quiz->replay, &replay, sizeof replay);
    quiz->question = beat->ask;
    quiz->asks_beat = true;
    show_texts(quiz, lesson, beat, language ? lesson_language_find(lesson, language) : 0);
    return 0;
}

void quiz_release(struct quiz *quiz) {
    prose_release(&quiz->told);
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

int quiz_set_recording(struct quiz *quiz, const struct trace *trace, struct error *err) {
    struct quiz next;
    memcpy(&next, quiz, sizeof next);
    next.question = (struct question){.kind = QUESTION_NONE};
    next.since_recording = 0;
    if (replay_init(&next.replay, trace, err) != 0)
        return -1;
    replay_set_view(&next.replay, quiz->replay.view);
    replay_set_speed(&next.replay, quiz->replay.speed);
    if (ask_next(&next, err) != 0)
        return -1;
    memcpy(quiz, &next, sizeof next);
    return 0;
}

/* ---- answering ---- */

static void say(struct quiz *quiz, const char *text) {
    utf8_format(quiz->message, sizeof quiz->message, "%s", text);
}

static void take_message(struct quiz *quiz) {
    if (quiz->replay.message[0])
        say(quiz, quiz->replay.message);
    quiz->quit = replay_take_quit(&quiz->replay) || quiz->quit;
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

/* Counts the question; the picture now shows its answer. */
static void settle(struct quiz *quiz, bool right) {
    const bool shown = quiz->replay.asking.state == PREDICTION_SHOWN;
    quiz->asked++;
    results_settle(quiz->results, "", replay_subject(&quiz->replay), &quiz->question,
                   (struct result){.is_right = right, .hinted = quiz->hinted, .shown = shown});
    quiz->answered = true;
    quiz->was_right = right;
    replay_set_picture(&quiz->replay, 0, quiz->replay.points);
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
    enum answer_verdict verdict = answer_judge(replay_subject(replay), &quiz->question,
                                               replay->input.text, replay->asking.marks, normal);
    if (verdict != ANSWER_UNREADABLE)
        results_answer(quiz->results, "", normal);
    if (verdict == ANSWER_WRONG && quiz->tries + 1 < TRIES) {
        quiz->tries++;
        quiz->hinted = true;
        utf8_format(quiz->message, sizeof quiz->message,
                    answer_is_part(replay_subject(replay), &quiz->question, normal)
                        ? _("%s is right, but not complete: try once more")
                        : _("%s is not right: try once more"),
                    message(normal));
        replay_ask_again(replay);
        return;
    }
    replay_answer(replay);
    if (verdict == ANSWER_UNREADABLE)
        say(quiz, replay->message);
    else
        settle(quiz, verdict == ANSWER_RIGHT);
}

/* Escape first clears the input; then it asks for confirmation before the answer is shown. */
static bool is_confirmed(struct quiz *quiz) {
    struct replay *replay = &quiz->replay;
    if (replay->input.text[0] || replay->asking.marks) {
        replay_type_answer(replay, "");
        return false;
    }
    if (quiz->reveal_asked)
        return true;
    quiz->reveal_asked = true;
    utf8_format(quiz->message, sizeof quiz->message, _("%s once more shows the answer"),
                action_key(ACTION_MODE_QUESTION, ACTION_REVEAL));
    return false;
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

/* ---- actions ---- */

typedef bool quiz_handler(struct quiz *quiz, enum action action, long argument);

static bool continue_quiz(struct quiz *quiz, enum action action UNUSED, long argument UNUSED) {
    if (!quiz->answered)
        answer(quiz);
    else if (quiz->questions && quiz->asked >= quiz->questions)
        quiz->quit = true;
    else
        next_question(quiz);
    return true;
}

static bool hint(struct quiz *quiz, enum action action UNUSED, long argument UNUSED) {
    quiz->hinted = quiz->hinted || !quiz->answered;
    return true;
}

static bool show_answer(struct quiz *quiz, enum action action UNUSED, long argument UNUSED) {
    if (!quiz->answered && is_confirmed(quiz))
        reveal(quiz);
    return true;
}

static bool leave(struct quiz *quiz, enum action action UNUSED, long argument UNUSED) {
    return quiz->quit = true;
}

static bool apply_to_replay(struct quiz *quiz, enum action action, long argument) {
    bool changed = replay_apply(&quiz->replay, action, argument);
    take_message(quiz);
    return changed;
}

static bool cancel(struct quiz *quiz, enum action action, long argument) {
    return quiz->answered &&
           apply_to_replay(quiz, action, argument); /* it would end the question */
}

static bool refuse_move(struct quiz *quiz) {
    if (quiz->answered)
        utf8_format(quiz->message, sizeof quiz->message, _("%s asks the next question"),
                    action_key(ACTION_MODE_QUIZ, ACTION_CONTINUE));
    else
        utf8_format(quiz->message, sizeof quiz->message,
                    _("answer first; %s gives a hint, %s shows the answer"),
                    action_key(ACTION_MODE_QUESTION, ACTION_HINT),
                    action_key(ACTION_MODE_QUESTION, ACTION_REVEAL));
    return false;
}

/* Moves through the phases of the operation that was asked about. */
static bool step_phase(struct quiz *quiz, enum action action, long argument UNUSED) {
    const struct cursor *cursor = &quiz->replay.cursor;
    if (!quiz->answered)
        return refuse_move(quiz);
    int phase = cursor_next_phase(cursor, cursor->phase, action == ACTION_PHASE_NEXT ? 1 : -1);
    return phase >= 0 && replay_set_phase(&quiz->replay, (enum phase)phase);
}

static bool go_to_phase(struct quiz *quiz, enum action action UNUSED, long argument) {
    if (!quiz->answered)
        return refuse_move(quiz);
    return argument >= 0 && argument < PHASE_COUNT &&
           replay_set_phase(&quiz->replay, (enum phase)argument);
}

static bool nothing(struct quiz *quiz UNUSED, enum action action, long argument UNUSED) {
    return action == ACTION_REDRAW;
}

/* The quiz's own handlers. Otherwise the replay may change how the picture is shown; nothing moves
 * it away from the question. */
static quiz_handler *const handlers[ACTION_COUNT] = {
    [ACTION_NONE] = nothing,
    [ACTION_REDRAW] = nothing,
    [ACTION_CONTINUE] = continue_quiz,
    [ACTION_HINT] = hint,
    [ACTION_REVEAL] = show_answer,
    [ACTION_MARK] = apply_to_replay,
    [ACTION_QUIT] = leave,
    [ACTION_CANCEL] = cancel,
    [ACTION_PHASE_NEXT] = step_phase,
    [ACTION_PHASE_PREVIOUS] = step_phase,
    [ACTION_PHASE_GO] = go_to_phase,
};

static bool act(struct quiz *quiz, enum action action, long argument) {
    if (handlers[action])
        return handlers[action](quiz, action, argument);
    return action_flags(action) & ACTION_CHANGES_DISPLAY ? apply_to_replay(quiz, action, argument)
                                                         : refuse_move(quiz);
}

bool quiz_apply(struct quiz *quiz, enum action action, long argument) {
    struct old_message was = message_begin(quiz->message);
    bool changed = false;
    if (action != ACTION_HELP && action != ACTION_REDRAW && action != ACTION_NONE)
        changed = replay_close_help(&quiz->replay);
    changed = act(quiz, action, argument) || changed;
    return changed || message_changed(&was, quiz->message);
}

bool quiz_answer(struct quiz *quiz, const char *typed) {
    if (quiz->answered)
        return false;
    replay_type_answer(&quiz->replay, typed);
    return quiz_apply(quiz, ACTION_CONTINUE, 0);
}

/* ---- keys ---- */

struct press quiz_press(const struct quiz *quiz, const char *key) {
    return quiz->answered ? replay_help_press(&quiz->replay, action_press(ACTION_MODE_QUIZ, key))
                          : replay_press(&quiz->replay, key);
}

static bool dispatch_key(struct quiz *quiz, struct press press) {
    const enum action action = press.info->action;
    if (action != ACTION_REVEAL)
        quiz->reveal_asked = false;
    if (action != ACTION_NONE && (action != ACTION_MARK || quiz->answered) && handlers[action])
        return handlers[action](quiz, action, press.info->argument);
    bool changed = quiz->answered ? replay_command(&quiz->replay, ACTION_MODE_QUIZ, press)
                                  : replay_key(&quiz->replay, press);
    take_message(quiz);
    return changed;
}

bool quiz_key(struct quiz *quiz, struct press press) {
    if (press.info->action == ACTION_REDRAW)
        return true;
    struct old_message was = message_begin(quiz->message);
    replay_clear_message(&quiz->replay);
    bool changed = quiz->replay.help;
    if (!replay_help_takes(&quiz->replay, press))
        changed = dispatch_key(quiz, press) || changed;
    return changed || message_changed(&was, quiz->message);
}

/* ---- time ---- */

bool quiz_tick(struct quiz *quiz, long milliseconds) {
    return replay_tick(&quiz->replay, milliseconds);
}

long quiz_wait(const struct quiz *quiz) {
    return replay_wait(&quiz->replay);
}
