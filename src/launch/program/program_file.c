/*
 * The program comes from a lesson's author, so nothing is built without the user's consent. A
 * file that changes between question and answer is refused. The file is read only once, and exactly
 * the bytes that were read are built.
 */
#include "launch/program/program_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "cudacpu/cudacpu.h"
#include "launch/word_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* The amount of a crashed program's output that is kept, from its end. */
#define LAST_WORDS 400

/* ---- consent ---- */

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

/* The terms in words, below the program's name. */
static void print_terms(const struct course_terms *terms) {
    struct text walls = TEXT_INIT;
    const struct confine_support support = confine_support();
    if (!terms->settings.confined)
        fputs(_("It will be compiled and run on this machine, and can do anything you can.\n"),
              stderr);
    confine_describe(&walls, &support);
    if (terms->settings.confined)
        fprintf(stderr, _("It will be compiled and run on this machine, confined: %s.\n"),
                walls.data);
    text_release(&walls);
}

static int ask(const struct course_terms *terms, const char *path, struct error *err) {
    char answer[16] = "";
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return refuse(path, err);
    progress_line_hold();
    fprintf(stderr, _("This lesson has a program of its own: %s\n"), utf8_name(path));
    print_terms(terms);
    fputs(_("Build and run it? [y/N] "), stderr);
    fflush(stderr);
    bool answered = fgets(answer, sizeof(answer), stdin);
    answer[strcspn(answer, "\r\n")] = '\0';
    progress_line_printed(NULL, 0);
    return answered && is_yes(answer) ? 0 : refuse(path, err);
}

static int may_build(const struct course_terms *terms, const char *path, struct error *err) {
    if (terms && terms->consent == COURSE_AGREED)
        return 0;
    return terms && terms->consent == COURSE_ASK ? ask(terms, path, err) : refuse(path, err);
}

/* ---- its text ---- */

/* Identifies the file without reading it. */
static int identify_file(const char *path, struct stat *file, struct error *err) {
    if (stat(path, file) != 0)
        return error_set(err, ERROR_USAGE,
                         _("%s: no such file\nallowed: a .cu file beside the lesson"), path);
    if (!S_ISREG(file->st_mode))
        return error_set(err, ERROR_USAGE, _("%s is not a regular file"), path);
    if ((uint64_t)file->st_size > PROGRAM_FILE_MOST)
        return error_set(err, ERROR_USAGE,
                         _("%s is larger than a lesson's program may be (%d MiB)"), path,
                         (int)(PROGRAM_FILE_MOST >> 20));
    return 0;
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           memcmp(&a->FILE_MODIFIED, &b->FILE_MODIFIED, sizeof(a->FILE_MODIFIED)) == 0 &&
           memcmp(&a->FILE_CHANGED, &b->FILE_CHANGED, sizeof(a->FILE_CHANGED)) == 0;
}

/* Asks, then reads. Consent is given to the file as it was when the question was asked. */
static int read_with_consent(const struct course_terms *terms, const char *path, struct text *text,
                             struct error *err) {
    struct stat before, after;
    if (identify_file(path, &before, err) != 0 || may_build(terms, path, err) != 0 ||
        user_program_read(path, text, err) != 0)
        return -1;
    if (identify_file(path, &after, NULL) == 0 && is_same(&before, &after) &&
        (uint64_t)after.st_size == text->length)
        return 0;
    return error_set(err, ERROR_MISSING,
                     _("%s changed while you were being asked about it\ntry: read it again, then "
                       "start the lesson again"),
                     path);
}

/* ---- its recording ---- */

static void append_output(struct error *err, const struct text *output) {
    if (output->length) {
        struct error whole = *err;
        error_set(err, whole.kind, "%s\nit printed: %s", whole.text, output->data);
    }
}

static void take_output(void *context, int stream, const char *bytes, size_t count) {
    struct text *output = context;
    (void)stream;
    text_append_bytes(output, bytes, count);
    const size_t more = output->length > LAST_WORDS ? output->length - LAST_WORDS : 0;
    output->length -= more;
    memmove(output->data, output->data + more, output->length + 1);
}

static int run_built(const struct user_program *program, const struct course_terms *terms,
                     const struct word_list *arguments, struct trace **trace, struct error *err) {
    struct text output = TEXT_INIT;
    struct error opening = ERROR_INIT;
    struct user_run run = {.arguments = arguments->word,
                           .settings = terms->settings,
                           .readable = terms->readable,
                           .input = -1,
                           .output = take_output,
                           .output_context = &output};
    run.settings.limits = confine_limits_given(&run.settings.limits, CONFINE_PROGRAM);
    progress_line_begin(_("running the lesson's program"));
    int exit_status, status = user_program_run(program, &run, &exit_status, err);
    progress_line_end();
    if (user_program_open(program, trace, NULL, &opening) == 0 && trace_step_count(*trace) > 0) {
        status = 0; /* the recording up to a crash can still be shown */
        user_program_follow(program, &run, trace);
    } else {
        if (status == 0)
            status = error_set(err, ERROR_RUN,
                               _("%s ran, but no warp operation was recorded\n"
                                 "allowed: a program whose kernels shuffle, vote, match or reduce"),
                               program->source);
        append_output(err, &output);
        trace_close(*trace);
        *trace = NULL;
    }
    unlink(program->recording); /* the next run uses another file */
    text_release(&output);
    return status;
}

static int read_and_build(struct user_program *program, const struct course_terms *terms,
                          const char *path, struct error *err) {
    struct text text = TEXT_INIT;
    if (read_with_consent(terms, path, &text, err) != 0) {
        text_release(&text);
        return -1;
    }
    const struct user_source source = {path, file_base_name(path), &text};
    const struct user_build build = {
        .sources = &source,
        .source_count = 1,
        .confined = terms->settings.confined,
        .limits = confine_limits_given(&terms->settings.limits, CONFINE_COMPILER)};
    char what[UTF8_NAME_SIZE + 32];
    utf8_format(what, sizeof what, _("building %s"), utf8_name(path));
    progress_line_begin(what);
    int status = user_program_build(program, &build, err);
    progress_line_end();
    if (status != 0)
        user_program_release(program);
    text_release(&text);
    return status;
}

/* The program of this file, built if necessary; NULL after a failure. */
static const struct user_program *program_of(struct program_files *files, const char *path,
                                             struct error *err) {
    struct user_program program;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->built[i].source, path) == 0)
            return &files->built[i];
    if (read_and_build(&program, files->terms, path, err) != 0)
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
    const struct user_program *program = status == 0 ? program_of(files, path, err) : NULL;
    status = program ? run_built(program, files->terms, &words, trace, err) : -1;
    words_release(&words);
    if (status != 0 && where)
        error_prefix(err, "%s", where);
    return status;
}

void program_files_release(struct program_files *files) {
    while (files->count > 0) /* in reverse: the first restores the signal
                                    mask, which may deliver a pending SIGINT */
        user_program_release(&files->built[--files->count]);
    free(files->built);
    files->built = NULL;
}
