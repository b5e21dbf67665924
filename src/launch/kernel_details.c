#include "launch/kernel_details.h"

#include "base/file.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "cudacpu/cudacpu.h"
#include "device/programs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The headers that a kernel's host part needs, unchanged. */
extern const char kernel_type_header[];
extern const char kernel_program_header[];

#define SECONDS_MOST 20

/* ---- the text before the kernel's ---- */

static void append_headers(struct text *text) {
    static const char include[] = "#include \"warp/type.h\"";
    const char *at = strstr(kernel_program_header, include);
    text_append(text, kernel_type_header);
    text_append_bytes(text, kernel_program_header, (size_t)(at - kernel_program_header));
    text_append(text, at + sizeof include - 1);
}

static void append_parameters(struct text *text, const struct program_parameters *parameters) {
    const uint64_t count = program_input_count(parameters);
    text_append(text, "int main() {\n    static const int32_t argument[32] = {");
    for (int lane = 0; parameters->argument && lane < WARP_LANES; lane++)
        text_append_format(text, "%" PRId32 ",", parameters->argument[lane]);
    text_append(text, "};\n    static const uint64_t input[] = {");
    for (uint64_t i = 0; i < count; i++)
        text_append_format(text, "%" PRIu64 "u,", parameters->input[i]);
    text_append_format(text,
                       "0};\n    const program_parameters p = {(enum warp_type)%d, %" PRIu32
                       "u, %" PRId32 ", %s, %" PRIu32 ", %" PRIu32 ", input, %" PRIu64 "u};\n",
                       (int)parameters->type, parameters->members, parameters->width,
                       parameters->argument ? "argument" : "nullptr", parameters->threads,
                       parameters->blocks, parameters->count);
}

static void append_main(struct text *text, const struct program *program,
                        const struct program_parameters *parameters) {
    const char *identifier = program_identifier(program);
    struct text file = TEXT_INIT;
    const char *base = file_base_name(program->file);
    text_append_bytes(&file, base, strcspn(base, "."));
    text_append_format(text,
                       "#define SHFLVIZ_RECORDING\n"
                       "extern \"C\" const char SHFLVIZ_SOURCE(%s)[] = \"\";\n"
                       "extern \"C\" const struct shflviz_program SHFLVIZ_PROGRAM(%s);\n",
                       file.data, identifier);
    append_parameters(text, parameters);
    text_append_format(text,
                       "    const shflviz_run run = {&p, nullptr};\n"
                       "    return SHFLVIZ_PROGRAM(%s).run(&run);\n}\n",
                       identifier);
    text_release(&file);
}

/* ---- the run ---- */

struct recording {
    const struct launch *launch;
    const struct trace *was;
    struct trace **trace;
};

static void ignore_printed(void *context, int stream, const char *bytes, size_t count) {
    (void)context, (void)stream, (void)bytes, (void)count;
}

static int run_built(const struct recording *recording, const struct user_program *program,
                     const struct device_options *device, struct error *err) {
    struct error failed = ERROR_INIT;
    int exit_status;
    struct user_run run = {.called = recording->launch->program->name,
                           .title = trace_note(recording->was, TRACE_NOTE_TITLE),
                           .command = trace_note(recording->was, TRACE_NOTE_COMMAND),
                           .settings = device->settings,
                           .input = -1,
                           .output = ignore_printed};
    run.settings.lines = run.settings.origins = true;
    run.settings.limits.seconds = SECONDS_MOST;
    user_program_run(program, &run, &exit_status, &failed); /* a deadlock can still be shown */
    if (user_program_open(program, recording->trace, NULL, &failed) == 0)
        return 0;
    *err = failed;
    return -1;
}

static int build_and_run(void *context, const struct program_parameters *parameters,
                         const struct device_options *device, struct error *err) {
    const struct recording *recording = context;
    const struct program *kernel = recording->launch->program;
    struct text text = TEXT_INIT, before = TEXT_INIT;
    struct user_program program;
    if (program_input_count(parameters) > KERNEL_DETAILS_VALUES)
        return error_set(err, ERROR_USAGE,
                         _("more than %u values: lines and variables are not recorded for that "
                           "many\ntry: a smaller --n"),
                         KERNEL_DETAILS_VALUES);
    text_append(&text, kernel->source);
    append_headers(&before);
    append_main(&before, kernel, parameters);
    const struct user_source source = {kernel->file, kernel->file, &text};
    const struct user_source first = {"main.cu", "main.cu", &before};
    const struct user_build build = {.sources = &source,
                                     .source_count = 1,
                                     .before = &first,
                                     .lines = true,
                                     .origins = true,
                                     .in_step = true,
                                     .limits = confine_limits(CONFINE_NOTHING)};
    int status = user_program_build(&program, &build, err);
    if (status == 0)
        status = run_built(recording, &program, device, err);
    user_program_release(&program);
    text_release(&text);
    text_release(&before);
    return status;
}

bool launch_has_details(void) {
    return true;
}

bool launch_set_cancel_poll(bool (*ends)(void)) {
    return child_set_idle_hook(ends);
}

int launch_record_details(const struct launch *launch, const struct trace *was,
                          struct trace **trace, struct error *err) {
    struct recording recording = {launch, was, trace};
    *trace = NULL;
    progress_line_begin(_("building"));
    const int status = launch_prepare(launch, build_and_run, &recording, err);
    progress_line_end();
    return status;
}
