/* The file of a learner's progress, and everything that can be wrong with it. */
#include "base/text.h"
#include "lesson/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-progress-XXXXXX";
#define LEFT_SIZE 192
static char path[128]; /* of a file that does not exist when a test begins */

static struct {
    int interrupted; /* remaining calls */
    size_t most;     /* bytes that one call writes; 0: all */
} writing;

#ifdef __linux__ /* instead of the C library's */
ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (writing.interrupted > 0) {
        writing.interrupted--;
        errno = EINTR;
        return -1;
    }
    const ssize_t written = syscall(SYS_write, descriptor, bytes,
                                    writing.most && writing.most < count ? writing.most : count);
    if (written >= 0 && writing.most)
        errno = EINTR; /* of an earlier call */
    return written;
}
#endif

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *name, const char *expected) {
    char text[4096] = "";
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

#define HEADING                                                                                    \
    "# How far the lessons of shflviz have been played: lesson, beat, finished, beats, seen, "     \
    "asked, right, date, questions\n"

static struct lesson_progress sample(char *lesson) {
    return (struct lesson_progress){.lesson = lesson,
                                    .beat = "who",
                                    .beats = 9,
                                    .seen = 4,
                                    .asked = 3,
                                    .right = 2,
                                    .date = "2026-11-20T12:00:00Z"};
}

static void store(char *lesson) {
    struct lesson_progress progress = sample(lesson);
    struct error err = ERROR_INIT;
    if (progress_store(path, &progress, &err) < 0)
        fail_msg("%s", err.text);
}

static struct progress load(void) {
    struct progress progress;
    struct error err = ERROR_INIT;
    if (progress_load(&progress, path, &err) < 0)
        fail_msg("%s", err.text);
    return progress;
}

/* A star means all questions that the lesson has now, whatever was asked earlier. */
static void a_lesson_has_a_mark(void **state) {
    (void)state;
    struct lesson_progress lesson = {.finished = true, .asked = 3, .right = 3};
    assert_int_equal(progress_mark(&lesson, 3), MARK_FIRST_TRY);
    assert_int_equal(progress_mark(&lesson, 4), MARK_FINISHED); /* one was skipped */
    lesson.right = 1;
    assert_int_equal(progress_mark(&lesson, 3), MARK_FINISHED);
    lesson.finished = false;
    assert_int_equal(progress_mark(&lesson, 3), MARK_STARTED);
    assert_int_equal(progress_mark(NULL, 3), MARK_NONE);
    lesson = (struct lesson_progress){.finished = true};
    assert_int_equal(progress_mark(&lesson, 0), MARK_FINISHED);
}

/* One right on the first try, two with help, one missed: three were right in the end. */
static void a_second_answer_counts(void **state) {
    (void)state;
    char questions[] = "+who ~own ~up -both";
    struct lesson_progress lesson = {.asked = 4, .right = 1, .questions = questions};
    assert_int_equal(progress_answered(&lesson), 3);
    lesson.questions = NULL;
    assert_int_equal(progress_answered(&lesson), 1);
}

static void it_is_where_xdg_says(void **state) {
    (void)state;
    static const struct {
        const char *xdg, *home, *expected;
    } cases[] = {
        {"/x", "/h", "/x/shflviz/progress"},
        {"", "/h", "/h/.local/state/shflviz/progress"},
        {"relative", "/h", "/h/.local/state/shflviz/progress"},
        {NULL, "/h", "/h/.local/state/shflviz/progress"},
        {NULL, NULL, ""},
        {NULL, "here", ""},
    };
    char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cases[i].xdg ? setenv("XDG_STATE_HOME", cases[i].xdg, 1) : unsetenv("XDG_STATE_HOME");
        cases[i].home ? setenv("HOME", cases[i].home, 1) : unsetenv("HOME");
        char *found = progress_path();
        assert_string_equal(found, cases[i].expected);
        free(found);
    }
    setenv("HOME", home, 1);
    free(home);
}

static void without_a_home_nothing_is_kept(void **state) {
    (void)state;
    struct progress progress;
    struct error err = ERROR_INIT;
    assert_int_equal(progress_load(&progress, "", &err), 0);
    assert_int_equal(progress.count, 0);
    progress_release(&progress);
    struct lesson_progress lesson = sample("xor");
    assert_int_equal(progress_store("", &lesson, &err), -1);
    assert_string_equal(err.text,
                        "cannot save your progress: neither XDG_STATE_HOME nor HOME is set");
    assert_int_equal(progress_reset("", NULL, &err), 0);
}

static void stored_progress_is_loaded(void **state) {
    (void)state;
    struct progress progress = load(); /* no file */
    assert_int_equal(progress.count, 0);
    progress_release(&progress);

    store("xor");
    store("my own\n100% lesson");
    expect_file(path, HEADING "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n"
                              "my own%0a100%25 lesson\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);

    progress = load();
    assert_int_equal(progress.count, 2);
    assert_int_equal(progress.damaged, 0);
    const struct lesson_progress *own = progress_find(&progress, "my own\n100% lesson");
    assert_non_null(own);
    assert_string_equal(own->beat, "who");
    assert_false(own->finished);
    assert_int_equal(own->beats, 9);
    assert_int_equal(own->seen, 4);
    assert_int_equal(own->asked, 3);
    assert_int_equal(own->right, 2);
    assert_string_equal(own->date, "2026-11-20T12:00:00Z");
    assert_null(progress_find(&progress, "up"));
    progress_release(&progress);
}

static void progress_is_never_lost(void **state) {
    (void)state;
    struct lesson_progress lesson = sample("xor");
    struct error err = ERROR_INIT;
    lesson.finished = true;
    lesson.beat = "";
    lesson.seen = 9;
    assert_int_equal(progress_store(path, &lesson, &err), 0);
    lesson = sample("xor");
    lesson.right = 3;
    lesson.date[0] = '\0';
    assert_int_equal(progress_store(path, &lesson, &err), 0);
    struct progress progress = load();
    const struct lesson_progress *found = progress_find(&progress, "xor");
    assert_true(found->finished);
    assert_string_equal(found->beat, "who");
    assert_int_equal(found->seen, 9);
    assert_int_equal(found->right, 3);
    assert_int_equal(strlen(found->date), 20);
    progress_release(&progress);

    /* The lesson has changed since: its seen beats are counted again. */
    lesson.beats = 12;
    assert_int_equal(progress_store(path, &lesson, &err), 0);
    progress = load();
    assert_int_equal(progress_find(&progress, "xor")->seen, 4);
    progress_release(&progress);
}

static void a_damaged_line_costs_only_itself(void **state) {
    (void)state;
    static const char damaged[] = "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n"
                                  "\n"
                                  "broken\n"
                                  "up\twho\t0\t9\t10\t3\t2\t2026-11-20T12:00:00Z\n"
                                  "up\twho\t0\t9\t4\t3\t-2\t2026-11-20T12:00:00Z\n"
                                  "up\twho\t0\t9\t4\t3\t2\tyesterday\n"
                                  "%zz\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n"
                                  "down\t\t1\t9\t9\t3\t3\t2026-11-20T12:00:00Z\n"
                                  "idx\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z";
    write_file(path, damaged);
    struct progress progress = load();
    assert_int_equal(progress.count, 2);
    assert_int_equal(progress.damaged, 6); /* the last line has no end: it may be cut off */
    assert_non_null(progress_find(&progress, "xor"));
    assert_true(progress_find(&progress, "down")->finished);
    progress_release(&progress);

    store("scan");
    expect_file(path, HEADING "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n"
                              "down\t\t1\t9\t9\t3\t3\t2026-11-20T12:00:00Z\n"
                              "scan\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n");
    char beside[160];
    snprintf(beside, sizeof beside, "%s.damaged", path);
    expect_file(beside, damaged);
}

static void binary_bytes_cost_only_their_lines(void **state) {
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fwrite("a\0b\n", 1, 4, file);
    fputs("xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n", file);
    for (int byte = 0; byte < 256; byte++)
        fputc(byte, file);
    fclose(file);
    struct progress progress = load();
    assert_int_equal(progress.count, 1);
    assert_true(progress.damaged >= 2);
    progress_release(&progress);
}

static void refuse(const char *text) {
    struct lesson_progress lesson = sample("xor");
    struct error err = ERROR_INIT;
    assert_int_equal(progress_store(path, &lesson, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, text));
}

static void a_folder_in_its_place_is_reported(void **state) {
    (void)state;
    assert_int_equal(mkdir(path, 0700), 0);
    struct progress progress = {NULL, 7, 7};
    struct error err = ERROR_INIT;
    assert_int_equal(progress_load(&progress, path, &err), -1);
    assert_int_equal(progress.count, 0);
    assert_non_null(strstr(err.text, "it is not a regular file\ntry: move it away"));
    refuse("it is not a regular file");
    assert_int_equal(progress_reset(path, NULL, &err), -1);
    rmdir(path);
}

/* An interrupted write is repeated, and a partial write is continued; an old errno does not matter
 * for a write that succeeds. The limit stops a file that would otherwise grow forever. */
static void a_write_may_come_in_parts(void **state) {
    (void)state;
    struct rlimit before, small;
#ifndef __linux__
    skip();
#endif
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1 << 20, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (int interrupted = 0; interrupted < 3; interrupted++)
        for (int most = 0; most < 50; most += 7) {
            writing.interrupted = interrupted;
            writing.most = (size_t)most;
            store("xor");
            writing.most = 0;
            expect_file(path, HEADING "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n");
            assert_int_equal(writing.interrupted, 0);
        }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
}

static void an_unwritable_folder_is_reported(void **state) {
    (void)state;
    store("xor");
    assert_int_equal(chmod(folder, 0500), 0);
    if (access(folder, W_OK) != 0) /* root may write anywhere */
        refuse("cannot save your progress to");
    assert_int_equal(chmod(folder, 0700), 0);
    struct progress progress = load();
    assert_int_equal(progress.count, 1);
    progress_release(&progress);
}

static void a_file_in_place_of_a_folder_is_reported(void **state) {
    (void)state;
    write_file(path, "x");
    char below[160];
    snprintf(below, sizeof below, "%s/a/progress", path);
    struct lesson_progress lesson = sample("xor");
    struct error err = ERROR_INIT;
    assert_int_equal(progress_store(below, &lesson, &err), -1);
    assert_non_null(strstr(err.text, "cannot save your progress: cannot create directory"));
}

static void folders_are_made(void **state) {
    (void)state;
    char below[160];
    snprintf(below, sizeof below, "%s.d/state/shflviz/progress", path);
    struct lesson_progress lesson = sample("xor");
    struct error err = ERROR_INIT;
    assert_int_equal(progress_store(below, &lesson, &err), 0);
    struct progress progress;
    assert_int_equal(progress_load(&progress, below, &err), 0);
    assert_int_equal(progress.count, 1);
    progress_release(&progress);
}

static void a_linked_file_stays_a_link(void **state) {
    (void)state;
    char real[160];
    snprintf(real, sizeof real, "%s.real", path);
    write_file(real, "");
    assert_int_equal(symlink(real, path), 0);
    store("xor");
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect_file(real, HEADING "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n");
}

/* Several programs store a lesson each, many times, concurrently: none is lost. */
static void writers_do_not_lose_each_others_lessons(void **state) {
    (void)state;
    enum { WRITERS = 4, TIMES = 25 };
    pid_t writers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = fork();
        assert_true(writers[i] >= 0);
        if (writers[i] > 0)
            continue;
        int failed = 0;
        for (int time = 0; time < TIMES; time++) {
            char name[32];
            snprintf(name, sizeof name, "lesson-%d-%d", i, time);
            struct lesson_progress lesson = sample(name);
            failed |= progress_store(path, &lesson, NULL) != 0;
        }
        _exit(failed);
    }
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(writers[i], &status, 0), writers[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    struct progress progress = load();
    assert_int_equal(progress.count, WRITERS * TIMES);
    assert_int_equal(progress.damaged, 0);
    progress_release(&progress);
}

/* The lock is held as if a writer were stopped, or a server unreachable. */
static void a_lock_held_forever_stops_nobody(void **state) {
    (void)state;
    int held = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(held >= 0);
    assert_int_equal(flock(held, LOCK_EX), 0);
    store("xor");
    close(held);
    struct progress progress = load();
    assert_non_null(progress_find(&progress, "xor"));
    progress_release(&progress);
}

/* A file beside the progress, written `age` seconds ago. */
static void leave_beside(const char *ending, time_t age, char left[]) {
    snprintf(left, LEFT_SIZE, "%s%s", path, ending);
    FILE *file = fopen(left, "w");
    assert_non_null(file);
    fclose(file);
    const struct timespec then = {.tv_sec = time(NULL) - age};
    assert_int_equal(utimensat(AT_FDCWD, left, (const struct timespec[]){then, then}, 0), 0);
}

static void what_killed_writers_left_is_removed(void **state) {
    (void)state;
    static const struct {
        const char *ending;
        time_t age;
        bool stays;
    } files[] = {
        {".new-AbCd12", 3600, false},
        {".new-AbCd13", 0, true}, /* another process may be writing it */
        {".backup", 3600, true},
        {".new-notes-of-mine", 3600, true},
        {".damaged", 3600, true},
        {".new-", 3600, true},
        {".damaged.new-AbCd12", 3600, false},
        {".other.new-AbCd12", 3600, true},
    };
    enum { FILES = sizeof files / sizeof *files };
    char left[FILES][LEFT_SIZE];
    for (int i = 0; i < FILES; i++)
        leave_beside(files[i].ending, files[i].age, left[i]);
    store("xor");
    for (int i = 0; i < FILES; i++)
        assert_int_equal(access(left[i], F_OK) == 0, files[i].stays);
}

/* A terminal that is closed sends SIGHUP while the last lesson is stored. */
static void a_signal_waits_until_the_file_is_written(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        int ready[2];
        char byte;
        assert_int_equal(pipe(ready), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (int written = 0;; written++) {
                struct lesson_progress lesson = {.lesson = "xor", .beat = "a", .beats = 9};
                struct error err = ERROR_INIT;
                if (progress_store(path, &lesson, &err) < 0 ||
                    (written == i && write(ready[1], "", 1) != 1))
                    _exit(1);
            }
        }
        close(ready[1]);
        assert_int_equal(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        kill(child, SIGHUP);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
    }
    char pattern[LEFT_SIZE];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s.new-*", path);
    assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
}

/* Stores the results of questions. */
static void note(const char *questions, unsigned beats) {
    struct lesson_progress lesson = sample("xor");
    struct error err = ERROR_INIT;
    lesson.questions = (char *)questions;
    lesson.beats = beats;
    if (progress_store(path, &lesson, &err) < 0)
        fail_msg("%s", err.text);
}

static void expect_questions(const char *expected) {
    struct progress progress = load();
    assert_int_equal(progress.damaged, 0);
    assert_string_equal(progress_find(&progress, "xor")->questions, expected);
    progress_release(&progress);
}

static void each_question_is_kept(void **state) {
    (void)state;
    struct text questions = TEXT_INIT;
    progress_note(&questions, "who", BEAT_RIGHT);
    progress_note(&questions, "a-2", BEAT_HINTED);
    progress_note(&questions, "both", BEAT_REVEALED);
    assert_string_equal(questions.data, "+who ~a-2 -both");
    note(questions.data, 9);
    text_release(&questions);
    expect_file(path, HEADING "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\t+who ~a-2 -both\n");
    struct progress progress = load();
    const struct lesson_progress *found = progress_find(&progress, "xor");
    assert_int_equal(progress_result(found, "who"), BEAT_RIGHT);
    assert_int_equal(progress_result(found, "a-2"), BEAT_HINTED);
    assert_int_equal(progress_result(found, "both"), BEAT_REVEALED);
    assert_int_equal(progress_result(found, "bot"), BEAT_UNSEEN);
    assert_int_equal(progress_result(found, "a"), BEAT_UNSEEN);
    progress_release(&progress);

    note("-who +both -new", 9); /* the better of both */
    expect_questions("+who +both -new ~a-2");
    note("-who", 10); /* the lesson has changed */
    expect_questions("-who");
}

static void a_question_can_be_mended(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    assert_int_equal(progress_mark_solved(path, "xor", "who", &err), 0); /* there is no file */
    assert_int_equal(access(path, F_OK), -1);
    note("-who -both +all", 9);
    assert_int_equal(progress_mark_solved(path, "xor", "who", &err), 0);
    assert_int_equal(progress_mark_solved(path, "xor", "all", &err), 0);
    assert_int_equal(progress_mark_solved(path, "xor", "never", &err), 0);
    assert_int_equal(progress_mark_solved(path, "up", "who", &err), 0);
    expect_questions("~who -both +all");
}

static void files_without_questions_are_read(void **state) {
    (void)state;
    write_file(path, "xor\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\n"
                     "up\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\t+who\n"
                     "a\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\t\n"
                     "b\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\twho\n"
                     "c\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\t+who  -a\n"
                     "d\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\t+who -\n"
                     "e\twho\t0\t9\t4\t3\t2\t2026-11-20T12:00:00Z\t+who\t-a\n");
    struct progress progress = load();
    assert_int_equal(progress.count, 2);
    assert_int_equal(progress.damaged, 5);
    assert_string_equal(progress_find(&progress, "xor")->questions, "");
    assert_int_equal(progress_result(progress_find(&progress, "xor"), "who"), BEAT_UNSEEN);
    progress_release(&progress);
}

static void progress_can_be_forgotten(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    assert_int_equal(progress_reset(path, "xor", &err), 0); /* there is none yet */
    store("xor");
    store("up");
    store("down");
    assert_int_equal(progress_reset(path, "up", &err), 0);
    assert_int_equal(progress_reset(path, "never-played", &err), 0);
    struct progress progress = load();
    assert_int_equal(progress.count, 2);
    assert_null(progress_find(&progress, "up"));
    progress_release(&progress);
    assert_int_equal(progress_reset(path, NULL, &err), 0);
    expect_file(path, HEADING);
}

static int set_up(void **state) {
    static int number;
    (void)state;
    snprintf(path, sizeof path, "%s/progress%d", folder, number++);
    return 0;
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lesson_has_a_mark),
        cmocka_unit_test(a_second_answer_counts),
        cmocka_unit_test(it_is_where_xdg_says),
        cmocka_unit_test(without_a_home_nothing_is_kept),
        cmocka_unit_test_setup(stored_progress_is_loaded, set_up),
        cmocka_unit_test_setup(progress_is_never_lost, set_up),
        cmocka_unit_test_setup(a_damaged_line_costs_only_itself, set_up),
        cmocka_unit_test_setup(binary_bytes_cost_only_their_lines, set_up),
        cmocka_unit_test_setup(a_folder_in_its_place_is_reported, set_up),
        cmocka_unit_test_setup(a_write_may_come_in_parts, set_up),
        cmocka_unit_test_setup(an_unwritable_folder_is_reported, set_up),
        cmocka_unit_test_setup(a_file_in_place_of_a_folder_is_reported, set_up),
        cmocka_unit_test_setup(folders_are_made, set_up),
        cmocka_unit_test_setup(a_linked_file_stays_a_link, set_up),
        cmocka_unit_test_setup(writers_do_not_lose_each_others_lessons, set_up),
        cmocka_unit_test_setup(a_lock_held_forever_stops_nobody, set_up),
        cmocka_unit_test_setup(what_killed_writers_left_is_removed, set_up),
        cmocka_unit_test_setup(a_signal_waits_until_the_file_is_written, set_up),
        cmocka_unit_test_setup(each_question_is_kept, set_up),
        cmocka_unit_test_setup(a_question_can_be_mended, set_up),
        cmocka_unit_test_setup(files_without_questions_are_read, set_up),
        cmocka_unit_test_setup(progress_can_be_forgotten, set_up),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
