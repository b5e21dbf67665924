/*
 * main.c - `cudacpu`: compiles CUDA programs for the CPU and runs them, without recording.
 *
 * The program that it makes is an ordinary executable: with -o it is kept and no longer needs
 * cudacpu. Exit status: that of the program, or 2 (wrong usage, or it does not compile), 3 (no
 * compiler), 4 (it crashed).
 */
#include "base/memory.h"
#include "cudacpu/cudacpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] = "usage: cudacpu [-I DIR] [-D NAME[=VALUE]] [--std c++17] [-o PROGRAM] "
                            "FILE.cu... [-- ARGS...]\n";

struct request {
    struct child_words sources, include, define;
    const char *standard, *output;
    char **arguments; /* of the program, ended by NULL */
};

static int complain(const struct error *err) {
    fprintf(stderr, "cudacpu: %s\n", err->text);
    return err->kind == ERROR_MISSING ? 3 : err->kind == ERROR_RUN ? 4 : 2;
}

/* The value of an option, "-IDIR" or "-I DIR"; NULL if `word` is not that option or lacks one. */
static const char *value_of(const char *option, char ***word) {
    const size_t length = strlen(option);
    if (strncmp(**word, option, length) != 0)
        return NULL;
    if ((**word)[length])
        return **word + length;
    return (*word)[1] ? *++*word : NULL;
}

/* Returns false if the usage does not allow it. */
static bool read_words(struct request *request, char **word) {
    const char *value;
    for (; *word && strcmp(*word, "--") != 0; word++) {
        if ((value = value_of("-I", &word)))
            child_words_add(&request->include, value, NULL);
        else if ((value = value_of("-D", &word)))
            child_words_add(&request->define, value, NULL);
        else if ((value = value_of("--std", &word)))
            request->standard = value + (*value == '=');
        else if ((value = value_of("-o", &word)))
            request->output = value;
        else if (**word == '-')
            return false;
        else
            child_words_add(&request->sources, *word, NULL);
    }
    request->arguments = *word ? word + 1 : word;
    return request->sources.count > 0 && !(request->output && *request->arguments);
}

static int build(struct user_program *program, const struct request *request, struct error *err) {
    const size_t count = request->sources.count;
    struct text *texts = memory_zeroed(count, sizeof *texts);
    struct user_source *sources = memory_zeroed(count, sizeof *sources);
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        sources[i] =
            (struct user_source){request->sources.word[i], request->sources.word[i], &texts[i]};
        text_init(&texts[i]);
        if (status == 0)
            status = user_program_read(sources[i].path, &texts[i], err);
    }
    if (status == 0) {
        status = user_program_build(program,
                                    &(struct user_build){.sources = sources,
                                                         .source_count = count,
                                                         .include = request->include.word,
                                                         .define = request->define.word,
                                                         .standard = request->standard,
                                                         .in_step = true},
                                    err);
        if (program->remarks.length)
            fprintf(stderr, "%s", program->remarks.data);
    }
    for (size_t i = 0; i < count; i++)
        text_release(&texts[i]);
    free(texts);
    free(sources);
    return status;
}

static int save_program(const char *built, const char *path, struct error *err) {
    char bytes[65536];
    ssize_t count = 0;
    const int from = open(built, O_RDONLY | O_CLOEXEC);
    const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0777);
    bool copied = from >= 0 && to >= 0;
    while (copied && (count = read(from, bytes, sizeof bytes)) > 0)
        copied = write(to, bytes, (size_t)count) == count;
    copied = copied && count == 0;
    const int reason = errno;
    if (from >= 0)
        close(from);
    if (to >= 0)
        copied = close(to) == 0 && copied;
    return copied ? 0 : error_set(err, ERROR_USAGE, "cannot write %s: %s", path, strerror(reason));
}

/* Runs it with our standard streams; returns the exit status for the caller. */
static int run(const char *built, const struct request *request) {
    struct child_words words = {0};
    int status = 0;
    child_words_add(&words, built, NULL);
    for (char **argument = request->arguments; *argument; argument++)
        child_words_add(&words, *argument, NULL);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execv(built, words.word);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    child_words_release(&words);
    if (child > 0 && WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "cudacpu: the program %s\n",
            child > 0 ? strsignal(WTERMSIG(status)) : "cannot be started");
    return 4;
}

int main(int count, char **words) {
    struct request request = {.standard = NULL};
    struct user_program program;
    struct error err = ERROR_INIT;
    (void)count;
    if (!read_words(&request, words + 1)) {
        fputs(usage, stderr);
        return 2;
    }
    memset(&program, 0, sizeof program);
    int status = build(&program, &request, &err);
    if (status == 0 && request.output)
        status = save_program(program.path, request.output, &err);
    if (status != 0)
        status = complain(&err);
    else if (!request.output)
        status = run(program.path, &request);
    user_program_release(&program);
    child_words_release(&request.sources);
    child_words_release(&request.include);
    child_words_release(&request.define);
    return status;
}
