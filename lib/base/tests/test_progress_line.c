/* The progress line, on a terminal of the test's own. */
#include "base/progress_line.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static int terminal, before; /* the other end; the test's own standard error */

static int open_terminal(void **state) {
    struct termios modes;
    (void)state;
    terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        return -1;
    int end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    if (end < 0 || tcgetattr(end, &modes) != 0)
        return -1;
    modes.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(end, TCSANOW, &modes);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    before = dup(STDERR_FILENO);
    dup2(end, STDERR_FILENO);
    close(end);
    return 0;
}

static int close_terminal(void **state) {
    (void)state;
    dup2(before, STDERR_FILENO);
    close(before);
    return close(terminal);
}

static int each(void **state) {
    const struct winsize size = {.ws_col = 80, .ws_row = 24};
    (void)state;
    setenv("TERM", "xterm", 1);
    setenv("SHFLVIZ_PROGRESS", "always", 1);
    return ioctl(STDERR_FILENO, TIOCSWINSZ, &size);
}

/* The output since the last call: up to a marker, because a terminal passes on output a moment
 * after it was written. */
static const char *written(void) {
    static char text[512];
    size_t length = 0;
    if (isatty(STDERR_FILENO) && write(STDERR_FILENO, "\f", 1) != 1)
        return "the mark cannot be written";
    while (length < sizeof(text) - 1) {
        struct pollfd readable = {.fd = terminal, .events = POLLIN};
        if (isatty(STDERR_FILENO))
            poll(&readable, 1, 10000);
        ssize_t count = read(terminal, text + length, sizeof(text) - 1 - length);
        if (count <= 0)
            break;
        length += (size_t)count;
        if (text[length - 1] == '\f') {
            length--;
            break;
        }
    }
    text[length] = '\0';
    return text;
}

#define SHOWN(words) "\r\033[Kshflviz: " words ", 0 s"
#define GONE         "\r\033[K"

static void it_comes_and_goes(void **state) {
    (void)state;
    progress_line_begin("comparing");
    assert_string_equal(written(), SHOWN("comparing"));
    progress_line_part(1, 4);
    assert_string_equal(written(), SHOWN("comparing: 25%"));
    progress_line_part(1001, 4000); /* nothing visible has changed */
    assert_string_equal(written(), "");
    progress_line_count(3, 4);
    assert_string_equal(written(), SHOWN("comparing: 3 of 4"));
    progress_line_set_text("run %d of %d", 2, 20);
    assert_string_equal(written(), SHOWN("run 2 of 20"));
    progress_line_end();
    assert_string_equal(written(), GONE);
    progress_line_part(2, 4); /* nothing has begun */
    progress_line_set_text("late");
    progress_line_end();
    assert_string_equal(written(), "");
}

static void a_nested_line_replaces_it(void **state) {
    (void)state;
    progress_line_begin("grading");
    progress_line_count(12, 1000);
    written();
    progress_line_begin("running xor");
    assert_string_equal(written(), SHOWN("running xor"));
    progress_line_end();
    progress_line_count(13, 1000);
    assert_string_equal(written(), SHOWN("grading: 13 of 1000"));
    for (int i = 0; i < 9; i++) /* deeper than is shown */
        progress_line_begin("deep");
    for (int i = 0; i < 9; i++)
        progress_line_end();
    written();
    progress_line_count(14, 1000);
    assert_string_equal(written(), SHOWN("grading: 14 of 1000"));
    progress_line_end();
    assert_string_equal(written(), GONE);
}

static void it_stays_away_while_something_is_printed(void **state) {
    (void)state;
    progress_line_begin("running");
    written();
    progress_line_hold();
    assert_string_equal(written(), GONE);
    progress_line_set_text("hidden");
    assert_string_equal(written(), "");
    progress_line_printed("n = ", 4); /* the middle of a line */
    progress_line_set_text("still hidden");
    assert_string_equal(written(), "");
    progress_line_hold();
    progress_line_printed("5\n", 2);
    progress_line_set_text("back");
    assert_string_equal(written(), SHOWN("back"));
    progress_line_end();
    assert_string_equal(written(), GONE);
}

/* The line is drawn over the last row of a screen, on standard output; the screen must then be
 * redrawn. */
static void it_is_drawn_over_a_screen(void **state) {
    const int output = dup(STDOUT_FILENO);
    (void)state;
    fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    progress_line_on_screen(true);
    const bool marred_before = progress_line_was_drawn();
    progress_line_begin("running xor");
    progress_line_end();
    const bool marred = progress_line_was_drawn(), marred_again = progress_line_was_drawn();
    progress_line_corner(20);
    progress_line_begin("running xor");
    progress_line_end();
    progress_line_corner(0);
    progress_line_on_screen(false);
    dup2(output, STDOUT_FILENO);
    close(output);
    assert_string_equal(written(), "\0337\033[24;1H\033[0m\033[Krunning xor, 0 s\0338"
                                   "\0337\033[1;60H\033[0m    running xor, 0 s\0338");
    assert_false(marred_before);
    assert_true(marred);
    assert_false(marred_again);
}

/* The line is cut to one row of the terminal, because two could not be erased. */
static void it_has_one_row(void **state) {
    const struct winsize size = {.ws_col = 16, .ws_row = 24};
    (void)state;
    ioctl(STDERR_FILENO, TIOCSWINSZ, &size);
    progress_line_begin("comparing");
    assert_string_equal(written(), "\r\033[Kshflviz: compar");
    progress_line_end();
    written();
}

static void a_forked_process_says_nothing(void **state) {
    int status;
    (void)state;
    progress_line_begin("grading");
    written();
    pid_t child = fork();
    if (child == 0) {
        progress_line_begin("judging");
        progress_line_part(1, 2);
        progress_line_set_text("judging on");
        progress_line_hold();
        progress_line_printed(NULL, 0);
        progress_line_end();
        progress_line_end();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_string_equal(written(), "");
    progress_line_end();
    assert_string_equal(written(), GONE);
}

/* Nothing in the first second; then it appears on its own, with the latest state. */
static void it_waits_at_first(void **state) {
    const struct timespec while_it_waits = {.tv_nsec = 100000000};
    struct timespec began, now;
    (void)state;
    unsetenv("SHFLVIZ_PROGRESS");
    progress_line_begin("quick");
    progress_line_part(1, 2);
    progress_line_end();
    assert_string_equal(written(), "");
    clock_gettime(CLOCK_MONOTONIC, &began);
    progress_line_begin("slow");
    progress_line_part(1, 2);
    struct pollfd readable = {.fd = terminal, .events = POLLIN};
    assert_int_equal(poll(&readable, 1, 20000), 1);
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long milliseconds =
        (now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000;
    assert_true(milliseconds >= 990);
    nanosleep(&while_it_waits, NULL);
    assert_non_null(strstr(written(), "\r\033[Kshflviz: slow: 50%, "));
    progress_line_end();
    assert_non_null(strstr(written(), GONE));
}

static void only_a_terminal_gets_one(void **state) {
    (void)state;
    setenv("TERM", "dumb", 1);
    progress_line_begin("dumb");
    progress_line_end();
    setenv("TERM", "xterm", 1);
    setenv("SHFLVIZ_PROGRESS", "never", 1);
    progress_line_begin("never");
    progress_line_end();
    assert_string_equal(written(), "");
    setenv("SHFLVIZ_PROGRESS", "always", 1);
    int ends[2], end = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    progress_line_begin("a pipe");
    progress_line_part(1, 2);
    progress_line_end();
    dup2(end, STDERR_FILENO);
    close(ends[1]);
    char byte;
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    close(end);
    assert_string_equal(written(), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(it_comes_and_goes, each),
        cmocka_unit_test_setup(a_nested_line_replaces_it, each),
        cmocka_unit_test_setup(it_stays_away_while_something_is_printed, each),
        cmocka_unit_test_setup(it_is_drawn_over_a_screen, each),
        cmocka_unit_test_setup(it_has_one_row, each),
        cmocka_unit_test_setup(a_forked_process_says_nothing, each),
        cmocka_unit_test_setup(it_waits_at_first, each),
        cmocka_unit_test_setup(only_a_terminal_gets_one, each),
    };
    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
