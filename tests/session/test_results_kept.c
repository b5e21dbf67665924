/* A file of results while a learner answers: rewritten when a question is settled. */
#include "base/memory.h"
#include "session/results_file.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-kept-XXXXXX", path[64];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/mine.json", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static int entries(void) {
    int count = -2; /* . and .. */
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    while (readdir(opened))
        count++;
    closedir(opened);
    return count;
}

static void has(const char *wanted) {
    char text[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (!strstr(text, wanted))
        fail_msg("no %s in %s", wanted, text);
}

/* One more question, settled or open. */
static void ask(struct results_file *file, bool settled) {
    struct results *results = results_file_results(file);
    const size_t count = results->count + 1;
    results->result = memory_grow(results->result, count, sizeof *results->result);
    results->result[count - 1] = (struct result){.where = memory_string(""),
                                                 .question = memory_string("source of lane 5"),
                                                 .op = "xor",
                                                 .right = settled ? memory_string("6") : NULL};
    results->count = count;
}

static const struct results_heading heading = {.of = "quiz", .name = "xor", .questions = 2};

static void it_is_written_when_a_question_is_settled(void **state) {
    (void)state;
    const struct results_options opts = {.path = path, .who = "ann", .has_seed = true, .seed = 7};
    struct results_file file;
    struct error err = ERROR_INIT;
    assert_int_equal(results_file_begin(&file, &opts, &heading, &err), 0);
    assert_int_equal(entries(), 1); /* the temporary file has been renamed */
    has("\"of\":\"quiz\",\"name\":\"xor\",\"who\":\"ann\",\"seed\":7,\"level\":null,\"begun\":"
        "\"20");
    has("\"complete\":false,\"in_all\":2,\"asked\":0,");
    assert_int_equal(strlen(file.begun), 20);
    assert_int_equal(file.begun[10], 'T');
    assert_int_equal(file.begun[19], 'Z');
    unlink(path);
    results_file_keep(&file, 3); /* nothing new */
    assert_int_equal(entries(), 0);
    ask(&file, false);
    results_file_keep(&file, 3); /* the question is open */
    assert_int_equal(entries(), 0);
    file.results.result[0].right = memory_string("6");
    results_file_keep(&file, 3);
    assert_int_equal(entries(), 1);
    has("\"level\":3,");
    has("\"complete\":false,\"in_all\":2,\"asked\":1,");
    unlink(path);
    results_file_keep(&file, 3);
    assert_int_equal(entries(), 0);
    ask(&file, true);
    results_file_keep(&file, 2);
    has("\"level\":2,");
    has("\"asked\":2,");
    unlink(path);
    assert_int_equal(results_file_end(&file, &err), 0); /* always written at the end */
    has("\"complete\":true,\"in_all\":2,\"asked\":2,");
    assert_int_equal(entries(), 1);
    unlink(path);
}

static void without_a_file_nothing_is_kept(void **state) {
    (void)state;
    const struct results_options opts = {.path = NULL};
    struct results_file file;
    struct error err = ERROR_INIT;
    assert_int_equal(results_file_begin(&file, &opts, &heading, &err), 0);
    assert_null(results_file_results(&file));
    results_file_keep(&file, 1);
    assert_int_equal(results_file_end(&file, &err), 0);
    assert_int_equal(entries(), 0);
    assert_int_equal(err.kind, ERROR_NONE);
}

/* If a folder has the file's name, the temporary file is removed, and the reason is reported at
 * the end. */
static void failure_to_replace_is_reported(void **state) {
    (void)state;
    char full[80];
    const struct results_options opts = {.path = path};
    struct results_file file;
    struct error err = ERROR_INIT;
    assert_int_equal(results_file_begin(&file, &opts, &heading, &err), 0);
    unlink(path);
    snprintf(full, sizeof full, "mkdir -p '%s/x'", path);
    assert_int_equal(system(full), 0);
    ask(&file, true);
    results_file_keep(&file, 1);
    assert_int_equal(file.trouble.kind, ERROR_USAGE);
    assert_int_equal(entries(), 1);
    assert_int_equal(results_file_end(&file, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "--results: cannot write "));
    assert_int_equal(entries(), 1);
    assert_int_equal(results_file_begin(&file, &opts, &heading, &err), -1);
    snprintf(full, sizeof full, "%s/x", path);
    rmdir(full);
    rmdir(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_written_when_a_question_is_settled),
        cmocka_unit_test(without_a_file_nothing_is_kept),
        cmocka_unit_test(failure_to_replace_is_reported),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
