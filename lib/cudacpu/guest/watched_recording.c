#include "cudacpu/guest/watched_recording.h"

#include "base/file.h"
#include "base/text.h"
#include "cudacpu/guest/output.h"
#include "cudacpu/process/user_program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The sources of the program, as its sites name them: pairs of lines, a name and a path. */
static void watched_sources(struct trace_writer *writer, const char *path) {
    FILE *list = path ? fopen(path, "r") : NULL;
    char name[4096], copy[4096];
    while (list && fgets(name, sizeof name, list) && fgets(copy, sizeof copy, list)) {
        struct text text = TEXT_INIT;
        name[strcspn(name, "\n")] = copy[strcspn(copy, "\n")] = '\0';
        if (file_read(copy, SIZE_MAX, &text, NULL) == FILE_READ) /* its first line is our #line */
            trace_writer_source(writer, name, text.data + strcspn(text.data, "\n") + 1);
        text_release(&text);
    }
    if (list)
        fclose(list);
}

static struct user_progress *progress; /* of the one program in this process; NULL if not wanted */

static void map_progress(const char *path) {
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

struct trace_writer *watched_recording_begin(const struct settings_file *file) {
    const struct trace_writer_options options = {.value_bytes = 8,
                                                 .in_place = !file->settings.replaces,
                                                 .durable = file->settings.durable,
                                                 .step_limit = file->settings.step_limit};
    struct trace_writer *writer = NULL;
    struct error err = ERROR_INIT;
    size_t room;
    if (!file->text[SETTINGS_TRACE])
        return NULL;
    /* Without a recording the program still runs; this message explains why there is none. */
    if (trace_writer_open(&writer, file->text[SETTINGS_TRACE], &options, &err) != 0) {
        fprintf(stderr, "%s\n", err.text);
        return NULL;
    }
    if (file->text[SETTINGS_TITLE])
        trace_writer_note(writer, TRACE_NOTE_TITLE, file->text[SETTINGS_TITLE]);
    if (file->text[SETTINGS_COMMAND])
        trace_writer_note(writer, TRACE_NOTE_COMMAND, file->text[SETTINGS_COMMAND]);
    watched_sources(writer, file->text[SETTINGS_SOURCES]);
    /* From here on, a killed program's output is kept, with or without steps. */
    trace_writer_reserve(writer, &room);
    map_progress(file->text[SETTINGS_PROGRESS]);
    output_attach(writer);
    return writer;
}

void watched_recording_end(struct trace_writer *writer, const char *failure) {
    struct error err = ERROR_INIT;
    if (!writer)
        return;
    output_detach();
    if (failure)
        trace_writer_note(writer, TRACE_NOTE_FAILURE, failure);
    if (trace_writer_close(writer, NULL, &err) != 0)
        fprintf(stderr, "%s\n", err.text);
}
