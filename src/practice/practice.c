#include "practice/practice.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "exercise/means.h"
#include "exercise/verdict.h"
#include "interpreter/interpreter.h"
#include "practice/host_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MOST (UINT64_C(1) << 17) /* of a recording, as in judge.c */

/* The test of one run; kernel_run() may call it several times, but only the first call counts. */
struct trial {
    const char *name;
    uint64_t seed;
    char *report;
};

static struct kernel_program *program; /* whose kernels are launched */

int practice_launch(const char *name, const unsigned grid[3], const unsigned block[3],
                    const struct kernel_argument *arguments, size_t count) {
    return kernel_program_launch(program, name, grid, block, arguments, count);
}

void practice_mark_written(const void *memory, size_t size) {
    kernel_memory_written(memory, size);
}

static struct {
    void **list;
    size_t count, capacity;
} rooms;

void *practice_alloc(size_t count, size_t size) {
    rooms.list = memory_room(rooms.list, rooms.count, &rooms.capacity, sizeof *rooms.list);
    return rooms.list[rooms.count++] = memory_zeroed(count, size);
}

static void rooms_free(void) {
    while (rooms.count > 0)
        free(rooms.list[--rooms.count]);
}

static int run_test(void *context) {
    struct trial *trial = context;
    char *report = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&report, &size);
    if (!out)
        memory_exhausted();
    const int status = practice_run_test(trial->name, out, trial->seed);
    fclose(out);
    rooms_free();
    if (!trial->report)
        trial->report = report;
    else
        free(report);
    return status;
}

static int run_once(const struct exercise *exercise, const struct judging *judging, unsigned number,
                    struct verdict *verdict, struct error *err) {
    struct trial trial = {exercise->name, verdict->seed + number, NULL};
    struct kernel_run run = {program, judging->settings, run_test, &trial};
    struct kernel_run_result result;
    struct test_results results = {0};
    run.settings.schedule += number;
    run.settings.step_limit = STEPS_MOST;
    kernel_run(&run, &result);
    test_results_read(&results, trial.report);
    const uint64_t schedule = run.settings.schedule;
    int status = result.trace ? check_recording(&verdict->report, result.trace,
                                                result.accesses.unset, schedule, err)
                              : 0;
    check_accesses(&verdict->report, result.trace, &result.accesses, schedule);
    const struct error none = ERROR_INIT;
    const struct run_end end = {&results,      result.trace, schedule,      &none,
                                result.status, true,         &result.failed};
    if (status == 0)
        status = verdict_add_run(verdict, exercise, &end, err);
    if (status == 0)
        result.trace = NULL; /* the verdict's */
    kernel_run_release(&result);
    test_results_release(&results);
    free(trial.report);
    return status;
}

/* The first run again, for exercises that restrict accesses. */
static void judge_accesses(const struct exercise *exercise, const struct judging *judging,
                           struct verdict *verdict) {
    struct trial trial = {exercise->name, verdict->seed, NULL};
    struct kernel_run run = {program, judging->settings, run_test, &trial};
    struct kernel_run_result result;
    size_t count;
    run.settings.unfollowed = true;
    kernel_accesses_begin(true);
    kernel_run(&run, &result);
    const struct kernel_access *made = kernel_accesses(&count);
    struct means_access *list = memory_zeroed(count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct means_access){.launch = made[i].launch,
                                        .warp = made[i].warp,
                                        .block = made[i].block,
                                        .address = made[i].address,
                                        .op = made[i].op};
    char *why = means_judge_access_list(exercise, list, count);
    if (why)
        verdict_other_means(verdict, why);
    kernel_accesses_begin(false);
    kernel_run_release(&result);
    free(list);
    free(trial.report);
}

int practice_judge(const struct exercise *exercise, const struct judging *judging,
                   struct verdict *verdict, struct error *err) {
    const unsigned runs = judging->runs ? judging->runs : JUDGING_RUNS;
    struct text name = TEXT_INIT;
    struct error failed = ERROR_INIT;
    int status = 0;
    *verdict = (struct verdict){.seed = judging->has_seed ? judging->seed : judging_draw_seed()};
    if (!practice_has_test(exercise->name))
        return error_set(err, ERROR_MISSING, _("this page has no test for exercise %s"),
                         exercise->name);
    text_append_format(&name, "%s/harness.cu", exercise->name);
    const struct kernel_source sources[] = {
        {name.data, exercise->harness, true, false},
        {file_base_name(judging->path), judging->text, false, exercise->no_memory}};
    if (kernel_program_read(&program, sources, 2, &failed) != 0) {
        verdict->kind = VERDICT_NOT_COMPILED;
        verdict->text = memory_string(failed.text);
    }
    for (unsigned i = 0; status == 0 && program && verdict->kind == VERDICT_PASSED && i < runs; i++)
        status = run_once(exercise, judging, i, verdict, err);
    if (status == 0 && verdict->kind == VERDICT_PASSED && means_accesses(exercise))
        judge_accesses(exercise, judging, verdict);
    check_report_arrange(&verdict->report);
    verdict->printed = memory_string("");
    kernel_program_free(program);
    program = NULL;
    text_release(&name);
    return status;
}
