/*
 * Connects the parts: build, settings, child process, reports, and the recording that is mapped
 * afterwards. Nothing that the program wrote is used before it is checked.
 */
#include "cudacpu/process/user_program.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "cudacpu/process/settings_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int user_program_read(const char *path, struct text *text, struct error *err) {
    const enum file_status status = file_read(path, USER_PROGRAM_SOURCE_MOST, text, err);
    if (status == FILE_TOO_LARGE)
        return error_set(err, ERROR_USAGE, _("%s is larger than a source file may be (%d MiB)"),
                         path, (int)(USER_PROGRAM_SOURCE_MOST >> 20));
    if (status == FILE_READ && memchr(text->data, '\0', text->length))
        return error_set(err, ERROR_USAGE,
                         _("%s is not text: it has a 0 byte\nallowed: a source file in UTF-8"),
                         path);
    return status == FILE_READ ? 0 : -1;
}

static int write_settings(const struct user_program *program, const struct user_run *run,
                          const char *progress, const char *path, struct error *err) {
    char *sources = private_folder_path(&program->folder, "sources");
    const struct settings_file file = {
        .settings = run->settings,
        .text = {[SETTINGS_TRACE] = run->trace_path ? run->trace_path : program->recording,
                 [SETTINGS_TITLE] = run->title,
                 [SETTINGS_COMMAND] = run->command,
                 [SETTINGS_SOURCES] = sources,
                 [SETTINGS_ACCESSES] = program->accesses,
                 [SETTINGS_LINES] = program->lines,
                 [SETTINGS_PROGRESS] = progress}};
    const int status = settings_file_write(&file, path, err);
    free(sources);
    return status;
}

static int report_run(const struct user_program *program, const struct user_run *run,
                      struct child_result result, int *status, struct error *err) {
    const char *name = program->source;
    *status = result.end == CHILD_EXITED ? result.code : -1;
    switch (result.end) {
    case CHILD_EXITED:
        return 0;
    case CHILD_KILLED:
        if (result.code == SIGXCPU)
            return error_set(err, ERROR_RUN,
                             _("%s exceeded its limit on processor time and was killed"), name);
        if (result.code == SIGXFSZ)
            return error_set(err, ERROR_RUN, _("%s exceeded its limit on file size and was killed"),
                             name);
        if (result.code == SIGKILL)
            return error_set(err, ERROR_RUN,
                             _("%s was killed (SIGKILL), as happens when memory runs out"), name);
        return error_set(err, ERROR_RUN, _("%s crashed: %s"), name, strsignal(result.code));
    case CHILD_TIME:
        return error_set(err, ERROR_RUN, _("%s did not finish within %u s and was killed"), name,
                         run->settings.limits.seconds);
    case CHILD_OUTPUT:
        return error_set(err, ERROR_RUN, _("%s printed more than %" PRIu64 " bytes and was killed"),
                         name, run->settings.limits.output);
    case CHILD_PROCESSES:
        return error_set(err, ERROR_RUN, _("%s started more than %u processes and was killed"),
                         name, run->settings.limits.processes);
    case CHILD_INTERRUPTED:
        return error_set(err, ERROR_RUN, _("%s was interrupted"), name);
    case CHILD_UNCONFINED:
        return error_set_errno(err, ERROR_RUN, result.code, _("%s was not run: cannot confine it"),
                               name);
    case CHILD_NOT_FOUND:
        break;
    }
    return error_set_errno(err, ERROR_RUN, result.code, _("%s was built, but cannot be run"), name);
}

/* ---- progress ---- */

struct user_process {
    const struct user_program *program;
    const struct user_run *run;
    /* The file in which it reports its progress. It is read, not mapped, because the program may
     * truncate it. -1 if there is none; then only the progress is lost. */
    int file;
    struct child_words words, environment;
    struct confine confine;
    struct child_command command;
    struct child_talk *talk;
};

static void tick(void *context) {
    const struct user_process *running = context;
    struct user_progress now;
    if (pread(running->file, &now, sizeof now, 0) == (ssize_t)sizeof now)
        running->run->tick(running->run->tick_context, &now);
}

static int make_progress(const char *path) {
    const struct user_progress none = {0};
    unlink(path); /* an earlier run may have put a link there */
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && pwrite(file, &none, sizeof none, 0) != (ssize_t)sizeof none) {
        close(file);
        file = -1;
    }
    return file;
}

static void start(struct user_process *running, const char *settings) {
    const struct user_program *program = running->program;
    const struct user_run *run = running->run;
    const char *home = run->settings.confined ? program->folder.path : NULL;
    const char *temporary = home ? home : getenv("TMPDIR");
    child_words_add(&running->words, run->called ? run->called : program->path, NULL);
    for (char *const *word = run->arguments; word && *word; word++)
        child_words_add(&running->words, *word, NULL);
    child_environment(&running->environment, home);
    if (temporary)
        child_words_add(&running->environment, "TMPDIR=", temporary);
    child_words_add(&running->environment, SETTINGS_FILE_VARIABLE "=", settings);
    running->confine = (struct confine){.role = home ? CONFINE_PROGRAM : CONFINE_NOTHING,
                                        .limits = run->settings.limits,
                                        .folder = program->folder.path,
                                        .readable = (const char *const *)run->readable};
    running->command = (struct child_command){.file = program->path,
                                              .words = running->words.word,
                                              .environment = running->environment.word,
                                              .directory = home,
                                              .confine = &running->confine,
                                              .input = run->input,
                                              .hands_on = run->hands_on,
                                              .output = run->output,
                                              .output_context = run->output_context,
                                              .tick = running->file >= 0 ? tick : NULL,
                                              .tick_context = running};
    running->talk = child_begin(&running->command);
}

static void running_free(struct user_process *running) {
    if (running->file >= 0)
        close(running->file);
    child_words_release(&running->words);
    child_words_release(&running->environment);
    free(running);
}

struct user_process *user_program_start(const struct user_program *program,
                                        const struct user_run *run, struct error *err) {
    struct user_process *running = memory_zeroed(1, sizeof *running);
    char *settings = private_folder_path(&program->folder, "settings");
    char *path = private_folder_path(&program->folder, "progress");
    running->program = program;
    running->run = run;
    running->file = run->tick ? make_progress(path) : -1;
    if (write_settings(program, run, running->file >= 0 ? path : NULL, settings, err) == 0) {
        start(running, settings);
    } else {
        running_free(running);
        running = NULL;
    }
    free(settings);
    free(path);
    return running;
}

bool user_program_listen(struct user_process *running, int milliseconds) {
    return child_listen(running->talk, milliseconds);
}

size_t user_program_descriptors(const struct user_process *running, int *descriptors) {
    return child_descriptors(running->talk, descriptors);
}

void user_program_close_input(struct user_process *running) {
    child_close_input(running->talk);
}

void user_program_interrupt(struct user_process *running) {
    child_interrupt(running->talk);
}

int user_program_finish(struct user_process *running, int *status, struct error *err) {
    const struct child_result ended = child_finish(running->talk);
    const int result = report_run(running->program, running->run, ended, status, err);
    running_free(running);
    return result;
}

int user_program_run(const struct user_program *program, const struct user_run *run, int *status,
                     struct error *err) {
    struct user_process *running = user_program_start(program, run, err);
    *status = -1;
    return running ? user_program_finish(running, status, err) : -1;
}

int user_program_open(const struct user_program *program, struct trace **trace, int *descriptor,
                      struct error *err) {
    const int file =
        open(program->recording, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
    int status = 0;
    *trace = NULL;
    if (file < 0 || trace_open_descriptor(trace, file, program->source, NULL) != 0)
        status = error_set(err, ERROR_RUN,
                           _("%s ran, but its recording has been removed or overwritten"),
                           program->source);
    const bool wanted = descriptor && status == 0;
    if (descriptor)
        *descriptor = wanted ? file : -1;
    if (file >= 0 && !wanted)
        close(file);
    return status;
}

void user_program_release(struct user_program *program) {
    private_folder_remove(&program->folder);
    free(program->path);
    free(program->recording);
    free(program->accesses);
    free(program->lines);
    child_words_release(&program->names);
    child_words_release(&program->headers);
    free(program->source);
    text_release(&program->remarks);
    sigset_t signals = program->signals;
    *program = (struct user_program){.folder.lock = -1, .signals = signals};
    sigprocmask(SIG_SETMASK, &signals,
                NULL); /* last, because a pending signal may end the process */
}
