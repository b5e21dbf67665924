/*
 * typist.h - plays a user at a pseudo-terminal: types keys whenever the program is quiet, then,
 * over and over, the keys that leave any screen: Escape, `q` and Ctrl-C. The program's output goes
 * to a file.
 */
#ifndef SHFLVIZ_TESTS_CLI_TYPIST_H
#define SHFLVIZ_TESTS_CLI_TYPIST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <termios.h>

struct typist {
    int terminal; /* the program's side: its standard streams */
    int keyboard; /* the other side */
    int output;
    const char *keys; /* separated by blanks */
    unsigned leaving; /* the number of leaving keys typed so far */
    struct termios modes_before;
    atomic_bool over;
    pthread_t thread;
};

/* Opens an 80x24 terminal and the output file, and begins to type; ends the test on failure. */
void typist_begin(struct typist *typist, const char *keys, const char *output);
/* After the program has ended: writes the rest of its output to the file. True if the terminal's
 * modes are restored. */
bool typist_end(struct typist *typist);

/* In a child process: the terminal becomes its controlling terminal and its standard streams. */
void typist_attach(const struct typist *typist);

/* True if output to a terminal leaves it as it was: the old screen, a visible cursor, no mouse
 * reporting and no bracketed paste. */
bool typist_modes_are_off(const char *bytes, size_t length);

#endif
