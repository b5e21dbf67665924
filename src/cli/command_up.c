#include "base/message.h"
#include "cli/command.h"
#include "cli/run.h"

static int run(const struct command *command, const struct options *options, struct error *err) {
    return run_program(device_program_find("up"), command->name, command->argument, options, err);
}

const struct command command_up = {
    .name = "up",
    .summary = N_("one __shfl_up_sync: each lane reads the lane delta below it"),
    .about =
        N_("Runs one __shfl_up_sync on every warp, records it and shows where each lane's value "
           "comes from. Values move up; the lowest delta lanes of each group have nobody to read "
           "and keep their own value."),
    .options = OPTION_BIT(OPTION_DELTA) | OPTIONS_RUN,
    .required = OPTION_BIT(OPTION_DELTA),
    .argument = OPTION_DELTA,
    .examples = {"up --delta 3 --width 16", "up --delta 1 --in '1 << lane'"},
    .run = run,
};
