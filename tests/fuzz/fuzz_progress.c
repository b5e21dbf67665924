/*
 * Any bytes may be in the file of a learner's progress: they are read, or there is a message.
 * Progress stored afterwards is found, and is the same when it is read again.
 */
#include "lesson/progress.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char path[64];

static void remove_all(void) {
    char command[128];
    *strrchr(path, '/') = '\0';
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    if (system(command) != 0)
        abort();
}

static void make_folder(void) {
    /* In memory if possible, because each store waits for the disk. */
    char shared[] = "/dev/shm/shflviz-fuzz-XXXXXX", temporary[] = "/tmp/shflviz-fuzz-XXXXXX";
    if (path[0])
        return;
    const char *folder = mkdtemp(shared);
    if (!folder && !(folder = mkdtemp(temporary)))
        abort();
    snprintf(path, sizeof path, "%s/progress", folder);
    atexit(remove_all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct lesson_progress stored = {
        .lesson = (char *)"xor", .beat = (char *)"who", .beats = 5, .seen = 2};
    struct progress progress = {0};
    struct error err = ERROR_INIT;
    make_folder();
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    if (progress_load(&progress, path, &err) != 0 && !err.text[0])
        abort();
    progress_release(&progress);
    if (progress_store(path, &stored, &err) == 0) {
        if (progress_load(&progress, path, &err) != 0 || !progress_find(&progress, "xor") ||
            progress.damaged)
            abort();
        progress_release(&progress);
    }
    return 0;
}
