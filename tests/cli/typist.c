#include "typist.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define QUIET 8 /* after this many milliseconds without output, the program waits for a key */

/* Keys longer than a letter, as a terminal sends them. */
static const struct {
    const char *name, *bytes;
} named[] = {{"Enter", "\r"},     {"Escape", "\033"}, {"Space", " "},     {"Tab", "\t"},
             {"Right", "\033[C"}, {"Left", "\033[D"}, {"Down", "\033[B"}, {"Up", "\033[A"}};

static void type_next(struct typist *typist) {
    char word[64], *end;
    const char *bytes = word;
    typist->keys += strspn(typist->keys, " ");
    size_t length = strcspn(typist->keys, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, typist->keys);
    typist->keys += length;
    if (length == 0) {
        strcpy(word, typist->leaving % 4 == 3 ? "\003" : typist->leaving % 2 ? "q" : "Escape");
        typist->leaving++;
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(word, named[i].name) == 0)
            bytes = named[i].bytes;
    end = strchr(word, '~'); /* text typed as a line: blanks are written as ~ */
    for (; end; end = strchr(end, '~'))
        *end = ' ';
    if (write(typist->keyboard, bytes, strlen(bytes)) < 0)
        return; /* the program has ended */
}

static bool copy_some(struct typist *typist) {
    char bytes[4096];
    ssize_t count = read(typist->keyboard, bytes, sizeof bytes);
    return count > 0 && write(typist->output, bytes, (size_t)count) == count;
}

static void *type(void *context) {
    struct typist *typist = context;
    bool begun = false;
    for (int waited = 0; !atomic_load(&typist->over);) {
        struct pollfd keyboard = {.fd = typist->keyboard, .events = POLLIN};
        if (poll(&keyboard, 1, QUIET) > 0) {
            begun = copy_some(typist) || begun;
        } else if ((begun && !typist->leaving) || ++waited > 12) { /* it may print nothing */
            type_next(typist);
            begun = false;
            waited = 0;
        }
    }
    return NULL;
}

void typist_begin(struct typist *typist, const char *keys, const char *output) {
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    typist->keys = keys;
    typist->leaving = 0;
    atomic_init(&typist->over, false);
    typist->output = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (typist->output < 0 || openpty(&typist->keyboard, &typist->terminal, NULL, NULL, &size) ||
        fcntl(typist->keyboard, F_SETFD, FD_CLOEXEC) ||
        tcgetattr(typist->terminal, &typist->modes_before) ||
        pthread_create(&typist->thread, NULL, type, typist) != 0) {
        perror("a pseudo-terminal");
        exit(1);
    }
}

bool typist_end(struct typist *typist) {
    struct termios modes;
    struct pollfd keyboard = {.fd = typist->keyboard, .events = POLLIN};
    atomic_store(&typist->over, true);
    pthread_join(typist->thread, NULL);
    while (poll(&keyboard, 1, 0) > 0 && copy_some(typist))
        continue;
    bool same = tcgetattr(typist->terminal, &modes) == 0 &&
                modes.c_lflag == typist->modes_before.c_lflag &&
                modes.c_iflag == typist->modes_before.c_iflag &&
                modes.c_oflag == typist->modes_before.c_oflag;
    close(typist->terminal);
    close(typist->keyboard);
    close(typist->output);
    return same;
}

void typist_attach(const struct typist *typist) {
    setsid();
    ioctl(typist->terminal, TIOCSCTTY, 0);
    for (int descriptor = 0; descriptor < 3; descriptor++)
        dup2(typist->terminal, descriptor);
}

static const char *last_of(const char *bytes, size_t length, const char *wanted) {
    const char *last = NULL, *found;
    while ((found = memmem(bytes, length, wanted, strlen(wanted))) != NULL) {
        last = found;
        length -= (size_t)(found + 1 - bytes);
        bytes = found + 1;
    }
    return last;
}

/* True if the last switch, if any, is off. */
static bool ends_off(const char *bytes, size_t length, const char *on, const char *off) {
    const char *last_on = last_of(bytes, length, on);
    return !last_on || last_of(bytes, length, off) > last_on;
}

bool typist_modes_are_off(const char *bytes, size_t length) {
    return ends_off(bytes, length, "\033[?1049h", "\033[?1049l") &&
           ends_off(bytes, length, "\033[?25l", "\033[?25h") &&
           ends_off(bytes, length, "\033[?1006;1000h", "\033[?1006;1000l") &&
           ends_off(bytes, length, "\033[?2004h", "\033[?2004l");
}
