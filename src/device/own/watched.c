/*
 * watched.c - what is linked into a program of somebody's own, so that it is recorded.
 *
 * The program keeps its main(). Before that runs, a CPU warp is put in place whose recording is the
 * file that SHFLVIZ_WATCH_TRACE names; when the program ends of its own will, the recording is
 * closed. A program that crashes leaves it up to its last whole step. Run without that variable the
 * program works, unrecorded.
 */
#include "base/memory.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/sink.h"
#include "device/own/output.h"
#include "device/own/own_program.h"
#include "shflviz/cpu/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    struct cpu_device *device;
    struct cpu_sink sink;
    struct trace_writer *writer;
    pid_t process;
} watched;

static void watched_end(void) {
    struct error err = ERROR_INIT;
    if (!watched.device || getpid() != watched.process)
        return;
    const struct error *failure = cpu_device_error(watched.device);
    fflush(stdout);
    if (watched.writer) {
        output_forget();
        if (failure->kind != ERROR_NONE)
            trace_writer_note(watched.writer, TRACE_NOTE_FAILURE, failure->text);
        if (trace_writer_close(watched.writer, NULL, &err) != 0)
            fprintf(stderr, "%s\n", err.text);
    }
    watched.writer = NULL;
}

static void watched_note(struct trace_writer *writer, const char *key, const char *variable) {
    const char *value = getenv(variable);
    if (value && *value)
        trace_writer_note(writer, key, value);
}

static void watched_notes(struct trace_writer *writer) {
    trace_writer_note(writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "emulated");
    watched_note(writer, TRACE_NOTE_TITLE, OWN_PROGRAM_TITLE);
    watched_note(writer, TRACE_NOTE_COMMAND, OWN_PROGRAM_COMMAND);
}

/* The texts of the program, as its sites name them: pairs of lines, a name and a path. */
static void watched_sources(struct trace_writer *writer) {
    const char *path = getenv(OWN_PROGRAM_SOURCES);
    FILE *list = path ? fopen(path, "r") : NULL;
    char name[4096], copy[4096];
    while (list && fgets(name, sizeof name, list) && fgets(copy, sizeof copy, list)) {
        struct text text = TEXT_INIT;
        name[strcspn(name, "\n")] = copy[strcspn(copy, "\n")] = '\0';
        FILE *file = fopen(copy, "r");
        if (file) {
            text_append_stream(&text, file);
            fclose(file);
            /* Its first line is ours: #line, with the name. */
            trace_writer_source(writer, name, text.data + strcspn(text.data, "\n") + 1);
        }
        text_release(&text);
    }
    if (list)
        fclose(list);
}

/* The number after "NAME=" among the options; 0 if it is not there. */
static uint64_t watched_option(const char *name) {
    const char *options = getenv(OWN_PROGRAM_OPTIONS);
    size_t length = strlen(name);
    while (options && *options) {
        if (strncmp(options, name, length) == 0 && options[length] == '=')
            return strtoull(options + length + 1, NULL, 10);
        options += strcspn(options, " ");
        options += strspn(options, " ");
    }
    return 0;
}

/* The filter's bytes, two digits each. */
static void watched_filter(struct shflviz_filter *filter) {
    const char *digits = getenv(OWN_PROGRAM_FILTER);
    unsigned char bytes[sizeof *filter];
    unsigned value;
    for (size_t i = 0; i < sizeof bytes; i++, digits += 2) {
        if (!digits || sscanf(digits, "%2x", &value) != 1)
            return;
        bytes[i] = (unsigned char)value;
    }
    memcpy(filter, bytes, sizeof bytes);
}

/* One area for all `extern __shared__` arrays, whatever they are called. */
unsigned char cpu_dynamic_shared[CPU_SHARED_BYTES] __attribute__((aligned(128)));

/* Named when a program is linked (-u), which links this file in. */
extern int shflviz_watched;
int shflviz_watched = 1;

/* access.c's, which is here if the program was compiled to say what it accesses. */
extern const struct cpu_observer *cpu_access_begin(const char *path) __attribute__((weak));

static void watched_record(const char *path, struct cpu_options *options) {
    static struct shflviz_filter filter;
    const struct trace_writer_options writer_options = {.value_bytes = 8,
                                                        .in_place = watched_option("replaces") == 0,
                                                        .step_limit = watched_option("steps")};
    struct error err = ERROR_INIT;
    /* Without a recording the program still runs; this message explains why there is none. */
    if (trace_writer_open(&watched.writer, path, &writer_options, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        watched.writer = NULL;
        return;
    }
    watched_notes(watched.writer);
    watched_sources(watched.writer);
    watched_filter(&filter);
    watched.sink = cpu_sink_writer(watched.writer, &filter);
    options->sink = &watched.sink;
    size_t room; /* from now on a program that is ended leaves what it printed, steps or none */
    trace_writer_reserve(watched.writer, &room);
    output_keep(watched.writer);
}

/* Before constructors of the program's own: one may print, and std::cout's looks at stdout. */
__attribute__((constructor(101))) static void watched_begin(void) {
    const char *path = getenv(OWN_PROGRAM_TRACE);
    struct cpu_options options = {.schedule = watched_option("schedule"),
                                  .poison = watched_option("poison"),
                                  .zero_memory = watched_option("memory") == 0};
    watched.process = getpid();
    /* Its output is a pipe: if the program is ended, no printed line should be lost. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (path)
        watched_record(path, &options);
    const char *accesses = getenv(OWN_PROGRAM_ACCESSES);
    if (accesses && cpu_access_begin)
        options.observer = cpu_access_begin(accesses);
    watched.device = cpu_device_create(&options);
    cpu_device_use(watched.device);
    atexit(watched_end);
}
