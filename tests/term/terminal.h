/*
 * terminal.h - a real terminal for tests: a pane of tmux, driven over its control mode.
 *
 * tmux reports when the pane has written something ("%output"), so that a wait for a text depends
 * on the terminal, never on a clock. Each wait has a deadline that only a defect reaches; then
 * the test fails and shows the screen. On an error, each function fails the running test.
 */
#ifndef SHFLVIZ_TESTS_TERM_TERMINAL_H
#define SHFLVIZ_TESTS_TERM_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct terminal {
    pid_t tmux;
    int to_tmux, from_tmux; /* descriptors */
    char name[64];          /* the name of the server's socket */
    char directory[64];     /* an empty directory of its own, the shell's working directory */
    char input[8192];       /* received, but not a whole line yet */
    size_t input_length;
    char *screen; /* the last result of terminal_screen() */
    int asked;    /* numbers the commands given to the shell */
};

/* True if this system provides pseudo-terminals: it does not if /dev/pts is not mounted, as in a
 * bare chroot. */
bool terminal_is_available(void);

/* Starts a tmux server with one pane of that size in which an interactive shell runs, with the
 * prompt "ready> ". */
void terminal_start(struct terminal *terminal, int columns, int rows);
void terminal_end(struct terminal *terminal);

/* Types a line and Enter into the shell; does not wait. */
void terminal_type(struct terminal *terminal, const char *line);
/* Presses keys by tmux's names: "Right", "C-c", "q", several separated by blanks. */
void terminal_keys(struct terminal *terminal, const char *keys);
/* Sends bytes as the terminal would, uninterpreted. */
void terminal_bytes(struct terminal *terminal, const char *bytes);
void terminal_resize(struct terminal *terminal, int columns, int rows);
/* Runs a command of tmux itself: "new-window ...". */
void terminal_tmux(struct terminal *terminal, const char *line);

/* The screen as lines of text, with its colours as SGR if `escapes`; valid until the next
 * call. */
const char *terminal_screen(struct terminal *terminal, bool escapes);
/* Waits until the pane has written something since its screen was last read; false if it has not
 * within that many seconds. */
bool terminal_writes(struct terminal *terminal, int seconds);
/* Expands a tmux format for the pane: "#{alternate_on}". Valid until the next call. */
const char *terminal_format(struct terminal *terminal, const char *format);

/* Waits until the text is on the screen, or no longer is. */
void terminal_expect(struct terminal *terminal, const char *text);
void terminal_expect_not(struct terminal *terminal, const char *text);
/* The same for the screen with its colours as SGR: "38;5;26". */
void terminal_expect_escape(struct terminal *terminal, const char *text);

/* Waits until the shell waits for a line: input typed earlier may be lost when a program ends. */
void terminal_expect_prompt(struct terminal *terminal);
/* Types `echo` of the last command's exit status and waits for it to be `status`. */
void terminal_expect_status(struct terminal *terminal, int status);
/* Runs a shell command and waits for it to end with status 0. */
void terminal_run(struct terminal *terminal, const char *command);

/* The position of the text on the screen, from 0; fails if it is not there. */
void terminal_find(struct terminal *terminal, const char *text, int *x, int *y);

#endif
