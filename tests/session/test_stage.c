/*
 * Screens from screen_run() to their end, without a terminal: two recordings side by side, the
 * speaker's notes, a recording, an exercise list.
 */
#include "base/memory.h"
#include "base/text.h"
#include "launch/course.h"
#include "launch/recording.h"
#include "launch/request.h"
#include "lesson/progress.h"
#include "session/follow.h"
#include "session/legend.h"
#include "session/notes.h"
#include "session/screens/comparison_screen.h"
#include "session/screens/exercise_screen.h"
#include "session/screens/recording_screen.h"
#include "session/screens/start_screen.h"
#include "teach/player.h"

#include "stage.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct screen_options plain = {.depth = COLOR_PLAIN};
static const struct course_terms refused = {.consent = COURSE_REFUSED};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* ---- recordings ---- */

static struct trace *record(struct request *request, const char *command) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    assert_int_equal(request_read(request, command, DEVICE_CPU, &err), 0);
    launch_record(&request->launch, &trace, &err);
    assert_non_null(trace);
    return trace;
}

/* The wheel steps through the differences, back and forth. */
static void turn_the_wheel(struct screen_program *program) {
    assert_null(program->wait);
    assert_true(program->apply(program->state, ACTION_PHASE_NEXT, 0));
    stage_shows(program, "difference 2 of 6");
    assert_true(program->apply(program->state, ACTION_PHASE_NEXT, 0));
    stage_shows(program, "difference 3 of 6");
    assert_true(program->apply(program->state, ACTION_PHASE_PREVIOUS, 0));
    stage_shows(program, "difference 2 of 6");
    assert_true(program->apply(program->state, ACTION_OPERATION_LAST, 0));
    stage_shows(program, "difference 6 of 6");
}

static void two_recordings_side_by_side(void **state) {
    (void)state;
    static const char *const names[] = {"one.svt", "two.svt"};
    struct request requests[2];
    struct trace *made[2] = {record(&requests[0], "kernel reduce-xor-sum --in 1"),
                             record(&requests[1], "kernel reduce-xor-sum --in 2")};
    const struct trace *const traces[2] = {made[0], made[1]};
    struct comparison comparison;
    struct error err = ERROR_INIT;
    assert_int_equal(comparison_init(&comparison, traces, names, &err), 0);
    assert_int_equal(comparison.count, 6); /* five rounds, and the watched sum */
    stage_plays((const struct stage_step[]){{"", "difference 1 of 6", NULL, NULL},
                                            {.call = turn_the_wheel},
                                            {"g", "difference 1 of 6", NULL, NULL},
                                            {"n", "difference 2 of 6", NULL, NULL},
                                            {"q", NULL, NULL, NULL},
                                            {0}});
    assert_int_equal(comparison_screen(&comparison, &plain, &err), 0);
    assert_true(stage_was_left());
    comparison_release(&comparison);
    for (int i = 0; i < 2; i++) {
        trace_close(made[i]);
        request_release(&requests[i]);
    }
}

/* The signs are explained once, and the copied command is printed at the end. */
static void a_recording_explains_its_signs_once(void **state) {
    (void)state;
    static const struct {
        const char *setting; /* SHFLVIZ_LEGEND */
        bool first, then;
    } cases[] = {{"never", false, false}, {"always", true, true}, {"other", true, false},
                 {"", false, false},      {NULL, false, false},   {"always", true, true}};
    char here[1024];
    assert_non_null(getcwd(here, sizeof here - 16));
    strcat(here, "/legends");
    setenv("XDG_STATE_HOME", here, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].setting)
            setenv("SHFLVIZ_LEGEND", cases[i].setting, 1);
        else
            unsetenv("SHFLVIZ_LEGEND");
        assert_int_equal(legend_is_due(), cases[i].first);
        assert_int_equal(legend_is_due(), cases[i].then);
    }
    struct stat status;
    assert_int_equal(stat("legends/shflviz/legend", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(status.st_size, 0);
    unsetenv("SHFLVIZ_LEGEND");
    setenv("XDG_STATE_HOME", "/proc/no-such", 1); /* if nothing can be stored */
    assert_false(legend_is_due());
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", "", 1);
    assert_false(legend_is_due());
}

static void a_recording_is_shown_and_left(void **state) {
    (void)state;
    static const struct {
        const char *legend, *keys, *shows, *hides, *said;
        bool overview, live;
    } cases[] = {
        {"never", "", "xor --mask 3", NULL, "", false, true},
        {"never", "] y q", NULL, NULL, "shflviz xor --mask 4\n", false, true},
        {"never", "] q", NULL, NULL, "", false, true},
        {"never", "] y", "xor --mask 4", NULL, "shflviz xor --mask 4\n", false, true},
        {"never", "]", "laneMask 3", "laneMask 4", "", false, false},
        {"always", "", "How to read this screen", NULL, "", false, true},
        {"never", "", NULL, "How to read this screen", "", false, true},
        {"never", "+1", "launches 1", NULL, "", true, true},
        {"never", "+1 v", NULL, "launches 1", "", true, true},
        {"never", "+1 q", NULL, NULL, "", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct request request;
        struct error err = ERROR_INIT;
        struct trace *trace = record(&request, "xor --mask 3");
        const struct stage_step script[] = {{cases[i].keys, cases[i].shows, cases[i].hides, NULL},
                                            {0}};
        setenv("SHFLVIZ_LEGEND", cases[i].legend, 1);
        stage_plays(script);
        stage_listen();
        const int status =
            recording_screen_run(trace, (struct recording_look){.overview = cases[i].overview},
                                 cases[i].live ? &request.launch : NULL, &plain, &err);
        char *said = stage_heard();
        assert_int_equal(status, 0);
        assert_string_equal(said, cases[i].said);
        assert_int_equal(stage_was_left(), strchr(cases[i].keys, 'q') != NULL);
        free(said);
        trace_close(trace);
        request_release(&request);
    }
    unsetenv("SHFLVIZ_LEGEND");
}

/* A screen that fails is reported, and its resources are freed. */
static void a_screen_that_fails(void **state) {
    (void)state;
    struct request request;
    struct error err = ERROR_INIT;
    struct trace *trace = record(&request, "xor --mask 3");
    struct text command = TEXT_INIT, pasted = TEXT_INIT;
    struct start_position position = {START_FIRST, {0}, {false}};
    static const struct start_options opts = {NULL};
    stage_plays(NULL);
    assert_int_equal(
        recording_screen_run(trace, (struct recording_look){.overview = false}, NULL, &plain, &err),
        -1);
    assert_string_equal(err.text, "no screen is wanted");
    err = (struct error)ERROR_INIT;
    assert_int_equal(start_screen_run(&opts, &position, &plain, &command, &pasted, &err), -1);
    assert_string_equal(err.text, "no screen is wanted");
    trace_close(trace);
    request_release(&request);
    text_release(&command);
    text_release(&pasted);
}

static void an_overview_is_printed(void **state) {
    (void)state;
    struct request request;
    struct trace *trace = record(&request, "kernel reduce-xor-sum --blocks 2 --threads 64");
    const struct text_style style = {.columns = 80, .ascii = true};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(recording_overview_print(out, trace, &style, NULL), 0);
    fclose(out);
    assert_non_null(strstr(text, "reduce_xor_sum"));
    assert_non_null(strstr(text, "20")); /* 2 blocks of 2 warps of 6 rounds */
    for (const char *c = text; *c; c++)
        assert_in_range((unsigned char)*c, '\n', '~');
    free(text);
    trace_close(trace);
    request_release(&request);
}

/* ---- the list of exercises ---- */

static void an_exercise_is_opened(void **state) {
    (void)state;
    struct worklist_entry entries[] = {
        {.name = "one", .title = "First", .teaches = "t1", .task = "Do this.", .done = true},
        {.name = "two", .title = "Second", .teaches = "t2", .task = "Do that."},
        {.name = "three", .title = "Third", .teaches = "t3", .task = "Do more."},
    };
    static const struct {
        size_t begins;
        const char *keys;
        size_t selected;
        bool opened, left;
        const char *shows;
    } cases[] = {
        {0, "", 0, false, false, "1 of 3 done"}, {0, "Enter", 0, true, true, NULL},
        {1, "Enter", 1, true, true, NULL},       {1, "j", 2, false, false, "Do more."},
        {1, "k q", 0, false, true, NULL},        {2, "g Space", 0, true, true, NULL},
        {0, "x", 0, false, false, "First"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct stage_step script[] = {{cases[i].keys, cases[i].shows, NULL, NULL}, {0}};
        struct error err = ERROR_INIT;
        size_t selected = cases[i].begins;
        bool opened = !cases[i].opened;
        stage_plays(script);
        assert_int_equal(exercise_list_run(NULL, entries, 3, &selected, &opened, &plain, &err), 0);
        assert_int_equal(selected, cases[i].selected);
        assert_int_equal(opened, cases[i].opened);
        assert_int_equal(stage_was_left(), cases[i].left);
    }
}

static void click_the_third(struct screen_program *program) {
    assert_null(program->wait);
    program->apply(program->state, ACTION_LESSON_GO, 2);
    program->apply(program->state, ACTION_LESSON_GO, 2);
    assert_true(program->done(program->state));
}

static void an_exercise_is_clicked(void **state) {
    (void)state;
    struct worklist_entry entries[] = {
        {.name = "one", .title = "First", .teaches = "t1", .task = "a"},
        {.name = "two", .title = "Second", .teaches = "t2", .task = "b"},
        {.name = "three", .title = "Third", .teaches = "t3", .task = "c"},
    };
    struct error err = ERROR_INIT;
    size_t selected = 0;
    bool opened = false;
    stage_plays((const struct stage_step[]){{.call = click_the_third}, {0}});
    assert_int_equal(exercise_list_run(NULL, entries, 3, &selected, &opened, &plain, &err), 0);
    assert_int_equal(selected, 2);
    assert_true(opened);
}

/* ---- the speaker's notes ---- */

static struct presentation presentation;
static pthread_mutex_t presenting = PTHREAD_MUTEX_INITIALIZER;
static bool presents; /* guarded by `presenting` */

/* The other terminal, which accepts followers. */
static void *present(void *unused) {
    (void)unused;
    for (bool on = true; on;) {
        int descriptors[FOLLOWERS_MAX + 1];
        struct pollfd wanted = {.events = POLLIN};
        pthread_mutex_lock(&presenting);
        on = presents;
        if (on && presentation_descriptors(&presentation, descriptors, 1) == 1)
            wanted.fd = descriptors[0];
        pthread_mutex_unlock(&presenting);
        if (on && poll(&wanted, 1, 5) > 0) {
            pthread_mutex_lock(&presenting);
            if (presents)
                presentation_ready(&presentation);
            pthread_mutex_unlock(&presenting);
        }
    }
    return NULL;
}

static void tell(struct screen_program *program, const char *lesson, const char *position) {
    pthread_mutex_lock(&presenting);
    if (lesson)
        presentation_lesson(&presentation, lesson);
    if (position)
        presentation_position(&presentation, position);
    pthread_mutex_unlock(&presenting);
    assert_true(program->ready(program->state));
}

static void go_to_two(struct screen_program *program) {
    int descriptors[2] = {-1, -1};
    assert_int_equal(program->descriptors(program->state, descriptors, 0), 0);
    assert_int_equal(program->descriptors(program->state, descriptors, 1), 1);
    assert_int_equal(program->descriptors(program->state, descriptors, 2), 1);
    assert_in_range(descriptors[0], 3, 1000);
    assert_int_equal(descriptors[1], -1);
    assert_false(program->apply(program->state, ACTION_QUIT, 0)); /* clicks do nothing */
    tell(program, NULL,
         "beat 1 id one line 0 state asking phase 0 view 0 lane 5 place 0:0:0:0"
         " tries 0 hint 0 explore 0 black 0 result 0 marks 0 answer ");
}

static void go_black(struct screen_program *program) {
    tell(program, NULL,
         "beat 0 id binary line 1 state telling phase 0 view 0 lane 5 place 0:0:0:0"
         " tries 0 hint 0 explore 0 black 1 result 0 marks 0 answer ");
}

static void go_nowhere(struct screen_program *program) {
    tell(program, NULL, "beat 99 id none line 0");
}

/* Only the last lesson and the last position in it count, however many arrived. */
static void go_on_quickly(struct screen_program *program) {
    pthread_mutex_lock(&presenting);
    presentation_lesson(&presentation, "down");
    presentation_position(&presentation, "beat 98 id none line 0");
    presentation_lesson(&presentation, "xor");
    presentation_position(&presentation, "beat 97 id none line 0");
    presentation_position(&presentation,
                          "beat 2 id trade line 0 state telling phase 0 view 0 lane 5 place 0:0:0:0"
                          " tries 0 hint 0 explore 0 black 0 result 0 marks 0 answer ");
    pthread_mutex_unlock(&presenting);
    assert_true(program->ready(program->state));
}

static void go_to_an_unknown_lesson(struct screen_program *program) {
    tell(program, "no-such-lesson", "beat 0 id x line 0");
    struct grid grid; /* the faults begin in the first row, and continue below it */
    grid_init(&grid, 20, 24, false);
    program->draw(program->state, &grid);
    assert_true(grid.cells[0].glyph > ' ' && grid.cells[20].glyph > ' ');
    grid_release(&grid);
}

static void go_to_down(struct screen_program *program) {
    tell(program, "down", NULL);
}

static void scroll(struct screen_program *program) {
    assert_true(screen_key(program, program->press(program->state, "K"))); /* already at the top */
    assert_true(screen_key(program, program->press(program->state, "J")));
    assert_true(screen_key(program, program->press(program->state, "K")));
    assert_false(screen_key(program, program->press(program->state, "x")));
    assert_false(program->done(program->state));
}

/* The clock shows seconds: one change per second. */
static void watch_the_clock(struct screen_program *program) {
    stage_shows(program, "0:00");
    assert_int_equal(program->wait(program->state), 1000);
    assert_false(program->tick(program->state, 1));
    assert_int_equal(program->wait(program->state), 999);
    assert_false(program->tick(program->state, 998));
    assert_int_equal(program->wait(program->state), 1);
    assert_true(program->tick(program->state, 1));
    assert_int_equal(program->wait(program->state), 1000);
    stage_shows(program, "0:01");
    assert_true(program->tick(program->state, 59000));
    stage_shows(program, "1:00");
}

static void end_the_presentation(struct screen_program *program) {
    pthread_mutex_lock(&presenting);
    presents = false;
    presentation_close(&presentation);
    pthread_mutex_unlock(&presenting);
    int descriptors[2];
    assert_true(program->ready(program->state));
    assert_int_equal(program->descriptors(program->state, descriptors, 2), 0);
    assert_true(program->done(program->state));
}

static char *notes_of(const char *lesson, const struct stage_step *script) {
    struct error err = ERROR_INIT;
    pthread_t thread;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    presentation_lesson(&presentation, lesson);
    presents = true;
    assert_int_equal(pthread_create(&thread, NULL, present, NULL), 0);
    stage_plays(script);
    stage_listen();
    const int status = notes_run("en", &refused, &plain, &err);
    char *said = stage_heard();
    pthread_mutex_lock(&presenting);
    if (presents)
        presentation_close(&presentation);
    presents = false;
    pthread_mutex_unlock(&presenting);
    pthread_join(thread, NULL);
    assert_int_equal(status, 0);
    return said;
}

static void notes_follow(void **state) {
    (void)state;
    static const struct stage_step followed[] = {
        {"", "Put 0 to 7 in binary on the board", "waiting", NULL},
        {"", "1/8", NULL, NULL},
        {.call = watch_the_clock},
        {.call = go_to_two, .shows = "2/8", .hides = "Put 0 to 7"},
        {.call = go_black, .shows = "the screen is black"},
        {.call = go_nowhere, .hides = "1/8"},
        {.call = go_on_quickly, .shows = "3/8"},
        {.call = scroll, .shows = "3/8"},
        {.call = go_to_an_unknown_lesson, .shows = "no-such-lesson", .hides = "3/8"},
        {.call = go_nowhere, .shows = "no-such-lesson"}, /* the reason stays */
        {.call = go_to_down, .shows = "1/", .hides = "no-such-lesson"},
        {"q", NULL, NULL, NULL},
        {0}};
    static const struct stage_step ended[] = {{.call = end_the_presentation}, {0}};
    char folder[1024];
    assert_non_null(getcwd(folder, sizeof folder));
    setenv("XDG_RUNTIME_DIR", folder, 1);
    char *said = notes_of("xor", followed);
    assert_string_equal(said, "");
    assert_true(stage_was_left());
    free(said);
    said = notes_of("xor", ended);
    assert_string_equal(said, "shflviz: the presentation is over\n");
    free(said);
    struct error err = ERROR_INIT;
    stage_plays(ended);
    assert_int_equal(notes_run("en", &refused, &plain, &err), -1);
    assert_int_equal(stage_calls(), 0);
    assert_non_null(strstr(err.text, "you have no presentation running"));
}

/* Notes of a user's lesson that are longer than the screen can be scrolled to both ends. */
static void long_notes_are_scrolled(void **state) {
    (void)state;
    static const struct stage_step script[] = {{"", "note00", "note39", NULL},
                                               {"K K", "note00", NULL, NULL},
                                               {"J", "note01", "note00", NULL},
                                               {"x", "note01", "note00", NULL},
                                               {"K", "note00", NULL, NULL},
                                               {"J J J J J J", "note06", "note05", NULL},
                                               {"K K K", "note03", "note02", NULL},
                                               {"q", NULL, NULL, NULL},
                                               {0}};
    struct text lesson = TEXT_INIT;
    char path[1100];
    text_append(&lesson,
                "---\ntitle: T\nsummary: S\nchapter: C\nkernel: xor\nlaunch: --mask 1\n---\n\n"
                "## One {#one}\n\nText.\n\n### Notes\n\n");
    for (int i = 0; i < 40; i++)
        text_append_format(&lesson, "- note%02d\n", i);
    write_file("long.md", lesson.data);
    text_release(&lesson);
    assert_non_null(getcwd(path, sizeof path - 16));
    setenv("XDG_RUNTIME_DIR", path, 1);
    strcat(path, "/long.md");
    char *said = notes_of(path, script);
    assert_string_equal(said, "");
    assert_true(stage_was_left());
    free(said);
}

int main(void) {
    char folder[] = "/tmp/shflviz-stage-XXXXXX";
    setenv("LC_ALL", "C", 1);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_recordings_side_by_side),
        cmocka_unit_test(a_recording_explains_its_signs_once),
        cmocka_unit_test(a_recording_is_shown_and_left),
        cmocka_unit_test(a_screen_that_fails),
        cmocka_unit_test(an_overview_is_printed),
        cmocka_unit_test(an_exercise_is_opened),
        cmocka_unit_test(an_exercise_is_clicked),
        cmocka_unit_test(notes_follow),
        cmocka_unit_test(long_notes_are_scrolled),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(command) != 0 ? 1 : failed;
}
