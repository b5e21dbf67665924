/*
 * A scene is changed in a real terminal: on the screen of a shuffle, while a lesson is explored,
 * and in a presentation; a copied command reaches the terminal and is printed on leaving. Also
 * tests the screen that the program shows when started without arguments.
 *
 * The program is the argument.
 */
#include "terminal.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const char
    *program; /* set once by main(), because cmocka passes no arguments to its tests */

static void type_command(struct terminal *terminal, const char *arguments) {
    char line[1024];
    snprintf(line, sizeof line, "XDG_STATE_HOME=$PWD NO_COLOR=1 %s %s", program, arguments);
    terminal_type(terminal, line);
}

static void changes_undoes_and_copies(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 80, 24);
    terminal_tmux(&terminal, "set -g set-clipboard on");
    type_command(&terminal, "xor --mask 3 --width 16 --device cpu");
    terminal_expect(&terminal, "laneMask 3"); /* not in the typed command, unlike the next text */
    terminal_expect(&terminal, "shflviz xor --mask 3 --width 16");
    terminal_keys(&terminal, "l l l l ]");
    terminal_expect(&terminal, "--mask 4 --width 16");
    terminal_expect(&terminal, "00000^00100=4"); /* still in the last phase */
    terminal_bytes(&terminal, "{");
    terminal_expect(&terminal, "--mask 4 --width 8");
    terminal_keys(&terminal, "u u");
    terminal_expect(&terminal, "--mask 3 --width 16");
    terminal_keys(&terminal, "U");
    terminal_expect(&terminal, "--mask 4 --width 16");
    terminal_bytes(&terminal, ":maks 5\r");
    terminal_expect(&terminal, "did you mean --mask?");
    terminal_bytes(&terminal, "\033");
    terminal_expect_not(&terminal, "did you mean");
    terminal_bytes(&terminal, ":mask 5\r");
    terminal_expect(&terminal, "--mask 5 --width 16");
    terminal_keys(&terminal, "y");
    terminal_expect(&terminal, "copied");
    assert_string_equal(terminal_format(&terminal, "#{buffer_sample}"),
                        "shflviz xor --mask 5 --width 16 --device cpu");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect(&terminal, "shflviz xor --mask 5");
    terminal_end(&terminal);
}

/* Pastes as tmux does into a program that has requested markers (bracketed paste). */
static void paste(struct terminal *terminal, const char *bytes) {
    char line[512];
    FILE *file;
    snprintf(line, sizeof line, "%s/pasted", terminal->directory);
    file = fopen(line, "w");
    assert_non_null(file);
    fputs(bytes, file);
    fclose(file);
    snprintf(line, sizeof line, "load-buffer '%s/pasted'", terminal->directory);
    terminal_tmux(terminal, line);
    terminal_tmux(terminal, "paste-buffer -p -r");
}

/* Pasted text is typed into an open line; keys in the text have no effect. */
static void pasted_text_is_not_keys(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 80, 24);
    type_command(&terminal, "xor --mask 3 --device cpu");
    terminal_expect(&terminal, "laneMask 3");
    terminal_expect(&terminal, "shflviz xor --mask 3");
    paste(&terminal, "]]\n:mask 9\r\033q");
    terminal_keys(&terminal, "]");
    terminal_expect(&terminal, "shflviz xor --mask 4");
    terminal_bytes(&terminal, ":");
    paste(&terminal, "\n mask\tsix \033\033[201 q\n]]\n\n");
    terminal_expect(&terminal, ":mask six q ]]");
    terminal_keys(&terminal, "Escape ]");
    terminal_expect(&terminal, "shflviz xor --mask 5");
    terminal_bytes(&terminal, ":");
    paste(&terminal, "mask 12\n");
    terminal_expect(&terminal, ":mask 12");
    terminal_keys(&terminal, "Enter");
    terminal_expect(&terminal, "shflviz xor --mask 12");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    type_command(&terminal, "lesson xor --beat 2");
    terminal_expect(&terminal, "Which lane does lane 5");
    paste(&terminal, "q\n4\n"); /* typed as an answer, but not yet given */
    terminal_keys(&terminal, "Enter");
    terminal_expect(&terminal, "4 is right");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

/* The process ID is left in the file "pid". */
static void start_noted(struct terminal *terminal, const char *arguments) {
    char line[1024];
    terminal_run(terminal, "stty -g >before");
    snprintf(line, sizeof line,
             "sh -c 'echo $$ >pid; exec env NO_COLOR=1 XDG_STATE_HOME=$PWD %s %s'", program,
             arguments);
    terminal_type(terminal, line);
    terminal_expect(terminal, "1 lanes"); /* not in the typed command */
}

static int noted_process(const struct terminal *terminal) {
    char path[128];
    int pid = 0;
    snprintf(path, sizeof path, "%s/pid", terminal->directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &pid), 1);
    fclose(file);
    return pid;
}

static void send_signal(const struct terminal *terminal, int number) {
    assert_int_equal(kill(noted_process(terminal), number), 0);
}

/* The shell's screen is back before the terminal's modes are, so this waits for the process to
 * end. */
static void expect_ended(const struct terminal *terminal) {
    const struct timespec pause = {.tv_nsec = 10000000};
    const int pid = noted_process(terminal);
    for (int looks = 0; kill(pid, 0) == 0; looks++) {
        assert_true(looks < 3000);
        nanosleep(&pause, NULL);
    }
}

/* Modes, screen, mouse and pasting are the shell's again. */
static void expect_reset(struct terminal *terminal) {
    terminal_run(terminal, "stty -g >after; cmp before after");
    assert_string_equal(terminal_format(terminal, "#{alternate_on}"), "0");
    assert_string_equal(terminal_format(terminal, "#{cursor_flag}"), "1");
    assert_string_equal(terminal_format(terminal, "#{mouse_any_flag}"), "0");
    terminal_tmux(terminal, "set-buffer \"echo pas''ted: \"");
    terminal_tmux(terminal, "paste-buffer -p");
    terminal_type(terminal, "as it is");
    terminal_expect(terminal, "pasted: as it is");
    terminal_run(terminal, "clear");
}

/* The signal arrives during repeated runs: some are done, many more are requested. */
static void a_signal_ends_it_during_runs(void **state) {
    (void)state;
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGSEGV};
    char many[401];
    struct terminal terminal;
    memset(many, ']', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    terminal_start(&terminal, 80, 24);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        start_noted(&terminal, "kernel grid-reduce-warp --n 4096 --device cpu");
        terminal_bytes(&terminal, many);
        terminal_expect_not(&terminal, "--n 4096"); /* in the first row */
        send_signal(&terminal, numbers[i]);
        terminal_expect_not(&terminal, "1 lanes");
        expect_ended(&terminal);
        terminal_bytes(&terminal, "\025"); /* input typed ahead goes to the shell */
        terminal_run(&terminal, "clear");
        expect_reset(&terminal);
    }
    terminal_end(&terminal);
}

/* A line that was being typed is restored when the program continues. */
static void it_stops_while_a_setting_is_typed(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 80, 24);
    start_noted(&terminal, "xor --mask 3 --device cpu");
    for (int from_outside = 0; from_outside < 2; from_outside++) {
        terminal_bytes(&terminal, ":mask 1");
        terminal_expect(&terminal, ":mask 1");
        if (from_outside)
            send_signal(&terminal, SIGTSTP);
        else
            terminal_keys(&terminal, "C-z");
        terminal_expect(&terminal, "Stopped");
        terminal_expect_prompt(&terminal);
        expect_reset(&terminal);
        terminal_type(&terminal, "fg");
        terminal_expect(&terminal, ":mask 1");
        paste(&terminal, "2\033"); /* pasting is distinguished from keys again */
        terminal_expect(&terminal, ":mask 12");
        terminal_keys(&terminal, "Enter");
        terminal_expect(&terminal, "shflviz xor --mask 12");
    }
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    expect_reset(&terminal);
    terminal_end(&terminal);
}

static void a_lesson_is_explored(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 80, 24);
    type_command(&terminal, "lesson xor --beat 2");
    terminal_expect(&terminal, "Which lane does lane 5");
    terminal_keys(&terminal, "]"); /* the question comes first */
    terminal_expect_not(&terminal, "--mask 2");
    terminal_keys(&terminal, "BSpace 4 Enter");
    terminal_expect(&terminal, "4 is right");
    terminal_keys(&terminal, "]");
    terminal_expect(&terminal, "shflviz xor --mask 2");
    terminal_expect(&terminal, "exploring");
    terminal_bytes(&terminal, ":width 4\r");
    terminal_expect(&terminal, "shflviz xor --mask 2 --width 4");
    terminal_keys(&terminal, "Enter");
    terminal_expect(&terminal, "laneMask 1  width 32");
    terminal_expect_not(&terminal, "exploring");
    terminal_keys(&terminal, "]");
    terminal_expect(&terminal, "shflviz xor --mask 2");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

static void it_works_before_a_class(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 100, 30);
    type_command(&terminal, "lesson xor --present");
    terminal_expect(&terminal, "1/8");
    terminal_keys(&terminal, "]");
    terminal_expect(&terminal, "shflviz xor");
    terminal_bytes(&terminal, ":mask 9\r");
    terminal_expect(&terminal, "shflviz xor --mask 9");
    terminal_keys(&terminal, "|");
    terminal_expect(&terminal, "Two settings side by side");
    terminal_keys(&terminal, "]");
    terminal_expect(&terminal, "B  xor --mask 10");
    terminal_keys(&terminal, "| Enter");
    terminal_expect(&terminal, "1/8");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

static void it_starts_with_the_start_list(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 80, 24);
    terminal_run(&terminal, "echo 'int main() {}' >mine.cu");
    type_command(&terminal, "");
    terminal_expect(&terminal, "My code");
    terminal_expect(&terminal, "before › address"); /* an animated shuffle */
    terminal_keys(&terminal, "Down Down Down Down Down Enter");
    terminal_expect(&terminal, "mine.cu");
    terminal_keys(&terminal, "Escape");
    terminal_expect(&terminal, "This machine");
    terminal_keys(&terminal, "G Enter");
    terminal_expect(&terminal, "CPU warp");
    terminal_keys(&terminal, "Escape g j Enter");
    terminal_expect(&terminal, "shflviz xor --mask 3 --width 16");
    terminal_keys(&terminal, "q");                 /* back */
    terminal_expect(&terminal, "▸   One shuffle"); /* where it was left off */
    paste(&terminal, "y = __shfl_down_sync(0xffffffff, x, 4, 16);\r\n");
    terminal_expect(&terminal, "down --delta 4 --width 16 --in 100+lane");
    terminal_keys(&terminal, "q");
    terminal_expect(&terminal, "My code");
    paste(&terminal, "shuffle me\n");
    terminal_expect(&terminal, "no CUDA code, call or command line");
    terminal_keys(&terminal, "Enter");
    terminal_expect(&terminal, "My code");
    terminal_keys(&terminal, "j Enter");
    terminal_expect(&terminal, "Lanes and warps");
    terminal_keys(&terminal, "q");
    terminal_expect(&terminal, "My code");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_expect_status(&terminal, 0);
    type_command(&terminal, "| head -n 5");
    terminal_expect(&terminal, "shflviz run FILE.cu");
    terminal_end(&terminal);
}

/* The explanation for first-time users is shown once. The key that ends it has its usual effect. */
static void the_signs_are_explained_once(void **state) {
    (void)state;
    struct terminal terminal;
    terminal_start(&terminal, 80, 24);
    terminal_type(&terminal, "unset SHFLVIZ_LEGEND");
    for (int i = 0; i < 2; i++) {
        type_command(&terminal, "xor --mask 3 --device cpu --format text | head -n 2");
        terminal_expect_not(&terminal, "The signs");
    }
    type_command(&terminal, "xor --mask 3 --device cpu");
    terminal_expect(&terminal, "How to read this screen");
    terminal_expect(&terminal, "out of range: it keeps its own value");
    terminal_keys(&terminal, "]");
    terminal_expect(&terminal, "shflviz xor --mask 4");
    terminal_expect_not(&terminal, "The signs");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_type(&terminal, "clear; test -f shflviz/legend && echo kept");
    terminal_expect(&terminal, "kept");
    type_command(&terminal, "xor --mask 5 --device cpu");
    terminal_expect(&terminal, "laneMask 5");
    terminal_expect_not(&terminal, "The signs");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_type(&terminal, "export SHFLVIZ_LEGEND=always");
    type_command(&terminal, "xor --mask 6 --device cpu");
    terminal_expect(&terminal, "How to read this screen");
    terminal_keys(&terminal, "q");
    terminal_expect_prompt(&terminal);
    terminal_end(&terminal);
}

int main(int argc, char **argv) {
    if (argc != 2 || !terminal_is_available()) {
        fputs("no pseudo-terminals here\n", stderr);
        return 77;
    }
    program = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_undoes_and_copies),
        cmocka_unit_test(pasted_text_is_not_keys),
        cmocka_unit_test(a_signal_ends_it_during_runs),
        cmocka_unit_test(it_stops_while_a_setting_is_typed),
        cmocka_unit_test(the_signs_are_explained_once),
        cmocka_unit_test(a_lesson_is_explored),
        cmocka_unit_test(it_works_before_a_class),
        cmocka_unit_test(it_starts_with_the_start_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
