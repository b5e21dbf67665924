#include "measure/bench.h"
#include "base/complaint.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "cli/command.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>

/* ---- the measurements ---- */

/* Each one measures, appends its table and reports whether all computed results are right. Returns
 * 0, or -1 with err filled. */

static int measure_reduce(const struct bench_options *options, struct text *text, bool *correct,
                          struct error *err) {
    struct bench_reduce_report report;
    if (bench_reduce(options, &report, err) != 0)
        return -1;
    bench_reduce_text(&report, text);
    *correct = bench_reduce_correct(&report);
    return 0;
}

static int measure_shuffle(const struct bench_options *options, struct text *text, bool *correct,
                           struct error *err) {
    struct bench_shuffle_report report;
    if (bench_shuffle(options, &report, err) != 0)
        return -1;
    bench_shuffle_text(&report, text);
    *correct = bench_shuffle_correct(&report);
    return 0;
}

static int measure_record(const struct bench_options *options, struct text *text, bool *correct,
                          struct error *err) {
    struct bench_record_report report;
    if (bench_record(options, &report, err) != 0)
        return -1;
    bench_record_text(&report, text);
    *correct = true;
    return 0;
}

static const struct benchmark {
    const char *name;
    const char *summary;
    bool takes_n;
    int (*measure)(const struct bench_options *options, struct text *text, bool *correct,
                   struct error *err);
} benchmarks[] = {
    {"reduce", N_("the sum of n values, compared with reading memory"), true, measure_reduce},
    {"shuffle", N_("a warp's sum, with shuffles or with shared memory"), false, measure_shuffle},
    {"record", N_("the cost of recording, compared with printf"), false, measure_record},
};
#define BENCHMARKS (sizeof(benchmarks) / sizeof(benchmarks[0]))

const char *benchmark_name(size_t index) {
    return index < BENCHMARKS ? benchmarks[index].name : NULL;
}

static int list_benchmarks(struct error *err) {
    for (size_t i = 0; i < BENCHMARKS; i++)
        printf("%-8s  %s\n", benchmarks[i].name, _(benchmarks[i].summary));
    return show_finish(err);
}

static int unknown_benchmark(const char *name, struct error *err) {
    /* Benchmarks of this program, rather than of a device, need its build folder. */
    static const char *const elsewhere[] = {"cpu", "screen", "live"};
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
        if (strcmp(name, elsewhere[i]) == 0)
            return error_set(err, ERROR_USAGE,
                             _("bench: %s: can be measured only in the shflviz source tree\ntry: "
                               "run bench/run %s there"),
                             name, name);
    struct choice choice = CHOICE_INIT(name);
    for (size_t i = 0; i < BENCHMARKS; i++)
        choice_add(&choice, benchmarks[i].name);
    return choice_refuse(&choice,
                         _("bench: %s: no benchmark of that name%s\nallowed: %s\ntry: shflviz "
                           "bench, which lists the benchmarks"),
                         err);
}

/* ---- the command ---- */

static int run_benchmark(const struct benchmark *benchmark, const struct options *options,
                         struct error *err) {
    const struct bench_options bench_options = {.device = options->launch.device.kind,
                                                .count = options->launch.parameters.count};
    struct text text = TEXT_INIT;
    bool correct = false;
    progress_line_begin(_("measuring"));
    int status = benchmark->measure(&bench_options, &text, &correct, err);
    progress_line_end();
    if (status == 0) {
        fputs(text.data, stdout);
        status = show_finish(err);
    }
    text_release(&text);
    if (status == 0 && !correct)
        return error_set(err, ERROR_FOUND, _("bench %s: a result is wrong; see the table"),
                         benchmark->name);
    return status;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    if (options->operand_count == 0 && options->given & ~OPTIONS_ALWAYS)
        return error_set(err, ERROR_USAGE,
                         _("%s: these options need the name of a benchmark\ntry: shflviz bench, "
                           "which lists the benchmarks"),
                         command->name);
    if (options->operand_count == 0)
        return list_benchmarks(err);
    for (size_t i = 0; i < BENCHMARKS; i++) {
        const struct benchmark *benchmark = &benchmarks[i];
        if (strcmp(options->operands[0], benchmark->name) != 0)
            continue;
        if (options->given & OPTION_BIT(LAUNCH_N) && !benchmark->takes_n) {
            complain(err, "n", options->text[LAUNCH_N], _("means nothing to this benchmark"),
                     "--device", NULL);
            return error_prefix(err, "%s %s", command->name, benchmark->name);
        }
        return run_benchmark(benchmark, options, err);
    }
    return unknown_benchmark(options->operands[0], err);
}

const struct command command_bench = {
    .name = "bench",
    .summary = N_("measure how fast sums and shuffles are, with references"),
    .about = N_("Measures on a GPU if there is one, else on the CPU warp, where the figures only "
                "show how fast this machine emulates. Each figure comes with a reference from the "
                "same run, and the computed results are checked: if a result is wrong, the exit "
                "status is 1. Without a name, the command lists the benchmarks."),
    .operand = "[NAME]",
    .operand_kinds = OPERAND_BENCHMARKS,
    .options = OPTION_BIT(LAUNCH_N) | OPTION_BIT(LAUNCH_DEVICE),
    .examples = {"bench", "bench reduce", "bench reduce --n 268435456 --device gpu",
                 "bench shuffle"},
    .run = run,
};
