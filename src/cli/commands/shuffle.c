/* The commands for the four shuffles are in one file because they differ only in their texts. */

#include "base/message.h"
#include "cli/command.h"
#include "cli/show.h"

static int run(const struct command *command, const struct options *options, struct error *err) {
    return show_launch(device_program_find(command->name), command->name, options, err);
}

const struct command command_idx = {
    .name = "idx",
    .summary = N_("one __shfl_sync: each lane reads lane srcLane of its group"),
    .about =
        N_("Runs one __shfl_sync on every warp, records it and shows where each lane's value comes "
           "from. The source lane is counted inside the group, modulo the width, so that no lane "
           "is ever out of range."),
    .options = OPTION_BIT(LAUNCH_SRC) | OPTIONS_RUN,
    .required = OPTION_BIT(LAUNCH_SRC),
    .examples = {"idx --src 5 --width 16", "idx --src 'lane / 4 * 4'"},
    .run = run,
};

const struct command command_up = {
    .name = "up",
    .summary = N_("one __shfl_up_sync: each lane reads lane - delta"),
    .about =
        N_("Runs one __shfl_up_sync on every warp, records it and shows where each lane's value "
           "comes from. Values move up; the lowest delta lanes of each group have no lane to read "
           "and keep their own value."),
    .options = OPTION_BIT(LAUNCH_DELTA) | OPTIONS_RUN,
    .required = OPTION_BIT(LAUNCH_DELTA),
    .examples = {"up --delta 3 --width 16", "up --delta 1 --in '1 << lane'"},
    .run = run,
};

const struct command command_down = {
    .name = "down",
    .summary = N_("one __shfl_down_sync: each lane reads lane + delta"),
    .about =
        N_("Runs one __shfl_down_sync on every warp, records it and shows where each lane's value "
           "comes from. Values move down; the highest delta lanes of each group have no lane to "
           "read and keep their own value."),
    .options = OPTION_BIT(LAUNCH_DELTA) | OPTIONS_RUN,
    .required = OPTION_BIT(LAUNCH_DELTA),
    .examples = {"down --delta 16", "down --delta 3 --width 16 --format json"},
    .run = run,
};

const struct command command_xor = {
    .name = "xor",
    .summary = N_("one __shfl_xor_sync: each lane reads lane ^ laneMask"),
    .about = N_("Runs one __shfl_xor_sync on every warp, records it and shows where each lane's "
                "value comes from. Lanes trade values in pairs. A lane that would read from a "
                "later group keeps its own value; a lane can read from an earlier group."),
    .options = OPTION_BIT(LAUNCH_MASK) | OPTIONS_RUN,
    .required = OPTION_BIT(LAUNCH_MASK),
    .examples = {"xor --mask 3 --width 16", "xor --mask 'lane & 1' --in random:7",
                 "xor --mask 1 --type half2 --format csv"},
    .run = run,
};
