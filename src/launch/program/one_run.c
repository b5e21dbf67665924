/*
 * Everything that must happen while a program runs is done by one loop that polls its descriptors,
 * passes on output, shows progress, enforces time limits, and lets the screen read the recording.
 */
#include "launch/program/one_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text/utf8.h"
#include "explain/findings/census.h"
#include "launch/launch.h"
#include "launch/program/watching.h"
#include "trace/read/tail.h"

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

#define MOMENT 20 /* milliseconds between two checks of state that no descriptor reports */
#define SOON                                                                                       \
    150 /* a program that ends this soon after its first step is shown when it                     \
         * has ended */
#define COPIED_MOST (UINT64_C(64) << 20) /* bytes copied from an unfinished recording */
#define LONG_RUN                                                                                   \
    60000 /* milliseconds after which a log gets a message that the program is still running */
#define HELD_BACK_MOST (16l << 20) /* bytes of output kept while a screen has the terminal */

struct running_program {
    const struct user_request *request;
    const struct user_program *program;
    struct held *held;
    struct turn turn;
    struct user_run run;
    struct text begun[2]; /* an incomplete character at the end of output and errors */
    struct user_process *running;
    struct user_progress progress;
    int64_t began; /* by clock_milliseconds() */
    char *path;    /* the path of its recording */
    int recording; /* that file; -1 if it does not exist yet */
    struct trace_tail *tail;
    FILE *held_back; /* output held back while a screen has the terminal; NULL if none has */
    bool attended, told_long;
    /* Once the run has ended: */
    bool settled;
    int result, status;
    struct trace *trace;
    struct error *err;
};

/* Output of an untrusted program is filtered for a terminal. */
static void forward_visible(FILE *out, struct text *begun, const char *bytes, size_t count) {
    text_append_bytes(begun, bytes, count);
    struct text rest = TEXT_INIT;
    const size_t kept = count && begun->length ? utf8_incomplete(begun->data, begun->length) : 0;
    text_append_bytes(&rest, begun->data + begun->length - kept, kept);
    begun->length = utf8_visible(begun->data, begun->data, begun->length - kept, UTF8_LINES);
    fwrite(begun->data, 1, begun->length, out);
    text_release(begun);
    *begun = rest;
}

/* The destination of a stream: while a screen has the terminal, output to it is kept and printed
 * afterwards. */
static FILE *destination(const struct running_program *going, int stream) {
    FILE *out = stream == 1 && !going->request->print_to_errors ? stdout : stderr;
    return going->held_back && isatty(fileno(out)) ? going->held_back : out;
}

static void forward_output(void *context, int stream, const char *bytes, size_t count) {
    struct running_program *going = context;
    if (going->request->is_repeated)
        return;
    if (stream == 1 && going->request->printed)
        text_append_bytes(going->request->printed, bytes, count);
    FILE *out = destination(going, stream);
    const bool is_held = going->held_back && out == going->held_back;
    if (is_held && ftell(out) > HELD_BACK_MOST)
        return; /* the recording has the first MiB of all output */
    progress_line_hold();
    if (going->request->run.settings.confined && (is_held || isatty(fileno(out))))
        forward_visible(out, &going->begun[stream - 1], bytes, count);
    else
        fwrite(bytes, 1, count, out);
    fflush(out);
    progress_line_printed(isatty(fileno(out)) ? bytes : NULL, count);
}

/* Without a terminal, a single message says how far a long run has got, and how to end it. */
static void report_long_run(struct running_program *going) {
    const char *setting = getenv("SHFLVIZ_PROGRESS");
    const int64_t passed = clock_milliseconds() - going->began;
    if (going->told_long || isatty(STDERR_FILENO) || going->request->is_repeated ||
        going->turn.run > 1 || (setting && strcmp(setting, "never") == 0) ||
        (passed < LONG_RUN && !(setting && strcmp(setting, "always") == 0)))
        return;
    going->told_long = true;
    fprintf(
        stderr,
        _("shflviz: still running after %d s: launch %" PRIu64 ", %" PRIu64
          " steps; --time or --stop-after ends the program, and --device gpu runs it on a GPU\n"),
        (int)(passed / 1000), going->progress.launches, going->progress.steps);
}

static void take_progress(void *context, const struct user_progress *progress) {
    struct running_program *going = context;
    going->progress = *progress;
    if (going->attended)
        return;
    report_long_run(going);
    if (going->turn.runs > 1)
        progress_line_set_text(
            _("run %" PRIu32 " of %" PRIu32 ": launch %" PRIu64 ", %" PRIu64 " steps"),
            going->turn.run, going->turn.runs, progress->launches, progress->steps);
    else
        progress_line_set_text(_("launch %" PRIu64 ", %" PRIu64 " steps"), progress->launches,
                               progress->steps);
}

int held_lock(struct held *held, const char *path, struct error *err) {
    held->has_before = stat(path, &held->before) == 0;
    const int status = recording_file_open(&held->file, path, false, err);
    held->is_held = status == 0;
    return status;
}

/* True if the file is no longer the old one: a new recording has replaced it. */
static bool was_replaced(const struct held *held, const char *path) {
    struct stat now;
    return stat(path, &now) == 0 && !(held->has_before && now.st_ino == held->before.st_ino &&
                                      now.st_dev == held->before.st_dev);
}

void held_release(struct held *held) {
    if (held->is_held) {
        recording_file_discard(&held->file);
        recording_file_release(&held->file);
    }
    held->is_held = false;
}

/* True if another process records there because it got in between our unlocking of the file and the
 * program's start. */
static bool is_locked(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool locked =
        descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (descriptor >= 0)
        close(descriptor);
    return locked;
}

/* An incomplete recording keeps its partial name; the requested file is then missing, and the exit
 * status must not hide that from the next command even if the program succeeded. */
static void report_partial(struct running_program *going, bool ran, const char *partial,
                           struct error *err) {
    if (ran && going->status == 0)
        going->status = ERROR_USAGE;
    if (ran)
        fprintf(destination(going, 2),
                _("shflviz: the recording was not finished (the program ended with _exit() or the "
                  "like, or could not write more): it is in %s\n"),
                utf8_name(partial));
    else
        error_append(err, _("\nthe recording up to then is in %s"), partial);
}

static int open_recording(struct running_program *going, bool ran, struct trace **trace,
                          int *descriptor, struct error *err) {
    const struct user_request *request = going->request;
    struct text partial = TEXT_INIT;
    struct error *why = ran ? err : NULL; /* if it failed, err already has the reason */
    *descriptor = -1;
    if (!request->output || request->run.settings.confined)
        return user_program_open(going->program, trace, descriptor, why);
    text_append_format(&partial, "%s.partial", request->output);
    struct held other = {.is_held = false};
    const bool locked = is_locked(partial.data);
    const bool unfinished = !locked && access(partial.data, F_OK) == 0;
    int status = 0;
    if (!locked && !unfinished && ran && !was_replaced(going->held, request->output))
        status = error_set(err, ERROR_USAGE, _("nothing was recorded to '%s'"), request->output);
    else if (!locked)
        status = trace_open(trace, unfinished ? partial.data : request->output, why);
    else if ((status = recording_file_open(&other.file, request->output, false, why)) ==
             0) /* no longer locked */
        other.is_held = true;
    held_release(&other);
    if (unfinished)
        report_partial(going, ran && status == 0, partial.data, err);
    text_release(&partial);
    return status;
}

static int copy_bytes(int from, const char *name, const struct recording_file *file, const char *to,
                      struct error *err) {
    static char bytes[1 << 16];
    ssize_t count, written;
    off_t at = 0;
    while ((count = pread(from, bytes, sizeof(bytes), at)) > 0) {
        written = write(file->descriptor, bytes, (size_t)count);
        if (written < 0 && errno != EINTR)
            return recording_error_write(err, errno, to, NULL);
        at += written > 0 ? written : 0;
    }
    return count < 0 ? recording_error_read(err, errno, name) : 0;
}

/* Under --sandbox the program writes into its own folder only, so its recording is copied. */
static int copy_recording(struct running_program *going, int from, bool ran,
                          const struct trace *trace, struct error *err) {
    const char *name = going->program->source, *to = going->request->output;
    struct held *held = going->held;
    int status = copy_bytes(from, name, &held->file, to, ran ? err : NULL);
    if (status != 0) {
        held_release(held);
        return status;
    }
    if (ran && trace_is_complete(trace))
        status = recording_file_commit(&held->file, launch_is_durable(), err);
    else
        report_partial(going, ran, held->file.partial, err);
    recording_file_release(&held->file);
    held->is_held = false;
    return status;
}

/* Runs the program again to follow undefined values, unless this run failed. */
static void follow_values(struct running_program *going) {
    const struct user_request *request = going->request;
    if (going->result != 0 || !going->trace)
        return;
    progress_line_begin(_("following undefined values"));
    if (going->turn.asks && request->accesses)
        user_program_ignores_poison(going->program, &going->run, &going->trace);
    if (!request->run.settings.unfollowed)
        user_program_follow(going->program, &going->run, &going->trace);
    progress_line_end();
}

/* The processors that this process may use. */
static unsigned processors(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

/* Fills in the settings that the request leaves open. */
static void fill_settings(struct user_run *run, const struct user_request *request) {
    struct run_settings *settings = &run->settings;
    settings->limits = confine_limits_given(&settings->limits,
                                            settings->confined ? CONFINE_PROGRAM : CONFINE_NOTHING);
    settings->replaces = request->output && !settings->confined;
    settings->durable = settings->replaces && launch_is_durable();
    if (!settings->step_limit && !request->output)
        settings->step_limit = USER_RUN_STEPS;
    if (!settings->jobs)
        settings->jobs = processors();
    run->trace_path = settings->replaces ? request->output : NULL;
    run->input = request->is_repeated ? -1 : STDIN_FILENO;
}

/* ---- while the program runs ---- */

bool running_program_listen(struct running_program *going, int milliseconds) {
    return !going->settled && user_program_listen(going->running, milliseconds);
}

size_t running_program_descriptors(const struct running_program *going, int *descriptors) {
    return going->settled ? 0 : user_program_descriptors(going->running, descriptors);
}

struct trace *running_program_look(struct running_program *going) {
    if (going->recording < 0)
        going->recording =
            open(going->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
    if (going->recording >= 0 && !going->tail)
        going->tail = trace_tail_begin(going->recording, COPIED_MOST);
    return going->tail ? trace_tail_look(going->tail) : NULL;
}

const char *running_program_name(const struct running_program *going) {
    return going->program->source;
}

uint64_t running_program_steps(const struct running_program *going) {
    return going->progress.steps;
}

void running_program_interrupt(struct running_program *going) {
    if (!going->settled)
        user_program_interrupt(going->running);
}

static uint64_t threads_of(const struct trace_launch *launch) {
    const uint32_t *grid = launch->grid, *block = launch->block;
    return (uint64_t)grid[0] * grid[1] * grid[2] * block[0] * block[1] * block[2];
}

/* After a time limit: names the kernel with the most threads in total, which is where programs
 * sized for a GPU spend their time. */
static void report_largest_kernel(const struct running_program *going) {
    const uint32_t seconds = going->run.settings.limits.seconds;
    struct census census;
    if (going->result == 0 || !seconds || !going->trace || trace_launch_count(going->trace) == 0 ||
        clock_milliseconds() - going->began < (int64_t)seconds * 1000)
        return;
    census_init(&census, going->trace);
    const size_t kernels = census.count[CENSUS_KERNELS];
    uint64_t *threads = memory_zeroed(kernels, sizeof threads[0]);
    size_t most = 0;
    for (uint32_t i = 0; trace_launch(going->trace, i); i++)
        threads[census.kernel_of[i]] += threads_of(trace_launch(going->trace, i));
    for (size_t i = 1; i < kernels; i++)
        most = threads[i] > threads[most] ? i : most;
    const struct census_row *row = &census.rows[CENSUS_KERNELS][most];
    error_append(going->err,
                 message_plural("\nkernel %s was launched %" PRIu32 " time, with %" PRIu64
                                " threads\ntry: a smaller size, or --time with more seconds",
                                "\nkernel %s was launched %" PRIu32 " times, with %" PRIu64
                                " threads each\ntry: a smaller size, fewer repetitions, or --time "
                                "with more seconds",
                                row->launches),
                 trace_launch(going->trace, row->launch)->kernel, row->launches,
                 threads[most] / row->launches);
    free(threads);
    census_release(&census);
}

struct user_run_end running_program_settle(struct running_program *going) {
    if (!going->settled) {
        going->settled = true;
        going->result = user_program_finish(going->running, &going->status, going->err);
        for (int stream = 1; stream <= 2; stream++)
            if (going->begun[stream - 1].length)
                forward_output(going, stream, "", 0); /* an incomplete character */
        const bool ran = going->result == 0;
        int descriptor, opened = open_recording(going, ran, &going->trace, &descriptor, going->err);
        if (ran && (going->result = opened) == 0 && going->trace)
            going->result =
                watching_check(&going->request->run.settings.watch, going->trace, going->err);
        report_largest_kernel(going);
        follow_values(going);
        if (descriptor >= 0 && going->held->is_held && (going->result == 0 || !ran)) {
            progress_line_set_text("%s", _("saving the recording"));
            const int copied = copy_recording(going, descriptor, ran, going->trace, going->err);
            going->result = ran ? copied : going->result;
        }
        if (descriptor >= 0)
            close(descriptor);
    }
    return (struct user_run_end){going->result, going->status, going->err, going->trace};
}

/* Prints output that was held back: the terminal is the shell's again. */
static void print_held_back(struct running_program *going) {
    char bytes[4096];
    size_t count;
    rewind(going->held_back);
    while ((count = fread(bytes, 1, sizeof bytes, going->held_back)) > 0)
        fwrite(bytes, 1, count, stdout);
    fflush(stdout);
    fclose(going->held_back);
    going->held_back = NULL;
}

/* Gives the terminal to the caller's screen until the user leaves it. */
static void attend(struct running_program *going, struct trace *trace) {
    going->attended = true;
    going->held_back = tmpfile();
    user_program_close_input(going->running);
    progress_line_end();
    going->request->attend(going->request->attend_context, going, trace);
    running_program_interrupt(going);
    while (running_program_listen(going, MOMENT))
        ;
    if (going->held_back)
        print_held_back(going);
    progress_line_begin(_("ending"));
}

/* Waits for the program's end, or for its first step if it is to be shown. */
static void wait_for(struct running_program *going) {
    struct trace *trace = NULL, *newer;
    int64_t first = 0;
    while (running_program_listen(going, MOMENT)) {
        if (!going->request->attend || going->attended)
            continue;
        if ((newer = running_program_look(going)) != NULL) {
            trace_close(trace);
            trace = newer;
        }
        if (!first && trace && trace_step_count(trace) > 0)
            first = clock_milliseconds();
        if (first && clock_milliseconds() - first >= SOON) {
            attend(going, trace);
            trace = NULL;
        }
    }
    trace_close(trace);
}

static void set_up(struct running_program *going) {
    struct user_run *run = &going->run;
    *run = going->request->run;
    fill_settings(run, going->request);
    run->called = going->program->source;
    run->title = run->title ? run->title : going->program->source;
    run->output = forward_output;
    run->tick = take_progress;
    run->output_context = run->tick_context = going;
    run->hands_on = going->request->attend && run->input >= 0 && isatty(run->input);
    going->path =
        memory_string(run->trace_path ? going->held->file.partial : going->program->recording);
    if (run->trace_path)
        held_release(going->held);
}

int one_run(const struct user_request *request, const struct user_program *program,
            struct held *held, struct turn turn, struct trace **trace, int *status,
            struct error *err) {
    struct running_program going = {.request = request,
                                    .program = program,
                                    .held = held,
                                    .turn = turn,
                                    .begun = {TEXT_INIT, TEXT_INIT},
                                    .recording = -1,
                                    .err = err};
    int result = -1;
    set_up(&going);
    going.began = clock_milliseconds();
    going.running = user_program_start(program, &going.run, err);
    if (going.running) {
        wait_for(&going);
        running_program_settle(&going);
        result = going.result;
        *status = going.status;
        *trace = going.trace;
    }
    trace_tail_end(going.tail);
    if (going.recording >= 0)
        close(going.recording);
    for (int stream = 0; stream < 2; stream++)
        text_release(&going.begun[stream]);
    free(going.path);
    return result;
}
