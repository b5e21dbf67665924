/*
 * cpu_bench.c - warp shuffles per second on the CPU warp, checked and recorded, compared with a
 * plain fiber per lane that does the same work (cpu_yardstick.h).
 *
 *     cpu_bench [WARPS [ROUNDS [SLICES]]]
 *
 * Both run alternately in this process, on one core, in slices of less than a millisecond of
 * processor time, so that a machine with other work disturbs only some of them, and both alike. The
 * speed of either also depends on where the system happens to put its stacks in memory, so both
 * start again with other stacks every few slices. It prints the best slice of each, the median
 * slice of each, and the median ratio of adjacent slices. The sums show that both did the same
 * work.
 *
 * Both write a record per warp shuffle into memory. As in real recordings (trace/writer.c),
 * the memory is reused after as many records as a block of a recording holds, which are too many
 * for the processor's caches.
 */
#include "cpu_yardstick.h"
#include "simt/simt.h"

#include "base/memory.h"
#include "trace/format.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Records kept before memory is used again, in both: powers of two. */
static const unsigned record_counts[] = {TRACE_FILE_BLOCK_STEPS, 65536};
/* Slices on the same stacks. */
#define SLICES_A_PLACE 10

uint64_t cpu_bench_run(unsigned warps, unsigned rounds, int *error);

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Records in memory, reused from the start when the end is reached. */
struct ring {
    uint8_t *records;
    size_t count, next;
    uint64_t dropped;
};

static uint32_t ring_launch(void *context, const struct trace_launch *launch) {
    (void)context, (void)launch;
    return 0;
}
static uint32_t ring_site(void *context, const struct trace_site *site) {
    (void)context, (void)site;
    return 0;
}
static void *ring_reserve(void *context, size_t *count) {
    struct ring *ring = context;
    size_t first = ring->next;
    *count = ring->count / 16;
    ring->next = (first + *count) % ring->count;
    return ring->records + first * SHFLVIZ_RECORD_SIZE(4);
}
static void ring_drop(void *context, uint64_t steps) {
    ((struct ring *)context)->dropped += steps;
}

/* Memory to which the system has already given pages. */
static void *touched_memory(size_t count, size_t size) {
    return memset(memory_zeroed(count, size), 0x5a, count * size);
}

static void pin_to_one_core(void) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
#endif
}

static int compare_doubles(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static void sort(double *values, unsigned count) {
    qsort(values, count, sizeof *values, compare_doubles);
}

/* `seconds` of the slices, sorted. */
static void report(const char *name, const double *seconds, unsigned count, double shuffles,
                   uint64_t sum) {
    printf("%-32s %10.3e warp shuffles/s, %6.1f ns each (median %6.1f)  sum %" PRIu64 "\n", name,
           shuffles / seconds[0], seconds[0] / shuffles * 1e9, seconds[count / 2] / shuffles * 1e9,
           sum);
}

/* Returns 0, or 1 if the two did not do the same work. */
static int compare(unsigned warps, unsigned rounds, unsigned slices, unsigned count) {
    const double shuffles = 5.0 * warps * rounds;
    struct ring ring = {.records = touched_memory(count, SHFLVIZ_RECORD_SIZE(4)), .count = count};
    const struct cpu_sink sink = {.context = &ring,
                                  .value_bytes = 4,
                                  .launch = ring_launch,
                                  .site = ring_site,
                                  .reserve = ring_reserve,
                                  .drop = ring_drop,
                                  .first_sequence = 1};
    const struct cpu_options options = {.sink = &sink, .settings.poison = 0};
    struct cpu_device *device = NULL;
    struct yardstick_record *records = touched_memory(count, sizeof *records);
    struct yardstick *yardstick = NULL;

    double *plain = memory_zeroed(slices, sizeof *plain);
    double *warp = memory_zeroed(slices, sizeof *warp);
    double *ratio = memory_zeroed(slices, sizeof *ratio);
    uint64_t sum_plain = 0, sum_warp = 0;
    int error = 0;
    for (unsigned slice = 0; slice < slices && !error; slice++) {
        if (slice % SLICES_A_PLACE == 0) {
            yardstick_destroy(yardstick);
            cpu_device_destroy(device);
            yardstick = yardstick_create(records, count);
            device = cpu_device_create(&options);
            cpu_device_use(device);
        }
        double start = seconds_now();
        sum_plain = yardstick_run(yardstick, warps, rounds);
        double middle = seconds_now();
        sum_warp = cpu_bench_run(warps, rounds, &error);
        plain[slice] = middle - start;
        warp[slice] = seconds_now() - middle;
        ratio[slice] = plain[slice] / warp[slice];
    }
    sort(plain, slices);
    sort(warp, slices);
    sort(ratio, slices);
    printf("memory of %u records:\n", count);
    report("fiber a lane, checked, recorded", plain, slices, shuffles, sum_plain);
    report("CPU warp, checked, recorded", warp, slices, shuffles, sum_warp);
    printf("ratio %.2f, median of the slices %.2f\n", plain[0] / warp[0], ratio[slices / 2]);

    bool same = !error && sum_plain == sum_warp && ring.dropped == 0;
    if (!same)
        fprintf(stderr, "cpu_bench: the two did not do the same work\n");
    yardstick_destroy(yardstick);
    cpu_device_destroy(device);
    free(ring.records);
    free(records);
    free(plain);
    free(warp);
    free(ratio);
    return same ? 0 : 1;
}

int main(int argc, char **argv) {
    unsigned warps = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
    unsigned slices = argc > 3 ? (unsigned)atoi(argv[3]) : 2000;
    int status = 0;
    if (warps == 0 || rounds == 0 || slices == 0) {
        fprintf(stderr, "usage: cpu_bench [WARPS [ROUNDS [SLICES]]]\n");
        return 2;
    }
    pin_to_one_core();
    for (size_t i = 0; i < sizeof record_counts / sizeof record_counts[0]; i++)
        status |= compare(warps, rounds, slices, record_counts[i]);
    return status;
}
