/*
 * A lesson, the list from which it was opened, a quiz and a recording, each as a screen program
 * (struct screen_program): keys and clicks go in as from a terminal, and the drawn screen is read
 * as text.
 */
#include "base/memory.h"
#include "base/text.h"
#include "launch/request.h"
#include "lesson/progress.h"
#include "session/screens/lesson_screen.h"
#include "session/screens/quiz_screen.h"
#include "session/screens/recording_screen.h"
#include "term/painter.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a terminal of 80 columns and 24 rows, without the terminal ---- */

/* When a program is done, the next program gets the screen, as in term/screen.c; NULL means
 * leaving. */
static struct screen_program *go_on(struct screen_program *shown) {
    return shown->done(shown->state) ? shown->next ? shown->next(shown) : NULL : shown;
}

/* Words that name a key press it; other words are typed; "+500" lets milliseconds pass. */
static struct screen_program *press(struct screen_program *shown, const char *keys) {
    while (*keys) {
        char word[64];
        const size_t length = strcspn(keys, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, keys);
        keys += length + (keys[length] == ' ');
        assert_non_null(shown);
        if (word[0] == '+' && word[1])
            shown->tick(shown->state, strtol(word + 1, NULL, 10));
        else if (action_key_exists(word))
            screen_key(shown, shown->press(shown->state, word));
        else
            for (const char *c = word; *c; c++)
                screen_key(shown, shown->press(shown->state, (const char[]){*c, '\0'}));
        shown = go_on(shown);
    }
    return shown;
}

static char *drawn(const struct screen_program *shown, int rows) {
    struct grid grid;
    grid_init(&grid, 80, rows, true);
    shown->draw(shown->state, &grid);
    char *text = grid_to_text(&grid, false);
    grid_release(&grid);
    return text;
}

static void shows(const struct screen_program *shown, const char *wanted) {
    assert_non_null(shown);
    char *text = drawn(shown, 24);
    if (!strstr(text, wanted))
        fail_msg("not on the screen: %s\n%s", wanted, text);
    free(text);
}

static void hides(const struct screen_program *shown, const char *unwanted) {
    char *text = drawn(shown, 24);
    if (strstr(text, unwanted))
        fail_msg("on the screen: %s\n%s", unwanted, text);
    free(text);
}

/* ---- messages after the terminal has been restored ---- */

struct heard {
    int output, errors; /* the original descriptors */
};

static void listen_to(struct heard *said) {
    fflush(stdout);
    said->output = dup(1);
    said->errors = dup(2);
    dup2(open("said", O_RDWR | O_CREAT | O_TRUNC, 0600), 1);
    dup2(1, 2);
}

static void was_said(struct heard *said, const char *wanted) {
    char text[4096];
    fflush(stdout);
    dup2(said->output, 1);
    dup2(said->errors, 2);
    close(said->output);
    close(said->errors);
    FILE *file = fopen("said", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (*wanted ? !strstr(text, wanted) : *text)
        fail_msg("wanted '%s', said:\n%s", wanted, text);
}

static void write_whole(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void file_has(const char *path, const char *wanted) {
    char text[16384];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (!strstr(text, wanted))
        fail_msg("%s has no %s:\n%s", path, wanted, text);
}

static const struct course_terms terms = {.consent = COURSE_REFUSED};

static struct lesson_options options_of(const char *name) {
    return (struct lesson_options){
        .lesson = name ? lesson_built_in_find(name) : NULL, .language = "en", .terms = &terms};
}

static struct lesson_session *open_session(const struct lesson_options *opts) {
    struct error err = ERROR_INIT;
    struct lesson_session *session = lesson_session_open(opts, &err);
    if (!session)
        fail_msg("%s", err.text);
    return session;
}

/* ---- the list, and lessons opened from it ---- */

static void a_lesson_is_opened_and_left(void **state) {
    (void)state;
    struct lesson_options opts = options_of(NULL);
    struct error err = ERROR_INIT;
    opts.progress_path = "progress";
    unlink("progress");
    struct lesson_session *session = open_session(&opts);
    struct screen_program *shown = lesson_program(session);
    assert_null(lesson_player(session));
    assert_int_equal(shown->wait(shown->state), -1);
    shows(shown, "Lanes and warps");
    assert_false(shown->press(shown->state, "x").types); /* no search is open */
    assert_true(shown->apply(shown->state, ACTION_LESSON_LAST, 0));
    assert_true(shown->apply(shown->state, ACTION_LESSON_FIRST, 0));
    shown = press(shown, "Enter");
    assert_string_equal(lesson_player(session)->lesson->name, lesson_built_in(0)->name);
    shows(shown, "1/");
    /* Beats that were seen are noted, and the list shows that. */
    shown = press(shown, "Right Right q");
    shows(shown, "Lanes and warps");
    assert_null(lesson_player(session));
    struct progress progress;
    assert_int_equal(progress_load(&progress, "progress", &err), 0);
    assert_int_equal(progress.count, 1);
    assert_string_equal(progress.lessons[0].lesson, lesson_built_in(0)->name);
    progress_release(&progress);
    assert_null(press(shown, "q"));
    assert_int_equal(lesson_session_close(session, &err), 0);
}

static void unsaved_progress_is_reported_at_the_end(void **state) {
    (void)state;
    struct lesson_options opts = options_of("xor");
    struct error err = ERROR_INIT;
    mkdir("folder", 0700);
    opts.progress_path = "folder"; /* which is not a file */
    struct lesson_session *session = open_session(&opts);
    struct screen_program *shown = press(lesson_program(session), "Right Right");
    shows(shown, "/8");
    assert_int_equal(lesson_session_close(session, &err), -1);
    assert_non_null(strstr(err.text, "folder"));
}

static void a_beat_that_does_not_exist(void **state) {
    (void)state;
    struct lesson_options opts = options_of("xor");
    struct error err = ERROR_INIT;
    for (const char *const *beat = (const char *const[]){"0", "9", "no-such", NULL}; *beat;
         beat++) {
        opts.beat = *beat;
        assert_null(lesson_session_open(&opts, &err));
        assert_non_null(strstr(err.text, "is not a part of xor\nallowed: 1 to 8, or "));
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

/* A browser's events: it chooses lessons and sends positions. */
static void a_lesson_is_chosen_and_follows(void **state) {
    (void)state;
    struct lesson_options opts = options_of("xor");
    struct error err = ERROR_INIT;
    char position[PLAYER_POSITION_SIZE];
    struct lesson_session *session = open_session(&opts);
    struct screen_program *shown = lesson_choose(session, lesson_built_in_find("up"), &err);
    assert_string_equal(lesson_player(session)->lesson->name, "up");
    char *first = memory_string(player_position(lesson_player(session), position));
    shown = press(shown, "Right ]");
    assert_int_not_equal(lesson_follow(session, "nowhere", &err), 0);
    assert_int_equal(lesson_follow(session, first, &err), 0);
    assert_string_equal(player_position(lesson_player(session), position), first);
    shows(shown, "1/");
    hides(shown, "exploring");
    free(first);
    assert_int_equal(lesson_session_close(session, &err), 0);
}

/* ---- changes while a lesson is explored ---- */

static void changes_end_when_exploring_ends(void **state) {
    (void)state;
    struct lesson_options opts = options_of("xor");
    struct error err = ERROR_INIT;
    struct heard said;
    struct lesson_session *session = open_session(&opts);
    struct screen_program *shown = press(lesson_program(session), "]");
    shows(shown, "exploring");
    shows(shown, "shflviz xor --mask 2 --in 100+lane");
    assert_null(shown->copy(shown->state));
    shown = press(shown, "y");
    assert_string_equal(shown->copy(shown->state), "shflviz xor --mask 2 --in 100+lane");
    assert_null(shown->copy(shown->state)); /* the command is handed over once */
    /* The calls that give the requested values are on a separate page, which gets the keys and
       clicks. */
    shown = press(shown, "f");
    assert_true(shown->press(shown->state, "5").types);
    shown = press(shown, "5<7 Enter");
    shows(shown, "xor --mask 2");
    shows(shown, "down --delta 2");
    assert_false(shown->press(shown->state, "5").types);
    shown = press(shown, "j");
    assert_true(shown->apply(shown->state, ACTION_CANCEL, 0));
    shows(shown, "exploring");
    shown = press(shown, "Enter");
    hides(shown, "exploring");
    assert_int_equal(lesson_player(session)->beat, 0);
    listen_to(&said);
    assert_int_equal(lesson_session_close(session, &err), 0);
    was_said(&said, "shflviz xor --mask 2 --in 100+lane\n");
}

/* ---- a presentation with a class ---- */

static void the_class_has_the_last_row(void **state) {
    (void)state;
    struct lesson_options opts = options_of(NULL);
    struct error err = ERROR_INIT;
    opts.present = true;
    opts.classroom.serve = "127.0.0.1:0";
    unsetenv("XDG_RUNTIME_DIR");
    setenv("TMPDIR", "/no/such/folder", 1);
    struct lesson_session *session = open_session(&opts);
    unsetenv("TMPDIR");
    struct screen_program *shown = lesson_program(session);
    int descriptors[4];
    assert_in_range(shown->descriptors(shown->state, descriptors, 4), 1, 2);
    assert_int_equal(shown->descriptors(shown->state, descriptors, 0), 0);
    assert_in_range(shown->wait(shown->state), 0, 60000);
    shows(shown, "http://127.0.0.1:"); /* the page with the address, before anything else */
    shown = press(shown, "x +10");     /* any key closes the page */
    shows(shown, "Lanes and warps");
    shows(shown, "http://127.0.0.1:"); /* still in the last row */
    assert_true(shown->press(shown->state, "x").types == false);
    shown = press(shown, "@");
    hides(shown, "Lanes and warps");
    assert_false(shown->press(shown->state, "x").types);
    shown = press(shown, "@ Enter +10");
    shows(shown, "1/");
    assert_false(shown->ready(shown->state));
    assert_in_range(shown->wait(shown->state), 0, 60000);
    /* A terminal without a spare row keeps its rows for the lesson. */
    char *low = drawn(shown, 20);
    assert_null(strstr(low, "http://"));
    free(low);
    shown = press(shown, ".");
    hides(shown, "http://"); /* a black screen shows no address */
    shown = press(shown, "x q q");
    assert_null(shown);
    assert_int_equal(lesson_session_close(session, &err), 0);
}

static void a_class_that_cannot_be_opened(void **state) {
    (void)state;
    static const struct {
        const char *serve, *collect, *says;
    } cases[] = {
        {"127.0.0.1:70000", NULL, "--serve: "},
        {"127.0.0.1:0", "no/such/answers", "--collect: cannot write no/such/answers: "},
        {"192.0.2.1:0", NULL, "--serve: cannot listen on 192.0.2.1, port 0: "}, /* from RFC 5737 */
        {"no.such.host.invalid:0", NULL, "--serve: cannot listen on no.such.host.invalid, port 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson_options opts = options_of("xor");
        struct error err = ERROR_INIT;
        opts.present = true;
        opts.classroom =
            (struct classroom_options){.serve = cases[i].serve, .collect = cases[i].collect};
        assert_null(lesson_session_open(&opts, &err));
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s: %s", cases[i].serve, err.text);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

/* ---- results ---- */

/* The results file exists at first; then its folder is removed. */
static void results_that_cannot_be_written(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct lesson_options opts = options_of("xor");
    struct quiz_source source;
    opts.results = (struct results_options){.path = "gone/results.json", .who = "ann"};
    assert_null(lesson_session_open(&opts, &err));
    assert_non_null(strstr(err.text, "--results: cannot write gone/results.json"));
    assert_int_equal(quiz_source_init(&source, "xor", 1, &err), 0);
    assert_null(quiz_session_open(&source, 1, 1, &opts.results, &err));
    assert_non_null(strstr(err.text, "--results: cannot write gone/results.json"));

    mkdir("gone", 0700);
    struct lesson_session *session = open_session(&opts);
    unlink("gone/results.json");
    rmdir("gone");
    err = (struct error)ERROR_INIT;
    press(lesson_program(session), "Right Right Right 4 Enter Right");
    assert_int_equal(lesson_session_close(session, &err), -1);
    assert_non_null(strstr(err.text, "--results: cannot write gone/results.json"));

    mkdir("gone", 0700);
    assert_int_equal(quiz_source_init(&source, "xor", 1, &err), 0);
    struct quiz_session *asking = quiz_session_open(&source, 1, 1, &opts.results, &err);
    assert_non_null(asking);
    unlink("gone/results.json");
    rmdir("gone");
    err = (struct error)ERROR_INIT;
    press(quiz_program(asking), "Escape Escape Escape Enter");
    assert_int_equal(quiz_session_close(asking, 0, &err), -1);
    assert_non_null(strstr(err.text, "--results: cannot write gone/results.json"));
}

/* Every answer is in the file as soon as it has been judged. */
static void results_are_written_one_by_one(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct lesson_options opts = options_of("xor");
    char questions[32];
    unsigned asks = 0;
    for (size_t i = 0; i < opts.lesson->beat_count; i++)
        asks += opts.lesson->beats[i].ask.kind != QUESTION_NONE;
    snprintf(questions, sizeof questions, "\"in_all\":%u,", asks);
    opts.results = (struct results_options){.path = "results.json", .who = "ann"};
    struct lesson_session *session = open_session(&opts);
    file_has("results.json", "\"of\":\"lesson\",\"name\":\"xor\",\"who\":\"ann\",\"seed\":null,"
                             "\"level\":null,");
    file_has("results.json", questions);
    file_has("results.json", "\"complete\":false");
    file_has("results.json", "\"asked\":0,");
    /* The second beat asks which lane lane 5 reads: 5 ^ 1 is 4. */
    struct screen_program *shown = press(lesson_program(session), "Right Right 7 Enter");
    file_has("results.json", "\"asked\":0,");
    shown = press(shown, "4 Enter");
    file_has("results.json", "\"asked\":1,\"right\":1,\"first_try\":0,");
    file_has("results.json", "\"level\":null,");
    assert_int_equal(lesson_session_close(session, &err), 0);
    file_has("results.json", "\"answers\":[\"7\",\"4\"],\"answer\":\"4\",\"right\":true");
    file_has("results.json", "\"complete\":false");
}

/* ---- where a lesson begins, and the next lesson ---- */

static void a_lesson_begins_where_it_was_left(void **state) {
    (void)state;
    const struct lesson *lesson = lesson_built_in_find("xor");
    const struct {
        const char *line, *beat; /* of the progress file; of --beat */
        bool present, collected;
        size_t begins;
        bool mends; /* begins at its end, with the missed questions */
    } cases[] = {
        {"", NULL, false, false, 0, false},
        {"xor\tthree\t0\t8\t3\t1\t1\t2026-11-20T12:00:00Z\t+one\n", NULL, false, false, 3, false},
        {"xor\tthree\t0\t8\t3\t1\t1\t2026-11-20T12:00:00Z\t+one\n", "5", false, false, 4, false},
        {"xor\tthree\t0\t8\t3\t1\t1\t2026-11-20T12:00:00Z\t+one\n", "even", false, false, 5, false},
        {"xor\tthree\t0\t8\t3\t1\t1\t2026-11-20T12:00:00Z\t+one\n", NULL, true, false, 0, false},
        {"xor\tthree\t0\t8\t3\t1\t1\t2026-11-20T12:00:00Z\t+one\n", NULL, false, true, 0, false},
        {"xor\t\t1\t8\t8\t1\t1\t2026-11-20T12:00:00Z\t+one\n", NULL, false, false, 0, false},
        {"xor\t\t1\t8\t8\t2\t1\t2026-11-20T12:00:00Z\t+one -trade\n", NULL, false, false, 7, true},
        {"up\t\t0\t8\t3\t1\t1\t2026-11-20T12:00:00Z\t+one\n", NULL, false, false, 0, false},
    };
    assert_int_equal(lesson->beat_count, 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lesson_options opts = options_of("xor");
        struct error err = ERROR_INIT;
        write_whole("left", cases[i].line);
        opts.progress_path = "left";
        opts.beat = cases[i].beat;
        opts.present = cases[i].present;
        if (cases[i].collected)
            opts.results.path = "results.json";
        struct lesson_session *session = open_session(&opts);
        const struct player *player = lesson_player(session);
        if (player->beat != cases[i].begins || (player->state == PLAYER_FINISHED) != cases[i].mends)
            fail_msg("case %zu begins at %zu, in state %d", i, player->beat, (int)player->state);
        assert_int_equal(player->presenting, cases[i].present);
        assert_int_equal(lesson_session_close(session, &err), 0);
    }
}

/* At the end of a lesson the next lesson of the course is opened, where the learner left it. */
static void the_next_lesson_is_opened(void **state) {
    (void)state;
    struct lesson_options opts = options_of("xor");
    struct error err = ERROR_INIT;
    const struct lesson *after = lesson_built_in_after(opts.lesson);
    char line[256];
    snprintf(line, sizeof line, "%s\t%s\t0\t%zu\t2\t0\t0\t2026-11-20T12:00:00Z\n", after->name,
             after->beats[1].id, after->beat_count);
    write_whole("left", line);
    opts.progress_path = "left";
    opts.beat = "8";
    struct lesson_session *session = open_session(&opts);
    struct screen_program *shown = lesson_program(session);
    for (int i = 0; i < 20 && lesson_player(session)->state != PLAYER_FINISHED; i++)
        shown = press(shown, lesson_player(session)->state == PLAYER_ASKING ? "Escape" : "Right");
    assert_int_equal(lesson_player(session)->state, PLAYER_FINISHED);
    shown = press(shown, "Enter");
    assert_non_null(shown);
    assert_ptr_equal(lesson_player(session)->lesson, after);
    assert_int_equal(lesson_player(session)->beat, 1);
    assert_null(press(shown, "q")); /* there is no list to go back to */
    assert_null(lesson_player(session));
    assert_int_equal(lesson_session_close(session, &err), 0);
    file_has("left", "xor\t");
}

static int practise_nothing(const char *exercise, struct error *err) {
    (void)exercise, (void)err;
    return 0;
}

/* A stop of the fast track that was opened by its name leads to the next stop, not to its exercise
 * or the next lesson of the course. */
static void a_stop_leads_to_the_next_stop(void **state) {
    (void)state;
    struct lesson_options opts = options_of("broadcast");
    struct error err = ERROR_INIT;
    write_whole("left", "");
    opts.progress_path = "left";
    opts.practise = practise_nothing;
    opts.beat = "9";
    struct lesson_session *session = open_session(&opts);
    struct screen_program *shown = lesson_program(session);
    for (int i = 0; i < 20 && lesson_player(session)->state != PLAYER_FINISHED; i++)
        shown = press(shown, "Right");
    assert_non_null(lesson_player(session)->practice);
    shown = press(shown, "Enter");
    assert_non_null(shown);
    assert_string_equal(lesson_player(session)->lesson->name, "down");
    assert_int_equal(lesson_session_close(session, &err), 0);
}

/* ---- a quiz ---- */

static void a_quiz_continues_with_other_recordings(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct quiz_source source;
    struct results_options none = {.path = NULL};
    assert_int_equal(quiz_source_init(&source, NULL, 7, &err), 0);
    struct quiz_session *asking = quiz_session_open(&source, 7, 1, &none, &err);
    assert_non_null(asking);
    struct screen_program *shown = quiz_program(asking);
    assert_int_equal(shown->wait(shown->state), -1);
    assert_true(shown->press(shown->state, "1").types);
    char *first = drawn(shown, 24), *now = NULL;
    for (int i = 0; i < 12; i++) { /* two wrong answers lower the level, and every few questions
                                      the recording changes */
        shown = press(shown, "Escape Escape Escape");
        assert_false(shown->press(shown->state, "1").types); /* the answer is shown */
        assert_true(shown->apply(shown->state, ACTION_CONTINUE, 0));
    }
    now = drawn(shown, 24);
    assert_string_not_equal(first, now);
    shown = press(shown, "+500");
    shows(shown, "0 of 12 right");
    assert_null(press(shown, "Escape Escape Escape q"));
    assert_int_equal(quiz_session_close(asking, 0, &err), 0);
    free(first);
    free(now);
}

/* A missed question of a lesson is asked again, before all others, and then counts as known. */
static void a_quiz_repeats_missed_questions(void **state) {
    (void)state;
    static const char path[] = "state/shflviz/progress";
    static const struct results_options none = {.path = NULL};
    struct error err = ERROR_INIT;
    struct progress progress;
    struct quiz_source source;
    char here[1024];
    assert_non_null(getcwd(here, sizeof here - 8));
    strcat(here, "/state");
    setenv("XDG_STATE_HOME", here, 1);
    mkdir("state", 0700);
    mkdir("state/shflviz", 0700);
    const struct lesson *lesson = lesson_built_in_find("xor");
    size_t beat = 0;
    while (lesson->beats[beat].ask.kind != QUESTION_SOURCE)
        beat++;
    char line[256];
    snprintf(line, sizeof line, "xor\t\t1\t8\t8\t1\t0\t2026-11-20T12:00:00Z\t-%s\n",
             lesson->beats[beat].id);
    write_whole(path, line);
    assert_int_equal(progress_load(&progress, path, &err), 0);
    assert_int_equal(quiz_source_init(&source, NULL, 1, &err), 0);
    quiz_source_prefer(&source, &progress);
    assert_int_equal(source.missed_count, 1);
    progress_release(&progress);
    struct quiz_session *asking = quiz_session_open(&source, 1, 1, &none, &err);
    assert_non_null(asking);
    struct screen_program *shown = quiz_program(asking);
    /* Lane 5 ^ 1 is lane 4; the lesson's own question is on the screen. */
    shows(shown, "Which lane does lane 5");
    shown = press(shown, "4 Enter");
    shows(shown, "4 is right");
    assert_int_equal(quiz_session_close(asking, 0, &err), 0);
    assert_int_equal(progress_load(&progress, path, &err), 0);
    assert_int_equal(progress_result(&progress.lessons[0], lesson->beats[beat].id), BEAT_HINTED);
    progress_release(&progress);
}

/* ---- a recording ---- */

static void a_recording_and_its_overview(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct request request;
    struct trace *trace;
    struct text copied = TEXT_INIT;
    assert_int_equal(request_read(&request, "kernel reduce-xor-sum", DEVICE_CPU, &err), 0);
    launch_record(&request.launch, &trace, &err);
    assert_non_null(trace);
    struct recording_session *session = recording_session_open(
        trace, (struct recording_look){.overview = true}, &request.launch, &err);
    assert_non_null(session);
    struct screen_program *shown = recording_program(session);
    assert_int_equal(shown->wait(shown->state), 0); /* the overview counts */
    while (shown->wait(shown->state) == 0)
        shown->tick(shown->state, 1);
    shows(shown, "launches 1  kernels 1  lines");
    assert_false(shown->press(shown->state, "x").types);
    /* A step chosen from outside leaves the list; `v` returns to it, and then to the step. */
    assert_true(recording_go_step(session, 2));
    hides(shown, "launches 1  kernels 1  lines");
    assert_int_equal(recording_replay(session)->cursor.step.number, 2);
    assert_false(recording_go_step(session, 1000000));
    shown = press(shown, "v");
    shows(shown, "launches 1  kernels 1  lines");
    shown = press(shown, "v");
    hides(shown, "launches 1  kernels 1  lines");
    /* The overview is counted again for another setting. */
    shown = press(shown, ": threads Space 64 Enter v +1 +1 +1");
    shows(shown, "launches 1  kernels 1  lines");
    shown = press(shown, "v y");
    assert_string_equal(shown->copy(shown->state), "shflviz kernel reduce-xor-sum --threads 64");
    assert_null(press(shown, "q"));
    recording_session_close(session, &copied);
    assert_string_equal(copied.data, "shflviz kernel reduce-xor-sum --threads 64");
    text_release(&copied);
    trace_close(trace);
    request_release(&request);
}

/* A recording of two steps; in the second, an m8n8k4 of f64, every element of A is 1, of B 2, of C
 * 3 and of D 11. */
static struct trace *a_product(void) {
    double values[4][2 * WARP_LANES];
    const double each[4] = {1, 2, 3, 11};
    for (int i = 0; i < 4; i++)
        for (int n = 0; n < 2 * WARP_LANES; n++)
            values[i][n] = each[i];
    const struct trace_registers registers = {.step = 1,
                                              .lanes = WARP_FULL_MASK,
                                              .instruction =
                                                  "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
                                              .count = 4,
                                              .operands = {{'a', 1, 8, values[0]},
                                                           {'b', 1, 8, values[1]},
                                                           {'c', 2, 8, values[2]},
                                                           {'d', 2, 8, values[3]}}};
    struct trace_writer *writer;
    struct trace *trace;
    size_t room;
    assert_int_equal(
        trace_writer_open(&writer, NULL, &(struct trace_writer_options){.value_bytes = 4}, NULL),
        0);
    trace_writer_launch(
        writer, &(struct trace_launch){.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}});
    trace_writer_site(writer, &(struct trace_site){"k.cu", 1, "k", "mma.sync"});
    for (uint64_t step = 0; step < 2; step++) {
        struct shflviz_record_header *record = trace_writer_reserve(writer, &room);
        record->op = WARP_OP_SYNC;
        record->type = WARP_TYPE_NONE;
        record->members = record->present = WARP_FULL_MASK;
        record->sequence = step + 1;
    }
    trace_writer_registers(writer, &registers);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

/* F opens the matrices of a step whose registers are recorded: the last of four products turns 9
 * into 11, and the third turns 7 into 9. */
static void the_matrices_of_a_step(void **state) {
    struct text copied = TEXT_INIT;
    struct trace *trace = a_product();
    (void)state;
    struct recording_session *session =
        recording_session_open(trace, (struct recording_look){.overview = false}, NULL, NULL);
    assert_non_null(session);
    struct screen_program *shown = press(recording_program(session), "F");
    shows(shown, "no registers are recorded here");
    shown = press(shown, "n F");
    shows(shown, "k = 3: ... + A[0][3] B[3][0] = 9 + 1 * 2 = 11");
    shows(shown, "k 4/4 = D");
    shown = press(shown, "[");
    shows(shown, "k = 2: ... + A[0][2] B[2][0] = 7 + 1 * 2 = 9");
    shown = press(shown, "[ [ [");
    hides(shown, "k = ");
    shown = press(shown, "q");
    shows(shown, "syncwarp");
    press(shown, "q");
    assert_true(shown->done(shown->state));
    recording_session_close(session, &copied);
    text_release(&copied);
    trace_close(trace);
}

int main(void) {
    char folder[] = "/tmp/shflviz-screens-XXXXXX";
    setenv("LC_ALL", "C", 1);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_is_opened_and_left),
        cmocka_unit_test(unsaved_progress_is_reported_at_the_end),
        cmocka_unit_test(a_beat_that_does_not_exist),
        cmocka_unit_test(a_lesson_is_chosen_and_follows),
        cmocka_unit_test(changes_end_when_exploring_ends),
        cmocka_unit_test(the_class_has_the_last_row),
        cmocka_unit_test(a_class_that_cannot_be_opened),
        cmocka_unit_test(results_that_cannot_be_written),
        cmocka_unit_test(results_are_written_one_by_one),
        cmocka_unit_test(a_lesson_begins_where_it_was_left),
        cmocka_unit_test(the_next_lesson_is_opened),
        cmocka_unit_test(a_stop_leads_to_the_next_stop),
        cmocka_unit_test(a_quiz_continues_with_other_recordings),
        cmocka_unit_test(a_quiz_repeats_missed_questions),
        cmocka_unit_test(a_recording_and_its_overview),
        cmocka_unit_test(the_matrices_of_a_step),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(command) != 0 ? 1 : failed;
}
