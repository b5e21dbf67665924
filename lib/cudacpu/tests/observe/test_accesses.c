/*
 * The file that a checked program leaves is untrusted: if it has errors, they are reported and none
 * of it is used.
 */
#include "cudacpu/observe/accesses.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sample {
    struct access_head head;
    struct access_entry entry[2];
};

/* A file with one plausible finding. */
static struct sample good(void) {
    struct sample sample = {.head = {.magic = ACCESS_FILE_MAGIC, .count = 1}};
    sample.entry[0] = (struct access_entry){.rule = ACCESS_BARRIER_DIVERGENCE,
                                            .count = 3,
                                            .line = 7,
                                            .file = "a.cu",
                                            .me = {.thread = 40}};
    return sample;
}

/* The result of reading `size` bytes of the sample; fills `accesses`. */
static int read_sample(const struct sample *sample, size_t size, struct program_accesses *accesses,
                       struct error *err) {
    char path[] = "/tmp/shflviz-test-XXXXXX", folder[] = "/tmp";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, sample, size), (ssize_t)size);
    close(descriptor);
    const struct user_program program = {.folder.path = folder, .path = path, .accesses = path};
    int status = program_accesses_read(&program, accesses, err);
    unlink(path);
    return status;
}

static void a_finding_is_read(void **state) {
    (void)state;
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    const struct sample sample = good();
    assert_int_equal(read_sample(&sample, sizeof sample, &accesses, &err), 0);
    assert_int_equal(accesses.count, 1);
    assert_int_equal(accesses.access[0].entry.count, 3);
    assert_int_equal(accesses.access[0].line, 7);
    assert_string_equal(accesses.access[0].file, "a.cu");
    program_accesses_release(&accesses);
}

static void is_refused(const struct sample *sample, size_t size) {
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    assert_int_equal(read_sample(sample, size, &accesses, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "is damaged"));
    program_accesses_release(&accesses);
}

static void damage_is_refused(void **state) {
    (void)state;
    struct sample sample = good();
    is_refused(&sample, sizeof sample.head - 1);
    is_refused(&sample, sizeof sample.head + sizeof sample.entry[0] - 1);
    sample.head.magic[0] = 'X';
    is_refused(&sample, sizeof sample);
    sample = good();
    sample.head.count = ACCESS_ENTRIES + 1;
    is_refused(&sample, sizeof sample);
    sample = good();
    sample.entry[0].rule = ACCESS_RULES;
    is_refused(&sample, sizeof sample);
    sample = good();
    sample.entry[0].memory = ACCESS_MEMORIES;
    is_refused(&sample, sizeof sample);
    sample = good();
    sample.entry[0].other.thread = 1024;
    is_refused(&sample, sizeof sample);
    sample = good();
    memset(sample.entry[0].file, 'a', sizeof sample.entry[0].file);
    is_refused(&sample, sizeof sample);
}

/* The location that a program reports may be arbitrary text. */
static void names_are_harmless(void **state) {
    (void)state;
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    struct sample sample = good();
    strcpy(sample.entry[0].file, "a\033[2J\nb\233.cu");
    sample.entry[0].line = 1;
    strcpy(sample.entry[0].other_file, "\xe2\x80\xae");
    sample.entry[0].other_line = 1;
    assert_int_equal(read_sample(&sample, sizeof sample, &accesses, &err), 0);
    assert_string_equal(accesses.access[0].file, "a?[2J b?.cu");
    assert_string_equal(accesses.access[0].other_file, "?");
    program_accesses_release(&accesses);
}

/* A link to a file that the program itself may not read. */
static void anything_but_a_file_is_refused(void **state) {
    (void)state;
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    char folder[] = "/tmp/shflviz-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/accesses", folder);
    const struct user_program program = {.folder.path = folder, .accesses = path};
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_int_equal(program_accesses_read(&program, &accesses, &err), -1);
    unlink(path);
    rmdir(folder);
}

static void no_file_means_no_findings(void **state) {
    (void)state;
    struct program_accesses accesses;
    struct error err = ERROR_INIT;
    char folder[] = "/tmp", absent[] = "/tmp/shflviz-test-absent";
    const struct user_program program = {.folder.path = folder, .accesses = absent};
    assert_int_equal(program_accesses_read(&program, &accesses, &err), 0);
    assert_int_equal(accesses.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_is_read),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(names_are_harmless),
        cmocka_unit_test(anything_but_a_file_is_refused),
        cmocka_unit_test(no_file_means_no_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
