/*
 * The screen in a real terminal: a shell in a pane of tmux starts the program, keys and signals
 * reach it as they would from a user, and the terminal is checked before, during and after.
 *
 * The command to run is the program's argument.
 */
#include "terminal.h"

#include "base/memory.h"
#include "base/text.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The program to run; set once by main(), because cmocka passes no arguments to its tests. */
static const char *program;

/* Text that is on the first screen, and never on the shell's. */
#define ON_SCREEN "1 lanes"
/* The heading of a column that the second phase adds to the table of lanes: "lane^16". */
#define ADDRESS "lane^"

static int setup(void **state) {
    struct terminal *terminal = memory_zeroed(1, sizeof(*terminal));

    *state = terminal;
    terminal_start(terminal, 80, 24);
    return 0;
}

static int teardown(void **state) {
    terminal_end(*state);
    free(*state);
    return 0;
}

/* Types the command with settings of its environment ("NO_COLOR=1"), and waits for its first frame.
 * The process ID is left in the file "pid". */
static void start_with(struct terminal *terminal, const char *environment) {
    struct text line = TEXT_INIT;

    /* Uses a variable, so that the shell's message about the job does not depend on the build
     * folder. */
    text_append_format(&line, "sh -c 'echo $$ >pid; exec /usr/bin/env %s $PROGRAM'", environment);
    terminal_type(terminal, line.data);
    text_release(&line);
    terminal_expect(terminal, ON_SCREEN);
}

static void start(struct terminal *terminal) {
    start_with(terminal, "");
}

/* Goes from any view to the table of lanes, whose columns show the phase: Tab leads from the last
 * view to the table. (A digit alone could be a count for the next key.) */
static void to_lanes(struct terminal *terminal) {
    terminal_keys(terminal, "6 Tab");
}

static void quit(struct terminal *terminal) {
    terminal_keys(terminal, "q");
    terminal_expect_status(terminal, 0);
}

static void send_signal(const struct terminal *terminal, int signal_number) {
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

/* Stores the terminal's modes before a run, with something on the screen to return to. */
static void note_modes(struct terminal *terminal) {
    terminal_run(terminal, "stty -g >before; echo left' 'behind");
}

static void expect_format(struct terminal *terminal, const char *format, const char *value) {
    assert_string_equal(terminal_format(terminal, format), value);
}

/* Pasted text reaches the shell unchanged. */
static void expect_plain_paste(struct terminal *terminal) {
    terminal_expect_prompt(terminal);
    terminal_tmux(terminal, "set-buffer \"echo pas''ted: \"");
    terminal_tmux(terminal, "paste-buffer -p");
    terminal_type(terminal, "as it is");
    terminal_expect(terminal, "pasted: as it is");
}

/* Checks that the terminal is as the shell left it: modes, screen, cursor, mouse, keypad,
 * pasting. */
static void expect_restored(struct terminal *terminal) {
    terminal_run(terminal, "stty -g >after; cmp before after");
    terminal_expect(terminal, "left behind");
    expect_format(terminal, "#{alternate_on}", "0");
    expect_format(terminal, "#{cursor_flag}", "1");
    expect_format(terminal, "#{mouse_any_flag}", "0");
    expect_format(terminal, "#{mouse_sgr_flag}", "0");
    expect_format(terminal, "#{keypad_cursor_flag}", "0");
    expect_format(terminal, "#{keypad_flag}", "0");
    expect_plain_paste(terminal);
}

static void test_quits(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start(terminal);
    expect_format(terminal, "#{alternate_on}", "1");
    expect_format(terminal, "#{cursor_flag}", "0");
    quit(terminal);
    expect_restored(terminal);
}

/* After a signal ends the program, the shell sees its number (128 + N), and the terminal is
 * restored. */
static void check_end(struct terminal *terminal, int signal_number) {
    terminal_expect_not(terminal, ON_SCREEN);
    terminal_expect_status(terminal, 128 + signal_number);
    expect_restored(terminal);
}

static void test_interrupt_key(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start(terminal);
    terminal_keys(terminal, "C-c");
    check_end(terminal, SIGINT);
}

static void check_signal(struct terminal *terminal, int signal_number) {
    note_modes(terminal);
    start(terminal);
    to_lanes(terminal);
    terminal_keys(terminal, "Right"); /* in the middle of a run */
    terminal_expect(terminal, ADDRESS);
    send_signal(terminal, signal_number);
    check_end(terminal, signal_number);
}

static void test_terminate(void **state) {
    check_signal(*state, SIGTERM);
}

static void test_hang_up(void **state) {
    check_signal(*state, SIGHUP);
}

static void test_quit_signal(void **state) {
    check_signal(*state, SIGQUIT);
}

static void test_abort(void **state) {
    check_signal(*state, SIGABRT);
}

/* An unexpected signal ends the program, too. */
static void test_stray_signal(void **state) {
    check_signal(*state, SIGUSR1);
}

static void test_crash(void **state) {
    check_signal(*state, SIGSEGV);
}

/* All other signals that would end the program. */
static void test_every_signal(void **state) {
    static const int signals[] = {
#ifndef __SANITIZE_ADDRESS__ /* ASan reports these signals itself */
        SIGBUS,    SIGFPE,  SIGILL,
#endif
        SIGPIPE,   SIGTRAP, SIGSYS, SIGALRM, SIGUSR2, SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM, SIGPOLL,
#ifdef SIGPWR
        SIGPWR,
#endif
#ifdef SIGSTKFLT
        SIGSTKFLT,
#endif
    };

    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        check_signal(*state, signals[i]);
#ifdef SIGRTMAX
    check_signal(*state, SIGRTMIN);
    check_signal(*state, SIGRTMAX);
#endif
}

/* Waits until the terminal accepts no more output, because Ctrl-S has reached it. */
static void expect_output_stopped(struct terminal *terminal) {
    struct pollfd output = {.events = POLLOUT};

    output.fd = open(terminal_format(terminal, "#{pane_tty}"), O_WRONLY | O_NOCTTY | O_NONBLOCK);
    assert_true(output.fd >= 0);
    while (poll(&output, 1, 0) > 0)
        sched_yield(); /* the test's time limit ends this loop */
    close(output.fd);
}

/* Ctrl-S stops the output, and a program that writes waits for Ctrl-Q, unless a signal ends the
 * program. */
static void check_signal_to_stopped(struct terminal *terminal, int signal_number) {
    note_modes(terminal);
    start(terminal);
    to_lanes(terminal);
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, ADDRESS);
    terminal_keys(terminal, "C-s");
    expect_output_stopped(terminal);
    send_signal(terminal, SIGWINCH); /* redraws everything; a key could be left for the shell */
    send_signal(terminal, signal_number);
    check_end(terminal, signal_number);
}

static void test_signal_to_stopped_output(void **state) {
    check_signal_to_stopped(*state, SIGTERM);
    check_signal_to_stopped(*state, SIGHUP);
    check_signal_to_stopped(*state, SIGUSR1);
}

/* The signal handler has a stack of its own. */
static void test_stack_overflow(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start_with(terminal, "DEMO_FIFO=none");
    terminal_keys(terminal, "q");
    terminal_expect(terminal, "second: ");
    terminal_keys(terminal, "o");
    terminal_expect_not(terminal, "second: ");
    terminal_expect_status(terminal, 128 + SIGSEGV);
    expect_restored(terminal);
}

/* A process that is killed outright cannot restore anything; a later process can. */
static void test_kill(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start(terminal);
    to_lanes(terminal);
    terminal_keys(terminal, "Right"); /* the terminal's answers have been read by then */
    terminal_expect(terminal, ADDRESS);
    send_signal(terminal, SIGKILL);
    /* The killed program's modes and screen stay: the next run must cope with them. */
    terminal_expect(terminal, "ready>"); /* somewhere in the killed program's picture */
    terminal_type(terminal, "clear");
    terminal_expect_not(terminal, ON_SCREEN);
    terminal_expect_prompt(terminal);
    start(terminal);
    to_lanes(terminal);
    quit(terminal);
    terminal_run(terminal, "stty $(cat before); stty -g >after; cmp before after");
    expect_restored(terminal);
}

/* Ctrl-Z restores the terminal and stops the program; fg shows the same moment again. */
static void test_stop_and_continue(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start(terminal);
    to_lanes(terminal);
    terminal_keys(terminal, "Right Right");
    terminal_expect(terminal, "reads");
    terminal_keys(terminal, "C-z");
    terminal_expect(terminal, "Stopped");
    terminal_expect_prompt(terminal);
    expect_restored(terminal);
    terminal_type(terminal, "fg");
    terminal_expect(terminal, ADDRESS);
    expect_format(terminal, "#{alternate_on}", "1");
    expect_format(terminal, "#{cursor_flag}", "0");
    expect_format(terminal, "#{mouse_any_flag}", "1");
    terminal_keys(terminal, "Left Left");
    terminal_expect_not(terminal, ADDRESS);
    /* Once more, but the terminal's size is different when the program continues. */
    terminal_keys(terminal, "C-z");
    terminal_expect(terminal, "Stopped");
    terminal_expect_prompt(terminal);
    terminal_resize(terminal, 100, 30);
    terminal_type(terminal, "fg");
    terminal_expect(terminal, ON_SCREEN);
    quit(terminal);
    expect_restored(terminal);
}

/* The program is stopped and continued from outside, without a chance to tidy up. */
static void test_stopped_from_outside(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start(terminal);
    to_lanes(terminal);
    terminal_keys(terminal, "Right"); /* the terminal's answers have been read by then */
    terminal_expect(terminal, ADDRESS);
    send_signal(terminal, SIGSTOP);
    /* The shell reports the stop and accepts input. Its prompt follows somewhere in the remains of
     * the screen, perhaps across the right edge: the cursor's position depends on ncurses. */
    terminal_expect(terminal, "Stopped");
    terminal_type(terminal, "fg");
    terminal_expect_not(terminal, "Stopped");
    terminal_expect(terminal, ON_SCREEN);
    quit(terminal);
    terminal_run(terminal, "stty -g >after; cmp before after");
}

static void test_resize(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start(terminal);
    terminal_resize(terminal, 30, 8);
    terminal_expect_not(terminal, ON_SCREEN);
    terminal_expect(terminal, "60"); /* the message names the size needed: 60x20 */
    terminal_resize(terminal, 1, 1);
    terminal_resize(terminal, 2, 1);
    terminal_resize(terminal, 120, 40);
    terminal_expect(terminal, "explain");
    terminal_expect(terminal, "quit");
    terminal_resize(terminal, 80, 24);
    terminal_expect(terminal, ON_SCREEN);
    terminal_expect(terminal, "quit");
    quit(terminal);
    expect_restored(terminal);
}

/* ---- colours
 * ---------------------------------------------------------------------------------- */

/* True if an SGR sequence on the screen has a parameter that `is` accepts; the parameters of 38 and
 * 48 are skipped. */
static bool has_parameter(const char *screen, bool (*is)(int parameter, int kind)) {
    while ((screen = strstr(screen, "\033["))) {
        char *end;

        screen += 2;
        for (;;) {
            const int parameter = (int)strtol(screen, &end, 10);
            int kind = 0;

            if ((parameter == 38 || parameter == 48) && *end == ';')
                kind = (int)strtol(end + 1, &end, 10);
            if (is(parameter, kind))
                return true;
            if (kind) /* the rest of the sequence names the colour */
                break;
            if (*end != ';')
                break;
            screen = end + 1;
        }
    }
    return false;
}

static bool is_color(int parameter, int kind) {
    (void)kind;
    return (parameter >= 30 && parameter <= 38) || (parameter >= 40 && parameter <= 48) ||
           (parameter >= 90 && parameter <= 107);
}

static bool is_beyond_eight(int parameter, int kind) {
    return kind != 0 || (parameter >= 90 && parameter <= 107);
}

static bool is_indexed(int parameter, int kind) {
    (void)parameter;
    return kind == 5;
}

static bool is_true_color(int parameter, int kind) {
    (void)parameter;
    return kind == 2;
}

static bool is_reverse(int parameter, int kind) {
    return parameter == 7 && kind == 0;
}

static void test_no_color(void **state) {
    struct terminal *terminal = *state;

    start_with(terminal, "NO_COLOR=1");
    assert_false(has_parameter(terminal_screen(terminal, true), is_color));
    assert_true(has_parameter(terminal_screen(terminal, true), is_reverse));
    quit(terminal);
}

static void test_monochrome(void **state) {
    struct terminal *terminal = *state;

    start_with(terminal, "TERM=vt100");
    to_lanes(terminal);
    assert_false(has_parameter(terminal_screen(terminal, true), is_color));
    assert_true(has_parameter(terminal_screen(terminal, true), is_reverse));
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, ADDRESS);
    quit(terminal);
}

static void test_eight_colors(void **state) {
    /* For the Linux console ncurses loads libgpm, which never frees its terminal's name. */
    static const char *const terms[] = {"TERM=xterm", "TERM=screen", "TERM=tmux",
                                        "TERM=linux ASAN_OPTIONS=detect_leaks=0"};
    struct terminal *terminal = *state;

    for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
        terminal_run(terminal, "clear"); /* the terminal may have only one screen */
        start_with(terminal, terms[i]);
        assert_true(has_parameter(terminal_screen(terminal, true), is_color));
        assert_false(has_parameter(terminal_screen(terminal, true), is_beyond_eight));
        quit(terminal);
    }
}

static void test_256_colors(void **state) {
    struct terminal *terminal = *state;

    start_with(terminal, "TERM=tmux-256color");
    assert_true(has_parameter(terminal_screen(terminal, true), is_indexed));
    assert_false(has_parameter(terminal_screen(terminal, true), is_true_color));
    quit(terminal);
}

/* True colour if a terminal description for it is installed, otherwise 256 colours. */
static void test_true_color(void **state) {
    struct terminal *terminal = *state;

    terminal_run(terminal, "infocmp -x tmux-256color | sed -e 's/tmux-256color|/some-256color|/' "
                           "-e 's/|tmux with/|some with/' >some.ti && tic -x -o . some.ti");
    start_with(terminal, "TERMINFO=$PWD TERM=some-256color COLORTERM=truecolor");
    assert_true(has_parameter(terminal_screen(terminal, true), is_indexed));
    assert_false(has_parameter(terminal_screen(terminal, true), is_true_color));
    quit(terminal);

    /* As in xterm+direct of ncurses' terminfo.src. */
    terminal_run(terminal, "cat >direct.ti <<'END'\n"
                           "some-direct|a direct terminal,\n"
                           " RGB, colors#0x1000000, pairs#0x7FFF,\n"
                           " setaf=\\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/"
                           "%{255}%&%d;%p1%{255}%&%d%;m,\n"
                           " setab=\\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/"
                           "%{255}%&%d;%p1%{255}%&%d%;m,\n"
                           " use=some-256color,\n"
                           "END\n"
                           "TERMINFO=$PWD tic -x -o . direct.ti");
    start_with(terminal, "TERMINFO=$PWD TERM=some-256color COLORTERM=truecolor");
    assert_true(has_parameter(terminal_screen(terminal, true), is_true_color));
    assert_false(has_parameter(terminal_screen(terminal, true), is_indexed));
    quit(terminal);
}

/* The terminal reports its background, and the colours of the groups depend on it. The first
 * group takes its colour from one of the three tables for 256 colours in palette.c. */
static void test_background(void **state) {
    struct terminal *terminal = *state;

    /* The terminal is not queried, because whether tmux answers depends on its version. */
    start_with(terminal, "TERM=screen-256color");
    terminal_expect_escape(terminal, "38;5;63m");
    quit(terminal);
    terminal_tmux(terminal, "select-pane -P bg=#101418");
    start_with(terminal, "TERM=tmux-256color");
    terminal_expect_escape(terminal, "38;5;159m");
    quit(terminal);
    terminal_tmux(terminal, "select-pane -P bg=#fdf6e3");
    start_with(terminal, "TERM=tmux-256color");
    terminal_expect_escape(terminal, "38;5;27m");
    quit(terminal);
    /* Information in the environment makes the question unnecessary. */
    start_with(terminal, "TERM=tmux-256color COLORFGBG=15\\;0");
    terminal_expect_escape(terminal, "38;5;159m");
    quit(terminal);
}

/* The program is left before the terminal has answered: no answer reaches the shell. */
static void test_left_at_once(void **state) {
    struct terminal *terminal = *state;
    struct text line = TEXT_INIT;

    terminal_tmux(terminal, "select-pane -P bg=#101418");
    text_append_format(&line, "%s; echo \"left with $?\"\nq", program);
    terminal_type(terminal, line.data);
    text_release(&line);
    terminal_expect(terminal, "left with 0"); /* a prompt before this text is an earlier prompt */
    terminal_expect_status(terminal, 0);
    terminal_expect_prompt(terminal);
}

/* ---- keys and mouse
 * --------------------------------------------------------------------------- */

static void test_keys(void **state) {
    struct terminal *terminal = *state;

    start(terminal);
    to_lanes(terminal);
    terminal_expect(terminal, " 1/");
    terminal_keys(terminal, "n");
    terminal_expect(terminal, " 2/");
    terminal_keys(terminal, "G");
    terminal_expect_not(terminal, " 2/");
    terminal_keys(terminal, "g");
    terminal_expect(terminal, " 1/");
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, ADDRESS);
    terminal_keys(terminal, "Left");
    terminal_expect_not(terminal, ADDRESS);
    terminal_keys(terminal, "Space");
    terminal_expect(terminal, ADDRESS);
    terminal_keys(terminal, "C-l");
    terminal_keys(terminal, "?");
    terminal_expect_not(terminal, ADDRESS);
    terminal_keys(terminal, "Escape"); /* by itself, not the beginning of a key */
    terminal_expect(terminal, ADDRESS);
    terminal_keys(terminal, "Down");
    terminal_expect(terminal, "lane 1,");
    terminal_keys(terminal, "q");
    terminal_expect_not(terminal, ON_SCREEN);
}

/* Only a program made for it has a second screen. */
static bool has_second_screen(void) {
    return strstr(program, "term_demo") != NULL;
}

static void test_one_screen_after_another(void **state) {
    struct terminal *terminal = *state;
    char path[128];
    int fifo;

    if (!has_second_screen())
        return;
    snprintf(path, sizeof(path), "%s/lines", terminal->directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    fifo = open(path, O_RDWR);
    assert_true(fifo >= 0);
    note_modes(terminal);
    start_with(terminal, "DEMO_FIFO=lines");
    terminal_keys(terminal, "n");
    terminal_expect(terminal, " 2/");
    terminal_keys(terminal, "q");
    terminal_expect(terminal, "second: nothing yet");
    assert_string_equal(terminal_format(terminal, "#{alternate_on}"), "1");
    /* Input other than keys is shown, and so is its end; keys still work. */
    assert_int_equal(write(fifo, "one line\n", 9), 9);
    terminal_expect(terminal, "second: one line");
    terminal_resize(terminal, 60, 20);
    close(fifo);
    terminal_expect(terminal, "second: nobody writes");
    terminal_keys(terminal, "C-z");
    terminal_expect_prompt(terminal);
    terminal_type(terminal, "fg");
    terminal_expect(terminal, "second: nobody writes");
    terminal_keys(terminal, "b");
    terminal_expect(terminal, " 2/");
    /* Both keys are typed ahead: they leave the first screen, and then the second. */
    terminal_keys(terminal, "q q");
    terminal_expect_status(terminal, 0);
    expect_restored(terminal);
    unlink(path);
}

/* While a replay plays, the next operation is shown without a key. */
static void test_play(void **state) {
    struct terminal *terminal = *state;

    start(terminal);
    terminal_keys(terminal, "+ + + + a");
    terminal_expect(terminal, " 2/");
    terminal_keys(terminal, "q");
    terminal_expect_not(terminal, ON_SCREEN);
}

#define WHEEL 64 /* away from the user; WHEEL + 1 is towards the user */

/* The bytes that a terminal sends for a button: SGR encoding (xterm, "Extended coordinates"). */
static void press(struct terminal *terminal, int button, int x, int y) {
    char bytes[40];

    snprintf(bytes, sizeof(bytes), "\033[<%d;%d;%dM", button, x + 1, y + 1);
    terminal_bytes(terminal, bytes);
    if (button >= WHEEL) /* a wheel is not released */
        return;
    snprintf(bytes, sizeof(bytes), "\033[<%d;%d;%dm", button, x + 1, y + 1);
    terminal_bytes(terminal, bytes);
}

/* The same in the old encoding. */
static void press_x10(struct terminal *terminal, int button, int x, int y) {
    char bytes[8];

    snprintf(bytes, sizeof(bytes), "\033[M%c%c%c", 32 + button, 33 + x, 33 + y);
    terminal_bytes(terminal, bytes);
    if (button >= WHEEL)
        return;
    snprintf(bytes, sizeof(bytes), "\033[M%c%c%c", 32 + 3, 33 + x, 33 + y);
    terminal_bytes(terminal, bytes);
}

static void check_mouse(struct terminal *terminal, const char *environment,
                        void (*click)(struct terminal *, int, int, int)) {
    int x, y;

    start_with(terminal, environment);
    to_lanes(terminal);
    expect_format(terminal, "#{mouse_any_flag}", "1");
    terminal_find(terminal, "address", &x, &y);
    click(terminal, 0, x, y); /* the second phase, from the bar of phases */
    terminal_expect(terminal, ADDRESS);
    terminal_find(terminal, "before", &x, &y);
    click(terminal, 0, x, y);
    terminal_expect_not(terminal, ADDRESS);
    click(terminal, WHEEL + 1, 40, 12); /* the wheel, towards the user */
    terminal_expect(terminal, ADDRESS);
    click(terminal, WHEEL, 40, 12);
    terminal_expect_not(terminal, ADDRESS);
    click(terminal, 0, 6, 8); /* the fourth line of the table */
    terminal_expect(terminal, "lane 3,");
    quit(terminal);
}

static void test_mouse(void **state) {
    check_mouse(*state, "TERM=xterm-256color", press);
}

static void test_mouse_x10(void **state) {
    check_mouse(*state, "TERM=tmux-256color", press_x10);
}

/* ---- terminals that cannot be used, and odd ones
 * ---------------------------------------------- */

/* Runs the program in a setting that it must refuse, and waits for its message. */
static void check_refusal(struct terminal *terminal, const char *before, const char *after,
                          const char *message) {
    struct text line = TEXT_INIT;

    note_modes(terminal);
    text_append_format(&line, "clear; /usr/bin/env %s %s %s; echo \"refused with $?\"", before,
                       program, after);
    terminal_type(terminal, line.data);
    text_release(&line);
    terminal_expect(terminal, "refused with 2");
    terminal_expect(terminal, message);
    terminal_run(terminal, "stty -g >after; cmp before after");
}

static void test_refusals(void **state) {
    struct terminal *terminal = *state;

    check_refusal(terminal, "TERM=dumb", "", "cannot move its cursor");
    check_refusal(terminal, "-u TERM", "", "TERM is not set");
}

/* A type without a description is treated as the nearest type that has a description. */
static void test_unknown_type(void **state) {
    struct terminal *terminal = *state;

    note_modes(terminal);
    start_with(terminal, "TERM=no-such-terminal");
    to_lanes(terminal);
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, ADDRESS);
    quit(terminal);
    terminal_expect(terminal, "'no-such-terminal'");
    terminal_expect(terminal, "using xterm-256color");
    expect_restored(terminal);
}

/* Keys come from the terminal even if standard input is something else. */
static void test_standard_input_is_no_terminal(void **state) {
    struct terminal *terminal = *state;
    struct text line = TEXT_INIT;

    note_modes(terminal);
    text_append_format(&line, "echo q | %s", program);
    terminal_type(terminal, line.data);
    text_release(&line);
    terminal_expect(terminal, ON_SCREEN);
    terminal_keys(terminal, "Right");
    terminal_expect(terminal, ADDRESS);
    quit(terminal);
    expect_restored(terminal);
}

/* If the locale is not UTF-8, nothing beyond ASCII is written. */
static void test_ascii_locale(void **state) {
    struct terminal *terminal = *state;
    const char *screen;

    terminal_run(terminal, "clear");
    start_with(terminal, "LC_ALL=C");
    screen = terminal_screen(terminal, false);
    for (const char *s = screen; *s; s++)
        assert_true((unsigned char)*s < 0x80);
    quit(terminal);
}

/* The window closes while the program runs, and no signal reaches the program: it ends
 * nevertheless. */
static void test_terminal_closes(void **state) {
    struct terminal *terminal = *state;
    struct text line = TEXT_INIT;

    text_append_format(&line,
                       "mkfifo gone; cat >other.sh <<'END'\n"
                       "trap '' HUP\n"
                       "%s\n"
                       "echo \"gone with $?\" >gone\n"
                       "END",
                       program);
    terminal_run(terminal, line.data);
    text_release(&line);
    terminal_tmux(terminal, "new-window 'sh other.sh'");
    terminal_expect(terminal, ON_SCREEN);
    terminal_tmux(terminal, "kill-window");
    terminal_type(terminal, "cat gone");
    terminal_expect(terminal, "gone with 129");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_quits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_interrupt_key, setup, teardown),
        cmocka_unit_test_setup_teardown(test_terminate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hang_up, setup, teardown),
        cmocka_unit_test_setup_teardown(test_quit_signal, setup, teardown),
        cmocka_unit_test_setup_teardown(test_abort, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stray_signal, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_signal, setup, teardown),
        cmocka_unit_test_setup_teardown(test_signal_to_stopped_output, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stack_overflow, setup, teardown),
        cmocka_unit_test_setup_teardown(test_crash, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kill, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stop_and_continue, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stopped_from_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(test_resize, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_color, setup, teardown),
        cmocka_unit_test_setup_teardown(test_monochrome, setup, teardown),
        cmocka_unit_test_setup_teardown(test_eight_colors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_256_colors, setup, teardown),
        cmocka_unit_test_setup_teardown(test_true_color, setup, teardown),
        cmocka_unit_test_setup_teardown(test_background, setup, teardown),
        cmocka_unit_test_setup_teardown(test_left_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keys, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_screen_after_another, setup, teardown),
        cmocka_unit_test_setup_teardown(test_play, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mouse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_mouse_x10, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unknown_type, setup, teardown),
        cmocka_unit_test_setup_teardown(test_standard_input_is_no_terminal, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ascii_locale, setup, teardown),
        cmocka_unit_test_setup_teardown(test_terminal_closes, setup, teardown),
    };

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: test_terminal COMMAND [PATTERN]: tests whose names match it\n");
        return 2;
    }
    if (!terminal_is_available()) {
        fprintf(stderr, "this system gives out no pseudo-terminals (is /dev/pts mounted?)\n");
        return 77; /* ctest counts this as skipped */
    }
    program = argv[1];
    setenv("PROGRAM", program, 1);
    if (argc == 3)
        cmocka_set_test_filter(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
