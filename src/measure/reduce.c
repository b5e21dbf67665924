#include "measure/bench.h"
#include "measure/clock.h"
#include "measure/measure.h"
#include "measure/run.h"

#include "base/memory.h"
#include "base/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT_GPU (UINT64_C(1) << 28)
#define COUNT_CPU (UINT64_C(1) << 20)

/* ---- the plain loop ---- */

static long long expected_sum(uint64_t count) {
    long long sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += bench_value(i);
    return sum;
}

static float plain_sum(const float *values, uint64_t count) {
    float sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* The reference for the CPU warp: the same values, added up by this machine itself. */
static void measure_plain_loop(struct bench_reduce_report *report) {
    struct bench_reduce_row *row = &report->rows[report->row_count++];
    double *seconds = memory_zeroed(report->repeats, sizeof *seconds);
    float *values = memory_zeroed((size_t)report->count + 1, sizeof *values);
    for (uint64_t i = 0; i < report->count; i++)
        values[i] = (float)bench_value(i);
    *row =
        (struct bench_reduce_row){.name = N_("a plain loop in C"),
                                  .type = WARP_TYPE_FLOAT,
                                  .bytes = (double)report->count * sizeof *values,
                                  .additions = report->count > 1 ? (double)(report->count - 1) : 0,
                                  .is_sum = true,
                                  .correct = true};
    for (unsigned run = 0; run < report->repeats; run++) {
        double start = clock_seconds();
        float sum = plain_sum(values, report->count);
        seconds[run] = clock_seconds() - start;
        row->correct = row->correct && sum == (float)report->expected;
    }
    row->seconds = clock_median(seconds, report->repeats);
    free(values);
    free(seconds);
}

/* ---- measuring ---- */

int bench_reduce(const struct bench_options *options, struct bench_reduce_report *report,
                 struct error *err) {
    *report = (struct bench_reduce_report){.count = options->count};
    if (bench_device_choose(options, &report->device, &report->repeats, err) != 0)
        return -1;
    bool gpu = report->device.kind == DEVICE_GPU;
    if (report->count == 0)
        report->count = gpu ? COUNT_GPU : COUNT_CPU;
    report->expected = expected_sum(report->count);
    if (bench_device_run(&report->device, shflviz_cpu_measure_reduce, SHFLVIZ_MEASURE_GPU(reduce),
                         report, err) != 0)
        return -1;
    if (!gpu)
        measure_plain_loop(report);
    return 0;
}

bool bench_reduce_correct(const struct bench_reduce_report *report) {
    for (unsigned r = 0; r < report->row_count; r++)
        if (!report->rows[r].correct)
            return false;
    return true;
}

/* ---- the table ---- */

/* A share as "97.3 %", or "-" if one of the two is not known. */
static void append_share(struct text *text, double part, double whole) {
    if (part > 0 && whole > 0)
        text_append_format(text, " %6.1f %%", 100 * part / whole);
    else
        text_append_format(text, " %8s", "-");
}

static void append_row(struct text *text, const struct bench_reduce_report *report,
                       const struct bench_reduce_row *row) {
    char shape[32] = "-";
    double rate = row->seconds > 0 ? row->bytes / row->seconds : 0;
    if (row->blocks)
        snprintf(shape, sizeof shape, "%u x %u", row->blocks, row->threads);
    text_append_column(text, message(row->name), 24);
    text_append_format(text, " %-6s %12s %10.3f %9.2f", warp_type_info(row->type)->name, shape,
                       row->seconds * 1e3, rate / 1e9);
    append_share(text, rate, report->read);
    append_share(text, rate, report->device.peak);
    if (row->is_sum)
        text_append_format(text, " %9.3f  %s\n", row->bytes > 0 ? row->additions / row->bytes : 0,
                           row->correct ? _("right") : _("WRONG"));
    else
        text_append_format(text, " %9s\n", "-");
}

void bench_reduce_text(const struct bench_reduce_report *report, struct text *text) {
    text_append_format(text, _("The sum of %" PRIu64 " values; the median of %u runs.\n"),
                       report->count, report->repeats);
    bench_device_text(&report->device, text);
    const char *const headings[] = {"",           _("type"),    _("grid"),      "ms",    "GB/s",
                                    _("of read"), _("of peak"), _("adds/byte"), _("sum")};
    bench_headings(text, headings, (const int[]){24, 6, -12, -10, -9, -8, -8, -9, 0}, 9);
    for (unsigned r = 0; r < report->row_count; r++)
        append_row(text, report, &report->rows[r]);
    text_append(text, _("\nof read    share of the fastest read of the same values in this run\nof "
                        "peak    share of what memory clock and bus width allow\nadds/byte  "
                        "arithmetic intensity: additions that the sum needs, per byte read\n"));
    if (report->device.kind == DEVICE_GPU)
        text_append_format(
            text, _("\nA document about a block reduction reports 88.15 %% of the bandwidth "
                    "of an A30.\n"));
}
