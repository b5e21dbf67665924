/* The settings of a run, written and read back (settings_file.h), whole and damaged. */
#include "cudacpu/process/settings_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/shflviz-test-settings-XXXXXX";
static char path[64], other[64];

static const struct settings_file full = {
    .settings = {.watch = {.parts = 0x3f,
                           .block_index = {1, 2, 3},
                           .block_first = UINT64_MAX - 1,
                           .block_last = UINT64_MAX,
                           .warp_first = 4,
                           .warp_last = 5,
                           .line_first = 6,
                           .line_last = 7,
                           .launch_first = 8,
                           .launch_last = UINT32_MAX,
                           .kernel = "mine::sum"},
                 .step_limit = UINT64_C(0x100000009),
                 .schedule = UINT64_C(0x10000000a),
                 .poison = UINT64_MAX,
                 .variant = 2,
                 .jobs = 11,
                 .accesses = RUN_ACCESSES_SHARED | RUN_ACCESSES_GLOBAL,
                 .zero_memory = true,
                 .unfollowed = true,
                 .gpu_timeout = 12,
                 .gpu_memory = UINT64_C(0x10000000d),
                 .limits = {.seconds = 14,
                            .processes = 15,
                            .memory = UINT64_C(0x100000010),
                            .file_size = UINT64_C(0x100000011),
                            .output = UINT64_C(0x100000012)},
                 .confined = true,
                 .replaces = true,
                 .durable = true},
    .text = {"/a trace.svt", "title", "a command --of 2\nlines", "sources", "/accesses", "lines",
             "progress"}};

/* Every field except the kernel's name. */
#define SETTINGS(EACH)                                                                             \
    EACH(watch.parts)                                                                              \
    EACH(watch.block_index[0])                                                                     \
    EACH(watch.block_index[1])                                                                     \
    EACH(watch.block_index[2])                                                                     \
    EACH(watch.block_first)                                                                        \
    EACH(watch.block_last)                                                                         \
    EACH(watch.warp_first)                                                                         \
    EACH(watch.warp_last)                                                                          \
    EACH(watch.line_first)                                                                         \
    EACH(watch.line_last)                                                                          \
    EACH(watch.launch_first)                                                                       \
    EACH(watch.launch_last)                                                                        \
    EACH(step_limit)                                                                               \
    EACH(schedule)                                                                                 \
    EACH(poison)                                                                                   \
    EACH(variant)                                                                                  \
    EACH(jobs)                                                                                     \
    EACH(accesses)                                                                                 \
    EACH(zero_memory)                                                                              \
    EACH(unfollowed)                                                                               \
    EACH(gpu_timeout)                                                                              \
    EACH(gpu_memory)                                                                               \
    EACH(limits.seconds)                                                                           \
    EACH(limits.processes)                                                                         \
    EACH(limits.memory)                                                                            \
    EACH(limits.file_size)                                                                         \
    EACH(limits.output)                                                                            \
    EACH(confined)                                                                                 \
    EACH(replaces)                                                                                 \
    EACH(durable)

static void write_full(void) {
    struct error err = ERROR_INIT;
    assert_int_equal(settings_file_write(&full, path, &err), 0);
}

static void test_every_field(void **state) {
    struct settings_file found;
    (void)state;
    write_full();
    memset(&found, 0, sizeof found);
    assert_true(settings_file_read(&found));
#define IS_SAME(field) assert_true(found.settings.field == full.settings.field);
    SETTINGS(IS_SAME)
#undef IS_SAME
    assert_string_equal(found.settings.watch.kernel, full.settings.watch.kernel);
    for (int i = 0; i < SETTINGS_TEXTS; i++)
        assert_string_equal(found.text[i], full.text[i]);
    free((char *)found.text[0]); /* they are one block */
}

/* A missing text is the same as "". */
static void test_no_texts(void **state) {
    const struct settings_file few = {.text = {[SETTINGS_TITLE] = "", [SETTINGS_LINES] = "l"}};
    struct settings_file found;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(settings_file_write(&few, path, &err), 0);
    assert_true(settings_file_read(&found));
    assert_false(found.settings.zero_memory);
    for (int i = 0; i < SETTINGS_TEXTS; i++)
        if (i != SETTINGS_LINES)
            assert_null(found.text[i]);
    assert_string_equal(found.text[SETTINGS_LINES], "l");
    free((char *)(found.text[SETTINGS_LINES] - SETTINGS_LINES)); /* after this many zeros */
}

/* The file is refused: nothing is recorded, and the program runs as usual. */
static void is_refused(void) {
    static const struct run_settings alone = {.zero_memory = true};
    struct settings_file found = full;
    assert_false(settings_file_read(&found));
    for (int i = 0; i < SETTINGS_TEXTS; i++)
        assert_null(found.text[i]);
#define IS_NONE(field) assert_true(found.settings.field == alone.field);
    SETTINGS(IS_NONE)
#undef IS_NONE
    assert_string_equal(found.settings.watch.kernel, "");
}

static void change(long at, int by) {
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc((byte + by) & 0xff, file);
    fclose(file);
}

static void test_damaged(void **state) {
    struct stat status;
    (void)state;
    unlink(path);
    is_refused(); /* the file is missing */
    write_full();
    assert_int_equal(stat(path, &status), 0);
    for (long at = 0; at < 16; at++) { /* magic, version, size */
        write_full();
        change(at, 1);
        is_refused();
    }
    for (off_t size = 0; size < status.st_size; size++) {
        write_full();
        assert_int_equal(truncate(path, size), 0);
        is_refused();
    }
    write_full();
    assert_int_equal(truncate(path, status.st_size + 1), 0);
    is_refused();
    write_full();
    change(-1, 'x'); /* the last text has no end */
    is_refused();
    write_full();
    change(-2, -full.text[SETTINGS_PROGRESS][7]); /* one text too many */
    is_refused();
    unsetenv(SETTINGS_FILE_VARIABLE);
    write_full();
    is_refused(); /* the file's name is not set */
    setenv(SETTINGS_FILE_VARIABLE, path, 1);
}

/* A link that a program has put in the file's place is replaced, not followed. */
static void test_link(void **state) {
    struct stat status;
    struct error err = ERROR_INIT;
    (void)state;
    FILE *file = fopen(other, "w");
    assert_non_null(file);
    fputs("kept", file);
    fclose(file);
    unlink(path);
    assert_int_equal(symlink(other, path), 0);
    write_full();
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(stat(other, &status), 0);
    assert_int_equal(status.st_size, 4);
    assert_int_equal(settings_file_write(&full, "/nowhere/at/all", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(err.text, "cannot write /nowhere/at/all: No such file or directory");
}

static int begin(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/settings", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    return setenv(SETTINGS_FILE_VARIABLE, path, 1);
}

static int end(void **state) {
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field),
        cmocka_unit_test(test_no_texts),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_link),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
