/*
 * watched.c - linked into a user program, so that it is recorded.
 *
 * The program keeps its main(). Before that runs, a CPU warp is set up with a recording in the file
 * that its settings name (settings_file.h); when the program exits, the recording is closed. If the
 * program crashes, the recording has everything up to the last complete step. Without settings, the
 * program runs unrecorded.
 */
#include "cudacpu/calls.h"
#include "cudacpu/crash/crash.h"
#include "cudacpu/guest/watched_recording.h"
#include "simt/simt.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct cpu_device *device;
    struct cpu_sink sink;
    struct trace_writer *writer;
    struct cpu_sink below; /* the recording's own functions, called by those of `sink` */
    uint64_t launches, dropped;
    uint64_t stop_after; /* steps; 0: the program ends by itself */
    const struct cpu_observer *observer;
    pid_t process;
    pthread_t ends; /* the thread that ends the program, once `is_ending` */
    bool is_ending, is_stopped;
} watched;

/* A thread of the host may end the program while another's kernel runs, as on a GPU. That kernel
 * blocks when it next calls the recording, which is then closed. */
static void stop_if_ending(void) {
    if (!__atomic_load_n(&watched.is_ending, __ATOMIC_ACQUIRE) ||
        pthread_equal(watched.ends, pthread_self()))
        return;
    __atomic_store_n(&watched.is_stopped, true, __ATOMIC_RELEASE);
    for (;;)
        pause();
}

/* Waits until no kernel runs or the running one is stopped, for a limited time: a spinning kernel
 * makes no calls. */
static void wait_for_kernels(void) {
    watched.ends = pthread_self();
    __atomic_store_n(&watched.is_ending, true, __ATOMIC_RELEASE);
    for (int i = 0; i < 1000; i++) {
        if (cpu_runtime_try_close() || __atomic_load_n(&watched.is_stopped, __ATOMIC_ACQUIRE))
            return;
        usleep(1000);
    }
}

static void watched_end(void) {
    if (!watched.device || getpid() != watched.process)
        return;
    wait_for_kernels();
    const struct error *failure = cpu_device_error(watched.device);
    if (failure->kind == ERROR_RUN && !crash_was_reported(failure->text))
        fprintf(stderr, "shflviz: %s\n", failure->text);
    fflush(stdout);
    if (watched.observer && watched.observer->ending)
        watched.observer->ending();
    watched_recording_end(watched.writer, failure->kind == ERROR_NONE ? NULL : failure->text);
    watched.writer = NULL;
}

void *cpu_thread_dynamic_shared(void) {
    return cpu_dynamic_shared;
}

#ifdef __GLIBC__
/* Replaces the C library's: assert() calls it, in kernels and on the host. */
void __assert_fail(const char *text, const char *file, unsigned line,
                   const char *function); /* <assert.h> may not declare it */
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
    if (cpu_runtime_in_kernel())
        cpu_assert_failed(text, file, line, function);
    fflush(stdout);
    fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file,
            line, function, text);
    abort();
}
#endif

/* Named when a program is linked (-u), which pulls this file in. */
extern int cudacpu_guest;
int cudacpu_guest = 1;

/* Defined in access.c, which is linked if the program was compiled to report its accesses. */
extern const struct cpu_observer *cpu_access_begin(const char *path) __attribute__((weak));
/* Defined in origins.c, linked if the program was compiled to report the origins of its values. */
extern const struct cpu_origins *cpu_origins_begin(void) __attribute__((weak));
extern void cpu_record_begin(const char *path, struct trace_writer *writer, unsigned which)
    __attribute__((weak));

/* ---- progress, counted on the way to the recording ---- */

static void report_progress(void) {
    watched_progress(watched.launches,
                     trace_writer_next_sequence(watched.writer) - 1 + watched.dropped);
}

static uint32_t count_launch(void *context, const struct trace_launch *launch) {
    stop_if_ending();
    watched.launches++;
    report_progress();
    return watched.below.launch(context, launch);
}

static uint32_t pass_site(void *context, const struct trace_site *site) {
    stop_if_ending();
    return watched.below.site(context, site);
}

static void *count_reserve(void *context, size_t *count) {
    stop_if_ending();
    report_progress();
    return watched.below.reserve(context, count);
}

static void count_drop(void *context, uint64_t steps) {
    stop_if_ending();
    watched.dropped += steps;
    if (watched.dropped % 4096 < steps)
        report_progress();
    watched.below.drop(context, steps);
}

/* The program has recorded the requested number of steps. It is in the middle of a kernel, so
 * neither its destructors nor its atexit() functions can run. */
static void stop_if_recorded(void *context) {
    const uint64_t recorded = trace_writer_next_sequence(context) - 1;
    char number[32];
    if (recorded < watched.stop_after || getpid() != watched.process)
        return;
    snprintf(number, sizeof number, "%" PRIu64, recorded);
    trace_writer_note(watched.writer, TRACE_NOTE_STOPPED, number);
    fflush(stdout);
    watched_recording_end(watched.writer, NULL);
    _exit(EXIT_SUCCESS);
}

static void watched_record(struct cpu_options *options, const struct settings_file *file) {
    watched.writer = watched_recording_begin(file);
    if (!watched.writer)
        return;
    trace_writer_note(watched.writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(watched.writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(watched.writer, TRACE_NOTE_RECORDED, "emulated");
    watched.sink = watched.below = cpu_sink_writer(watched.writer);
    watched.sink.launch = count_launch;
    watched.sink.site = pass_site;
    watched.sink.reserve = count_reserve;
    watched.sink.drop = count_drop;
    watched.stop_after = file->settings.stop_after;
    if (watched.stop_after)
        watched.sink.filled = stop_if_recorded;
    options->sink = &watched.sink;
}

/* Runs before the user program's constructors, which may print, and before std::cout's,
 * which reads stdout. */
__attribute__((constructor(101))) static void watched_begin(void) {
    static bool undefined;
    struct settings_file file;
    settings_file_read(&file);
    struct cpu_options options = {.settings = file.settings,
                                  .undefined = &undefined,
                                  .guards_memory = !CPU_SWITCH_SANITIZED && !CPU_SWITCH_THREADS,
                                  .place = crash_location};
    watched.process = getpid();
    /* Its output is a pipe: if the program is killed, no printed line should be lost. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    watched_record(&options, &file);
    if (file.text[SETTINGS_ACCESSES] && cpu_access_begin)
        options.observer = cpu_access_begin(file.text[SETTINGS_ACCESSES]);
    watched.observer = options.observer;
    if (file.text[SETTINGS_LINES] && cpu_record_begin && watched.writer)
        cpu_record_begin(file.text[SETTINGS_LINES], watched.writer, file.settings.accesses);
    if (file.settings.origins && cpu_origins_begin && watched.writer)
        options.origins = cpu_origins_begin();
    watched.device = cpu_device_create(&options);
    cpu_device_use(watched.device);
    atexit(watched_end);
#if !CPU_SWITCH_SANITIZED && !CPU_SWITCH_THREADS /* a sanitizer reports crashes itself */
    crash_watch(file.text[SETTINGS_SOURCES], file.settings.limits.seconds);
#endif
}
