#include "base/message.h"
#include "cli/command.h"
#include "cli/run.h"

static int run(const struct command *command, const struct options *options, struct error *err) {
    return run_program(device_program_find("idx"), command->name, command->argument, options, err);
}

const struct command command_idx = {
    .name = "idx",
    .summary = N_("one __shfl_sync: each lane reads lane srcLane of its group"),
    .about =
        N_("Runs one __shfl_sync on every warp, records it and shows where each lane's value comes "
           "from. The source lane is counted inside the group, modulo the width, so that no lane "
           "is ever out of range."),
    .options = OPTION_BIT(OPTION_SRC) | OPTIONS_RUN,
    .required = OPTION_BIT(OPTION_SRC),
    .argument = OPTION_SRC,
    .examples = {"idx --src 5 --width 16", "idx --src 'lane / 4 * 4'"},
    .run = run,
};
