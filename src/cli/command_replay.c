#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"
#include "launch/recording.h"
#include "trace/trace.h"

static int run(const struct command *command, const struct options *options, struct error *err) {
    struct options resolved = *options;
    struct trace *trace;
    if (show_resolve_format(&resolved, err) != 0 ||
        recording_or_file_open(options->operands[0], &trace, err) != 0) {
        error_prefix(err, "%s", command->name);
        return -1;
    }
    int status = show_trace(trace, &resolved, err);
    trace_close(trace);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .summary = N_("look at a recording that -o saved"),
    .about =
        N_("Opens a recording and shows it as the command that made it did. Opening a recording "
           "runs nothing."),
    .operand = "TRACE",
    .operands_needed = 1,
    .options = OPTIONS_SHOW,
    .examples = {"replay xor.svt", "replay xor.svt --format csv"},
    .run = run,
};
