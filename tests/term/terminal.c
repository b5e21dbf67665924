/*
 * Speaks tmux's control mode line by line: a command's answer and the pane's output arrive in one
 * stream, in order, so that a test never has to guess when a screen is complete.
 */
#include "terminal.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Far longer than a busy machine needs: only a defect reaches this deadline. */
#define DEADLINE_SECONDS 30

static long seconds_now(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec;
}

/* ---- lines from and to tmux
 * ------------------------------------------------------------------- */

static void send_text(struct terminal *terminal, const char *text) {
    size_t length = strlen(text);

    while (length > 0) {
        const ssize_t sent = write(terminal->to_tmux, text, length);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            fail_msg("tmux takes no more commands: %s", strerror(errno));
        text += sent;
        length -= (size_t)sent;
    }
}

/* Reads the available bytes; false when the deadline has passed. */
static bool read_more(struct terminal *terminal, long deadline) {
    struct pollfd wait = {terminal->from_tmux, POLLIN, 0};
    ssize_t got;

    /* A line of output longer than the buffer is recognised by its beginning. */
    if (terminal->input_length == sizeof(terminal->input))
        terminal->input_length = sizeof(terminal->input) / 2;
    for (;;) {
        const long left = deadline - seconds_now();

        if (left <= 0)
            return false;
        if (poll(&wait, 1, (int)left * 1000) <= 0)
            continue;
        got = read(terminal->from_tmux, terminal->input + terminal->input_length,
                   sizeof(terminal->input) - terminal->input_length);
        if (got > 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        fail_msg("tmux has ended");
    }
    terminal->input_length += (size_t)got;
    return true;
}

/* The next line from tmux without its end; the caller frees. NULL when the deadline has passed. */
static char *read_line(struct terminal *terminal, long deadline) {
    for (;;) {
        char *end = memchr(terminal->input, '\n', terminal->input_length);

        if (end) {
            const size_t length = (size_t)(end - terminal->input);
            char *line = memory_alloc(length + 1);

            memcpy(line, terminal->input, length);
            line[length] = '\0';
            terminal->input_length -= length + 1;
            memmove(terminal->input, end + 1, terminal->input_length);
            return line;
        }
        if (!read_more(terminal, deadline))
            return NULL;
    }
}

static bool starts_with(const char *line, const char *start) {
    return strncmp(line, start, strlen(start)) == 0;
}

/* The lines between "%begin" and "%end" of the next answer, appended to `answer`. */
static void read_answer(struct terminal *terminal, const char *command, struct text *answer) {
    const long deadline = seconds_now() + DEADLINE_SECONDS;
    bool begun = false;

    for (;;) {
        char *line = read_line(terminal, deadline);
        bool ended;

        if (!line)
            fail_msg("tmux does not answer to: %s", command);
        ended = begun && starts_with(line, "%end ");
        if (begun && starts_with(line, "%error "))
            fail_msg("tmux refuses: %s: %s", command, answer->data);
        if (begun && !ended) {
            text_append(answer, line);
            text_append_char(answer, '\n');
        }
        if (starts_with(line, "%begin "))
            begun = true;
        free(line);
        if (ended)
            return;
    }
}

/* Gives tmux a command and waits for its answer. */
static void command(struct terminal *terminal, struct text *answer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void command(struct terminal *terminal, struct text *answer, const char *format, ...) {
    struct text line = TEXT_INIT, ignored = TEXT_INIT;
    va_list arguments;

    va_start(arguments, format);
    text_append_vformat(&line, format, arguments);
    va_end(arguments);
    text_append_char(&line, '\n');
    send_text(terminal, line.data);
    read_answer(terminal, line.data, answer ? answer : &ignored);
    text_release(&line);
    text_release(&ignored);
}

/* Waits until the pane has written something; false when the deadline has passed. */
static bool wait_for_output(struct terminal *terminal, long deadline) {
    for (;;) {
        char *line = read_line(terminal, deadline);
        bool output;

        if (!line)
            return false;
        output = starts_with(line, "%output ");
        free(line);
        if (output)
            return true;
    }
}

bool terminal_writes(struct terminal *terminal, int seconds) {
    return wait_for_output(terminal, seconds_now() + seconds);
}

/* ---- starting and ending
 * ---------------------------------------------------------------------- */

static void run_tmux(const struct terminal *terminal, int input, int output, int columns,
                     int rows) {
    char x[12], y[12];

    snprintf(x, sizeof(x), "%d", columns);
    snprintf(y, sizeof(y), "%d", rows);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); /* tmux must not keep our output open */
    /* The settings of the user who runs the tests must have no effect. */
    unsetenv("TMUX");
    unsetenv("LANGUAGE");
    unsetenv("NO_COLOR");
    unsetenv("COLORTERM");
    unsetenv("COLORFGBG");
    unsetenv("LINES");
    unsetenv("COLUMNS");
    unsetenv("ENV");
    setenv("XDG_CONFIG_HOME", terminal->directory, 1); /* no key file of the user who runs the
                                                        * tests */
    setenv("SHFLVIZ_LEGEND", "never", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    /* Even in a build with sanitizers, a signal must kill the program, not make it exit. */
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1);
    setenv("TERM", "xterm-256color", 1);
    if (chdir(terminal->directory) != 0)
        _exit(127);
    execlp("tmux", "tmux", "-u", "-L", terminal->name, "-f", "/dev/null", "-C", "new-session", "-x",
           x, "-y", y, "exec sh -i", (char *)NULL);
    _exit(127);
}

bool terminal_is_available(void) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    bool has = false;

    if (master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0) {
        const char *name = ptsname(master);
        const int slave = name ? open(name, O_RDWR | O_NOCTTY) : -1;

        has = slave >= 0;
        if (has)
            close(slave);
    }
    if (master >= 0)
        close(master);
    return has;
}

void terminal_start(struct terminal *terminal, int columns, int rows) {
    int to[2], from[2];
    struct text ignored = TEXT_INIT;

    memset(terminal, 0, sizeof(*terminal));
    strcpy(terminal->directory, "/tmp/shflviz-terminal-XXXXXX");
    assert_non_null(mkdtemp(terminal->directory));
    snprintf(terminal->name, sizeof(terminal->name), "%s", strrchr(terminal->directory, '/') + 1);
    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    fcntl(to[1], F_SETFD, FD_CLOEXEC);
    fcntl(from[0], F_SETFD, FD_CLOEXEC);
    signal(SIGPIPE, SIG_IGN); /* read and write report that tmux has ended */
    terminal->tmux = fork();
    assert_true(terminal->tmux >= 0);
    if (terminal->tmux == 0)
        run_tmux(terminal, to[0], from[1], columns, rows);
    close(to[0]);
    close(from[1]);
    terminal->to_tmux = to[1];
    terminal->from_tmux = from[0];
    read_answer(terminal, "new-session", &ignored);
    text_release(&ignored);
    /* No server is left if this program ends before terminal_end(). */
    command(terminal, NULL, "set-option -g destroy-unattached on");
    command(terminal, NULL, "set-option -g status off");
    command(terminal, NULL, "set-option -g escape-time 0");
    terminal_resize(terminal, columns, rows);
    terminal_type(terminal, "PS1='ready''> '");
    terminal_expect_prompt(terminal);
}

void terminal_end(struct terminal *terminal) {
    char remove[128];

    send_text(terminal, "kill-server\n");
    close(terminal->to_tmux);
    waitpid(terminal->tmux, NULL, 0);
    close(terminal->from_tmux);
    free(terminal->screen);
    snprintf(remove, sizeof(remove), "rm -r '%s'", terminal->directory);
    assert_int_equal(system(remove), 0);
}

/* ---- actions of a test ----------------------------------------------------------------------- */

void terminal_bytes(struct terminal *terminal, const char *bytes) {
    struct text line = TEXT_INIT;

    text_append(&line, "send-keys -H");
    for (; *bytes; bytes++)
        text_append_format(&line, " %02x", (unsigned char)*bytes);
    command(terminal, NULL, "%s", line.data);
    text_release(&line);
}

void terminal_type(struct terminal *terminal, const char *line) {
    /* A newline, because a return might not end the line after a program has died. */
    terminal_bytes(terminal, line);
    terminal_bytes(terminal, "\n");
}

void terminal_keys(struct terminal *terminal, const char *keys) {
    command(terminal, NULL, "send-keys %s", keys);
}

void terminal_resize(struct terminal *terminal, int columns, int rows) {
    command(terminal, NULL, "resize-window -x %d -y %d", columns, rows);
}

void terminal_tmux(struct terminal *terminal, const char *line) {
    command(terminal, NULL, "%s", line);
}

static const char *keep(struct terminal *terminal, struct text *text) {
    free(terminal->screen);
    terminal->screen = text_detach(text);
    return terminal->screen;
}

const char *terminal_screen(struct terminal *terminal, bool escapes) {
    struct text text = TEXT_INIT;

    command(terminal, &text, escapes ? "capture-pane -p -e" : "capture-pane -p");
    return keep(terminal, &text);
}

const char *terminal_format(struct terminal *terminal, const char *format) {
    struct text text = TEXT_INIT;

    command(terminal, &text, "display-message -p '%s'", format);
    if (text.length > 0)
        text.data[--text.length] = '\0';
    return keep(terminal, &text);
}

static void expect(struct terminal *terminal, const char *text, bool wanted, bool escapes) {
    const long deadline = seconds_now() + DEADLINE_SECONDS;

    while ((strstr(terminal_screen(terminal, escapes), text) != NULL) != wanted)
        if (!wait_for_output(terminal, deadline))
            fail_msg("%s \"%s\" on this screen:\n%s", wanted ? "no" : "still", text,
                     terminal->screen);
}

void terminal_expect(struct terminal *terminal, const char *text) {
    expect(terminal, text, true, false);
}

void terminal_expect_not(struct terminal *terminal, const char *text) {
    expect(terminal, text, false, false);
}

void terminal_expect_escape(struct terminal *terminal, const char *text) {
    expect(terminal, text, true, true);
}

/* True if the last line that is not blank is the shell's prompt. */
static bool at_prompt(const char *screen) {
    static const char prompt[] = "ready>";
    size_t length = strlen(screen);

    while (length > 0 && (screen[length - 1] == '\n' || screen[length - 1] == ' '))
        length--;
    return length >= sizeof(prompt) - 1 &&
           strncmp(screen + length - (sizeof(prompt) - 1), prompt, sizeof(prompt) - 1) == 0;
}

void terminal_expect_prompt(struct terminal *terminal) {
    const long deadline = seconds_now() + DEADLINE_SECONDS;

    while (!at_prompt(terminal_screen(terminal, false)))
        if (!wait_for_output(terminal, deadline))
            fail_msg("no prompt at the end of this screen:\n%s", terminal->screen);
}

void terminal_expect_status(struct terminal *terminal, int status) {
    char text[64];

    terminal_expect_prompt(terminal);
    terminal->asked++;
    snprintf(text, sizeof(text), "echo \"answer %d: $?\"", terminal->asked);
    terminal_type(terminal, text);
    snprintf(text, sizeof(text), "answer %d: %d\n", terminal->asked, status);
    terminal_expect(terminal, text);
}

void terminal_run(struct terminal *terminal, const char *line) {
    terminal_type(terminal, line);
    terminal_expect_status(terminal, 0);
}

/* The columns of the UTF-8 bytes from `start` to `end`, whose characters are all of single
 * width. */
static int columns_between(const char *start, const char *end) {
    int count = 0;

    for (; start < end; start++)
        if (((unsigned char)*start & 0xc0) != 0x80)
            count++;
    return count;
}

void terminal_find(struct terminal *terminal, const char *text, int *x, int *y) {
    const char *screen = terminal_screen(terminal, false);
    const char *found = strstr(screen, text);
    const char *line = screen;

    if (!found)
        fail_msg("no \"%s\" on this screen:\n%s", text, screen);
    *y = 0;
    for (const char *s = screen; s < found; s++)
        if (*s == '\n') {
            ++*y;
            line = s + 1;
        }
    *x = columns_between(line, found);
}
