/* The line that tells how far a program is, on a terminal of the test's own. */
#include "launch/progress_line.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
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
    setenv("TERM", "xterm", 1);
    return 0;
}

static int close_terminal(void **state) {
    (void)state;
    dup2(before, STDERR_FILENO);
    close(before);
    return close(terminal);
}

/* What has come since: up to a mark of the test's own, because a terminal hands things on a moment
 * after they are written. */
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

static const struct own_progress progress = {.launches = 3, .steps = 77};

/* One that is due. */
static struct progress_line due(uint32_t run, uint32_t runs) {
    struct progress_line line;
    progress_line_begin(&line, run, runs);
    line.next = 0;
    return line;
}

static void it_comes_and_goes(void **state) {
    struct progress_line line = due(1, 1);
    (void)state;
    progress_line_show(&line, &progress);
    assert_string_equal(written(), "\r\033[Kshflviz: launch 3, 77 steps, 0 s");
    progress_line_show(&line, &progress); /* not again at once */
    assert_string_equal(written(), "");
    progress_line_clear(&line);
    assert_string_equal(written(), "\r\033[K");
    progress_line_clear(&line);
    assert_string_equal(written(), "");
}

static void it_waits_at_first(void **state) {
    struct progress_line line;
    (void)state;
    progress_line_begin(&line, 1, 1);
    progress_line_show(&line, &progress);
    progress_line_clear(&line);
    assert_string_equal(written(), "");
}

static void it_names_the_run(void **state) {
    struct progress_line line = due(2, 20);
    (void)state;
    progress_line_show(&line, &progress);
    assert_string_equal(written(), "\r\033[Kshflviz: run 2 of 20: launch 3, 77 steps, 0 s");
}

static void it_keeps_out_of_a_line_of_the_program(void **state) {
    struct progress_line line = due(1, 1);
    (void)state;
    progress_line_printed(&line, "n = ", 4);
    line.next = 0;
    progress_line_show(&line, &progress);
    assert_string_equal(written(), "");
    progress_line_printed(&line, "5\n", 2);
    progress_line_show(&line, &progress); /* something was just printed */
    assert_string_equal(written(), "");
    line.next = 0;
    progress_line_show(&line, &progress);
    assert_non_null(strstr(written(), "launch 3"));
}

static void only_a_terminal_gets_one(void **state) {
    struct progress_line line;
    (void)state;
    setenv("TERM", "dumb", 1);
    line = due(1, 1);
    progress_line_show(&line, &progress);
    setenv("TERM", "xterm", 1);
    int ends[2], end = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    line = due(1, 1);
    progress_line_show(&line, &progress);
    progress_line_clear(&line);
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
        cmocka_unit_test(it_comes_and_goes),
        cmocka_unit_test(it_waits_at_first),
        cmocka_unit_test(it_names_the_run),
        cmocka_unit_test(it_keeps_out_of_a_line_of_the_program),
        cmocka_unit_test(only_a_terminal_gets_one),
    };
    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
