/*
 * A lesson in a real terminal with 16 colours, from its first beat to its last: resized, killed
 * halfway and continued. The lesson is the one in tests/view/lesson.
 *
 * The program and the lesson's folder are the arguments.
 */
#include "terminal.h"

#include "base/memory.h"
#include "base/text.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int setup(void **state) {
    struct terminal *terminal = memory_zeroed(1, sizeof(*terminal));

    *state = terminal;
    terminal_start(terminal, 80, 24);
    terminal_run(terminal, "export XDG_STATE_HOME=$PWD LC_ALL=C.UTF-8");
    terminal_run(terminal, "stty -g >modes");
    /* Descriptions of terminals with 16 colours are seldom installed. */
    terminal_run(terminal, "printf 'tmux-16color|tmux with 16 colours,\\n\\tcolors#16, pairs#256, "
                           "use=tmux-256color,\\n' >16 && tic -x -o . 16");
    terminal_run(terminal, "clear");
    return 0;
}

static int teardown(void **state) {
    terminal_end(*state);
    free(*state);
    return 0;
}

/* The process ID is left in the file "pid". */
static void start(struct terminal *terminal, const char *arguments) {
    struct text line = TEXT_INIT;

    text_append_format(
        &line,
        "sh -c 'echo $$ >pid; TERMINFO=$PWD TERM=tmux-16color exec $PROGRAM lesson %s "
        "--background dark'",
        arguments);
    terminal_type(terminal, line.data);
    text_release(&line);
}

static void end_by(const struct terminal *terminal, int signal_number) {
    char path[128];
    FILE *file;
    long pid = 0;

    snprintf(path, sizeof(path), "%s/pid", terminal->directory);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pid), 1);
    fclose(file);
    assert_int_equal(kill((pid_t)pid, signal_number), 0);
}

static void expect_restored(struct terminal *terminal) {
    assert_string_equal(terminal_format(terminal, "#{alternate_on}"), "0");
    assert_string_equal(terminal_format(terminal, "#{cursor_flag}"), "1");
    terminal_run(terminal, "test \"$(stty -g)\" = \"$(cat modes)\"");
    /* After resizing, tmux does not scroll text that the shell writes in the last row. */
    terminal_run(terminal, "clear");
}

static void a_lesson_is_played_to_its_end(void **state) {
    struct terminal *terminal = *state;

    start(terminal, "$LESSON");
    terminal_expect(terminal, "Everyone has a value");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "lane^3");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "Which lane does lane 5");

    /* Everything is shown at any size, and the question is still open. */
    terminal_resize(terminal, 120, 40);
    terminal_expect(terminal, "─ source ");
    terminal_resize(terminal, 60, 20);
    terminal_expect_not(terminal, "─ source ");
    terminal_expect(terminal, "Which lane does");
    terminal_resize(terminal, 80, 24);
    terminal_keys(terminal, "8 Enter");
    terminal_expect(terminal, "8 is 5 + 3");
    terminal_expect_escape(terminal, "91m"); /* bright red */
    terminal_keys(terminal, "6 Enter");
    terminal_expect(terminal, "6 is right");
    terminal_expect_escape(terminal, "92m"); /* bright green */

    /* Shows range, move and after, and then the next beat. */
    terminal_keys(terminal, "Right Right Right");
    terminal_expect(terminal, "Back the same way");
    end_by(terminal, SIGTERM);
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 128 + SIGTERM);
    expect_restored(terminal);

    /* The lesson continues where it was left off. */
    start(terminal, "$LESSON");
    terminal_expect(terminal, "Back the same way");
    terminal_keys(terminal, "3 Enter");
    terminal_expect(terminal, "3 is right");
    terminal_keys(terminal, "Right Right Right");
    terminal_expect(terminal, "What it holds then");
    terminal_keys(terminal, "6 Enter");
    terminal_expect(terminal, "6 is right");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "Left out");
    terminal_keys(terminal, "4 - 7 Enter");
    terminal_expect(terminal, "4-7 is right");
    terminal_keys(terminal, "Right Right Right");
    terminal_expect(terminal, "Who is missing");
    terminal_keys(terminal, "8 - 3 1 Enter");
    terminal_expect(terminal, "8-31 is right");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "A round of a sum");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "The program");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "Covered");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "In words");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "finished");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 0);
    expect_restored(terminal);
    terminal_run(terminal, "grep -q \"^$(realpath $LESSON)[[:space:]]\" shflviz/progress");
}

/* The program keeps the terminal on the way from the list to a lesson and back. */
static void a_lesson_is_opened_from_the_list(void **state) {
    struct terminal *terminal = *state;

    start(terminal, "");
    terminal_expect(terminal, "Lessons");
    terminal_keys(terminal, "/ b r o a d");
    terminal_expect(terminal, "search /broad");
    terminal_keys(terminal, "Enter Enter");
    terminal_expect(terminal, "1/");
    terminal_expect_not(terminal, "Lessons");
    assert_string_equal(terminal_format(terminal, "#{alternate_on}"), "1");
    terminal_keys(terminal, "q");
    terminal_expect(terminal, "Lessons");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 0);
    expect_restored(terminal);
}

/* The user's own keys apply, the key bar shows them, and an invalid line is reported. */
static void user_keys_work(void **state) {
    struct terminal *terminal = *state;

    terminal_run(terminal, "mkdir -p shflviz && printf 'bind lesson x beat-next\\nbind lesson y "
                           "beat-nxt\\nbind lesson z leave\\n' >shflviz/keys");
    start(terminal, "$LESSON");
    terminal_expect(terminal, "Everyone has a value");
    terminal_expect(terminal, "x go on");
    terminal_keys(terminal, "x");
    terminal_expect(terminal, "lane^3");
    terminal_keys(terminal, "z");
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 0);
    terminal_expect(terminal, "keys:2: 'beat-nxt'"); /* the rest may be on the next line */
    terminal_expect(terminal, "allowed: beat-next beat-previous");
    expect_restored(terminal);
}

/* Plays the built-in lesson xor from its first question on: each answer, then its phases. */
static void play_xor(struct terminal *terminal) {
    static const struct {
        const char *beat, *answer; /* NULL if there is no question */
        const char *next;          /* the keys for the phases of the beat or of its answer */
    } answers[] = {{"2/8", "4", "Right Right Right"},
                   {"3/8", "4", "Right Right Right"},
                   {"4/8", "5", "Right Right Right"},
                   {"5/8", "4", "Right Right Right"},
                   {"6/8", NULL, "Right Right Right Right Right"},
                   {"7/8", "x o r Space 3", "Right"}};

    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        terminal_expect(terminal, answers[i].beat);
        if (answers[i].answer) {
            terminal_keys(terminal, answers[i].answer);
            terminal_keys(terminal, "Enter");
            terminal_expect(terminal, "is right");
        }
        terminal_keys(terminal, answers[i].next);
    }
    terminal_expect(terminal, "8/8");
}

/* A lesson is found by searching, played to its end, and then marked in the list. */
static void a_lesson_is_found_and_finished(void **state) {
    struct terminal *terminal = *state;

    start(terminal, "--lang en");
    terminal_expect(terminal, "0 of ");
    terminal_keys(terminal, "/ x o r Enter");
    terminal_expect(terminal, "▸   xor, partners trade");
    terminal_keys(terminal, "Enter");
    terminal_expect(terminal, "1/8");
    terminal_keys(terminal, "Right");
    play_xor(terminal);
    terminal_keys(terminal, "Right");
    terminal_expect_not(terminal, "8/8");
    terminal_keys(terminal, "q");
    terminal_expect(terminal, "1 of ");
    terminal_expect(terminal, "▸ ★ xor, partners trade");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 0);
    expect_restored(terminal);
}

/* After an answer the question and the right answer stay visible while other operations are
 * shown. */
static void a_verdict_stays_with_its_question(void **state) {
    struct terminal *terminal = *state;
    start(terminal, "scan --beat second-round --lang en");
    terminal_expect(terminal, "What does the shuffle hand");
    terminal_keys(terminal, "4 5 Enter");
    terminal_expect(terminal, "✓ 45 is right");
    terminal_keys(terminal, "n");
    terminal_expect(terminal, "exploring");
    terminal_expect(terminal, "✓ 45 is right");
    terminal_keys(terminal, "Enter q");
    terminal_expect_prompt(terminal);
    /* An answer that was shown stays visible, too. */
    start(terminal, "scan --beat second-round --lang en");
    terminal_expect(terminal, "What does the shuffle hand");
    terminal_keys(terminal, "Escape Escape");
    terminal_expect(terminal, "The answer is 45");
    terminal_keys(terminal, "n n");
    terminal_expect(terminal, "exploring");
    terminal_expect(terminal, "The answer is 45");
    terminal_keys(terminal, "Enter q");
    terminal_expect_prompt(terminal);
}

static void the_next_lesson_is_one_key_away(void **state) {
    struct terminal *terminal = *state;
    start(terminal, "xor --beat end --lang en");
    terminal_expect(terminal, "Five calls reach everybody");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "Next: xor with a small width");
    terminal_expect(terminal, "Now write it: Swap pairs");
    terminal_expect(terminal, "n opens it");
    terminal_keys(terminal, "n");
    terminal_expect(terminal, "A width that changes nothing");
    terminal_expect(terminal, "1/8");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
}

/* The prompt for an answer names the possible forms: a shuffle may give a lane its own value, a
 * reduction does not. */
static void own_is_offered_where_it_means_something(void **state) {
    struct terminal *terminal = *state;
    start(terminal, "broadcast --beat value --lang en");
    terminal_expect(terminal, "a number · own");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    start(terminal, "reduce-sync --beat who --lang en");
    terminal_expect(terminal, "a number · undefined");
    terminal_expect_not(terminal, "· own");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
}

/* A question about what a lane passes, in a lesson that hides the call, shows no call with its
 * answer. */
static void the_first_answer_shows_no_shuffle(void **state) {
    struct terminal *terminal = *state;
    start(terminal, "lanes-and-warps --beat second --lang en");
    terminal_expect(terminal, "Which thread is lane 5 of warp 1?");
    terminal_keys(terminal, "3 7 Enter");
    terminal_expect(terminal, "5 37");
    terminal_expect_not(terminal, "src");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
}

/* The progress file is complete and contains the lesson, and no temporary file is left. */
static void expect_whole_progress(struct terminal *terminal) {
    terminal_run(terminal, "test -z \"$(tail -c 1 shflviz/progress)\"");
    terminal_run(terminal, "grep -q '\\bxor\\b' shflviz/progress");
    terminal_run(terminal, "test \"$(ls shflviz | grep -vxc 'progress\\|progress.lock')\" = 0");
}

/* The screen is resized while an answer is half typed, and the lesson is killed while the
 * question is open. */
static void a_killed_lesson_leaves_a_whole_file(void **state) {
    struct terminal *terminal = *state;

    start(terminal, "xor --lang en");
    terminal_expect(terminal, "1/8");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "2/8");
    terminal_keys(terminal, "1");
    terminal_resize(terminal, 120, 40);
    terminal_expect(terminal, "─ source ");
    terminal_resize(terminal, 60, 20);
    terminal_expect_not(terminal, "─ source ");
    terminal_resize(terminal, 80, 24);
    terminal_keys(terminal, "7 Enter");
    terminal_expect(terminal, "17 is not right");
    end_by(terminal, SIGTERM);
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 128 + SIGTERM);
    expect_restored(terminal);
    expect_whole_progress(terminal);

    /* Nothing can restore the terminal after a SIGKILL, but the file is complete. */
    start(terminal, "xor --lang en");
    play_xor(terminal);
    end_by(terminal, SIGKILL);
    terminal_expect(terminal, "ready>");
    terminal_type(terminal, "stty sane; printf '\\033[?1049l\\033[?25h\\033[?1000l\\033[m'; clear");
    terminal_run(terminal, "true");
    expect_whole_progress(terminal);

    start(terminal, "--lang en");
    terminal_expect(terminal, "Lessons");
    terminal_keys(terminal, "q");
    terminal_expect_status(terminal, 0);
}

static void the_list_is_in_chinese(void **state) {
    struct terminal *terminal = *state;

    start(terminal, "--lang zh");
    terminal_expect(terminal, "课程");
    terminal_keys(terminal, "/ x o r Enter");
    terminal_expect(terminal, "▸   xor：交换");
    terminal_keys(terminal, "Enter");
    terminal_expect(terminal, "1/8");
    terminal_expect(terminal, "通道");
    terminal_keys(terminal, "Right 4 Enter");
    terminal_expect(terminal, "✓ 4");
    terminal_keys(terminal, "q");
    terminal_expect(terminal, "课程");
    terminal_expect(terminal, "2/8");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 0);
    expect_restored(terminal);
}

static void escape_goes_back_to_what_opened_the_lesson(void **state) {
    struct terminal *terminal = *state;

    terminal_type(terminal, "TERMINFO=$PWD TERM=tmux-16color $PROGRAM");
    terminal_expect(terminal, "see how the lanes of a GPU warp");
    terminal_keys(terminal, "Enter");
    terminal_expect(terminal, "shflviz  Fast track");
    terminal_keys(terminal, "Enter");
    terminal_expect(terminal, "A block is cut into warps");
    terminal_keys(terminal, "? Escape"); /* Escape closes the help first */
    terminal_expect(terminal, "A block is cut into warps");
    terminal_keys(terminal, "Escape");
    terminal_expect(terminal, "shflviz  Fast track");
    terminal_keys(terminal, "Escape");
    terminal_expect(terminal, "see how the lanes of a GPU warp");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);

    start(terminal, "--lang en"); /* the list */
    terminal_expect(terminal, "Lanes and warps");
    terminal_keys(terminal, "/ x o r Enter Enter");
    terminal_expect(terminal, "1/8");
    terminal_keys(terminal, "Escape");
    terminal_expect(terminal, "Lanes and warps");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);

    start(terminal, "xor --lang en"); /* opened from the shell: there is no screen to go back to */
    terminal_expect(terminal, "1/8");
    terminal_keys(terminal, "Escape Right");
    terminal_expect(terminal, "2/8");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
}

/* For every other question the answer is shown; the others are answered. */
static void a_quiz_goes_on_for_twenty_questions(void **state) {
    struct terminal *terminal = *state;
    char score[32];

    terminal_type(terminal, "TERMINFO=$PWD TERM=tmux-16color $PROGRAM quiz xor --seed 7 --lang en");
    for (int asked = 1; asked <= 20; asked++) {
        terminal_expect(terminal, "▸");
        if (asked % 2) {
            terminal_keys(terminal, "Escape");
            terminal_expect(terminal, "once more shows");
            terminal_keys(terminal, "Escape");
        } else {
            terminal_keys(terminal, "7 Enter 8 Enter");
        }
        snprintf(score, sizeof(score), "of %d right", asked);
        terminal_expect(terminal, score);
        terminal_keys(terminal, "Enter");
    }
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    terminal_expect_status(terminal, 0);
    expect_restored(terminal);
}

static void write_file(const struct terminal *terminal, const char *name, const char *text) {
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", terminal->directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Consent applies to the file as it was when the question was asked. */
static void a_program_that_changes_during_consent_is_not_run(void **state) {
    struct terminal *terminal = *state;

    write_file(terminal, "mine.md", "---\ntitle: T\nkernel: mine.cu\n---\n\n## A {#a}\n\nText.\n");
    write_file(terminal, "mine.cu", "int main() {}\n");
    terminal_type(terminal, "$PROGRAM lesson mine.md");
    terminal_expect(terminal, "Build and run it?");
    write_file(terminal, "mine.cu",
               "#include <stdlib.h>\nint main() { return system(\"touch ran\"); }\n");
    terminal_type(terminal, "y");
    terminal_expect(terminal, "changed while you were being asked");
    terminal_expect_status(terminal, 3);
    terminal_run(terminal, "clear; test ! -e ran");
}

/* The program could write into the screen, or wait for keys that never come. */
static void a_program_has_no_terminal(void **state) {
    struct terminal *terminal = *state;

    write_file(terminal, "mine.md", "---\ntitle: T\nkernel: mine.cu\n---\n\n## A {#a}\n\nText.\n");
    write_file(terminal, "mine.cu",
               "#include <stdio.h>\n"
               "int main() {\n"
               "    FILE *tty = fopen(\"/dev/tty\", \"r\"), *told = fopen(\"told\", \"w\");\n"
               "    fputs(tty ? \"a terminal\" : \"none\", told);\n"
               "}\n");
    /* The program is not confined, because otherwise it could not write its findings. */
    terminal_type(terminal, "$PROGRAM lesson mine.md --trust --no-sandbox");
    terminal_expect(terminal, "no warp operation");
    terminal_run(terminal, "clear; grep -qx none told");
}

static void a_long_list_in_an_error_is_broken_between_words(void **state) {
    struct terminal *terminal = *state;
    terminal_type(terminal, "$PROGRAM exercise nope --lang en");
    terminal_expect(terminal, "  allowed: broadcast");
    terminal_expect(terminal, "    warp-sum-down butterfly-sum"); /* no room on the line above */
}

/* The kernel is run once more for its lines, which the first run did not record. */
static void key_7_opens_the_variables_of_a_lesson(void **state) {
    struct terminal *terminal = *state;

    start(terminal, "down-tree");
    terminal_expect(terminal, "In round one each lane");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "Who has nobody to read");
    terminal_keys(terminal, "7");
    terminal_expect(terminal, "delta = 16");
    terminal_expect(terminal, "sum = ");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, "delta = 8");
    terminal_keys(terminal, "Enter");
    terminal_expect_not(terminal, "delta = 8");
    terminal_keys(terminal, "q");
    terminal_expect_prompt(terminal);
    expect_restored(terminal);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_lesson_is_played_to_its_end, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lesson_is_opened_from_the_list, setup, teardown),
        cmocka_unit_test_setup_teardown(user_keys_work, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lesson_is_found_and_finished, setup, teardown),
        cmocka_unit_test_setup_teardown(a_verdict_stays_with_its_question, setup, teardown),
        cmocka_unit_test_setup_teardown(the_next_lesson_is_one_key_away, setup, teardown),
        cmocka_unit_test_setup_teardown(own_is_offered_where_it_means_something, setup, teardown),
        cmocka_unit_test_setup_teardown(the_first_answer_shows_no_shuffle, setup, teardown),
        cmocka_unit_test_setup_teardown(a_killed_lesson_leaves_a_whole_file, setup, teardown),
        cmocka_unit_test_setup_teardown(the_list_is_in_chinese, setup, teardown),
        cmocka_unit_test_setup_teardown(a_quiz_goes_on_for_twenty_questions, setup, teardown),
        cmocka_unit_test_setup_teardown(a_program_that_changes_during_consent_is_not_run, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_program_has_no_terminal, setup, teardown),
        cmocka_unit_test_setup_teardown(a_long_list_in_an_error_is_broken_between_words, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(escape_goes_back_to_what_opened_the_lesson, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(key_7_opens_the_variables_of_a_lesson, setup, teardown),
    };

    if (argc != 3) {
        fprintf(stderr, "usage: test_lesson PROGRAM LESSON\n");
        return 2;
    }
    if (!terminal_is_available()) {
        fprintf(stderr, "this system gives out no pseudo-terminals (is /dev/pts mounted?)\n");
        return 77; /* ctest counts this as skipped */
    }
    setenv("PROGRAM", argv[1], 1);
    setenv("LESSON", argv[2], 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
