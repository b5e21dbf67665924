/* The only place that prints errors and exits. */

#include "cli/command.h"
#include "cli/manual.h"
#include "cli/show.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Where a caller closed a standard stream, the next file opened would take its number, and a
 * message would be written into a recording. Held open the wrong way round, reads and writes still
 * fail.
 */
static void hold_standard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 &&
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
            abort();
}

static int run_command(const struct command *command, int argc, char **argv, struct error *err) {
    struct options options;
    int status = options_parse(&options, command, argc, argv, err);
    if (status == 0 && options.given & OPTION_BIT(OPTION_HELP)) {
        print_command_help(stdout, command);
        if (command->help)
            command->help(stdout, &options);
        status = show_finish(err);
    } else if (status == 0) {
        status = command->run(command, &options, err);
    }
    options_release(&options);
    return status;
}

/* git's way with a missing command: the list, on standard output, and a status that says no. */
static int run_without_command(struct error *err) {
    print_usage(stdout);
    int status = show_finish(err);
    return status == 0 ? error_set(err, ERROR_USAGE, "%s", "") : status;
}

static int run(int argc, char **argv, struct error *err) {
    if (argc < 2)
        return run_without_command(err);
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("shflviz " SHFLVIZ_VERSION);
        return show_finish(err);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return run_command(&command_help, argc - 2, argv + 2, err);
    const struct command *command = command_find(name);
    if (!command)
        return command_unknown(name, err);
    return run_command(command, argc - 2, argv + 2, err);
}

/* Ends by the signal that ended a screen, or that a pipe without a reader would have sent, so that
 * the shell sees what happened. */
static void die_of_signal(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

/* What is allowed and what to try stand below what is wrong, a little to the right. */
static void print_error(const char *text) {
    fputs("shflviz: ", stderr);
    for (; *text; text++) {
        putc(*text, stderr);
        if (*text == '\n')
            fputs("  ", stderr);
    }
    putc('\n', stderr);
}

int main(int argc, char **argv) {
    struct error err = ERROR_INIT;
    hold_standard_streams();
    setlocale(LC_CTYPE, "");
    int status = run(argc, argv, &err);
    if (status > 0) {
        die_of_signal(status);
        return 128 + status;
    }
    if (status < 0 && err.text[0])
        print_error(err.text);
    return status < 0 ? (int)err.kind : 0;
}
