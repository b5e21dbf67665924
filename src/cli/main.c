/* The only place that prints errors and exits. */

#include "base/message.h"
#include "base/text.h"
#include "base/unused.h"
#include "cli/command.h"
#include "cli/direct_input.h"
#include "cli/doctor.h"
#include "cli/language.h"
#include "cli/manual.h"
#include "cli/post_command.h"
#include "cli/show.h"
#include "launch/program/user_run.h"
#include "session/screens/start_screen.h"
#include "view/grid.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define LEAST_COLUMNS 40 /* errors are not wrapped on narrower terminals */

/*
 * If a caller closed a standard stream, the next file opened would get its number, and messages
 * would be written into a recording. The placeholder is opened in the opposite mode, so that using
 * the stream still fails with EBADF.
 */
static void hold_standard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 &&
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
            abort();
}

/*
 * Recordings are mapped into memory. If one is truncated meanwhile, or its disk fails, accessing
 * the missing part raises this signal. Uses only functions that POSIX allows in a handler.
 */
static void report_lost_file(int number UNUSED) {
    static const char message[] =
        "shflviz: a file in use has been truncated, or its disk has failed\n"
        "  allowed: to replace a recording with a new file of the same name, as -o does\n"
        "  try: the same with a copy that nothing else writes to\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);
    (void)written; /* if writing fails, the exit status still reports the error */
    _exit(ERROR_USAGE);
}

#define STACK_LEAST  ((rlim_t)192 << 10) /* some commands need more than half of it */
#define STACK_WANTED ((rlim_t)8 << 20)   /* the default of most systems */

/* With too small a stack the program would crash without a message. */
static int check_stack(struct error *err) {
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= STACK_LEAST)
        return 0;
    stack.rlim_cur = stack.rlim_max < STACK_WANTED ? stack.rlim_max : STACK_WANTED;
    if (stack.rlim_cur >= STACK_LEAST && setrlimit(RLIMIT_STACK, &stack) == 0)
        return 0;
    return error_set(err, ERROR_MISSING,
                     _("the stack of this process is limited to %llu KiB, which is too little\n"
                       "try: ulimit -s 8192"),
                     (unsigned long long)(stack.rlim_max >> 10));
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
               !(command->operand_kinds & (OPERAND_PROGRAMS | OPERAND_EXERCISES)) &&
               is_cuda_source(options.operands[0])) {
        status = command_program(options.operands[0], err);
        error_prefix(err, "%s", command->name);
    } else if (status == 0) {
        status = command->run(command, &options, err);
    }
    options_release(&options);
    return status;
}

/* Without a command, prints the list on standard output and exits with a failure, as git does. */
static int run_without_command(struct error *err) {
    print_front(stdout);
    int status = show_finish(err);
    return status == 0 ? error_set_silent(err, ERROR_USAGE) : status;
}

static void report_machine(start_machine_line *line, void *context) {
    struct doctor_report report;
    doctor_examine(&report);
    for (size_t i = 0; i < report.count; i++)
        line(context, report.lines[i].name, report.lines[i].present, report.lines[i].text);
}

/* The columns of the terminal that errors go to; 0 if they go elsewhere. */
static int error_columns(void) {
    struct winsize size;
    return isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Prints a line that begins in column `x`; a long list continues on further lines, since a terminal
 * would break words. Code begins with blanks and is left alone. Returns the line's end. */
static const char *print_line(const char *line, int x, int columns) {
    const bool wraps = columns >= LEAST_COLUMNS && *line != ' ';
    while (*line && *line != '\n') {
        size_t bytes = wraps ? text_line(line, columns - x) : 0;
        bytes = bytes ? bytes : strcspn(line, "\n");
        fwrite(line, 1, bytes, stderr);
        line += bytes;
        if (!*line || *line == '\n')
            break;
        line += strspn(line, " ");
        x = 4;
        fputs("\n    ", stderr);
    }
    return line;
}

/* All lines but the first say what is allowed and what to try; they are indented. */
static void print_error(char *message, int argc, char **argv) {
    fputs("shflviz: ", stderr);
    utf8_join_names(message, (const char *const *)argv, (size_t)argc);
    struct text shown = TEXT_INIT;
    text_append_visible(&shown, message, UTF8_LINES);
    const int columns = error_columns();
    int x = (int)strlen("shflviz: ");
    for (const char *c = shown.data; *c; x = 2) {
        c = print_line(c, x, columns);
        if (*c == '\n')
            fputs("\n  ", stderr), c++;
    }
    putc('\n', stderr);
    text_release(&shown);
}

/* Gives the user time to read a printed answer or an error before the start screen returns. */
static bool wait_after_paste(bool printed, int status, struct error *err) {
    const bool failed = status != 0 && err->kind == ERROR_USAGE && err->text[0];
    if (failed) {
        print_error(err->text, 0, NULL);
        *err = (struct error)ERROR_INIT;
    }
    return (printed || failed) && show_wait_for_reader(_("Enter: back "));
}

/* Shows, on a terminal, a start screen that comes back until the user leaves it. Starting a user
 * program ends the start screen, because the program's output is on the terminal. */
static int run_start(struct error *err) {
    const struct start_options opts = {.machine = report_machine};
    const struct options options = {.format = FORMAT_TUI};
    struct start_position position = {0};
    const struct screen_options screen = show_screen_options(&options);
    for (;;) {
        struct text command = TEXT_INIT, pasted = TEXT_INIT;
        bool printed = false;
        int status = start_screen_run(&opts, &position, &screen, &command, &pasted, err);
        const bool chosen = status == 0 && command.length > 0;
        const bool brings = status == 0 && pasted.length > 0;
        const bool own = chosen && strncmp(command.data, "run ", 4) == 0;
        show_set_from_start(!own);
        if (chosen)
            status = direct_input_run_line(command.data, err);
        else if (brings)
            status = post_command_text(pasted.data, &printed, err);
        show_set_from_start(false);
        if (brings && wait_after_paste(printed, status, err))
            status = 0;
        text_release(&command);
        text_release(&pasted);
        if (!(chosen || brings) || own || status != 0)
            return status;
    }
}

static int run(int argc, char **argv, struct error *err) {
    if (argc < 2)
        return show_has_screen() ? run_start(err) : run_without_command(err);
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("shflviz " SHFLVIZ_VERSION);
        return show_finish(err);
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return run_command(&command_front, argc - 2, argv + 2, err);
    const struct command *command = command_find(name);
    if (!command && direct_input_matches(name))
        return direct_input_run(name, argc - 2, argv + 2, NULL, err);
    if (!command)
        return command_unknown(name, err);
    return run_command(command, argc - 2, argv + 2, err);
}

/* Ends the process with the signal that ended a screen, or that a pipe without a reader would have
 * raised, so that the shell sees it. */
static void die_of_signal(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

int main(int argc, char **argv) {
    struct error err = ERROR_INIT;
    hold_standard_streams();
    signal(SIGBUS, report_lost_file);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails, which is reported */
    language_begin();
    int status = check_stack(&err) == 0 ? run(argc, argv, &err) : -1;
    if (status == 0)
        return 0;
    if (err.kind == ERROR_STATUS)
        return err.status;
    if (err.kind == ERROR_SIGNAL) {
        die_of_signal(err.signal);
        return ERROR_SIGNAL + err.signal; /* if the signal is ignored */
    }
    if (err.text[0])
        print_error(err.text, argc, argv);
    return (int)err.kind;
}
