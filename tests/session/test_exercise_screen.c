/*
 * Working on an exercise, without a terminal and without a compiler: screen_run() plays key
 * scripts, and exercise_judge() gives the verdicts that a test wants.
 */
#include "base/memory.h"
#include "launch/request.h"
#include "session/screens/exercise_screen.h"

#include "stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define FILE_NAME "my sum's.cu"

/* ---- verdicts ---- */

static struct {
    enum verdict_kind kind;
    const char *text;
    bool has_trace, fails;
    bool has_place, has_step, has_lanes, has_message;
} wanted;
static unsigned judged, passed;
static char judged_text[64];

static void pass(const struct exercise *exercise) {
    assert_string_equal(exercise->name, "sum");
    passed++;
}

static struct trace *record(void) {
    struct request request;
    struct error err = ERROR_INIT;
    struct trace *trace;
    assert_int_equal(
        request_read(&request, "kernel reduce-xor-sum --blocks 2 --threads 64", DEVICE_CPU, &err),
        0);
    launch_record(&request.launch, &trace, &err);
    assert_non_null(trace);
    request_release(&request);
    return trace;
}

int __wrap_exercise_judge(const struct exercise *exercise, const struct judging *judging,
                          struct verdict *verdict, struct error *err);

int __wrap_exercise_judge(const struct exercise *exercise, const struct judging *judging,
                          struct verdict *verdict, struct error *err) {
    (void)exercise;
    assert_string_equal(judging->path, FILE_NAME);
    snprintf(judged_text, sizeof judged_text, "%s", judging->text);
    judged++;
    *verdict = (struct verdict){.kind = wanted.kind, .cases = 12, .runs = 4};
    if (wanted.fails)
        return error_set(err, ERROR_MISSING, "no compiler anywhere");
    verdict->text = wanted.text ? memory_string(wanted.text) : NULL;
    verdict->trace = wanted.has_trace ? record() : NULL;
    if (wanted.kind == VERDICT_WRONG) {
        verdict->case_name = memory_string("ones");
        verdict->got = memory_string("3");
        verdict->wanted = memory_string("32");
        verdict->block = verdict->warp = 1;
        verdict->lane = 7;
        verdict->index = 103;
    }
    if (wanted.has_place) {
        struct check_finding *finding = memory_zeroed(1, sizeof *finding);
        *finding = (struct check_finding){.rule = "undefined-value",
                                          .count = 1,
                                          .has_step = wanted.has_step,
                                          .step = 9,
                                          .lanes = wanted.has_lanes ? 0x30 : 0,
                                          .has_lanes = wanted.has_lanes};
        if (wanted.has_message)
            finding->message = memory_string("it reads a lane\nthat is away");
        verdict->report =
            (struct check_report){.finding = finding, .count = 1, .capacity = 1, .found = 1};
    }
    return 0;
}

/* ---- the exercise ---- */

static char *hints[] = {(char *)"Think of xor.", (char *)"Five rounds."};

static struct exercise exercise = {
    .name = (char *)"sum",
    .language = {{.code = "en",
                  .title = (char *)"The sum of a warp",
                  .teaches = (char *)"butterflies",
                  .task = (char *)"Give every lane the sum.",
                  .hints = hints,
                  .hint_count = 2,
                  .after = (char *)"Any order will do."}},
    .language_count = 1,
    .solution = (char *)"sum += __shfl_xor_sync(...);",
};

static void write_file(const char *text) {
    FILE *file = fopen(FILE_NAME, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int work(const struct stage_step *script, struct error *err) {
    const struct exercise_options opts = {
        .exercise = &exercise, .language = "en", .judging = {.path = FILE_NAME}, .passed = pass};
    judged = passed = 0;
    stage_plays(script);
    struct journey_step next;
    bool goes_on;
    const int status = exercise_screen_run(&opts, &next, &goes_on, err);
    assert_false(goes_on);
    assert_null(next.name); /* this exercise is not part of the course */
    return status;
}

/* The file is checked five times a second; a change is shown first and judged at the next tick. */
static void save_and_tick(struct screen_program *program, const char *text) {
    const unsigned before = judged;
    write_file(text);
    assert_int_equal(program->wait(program->state), 200);
    assert_true(program->tick(program->state, 200));
    assert_int_equal(judged, before);
    stage_shows(program, "building and running");
    assert_int_equal(program->wait(program->state), 0);
    assert_true(program->tick(program->state, 0));
    assert_int_equal(judged, before + 1);
    assert_string_equal(judged_text, text);
    assert_false(program->tick(program->state, 200)); /* nothing new */
    assert_int_equal(judged, before + 1);
    assert_int_equal(program->wait(program->state), 200);
}

static void save_wrong(struct screen_program *program) {
    wanted.kind = VERDICT_WRONG;
    wanted.has_trace = true;
    save_and_tick(program, "wrong");
}

static void save_right(struct screen_program *program) {
    wanted.kind = VERDICT_PASSED;
    wanted.has_trace = true;
    save_and_tick(program, "right!");
}

static void save_uncompiled(struct screen_program *program) {
    wanted.kind = VERDICT_NOT_COMPILED;
    wanted.text = "line 3: no semicolon";
    wanted.has_trace = false;
    save_and_tick(program, "uncompiled");
    wanted.text = NULL;
}

static void save_nothing(struct screen_program *program) {
    write_file("");
    assert_false(program->tick(program->state, 200)); /* the file is still being written */
    assert_int_equal(program->wait(program->state), 200);
}

static void remove_it(struct screen_program *program) {
    unlink(FILE_NAME);
    assert_true(program->tick(program->state, 200));
    assert_true(program->tick(program->state, 0));
    assert_false(program->tick(program->state, 200));
}

static void expect_nothing_typed(struct screen_program *program) {
    assert_false(program->press(program->state, "x").types);
}

static void judge_again(struct screen_program *program) {
    const unsigned before = judged;
    assert_true(screen_key(program, program->press(program->state, "R")));
    assert_true(program->tick(program->state, 200));
    assert_true(program->tick(program->state, 0));
    assert_int_equal(judged, before + 1);
}

static void wheel(struct screen_program *program) {
    assert_true(program->apply(program->state, ACTION_HINT, 0));
    stage_shows(program, "Hint 1 of 2");
    assert_true(program->apply(program->state, ACTION_CONTINUE, 0));
}

static void a_saved_file_is_judged(void **state) {
    (void)state;
    static const struct stage_step script[] = {
        {"", "no file yet", NULL, NULL},
        {"", "The sum of a warp", NULL, NULL},
        {"", "Give every lane the sum.", "Think of xor.", NULL},
        {"", "Your file: /", NULL, NULL},
        {"+200", "no file yet", NULL, NULL},
        {.call = expect_nothing_typed},
        {.call = save_wrong, .shows = "returned 3; expected"},
        {"", "not yet", "Any order will do.", NULL},
        {"h", "Think of xor.", "Five rounds.", NULL},
        {"h", "Five rounds.", NULL, NULL},
        {"s", "solve the exercise first", "__shfl_xor_sync", NULL},
        {.call = save_nothing, .shows = "returned 3; expected"},
        {.call = save_uncompiled, .shows = "line 3: no semicolon"},
        {"Enter", "nothing that can be shown was recorded", NULL, NULL},
        {.call = save_right, .shows = "passed: 12 cases in 4 lane orders"},
        {"", "Any order will do.", NULL, NULL},
        {"s", "__shfl_xor_sync", NULL, NULL},
        {"Enter", "nothing is wrong", NULL, NULL},
        {.call = judge_again, .shows = "passed: 12 cases"},
        {.call = remove_it, .shows = "no file yet", .hides = "passed"},
        {"q", NULL, NULL, NULL},
        {0}};
    struct error err = ERROR_INIT;
    assert_int_equal(work(script, &err), 0);
    assert_true(stage_was_left());
    assert_int_equal(judged, 5); /* including the solution, to count its operations */
    assert_int_equal(passed, 2); /* once more for R */
}

/* ---- the replay of the failure ---- */

static void expect_not_done(struct screen_program *program) {
    (void)program;
    assert_false(program->done(program->state));
}

/* A change to the file ends the replay. */
static void save_while_looking(struct screen_program *program) {
    assert_true(program->press(program->state, "5").types == false);
    screen_key(program, program->press(program->state, "/"));
    assert_true(program->press(program->state, "5").types);
    screen_key(program, program->press(program->state, "Escape"));
    screen_key(program, program->press(program->state, "p"));
    assert_in_range(program->wait(program->state), 0, 200); /* plays, and checks the file */
    write_file("better");
    assert_true(program->tick(program->state, 1));
    stage_shows(program, "building and running");
    assert_int_equal(program->wait(program->state), 0);
    program->tick(program->state, 0);
}

static void a_wrong_run_is_replayed(void **state) {
    (void)state;
    static const struct {
        enum verdict_kind kind;
        const char *text;
        bool has_place, has_step, has_lanes, has_message;
        const char *shows, *place;
        int lane; /* the selected lane */
    } cases[] = {
        {VERDICT_WRONG, NULL, false, false, false, false,
         " lane 7: the result is 3, expected 32 (ones)", "block 1 warp 1", 7},
        {VERDICT_MISUSE, NULL, true, true, true, true,
         " undefined-value: it reads a lane that is away", "4/6", 4},
        {VERDICT_MISUSE, NULL, true, false, true, false, " undefined-value:", "1/6", 4},
        {VERDICT_MISUSE, NULL, true, true, false, true, " undefined-value:", "4/6", 0},
        {VERDICT_OTHER_MEANS, "no xor is used", false, false, false, false, " no xor is used",
         "1/6", 0},
        {VERDICT_UNFINISHED, NULL, false, false, false, false, "xor", "1/6", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char selected[16];
        snprintf(selected, sizeof selected, ">%c|%2d", i == 0 ? ' ' : 'A', cases[i].lane);
        const struct stage_step script[] = {{"+200 +0", NULL, NULL, NULL},
                                            {"Enter", cases[i].shows, NULL, NULL},
                                            {"", cases[i].place, "The task", NULL},
                                            {"1", i == 0 ? " in " : " out ", NULL, NULL},
                                            {"", selected, NULL, NULL},
                                            {.call = expect_not_done},
                                            {"q", "The sum of a warp", NULL, NULL},
                                            {.call = wheel, .shows = cases[i].shows},
                                            {.call = save_while_looking},
                                            {"q", NULL, NULL, NULL},
                                            {0}};
        struct error err = ERROR_INIT;
        memset(&wanted, 0, sizeof wanted);
        wanted.kind = cases[i].kind;
        wanted.text = cases[i].text;
        wanted.has_trace = true;
        wanted.has_place = cases[i].has_place;
        wanted.has_step = cases[i].has_step;
        wanted.has_lanes = cases[i].has_lanes;
        wanted.has_message = cases[i].has_message;
        write_file("first");
        assert_int_equal(work(script, &err), 0);
        assert_true(stage_was_left());
        assert_int_equal(judged, 2);
        assert_int_equal(passed, 0);
    }
    memset(&wanted, 0, sizeof wanted);
    unlink(FILE_NAME);
}

static void a_failing_judge_ends_the_screen(void **state) {
    (void)state;
    static const struct stage_step script[] = {{"+200 +0", NULL, NULL, NULL}, {0}};
    struct error err = ERROR_INIT;
    wanted.fails = true;
    write_file("any");
    assert_int_equal(work(script, &err), -1);
    assert_true(stage_was_left());
    assert_string_equal(err.text, "no compiler anywhere");
    assert_int_equal(err.kind, ERROR_MISSING);
    wanted.fails = false;
    unlink(FILE_NAME);
}

/* ---- the editor ---- */

static void read_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (!file)
        return;
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void program_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

static void the_editor_replaces_the_screen(void **state) {
    (void)state;
    static const struct {
        const char *visual, *editor, *edited, *said;
    } cases[] = {
        {"./edit-it -v", "./edit-it -e", "-v|" FILE_NAME "|\n", ""},
        {"", "./edit-it -e", "-e|" FILE_NAME "|\n", ""},
        {NULL, "./edit-it", FILE_NAME "|\n", ""},
        {NULL, NULL, "vi|" FILE_NAME "|\n", ""},
        {NULL, "", "vi|" FILE_NAME "|\n", ""},
        {"false", NULL, "", "shflviz: editor 'false' exited with 256\n"},
    };
    program_file("edit-it",
                 "#!/bin/sh\nfor w; do printf '%s|' \"$w\"; done >edited\necho >>edited");
    program_file("vi", "#!/bin/sh\nexec ./edit-it vi \"$@\"\n");
    unsetenv("TMUX");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const struct stage_step script[] = {
            {"e", NULL, NULL, NULL},               /* leaves the screen */
            {"", "The sum of a warp", NULL, NULL}, /* the screen is shown again */
            {"q", NULL, NULL, NULL},
            {0}};
        struct error err = ERROR_INIT;
        char text[128];
        unlink("edited");
        cases[i].visual ? setenv("VISUAL", cases[i].visual, 1) : unsetenv("VISUAL");
        cases[i].editor ? setenv("EDITOR", cases[i].editor, 1) : unsetenv("EDITOR");
        stage_listen();
        const int status = work(script, &err);
        char *said = stage_heard();
        assert_int_equal(status, 0);
        assert_int_equal(stage_calls(), 2);
        assert_string_equal(said, cases[i].said);
        read_file("edited", text, sizeof text);
        assert_string_equal(text, cases[i].edited);
        free(said);
    }
}

/* In tmux the editor opens beside the screen, which stays; if that fails, the editor
 * replaces the screen. */
static void the_editor_opens_beside_it(void **state) {
    (void)state;
    static const struct {
        const char *tmux, *program, *edited;
        int screens;
    } cases[] = {
        {"/tmp/tmux-0/default,1,0",
         "#!/bin/sh\nshift 2\nfor w; do printf '%s|' \"$w\"; done >edited\n",
         "-c|%s|exec ./edit-it 'my sum'\\''s.cu'|", 1},
        {"/tmp/tmux-0/default,1,0", "#!/bin/sh\nexit 1\n", FILE_NAME "|\n", 2},
        {"", "#!/bin/sh\nexit 0\n", FILE_NAME "|\n", 2},
    };
    unsetenv("VISUAL");
    setenv("EDITOR", "./edit-it", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const struct stage_step script[] = {{"e", NULL, NULL, NULL},
                                                   {"", "The sum of a warp", NULL, NULL},
                                                   {"q", NULL, NULL, NULL},
                                                   {0}};
        struct error err = ERROR_INIT;
        char text[2048], want[2048], here[1024];
        program_file("tmux", cases[i].program);
        setenv("TMUX", cases[i].tmux, 1);
        unlink("edited");
        assert_int_equal(work(script, &err), 0);
        assert_int_equal(stage_calls(), cases[i].screens);
        assert_non_null(getcwd(here, sizeof here));
        setenv("PWD", here, 1);
        if (i == 0) {
            snprintf(want, sizeof want, "-c|%s|exec ./edit-it 'my sum'\\''s.cu'|", here);
        } else {
            snprintf(want, sizeof want, "%s", cases[i].edited);
        }
        read_file("edited", text, sizeof text);
        assert_string_equal(text, want);
    }
    unsetenv("TMUX");
}

int main(void) {
    char folder[] = "/tmp/shflviz-work-XXXXXX", path[4096];
    setenv("LC_ALL", "C", 1);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    setenv("PWD", folder, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_file_is_judged),
        cmocka_unit_test(a_wrong_run_is_replayed),
        cmocka_unit_test(a_failing_judge_ends_the_screen),
        cmocka_unit_test(the_editor_replaces_the_screen),
        cmocka_unit_test(the_editor_opens_beside_it),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(command) != 0 ? 1 : failed;
}
