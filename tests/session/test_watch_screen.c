/* A lesson that is being written, without a terminal: reread whenever one of its files is saved. */
#include "base/memory.h"
#include "session/screens/watch_screen.h"

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

static const struct course_terms refused = {.consent = COURSE_REFUSED};

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

#define HEAD(kernel)                                                                               \
    "---\ntitle: T\nsummary: S\nchapter: C\nkernel: " kernel "\nlaunch: --mask 1\n---\n\n"
#define ONE   "## One {#one}\n\nThe first place.\n\n"
#define TWO   "## Two {#two}\n\nThe second place.\n\n"
#define THREE "## Three {#three}\n\nThe third place.\n\n"

static const char *watched; /* the file that the steps below write */

/* The file is checked five times a second, and reread when it has changed. */
static void save(struct screen_program *program, const char *text) {
    assert_false(program->tick(program->state, 200));
    assert_int_equal(program->wait(program->state), 200);
    write_file(watched, text);
    assert_true(program->tick(program->state, 200));
    assert_false(program->tick(program->state, 200));
}

static void insert_beat_zero(struct screen_program *program) {
    save(program, HEAD("xor") "## Zero {#zero}\n\nBefore.\n\n" ONE TWO);
}

static void remove_beat_two(struct screen_program *program) {
    save(program, HEAD("xor") ONE THREE);
}

static void keep_beat_one(struct screen_program *program) {
    save(program, HEAD("xor") ONE);
}

static void break_it(struct screen_program *program) {
    save(program, HEAD("xorx") ONE TWO);
}

static void mend_it(struct screen_program *program) {
    save(program, HEAD("xor") ONE TWO);
}

/* One of the lesson's statements contradicts its recording, but the lesson can be played. */
static void contradict_it(struct screen_program *program) {
    save(program, HEAD("xor") ONE "## Two {#two}\n\n```ask\nsource of lane 5\n```\n\nText.\n\n"
                                  "### If 4\n\nThat is right.\n");
}

static void save_beside(struct screen_program *program, const char *name, bool seen) {
    write_file(name, "x");
    if (program->tick(program->state, 200) != seen)
        fail_msg("%s", name);
    unlink(name);
    program->tick(program->state, 200);
}

/* Files that may be part of a lesson, and others. */
static void save_others(struct screen_program *program) {
    static const struct {
        const char *name;
        bool seen;
    } cases[] = {{"mine/a.cu", true},   {"mine/a.cuh", true},  {"mine/a.h", true},
                 {"mine/a.svt", true},  {"mine/a.txt", false}, {"mine/.md", false},
                 {"mine/a.md~", false}, {"mine/md", false},    {"a.cu", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        save_beside(program, cases[i].name, cases[i].seen);
}

static void click(struct screen_program *program) {
    assert_false(program->press(program->state, "1").types);
    assert_true(program->apply(program->state, ACTION_BEAT_NEXT, 0));
    screen_key(program, program->press(program->state, ":"));
    assert_true(program->press(program->state, "1").types);
    screen_key(program, program->press(program->state, "Escape"));
}

static void faults_take_keys(struct screen_program *program) {
    assert_false(program->press(program->state, "1").types);
    assert_true(program->apply(program->state, ACTION_SCROLL_DOWN, 0));
    assert_true(screen_key(program, program->press(program->state, "x")));
    assert_false(program->done(program->state));
    assert_int_equal(program->wait(program->state), 200);
}

static void run(const char *path, const char *beat, const struct stage_step *script) {
    const struct watch_options opts = {
        .path = path, .beat = beat, .language = "en", .terms = &refused};
    struct error err = ERROR_INIT;
    stage_plays(script);
    if (watch_screen_run(&opts, &err) != 0)
        fail_msg("%s", err.text);
}

static void the_beat_stays(void **state) {
    (void)state;
    static const struct stage_step script[] = {
        {"", "2/2", NULL, NULL},
        {"", "The second place.", "The first place.", NULL},
        {.call = insert_beat_zero, .shows = "3/3"},
        {"", "The second place.", NULL, NULL},
        {"Left", "The first place.", NULL, NULL},
        {.call = mend_it, .shows = "1/2"},
        {"", "The first place.", NULL, NULL},
        {"Right", "The second place.", NULL, NULL},
        {.call = remove_beat_two, .shows = "The third place."},
        {.call = keep_beat_one, .shows = "The first place."},
        {"", "1/1", NULL, NULL},
        {"q", NULL, NULL, NULL},
        {0}};
    mkdir("mine", 0700);
    watched = "mine/en.md";
    write_file(watched, HEAD("xor") ONE TWO);
    run("mine", "two", script);
    assert_true(stage_was_left());
}

static void it_begins_at_the_beat(void **state) {
    (void)state;
    static const char *const cases[][2] = {{NULL, "1/2"},   {"1", "1/2"}, {"2", "2/2"},
                                           {"two", "2/2"},  {"3", "1/2"}, {"0", "1/2"},
                                           {"none", "1/2"}, {"", "1/2"}};
    write_file("mine/en.md", HEAD("xor") ONE TWO);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct stage_step script[] = {{"", cases[i][1], NULL, NULL}, {0}};
        run("mine", cases[i][0], script);
        run("mine/en.md", cases[i][0], script);
    }
}

static void faults_come_first(void **state) {
    (void)state;
    static const struct stage_step script[] = {
        {"", "The first place.", NULL, NULL},
        {.call = break_it, .shows = "1 problem to fix", .hides = "The first place."},
        {"", "kernel: xorx: no kernel of that name", "Enter looks at it", NULL},
        {"Enter", "1 problem to fix", NULL, NULL}, /* the lesson cannot be played */
        {.call = faults_take_keys, .shows = "1 problem to fix"},
        {.call = mend_it, .shows = "The first place.", .hides = "to fix"},
        {.call = contradict_it, .shows = "to fix", .hides = "The first place."},
        {"", "Enter opens it as is", NULL, NULL},
        {"Enter", "The first place.", "to fix", NULL},
        {.call = save_others, .shows = "to fix"},
        {"Enter", "The first place.", "to fix", NULL},
        {.call = click, .shows = "2/2"},
        {"q", NULL, NULL, NULL},
        {0}};
    static const struct stage_step left[] = {
        {.call = break_it}, {"J", "to fix", NULL, NULL}, {"q", NULL, NULL, NULL}, {0}};
    static const struct stage_step closed[] = {
        {.call = break_it}, {"K Escape", NULL, NULL, NULL}, {0}};
    watched = "mine/en.md";
    write_file(watched, HEAD("xor") ONE TWO);
    run("mine/en.md", NULL, script);
    assert_true(stage_was_left());
    write_file(watched, HEAD("xor") ONE TWO);
    run("mine/en.md", NULL, left);
    assert_true(stage_was_left());
    write_file(watched, HEAD("xor") ONE TWO);
    run("mine/en.md", NULL, closed);
    assert_true(stage_was_left());
}

/* If there are more faults than rows, the faults are scrolled. */
static void many_faults_are_scrolled(void **state) {
    (void)state;
    char *text = memory_zeroed(1, 8192);
    strcpy(text, HEAD("xor"));
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "## B%d {#b%d}\n\n{{wrong%02d}}\n\n", i, i, i);
    write_file("mine/en.md", text);
    static const struct stage_step script[] = {{"", "wrong00", "wrong39", NULL},
                                               {"K", "wrong00", NULL, NULL},
                                               {"J J J J J J J J J", NULL, "wrong00", NULL},
                                               {"K K K K K K K K K", "wrong00", NULL, NULL},
                                               {"q", NULL, NULL, NULL},
                                               {0}};
    run("mine", NULL, script);
    assert_true(stage_was_left());
    free(text);
}

/* A lesson in the current directory, and no lesson at all. */
static void files_without_a_folder(void **state) {
    (void)state;
    static const struct stage_step script[] = {{"", "The first place.", NULL, NULL},
                                               {.call = insert_beat_zero, .shows = "2/3"},
                                               {"q", NULL, NULL, NULL},
                                               {0}};
    const struct watch_options opts = {.path = "no-such.md", .language = "en", .terms = &refused};
    struct error err = ERROR_INIT;
    watched = "alone.md";
    write_file(watched, HEAD("xor") ONE TWO);
    run("alone.md", NULL, script);
    char path[1100];
    assert_non_null(getcwd(path, sizeof path - 16));
    strcat(path, "/alone.md");
    write_file(watched, HEAD("xor") ONE TWO);
    run(path, NULL, script);
    stage_plays(script);
    assert_int_equal(watch_screen_run(&opts, &err), -1);
    assert_int_equal(stage_calls(), 0);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "cannot read no-such.md: No such file or directory");
}

int main(void) {
    char folder[] = "/tmp/shflviz-watch-XXXXXX";
    setenv("LC_ALL", "C", 1);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_beat_stays),         cmocka_unit_test(it_begins_at_the_beat),
        cmocka_unit_test(faults_come_first),      cmocka_unit_test(many_faults_are_scrolled),
        cmocka_unit_test(files_without_a_folder),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(command) != 0 ? 1 : failed;
}
