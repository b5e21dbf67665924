/*
 * course.c - runs a lesson's kernels and opens its recordings. A lesson has to be the same wherever
 * it is played, so its kernels run on the CPU warp, with a step limit; a message about a
 * recording names the line of the lesson that asked for it.
 */
#include "launch/course.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "launch/launch.h"
#include "launch/program/program_file.h"
#include "launch/recording.h"
#include "launch/word_list.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool course_is_file(const char *kernel) {
    return strcmp(kernel, ".cu") != 0 && string_ends_with(kernel, ".cu");
}

char *course_progress_name(const struct lesson *lesson) {
    if (!lesson->path[0])
        return memory_string(lesson->name);
    char *path = realpath(lesson->path, NULL);
    return path ? path : memory_string(lesson->path);
}

/* A lesson shows a few operations: a launch of millions is a mistake that would cost memory. */
#define STEPS_IN_A_LESSON (UINT64_C(1) << 16)

static int record_program(const struct program *program, const char *line, struct trace **trace,
                          struct error *err) {
    struct word_list words;
    struct launch launch;
    launch_init(&launch, program, program->name);
    launch.automatic = DEVICE_CPU; /* a lesson must be the same wherever it is played */
    int status = launch_read_line(&launch, line, &words, err);
    if (!launch.device.settings.step_limit)
        launch.device.settings.step_limit = STEPS_IN_A_LESSON;
    if (status == 0)
        status = launch_record(&launch, trace, err);
    words_release(&words);
    return *trace ? 0 : status;
}

int course_record_kernel(const char *kernel, const char *line, const char *where,
                         struct trace **trace, struct error *err) {
    const struct program *program = device_program_find(kernel);
    *trace = NULL;
    int status =
        program ? record_program(program, line, trace, err) : launch_kernel_unknown(kernel, err);
    if (status != 0 && where)
        error_prefix(err, "%s", where);
    return status;
}

/* A file beside the lesson, to which the lesson refers. */
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

/* The line to report: the launch's if the kernel exists, since the launch is then wrong; else the
 * kernel's. */
static int reported_line(const struct lesson_run *run) {
    const bool launched = run->kernel && device_program_find(run->kernel);
    return launched && run->launch_line ? run->launch_line : run->line;
}

int course_record_run(const struct lesson *lesson, size_t run, struct program_files *files,
                      struct trace **trace, struct error *err) {
    const struct lesson_run *wanted = &lesson->runs[run];
    struct text where = TEXT_INIT;
    int status;
    *trace = NULL;
    text_append_format(&where, "%s:%d", lesson->languages[0].path, reported_line(wanted));
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

int course_record(const struct lesson *lesson, const struct course_terms *terms,
                  struct course_recordings *recordings, struct error *err) {
    *recordings = (struct course_recordings){
        memory_zeroed(lesson->run_count, sizeof(recordings->traces[0])), lesson->run_count};
    struct program_files files = {terms, NULL, 0};
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

/* ---- finding the lesson ---- */

static int unknown_lesson(const char *name, struct error *err) {
    struct choice choice = CHOICE_INIT(name);
    for (size_t i = 0; i < lesson_built_in_count(); i++)
        choice_add(&choice, lesson_built_in(i)->name);
    return choice_refuse(&choice,
                         _("%s: no lesson and no file of that name%s\nallowed: %s\n"
                           "try: shflviz lesson, which lists them"),
                         err);
}

int course_find(const char *name, const struct lesson **lesson, struct lesson **opened,
                struct error *err) {
    struct stat status;
    *opened = NULL;
    *lesson = strpbrk(name, "/.") ? NULL : lesson_built_in_find(name);
    if (*lesson)
        return 0;
    if (!strpbrk(name, "/.") && stat(name, &status) != 0)
        return unknown_lesson(name, err);
    if (lesson_open(opened, name, err) != 0)
        return -1;
    *lesson = *opened;
    return 0;
}
