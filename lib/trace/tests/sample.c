/*
 * Steps whose values follow from their numbers, so that a test can check any step without keeping a
 * copy.
 */
#include "sample.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];

int sample_folder_make(void **state) {
    const char *parent = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof(folder), "%s/shflviz-test-XXXXXX",
             parent && parent[0] ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

int sample_folder_remove(void **state) {
    char path[sizeof(folder) + 260];
    DIR *entries = opendir(folder);
    (void)state;
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        remove(path);
    }
    if (entries)
        closedir(entries);
    return rmdir(folder);
}

const char *sample_path(const char *name) {
    static char paths[8][sizeof(folder) + 64];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

const char *sample_partial(const char *name) {
    char partial[64];
    snprintf(partial, sizeof(partial), "%s.partial", name);
    return sample_path(partial);
}

struct trace_writer *sample_writer(const char *path, unsigned value_bytes) {
    struct trace_writer *writer;
    struct error err = ERROR_INIT;
    const struct trace_writer_options options = {.value_bytes = value_bytes};
    const struct trace_launch launch = {"sample", {4, 1, 1}, {96, 1, 1}, 0};
    const struct trace_site site = {"sample.cu", 7, "sample", "__shfl_xor_sync(~0u, value, 3)"};
    if (trace_writer_open(&writer, path, &options, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(trace_writer_launch(writer, &launch), 0);
    assert_int_equal(trace_writer_site(writer, &site), 0);
    trace_writer_source(writer, "sample.cu", "int a;\n\tint b;\n");
    trace_writer_note(writer, TRACE_NOTE_TITLE, "sample");
    return writer;
}

static void put_value(unsigned char *values, unsigned value_bytes, int lane, uint64_t value) {
    memcpy(values + lane * (int)value_bytes, &value, value_bytes);
}

void sample_record(void *record, unsigned value_bytes, uint64_t step, struct sample_where where) {
    unsigned char *bytes = record;
    struct shflviz_record_header header = {
        .block = where.block,
        .launch = where.launch,
        .warp = where.warp,
        .op = WARP_OP_XOR,
        .type = WARP_TYPE_INT,
        .flags = SHFLVIZ_RECORD_EXITED_KNOWN,
        .members = 0xffffffff,
        .present = 0xffffffff,
        .width = 32,
    };
    memcpy(bytes, &header, sizeof(header));
    for (int lane = 0; lane < 32; lane++) {
        int32_t arg = 3;
        memcpy(bytes + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, &arg, 4);
        put_value(bytes + SHFLVIZ_RECORD_OFFSET_IN, value_bytes, lane,
                  (uint32_t)(100 * step + (unsigned)lane));
        put_value(bytes + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), value_bytes, lane,
                  (uint32_t)(100 * step + (unsigned)(lane ^ 3)));
    }
    uint64_t sequence = step + 1;
    __atomic_store_n((uint64_t *)record, sequence, __ATOMIC_RELEASE);
}

void sample_steps_at(struct trace_writer *writer, unsigned value_bytes,
                     const struct sample_where *where, uint64_t count) {
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint64_t n = 0; n < count; n++, room--, record += SHFLVIZ_RECORD_SIZE(value_bytes)) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        assert_non_null(record);
        assert_int_equal((uintptr_t)record % 64, 0);
        sample_record(record, value_bytes, n,
                      where ? where[n] : (struct sample_where){0, 0, n % 3});
    }
}

void sample_steps(struct trace_writer *writer, unsigned value_bytes, uint64_t count) {
    sample_steps_at(writer, value_bytes, NULL, count);
}

void sample_check_step(const struct trace *trace, uint64_t n) {
    struct trace_step step;
    struct error err = ERROR_INIT;
    if (trace_step(trace, n, &step, &err) != 0)
        fail_msg("%s", err.text);
    const struct warp_operation *operation = &step.operation;
    assert_int_equal(step.number, n);
    assert_int_equal(operation->op, WARP_OP_XOR);
    assert_int_equal(operation->type, WARP_TYPE_INT);
    assert_int_equal(operation->present, 0xffffffff);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(operation->arg[lane], 3);
        assert_int_equal(operation->width[lane], 32);
        assert_int_equal(operation->in[lane], (uint32_t)(100 * n + lane));
        assert_int_equal(operation->out[lane], (uint32_t)(100 * n + (lane ^ 3)));
    }
}

void sample_file(const char *path, unsigned value_bytes, uint64_t steps) {
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(path, value_bytes);
    sample_steps(writer, value_bytes, steps);
    if (trace_writer_close(writer, NULL, &err) != 0)
        fail_msg("%s", err.text);
}

unsigned char *sample_read(const char *path, size_t *size) {
    struct stat status;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    *size = (size_t)status.st_size;
    unsigned char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

void sample_replace(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
