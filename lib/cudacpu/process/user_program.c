#include "cudacpu/process/user_program.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_at_most(FILE *file, struct text *text) {
    char bytes[16384];
    uint64_t total = 0;
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0) {
        if ((total += count) > OWN_PROGRAM_SOURCE_MOST)
            return -1;
        text_append_bytes(text, bytes, count);
    }
    return ferror(file) ? -1 : 0;
}

int own_program_read(const char *path, struct text *text, struct error *err) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe's would wait */
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), path);
    int result = 0;
    if (fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode))
        result = error_set(err, ERROR_USAGE, _("%s is not a regular file"), path);
    else if ((uint64_t)status.st_size > OWN_PROGRAM_SOURCE_MOST)
        result = error_set(err, ERROR_USAGE, _("%s is larger than a source file may be (%d MiB)"),
                           path, (int)(OWN_PROGRAM_SOURCE_MOST >> 20));
    else if (read_at_most(file, text) != 0) /* one that grows, or whose length nobody knows */
        result = error_set(err, ERROR_USAGE, _("%s cannot be read as a source file"), path);
    else if (memchr(text->data, '\0', text->length))
        result = error_set(err, ERROR_USAGE,
                           _("%s is not text: a byte of it is 0\n"
                             "allowed: a source file in UTF-8"),
                           path);
    fclose(file);
    return result;
}

static void run_environment(struct child_words *environment, const struct own_program *program,
                            const struct own_run *run) {
    struct text options = TEXT_INIT;
    char *sources = own_folder_path(&program->folder, "sources");
    child_environment(environment, run->confined ? program->folder.path : NULL);
    if (run->confined)
        child_words_add(environment, "TMPDIR=", program->folder.path);
    else if (getenv("TMPDIR"))
        child_words_add(environment, "TMPDIR=", getenv("TMPDIR"));
    text_append_format(&options,
                       OWN_PROGRAM_OPTIONS "=schedule=%" PRIu64 " poison=%" PRIu64 " steps=%" PRIu64
                                           " jobs=%u memory=%d replaces=%d durable=%d time=%u"
                                           " variant=%u accesses=%u",
                       run->schedule, run->poison, run->step_limit, run->jobs, run->poison_memory,
                       run->replaces, run->durable, run->limits.seconds, run->variant,
                       program->access_steps);
    child_words_add(environment, options.data, NULL);
    text_clear(&options);
    text_append(&options, OWN_PROGRAM_FILTER "=");
    for (size_t i = 0; run->filter && i < sizeof *run->filter; i++)
        text_append_format(&options, "%02x", ((const unsigned char *)run->filter)[i]);
    child_words_add(environment, options.data, NULL);
    child_words_add(environment, OWN_PROGRAM_TRACE "=",
                    run->trace_path ? run->trace_path : program->recording);
    if (program->accesses)
        child_words_add(environment, OWN_PROGRAM_ACCESSES "=", program->accesses);
    if (program->lines)
        child_words_add(environment, OWN_PROGRAM_LINES "=", program->lines);
    child_words_add(environment, OWN_PROGRAM_SOURCES "=", sources);
    child_words_add(environment, OWN_PROGRAM_TITLE "=", run->title);
    child_words_add(environment, OWN_PROGRAM_COMMAND "=", run->command);
    free(sources);
    text_release(&options);
}

static int report_run(const struct own_program *program, const struct own_run *run,
                      struct child_result result, int *status, struct error *err) {
    const char *name = program->source;
    *status = result.end == CHILD_EXITED ? result.code : -1;
    switch (result.end) {
    case CHILD_EXITED:
        return 0;
    case CHILD_KILLED:
        if (result.code == SIGXCPU)
            return error_set(err, ERROR_RUN, _("%s used up its processor time and was ended"),
                             name);
        if (result.code == SIGXFSZ)
            return error_set(err, ERROR_RUN, _("%s wrote a file beyond its limit and was ended"),
                             name);
        if (result.code == SIGKILL)
            return error_set(err, ERROR_RUN,
                             _("%s was killed (SIGKILL), as the system does when memory runs out"),
                             name);
        return error_set(err, ERROR_RUN, _("%s crashed: %s"), name, strsignal(result.code));
    case CHILD_TIME:
        return error_set(err, ERROR_RUN, _("%s did not end within %u s and was ended"), name,
                         run->limits.seconds);
    case CHILD_OUTPUT:
        return error_set(err, ERROR_RUN, _("%s printed more than %" PRIu64 " bytes and was ended"),
                         name, run->limits.output);
    case CHILD_PROCESSES:
        return error_set(err, ERROR_RUN, _("%s started more than %u processes and was ended"), name,
                         run->limits.processes);
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

/* Read, not mapped: the program may do with its file what it likes. */
struct ticking {
    const struct own_run *run;
    int file; /* -1: none; then there is no progress to tell, and no more is lost */
};

static void tick(void *context) {
    const struct ticking *ticking = context;
    struct own_progress now;
    if (pread(ticking->file, &now, sizeof now, 0) == (ssize_t)sizeof now)
        ticking->run->tick(ticking->run->tick_context, &now);
}

static int make_progress(const char *path) {
    const struct own_progress none = {0};
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file >= 0 && pwrite(file, &none, sizeof none, 0) != (ssize_t)sizeof none) {
        close(file);
        file = -1;
    }
    return file;
}

int own_program_run(const struct own_program *program, const struct own_run *run, int *status,
                    struct error *err) {
    struct child_words words = {0}, environment = {0};
    const struct confine confine = {.role = run->confined ? CONFINE_PROGRAM : CONFINE_NOTHING,
                                    .limits = run->limits,
                                    .folder = program->folder.path,
                                    .readable = (const char *const *)run->readable};
    child_words_add(&words, run->called ? run->called : program->path, NULL);
    for (char *const *word = run->arguments; word && *word; word++)
        child_words_add(&words, *word, NULL);
    run_environment(&environment, program, run);
    char *path = own_folder_path(&program->folder, "progress");
    struct ticking ticking = {.run = run, .file = run->tick ? make_progress(path) : -1};
    if (ticking.file >= 0)
        child_words_add(&environment, OWN_PROGRAM_PROGRESS "=", path);
    const struct child_command command = {.file = program->path,
                                          .words = words.word,
                                          .environment = environment.word,
                                          .directory = run->confined ? program->folder.path : NULL,
                                          .confine = &confine,
                                          .input = run->input,
                                          .output = run->output,
                                          .output_context = run->output_context,
                                          .tick = ticking.file >= 0 ? tick : NULL,
                                          .tick_context = &ticking};
    struct child_result result = child_run(&command);
    child_words_release(&words);
    child_words_release(&environment);
    if (ticking.file >= 0)
        close(ticking.file);
    free(path);
    return report_run(program, run, result, status, err);
}

int own_program_open(const struct own_program *program, struct trace **trace, int *descriptor,
                     struct error *err) {
    const int file =
        open(program->recording, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
    int status = 0;
    *trace = NULL;
    if (file < 0 || trace_open_descriptor(trace, file, program->source, NULL) != 0)
        status = error_set(err, ERROR_RUN,
                           _("%s ran, but what was recorded has been removed or overwritten"),
                           program->source);
    const bool wanted = descriptor && status == 0;
    if (descriptor)
        *descriptor = wanted ? file : -1;
    if (file >= 0 && !wanted)
        close(file);
    return status;
}

void own_program_release(struct own_program *program) {
    own_folder_remove(&program->folder);
    free(program->path);
    free(program->recording);
    free(program->accesses);
    free(program->lines);
    child_words_release(&program->names);
    child_words_release(&program->headers);
    free(program->source);
    text_release(&program->remarks);
    sigset_t signals = program->signals;
    *program = (struct own_program){.folder.lock = -1, .signals = signals};
    sigprocmask(SIG_SETMASK, &signals, NULL); /* last: it may end all */
}
