#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "cli/user_command.h"
#include "launch/quiz_source.h"
#include "launch/recording.h"
#include "session/screens/quiz_screen.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void list_row(const char *name, const char *words) {
    printf("%-20s  %s\n", name, words);
}

/* Lists the possible subjects of questions, other than files. */
static int list(struct error *err) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    puts(_("Kernels:"));
    for (size_t i = 0; i < count; i++)
        list_row(programs[i]->name, _(programs[i]->summary));
    puts(_("\nLessons:"));
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        list_row(lesson->name,
                 lesson_title(lesson, lesson_language_find(lesson, message_language())));
    }
    puts(_("\nRecordings:"));
    return recordings_list(stdout, err) != 0 ? -1 : show_finish(err);
}

/* --list, or just "quiz" where nobody would see the questions: `shflviz quiz | less`. */
static bool wants_list(const struct options *options) {
    const option_set says = ~(OPTION_BIT(OPTION_LANG) | OPTION_BIT(OPTION_ASCII));
    if (options->given & OPTION_BIT(OPTION_LIST))
        return true;
    return !options->operand_count && !(options->given & says) && isatty(STDIN_FILENO) &&
           !isatty(STDOUT_FILENO);
}

/* A user program is run first. An early end is reported; the questions are about the recording up
 * to that point. */
static int record_program(const struct command *command, const struct options *options,
                          struct quiz_source *source, struct error *err) {
    struct trace *trace;
    struct error own = ERROR_INIT;
    int status;
    if (user_command_record(command->name, options, true, NULL, NULL, &trace, &status, &own) != 0) {
        if (!trace || own.kind != ERROR_RUN) {
            trace_close(trace);
            *err = own;
            return -1;
        }
        fprintf(stderr, "shflviz: %s\n", own.text);
    }
    if (trace && trace_step_count(trace) == 0) {
        trace_close(trace);
        return error_set(
            err, ERROR_USAGE,
            _("%s: the program performed no warp operation, so there is nothing to ask about"),
            options->operands[0]);
    }
    quiz_source_init_program(source, trace);
    return 0;
}

/* Asks questions missed in lessons again, unless everyone is to have the same questions. */
static void prefer_missed(const struct options *options, struct quiz_source *source) {
    struct progress progress = {0};
    struct error ignored = ERROR_INIT;
    if (options->operand_count || options->given & OPTION_BIT(OPTION_SEED))
        return;
    char *path = progress_path();
    if (*path && progress_load(&progress, path, &ignored) == 0)
        quiz_source_prefer(source, &progress);
    progress_release(&progress);
    free(path);
}

static int open_source(const struct command *command, const struct options *options, uint64_t seed,
                       struct quiz_source *source, struct error *err) {
    const char *name = options->operand_count ? options->operands[0] : NULL;
    if (name && (is_cuda_source(name) || is_source_folder(name)))
        return record_program(command, options, source, err);
    if (user_refuse_options(options, err) != 0)
        return -1;
    if (options->operand_count > 1)
        return error_set(err, ERROR_USAGE,
                         _("%s: give a single recording or name, or source files"),
                         options->operands[1]);
    int status = quiz_source_init(source, name, seed, err);
    if (status == 0)
        prefer_missed(options, source);
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct quiz_source source;
    const uint64_t seed =
        options->given & OPTION_BIT(OPTION_SEED) ? options->seed : (uint64_t)time(NULL);
    const int level = options->level ? (int)options->level : 1;
    const struct results_options opts = show_results_options(options);
    if (wants_list(options))
        return list(err);
    int status = show_check_results(options, err);
    if (status == 0)
        status = show_resolve_format(&resolved, err);
    if (status == 0 && resolved.format != FORMAT_TUI && resolved.format != FORMAT_TEXT)
        status = show_refuse_format(options, _("is not a format for quizzes"), "tui text", err);
    if (status == 0)
        status = open_source(command, options, seed, &source, err);
    if (status == 0 && resolved.format == FORMAT_TUI) {
        const struct screen_options screen = show_screen_options(&resolved);
        status = quiz_screen_run(&source, seed, level, &opts, &screen, err);
    } else if (status == 0) {
        const struct text_style style = show_text_style(&resolved);
        status = quiz_text_run(&source, seed, level, &opts, &style, err);
        if (status == 0)
            status = show_finish(err);
    }
    if (status != 0)
        error_prefix(err, "%s", command->name);
    return status;
}

const struct command command_quiz = {
    .name = "quiz",
    .summary = N_("questions drawn from a recording, harder as you succeed"),
    .about = N_("Asks about one operation after another: which lane a lane reads, what it gets, "
                "which lanes read it. Questions come from a recording, a kernel, a lesson or a "
                "program of your own, which is built and run first; without a name, they come from "
                "all kinds of shuffles and, unless --seed is given, from lessons in which you "
                "missed questions. The quiz continues until you leave. If standard output is not a "
                "terminal, answers are read line by line from standard input."),
    .operand = "[TRACE|NAME|FILE.cu... [-- ARGS...]]",
    .operands_most = INT_MAX,
    .operand_kinds = OPERAND_PROGRAMS | OPERAND_SHUFFLES | OPERAND_KERNELS | OPERAND_LESSONS |
                     OPERAND_RECORDINGS | OPERAND_FILES,
    .options = OPTION_BIT(OPTION_LEVEL) | OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_LIST) |
               OPTION_BIT(OPTION_QUESTIONS) | OPTION_BIT(OPTION_RESULTS) | OPTION_BIT(OPTION_WHO) |
               OPTIONS_SHOW | (OPTIONS_OWN & ~OPTION_BIT(LAUNCH_OUTPUT)),
    .examples = {"quiz", "quiz --list", "quiz run.svt --level 3", "quiz reduce.cu"},
    .run = run,
};
