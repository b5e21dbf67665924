#include "device/own/own_program.h"

#include "base/memory.h"
#include "base/message.h"
#include "device/own/access_file.h"
#include "device/own/parts.h"
#include "device/own/translate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define FOLDER       "shflviz-" /* and six characters */
#define LOCK         ".in-use"  /* in the folder */
#define LEFT_SECONDS 10         /* between making a folder and locking it it is not free */
#define FOLDER_DEPTH 64

#define COMPLAINT_MOST 4000 /* of a compiler: its first words are the ones that count */

/* ---- files ---- */

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
    fclose(file);
    return result;
}

/* A text with a line before it ("" for none). */
static int write_file(const char *path, const char *head, const struct text *text,
                      struct error *err) {
    FILE *file = fopen(path, "w");
    bool written =
        file && fputs(head, file) >= 0 && fwrite(text->data, 1, text->length, file) == text->length;
    if (!file || fclose(file) != 0 || !written)
        return error_set_errno(err, ERROR_USAGE, errno, _("cannot write %s"), path);
    return 0;
}

static char *path_in(const struct own_program *program, size_t number, const char *name) {
    struct text path = TEXT_INIT;
    if (number == SIZE_MAX)
        text_append_format(&path, "%s/%s", program->folder, name);
    else
        text_append_format(&path, "%s/%zu%s", program->folder, number, name);
    return text_detach(&path);
}

/* All that is in a folder, which a program may have filled as it liked; links are not followed.
 * The lock goes last: until then the next shflviz can tell what the folder is. */
static void empty_folder(int parent, const char *name, int depth) {
    int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            strcmp(entry->d_name, LOCK) == 0)
            continue;
        if (unlinkat(dirfd(folder), entry->d_name, 0) != 0 && depth > 0) {
            empty_folder(dirfd(folder), entry->d_name, depth - 1);
            unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
        }
    }
    if (folder)
        unlinkat(dirfd(folder), LOCK, 0);
    if (folder)
        closedir(folder);
    else if (descriptor >= 0)
        close(descriptor);
}

/* Removes a folder like ours that nobody uses any more: the lock in it is this user's and free. */
static void sweep_one(int temporary, const char *name) {
    struct stat status;
    int folder = openat(temporary, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int lock = folder < 0 ? -1 : openat(folder, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock >= 0 && fstat(lock, &status) == 0 && status.st_uid == getuid() &&
        fstat(folder, &status) == 0 && status.st_uid == getuid() &&
        time(NULL) - status.st_mtime >= LEFT_SECONDS && flock(lock, LOCK_EX | LOCK_NB) == 0) {
        empty_folder(temporary, name, FOLDER_DEPTH);
        unlinkat(temporary, name, AT_REMOVEDIR);
    }
    if (lock >= 0)
        close(lock);
    if (folder >= 0)
        close(folder);
}

/* What shflviz has left that was killed. */
static void sweep(const char *temporary) {
    DIR *folder = opendir(temporary);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strlen(entry->d_name) == strlen(FOLDER "XXXXXX") &&
            strncmp(entry->d_name, FOLDER, strlen(FOLDER)) == 0)
            sweep_one(dirfd(folder), entry->d_name);
    if (folder)
        closedir(folder);
}

static int make_folder(struct own_program *program, struct error *err) {
    const char *given = getenv("TMPDIR"), *temporary = given && *given ? given : "/tmp";
    struct text folder = TEXT_INIT;
    sweep(temporary);
    text_append_format(&folder, "%s/" FOLDER "XXXXXX", temporary);
    if (!mkdtemp(folder.data)) {
        error_set_errno(err, ERROR_USAGE, errno, _("cannot create directory %s"), folder.data);
        text_release(&folder);
        return -1;
    }
    program->folder = realpath(folder.data, NULL); /* it is looked for from elsewhere, too */
    if (!program->folder)
        program->folder = memory_string(folder.data);
    text_release(&folder);
    char *lock = path_in(program, SIZE_MAX, LOCK);
    program->lock = open(lock, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (program->lock >= 0)
        flock(program->lock, LOCK_EX | LOCK_NB);
    free(lock);
    program->path = path_in(program, SIZE_MAX, "program");
    program->recording = path_in(program, SIZE_MAX, "recording.svt");
    return 0;
}

/* ---- the compiler ---- */

struct builder {
    struct own_program *program;
    const struct own_build *build;
    struct parts parts;
    struct child_words environment;
    char **readable;
    struct text output;
    size_t sections;
    bool is_clang;
    struct error *err;
};

static bool ends_in(const char *name, const char *end) {
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static bool is_cuda(const struct own_source *source) {
    return ends_in(source->path, ".cu");
}

/* The folder of a file, with a slash; "./" if it names none. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    struct text folder = TEXT_INIT;
    text_append_bytes(&folder, slash ? path : "./", slash ? (size_t)(slash - path) + 1 : 2);
    return text_detach(&folder);
}

static void compiler_words(struct child_words *words, bool is_c) {
    const char *compiler = getenv(is_c ? "CC" : "CXX");
    child_words_split(words, compiler && *compiler ? compiler : is_c ? "cc" : "c++");
    if (words->count == 0)
        child_words_add(words, is_c ? "cc" : "c++", NULL);
}

/* Whether memory accesses can be seen: not beside another sanitizer, nor without ELF's tools. */
static bool can_see_accesses(void) {
#ifdef __ELF__
    return strstr(SHFLVIZ_PARTS_FLAGS, "-fsanitize") == NULL;
#else
    return false;
#endif
}

/* Options that preprocessing and compiling have in common. */
static void language_words(const struct builder *b, struct child_words *words,
                           const struct own_source *source) {
    if (!ends_in(source->path, ".c"))
        child_words_add(words, "-std=", b->build->standard ? b->build->standard : "c++17");
    /* -fwrapv: integers of a GPU wrap. #pragma unroll is nvcc's. */
    child_words_split(words, "-O1 -g0 -w -fwrapv -fno-strict-aliasing " SHFLVIZ_PARTS_FLAGS);
}

static void search_words(const struct builder *b, struct child_words *words,
                         const struct own_source *source) {
    char *folder = folder_of(source->path);
    child_words_add(words, "-iquote", NULL);
    child_words_add(words, folder, NULL);
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(words, "-I", *include);
    child_words_add(words, "-I", folder);
    /* Before the folders of the system, where a toolkit's headers of the same names may lie. */
    for (int i = 0; i < PARTS_FOLDERS; i++) {
        child_words_add(words, "-isystem", NULL);
        child_words_add(words, b->parts.include[i].data, NULL);
    }
    for (char *const *define = b->build->define; define && *define; define++)
        child_words_add(words, "-D", *define);
    free(folder);
}

static void take_complaint(void *context, int stream, const char *bytes, size_t count) {
    struct text *output = context;
    (void)stream;
    size_t room = output->length < COMPLAINT_MOST ? COMPLAINT_MOST - output->length : 0;
    text_append_bytes(output, bytes, count < room ? count : room);
}

/* Whole lines, as far as they say what is wrong. */
static void trim_complaint(struct text *output) {
    if (output->length < COMPLAINT_MOST)
        return;
    while (output->length && output->data[output->length - 1] != '\n')
        output->length--;
    output->data[output->length] = '\0';
}

static int report_compiler(struct builder *b, const struct child_words *words,
                           struct child_result result, const char *file) {
    switch (result.end) {
    case CHILD_EXITED:
        if (result.code == 0)
            return 0;
        break;
    case CHILD_NOT_FOUND:
        return error_set(b->err, ERROR_MISSING,
                         _("no C++ compiler: cannot run '%s'\n"
                           "try: install one (g++ or clang++), or name it in CXX"),
                         words->word[0]);
    case CHILD_INTERRUPTED:
        return error_set(b->err, ERROR_RUN, _("%s: interrupted while it was being compiled"), file);
    case CHILD_TIME:
        return error_set(b->err, ERROR_RUN, _("%s was not compiled within %u seconds"), file,
                         b->build->limits.seconds);
    case CHILD_UNCONFINED:
        return error_set_errno(b->err, ERROR_RUN, result.code,
                               _("%s was not compiled: cannot confine the compiler"), file);
    case CHILD_PROCESSES:
    case CHILD_OUTPUT:
    case CHILD_KILLED:
        break;
    }
    trim_complaint(&b->output);
    return error_set(b->err, ERROR_USAGE, _("%s does not compile for the CPU warp:\n%s"), file,
                     b->output.data);
}

static int run_compiler(struct builder *b, struct child_words *words, const char *file) {
    const struct confine confine = {.role = b->build->confined ? CONFINE_COMPILER : CONFINE_NOTHING,
                                    .limits = b->build->limits,
                                    .folder = b->program->folder,
                                    .readable = (const char *const *)b->readable};
    text_clear(&b->output);
    const struct child_command command = {.words = words->word,
                                          .environment = b->environment.word,
                                          .confine = &confine,
                                          .input = -1,
                                          .output = take_complaint,
                                          .output_context = &b->output};
    return report_compiler(b, words, child_run(&command), file);
}

/* Folders that compiler or program may read although they are not the system's. */
static void allow_reading(struct builder *b) {
    struct child_words list = {0};
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *folder = folder_of(b->build->sources[i].path);
        child_words_add(&list, folder, NULL);
        free(folder);
    }
    for (char *const *include = b->build->include; include && *include; include++)
        child_words_add(&list, *include, NULL);
    for (int i = 0; i < PARTS_FOLDERS; i++) {
        child_words_add(&list, b->parts.include[i].data, NULL);
        child_words_add(&b->program->headers, b->parts.include[i].data, NULL);
    }
    child_words_add(&list, b->parts.library.data, NULL);
    const char *compiler = getenv("CXX"), *slash = compiler ? strrchr(compiler, '/') : NULL;
    if (slash) { /* in a place of its own, with its parts around it */
        char *folder = folder_of(compiler);
        child_words_add(&list, folder, NULL);
        if (slash - compiler >= 4 && strncmp(slash - 4, "/bin", 4) == 0)
            child_words_add(&list, folder, "..");
        free(folder);
    }
    b->readable = list.word;
}

/* ---- an environment ---- */

static bool is_variable(const char *variable, const char *name) {
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/* The part of the user's environment that a confined program gets: nothing secret. */
static bool is_harmless(const char *variable) {
    static const char *const names[] = {
        "PATH",         "LANG",  "LC_ALL",          "LC_CTYPE",        "TZ",
        "COLUMNS",      "LINES", "OMP_NUM_THREADS", "LD_LIBRARY_PATH", "ASAN_OPTIONS",
        "UBSAN_OPTIONS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_variable(variable, names[i]))
            return true;
    return false;
}

static void make_environment(struct child_words *environment, const struct own_program *program,
                             bool clean) {
    for (char **variable = environ; *variable; variable++)
        if ((clean ? is_harmless(*variable) : !is_variable(*variable, "TMPDIR")) &&
            strncmp(*variable, "SHFLVIZ_WATCH", 13) != 0)
            child_words_add(environment, *variable, NULL);
    if (clean) {
        child_words_add(environment, "HOME=", program->folder);
        /* A leak checker needs ptrace, which is not behind the walls. */
        child_words_add(environment, "LSAN_OPTIONS=detect_leaks=0", NULL);
    }
}

/* ---- building ---- */

/* Names as the compiler is to read them between quotation marks. */
static void append_escaped(struct text *text, const char *name) {
    for (; *name; name++)
        if (*name == '\n')
            text_append(text, "\\n");
        else {
            if (*name == '"' || *name == '\\')
                text_append_char(text, '\\');
            text_append_char(text, *name);
        }
}

/* The copy that is compiled, beginning with the name and line that the person knows. */
static int write_copy(struct builder *b, size_t number, const char *path) {
    const struct own_source *source = &b->build->sources[number];
    struct text head = TEXT_INIT;
    text_append(&head, "#line 1 \"");
    append_escaped(&head, source->name);
    text_append(&head, "\"\n");
    int status = write_file(path, head.data, source->text, b->err);
    text_release(&head);
    return status;
}

static int preprocess(struct builder *b, const struct own_source *source, const char *copy,
                      const char *to) {
    struct child_words words = {0};
    compiler_words(&words, false);
    language_words(b, &words, source);
    search_words(b, &words, source);
    child_words_split(&words, "-DSHFLVIZ_OWN_PROGRAM -include shflviz/record.cuh -E -x c++");
    child_words_add(&words, copy, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, to, NULL);
    int status = run_compiler(b, &words, source->name);
    child_words_release(&words);
    return status;
}

static int translate(struct builder *b, const char *from, const char *to) {
    struct text text = TEXT_INIT;
    struct translation translation;
    int status = own_program_read(from, &text, b->err);
    if (status == 0) {
        status = translate_cuda(&translation, text.data, text.length, b->sections, b->err);
        if (status == 0)
            status = write_file(to, "", &translation.text, b->err);
        b->sections += translation.shared_sections;
        translation_release(&translation);
    }
    text_release(&text);
    return status;
}

/* Calls before each access (access.c), and line numbers to find them by. */
static void access_words(struct builder *b, struct child_words *words) {
    child_words_split(words, "-fsanitize=thread -g1");
    /* clang leaves out a read of what is written next: enough for races, not for values that nobody
     * has written. */
    child_words_split(words, b->is_clang ? "-mllvm -tsan-distinguish-volatile=1 "
                                           "-mllvm -tsan-instrument-read-before-write=1"
                                         : "--param tsan-distinguish-volatile=1");
}

static int compile(struct builder *b, const struct own_source *source, const char *from,
                   const char *to) {
    struct child_words words = {0};
    bool is_c = ends_in(source->path, ".c");
    compiler_words(&words, is_c);
    language_words(b, &words, source);
    if (b->program->accesses)
        access_words(b, &words);
    if (is_cuda(source)) {
        child_words_split(&words, "-x c++-cpp-output");
    } else {
        search_words(b, &words, source);
        child_words_split(&words, is_c ? "-x c" : "-x c++");
    }
    if (strstr(source->text->data, "#pragma omp") || strstr(source->text->data, "omp.h"))
        child_words_add(&words, "-fopenmp", NULL);
    child_words_add(&words, "-c", NULL);
    child_words_add(&words, from, NULL);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, to, NULL);
    int status = run_compiler(b, &words, source->name);
    child_words_release(&words);
    return status;
}

static int build_one(struct builder *b, size_t number) {
    const struct own_source *source = &b->build->sources[number];
    char *copy = path_in(b->program, number, is_cuda(source) ? ".cu" : ".source");
    char *text = path_in(b->program, number, ".ii");
    char *translated = path_in(b->program, number, ".cpp");
    char *object = path_in(b->program, number, ".o");
    int status = write_copy(b, number, copy);
    if (status == 0 && is_cuda(source)) {
        status = preprocess(b, source, copy, text);
        if (status == 0)
            status = translate(b, text, translated);
    }
    if (status == 0)
        status = compile(b, source, is_cuda(source) ? translated : copy, object);
    free(copy);
    free(text);
    free(translated);
    free(object);
    return status;
}

/* Where the sections of `__shared__` variables begin and end, for the CPU warp to find. */
static int write_sections(const struct builder *b, const char *path) {
    struct text text = TEXT_INIT;
    const int gap = b->program->accesses ? ACCESS_SHARED_GAP : 0;
    for (size_t i = 0; i <= b->sections && gap; i++) /* the last lies behind all variables */
        text_append_format(&text,
                           "static char gap_%zu[%d] __attribute__((used, "
                           "section(\"shflviz_shared_%zu\"))) = {0};\n",
                           i, gap, i);
    for (size_t i = 0; i < b->sections; i++)
        text_append_format(&text,
                           "extern char __start_shflviz_shared_%zu[] __attribute__((weak));\n"
                           "extern char __stop_shflviz_shared_%zu[] __attribute__((weak));\n",
                           i, i);
    text_append(&text, "extern char *const cpu_shared_sections[][2];\n"
                       "char *const cpu_shared_sections[][2] = {\n");
    for (size_t i = 0; i < b->sections; i++)
        text_append_format(&text, "{__start_shflviz_shared_%zu + %d, __stop_shflviz_shared_%zu},\n",
                           i, gap, i);
    text_append(&text, "{0, 0}};\n");
    int status = write_file(path, "", &text, b->err);
    text_release(&text);
    return status;
}

static int link_program(struct builder *b) {
    struct child_words words = {0};
    char *sections = path_in(b->program, SIZE_MAX, "sections.c");
    int status = write_sections(b, sections);
    bool parallel = false;
    compiler_words(&words, false);
    child_words_split(&words, "-w " SHFLVIZ_PARTS_FLAGS);
    child_words_add(&words, "-o", NULL);
    child_words_add(&words, b->program->path, NULL);
    child_words_split(&words, "-x c");
    child_words_add(&words, sections, NULL);
    child_words_split(&words, "-x none");
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *object = path_in(b->program, i, ".o");
        child_words_add(&words, object, NULL);
        parallel = parallel || strstr(b->build->sources[i].text->data, "omp");
        free(object);
    }
    if (parallel)
        child_words_add(&words, "-fopenmp", NULL);
    child_words_split(&words, "-Wl,-u," SHFLVIZ_PARTS_SYMBOL);
    if (b->program->accesses)
        child_words_split(&words, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
    child_words_add(&words, b->parts.library.data, NULL);
    child_words_split(&words, "-lm -pthread");
    if (status == 0)
        status = run_compiler(b, &words, b->build->sources[0].name);
    free(sections);
    child_words_release(&words);
    return status;
}

/* For the recording: the name that sites give each file, and where its built text is. */
static int write_source_list(struct builder *b) {
    struct text list = TEXT_INIT;
    for (size_t i = 0; i < b->build->source_count; i++) {
        char *copy = path_in(b->program, i, is_cuda(&b->build->sources[i]) ? ".cu" : ".source");
        text_append_format(&list, "%s\n%s\n", b->build->sources[i].name, copy);
        child_words_add(&b->program->names, b->build->sources[i].name, NULL);
        free(copy);
    }
    char *path = path_in(b->program, SIZE_MAX, "sources");
    int status = write_file(path, "", &list, b->err);
    free(path);
    text_release(&list);
    return status;
}

/* gcc and clang have one sanitizer, and two ways to say how. */
static int ask_compiler(struct builder *b) {
    struct child_words words = {0};
    compiler_words(&words, false);
    child_words_add(&words, "--version", NULL);
    int status = run_compiler(b, &words, b->build->sources[0].name);
    b->is_clang = status == 0 && strstr(b->output.data, "clang") != NULL;
    child_words_release(&words);
    return status;
}

static int build_all(struct builder *b) {
    if (make_folder(b->program, b->err) != 0)
        return -1;
    if (b->build->accesses && can_see_accesses())
        b->program->accesses = path_in(b->program, SIZE_MAX, "accesses");
    make_environment(&b->environment, b->program, b->build->confined);
    child_words_add(&b->environment, "TMPDIR=", b->program->folder);
    child_words_add(&b->environment, "LC_MESSAGES=C", NULL);
    allow_reading(b);
    if (b->program->accesses && ask_compiler(b) != 0)
        return -1;
    for (size_t i = 0; i < b->build->source_count; i++)
        if (build_one(b, i) != 0)
            return -1;
    return write_source_list(b) == 0 ? link_program(b) : -1;
}

int own_program_build(struct own_program *program, const struct own_build *build,
                      struct error *err) {
    struct builder b = {.program = program, .build = build, .output = TEXT_INIT, .err = err};
    sigset_t held;
    *program = (struct own_program){.source = memory_string(build->sources[0].path),
                                    .confined = build->confined};
    child_interruptions(&held);
    sigprocmask(SIG_BLOCK, &held, &program->signals);
    int status = parts_find(&b.parts, err);
    if (status == 0)
        status = build_all(&b);
    parts_release(&b.parts);
    child_words_release(&b.environment);
    for (char **path = b.readable; path && *path; path++)
        free(*path);
    free(b.readable);
    text_release(&b.output);
    return status;
}

/* ---- running ---- */

static void run_environment(struct child_words *environment, const struct own_program *program,
                            const struct own_run *run) {
    struct text options = TEXT_INIT;
    char *sources = path_in(program, SIZE_MAX, "sources");
    make_environment(environment, program, run->confined);
    if (run->confined)
        child_words_add(environment, "TMPDIR=", program->folder);
    else if (getenv("TMPDIR"))
        child_words_add(environment, "TMPDIR=", getenv("TMPDIR"));
    text_append_format(&options,
                       OWN_PROGRAM_OPTIONS "=schedule=%" PRIu64 " poison=%" PRIu64 " steps=%" PRIu64
                                           " memory=%d replaces=%d",
                       run->schedule, run->poison, run->step_limit, run->poison_memory,
                       run->replaces);
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
        return error_set(err, ERROR_RUN, _("%s crashed: %s"), name, strsignal(result.code));
    case CHILD_TIME:
        return error_set(err, ERROR_RUN, _("%s did not end within %u seconds and was ended"), name,
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

int own_program_run(const struct own_program *program, const struct own_run *run, int *status,
                    struct error *err) {
    struct child_words words = {0}, environment = {0};
    const struct confine confine = {.role = run->confined ? CONFINE_PROGRAM : CONFINE_NOTHING,
                                    .limits = run->limits,
                                    .folder = program->folder,
                                    .readable = (const char *const *)run->readable};
    child_words_add(&words, run->called ? run->called : program->path, NULL);
    for (char *const *word = run->arguments; word && *word; word++)
        child_words_add(&words, *word, NULL);
    run_environment(&environment, program, run);
    const struct child_command command = {.file = program->path,
                                          .words = words.word,
                                          .environment = environment.word,
                                          .directory = run->confined ? program->folder : NULL,
                                          .confine = &confine,
                                          .input = run->input,
                                          .output = run->output,
                                          .output_context = run->output_context};
    struct child_result result = child_run(&command);
    child_words_release(&words);
    child_words_release(&environment);
    return report_run(program, run, result, status, err);
}

/* ---- cleaning up ---- */

void own_program_release(struct own_program *program) {
    if (program->folder) {
        empty_folder(AT_FDCWD, program->folder, FOLDER_DEPTH);
        rmdir(program->folder);
        if (program->lock >= 0)
            close(program->lock);
    }
    free(program->folder);
    free(program->path);
    free(program->recording);
    free(program->accesses);
    child_words_release(&program->names);
    child_words_release(&program->headers);
    free(program->source);
    sigset_t signals = program->signals;
    *program = (struct own_program){.folder = NULL, .signals = signals};
    sigprocmask(SIG_SETMASK, &signals, NULL); /* last: it may end all */
}
