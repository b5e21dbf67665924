/*
 * Sorts the given files, refuses what cannot work, builds, and runs as many schedules as requested.
 * one_run.h handles a single run.
 */
#include "launch/program/user_run.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/utf8.h"
#include "bring/main_function.h"
#include "device/gpu/gpu.h"
#include "launch/program/one_run.h"
#include "launch/program/user_headers.h"
#include "trace/failure.h"
#include "trace/marks.h"
#include "trace/recording_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- sources ---- */

struct sources {
    struct user_source *source;
    struct text *text; /* one per source */
    size_t count;
    struct bring_result brought; /* of the only one */
};

bool is_cuda_source(const char *name) {
    return strcmp(name, ".cu") != 0 && string_ends_with(name, ".cu");
}

bool is_cuda_header(const char *name) {
    return strcmp(name, ".cuh") != 0 && string_ends_with(name, ".cuh");
}

bool is_source_folder(const char *name) {
    struct stat status;
    return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

bool can_be_compiled(const char *name) {
    static const char *const endings[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (strcmp(name, endings[i]) != 0 && string_ends_with(name, endings[i]))
            return true;
    return false;
}

static int add_source(struct sources *sources, const char *path, struct error *err) {
    struct text text = TEXT_INIT;
    if (!can_be_compiled(path) && !is_cuda_header(path))
        return error_set(
            err, ERROR_USAGE,
            _("%s is not a source file\nallowed: .cu .cuh .cpp .cc .cxx .c, or a folder"), path);
    if (user_program_read(path, &text, err) != 0) {
        text_release(&text);
        return -1;
    }
    size_t n = sources->count++;
    sources->source = memory_grow(sources->source, n + 1, sizeof(sources->source[0]));
    sources->text = memory_grow(sources->text, n + 1, sizeof(sources->text[0]));
    sources->text[n] = text;
    sources->source[n] = (struct user_source){.path = memory_string(path)};
    return 0;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of all sources in a folder; false if it cannot be read. */
static bool list_folder(const char *path, struct word_list *paths) {
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (can_be_compiled(entry->d_name)) {
            struct text name = TEXT_INIT;
            text_append_format(&name, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/",
                               entry->d_name);
            words_add(paths, name.data);
            text_release(&name);
        }
    return folder && closedir(folder) == 0;
}

/* All sources in a folder, or else in its src/, in the order of their names. */
static int add_folder(struct sources *sources, const char *path, struct error *err) {
    struct word_list paths = {0};
    struct text inner = TEXT_INIT;
    int status = 0;
    text_append_format(&inner, "%s%ssrc", path, path[strlen(path) - 1] == '/' ? "" : "/");
    if (!list_folder(path, &paths))
        status = error_set_errno(err, ERROR_USAGE, errno, _("cannot read %s"), path);
    else if (paths.count == 0 && (!list_folder(inner.data, &paths) || paths.count == 0))
        status = error_set(err, ERROR_USAGE,
                           _("%s: no source files in this folder\nallowed: .cu "
                             ".cpp .cc .cxx .c"),
                           path);
    if (paths.count)
        qsort(paths.word, (size_t)paths.count, sizeof paths.word[0], compare_names);
    for (int i = 0; status == 0 && i < paths.count; i++)
        status = add_source(sources, paths.word[i], err);
    words_release(&paths);
    text_release(&inner);
    return status;
}

static int read_sources(struct sources *sources, const struct user_request *request,
                        struct error *err) {
    if (request->text) {
        sources->source = memory_grow(sources->source, 1, sizeof(sources->source[0]));
        sources->text = memory_grow(sources->text, 1, sizeof(sources->text[0]));
        sources->text[0] = (struct text)TEXT_INIT;
        text_append(&sources->text[0], request->text->text->data);
        sources->source[0] = (struct user_source){.path = memory_string(request->text->path)};
        sources->count = 1;
    }
    for (int i = 0; i < request->file_count && !request->text; i++)
        if (is_source_folder(request->files[i]) ? add_folder(sources, request->files[i], err) != 0
                                                : add_source(sources, request->files[i], err) != 0)
            return -1;
    /* A single file goes by its name; several keep their folders, to tell them apart. */
    for (size_t i = 0; i < sources->count; i++) {
        struct user_source *source = &sources->source[i];
        source->name = sources->count == 1 ? file_base_name(source->path) : source->path;
        source->text = &sources->text[i];
        if (sources->count > 1)
            user_headers_resolve(source->path, &request->include, &sources->text[i], NULL);
    }
    const bool is_cuda = sources->count == 1 && (is_cuda_source(sources->source[0].path) ||
                                                 is_cuda_header(sources->source[0].path));
    if (is_cuda)
        return user_bring(&sources->brought, sources->source[0].path, &sources->text[0],
                          &request->choice, &request->include, !request->print_to_errors, err);
    return user_refuse_call(&request->choice, err);
}

/* In the compiler's messages, names the only file by its path as typed, so that editors and
 * terminals can open it. */
static void append_with_path(struct text *said, const struct user_source *source,
                             const char *text) {
    const size_t length = strlen(source->name);
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        const size_t blanks = strspn(line, " ");
        const bool is_named =
            strncmp(line + blanks, source->name, length) == 0 && line[blanks + length] == ':';
        text_append_bytes(said, line, is_named ? blanks : 0);
        text_append(said, is_named ? source->path : "");
        line += is_named ? blanks + length : 0;
        text_append_bytes(said, line, (size_t)(end - line));
    }
}

static void rewrite_with_path(const struct user_source *source, struct error *err) {
    struct text said = TEXT_INIT;
    if (source->name == source->path)
        return;
    append_with_path(&said, source, err->text);
    error_set(err, err->kind, "%s", said.data);
    text_release(&said);
}

static void release_sources(struct sources *sources) {
    for (size_t i = 0; i < sources->count; i++) {
        free((char *)sources->source[i].path);
        text_release(&sources->text[i]);
    }
    bring_result_release(&sources->brought);
    free(sources->source);
    free(sources->text);
}

/* ---- the run ---- */

/* Refuses options that a run on a GPU cannot have, and fails without a GPU, before a build that
 * takes seconds. */
static int check_gpu(const struct user_request *request, struct error *err) {
    if (request->device != DEVICE_GPU)
        return 0;
    if (request->run.settings.confined)
        return error_set(err, ERROR_USAGE,
                         _("--sandbox: a program on a GPU cannot be confined: it needs the driver\n"
                           "try: --device cpu"));
    if (request->run.settings.limits.memory)
        return error_set(err, ERROR_USAGE,
                         _("--memory-limit: CUDA reserves more address space than limits "
                           "allow\ntry: --device cpu"));
    if (!gpu_driver_exists())
        return error_set(err, ERROR_MISSING,
                         _("no NVIDIA driver on this machine\n"
                           "try: --device cpu, the same program on the CPU warp; or install the "
                           "driver"));
    return 0;
}

/* Prints the build's remarks, line by line. */
static void print_remarks(const struct user_source *source, const char *remarks) {
    struct text said = TEXT_INIT;
    append_with_path(&said, source, remarks ? remarks : "");
    size_t length;
    progress_line_hold();
    for (const char *line = said.data; *line; line += length) {
        length = strcspn(line, "\n") + 1;
        fprintf(stderr, "shflviz: %.*s", (int)length, line);
    }
    progress_line_printed(NULL, 0);
    text_release(&said);
}

/* No more schedules are run after this many in which lanes spin forever, because each takes
 * seconds. */
#define LIVELOCKS_ENOUGH 2

/* True, and reported to the user, if the remaining schedules need not run. */
static bool enough_livelocks(const struct trace *trace, uint32_t *livelocks, uint32_t done,
                             uint32_t runs) {
    if (!trace || trace_failure(trace) != TRACE_FAILURE_LIVELOCK ||
        ++*livelocks < LIVELOCKS_ENOUGH || done == runs)
        return false;
    progress_line_hold();
    fprintf(stderr,
            _("shflviz: %" PRIu32 " of %" PRIu32
              " schedules were run: in two of them lanes spin forever\n"),
            done, runs);
    progress_line_printed(NULL, 0);
    return true;
}

/* The arguments of run_schedule() that are the same for all schedules. */
struct schedule_run {
    const struct user_request *request;
    const struct user_program *program;
    struct held *held;
    uint32_t runs;
};

/* Runs one schedule; only the first has input and output. The recording is the caller's. */
static int run_schedule(const struct schedule_run *run, uint64_t schedule, uint32_t number,
                        bool asks, struct trace **trace, int *status, struct error *err) {
    struct user_request again = *run->request;
    const struct turn turn = {number, run->runs, asks};
    again.run.settings.schedule = schedule;
    *trace = NULL;
    if (number > 1) {
        unlink(run->program->recording); /* the previous one may still be in use */
        again.output = NULL;
        again.is_repeated = true;
    }
    return one_run(&again, run->program, run->held, turn, trace, status, err);
}

/* Runs a schedule again for its results; nothing else of its recording is read. */
static struct orders_result rerun_schedule(const struct schedule_run *run, uint64_t schedule) {
    struct error ignored = ERROR_INIT;
    struct program_accesses accesses = {0};
    struct trace *trace = NULL;
    int status = 0;
    run_schedule(run, schedule, run->runs, false, &trace, &status, &ignored);
    program_accesses_read(run->program, &accesses, &ignored);
    program_accesses_release(&accesses);
    struct orders_result result = orders_result_of(trace, status);
    trace_close(trace);
    return result;
}

/* Compares the very first schedule with the first one whose results differ from its own. */
static void compare_orders(const struct schedule_run *run, struct orders_result *results,
                           uint32_t done, struct orders_difference *difference) {
    const uint64_t first = run->request->run.settings.schedule;
    uint32_t other = 1;
    while (other < done && orders_same(&results[0], &results[other]))
        other++;
    if (other >= done || child_is_interrupted())
        return;
    struct orders_result one[2] = {results[0], rerun_schedule(run, first)};
    struct orders_result two[2] = {results[other], rerun_schedule(run, first + other)};
    orders_compare(one, two, difference);
    difference->first = first;
    difference->other = first + other;
    orders_result_release(&one[1]);
    orders_result_release(&two[1]);
}

static int run_schedules(const struct user_request *request, const struct user_program *program,
                         struct held *held, uint32_t runs, user_run_visitor *visit, void *context,
                         int *status, struct error *err) {
    const struct schedule_run run = {request, program, held, runs};
    struct orders_result *results =
        memory_zeroed(request->orders ? runs : 1, sizeof *results); /* of the schedules */
    const uint64_t first = request->run.settings.schedule;
    int result = 0;
    bool asks = true; /* false once something is known to depend on undefined values */
    uint32_t livelocks = 0, done = 0;
    for (uint32_t i = 0; result == 0 && i < runs; i++) {
        struct program_accesses accesses = {0};
        struct error unread = ERROR_INIT;
        struct trace *trace;
        int end = 0;
        result = run_schedule(&run, first + i, i + 1, asks, &trace, &end, err);
        if (i == 0)
            *status = end;
        int read = program_accesses_read(program, &accesses, result == 0 ? err : &unread);
        if (trace && trace_marks_are_wanted(trace))
            asks = trace_note(trace, TRACE_NOTE_UNUSED) != NULL;
        if (request->orders)
            results[done++] = orders_result_of(result == 0 ? trace : NULL, end);
        const bool enough = enough_livelocks(trace, &livelocks, i + 1, runs);
        int visited =
            visit(context, trace, &accesses, first + i, result == 0 && read == 0 ? err : &unread);
        program_accesses_release(&accesses);
        if (result == 0)
            result = read != 0 ? read : visited;
        if (enough)
            break;
    }
    if (result == 0 && done > 1)
        compare_orders(&run, results, done, request->orders);
    for (uint32_t i = 0; i < done; i++)
        orders_result_release(&results[i]);
    free(results);
    return result;
}

int user_record_schedules(const struct user_request *request, uint32_t runs,
                          user_run_visitor *visit, void *context, int *status, struct error *err) {
    struct sources sources = {0};
    struct user_request brought = *request;
    struct text command = TEXT_INIT;
    struct user_program program;
    struct held held = {.is_held = false};
    *status = 0;
    int result = check_gpu(request, err);
    if (result == 0 && request->run.settings.accesses && !user_program_can_see_accesses())
        result = error_set(err, ERROR_MISSING,
                           _("--memory-accesses cannot be used: this shflviz was itself built with "
                             "a sanitizer, or for a system without ELF"));
    if (result == 0)
        result = read_sources(&sources, request, err);
    if (result == 0 && sources.brought.has_main) {
        text_append_format(&command, "%s%s", request->run.command, sources.brought.options.data);
        brought.run.command = command.data;
        brought.run.title = sources.brought.call.data;
    }
    if (result == 0 && request->output)
        result = held_lock(&held, request->output, err);
    if (result == 0) {
        struct text torch = TEXT_INIT;
        const struct user_source before = {"torch.cuh", "torch.cuh", &torch};
        text_append(&torch, bring_torch);
        const struct user_build build = {.sources = sources.source,
                                         .before = sources.brought.before_torch ? &before : NULL,
                                         .source_count = sources.count,
                                         .include = request->include.word,
                                         .define = request->define.word,
                                         .standard = request->standard,
                                         .gpu = request->device == DEVICE_GPU,
                                         .shown = request->shown,
                                         .shown_count = request->shown_count,
                                         .accesses = request->accesses,
                                         .access_steps = request->run.settings.accesses,
                                         .lines = request->run.settings.lines,
                                         .origins = request->run.settings.origins,
                                         .in_step = true,
                                         .confined = request->run.settings.confined,
                                         .limits = confine_limits(request->run.settings.confined
                                                                      ? CONFINE_COMPILER
                                                                      : CONFINE_NOTHING)};
        char what[UTF8_NAME_SIZE + 32];
        utf8_format(what, sizeof what, _("building %s"), utf8_name(sources.source[0].path));
        progress_line_begin(what);
        result = user_program_build(&program, &build, err);
        text_release(&torch);
        if (result != 0 && sources.count == 1)
            rewrite_with_path(&sources.source[0], err);
        if (!request->is_repeated)
            print_remarks(&sources.source[0], program.remarks.data);
        if (result == 0)
            result = run_schedules(&brought, &program, &held, runs, visit, context, status, err);
        progress_line_end();
        if (result != 0 && child_is_interrupted())
            fprintf(stderr, "shflviz: %s\n", err->text);
        held_release(&held); /* the next line may end the process */
        user_program_release(&program);
    }
    held_release(&held);
    release_sources(&sources);
    text_release(&command);
    return result;
}

static int take_trace(void *context, struct trace *trace, const struct program_accesses *accesses,
                      uint64_t schedule, struct error *err) {
    (void)accesses, (void)schedule, (void)err;
    *(struct trace **)context = trace;
    return 0;
}

int user_record(const struct user_request *request, struct trace **trace, int *status,
                struct error *err) {
    *trace = NULL;
    return user_record_schedules(request, 1, take_trace, trace, status, err);
}
