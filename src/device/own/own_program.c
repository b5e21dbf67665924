#include "device/own/own_program.h"

#include "base/memory.h"
#include "base/message.h"
#include "device/own/launch_syntax.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

extern char **environ;

#define OUTPUT_MOST    65536
#define COMPLAINT_MOST 1200 /* of a compiler: its first words are the ones that count */
#define PIPE_MOST      1048576
#define MOMENT         5 /* milliseconds between two looks at a child */

/* ---- where the parts are ----------------------------------------------------------------------
 */

enum { CUDA, RECORDER, GROUPS, INCLUDES }; /* folders of headers */

struct parts {
    struct text include[INCLUDES];
    struct text library; /* what a program is linked with */
};

static void parts_release(struct parts *parts) {
    for (int i = 0; i < INCLUDES; i++)
        text_release(&parts->include[i]);
    text_release(&parts->library);
}

/* Fills in the paths; whether all of it exists. Releases what was there before. */
static bool parts_at(struct parts *parts, const char *base, const char *cuda, const char *recorder,
                     const char *library) {
    parts_release(parts);
    text_append_format(&parts->include[CUDA], "%s%s", base, cuda);
    text_append_format(&parts->include[RECORDER], "%s%s", base, recorder);
    text_append_format(&parts->include[GROUPS], "%s%s/shflviz/groups", base, recorder);
    text_append_format(&parts->library, "%s%s", base, library);
    bool exist = access(parts->library.data, R_OK) == 0;
    for (int i = 0; i < INCLUDES; i++)
        exist = exist && access(parts->include[i].data, R_OK) == 0;
    return exist;
}

/* The path of the running program; 0 where the system does not tell, else its length. */
static ssize_t program_path(char path[PATH_MAX]) {
#ifdef __APPLE__
    uint32_t size = PATH_MAX;
    return _NSGetExecutablePath(path, &size) == 0 ? (ssize_t)strlen(path) : 0;
#else
    return readlink("/proc/self/exe", path, PATH_MAX - 1);
#endif
}

/* The folder of the running program, with a slash; "" where the system does not tell. */
static void program_folder(struct text *folder) {
    char path[PATH_MAX];
    ssize_t length = program_path(path);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length > 0)
        text_append_bytes(folder, path, (size_t)length);
}

/* Beside the installed program; else in the folders that it was built in. */
static int find_parts(struct parts *parts, struct error *err) {
    struct text folder = TEXT_INIT;
    *parts = (struct parts){{TEXT_INIT, TEXT_INIT, TEXT_INIT}, TEXT_INIT};
    program_folder(&folder);
    /* Where it is not known, do not guess from the current directory. */
    bool found =
        folder.length > 0 &&
        parts_at(parts, folder.data, SHFLVIZ_PARTS_FROM_PROGRAM "/cuda",
                 SHFLVIZ_HEADERS_FROM_PROGRAM, SHFLVIZ_PARTS_FROM_PROGRAM "/libshflviz_watched.a");
    text_release(&folder);
    if (found || parts_at(parts, "", SHFLVIZ_PARTS_SOURCE "/src/device/cuda",
                          SHFLVIZ_PARTS_SOURCE "/src/recorder/include",
                          SHFLVIZ_PARTS_BUILD "/libshflviz_watched.a"))
        return 0;
    return error_set(err, ERROR_MISSING,
                     _("what a program is built with is not there: no %s\n"
                       "try: cmake --install, which puts it beside the program"),
                     parts->library.data);
}

/* ---- running another program ------------------------------------------------------------------
 */

static long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What ends a program that waits for another; held back from build to release. */
static void interruptions(sigset_t *signals) {
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGHUP);
    sigaddset(signals, SIGQUIT);
}

static bool is_interrupted(void) {
    sigset_t pending, wanted;
    interruptions(&wanted);
    sigpending(&pending);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(&wanted, signal) == 1 && sigismember(&pending, signal) == 1)
            return true;
    return false;
}

/* Takes in what a child has written, waiting a moment for it. False at its end. */
static bool take_output(int descriptor, int milliseconds, struct text *output) {
    char bytes[4096];
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    int ready = poll(&wanted, 1, milliseconds);
    if (ready <= 0)
        return ready == 0 || errno == EINTR;
    ssize_t count = read(descriptor, bytes, sizeof(bytes));
    if (count <= 0)
        return false;
    size_t room = output->length < OUTPUT_MOST ? OUTPUT_MOST - output->length : 0;
    text_append_bytes(output, bytes, (size_t)count < room ? (size_t)count : room);
    return true;
}

/* It stays to be waited for: until then nobody else gets its number. */
static bool has_ended(pid_t child) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid == child;
}

/* Reads what the child writes until it ends, the time is over or somebody interrupts; then ends it
 * and all that it started, which may hold its output open. */
static bool await_end(pid_t child, int descriptor, long deadline, struct text *output,
                      int *status) {
    const struct timespec moment = {0, MOMENT * 1000000L};
    bool open = true, in_time = true;
    while (in_time && !has_ended(child)) {
        if (open)
            open = take_output(descriptor, MOMENT, output);
        else
            nanosleep(&moment, NULL);
        in_time = (deadline < 0 || milliseconds_now() < deadline) && !is_interrupted();
    }
    kill(-child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
    /* What is still on its way: no more than a pipe holds. */
    for (size_t i = 0; open && i < PIPE_MOST / 4096; i++)
        open = take_output(descriptor, 0, output) && output->length < OUTPUT_MOST;
    return in_time;
}

enum end { END_EXIT, END_SIGNAL, END_TIME, END_INTERRUPTED, END_NOT_FOUND };

/* A process group to be ended as a whole; in a session of its own it has no terminal either, to
 * write into a screen or to be stopped at for reading. */
#ifdef POSIX_SPAWN_SETSID
#define OF_ITS_OWN POSIX_SPAWN_SETSID
#else
#define OF_ITS_OWN POSIX_SPAWN_SETPGROUP
#endif

/* Runs a command with its output taken in. *code: its status or signal. */
static enum end run_command(char *const *words, char *const *environment, unsigned seconds,
                            struct text *output, int *code) {
    int ends[2], status = 0;
    pid_t child;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    if (pipe(ends) != 0)
        return END_NOT_FOUND;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, OF_ITS_OWN | POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawnp(&child, words[0], &actions, &attributes, words, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    bool in_time = true;
    if (!failed) {
        long deadline = seconds ? milliseconds_now() + (long)seconds * 1000 : -1;
        in_time = await_end(child, ends[0], deadline, output, &status);
    }
    close(ends[0]);
    if (failed)
        return END_NOT_FOUND;
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (!in_time)
        return is_interrupted() ? END_INTERRUPTED : END_TIME;
    return WIFSIGNALED(status) ? END_SIGNAL : *code == 127 ? END_NOT_FOUND : END_EXIT;
}

/* ---- building ---------------------------------------------------------------------------------
 */

int own_program_read(const char *path, struct text *text, struct error *err) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe's would wait */
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s cannot be read"), path);
    if (fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode)) {
        fclose(file);
        return error_set(err, ERROR_USAGE, _("%s is no file with a program's text"), path);
    }
    text_append_stream(text, file);
    fclose(file);
    return 0;
}

/* A text with a line before it ("" for none). */
static int write_file(const char *path, const char *head, const struct text *text,
                      struct error *err) {
    FILE *file = fopen(path, "w");
    if (!file)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s cannot be written"), path);
    fputs(head, file);
    fwrite(text->data, 1, text->length, file);
    if (fclose(file) != 0)
        return error_set_errno(err, ERROR_USAGE, errno, _("%s cannot be written"), path);
    return 0;
}

struct word_array {
    char *word[64];
    size_t count;
};

static void add_word(struct word_array *words, const char *word) {
    if (words->count + 1 < sizeof(words->word) / sizeof(words->word[0]))
        words->word[words->count++] = memory_string(word);
}

/* A line of words with blanks between, as CXX and flags are. */
static void add_words(struct word_array *words, const char *line) {
    while (*(line += strspn(line, " "))) {
        struct text word = TEXT_INIT;
        text_append_bytes(&word, line, strcspn(line, " "));
        line += word.length;
        add_word(words, word.data);
        text_release(&word);
    }
}

static void add_joined(struct word_array *words, const char *first, const char *second) {
    struct text word = TEXT_INIT;
    text_append(&word, first);
    text_append(&word, second);
    add_word(words, word.data);
    text_release(&word);
}

static void release_words(struct word_array *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    words->count = 0;
}

/* Headers that the program includes are looked for beside its source first. */
static void add_source_folder(struct word_array *words, const char *source) {
    const char *slash = strrchr(source, '/');
    struct text folder = TEXT_INIT;
    if (slash)
        text_append_bytes(&folder, source, (size_t)(slash - source) + 1);
    add_joined(words, "-I", slash ? folder.data : ".");
    text_release(&folder);
}

static void compiler_words(struct word_array *words, const struct own_program *program,
                           const struct parts *parts, const struct launch_syntax *syntax,
                           const char *translation) {
    const char *compiler = getenv("CXX");
    add_words(words, compiler && *compiler ? compiler : "c++");
    /* -fwrapv: integers of a GPU wrap. #pragma unroll is nvcc's. */
    add_words(words, "-std=c++17 -O1 -g0 -w -fwrapv " SHFLVIZ_PARTS_FLAGS);
    for (int i = 0; i < INCLUDES; i++)
        add_joined(words, "-I", parts->include[i].data);
    add_source_folder(words, program->source);
    add_words(words, "-include shflviz/record.cuh");
    if (syntax->dynamic_shared)
        add_joined(words, "-DSHFLVIZ_DYNAMIC_SHARED=", syntax->dynamic_shared);
    add_words(words, "-o");
    add_word(words, program->path);
    add_words(words, "-x c++");
    add_word(words, translation);
    add_words(words, "-x none -Wl,-u," SHFLVIZ_PARTS_SYMBOL);
    add_word(words, parts->library.data);
    words->word[words->count] = NULL;
}

static int compile(const struct own_program *program, const struct parts *parts,
                   const struct launch_syntax *syntax, const char *translation, struct error *err) {
    struct word_array words = {.count = 0};
    struct text output = TEXT_INIT;
    int code = 0, status = 0;
    compiler_words(&words, program, parts, syntax, translation);
    enum end end = run_command(words.word, environ, 0, &output, &code);
    if (end == END_NOT_FOUND)
        status = error_set(err, ERROR_MISSING,
                           _("no C++ compiler: '%s' cannot be run\n"
                             "try: install one (g++ or clang++), or name it in CXX"),
                           words.word[0]);
    else if (end == END_INTERRUPTED)
        status =
            error_set(err, ERROR_RUN, _("%s: interrupted while it was compiled"), program->source);
    else if (end != END_EXIT || code != 0)
        status = error_set(err, ERROR_USAGE, _("%s does not compile for the CPU warp:\n%.*s"),
                           program->source, COMPLAINT_MOST, output.data);
    text_release(&output);
    release_words(&words);
    return status;
}

static char *path_in(const struct own_program *program, const char *name) {
    struct text path = TEXT_INIT;
    text_append_format(&path, "%s/%s", program->folder, name);
    return text_detach(&path);
}

static int make_folder(struct own_program *program, struct error *err) {
    const char *temporary = getenv("TMPDIR");
    struct text folder = TEXT_INIT;
    text_append_format(&folder, "%s/shflviz-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder.data)) {
        error_set_errno(err, ERROR_USAGE, errno, _("no folder can be made as %s"), folder.data);
        text_release(&folder);
        return -1;
    }
    program->folder = text_detach(&folder);
    program->path = path_in(program, "program");
    program->copy = path_in(program, "program.cu");
    return 0;
}

static int build(struct own_program *program, const struct text *text, const struct parts *parts,
                 const struct launch_syntax *syntax, struct error *err) {
    if (make_folder(program, err) != 0)
        return -1;
    struct text head = TEXT_INIT;
    char *translation = path_in(program, "program.cpp");
    /* What the compiler and the sites call it: the name of the file that a person wrote. */
    text_append_format(&head, "#line 1 \"%s\"\n", program->name);
    int status = write_file(program->copy, "", text, err);
    if (status == 0)
        status = write_file(translation, head.data, &syntax->text, err);
    if (status == 0)
        status = compile(program, parts, syntax, translation, err);
    text_release(&head);
    free(translation);
    return status;
}

int own_program_build(struct own_program *program, const char *source, const struct text *text,
                      struct error *err) {
    struct parts parts;
    struct launch_syntax syntax = {.text = TEXT_INIT};
    const char *slash = strrchr(source, '/');
    *program = (struct own_program){.source = memory_string(source),
                                    .name = memory_string(slash ? slash + 1 : source)};
    sigset_t held;
    interruptions(&held);
    sigprocmask(SIG_BLOCK, NULL, &program->signals);
    int status = find_parts(&parts, err);
    if (status == 0)
        status = launch_syntax_translate(&syntax, text->data, program->name, err);
    if (status == 0) {
        sigprocmask(SIG_BLOCK, &held, NULL);
        status = build(program, text, &parts, &syntax, err);
    }
    launch_syntax_release(&syntax);
    parts_release(&parts);
    return status;
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void set_variable(struct word_array *environment, const char *name, const char *value) {
    struct text variable = TEXT_INIT;
    text_append_format(&variable, "%s=%s", name, value);
    add_word(environment, variable.data);
    text_release(&variable);
}

/* The person's environment with ours in front; a name that stands twice counts the first time. */
static char **make_environment(const struct own_program *program, const char *trace_path,
                               struct word_array *ours) {
    size_t count = 0;
    while (environ[count])
        count++;
    set_variable(ours, OWN_PROGRAM_TRACE, trace_path);
    set_variable(ours, OWN_PROGRAM_SOURCE, program->copy);
    set_variable(ours, OWN_PROGRAM_NAME, program->name);
    char **environment = memory_zeroed(count + ours->count + 1, sizeof(environment[0]));
    for (size_t i = 0; i < ours->count; i++)
        environment[i] = ours->word[i];
    memcpy(environment + ours->count, environ, count * sizeof(environment[0]));
    return environment;
}

int own_program_run(const struct own_program *program, char *const *arguments,
                    const char *trace_path, unsigned seconds, struct text *output,
                    struct error *err) {
    struct word_array ours = {.count = 0};
    size_t count = 0;
    int code = 0;
    while (arguments && arguments[count])
        count++;
    char **words = memory_zeroed(count + 2, sizeof(words[0]));
    words[0] = program->path;
    for (size_t i = 0; i < count; i++)
        words[i + 1] = arguments[i];
    char **environment = make_environment(program, trace_path, &ours);
    enum end end = run_command(words, environment, seconds, output, &code);
    free(environment);
    free(words);
    release_words(&ours);
    if (end == END_SIGNAL)
        return error_set(err, ERROR_RUN, _("%s crashed: %s"), program->source, strsignal(code));
    if (end == END_INTERRUPTED)
        return error_set(err, ERROR_RUN, _("%s was interrupted"), program->source);
    if (end == END_TIME)
        return error_set(err, ERROR_RUN, _("%s did not end within %u seconds and was ended"),
                         program->source, seconds);
    if (end == END_NOT_FOUND)
        return error_set(err, ERROR_RUN, _("%s was built, but cannot be run"), program->source);
    return 0;
}

/* ---- cleaning up ------------------------------------------------------------------------------
 */

static void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
    rmdir(path);
}

void own_program_release(struct own_program *program) {
    if (program->folder)
        remove_folder(program->folder);
    free(program->folder);
    free(program->path);
    free(program->copy);
    free(program->source);
    free(program->name);
    sigset_t signals = program->signals;
    *program = (struct own_program){.folder = NULL, .signals = signals};
    sigprocmask(SIG_SETMASK, &signals, NULL); /* last: it may end all */
}
