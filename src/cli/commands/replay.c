#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "explain/printed.h"
#include "launch/recording.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int list(struct error *err) {
    return recordings_list(stdout, err) != 0 ? -1 : show_finish(err);
}

/* Prints the program's output, each piece to its stream. */
static int print_output(const char *file, const struct options *options, struct error *err) {
    const struct trace_output *piece;
    struct trace *trace;
    if (options->format != FORMAT_AUTO && options->format != FORMAT_TEXT)
        return show_refuse_format(options, _("would show more than the program printed"), "text",
                                  err);
    if (recording_or_file_open(file, &trace, err) != 0)
        return -1;
    for (size_t i = 0; !ferror(stdout) && (piece = trace_output(trace, i)); i++) {
        fputs(piece->text, piece->stream == 2 ? stderr : stdout);
        if (piece->stream != 2 && trace_output(trace, i + 1) &&
            trace_output(trace, i + 1)->stream == 2)
            fflush(stdout); /* both may be the same terminal */
    }
    int status = show_finish(err);
    if (status == 0 && printed_cut(trace) > 0)
        fprintf(stderr,
                _("shflviz: the program printed %" PRIu64
                  " more bytes, which are not in the recording\n"),
                printed_cut(trace));
    trace_close(trace);
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct trace *trace;
    if (options->operand_count == 0 && options->given & command->options)
        return error_set(err, ERROR_USAGE,
                         _("%s: these options need the name of a recording\ntry: shflviz replay, "
                           "which lists the built-in recordings"),
                         command->name);
    if (options->operand_count == 0)
        return list(err);
    if (options->given & OPTION_BIT(OPTION_PRINTED))
        return print_output(options->operands[0], options, err) != 0
                   ? error_prefix(err, "%s", command->name)
                   : 0;
    if (recording_or_file_open(options->operands[0], &trace, err) != 0)
        return error_prefix(err, "%s", command->name);
    if (options->whose) {
        const int answered = show_whose(trace, options, err);
        trace_close(trace);
        return answered != 0 ? error_prefix(err, "%s", command->name) : show_finish(err);
    }
    if (options->given & OPTION_BIT(OPTION_WARPS)) {
        const int answered = show_block(trace, options, err);
        trace_close(trace);
        return answered != 0 ? error_prefix(err, "%s", command->name) : show_finish(err);
    }
    if (strcmp(options->operands[0], "-") == 0)
        show_keys_from_terminal();
    if (show_resolve_format(&resolved, err) != 0) {
        trace_close(trace);
        return error_prefix(err, "%s", command->name);
    }
    int status = show_trace(trace, &resolved, err);
    trace_close(trace);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .summary = N_("look at a recording; without a name, list the built-in recordings"),
    .about = N_(
        "Opens a recording that -o saved or that comes with shflviz, and shows it in the same way "
        "as the command that made it. Opening a recording runs no program. - is standard input, to "
        "which another machine may send a recording with -o -; keys then come from the terminal. "
        "Without a name, the command lists the recordings that come with shflviz."),
    .operand = "[TRACE|-]",
    .operand_kinds = OPERAND_RECORDINGS | OPERAND_FILES,
    .options = OPTIONS_SHOW | OPTION_BIT(OPTION_OVERVIEW) | OPTION_BIT(OPTION_PRINTED) |
               OPTION_BIT(OPTION_SHOW) | OPTION_BIT(OPTION_WHOSE) | OPTION_BIT(OPTION_WARPS),
    .examples = {"replay", "replay h200/down-35", "replay xor.svt --overview",
                 "kernel reduce-xor-sum -o - | shflviz replay -"},
    .run = run,
};
