#include "base/message.h"
#include "cli/command.h"
#include "cli/run.h"

static int run(const struct command *command, const struct options *options, struct error *err) {
    return run_program(device_program_find("xor"), command->name, command->argument, options, err);
}

const struct command command_xor = {
    .name = "xor",
    .summary = N_("one __shfl_xor_sync: each lane reads lane ^ laneMask"),
    .about =
        N_("Runs one __shfl_xor_sync on every warp, records it and shows where each lane's value "
           "comes from. Lanes trade values in pairs. A lane that would read a later group keeps "
           "its own value; an earlier group can be read."),
    .options = OPTION_BIT(OPTION_MASK) | OPTIONS_RUN,
    .required = OPTION_BIT(OPTION_MASK),
    .argument = OPTION_MASK,
    .examples = {"xor --mask 3 --width 16", "xor --mask 'lane & 1' --in random:7",
                 "xor --mask 1 --type half2 --format csv"},
    .run = run,
};
