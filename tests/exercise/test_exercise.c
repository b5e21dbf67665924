/* The files of an exercise, errors in them, and verdicts in words. */
#include "base/message.h"
#include "exercise/exercise.h"
#include "exercise/judge.h"
#include "warp/warp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define HEADER       "---\ntitle: T\nteaches: W\n"
#define ENGLISH      HEADER "---\nTask\n"

static int parse(struct exercise **exercise, const char *english, const char *chinese,
                 const char *mutants, struct error *err) {
    struct exercise_file files[6] = {{"en.md", english},
                                     {"skeleton.cu", "int s;\n"},
                                     {"solution.cu", "int a; int b; int a;\n"},
                                     {"harness.cu", "void test();\n"}};
    size_t count = 4;
    if (chinese)
        files[count++] = (struct exercise_file){"zh.md", chinese};
    if (mutants)
        files[count++] = (struct exercise_file){"mutants", mutants};
    return exercise_parse(exercise, "e", files, count, err);
}

static void is_refused(const char *english, const char *chinese, const char *mutants,
                       const char *begins) {
    struct exercise *exercise;
    struct error err = ERROR_INIT;
    if (parse(&exercise, english, chinese, mutants, &err) == 0)
        fail_msg("taken: %s%s%s", english, chinese ? chinese : "", mutants ? mutants : "");
    assert_null(exercise);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (strncmp(err.text, begins, strlen(begins)) != 0)
        fail_msg("%s\nis refused with: %s", english, err.text);
}

static void test_headers(void **state) {
    static const char *const refused[][2] = {
        {"", "e/en.md:0: found '' where the header should begin"},
        {"Task\n", "e/en.md:1: found 'Task' where the header should begin"},
        {HEADER, "e/en.md:3: found '' where the header should begin"},
        {"---\ntitle: T\n---\n", "e/en.md:3: the header has no title or no line 'teaches'"},
        {"---\nteaches: T\n---\n", "e/en.md:3: the header has no title or no line 'teaches'"},
        {"---\ntitle\n---\n", "e/en.md:2: 'title' is not a line of an exercise's header"},
        {HEADER "title: U\n---\n", "e/en.md:4: 'title: U' is not a line of"},
        {HEADER "teaches: U\n---\n", "e/en.md:4: 'teaches: U' is not a line of"},
        {HEADER "tools: U\n---\n", "e/en.md:4: 'tools: U' is not a line of"},
        {HEADER "used: all\n---\n", "e/en.md:4: 'used: all' is not a line of"},
        {HEADER "leaves: all\n---\n", "e/en.md:4: 'leaves: all' is not a line of"},
        {HEADER "uses: shfl\n---\n", "e/en.md:4: 'shfl' is not a warp operation"},
        {HEADER "most: 5x\n---\n", "e/en.md:4: '5x' is not a number of operations"},
        {"---\ntitle: \x1b[2J\n", "e/en.md:2: control character 0x1b"},
        {HEADER "---\n\xff\n", "e/en.md:5: byte 0xff is not UTF-8"},
        {HEADER "avoids: up, dow\n---\n", "e/en.md:4: 'dow' is not a warp operation"},
        {HEADER "most: 0\n---\n", "e/en.md:4: '0' is not a number of operations"},
        {HEADER "memory: shared\n---\n", "e/en.md:4: 'shared' is not a value of memory:"},
        {HEADER "most: 1001\n---\n", "e/en.md:4: '1001' is not a number of operations"},
        {ENGLISH "## Tip\n", "e/en.md:6: '## Tip' is not a heading of an exercise"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++)
        is_refused(refused[i][0], NULL, NULL, refused[i][1]);
    is_refused(ENGLISH, HEADER "uses: up\n---\n", NULL, "e/zh.md:4: 'uses: up' is not a line");
    is_refused(ENGLISH, HEADER "avoids: up\n---\n", NULL, "e/zh.md:4: 'avoids: up' is not a line");
    is_refused(ENGLISH, HEADER "most: 3\n---\n", NULL, "e/zh.md:4: 'most: 3' is not a line");
    is_refused(ENGLISH "## Hint\nOne\n", ENGLISH, NULL,
               "e/zh.md:5: the number of hints differs from that in en.md");
}

static void test_texts(void **state) {
    struct exercise *exercise;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(
        parse(&exercise,
              "---\ntitle:  T  \r\n\nteaches: W\nuses: up, down\navoids: reduce_add\n"
              "most: 1000\nmemory: none\n---\n\n\nTask\n\nmore\n\n\n## Hint\nOne\n## Hint\n\nTwo\n"
              "## After\nNo\n## After\nYes",
              HEADER "---\nTask 2\n## Hint\n\n## Hint\nTwo\n",
              "# of two kinds\n\nfails: why\n- b;\n+ c;\n- c;\n+\npasses:  it is\n- b\n"
              "+ d\n",
              &err),
        0);
    const struct exercise_language *english = exercise_language(exercise, "fr");
    assert_string_equal(english->code, "en");
    assert_string_equal(english->title, "T");
    assert_string_equal(english->teaches, "W");
    assert_string_equal(english->task, "Task\n\nmore");
    assert_int_equal(english->hint_count, 2);
    assert_string_equal(english->hints[0], "One");
    assert_string_equal(english->hints[1], "Two");
    assert_string_equal(english->after, "Yes");
    assert_int_equal(exercise->uses, 1u << WARP_OP_UP | 1u << WARP_OP_DOWN);
    assert_int_equal(exercise->most, 1000);
    assert_true(exercise->no_memory);
    assert_string_equal(exercise_language(exercise, "zh")->task, "Task 2");
    assert_string_equal(exercise_language(exercise, "zh")->hints[0], "");
    assert_null(exercise_language(exercise, "zh")->after);
    assert_int_equal(exercise->mutant_count, 2);
    assert_string_equal(exercise->mutants[0].why, "why");
    assert_string_equal(exercise->mutants[0].text, "int a; int  int a;\n");
    assert_false(exercise->mutants[0].passes);
    assert_int_equal(exercise->mutants[0].line, 3);
    assert_string_equal(exercise->mutants[1].why, "it is");
    assert_string_equal(exercise->mutants[1].text, "int a; int d; int a;\n");
    assert_true(exercise->mutants[1].passes);
    exercise_free(exercise);
    exercise_free(NULL);
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33) && !defined(__SANITIZE_ADDRESS__)
enum { ROUNDS = 3000, LEAST = 16 }; /* the smallest block of malloc(), in bytes */

/* All memory is freed, with any number of languages, hints and mutants. The allocator may
 * keep memory, which counts as in use, but does not grow with each round. */
static void test_memory_is_freed(void **state) {
    static const char english[] = ENGLISH "## Hint\nOne\n## Hint\nTwo\n## After\nYes\n";
    struct exercise *exercise;
    struct error err = ERROR_INIT;
    size_t before = 0;
    (void)state;
    for (int i = 0; i < ROUNDS + ROUNDS / 10; i++) {
        assert_int_equal(parse(&exercise, english, english,
                               "fails: a\n- b;\n+ c;\npasses: b\n- b\n+ d\n"
                               "fails: c\n- b\n+ e\n",
                               &err),
                         0);
        exercise_free(exercise);
        if (i == ROUNDS / 10)
            before = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks < before + ROUNDS / 2 * LEAST);
}
#define MEMORY_TEST cmocka_unit_test(test_memory_is_freed),
#else
#define MEMORY_TEST
#endif

static void test_mutants(void **state) {
    static const char *const refused[][2] = {
        {"why\n", "e/mutants:1: 'why' is not a line of a mutant"},
        {"- b\n", "e/mutants:1: '- b' is not a line of a mutant"},
        {"+ b\n", "e/mutants:1: '+ b' is not a line of a mutant"},
        {"fails: x\n+ b\n", "e/mutants:2: '+ b' is not a line of a mutant"},
        {"fails: x\n-b\n", "e/mutants:2: '-b' is not a line of a mutant"},
        {"fails: x\n- b\n- b\n", "e/mutants:3: '- b' is not a line of a mutant"},
        {"fails: x\n- b\n* b\n", "e/mutants:3: '* b' is not a line of a mutant"},
        {"fails: x\n- b\nfails: y\n", "e/mutants:3: 'b' is not a pair of"},
        {"fails: x\n- b\n", "e/mutants:2: 'b' is not a pair of"},
        {"fails: x\n- a\n+ b\n", "e/mutants:3: 'a' does not occur exactly once in the solution"},
        {"fails: x\n- z\n+ b\n", "e/mutants:3: 'z' does not occur exactly once in the solution"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++)
        is_refused(ENGLISH, NULL, refused[i][0], refused[i][1]);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_file(const char *folder, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(remove(path), 0);
}

static void folder_is_refused(const char *folder, const char *says) {
    struct exercise *exercise;
    struct error err = ERROR_INIT;
    assert_int_equal(exercise_open(&exercise, folder, &err), -1);
    assert_null(exercise);
    if (!strstr(err.text, says))
        fail_msg("refused with: %s, not: %s", err.text, says);
}

/* Invalid content of each file. */
static void test_folders(void **state) {
    static const char *const needed[] = {"en.md", "skeleton.cu", "solution.cu", "harness.cu"};
    char folder[] = "/tmp/shflviz-test-XXXXXX", path[200], says[100];
    struct exercise *exercise;
    struct error err = ERROR_INIT;
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < COUNT(needed); i++) {
        snprintf(says, sizeof says, " has no file %s\n", needed[i]);
        folder_is_refused(folder, says);
        write_file(folder, needed[i], i ? "int a;\n" : ENGLISH);
    }
    snprintf(path, sizeof path, "%s///", folder);
    assert_int_equal(exercise_open(&exercise, path, &err), 0);
    assert_string_equal(exercise->name, folder + strlen("/tmp/"));
    exercise_free(exercise);
    /* The name is the last part of the path, even if that is one letter. */
    snprintf(path, sizeof path, "%s/e", folder);
    assert_int_equal(symlink(".", path), 0);
    assert_int_equal(exercise_open(&exercise, path, &err), 0);
    assert_string_equal(exercise->name, "e");
    exercise_free(exercise);
    remove_file(folder, "e");
    snprintf(path, sizeof path, "%s/zh.md", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    folder_is_refused(folder, "/zh.md is not a regular file");
    remove_file(folder, "zh.md");
    write_file(folder, "mutants", "");
    snprintf(path, sizeof path, "%s/mutants", folder);
    assert_int_equal(truncate(path, (1 << 20) + 1), 0);
    folder_is_refused(folder, "/mutants has more than 1048576 bytes");
    remove_file(folder, "mutants");
    assert_int_equal(symlink("mutants", path), 0); /* to itself */
    folder_is_refused(folder, "cannot read /tmp/");
    remove_file(folder, "mutants");
    for (size_t i = 0; i < COUNT(needed); i++)
        remove_file(folder, needed[i]);
    rmdir(folder);
}

/* ---- verdicts ---- */

#define SEED "to repeat these values: --seed 9\n"

static void says(const struct verdict *verdict, const char *expected) {
    struct text text = TEXT_INIT;
    verdict_append(&text, verdict, "a.cu");
    assert_string_equal(text.data, expected);
    text_release(&text);
}

static void test_verdicts(void **state) {
    static const char *const names[] = {"passed",      "wrong",        "misuse",
                                        "other_means", "not_compiled", "unfinished"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(verdict_name((enum verdict_kind)i), names[i]);
    struct verdict verdict = {.cases = 1, .runs = 1, .seed = 9};
    says(&verdict, "passed: 1 case in 1 lane order\n" SEED);
    verdict.cases = verdict.runs = 4;
    says(&verdict, "passed: 4 cases in 4 lane orders\n" SEED);
    verdict = (struct verdict){.kind = VERDICT_WRONG,
                               .case_name = "sum",
                               .schedule = 7,
                               .seed = 9,
                               .block = 1,
                               .warp = 2,
                               .lane = 3,
                               .index = 4,
                               .got = "5",
                               .wanted = "6",
                               .printed = "a\033b\n"};
    says(&verdict, "Wrong: sum, lane order 7: lane 3 of warp 2 in block 1 returned 5; expected "
                   "6 (element 4)\n" SEED "the program printed:\na?b\n");
    verdict.kind = VERDICT_UNFINISHED;
    verdict.text = "it hangs";
    verdict.printed = "";
    says(&verdict, "Not finished: sum, lane order 7\nit hangs\n" SEED);
    verdict.case_name = "";
    says(&verdict, "it hangs\n" SEED);
    char *cases[] = {"32 lanes", "8 lanes"};
    struct check_finding findings[] = {{.rule = "shared_race",
                                        .file = "a.cu",
                                        .line = 9,
                                        .message = "m",
                                        .instead = "i",
                                        .has_lanes = true,
                                        .launch = 1},
                                       {.rule = "deadlock", .instead = ""},
                                       {.rule = "out_of_bounds"}};
    verdict = (struct verdict){.kind = VERDICT_MISUSE,
                               .seed = 9,
                               .case_name = "sum",
                               .cases_run = cases,
                               .cases_run_count = COUNT(cases),
                               .report = {.finding = findings, .count = COUNT(findings)}};
    says(&verdict, "a.cu: the results are right, but not guaranteed\na.cu:9: shared_race\n"
                   "  case: 8 lanes\n  m\n  instead: i\ndeadlock\nout_of_bounds\n" SEED);
    /* A race in a case after the failing case is not reported. */
    verdict.kind = VERDICT_WRONG;
    verdict.got = verdict.wanted = "1";
    verdict.cases_run_count = 1;
    says(&verdict, "Wrong: sum: lane 0 of warp 0 in block 0 returned 1; expected 1 (element 0)\n"
                   "deadlock\nout_of_bounds\n" SEED);
    verdict = (struct verdict){
        .kind = VERDICT_OTHER_MEANS, .seed = 9, .text = "by other means", .case_name = "sum"};
    says(&verdict, "by other means\n" SEED);
    verdict.kind = VERDICT_NOT_COMPILED;
    says(&verdict, "by other means\n");
}

static void test_built_in(void **state) {
    (void)state;
    assert_int_equal(exercise_built_in_count(), 34);
    assert_null(exercise_built_in(34));
    assert_string_equal(exercise_built_in(0)->name, "broadcast");
    assert_ptr_equal(exercise_built_in_find("broadcast"), exercise_built_in(0));
    assert_null(exercise_built_in_find("brodcast"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_headers),
                                       cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_folders),
                                       cmocka_unit_test(test_verdicts),
                                       cmocka_unit_test(test_built_in),
                                       MEMORY_TEST};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
