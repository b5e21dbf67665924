#include "cli/course.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/program_file.h"
#include "launch/recording.h"
#include "cli/run.h"
#include "launch/word_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool course_is_file(const char *kernel) {
    size_t length = strlen(kernel);
    return length > 3 && strcmp(kernel + length - 3, ".cu") == 0;
}

char *course_progress_name(const struct lesson *lesson) {
    if (!lesson->path[0])
        return memory_string(lesson->name);
    char *path = realpath(lesson->path, NULL);
    return path ? path : memory_string(lesson->path);
}

/* A lesson shows a few operations: a launch of millions is a mistake, and would be paid for in
 * memory. */
#define STEPS_IN_A_LESSON (UINT64_C(1) << 16)

/* Options that say what is run; how it is shown is for the lesson to say. */
static int refuse_showing(const struct options *options, struct error *err) {
    const option_set refused = OPTIONS_SHOW | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_HELP) |
                               OPTION_BIT(OPTION_LANG);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options->given & refused & OPTION_BIT(id))
            return error_set(err, ERROR_USAGE,
                             _("--%s says how something is shown or saved\n"
                               "allowed in a launch: options that say what is run"),
                             option_table()[id].name);
    if (options->device == DEVICE_GPU)
        return error_set(err, ERROR_USAGE,
                         _("--device gpu in a launch: a lesson is to play where there is no GPU\n"
                           "try: record it with -o FILE, and name that file with 'trace: FILE'"));
    return 0;
}

/* The command that a kernel is run by: the four shuffles have their own. */
static const struct command *command_of(const char *kernel) {
    const struct command *own = command_find(kernel);
    return own && device_program_find(kernel) ? own : &command_kernel;
}

static int record_options(const char *kernel, const struct command *command,
                          const struct options *options, struct trace **trace, struct error *err) {
    bool failed;
    const struct program *program = device_program_find(kernel);
    if (!program)
        return command_kernel_unknown(kernel, err);
    if (refuse_showing(options, err) != 0)
        return -1;
    struct options limited = *options;
    if (!(options->given & OPTION_BIT(OPTION_STEPS))) {
        limited.given |= OPTION_BIT(OPTION_STEPS);
        limited.step_limit = STEPS_IN_A_LESSON;
        limited.text[OPTION_STEPS] = "65536";
    }
    return run_program_quietly(program, kernel, command->argument, &limited, trace, &failed, err);
}

int course_record_kernel(const char *kernel, const char *launch, const char *where,
                         struct trace **trace, struct error *err) {
    const struct command *command = command_of(kernel);
    struct word_list words;
    struct options options = {0};
    *trace = NULL;
    int status = words_split(&words, launch, err);
    if (status == 0)
        status = options_parse(&options, command, words.count, words.word, err);
    if (status == 0 && options.operand_count > 0)
        status =
            error_set(err, ERROR_USAGE, _("'%s' in a launch is no option"), options.operands[0]);
    if (status == 0)
        status = record_options(kernel, command, &options, trace, err);
    if (status != 0 && where)
        error_prefix(err, "%s", where);
    options_release(&options);
    words_release(&words);
    return status;
}

/* A file that the lesson names, beside it. */
static char *path_beside(const struct lesson *lesson, const char *name) {
    struct text path = TEXT_INIT;
    const char *base = lesson->languages[0].path, *slash = strrchr(base, '/');
    if (name[0] != '/' && slash)
        text_append_bytes(&path, base, (size_t)(slash - base) + 1);
    text_append(&path, name);
    return text_detach(&path);
}

/* A recording beside the lesson, or one that comes with the program. */
static int open_recording(const char *path, const char *name, const char *where,
                          struct trace **trace, struct error *err) {
    const struct recording *built_in = recording_find(name);
    int status = built_in && access(path, F_OK) != 0 ? recording_open(built_in, trace, err)
                                                     : trace_open(trace, path, err);
    if (status != 0)
        error_prefix(err, "%s", where);
    return status;
}

/* What can be wrong with a kernel that there is stands in its launch. */
static int complained_line(const struct lesson_run *run) {
    const bool launched = run->kernel && device_program_find(run->kernel);
    return launched && run->launch_line ? run->launch_line : run->line;
}

int course_record_run(const struct lesson *lesson, size_t run, struct program_files *files,
                      struct trace **trace, struct error *err) {
    const struct lesson_run *wanted = &lesson->runs[run];
    struct text where = TEXT_INIT;
    int status;
    *trace = NULL;
    text_append_format(&where, "%s:%d", lesson->languages[0].path, complained_line(wanted));
    if (wanted->trace || course_is_file(wanted->kernel)) {
        char *path = path_beside(lesson, wanted->trace ? wanted->trace : wanted->kernel);
        status = wanted->trace
                     ? open_recording(path, wanted->trace, where.data, trace, err)
                     : program_file_record(files, path, wanted->launch, where.data, trace, err);
        free(path);
    } else {
        status = course_record_kernel(wanted->kernel, wanted->launch, where.data, trace, err);
    }
    text_release(&where);
    return status;
}

int course_record(const struct lesson *lesson, enum course_consent consent,
                  struct course_recordings *recordings, struct error *err) {
    *recordings = (struct course_recordings){
        memory_zeroed(lesson->run_count, sizeof(recordings->traces[0])), lesson->run_count};
    struct program_files files = {consent, NULL, 0};
    int status = 0;
    for (size_t i = 0; status == 0 && i < lesson->run_count; i++)
        status = course_record_run(lesson, i, &files, &recordings->traces[i], err);
    program_files_release(&files);
    if (status != 0)
        course_release(recordings);
    return status;
}

void course_release(struct course_recordings *recordings) {
    for (size_t i = 0; i < recordings->count; i++)
        trace_close(recordings->traces[i]);
    free(recordings->traces);
    *recordings = (struct course_recordings){NULL, 0};
}
