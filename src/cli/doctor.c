/*
 * Examines each subject by trying it, where that is quick: a compiler that prints its version
 * proves more than a file that exists.
 */
#include "cli/doctor.h"

#include "base/message.h"
#include "base/text.h"
#include "base/text/utf8.h"
#include "cudacpu/cudacpu.h"
#include "device/device.h"
#include "export/page.h"
#include "serve/qr.h"
#include "serve/server.h"
#include "term/painter.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

__attribute__((format(printf, 4, 5))) static void
add_line(struct doctor_report *report, const char *name, bool present, const char *format, ...) {
    if (report->count >= DOCTOR_LINES_MAX)
        return;
    struct doctor_line *line = &report->lines[report->count++];
    line->name = name;
    line->present = present;
    va_list arguments;
    va_start(arguments, format);
    utf8_vformat(line->text, sizeof(line->text), format, arguments);
    va_end(arguments);
    line->text[utf8_visible(line->text, line->text, strlen(line->text), UTF8_LINE)] = '\0';
}

/* ---- devices ---- */

/* The lanes of a recorded step whose values differ from what the rules say. */
static uint32_t wrong_lanes(const struct trace_step *step) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&step->operation, outcome);
    return warp_disagreement(&step->operation, outcome);
}

/* xor 3 within 16 lanes on the device: 0, or -1 with the error in err. */
static int self_test(enum device_kind kind, struct error *err) {
    int32_t argument[WARP_LANES];
    uint64_t input[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        argument[lane] = 3;
        input[lane] = (uint64_t)lane;
    }
    const struct program *program = device_program_find("xor");
    struct program_parameters parameters = program->defaults;
    parameters.width = 16;
    parameters.argument = argument;
    parameters.input = input;
    const struct device_options options = {.kind = kind, .settings = RUN_SETTINGS_INIT};
    const struct trace_writer_options writer_options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace = NULL;
    struct trace_step step;
    if (trace_writer_open(&writer, NULL, &writer_options, err) != 0)
        return -1;
    int status = device_run(program, &parameters, &options, writer, NULL, err);
    if (trace_writer_close(writer, &trace, status == 0 ? err : NULL) != 0)
        status = -1;
    if (status == 0)
        status = trace_step(trace, 0, &step, err);
    if (status == 0 && wrong_lanes(&step) != 0)
        status = error_set(err, ERROR_FOUND, _("the xor shuffle disagrees with the rules"));
    trace_close(trace);
    return status;
}

static void examine_device(struct doctor_report *report, const char *name, enum device_kind kind) {
    struct error err = ERROR_INIT;
    if (!device_available(kind, &err)) {
        /* The first line names the missing part; a line of a report has no room for advice. */
        add_line(report, name, false, "%.*s", (int)strcspn(err.text, "\n"), err.text);
        return;
    }
    char details[DOCTOR_TEXT_SIZE / 2], shown[DOCTOR_TEXT_SIZE] = "";
    device_details(kind, details, sizeof(details));
    if (strcmp(device_name(kind), name) != 0)
        snprintf(shown, sizeof(shown), "%.60s: %s; ", device_name(kind), details);
    if (self_test(kind, &err) != 0)
        add_line(report, name, false, _("%sself test failed: %.*s"), shown,
                 (int)strcspn(err.text, "\n"), err.text);
    else
        add_line(report, name, true, _("%sself test agrees with the rules"), shown);
}

/* ---- compilers ---- */

/* Reads the rest of a stream, so that its writer can end. Keeps the first line that contains
 * "release", or else the first line: nvcc names its release on a later line. */
static void read_version(FILE *stream, char *version, size_t size) {
    char line[DOCTOR_TEXT_SIZE];
    bool found = false;
    version[0] = '\0';
    while (fgets(line, sizeof(line), stream)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && (version[0] == '\0' || (!found && strstr(line, "release")))) {
            found = strstr(line, "release") != NULL;
            snprintf(version, size, "%s", line);
        }
    }
}

/* Runs `compiler --version`; the compiler is found on PATH. False if it cannot be run. */
static bool compiler_version(const char *compiler, char *version, size_t size) {
    int ends[2];
    pid_t child;
    char *arguments[] = {(char *)compiler, (char *)"--version", NULL};
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&child, compiler, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    FILE *stream = fdopen(ends[0], "r");
    if (stream && !failed)
        read_version(stream, version, size);
    if (stream)
        fclose(stream);
    else
        close(ends[0]);
    int status = -1;
    while (!failed && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return !failed && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Examines a program that prints its version. */
static void add_version(struct doctor_report *report, const char *name, const char *program,
                        const char *absent) {
    char version[DOCTOR_TEXT_SIZE] = "";
    if (compiler_version(program, version, sizeof(version)))
        add_line(report, name, true, "%s", version[0] ? version : _("does not say which version"));
    else
        add_line(report, name, false, "%s", absent);
}

static void examine_compiler(struct doctor_report *report, const char *name, const char *purpose) {
    struct text absent = TEXT_INIT;
    text_append_format(&absent, _("not on PATH; %s"), purpose);
    add_version(report, name, name, absent.data);
    text_release(&absent);
}

/* Examines the tools that build a user's program for the CPU warp: clang, and the tool that
 * instruments its LLVM IR. */
static void examine_clang(struct doctor_report *report) {
    struct parts parts;
    struct error err = ERROR_INIT;
    const bool found = parts_find(&parts, &err) == 0 && parts_find_clang(&parts, &err) == 0;
    if (found)
        add_version(report, "clang", parts.clang.data, _("does not run"));
    else
        add_line(report, "clang", false, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    if (found || access(parts.instrument.data, X_OK) == 0)
        add_version(report, "LLVM", parts.instrument.data, _("does not run"));
    else
        add_line(report, "LLVM", false, "%s",
                 _("no cudacpu-instrument; building it requires LLVM"));
    parts_release(&parts);
}

/* ---- the terminal and the folder ---- */

static const char *depth_text(enum color_depth depth) {
    return depth <= COLOR_NONE  ? _("no colour")
           : depth == COLOR_8   ? _("8 colours")
           : depth == COLOR_16  ? _("16 colours")
           : depth == COLOR_256 ? _("256 colours")
                                : _("true colour");
}

static void examine_terminal(struct doctor_report *report) {
    const char *term = getenv("TERM");
    const char *no_color = getenv("NO_COLOR");
    const char *codeset = nl_langinfo(CODESET);
    struct winsize size = {.ws_col = 0};
    bool is_terminal = isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    if (!is_terminal)
        add_line(report, _("terminal"), false,
                 _("standard input and output are not a terminal; TERM is %s"),
                 term && *term ? term : _("not set"));
    else if (size.ws_col == 0)
        add_line(report, _("terminal"), true, _("%s, of unknown size"),
                 term && *term ? term : _("no TERM"));
    else
        add_line(report, _("terminal"), size.ws_col >= 60 && size.ws_row >= 20,
                 _("%s, %d columns by %d rows"), term && *term ? term : _("no TERM"), size.ws_col,
                 size.ws_row);
    /* A terminal may report its background when asked, whatever TERM says; tmux before 3.4 does
     * not. */
    const bool unknown =
        color_depth_detect() > COLOR_NONE && palette_background_detect() == BACKGROUND_UNKNOWN;
    add_line(report, _("colour"), color_depth_detect() > COLOR_NONE, "%s%s%s",
             depth_text(color_depth_detect()),
             no_color && *no_color ? _(", because NO_COLOR is set") : "",
             unknown ? _("; if colours are hard to see, as in tmux, use --background dark or light")
                     : "");
    add_line(report, _("characters"), strcmp(codeset, "UTF-8") == 0, "%s%s", codeset,
             strcmp(codeset, "UTF-8") == 0 ? "" : _(", so screens are drawn in ASCII"));
}

/* ---- the shell ---- */

/* True if the shell would find the program by its name. */
static bool is_on_path(const char *program) {
    const char *path = getenv("PATH");
    struct text file = TEXT_INIT;
    bool found = false;
    for (size_t length; path && !found; path = path[length] ? path + length + 1 : NULL) {
        length = strcspn(path, ":");
        text_clear(&file);
        text_append_format(&file, "%.*s/%s", (int)length, path, program);
        found = access(file.data, X_OK) == 0;
    }
    text_release(&file);
    return found;
}

static void examine_shell(struct doctor_report *report) {
    const char *path = getenv("SHELL");
    const char *shell = path && strrchr(path, '/') ? strrchr(path, '/') + 1 : "";
    const bool found = is_on_path("shflviz");
    add_line(report, _("command"), found, "%s",
             found
                 ? _("shflviz is on PATH")
                 : _("shflviz is not on PATH; add its folder, as in PATH=$HOME/.local/bin:$PATH"));
    if (strcmp(shell, "bash") == 0 || strcmp(shell, "zsh") == 0)
        add_line(report, _("completion"), true,
                 _("if Tab completes nothing, add this line to ~/.%src: source <(shflviz help "
                   "--completion %s)"),
                 shell, shell);
}

static void examine_folder(struct doctor_report *report) {
    const bool can = access(".", W_OK) == 0;
    add_line(report, _("recordings"), can,
             can ? _("can be saved here") : _("cannot be saved here: %s"), strerror(errno));
}

/* Examines the sandbox for untrusted programs. */
static void examine_sandbox(struct doctor_report *report) {
    const struct confine_support support = confine_support();
    const struct confine_limits limits = confine_limits(CONFINE_PROGRAM);
    struct text walls = TEXT_INIT;
    confine_describe(&walls, &support);
    add_line(report, _("sandbox"), support.landlock && support.seccomp, "%s", walls.data);
    add_line(report, _("limits"), true,
             _("%u s, %u MiB of memory, %u MiB per file, %u threads, %u MiB of output"),
             limits.seconds, (unsigned)(limits.memory >> 20), (unsigned)(limits.file_size >> 20),
             limits.processes, (unsigned)(limits.output >> 20));
    text_release(&walls);
}

/* Examines the cache that makes builds of user programs faster. */
static void examine_cache(struct doctor_report *report) {
    char *folder = header_cache_folder();
    if (!folder)
        add_line(report, _("cache"), false, _("neither XDG_CACHE_HOME nor HOME is set"));
    else
        add_line(report, _("cache"), header_cache_bytes(folder) > 0,
                 _("%s: %u MiB of compiled headers, which may be removed"), folder,
                 (unsigned)((header_cache_bytes(folder) + (1 << 19)) >> 20));
    free(folder);
}

static void examine_page(struct doctor_report *report) {
    struct text path = TEXT_INIT;
    struct error err = ERROR_INIT;
    const bool found = page_find(&path, &err) == 0;
    add_line(report, _("page"), found, "%s",
             found ? path.data : _("no page for browsers; ./bootstrap web builds it"));
    text_release(&path);
}

static void examine_class(struct doctor_report *report) {
    struct error err = ERROR_INIT;
    if (!server_is_built())
        add_line(report, _("class"), false, "%s",
                 _("lesson --serve works only if shflviz is built with libmicrohttpd"));
    else if (server_load(&err) != 0)
        add_line(report, _("class"), false, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    else
        add_line(
            report, _("class"), true, "%s",
            qr_is_built()
                ? _("lesson --serve can serve a class, with a QR code")
                : _("lesson --serve can serve a class; without libqrencode, there is no QR code"));
}

void doctor_examine(struct doctor_report *report) {
    report->count = 0;
    examine_device(report, "CPU warp", DEVICE_CPU);
    examine_device(report, "GPU", DEVICE_GPU);
    examine_compiler(report, "cc", _("needed to build shflviz itself"));
    examine_compiler(report, "c++", _("needed to build shflviz itself"));
    examine_clang(report);
    examine_compiler(report, "nvcc", _("needed to build the part for GPUs"));
    examine_terminal(report);
    examine_shell(report);
    examine_folder(report);
    examine_sandbox(report);
    examine_cache(report);
    examine_page(report);
    examine_class(report);
}
