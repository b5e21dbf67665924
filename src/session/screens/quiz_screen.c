/*
 * The quiz itself is in teach/quiz.h; this file handles its recordings and progress, and presents
 * it on a screen or, without one, as lines of text.
 */
#include "session/screens/quiz_screen.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "replay/predict.h"
#include "teach/quiz.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct quiz_session {
    struct quiz_source *source;
    struct screen_program program;
    struct quiz quiz;
    struct trace *trace;
    struct results_file file;
    bool mended;          /* the last answer has been kept */
    struct error trouble; /* why the learner's progress could not be saved */
};

/* How many recordings are tried before the quiz gives up: with random members there may be no lane
 * worth asking about. */
#define ATTEMPTS 16

/* The recording may have been made for a question that was missed in a lesson. */
static void ask_missed(struct quiz_session *asking) {
    struct error ignored = ERROR_INIT; /* then the quiz asks its own */
    const struct quiz_missed *wanted = &asking->source->wanted;
    if (wanted->beat)
        quiz_ask(&asking->quiz, wanted->lesson, wanted->beat, message_language(), &ignored);
}

/* Called after each action: keeps the answers. */
static void keep_answers(struct quiz_session *asking) {
    results_file_keep(&asking->file, asking->quiz.level);
    if (asking->quiz.answered && asking->quiz.asks_beat && asking->quiz.was_right &&
        !asking->mended)
        quiz_source_mark_solved(asking->source, &asking->trouble);
    asking->mended = asking->quiz.answered;
}

static int open_first(struct quiz_session *asking, uint64_t seed, int level, struct error *err) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (quiz_source_next(asking->source, level, &asking->trace, err) != 0)
            return -1;
        if (quiz_init(&asking->quiz, asking->trace, seed, level, err) == 0) {
            ask_missed(asking);
            return 0;
        }
        trace_close(asking->trace);
        asking->trace = NULL;
        if (!quiz_source_has_more(asking->source))
            break;
    }
    return -1;
}

static int quiz_begin(struct quiz_session *asking, uint64_t seed, int level,
                      const struct results_options *opts, struct error *err) {
    const struct results_heading heading = {
        .of = "quiz", .name = asking->source->name, .level = level, .questions = opts->questions};
    if (open_first(asking, seed, level, err) != 0)
        return -1;
    if (results_file_begin(&asking->file, opts, &heading, err) != 0) {
        quiz_release(&asking->quiz);
        trace_close(asking->trace);
        return -1;
    }
    asking->quiz.results = results_file_results(&asking->file);
    asking->quiz.questions = (unsigned)opts->questions;
    return 0;
}

static int quiz_end(struct quiz_session *asking, int status, struct error *err) {
    struct error unwritten = ERROR_INIT;
    quiz_release(&asking->quiz);
    trace_close(asking->trace);
    if (results_file_end(&asking->file, &unwritten) == 0)
        unwritten = asking->trouble;
    if (status != 0 || unwritten.kind == ERROR_NONE)
        return status;
    *err = unwritten;
    return -1;
}

/* Gets another recording if the quiz wants one, and keeps the old one if there is none. */
static bool replace_recording(struct quiz_session *asking) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    if (!asking->quiz.wants_recording || !quiz_source_has_more(asking->source) ||
        quiz_source_next(asking->source, asking->quiz.level, &trace, &err) != 0)
        return false;
    if (quiz_set_recording(&asking->quiz, trace, &err) != 0) {
        trace_close(trace);
        return false;
    }
    trace_close(asking->trace);
    asking->trace = trace;
    ask_missed(asking);
    return true;
}

/* ---- on a terminal ---- */

static struct press quiz_program_press(const void *state, const char *key) {
    return quiz_press(&((const struct quiz_session *)state)->quiz, key);
}

static bool quiz_program_key(void *state, struct press press) {
    struct quiz_session *asking = state;
    bool changed = quiz_key(&asking->quiz, press);
    keep_answers(asking);
    return replace_recording(asking) || changed;
}

static bool quiz_program_apply(void *state, enum action action, long argument) {
    struct quiz_session *asking = state;
    bool changed = quiz_apply(&asking->quiz, action, argument);
    keep_answers(asking);
    return replace_recording(asking) || changed;
}

static bool quiz_program_tick(void *state, long milliseconds) {
    struct quiz_session *asking = state;
    return quiz_tick(&asking->quiz, milliseconds);
}

static long quiz_program_wait(const void *state) {
    const struct quiz_session *asking = state;
    return quiz_wait(&asking->quiz);
}

static void quiz_program_draw(const void *state, struct grid *grid) {
    const struct quiz_session *asking = state;
    view_draw_quiz(grid, &asking->quiz);
}

static bool quiz_program_done(const void *state) {
    const struct quiz_session *asking = state;
    return asking->quiz.quit;
}

struct quiz_session *quiz_session_open(struct quiz_source *source, uint64_t seed, int level,
                                       const struct results_options *opts, struct error *err) {
    struct quiz_session *asking = memory_zeroed(1, sizeof *asking);
    asking->source = source;
    asking->program = (struct screen_program){.state = asking,
                                              .press = quiz_program_press,
                                              .key = quiz_program_key,
                                              .apply = quiz_program_apply,
                                              .tick = quiz_program_tick,
                                              .wait = quiz_program_wait,
                                              .draw = quiz_program_draw,
                                              .done = quiz_program_done};
    if (quiz_begin(asking, seed, level, opts, err) == 0)
        return asking;
    free(asking);
    return NULL;
}

struct screen_program *quiz_program(struct quiz_session *asking) {
    return &asking->program;
}

int quiz_session_close(struct quiz_session *asking, int status, struct error *err) {
    status = quiz_end(asking, status, err);
    free(asking);
    return status;
}

int quiz_screen_run(struct quiz_source *source, uint64_t seed, int level,
                    const struct results_options *opts, const struct screen_options *screen,
                    struct error *err) {
    struct quiz_session *asking = quiz_session_open(source, seed, level, opts, err);
    if (!asking)
        return -1;
    return quiz_session_close(asking, screen_run(&asking->program, screen, err), err);
}

/* ---- line by line ---- */

#define TEXT_ROWS 24

static void print_screen(const struct quiz_session *asking, const struct text_style *style) {
    struct grid grid;
    const int columns = style->columns < 60 ? 60 : style->columns > 120 ? 120 : style->columns;
    grid_init(&grid, columns, TEXT_ROWS, style->ascii);
    view_draw_quiz(&grid, &asking->quiz);
    paint_to(stdout, &grid, &style->palette);
    grid_release(&grid);
}

static void print_question(const struct quiz_session *asking, const struct text_style *style) {
    char sentence[256];
    print_screen(asking, style);
    printf("%s\n> ", question_sentence(replay_subject(&asking->quiz.replay), &asking->quiz.question,
                                       sentence, sizeof(sentence)));
    fflush(stdout);
}

static void print_answer(struct quiz_session *asking, const struct question *question) {
    char words[ANSWER_TEXT], reason[512];
    struct answer answer;
    const struct subject subject = replay_subject(&asking->quiz.replay);
    if (answer_of(subject, question, &answer, NULL) == 0)
        printf(_("the answer is %s: %s\n\n"),
               message(answer_format(subject, question, &answer, words)),
               answer_reason(subject, question, reason, sizeof(reason)));
}

static void take_line(struct quiz_session *asking, char *line) {
    char hint[256];
    struct quiz *quiz = &asking->quiz;
    const struct question question = quiz->question;
    line[strcspn(line, "\r\n")] = '\0';
    if (strcmp(line, "hint") == 0) {
        quiz_apply(quiz, ACTION_HINT, 0);
        printf("%s\n", answer_hint(replay_subject(&quiz->replay), &question, hint, sizeof(hint)));
        return;
    }
    if (line[strspn(line, " ")])
        quiz_answer(quiz, line);
    else
        for (int i = 0; i < 3 && !quiz->answered; i++) /* a blank line asks for the answer */
            quiz_apply(quiz, ACTION_REVEAL, 0);
    if (quiz->message[0])
        printf("%s\n", quiz->message);
    if (quiz->answered)
        print_answer(asking, &question);
}

/* Reads a line of any length and keeps its beginning; false at the end of input. */
static bool read_line(char *line, size_t size) {
    if (!fgets(line, (int)size, stdin))
        return false;
    for (int c; !strchr(line, '\n') && (c = getchar()) != EOF && c != '\n';)
        ;
    return true;
}

int quiz_text_run(struct quiz_source *source, uint64_t seed, int level,
                  const struct results_options *opts, const struct text_style *style,
                  struct error *err) {
    struct quiz_session asking = {.source = source};
    char line[REPLAY_INPUT_SIZE];
    if (quiz_begin(&asking, seed, level, opts, err) != 0)
        return -1;
    print_question(&asking, style);
    while (!ferror(stdout) && !asking.quiz.quit && read_line(line, sizeof(line))) {
        take_line(&asking, line);
        keep_answers(&asking);
        if (asking.quiz.answered) {
            quiz_apply(&asking.quiz, ACTION_CONTINUE, 0);
            if (asking.quiz.quit)
                break;
            replace_recording(&asking);
            print_question(&asking, style);
        } else {
            fputs("> ", stdout);
            fflush(stdout);
        }
    }
    printf(_("\n%u of %u right on the first try, level %d\n"), asking.quiz.right, asking.quiz.asked,
           asking.quiz.level);
    return quiz_end(&asking, 0, err);
}
