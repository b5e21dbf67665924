#include "cudacpu/guest/watched_recording.h"

#include "base/text.h"
#include "cudacpu/guest/output.h"
#include "cudacpu/process/user_program.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void watched_note(struct trace_writer *writer, const char *key, const char *variable) {
    const char *value = getenv(variable);
    if (value && *value)
        trace_writer_note(writer, key, value);
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

uint64_t watched_option(const char *name) {
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

void watched_filter(struct shflviz_filter *filter) {
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

static struct own_progress *progress; /* of the one program in this process; NULL: nobody asks */

static void map_progress(void) {
    const char *path = getenv(OWN_PROGRAM_PROGRESS);
    int descriptor = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *mapped = MAP_FAILED;
    if (descriptor >= 0) {
        mapped = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        close(descriptor);
    }
    progress = mapped == MAP_FAILED ? NULL : mapped;
}

void watched_progress(uint64_t launches, uint64_t steps) {
    if (!progress)
        return;
    __atomic_store_n(&progress->launches, launches, __ATOMIC_RELAXED);
    __atomic_store_n(&progress->steps, steps, __ATOMIC_RELAXED);
}

struct trace_writer *watched_recording_begin(void) {
    const char *path = getenv(OWN_PROGRAM_TRACE);
    const struct trace_writer_options options = {.value_bytes = 8,
                                                 .in_place = watched_option("replaces") == 0,
                                                 .durable = watched_option("durable") != 0,
                                                 .step_limit = watched_option("steps")};
    struct trace_writer *writer = NULL;
    struct error err = ERROR_INIT;
    size_t room;
    if (!path)
        return NULL;
    /* Without a recording the program still runs; this message explains why there is none. */
    if (trace_writer_open(&writer, path, &options, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        return NULL;
    }
    watched_note(writer, TRACE_NOTE_TITLE, OWN_PROGRAM_TITLE);
    watched_note(writer, TRACE_NOTE_COMMAND, OWN_PROGRAM_COMMAND);
    watched_sources(writer);
    /* From now on a program that is ended leaves what it printed, steps or none. */
    trace_writer_reserve(writer, &room);
    map_progress();
    output_keep(writer);
    return writer;
}

void watched_recording_end(struct trace_writer *writer, const char *failure) {
    struct error err = ERROR_INIT;
    if (!writer)
        return;
    output_forget();
    if (failure)
        trace_writer_note(writer, TRACE_NOTE_FAILURE, failure);
    if (trace_writer_close(writer, NULL, &err) != 0)
        fprintf(stderr, "%s\n", err.text);
}
