#include "base/message.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The four shuffles are programs, too, but they have commands of their own. */
static bool is_listed(const struct program *program) {
    return launch_argument(program) == LAUNCH_OPTION_COUNT;
}

static int list_programs(struct error *err) {
    size_t count, widest = 0;
    const struct program *const *programs = device_programs(&count);
    for (size_t i = 0; i < count; i++)
        if (is_listed(programs[i]) && strlen(programs[i]->name) > widest)
            widest = strlen(programs[i]->name);
    for (size_t i = 0; i < count; i++)
        if (is_listed(programs[i]))
            printf("%-*s  %s\n", (int)widest, programs[i]->name, _(programs[i]->summary));
    return show_finish(err);
}

/* Prints a kernel's description and options. run() reports an unknown name. */
static void help(FILE *out, const struct options *options) {
    const struct program *program =
        options->operand_count > 0 ? device_program_find(options->operands[0]) : NULL;
    if (!program || !is_listed(program))
        return;
    struct text taken = TEXT_INIT;
    launch_options_taken(&taken, program);
    fprintf(out,
            message_plural("\n%s: %s\n  from %s\n  takes %s\n"
                           "  by default %" PRIu32 " threads, %" PRIu32 " block, %s, --in %s",
                           "\n%s: %s\n  from %s\n  takes %s\n"
                           "  by default %" PRIu32 " threads, %" PRIu32 " blocks, %s, --in %s",
                           program->defaults.blocks),
            program->name, _(program->summary), program->file,
            taken.length ? taken.data : _("none of the options for kernels"),
            program->defaults.threads, program->defaults.blocks,
            warp_type_info(program->defaults.type)->name, program->input);
    if (program->takes & PROGRAM_TAKES_COUNT)
        fprintf(out, ", --n %" PRIu64, program->defaults.count);
    if (program->takes & PROGRAM_ONE_WARP)
        fputs(_(" (at most 32)"), out);
    putc('\n', out);
    if (program->takes & PROGRAM_IS_UNDEFINED)
        fputs(_("  shows what no rule covers: values that are undefined, or lanes that wait "
                "forever\n"),
              out);
    text_release(&taken);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    if (options->operand_count == 0 && options->given & ~OPTIONS_ALWAYS)
        return error_set(err, ERROR_USAGE,
                         _("%s: these options need the name of a kernel\ntry: shflviz kernel, "
                           "which lists the kernels"),
                         command->name);
    if (options->operand_count == 0)
        return list_programs(err);
    const struct program *program = device_program_find(options->operands[0]);
    if (!program)
        return launch_kernel_unknown(options->operands[0], err);
    if (!is_listed(program))
        return error_set(err, ERROR_USAGE, _("kernel: %s is a separate command\ntry: shflviz %s"),
                         program->name, command_find(program->name)->examples[0]);
    struct text name = TEXT_INIT;
    text_append_format(&name, "%s %s", command->name, program->name);
    int status = show_launch(program, name.data, options, err);
    text_release(&name);
    return status;
}

const struct command command_kernel = {
    .name = "kernel",
    .summary = N_("run a kernel made of shuffles; without a name, list the kernels"),
    .about = N_("Runs a kernel that comes with shflviz, records every warp operation in the kernel "
                "and shows the operations one after the other. The options depend on the kernel; "
                "other options are refused. Without a name, the command lists the kernels."),
    .operand = "[NAME]",
    .operand_kinds = OPERAND_KERNELS,
    .options = OPTION_BIT(LAUNCH_N) | OPTIONS_RUN,
    .examples = {"kernel", "kernel reduce-xor-sum", "kernel block-reduce --threads 35"},
    .help = help,
    .run = run,
};
