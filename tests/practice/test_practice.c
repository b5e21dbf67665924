/*
 * test_practice.c - every exercise's solution, other solution, skeleton and mutant gets its
 * expected verdict, which is the same whether the code is compiled or interpreted, with the same
 * seed.
 */
#include "practice/practice.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *only; /* the exercise that the command line names */

/* The rules that are broken, with their lines: "shared_race:5 ...", in order. */
static char *rules_of(const struct verdict *verdict) {
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < verdict->report.count; i++) {
        const struct check_finding *finding = &verdict->report.finding[i];
        text_append_format(&text, "%s:%u ", finding->rule, finding->line);
    }
    return text_detach(&text);
}

static bool judge_both(const struct exercise *exercise, const char *what, const char *text,
                       bool passes) {
    const struct judging judging = {.path = "answer.cu",
                                    .text = text,
                                    .has_seed = true,
                                    .seed = 7,
                                    .settings = RUN_SETTINGS_INIT};
    struct verdict compiled, interpreted;
    struct error err = ERROR_INIT;
    assert_int_equal(exercise_judge(exercise, &judging, &compiled, &err), 0);
    assert_int_equal(practice_judge(exercise, &judging, &interpreted, &err), 0);
    char *rules = rules_of(&compiled), *others = rules_of(&interpreted);
    bool right = compiled.kind == interpreted.kind && compiled.kind != VERDICT_NOT_COMPILED &&
                 (compiled.kind == VERDICT_PASSED) == passes;
    if (right && compiled.kind == VERDICT_WRONG)
        right = compiled.index == interpreted.index && compiled.lane == interpreted.lane &&
                strcmp(compiled.case_name, interpreted.case_name) == 0;
    if (!right || getenv("PRACTICE_TELLS"))
        print_message(
            "%s, %s: %s %s[%s %s %d], interpreted %s %s[%s %s %d]\n%s\n", exercise->name, what,
            verdict_name(compiled.kind), rules, compiled.case_name ? compiled.case_name : "",
            compiled.got ? compiled.got : "", compiled.index, verdict_name(interpreted.kind),
            others, interpreted.case_name ? interpreted.case_name : "",
            interpreted.got ? interpreted.got : "", interpreted.index,
            interpreted.text ? interpreted.text : "");
    free(rules);
    free(others);
    verdict_release(&compiled);
    verdict_release(&interpreted);
    return right;
}

static void answers_get_their_verdict_compiled_and_interpreted(void **state) {
    unsigned judged = 0, wrong = 0;
    (void)state;
    for (size_t i = 0; i < exercise_built_in_count(); i++) {
        const struct exercise *exercise = exercise_built_in(i);
        if (only && strcmp(only, exercise->name) != 0)
            continue;
        wrong += !judge_both(exercise, "solution", exercise->solution, true);
        wrong += !judge_both(exercise, "skeleton", exercise->skeleton, false);
        if (exercise->other)
            wrong += !judge_both(exercise, "other", exercise->other, true);
        for (size_t m = 0; m < exercise->mutant_count; m++)
            wrong += !judge_both(exercise, exercise->mutants[m].why, exercise->mutants[m].text,
                                 exercise->mutants[m].passes);
        judged += 2 + (exercise->other != NULL) + (unsigned)exercise->mutant_count;
    }
    print_message("%u answers judged both ways, %u wrongly\n", judged, wrong);
    assert_int_equal(wrong, 0);
    assert_true(judged > 0);
}

/* An answer that is right if every condition is true; no exercise's answer needs these. */
static void values_are_computed_as_a_compiler_does(void **state) {
    static const char *const conditions[] = {"(c++ == 255 && c == 0)", "(f++ == 0.1f && f == 1.1f)",
                                             "(*p++ == 1 && *p == 2)", "(c-- == 0 && c == 255)"};
    const struct exercise *exercise = exercise_built_in_find("broadcast");
    (void)state;
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "__device__ int broadcast(int v) {\n"
                 "    unsigned char c = %s;\n    float f = 0.1f;\n    int a[2] = {1, 2}, *p = a;\n"
                 "    const bool holds = %s;\n"
                 "    return __shfl_sync(~0u, v, holds && f > 0 && *p > 0 ? 5 : 6);\n}\n",
                 i == 3 ? "0" : "255", conditions[i]);
        const struct judging judging = {
            .path = "answer.cu", .text = text, .settings = RUN_SETTINGS_INIT};
        struct verdict verdict;
        struct error err = ERROR_INIT;
        assert_int_equal(practice_judge(exercise, &judging, &verdict, &err), 0);
        if (verdict.kind != VERDICT_PASSED)
            fail_msg("%s: %s", conditions[i], verdict.text ? verdict.text : "");
        verdict_release(&verdict);
        assert_true(judge_both(exercise, conditions[i], text, true));
    }
}

/* Text that is not a program, or that ends too early, is refused or wrong, and nothing breaks. */
static void broken_answers_are_refused(void **state) {
    static const struct {
        const char *text;
        enum verdict_kind kind;
    } answers[] = {
        {"__device__ int broadcast(int v) { asm(\"", VERDICT_NOT_COMPILED},
        {"__device__ int broadcast(int v) { int a[65536][65536]; return a[1][0]; }",
         VERDICT_NOT_COMPILED},
        {"__device__ int broadcast(int v) { if (v < 0) return v; }", VERDICT_UNFINISHED},
        {"__device__ int broadcast(int v) { int *p = nullptr; return p[-1]; }", VERDICT_UNFINISHED},
        {"__device__ int broadcast(int v) { int x = {{{{1}}}}; return x; }", VERDICT_WRONG}};
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct judging judging = {
            .path = "answer.cu", .text = answers[i].text, .settings = RUN_SETTINGS_INIT};
        struct verdict verdict;
        struct error err = ERROR_INIT;
        assert_int_equal(
            practice_judge(exercise_built_in_find("broadcast"), &judging, &verdict, &err), 0);
        if (verdict.kind != answers[i].kind)
            fail_msg("%s: %s", answers[i].text, verdict_name(verdict.kind));
        verdict_release(&verdict);
    }
    struct text deep = TEXT_INIT;
    text_append(&deep, "__device__ int broadcast(int v) { return ");
    for (int i = 0; i < 100000; i++)
        text_append(&deep, i % 2 ? "-" : "(");
    const struct judging judging = {
        .path = "answer.cu", .text = deep.data, .settings = RUN_SETTINGS_INIT};
    struct verdict verdict;
    struct error err = ERROR_INIT;
    assert_int_equal(practice_judge(exercise_built_in_find("broadcast"), &judging, &verdict, &err),
                     0);
    assert_int_equal(verdict.kind, VERDICT_NOT_COMPILED);
    verdict_release(&verdict);
    text_release(&deep);
}

int main(int argc, char **argv) {
    only = argc > 1 ? argv[1] : NULL;
    if (only && strcmp(only, "broken") == 0) {
        const struct CMUnitTest broken[] = {
            cmocka_unit_test(values_are_computed_as_a_compiler_does),
            cmocka_unit_test(broken_answers_are_refused)};
        return cmocka_run_group_tests(broken, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_get_their_verdict_compiled_and_interpreted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
