/*
 * Compares recording with the same work unrecorded, with printf, and with memset of the same size,
 * which is the best possible.
 */
#include "measure/bench.h"
#include "measure/clock.h"
#include "measure/measure.h"
#include "measure/run.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/unused.h"
#include "cudacpu/cudacpu.h"
#include "simt/simt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 4
/* 8 blocks of 4 warps, 256 rounds of 5 shuffles each: 40960 operations. */
#define BLOCKS     8u
#define THREADS    128u
#define ROUNDS     256u
#define WARPS      (BLOCKS * THREADS / CPU_WARP_LANES)
#define OPERATIONS (WARPS * ROUNDS * 5u)
/* The printed output has a line for each lane: 1 block of 1 warp, 20 rounds. */
#define PRINTED_ROUNDS     20u
#define PRINTED_OPERATIONS (PRINTED_ROUNDS * 5u)

/* ---- a recording in memory ---- */

struct memory {
    uint8_t *records;
    size_t used, room; /* in records */
    uint64_t dropped;
};

static uint32_t memory_launch(void *context UNUSED, const struct trace_launch *launch UNUSED) {
    return 0;
}
static uint32_t memory_site(void *context UNUSED, const struct trace_site *site UNUSED) {
    return 0;
}
static void *memory_reserve(void *context, size_t *count) {
    struct memory *memory = context;
    if (*count > memory->room - memory->used)
        *count = memory->room - memory->used;
    if (*count == 0)
        return NULL;
    void *reserved = memory->records + memory->used * SHFLVIZ_RECORD_SIZE(VALUE_BYTES);
    memory->used += *count;
    return reserved;
}
static void memory_drop(void *context, uint64_t steps) {
    ((struct memory *)context)->dropped += steps;
}

static void swallow(void *context UNUSED, const char *text UNUSED, size_t length UNUSED) {}

/* ---- measuring ---- */

static struct bench_record_row *add_row(struct bench_record_report *report, const char *name,
                                        double operations, double bytes) {
    struct bench_record_row *row = &report->rows[report->row_count++];
    *row = (struct bench_record_row){.name = name, .operations = operations, .bytes = bytes};
    return row;
}

/* The time of one run on its own device, which is made before the clock starts. */
static int run_once(const struct cpu_options *options, bool printed, double *seconds) {
    struct cpu_device *device = cpu_device_create(options);
    struct cpu_device *before = cpu_device_use(device);
    /* Stacks are made when they are first needed. */
    int status = shflviz_cpu_butterflies(0, 1, THREADS, 0);
    double start = clock_seconds();
    if (status == CPU_SUCCESS)
        status = printed ? shflviz_cpu_butterflies(1, 1, CPU_WARP_LANES, PRINTED_ROUNDS)
                         : shflviz_cpu_butterflies(0, BLOCKS, THREADS, ROUNDS);
    *seconds = clock_seconds() - start;
    cpu_device_use(before);
    cpu_device_destroy(device);
    return status;
}

/* `memory` is NULL if nothing is recorded. */
static int measure(struct bench_record_report *report, struct bench_record_row *row,
                   struct memory *memory, bool printed, struct error *err) {
    double *times = memory_zeroed(report->repeats, sizeof *times);
    int status = CPU_SUCCESS;
    for (unsigned run = 0; run < report->repeats && status == CPU_SUCCESS; run++) {
        const struct cpu_sink sink = {.context = memory,
                                      .value_bytes = VALUE_BYTES,
                                      .launch = memory_launch,
                                      .site = memory_site,
                                      .reserve = memory_reserve,
                                      .drop = memory_drop,
                                      .first_sequence = 1};
        const struct cpu_options options = {
            .settings = RUN_SETTINGS_INIT, .sink = memory ? &sink : NULL, .print = swallow};
        if (memory)
            memory->used = 0;
        status = run_once(&options, printed, &times[run]);
    }
    row->seconds = clock_median(times, report->repeats);
    free(times);
    if (status != CPU_SUCCESS)
        return error_set(err, ERROR_RUN, _("the kernel to be recorded did not run: %s"),
                         cpu_runtime_error_string(status));
    return 0;
}

static void measure_memset(struct bench_record_report *report, struct bench_record_row *row,
                           const struct memory *memory) {
    double *times = memory_zeroed(report->repeats, sizeof *times);
    for (unsigned run = 0; run < report->repeats; run++) {
        double start = clock_seconds();
        memset(memory->records, (int)run + 1, (size_t)row->bytes);
        __asm__ volatile("" : : "r"(memory->records) : "memory"); /* as if it were read */
        times[run] = clock_seconds() - start;
    }
    row->seconds = clock_median(times, report->repeats);
    free(times);
}

static int measure_all(struct bench_record_report *report, struct memory *memory,
                       struct error *err) {
    double bytes = (double)OPERATIONS * SHFLVIZ_RECORD_SIZE(VALUE_BYTES);
    struct bench_record_row *set = add_row(report, "memset of the same size", 0, bytes);
    measure_memset(report, set, memory);
    if (measure(report, add_row(report, "bare", OPERATIONS, 0), NULL, false, err) != 0 ||
        measure(report, add_row(report, "recorded", OPERATIONS, bytes), memory, false, err) != 0)
        return -1;
    report->records = OPERATIONS - memory->dropped;
    report->dropped = memory->dropped;
    return measure(report, add_row(report, "printf in each lane", PRINTED_OPERATIONS, 0), NULL,
                   true, err);
}

static int measure_cpu(struct bench_record_report *report, struct error *err) {
    /* The reserved range may exceed the used one, by one request. */
    struct memory memory = {.room = OPERATIONS + 1024};
    memory.records = memory_zeroed(memory.room, SHFLVIZ_RECORD_SIZE(VALUE_BYTES));
    int status = measure_all(report, &memory, err);
    free(memory.records);
    return status;
}

int bench_record(const struct bench_options *options, struct bench_record_report *report,
                 struct error *err) {
    *report = (struct bench_record_report){.row_count = 0};
    if (bench_device_choose(options, &report->device, &report->repeats, err) != 0)
        return -1;
    return report->device.kind == DEVICE_CPU
               ? measure_cpu(report, err)
               : bench_device_run(&report->device, NULL, SHFLVIZ_MEASURE_GPU(record), report, err);
}

bool bench_record_correct(const struct bench_record_report *report) {
    for (unsigned r = 0; r < report->row_count; r++)
        if (report->rows[r].operations > 0 && report->rows[r].bytes > 0 &&
            (double)report->records < report->rows[r].operations)
            return false;
    return report->dropped == 0;
}

/* ---- the table ---- */

static const struct bench_record_row *find_row(const struct bench_record_report *report,
                                               const char *name) {
    for (unsigned r = 0; r < report->row_count; r++)
        if (strcmp(report->rows[r].name, name) == 0)
            return &report->rows[r];
    return NULL;
}

static double each(const struct bench_record_row *row) {
    return row && row->operations > 0 ? row->seconds / row->operations : 0;
}

static void append_row(struct text *text, const struct bench_record_row *row, double bare) {
    text_append_column(text, message(row->name), 24);
    if (row->operations > 0 && row->seconds > 0)
        text_append_format(text, " %12.3e %10.1f", row->operations / row->seconds, each(row) * 1e9);
    else
        text_append_format(text, " %12s %10s", "-", "-");
    if (row->bytes > 0 && row->seconds > 0)
        text_append_format(text, " %8.2f", row->bytes / row->seconds / 1e9);
    else
        text_append_format(text, " %8s", "-");
    if (row->operations > 0 && bare > 0)
        text_append_format(text, " %8.2f\n", each(row) / bare);
    else
        text_append_format(text, " %8s\n", "-");
}

/* Appends the two comparisons that matter, if all their parts were measured. */
static void append_summary(struct text *text, const struct bench_record_report *report) {
    const struct bench_record_row *set = find_row(report, "memset of the same size");
    const struct bench_record_row *recorded = find_row(report, "recorded");
    const struct bench_record_row *printed = find_row(report, "printf in each lane");
    if (!set || !recorded || !printed || !(recorded->seconds > 0))
        return;
    text_append_format(
        text,
        _("\nRecording writes at %.1f %% of memset's rate and is %.1f times as fast as "
          "printf.\n"),
        100 * set->seconds / recorded->seconds, each(printed) / each(recorded));
}

void bench_record_text(const struct bench_record_report *report, struct text *text) {
    text_append_format(
        text,
        _("Butterfly shuffles: %" PRIu64 " records, %" PRIu64 " dropped; the median of %u runs.\n"),
        report->records, report->dropped, report->repeats);
    bench_device_text(&report->device, text);
    const char *const headings[] = {"", _("shuffles/s"), _("ns each"), "GB/s", _("slower")};
    bench_headings(text, headings, (const int[]){24, -12, -10, -8, -8}, 5);
    double bare = each(find_row(report, "bare"));
    for (unsigned r = 0; r < report->row_count; r++)
        append_row(text, &report->rows[r], bare);
    append_summary(text, report);
    text_append(
        text, _("\nshuffles/s  warp shuffles, one record each\nGB/s        written into the "
                "recording, and by memset\nslower      time per shuffle, as a multiple of bare\n"));
}
