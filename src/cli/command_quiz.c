#include "base/complaint.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "launch/quiz_source.h"
#include "sitting/quiz_screen.h"

#include <time.h>

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct quiz_source source;
    const uint64_t seed =
        options->given & OPTION_BIT(OPTION_SEED) ? options->seed : (uint64_t)time(NULL);
    const int level = options->level ? (int)options->level : 1;
    int status = show_resolve_format(&resolved, err);
    if (status == 0 && resolved.format != FORMAT_TUI && resolved.format != FORMAT_TEXT)
        status = complain(err, &(struct complaint){.option = "format",
                                                   .value = options->text[OPTION_FORMAT],
                                                   .wrong = _("is not a format for quizzes"),
                                                   .allowed = "tui text"});
    if (status == 0)
        status = quiz_source_init(&source, options->operand_count ? options->operands[0] : NULL,
                                  seed, err);
    if (status == 0 && resolved.format == FORMAT_TUI) {
        const struct screen_options screen = show_screen_options(&resolved);
        status = quiz_screen_run(&source, seed, level, &screen, err);
    } else if (status == 0) {
        const struct text_style style = show_text_style(&resolved);
        status = quiz_text_run(&source, seed, level, &style, err);
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
    .about = N_(
        "Asks about one operation after another: which lane a lane reads, what it gets, which "
        "lanes read it. Questions come from a recording, a kernel or a lesson, or without a name "
        "from all kinds of shuffles, and go on until you leave. Where standard output is not a "
        "terminal, answers are read line by line from standard input."),
    .operand = "[TRACE|NAME]",
    .operand_kinds =
        OPERAND_SHUFFLES | OPERAND_KERNELS | OPERAND_LESSONS | OPERAND_RECORDINGS | OPERAND_FILES,
    .options = OPTION_BIT(OPTION_LEVEL) | OPTION_BIT(OPTION_SEED) | OPTIONS_SHOW,
    .examples = {"quiz", "quiz xor", "quiz run.svt --level 3"},
    .run = run,
};
