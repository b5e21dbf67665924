/* The start screen without a terminal: its entries, the effects of keys, and the position to which
 * it returns. */
#include "exercise/passed.h"
#include "launch/recording.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "session/journey.h"
#include "session/screens/start_screen.h"

#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct screen_options plain = {.depth = COLOR_PLAIN};

static unsigned looked; /* how many times this machine was examined */

static void machine(start_machine_line *line, void *context) {
    looked++;
    line(context, "a compiler", true, "c++ 99");
    line(context, "a GPU", false, "none is here");
}

static const struct start_options opts = {machine};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Plays keys, starting at a position; the caller releases the choice. */
static void play(const char *keys, struct start_position *position, struct text *command,
                 struct text *pasted) {
    struct error err = ERROR_INIT;
    *command = *pasted = (struct text)TEXT_INIT;
    stage_plays((const struct stage_step[]){{.keys = keys}, {0}});
    assert_int_equal(start_screen_run(&opts, position, &plain, command, pasted, &err), 0);
}

/* ---- effects of keys ---- */

static void it_gives_a_command(void **state) {
    (void)state;
    char replay[80];
    snprintf(replay, sizeof replay, "replay %s", shflviz_recordings[1].name);
    const struct {
        const char *keys, *command; /* NULL if the screen is still shown */
    } cases[] = {
        {"Enter", NULL},
        {"Enter Enter", "lesson lanes-and-warps"},
        {"Enter G Enter", "exercise warp-sum-down"},
        {"j Enter", "xor --mask 3 --width 16 --in 100+lane"},
        {"2j", NULL},
        {"j j l", "lesson"},
        {"j j j Space", "exercise"},
        {"j j j j Enter", "quiz"},
        {"q", ""},
        {"Enter q", ""},
        {"Left Escape j Enter", "xor --mask 3 --width 16 --in 100+lane"},
        {"j j j j j Enter j j j Enter", "lesson line-by-line"},
        {"j j j j j Enter j j j j Enter", "run ./-x.cu"},
        {"j j j j j Enter j j j j j Enter", "run 'a b.cu'"},
        {"j j j j j Enter j j j j j j Right", "run b.cu"},
        {"j j j j j Enter G Enter", "run b.cu"}, /* .c.cu and d.txt are not listed */
        {"j j j j j Enter q", ""},
        {"j j j j j Enter Left k Enter", "quiz"},
        {"j j j j j Enter j j Enter Enter", "kernel broadcast"},
        {"j j j j j Enter j j Enter Escape G Enter", "run b.cu"},
        {"j j j j j Enter Enter Escape G Enter", "run b.cu"},
        {"G k Enter j Enter", replay},
        {"G k Enter Escape G k k Enter G Enter", "run b.cu"},
        {"G Enter Enter j Enter Escape Enter Escape k k k Enter", "quiz"},
        {"G Enter q", ""},
    };
    write_file("b.cu", "");
    write_file("a b.cu", "");
    write_file("-x.cu", "");
    write_file(".c.cu", "");
    write_file("d.txt", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct start_position position = {0};
        struct text command, pasted;
        looked = 0;
        play(cases[i].keys, &position, &command, &pasted);
        if (!cases[i].command ? stage_was_left()
                              : !stage_was_left() || strcmp(command.data, cases[i].command) != 0)
            fail_msg("%s: '%s'", cases[i].keys, command.data);
        /* This machine is examined only on request, and only once. */
        assert_int_equal(looked, strncmp(cases[i].keys, "G Enter", 7) == 0 ? 1 : 0);
        assert_int_equal(pasted.length, 0);
        text_release(&command);
        text_release(&pasted);
    }
    unlink("b.cu");
    unlink("a b.cu");
    unlink("-x.cu");
}

static void paste_a_call(struct screen_program *program) {
    assert_false(program->done(program->state));
    assert_true(program->paste(program->state, "__shfl_up_sync(~0u, v, 2)\n"));
    assert_true(program->done(program->state));
}

/* Text typed at the prompt of a call, pasted text, and an example are all shown as code. */
static void it_takes_code(void **state) {
    (void)state;
    struct start_position position = {0};
    struct text command, pasted;
    struct error err = ERROR_INIT;
    play("j j j j j Enter Enter __shfl_xor_sync(~0u,v,4)q Backspace Enter", &position, &command,
         &pasted);
    assert_true(stage_was_left());
    assert_string_equal(pasted.data, "__shfl_xor_sync(~0u,v,4)");
    text_release(&pasted);

    position = (struct start_position){0};
    play("j j j j j Enter j Enter Enter", &position, &command, &pasted);
    assert_true(stage_was_left());
    assert_non_null(strstr(pasted.data, "// allreduce - "));
    assert_non_null(strstr(pasted.data, "int main()"));
    text_release(&pasted);

    /* If nothing was typed, the prompt closes and the list returns. */
    position = (struct start_position){0};
    play("j j j j j Enter Enter Enter", &position, &command, &pasted);
    assert_false(stage_was_left());
    text_release(&pasted);

    position = (struct start_position){0};
    stage_plays((const struct stage_step[]){{.call = paste_a_call}, {0}});
    assert_int_equal(start_screen_run(&opts, &position, &plain, &command, &pasted, &err), 0);
    assert_string_equal(command.data, "");
    assert_string_equal(pasted.data, "__shfl_up_sync(~0u, v, 2)\n");
    text_release(&pasted);
}

/* ---- the drawn screen ---- */

/* The shuffle is animated until the user chooses: the drawing advances and starts again. */
static void it_moves(struct screen_program *program) {
    char *first = stage_drawn(program);
    int alike = 0, changes = 0;
    assert_in_range(program->wait(program->state), 0, 5000);
    assert_true(program->tick(program->state, 0)); /* the animation begins */
    for (int i = 0; i < 2000; i++) {
        const long wait = program->wait(program->state);
        assert_in_range(wait, 1, 5000);
        if (program->tick(program->state, wait)) {
            char *now = stage_drawn(program);
            changes++;
            alike += strcmp(first, now) == 0;
            free(now);
        }
    }
    free(first);
    assert_in_range(changes, 1000, 2000);
    assert_in_range(alike, 2, 1000);
}

static void it_shows_the_sections(void **state) {
    (void)state;
    struct start_position position = {0};
    struct text command = TEXT_INIT, pasted = TEXT_INIT;
    struct error err = ERROR_INIT;
    stage_plays((const struct stage_step[]){
        {"", "see how the lanes of a GPU warp exchange values, step by step", "None", NULL},
        {"", "Fast track", "Continue", NULL}, /* nothing was begun */
        {"", "0/5", NULL, NULL},
        {"", "0/34", NULL, NULL},
        {"", "warp sum you", NULL, NULL},
        {"", "? help", "Esc back", NULL}, /* Escape would lead nowhere */
        {"Enter", "Lanes and warps", "One shuffle", NULL},
        {"", "Esc back", NULL, NULL},
        {"", "Sum of a warp, down a tree", NULL, NULL},
        {"", "6 min", NULL, NULL},
        {"", "larger lane numbers  4 min", NULL,
         NULL}, /* even the longest title fits in 80 columns */
        {"G", "shflviz exercise warp-sum-down", NULL, NULL},
        {"Left j", "shflviz xor --mask 3 --width 16", NULL, NULL},
        {"j", "Lessons with questions", "five steps", NULL},
        {"", "shflviz lesson", NULL, NULL},
        {"j", "Code to complete in your own editor", NULL, NULL},
        {"j", "shflviz quiz", NULL, NULL},
        {"j", "shflviz run FILE.cu", NULL, NULL},
        {"j", "shflviz replay NAME", NULL, NULL},
        {"j", "shflviz doctor", NULL, NULL},
        {"Enter", "c++ 99", "One shuffle", NULL},
        {"", "yes", NULL, NULL},
        {"j", "none is here", NULL, NULL},
        {"", "no", "One shuffle", NULL},
        {"Left g", "One shuffle", "c++ 99", NULL},
        {"j j j j j Enter", "no .cu file here", NULL, NULL},
        {"G Enter", "Start shflviz in your program", NULL, NULL},
        {"g Enter", "call: ", NULL, NULL},
        {"a Space b", "a b", NULL, NULL},
        {"Escape", "A call", "call: ", NULL},
        {"j Enter", "butterfly_max.cu", NULL, NULL},
        {"", "the sum of 2^20 numbers", "A call", NULL},
        {"Escape", "A call", NULL, NULL},
        {"j Enter", "block-reduce", NULL, NULL},
        {"Left Left j Enter", "h200/idx", "My code", NULL},
        {"", "H200", NULL, NULL},
        {.call = it_moves},
        {"q", NULL, NULL, NULL},
        {0},
    });
    assert_int_equal(start_screen_run(&opts, &position, &plain, &command, &pasted, &err), 0);
    assert_true(stage_was_left());
    assert_string_equal(command.data, "");
    text_release(&command);
    text_release(&pasted);
}

/* The first click on an entry selects it; the second opens it, like Enter. */
static void click_the_third(struct screen_program *program) {
    assert_true(program->apply(program->state, ACTION_LESSON_GO, 2));
    assert_false(program->done(program->state));
    assert_true(program->apply(program->state, ACTION_LESSON_GO, 2));
    assert_true(program->done(program->state));
}

static void it_is_clicked(void **state) {
    (void)state;
    struct start_position position = {0};
    struct text command = TEXT_INIT, pasted = TEXT_INIT;
    struct error err = ERROR_INIT;
    stage_plays((const struct stage_step[]){{.call = click_the_third}, {0}});
    assert_int_equal(start_screen_run(&opts, &position, &plain, &command, &pasted, &err), 0);
    assert_string_equal(command.data, "lesson");
    text_release(&command);
}

/* The start screen returns to the list and the chosen entry. */
static void it_remembers_the_cursor(void **state) {
    (void)state;
    struct start_position position = {0};
    static const struct {
        const char *keys, *command;
    } sessions[] = {
        {"j j j j Enter", "quiz"},    {"Enter", "quiz"},
        {"j j Enter j Enter", NULL},  {"Enter", NULL},
        {"Escape Enter Enter", NULL}, {"Escape k k Enter", "quiz"},
    };
    char *kept = NULL;
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        struct text command, pasted;
        play(sessions[i].keys, &position, &command, &pasted);
        if (sessions[i].command)
            assert_string_equal(command.data, sessions[i].command);
        else if (kept) /* the same recording each time */
            assert_string_equal(command.data, kept);
        else
            kept = strdup(command.data);
        text_release(&command);
        text_release(&pasted);
    }
    free(kept);
}

/* ---- the learner ---- */

static void store(const char *lesson, bool finished, unsigned seen, const char *date) {
    struct error err = ERROR_INIT;
    char *path = progress_path();
    struct lesson_progress line = {.lesson = (char *)lesson, .beat = "", .finished = finished};
    const struct lesson *known = lesson_built_in_find(lesson);
    line.beats = known ? (unsigned)known->beat_count : 1;
    line.seen = seen;
    snprintf(line.date, sizeof line.date, "%s", date);
    if (strcmp(lesson, "xor") == 0)
        line.questions = "-one";
    assert_int_equal(progress_store(path, &line, &err), 0);
    free(path);
}

static void shows_first(const char *text, const char *command) {
    struct start_position position = {0};
    struct text chosen = TEXT_INIT, pasted = TEXT_INIT;
    struct error err = ERROR_INIT;
    stage_plays(
        (const struct stage_step[]){{"", text, NULL, NULL}, {"Enter", NULL, NULL, NULL}, {0}});
    assert_int_equal(start_screen_run(&opts, &position, &plain, &chosen, &pasted, &err), 0);
    assert_string_equal(chosen.data, command);
    text_release(&chosen);
}

/* The first entry continues the lesson played last; after that lesson, it offers the next stop
 * of the fast track, an exercise of the lesson, or the next lesson. */
static void it_continues(void **state) {
    (void)state;
    struct start_position position = {0};
    struct text command, pasted;
    play("j j Enter", &position, &command, &pasted);
    assert_string_equal(command.data, "lesson");
    text_release(&command);
    store("broadcast", false, 3, "2026-01-01T00:00:00Z");
    play("Enter", &position, &command, &pasted); /* the cursor is kept, although an entry is new */
    assert_string_equal(command.data, "lesson");
    text_release(&command);
    shows_first("3/9", "lesson broadcast");
    store("broadcast", true, 8, "2026-01-02T00:00:00Z");
    shows_first("Next in the course: Lanes and warps.", "lesson lanes-and-warps");
    store("lanes-and-warps", true, 7, "2026-01-03T00:00:00Z");
    shows_first("2/5", "lesson down");
    store("xor", true, 8, "2026-01-04T00:00:00Z");
    shows_first("Write it yourself: Swap pairs.", "exercise swap-pairs");
    store("exercise/swap-pairs", true, 1, "2026-01-05T00:00:00Z");
    shows_first("1 missed", "lesson xor-width");
    store("down-tree", false, 4, "2026-01-06T00:00:00Z");
    shows_first("4/9", "lesson down-tree");
}

/* The fast track ends only after the last stop's exercise and all stops before it. */
static void the_fast_track_ends(void **state) {
    (void)state;
    const char *const stops[] = {"lanes-and-warps", "broadcast", "down", "down-tree",
                                 "exercise/warp-sum-down"};
    struct journey journey;
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        journey_load(&journey);
        assert_null(journey_end_of_track(&journey, "warp-sum-down"));
        journey_release(&journey);
        store(stops[i], true, 1, "2026-01-07T00:00:00Z");
    }
    journey_load(&journey);
    assert_non_null(journey_end_of_track(&journey, "warp-sum-down"));
    assert_null(journey_end_of_track(&journey, "swap-pairs"));
    journey_release(&journey);
}

/* The time left in a lesson depends on how much is still to be read. */
static void time_left_never_rises(void **state) {
    (void)state;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        assert_in_range(lesson_minutes(lesson, 0), 2, 15);
        for (size_t beat = 1; beat <= lesson->beat_count; beat++)
            assert_true(lesson_minutes(lesson, beat) <= lesson_minutes(lesson, beat - 1));
        assert_int_equal(lesson_minutes(lesson, lesson->beat_count), 1);
    }
    /* The whole fast track. */
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    struct journey journey = {0};
    unsigned minutes = 0;
    for (size_t i = 0; i < count; i++) {
        struct journey_step step;
        journey_stop(&journey, i, &step);
        minutes += step.minutes;
    }
    assert_int_equal(count, 5);
    assert_in_range(minutes, 18, 28);
}

int main(void) {
    char folder[] = "/tmp/shflviz-start-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    setenv("LC_ALL", "C", 1);
    setenv("XDG_STATE_HOME", folder, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_gives_a_command),      cmocka_unit_test(it_takes_code),
        cmocka_unit_test(it_shows_the_sections),   cmocka_unit_test(it_is_clicked),
        cmocka_unit_test(it_remembers_the_cursor), cmocka_unit_test(it_continues),
        cmocka_unit_test(the_fast_track_ends),     cmocka_unit_test(time_left_never_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
