#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "launch/recording.h"
#include "trace/trace.h"

static int list(struct error *err) {
    return recordings_list(stdout, err) != 0 ? -1 : show_finish(err);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct trace *trace;
    if (options->operand_count == 0 && options->given & OPTIONS_SHOW)
        return error_set(err, ERROR_USAGE,
                         _("%s: options for a recording, but no recording is named\n"
                           "try: shflviz replay, which lists those that come along"),
                         command->name);
    if (options->operand_count == 0)
        return list(err);
    if (show_resolve_format(&resolved, err) != 0 ||
        recording_or_file_open(options->operands[0], &trace, err) != 0)
        return error_prefix(err, "%s", command->name);
    int status = show_trace(trace, &resolved, err);
    trace_close(trace);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .summary = N_("look at a recording; without a name, the list of those that come along"),
    .about =
        N_("Opens a recording that -o saved, or one that comes along with shflviz, and shows it as "
           "the command that made it did. Opening a recording runs nothing. Without a name it "
           "lists the recordings that come along."),
    .operand = "[TRACE]",
    .operand_kinds = OPERAND_RECORDINGS | OPERAND_FILES,
    .options = OPTIONS_SHOW | OPTION_BIT(OPTION_OVERVIEW),
    .examples = {"replay", "replay xor.svt", "replay h200/down-35", "replay xor.svt --overview"},
    .run = run,
};
