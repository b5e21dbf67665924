#include "launch/program_file.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "device/device.h"
#include "device/own/own_program.h"
#include "launch/word_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A lesson's program is small; one that runs for longer hangs. */
#define SECONDS 60
/* Of what a crashed program printed: its end. */
#define LAST_WORDS  400
#define OUTPUT_MOST 65536

/* ---- may it? ---- */

static int refuse(const char *path, struct error *err) {
    return error_set(err, ERROR_MISSING,
                     _("%s is a program: it is not built and run without your consent\n"
                       "try: read it, then say yes when asked on a terminal, or give --trust"),
                     path);
}

/* Yes is "y" or "yes" in either language; everything else is no. */
static bool is_yes(const char *answer) {
    static const char *const yes[] = {"y", "yes", "是"};
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        if (strcasecmp(answer, yes[i]) == 0)
            return true;
    return false;
}

/* Consent was given to the text that the file held when the question was asked. */
static int check_same(const char *path, const struct text *before, struct error *err) {
    struct text now = TEXT_INIT;
    bool same = own_program_read(path, &now, NULL) == 0 && now.length == before->length &&
                memcmp(now.data, before->data, now.length) == 0;
    text_release(&now);
    return same ? 0
                : error_set(err, ERROR_MISSING,
                            _("%s was changed while you were asked about it\n"
                              "try: read it again, then start the lesson again"),
                            path);
}

/* `text` is what the file held before the question was asked, and what will be built. */
static int ask(const char *path, const struct text *text, struct error *err) {
    char answer[16] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return refuse(path, err);
    fprintf(stderr,
            _("This lesson brings a program of its own: %s\n"
              "It will be compiled and run on this machine, and may do all that you may do.\n"
              "Build and run it? [y/N] "),
            utf8_name(path));
    fflush(stderr);
    bool answered = fgets(answer, sizeof(answer), stdin);
    answer[strcspn(answer, "\r\n")] = '\0';
    return answered && is_yes(answer) ? check_same(path, text, err) : refuse(path, err);
}

/* ---- its recording ---- */

/* A file for the recording that goes when it has been opened. */
static int make_trace_file(struct text *path, struct error *err) {
    const char *temporary = getenv("TMPDIR");
    text_append_format(path, "%s/shflviz-trace-XXXXXX",
                       temporary && *temporary ? temporary : "/tmp");
    int descriptor = mkstemp(path->data);
    if (descriptor < 0)
        return error_set(err, ERROR_USAGE, _("cannot create a file like %s"), path->data);
    close(descriptor);
    return 0;
}

static void add_last_words(struct error *err, const struct text *output) {
    const char *words = output->data;
    if (output->length > LAST_WORDS)
        words += output->length - LAST_WORDS;
    if (output->length) {
        struct error whole = *err;
        error_set(err, whole.kind, "%s\nit printed: %s", whole.text, words);
    }
}

static void take_output(void *context, int stream, const char *bytes, size_t count) {
    struct text *output = context;
    (void)stream;
    text_append_bytes(output, bytes, output->length < OUTPUT_MOST ? count : 0);
}

static int run_built(const struct own_program *program, const struct word_list *arguments,
                     struct trace **trace, struct error *err) {
    struct text path = TEXT_INIT, output = TEXT_INIT;
    struct error opening = ERROR_INIT;
    int exit_status, status = make_trace_file(&path, err);
    bool made = status == 0;
    if (status == 0)
        status = own_program_run(program,
                                 &(struct own_run){.arguments = arguments->word,
                                                   .trace_path = path.data,
                                                   .limits = {.seconds = SECONDS},
                                                   .input = -1,
                                                   .output = take_output,
                                                   .output_context = &output,
                                                   .poison = DEVICE_POISON_DEFAULT,
                                                   .poison_memory = true},
                                 &exit_status, err);
    if (made && trace_open(trace, path.data, &opening) == 0 && trace_step_count(*trace) > 0) {
        status = 0; /* what was recorded before a crash can be looked at */
    } else if (made) {
        if (status == 0)
            status = error_set(err, ERROR_RUN,
                               _("%s ran, but no warp operation was recorded\n"
                                 "allowed: a program whose kernels shuffle, vote, match or reduce"),
                               program->source);
        add_last_words(err, &output);
        trace_close(*trace);
        *trace = NULL;
    }
    if (made)
        unlink(path.data);
    text_release(&output);
    text_release(&path);
    return status;
}

static int may_build(enum course_consent consent, const char *path, const struct text *text,
                     struct error *err) {
    if (consent == COURSE_AGREED)
        return 0;
    return consent == COURSE_ASK ? ask(path, text, err) : refuse(path, err);
}

static int read_and_build(struct own_program *program, enum course_consent consent,
                          const char *path, struct error *err) {
    struct text text = TEXT_INIT;
    if (access(path, R_OK) != 0)
        return error_set(err, ERROR_USAGE,
                         _("%s: no such file\nallowed: a .cu file beside the lesson"), path);
    if (own_program_read(path, &text, err) != 0 || may_build(consent, path, &text, err) != 0) {
        text_release(&text);
        return -1;
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, _("shflviz: building %s\n"), utf8_name(path));
    const char *slash = strrchr(path, '/');
    const struct own_source source = {path, slash ? slash + 1 : path, &text};
    const struct own_build build = {.sources = &source, .source_count = 1};
    int status = own_program_build(program, &build, err);
    if (status != 0)
        own_program_release(program);
    text_release(&text);
    return status;
}

/* The program of this file, built now if it is not yet; NULL after a failure. */
static const struct own_program *program_of(struct program_files *files, const char *path,
                                            struct error *err) {
    struct own_program program;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->built[i].source, path) == 0)
            return &files->built[i];
    if (read_and_build(&program, files->consent, path, err) != 0)
        return NULL;
    files->built = memory_grow(files->built, files->count + 1, sizeof(files->built[0]));
    files->built[files->count] = program;
    return &files->built[files->count++];
}

int program_file_record(struct program_files *files, const char *path, const char *launch,
                        const char *where, struct trace **trace, struct error *err) {
    struct word_list words;
    *trace = NULL;
    int status = words_split(&words, launch, err);
    const struct own_program *program = status == 0 ? program_of(files, path, err) : NULL;
    status = program ? run_built(program, &words, trace, err) : -1;
    words_release(&words);
    if (status != 0 && where)
        error_prefix(err, "%s", where);
    return status;
}

void program_files_release(struct program_files *files) {
    while (files->count > 0) /* in reverse: the first restores the signal
                                    mask, which may deliver a pending SIGINT */
        own_program_release(&files->built[--files->count]);
    free(files->built);
    files->built = NULL;
}
