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
#include "device/own/own_program.h"

#include <stdio.h>
#include <stdlib.h>
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
        if (failure->kind != ERROR_NONE)
            trace_writer_note(watched.writer, TRACE_NOTE_FAILURE, failure->text);
        if (trace_writer_close(watched.writer, NULL, &err) != 0)
            fprintf(stderr, "%s\n", err.text);
    }
    watched.writer = NULL;
}

static void watched_notes(struct trace_writer *writer) {
    trace_writer_note(writer, TRACE_NOTE_NAME, "CPU warp");
    trace_writer_note(writer, TRACE_NOTE_DEVICE, "cpu");
    trace_writer_note(writer, TRACE_NOTE_RECORDED, "emulated");
}

/* The text of the program, as its sites name it. */
static void watched_source(struct trace_writer *writer) {
    const char *path = getenv(OWN_PROGRAM_SOURCE), *name = getenv(OWN_PROGRAM_NAME);
    FILE *file = path && name ? fopen(path, "r") : NULL;
    struct text text = TEXT_INIT;
    if (!file)
        return;
    text_append_stream(&text, file);
    fclose(file);
    trace_writer_source(writer, name, text.data);
    text_release(&text);
}

/* Asked for by name when a program is linked (-u), which is what brings this file into it. */
extern int shflviz_watched;
int shflviz_watched = 1;

__attribute__((constructor)) static void watched_begin(void) {
    static const struct trace_writer_options writer_options = {.value_bytes = 8, .in_place = true};
    static const struct shflviz_filter everything;
    struct cpu_options options = {.poison = UINT64_C(0xbadbadbadbadbad0)};
    struct error err = ERROR_INIT;
    const char *path = getenv(OWN_PROGRAM_TRACE);
    watched.process = getpid();
    /* Without a recording the program still runs; who waits for one finds none, and this. */
    if (path && trace_writer_open(&watched.writer, path, &writer_options, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        watched.writer = NULL;
    }
    if (watched.writer) {
        watched_notes(watched.writer);
        watched_source(watched.writer);
        watched.sink = cpu_sink_writer(watched.writer, &everything);
        options.sink = &watched.sink;
    }
    watched.device = cpu_device_create(&options);
    cpu_device_use(watched.device);
    atexit(watched_end);
}
