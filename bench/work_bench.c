/*
 * work_bench - the cost of common tasks as recordings get longer.
 *
 *     work_bench [MOST [FOLDER]]      recordings of 10^3, 10^4 .. MOST steps (default 10^7)
 *
 * Prints a row for each length: recording and closing, per step; opening and the first picture;
 * jumping to a random step, drawing it; checking and exporting (JSON lines to /dev/null), per step.
 * The costs per step should be the same in each row, and so should a jump's costs. Costs per step
 * are processor time of all threads, because wall-clock time depends on the machine's other work;
 * for checking, the wall-clock time is given, too. The file is removed.
 */
#include "steps.h"
#include "walk.h"

#include "explain/findings/finding.h"
#include "export/export.h"
#include "replay/replay.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define JUMPS       1000
#define EXPORT_MOST 1000000 /* steps; with more steps the time of each stays the same */

/* Processor time of all threads of this process. */
static double processor_us(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static int compare_times(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void write_steps(const char *path, uint64_t steps, double *written, double *closed) {
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4, .in_place = true};
    const struct trace_launch launch = {
        "bench", {(uint32_t)block_of(steps - 1) + 1, 1, 1}, {32 * WARPS, 1, 1}, 0};
    const struct trace_site site = {"bench.cu", 1, "bench", "__shfl_xor_sync(~0u, value, 16)"};
    const double begin = processor_us();
    if (trace_writer_open(&writer, path, &options, &err) != 0)
        die(&err);
    trace_writer_launch(writer, &launch);
    trace_writer_site(writer, &site);
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint64_t step = 0; step < steps; step++, room--, record += RECORD_BYTES) {
        if (room == 0 && !(record = trace_writer_reserve(writer, &room))) {
            trace_writer_failed(writer, &err);
            unlink(path);
            die(&err);
        }
        write_record(record, step);
    }
    *written = processor_us() - begin;
    if (trace_writer_close(writer, NULL, &err) != 0)
        die(&err);
    *closed = processor_us() - begin - *written;
}

static double median(double times[JUMPS]) {
    qsort(times, JUMPS, sizeof times[0], compare_times);
    return times[JUMPS / 2];
}

/* Jumps to random steps and draws each at 80x24: the median of each. */
static void jump_about(struct replay *replay, uint64_t steps, struct grid *grid, double *jump,
                       double *draw) {
    static double jumps[JUMPS], draws[JUMPS];
    uint64_t seed = 1;
    for (int i = 0; i < JUMPS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        const double begin = microseconds_now();
        replay_go_step(replay, (seed >> 20) % steps);
        const double there = microseconds_now();
        view_draw(grid, replay);
        jumps[i] = there - begin;
        draws[i] = microseconds_now() - there;
    }
    *jump = median(jumps);
    *draw = median(draws);
}

static double export_steps(const struct trace *trace) {
    struct error err = ERROR_INIT;
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere || trace_step_count(trace) > EXPORT_MOST) {
        if (nowhere)
            fclose(nowhere);
        return 0;
    }
    const double begin = processor_us();
    if (export_jsonl(nowhere, trace, EXPORT_ALL, &err) != 0)
        die(&err);
    fclose(nowhere);
    return processor_us() - begin;
}

static void ignore_finding(void *context, const struct finding *finding) {
    (void)context;
    (void)finding;
}

static void measure(const char *path, uint64_t steps) {
    struct error err = ERROR_INIT;
    struct trace *trace;
    struct replay replay;
    struct grid grid;
    struct stat status;
    double written, closed, jump, draw;
    uint64_t findings;
    write_steps(path, steps, &written, &closed);
    grid_init(&grid, 80, 24, false);
    const double begin = microseconds_now();
    if (trace_open(&trace, path, &err) != 0 || replay_init(&replay, trace, &err) != 0)
        die(&err);
    view_draw(&grid, &replay);
    const double opened = microseconds_now() - begin;
    jump_about(&replay, steps, &grid, &jump, &draw);
    const double check_begin = microseconds_now(), check_used = processor_us();
    if (findings_walk(trace, ignore_finding, NULL, &findings, &err) != 0)
        die(&err);
    const double checked = processor_us() - check_used,
                 check_took = microseconds_now() - check_begin;
    const double exported = export_steps(trace);
    const double each = (double)steps / 1e3; /* microseconds in all, nanoseconds a step */
    printf("| %9" PRIu64 " | %6.1f | %6.0f | %6.0f | %6.2f | %7.4f | %7.4f | %6.0f | %6.2f | ",
           steps, stat(path, &status) == 0 ? (double)status.st_size / (double)steps : 0,
           written / each, closed / each, opened / 1e3, jump / 1e3, draw / 1e3, checked / each,
           check_took / 1e6);
    if (exported > 0)
        printf("%6.0f |\n", exported / each);
    else
        puts("       |");
    fflush(stdout);
    grid_release(&grid);
    trace_close(trace);
    unlink(path);
}

int main(int argc, char **argv) {
    char path[4096];
    const uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    const char *folder = argc > 2 ? argv[2] : getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/work_bench-%ld.svt", folder && folder[0] ? folder : "/tmp",
             (long)getpid());
    puts("| steps | bytes a step | recording, ns a step | closing, ns a step | open and draw, ms | "
         "jump, ms | draw, ms | checking, ns a step | checking, s | JSON lines, ns a step |");
    puts("|---|---|---|---|---|---|---|---|---|---|");
    for (uint64_t steps = 1000; steps <= most; steps *= 10)
        measure(path, steps);
    return 0;
}
