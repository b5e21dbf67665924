/* The only place that prints errors and exits. */

#include "base/text.h"
#include "base/unused.h"
#include "cli/brought.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/language.h"
#include "cli/manual.h"
#include "cli/show.h"
#include "launch/own_run.h"
#include "sitting/screens/start_screen.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Where a caller closed a standard stream, the next file opened would take its number, and a
 * message would be written into a recording. Opened with the opposite mode, real use still
 * fails with EBADF.
 */
static void hold_standard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 &&
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
            abort();
}

/*
 * A recording is mapped. If someone cuts the file short meanwhile, or its disk fails, the next look
 * at what is gone is this signal. Only what POSIX allows in a handler.
 */
static void tell_lost_file(int number UNUSED) {
    static const char message[] =
        "shflviz: a file that is in use was cut short meanwhile, or its disk has failed\n"
        "  allowed: to replace a recording by a new file of its name, as -o does\n"
        "  try: the same with a copy of it that nothing else writes to\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);
    (void)written; /* without a place for it the status remains */
    _exit(ERROR_USAGE);
}

static int run_command(const struct command *command, int argc, char **argv, struct error *err) {
    struct options options;
    int status = options_parse(&options, command, argc, argv, err);
    if (status == 0 && options.given & OPTION_BIT(OPTION_HELP)) {
        print_command_help(stdout, command);
        if (command->help)
            command->help(stdout, &options);
        status = show_finish(err);
    } else if (status == 0 && options.operand_count == 1 &&
               !(command->operand_kinds & OPERAND_PROGRAMS) && own_is_source(options.operands[0])) {
        status = command_program(options.operands[0], err);
        error_prefix(err, "%s", command->name);
    } else if (status == 0) {
        status = command->run(command, &options, err);
    }
    options_release(&options);
    return status;
}

/* As git does without a command: the list, on standard output, and a status of failure. */
static int run_without_command(struct error *err) {
    print_usage(stdout);
    int status = show_finish(err);
    return status == 0 ? error_set_silent(err, ERROR_USAGE) : status;
}

static void tell_machine(start_machine_line *line, void *context) {
    struct doctor_report report;
    doctor_examine(&report);
    for (size_t i = 0; i < report.count; i++)
        line(context, report.lines[i].name, report.lines[i].present, report.lines[i].text);
}

/* A command that was chosen is run as if it had been typed. */
static int run_chosen(const char *line, struct error *err) {
    struct word_list words;
    int status = words_split(&words, line, err);
    if (status == 0)
        status = run_command(command_find(words.word[0]), words.count - 1, words.word + 1, err);
    words_release(&words);
    return status;
}

/* On a terminal: a screen that comes back until the person leaves it. A program of the person's own
 * ends it, since what it prints is on the terminal. */
static int run_start(struct error *err) {
    const struct start_wish wish = {.machine = tell_machine};
    const struct options options = {.format = FORMAT_TUI};
    const struct screen_options screen = show_screen_options(&options);
    for (;;) {
        struct text command = TEXT_INIT;
        int status = start_screen_run(&wish, &screen, &command, err);
        const bool chosen = status == 0 && command.length > 0;
        const bool own = chosen && strncmp(command.data, "run ", 4) == 0;
        if (chosen)
            status = run_chosen(command.data, err);
        text_release(&command);
        if (!chosen || own || status != 0)
            return status;
    }
}

static int run(int argc, char **argv, struct error *err) {
    if (argc < 2)
        return show_can_show_screens() ? run_start(err) : run_without_command(err);
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("shflviz " SHFLVIZ_VERSION);
        return show_finish(err);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return run_command(&command_help, argc - 2, argv + 2, err);
    const struct command *command = command_find(name);
    if (!command && brought_is(name))
        return brought_run(name, argc - 2, argv + 2, err);
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

/* What is allowed and what to try is printed below what is wrong, indented. */
static void print_error(char *message, int argc, char **argv) {
    fputs("shflviz: ", stderr);
    utf8_join_names(message, (const char *const *)argv, (size_t)argc);
    struct text shown = TEXT_INIT;
    text_append_visible(&shown, message, UTF8_LINES);
    for (const char *c = shown.data; *c; c++) {
        putc(*c, stderr);
        if (*c == '\n')
            fputs("  ", stderr);
    }
    putc('\n', stderr);
    text_release(&shown);
}

int main(int argc, char **argv) {
    struct error err = ERROR_INIT;
    hold_standard_streams();
    signal(SIGBUS, tell_lost_file);
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a write that fails, and is said */
    language_begin();
    int status = run(argc, argv, &err);
    if (status == 0)
        return 0;
    if (err.kind == ERROR_STATUS)
        return err.status;
    if (err.kind == ERROR_SIGNAL) {
        die_of_signal(err.signal);
        return ERROR_SIGNAL + err.signal; /* where the signal is ignored */
    }
    if (err.text[0])
        print_error(err.text, argc, argv);
    return (int)err.kind;
}
