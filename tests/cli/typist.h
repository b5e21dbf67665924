/*
 * typist.h - somebody before a pseudo-terminal: types keys whenever the program that has it is
 * quiet, and what leaves any screen after them, Escape, `q` and Ctrl-C, over and over; what the
 * program writes goes into a file.
 */
#ifndef SHFLVIZ_TESTS_CLI_TYPIST_H
#define SHFLVIZ_TESTS_CLI_TYPIST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <termios.h>

struct typist {
    int terminal; /* the side that a program has as its standard streams */
    int keyboard; /* the other side */
    int output;
    const char *keys; /* parted by blanks */
    unsigned leaving; /* keys typed after them */
    struct termios modes_before;
    atomic_bool over;
    pthread_t thread;
};

/* Opens a terminal of 80x24 and the file, and begins to type; ends the test where that fails. */
void typist_begin(struct typist *typist, const char *keys, const char *output);
/* When the program has ended: the rest of what it wrote is in the file. Whether the terminal's
 * modes are those from before. */
bool typist_end(struct typist *typist);

/* In a child process: that terminal becomes its controlling one and its standard streams. */
void typist_sit(const struct typist *typist);

/* Whether what was written to a terminal leaves it as it was: the screen of before, a cursor, no
 * reports of the mouse or of what is pasted. */
bool typist_left_it_clean(const char *bytes, size_t length);

#endif
