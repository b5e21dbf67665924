/*
 * write_samples FOLDER - the recordings of tests/view/sample.h and sample_lines.h as files, for a
 * page to open.
 */
#include "sample.h"
#include "sample_lines.h"

#include <stdio.h>

/* Closes the recording. */
static int write_sample(const char *folder, const char *name, struct trace *trace) {
    char path[1024];
    size_t count, written = 0;
    const void *bytes = trace_bytes(trace, &count);
    snprintf(path, sizeof path, "%s/%s.svt", folder, name);
    FILE *file = fopen(path, "wb");
    if (file) {
        written = fwrite(bytes, 1, count, file);
        if (fclose(file) != 0)
            written = 0;
    }
    trace_close(trace);
    if (written == count)
        return 0;
    perror(path);
    return -1;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: write_samples FOLDER\n", stderr);
        return 2;
    }
    for (const char *const *name = sample_names(); *name; name++)
        if (write_sample(argv[1], *name, sample_open(*name)) != 0)
            return 1;
    return write_sample(argv[1], "lines", sample_lines_open()) != 0 ||
           write_sample(argv[1], "whose", sample_whose_open()) != 0;
}
