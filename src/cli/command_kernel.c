#include "base/message.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/run.h"
#include "cli/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The four shuffles are programs too, but they have commands of their own, which know what their
 * argument is called. */
static bool is_listed(const struct program *program) {
    return !command_find(program->name);
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

int command_kernel_unknown(const char *name, struct error *err) {
    if (command_find(name) && device_program_find(name))
        return error_set(err, ERROR_USAGE, _("kernel: %s: a command of its own\ntry: shflviz %s"),
                         name, command_find(name)->examples[0]);
    size_t count;
    const struct program *const *programs = device_programs(&count);
    struct suggestion suggestion = {name, NULL, 0};
    char meant[SUGGESTION_TEXT];
    struct text allowed = TEXT_INIT;
    for (size_t i = 0; i < count; i++) {
        if (!is_listed(programs[i]))
            continue;
        suggestion_consider(&suggestion, programs[i]->name);
        text_append_format(&allowed, "%s%s", allowed.length ? " " : "", programs[i]->name);
    }
    error_set(err, ERROR_USAGE,
              _("kernel: %s: no kernel of that name%s\nallowed: %s\n"
                "try: shflviz kernel, which lists them"),
              *name ? name : "''", suggestion_format(&suggestion, meant), allowed.data);
    text_release(&allowed);
    return -1;
}

/* What one kernel does and takes. A name that is none is for run() to complain about. */
static void help(FILE *out, const struct options *options) {
    const struct program *program =
        options->operand_count > 0 ? device_program_find(options->operands[0]) : NULL;
    if (!program || !is_listed(program))
        return;
    struct text taken = TEXT_INIT;
    run_options_taken(&taken, program, OPTION_COUNT);
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
    putc('\n', out);
    if (program->takes & PROGRAM_IS_UNDEFINED)
        fputs(_("  shows what no rule covers: values that are undefined, or lanes that wait for "
                "ever\n"),
              out);
    text_release(&taken);
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    if (options->operand_count == 0 && options->given & ~OPTIONS_ALWAYS)
        return error_set(err, ERROR_USAGE,
                         _("%s: options for a kernel, but no kernel is named\n"
                           "try: shflviz kernel, which lists them"),
                         command->name);
    if (options->operand_count == 0)
        return list_programs(err);
    const struct program *program = device_program_find(options->operands[0]);
    if (!program || !is_listed(program))
        return command_kernel_unknown(options->operands[0], err);
    struct text name = TEXT_INIT;
    text_append_format(&name, "%s %s", command->name, program->name);
    int status = run_program(program, name.data, command->argument, options, err);
    text_release(&name);
    return status;
}

const struct command command_kernel = {
    .name = "kernel",
    .summary = N_("a kernel made of shuffles; without a name, the list of them"),
    .about =
        N_("Runs a kernel that comes with shflviz, records every warp operation in it and shows "
           "them one after the other. Which options mean something depends on the kernel; the "
           "others are refused. Without a name it lists the kernels."),
    .operand = "[NAME]",
    .options = OPTION_BIT(OPTION_N) | OPTIONS_RUN,
    .argument = OPTION_COUNT,
    .examples = {"kernel", "kernel reduce-xor-sum", "kernel block-reduce --threads 35"},
    .help = help,
    .run = run,
};
