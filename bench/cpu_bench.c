/*
 * cpu_bench.c - warp shuffles a second on the CPU warp, checked and recorded, beside a plain fiber
 * per lane that does the same work (cpu_yardstick.h).
 *
 *     cpu_bench [WARPS [ROUNDS [REPEATS]]]
 *
 * Both run by turns in this process, on one core; the best of the repeats counts. Both write a
 * record per warp shuffle into memory that is used again, as many records in each. The sums show
 * that both did the same work.
 */
#include "cpu_device.h"
#include "cpu_yardstick.h"

#include "base/memory.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Records kept before memory is used again, in both. */
#define RECORDS 65536

uint64_t cpu_bench_run(unsigned warps, unsigned rounds, int *error);

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Records in memory, reused from the start when the end is reached. */
struct ring {
    uint8_t *records;
    size_t next;
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
    *count = RECORDS / 16;
    ring->next = (first + *count) % RECORDS;
    return ring->records + first * SHFLVIZ_RECORD_SIZE(4);
}
static void ring_drop(void *context, uint64_t steps) {
    ((struct ring *)context)->dropped += steps;
}

static void pin_to_one_core(void) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
#endif
}

static void report(const char *name, double seconds, double shuffles, uint64_t sum) {
    printf("%-34s %10.3e warp shuffles/s  %6.1f ns each  sum %" PRIu64 "\n", name,
           shuffles / seconds, seconds / shuffles * 1e9, sum);
}

int main(int argc, char **argv) {
    unsigned warps = argc > 1 ? (unsigned)atoi(argv[1]) : 1024;
    unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
    int repeats = argc > 3 ? atoi(argv[3]) : 9;
    double shuffles = 5.0 * warps * rounds;
    pin_to_one_core();

    struct ring ring = {.records = NULL};
    ring.records = memory_zeroed(RECORDS, SHFLVIZ_RECORD_SIZE(4));
    const struct cpu_sink sink = {.context = &ring,
                                  .value_bytes = 4,
                                  .launch = ring_launch,
                                  .site = ring_site,
                                  .reserve = ring_reserve,
                                  .drop = ring_drop,
                                  .first_sequence = 1};
    const struct cpu_options options = {.sink = &sink, .poison = 0};
    struct cpu_device *device = cpu_device_create(&options);
    cpu_device_use(device);
    struct yardstick *yardstick = yardstick_create(RECORDS);

    double best_plain = 1e30, best_warp = 1e30;
    uint64_t sum_plain = 0, sum_warp = 0;
    int error = 0;
    for (int repeat = 0; repeat < repeats && !error; repeat++) {
        double start = seconds_now();
        sum_plain = yardstick_run(yardstick, warps, rounds);
        double middle = seconds_now();
        sum_warp = cpu_bench_run(warps, rounds, &error);
        double end = seconds_now();
        if (middle - start < best_plain)
            best_plain = middle - start;
        if (end - middle < best_warp)
            best_warp = end - middle;
    }
    report("fiber a lane, checked, recorded", best_plain, shuffles, sum_plain);
    report("CPU warp, checked, recorded", best_warp, shuffles, sum_warp);
    printf("ratio %.2f\n", best_plain / best_warp);

    bool same = !error && sum_plain == sum_warp && ring.dropped == 0;
    if (!same)
        fprintf(stderr, "cpu_bench: the two did not do the same work\n");
    yardstick_destroy(yardstick);
    cpu_device_destroy(device);
    free(ring.records);
    return same ? 0 : 1;
}
