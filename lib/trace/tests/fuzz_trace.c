/*
 * fuzz_trace - reads any bytes as a recording, for libFuzzer (cmake -DSHFLVIZ_FUZZ=ON with clang)
 * and for the driver in fuzz_replay.c, which runs with the tests.
 */
#include "trace/file.h"
#include "walk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const uint8_t *data, size_t size) {
    struct trace *trace;
    struct error err = ERROR_INIT;
    int descriptor = file_in_memory();
    if (descriptor < 0 || file_write(descriptor, 0, data, size) != 0)
        abort();
    if (trace_open_descriptor(&trace, descriptor, "fuzz", &err) == 0) {
        walk_trace(trace);
        trace_close(trace);
    } else if (trace || err.kind != ERROR_USAGE || !err.text[0]) {
        abort();
    }
    close(descriptor);
}

/* Reads the input unchanged, and again with a correct check, because a fuzzer cannot guess 64
 * bits. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *fixed = malloc(size ? size : 1);
    if (!fixed)
        return 0;
    if (size)
        memcpy(fixed, data, size);
    look_at(data, size);
    walk_fix_check(fixed, size);
    look_at(fixed, size);
    free(fixed);
    return 0;
}
