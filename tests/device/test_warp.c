/*
 * test_warp.c - the results of lanes of the CPU warp, the lanes they wait for, and the recording.
 */
#include "device_kernels.h"
#include "failure.h"
#include "memory_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <cuda_runtime_api.h>

#define POISON      0xbadbadbadbadbad0
#define LANE_POISON ((int)0xdbadbad0) /* cut to 32 bits */
#define GARBAGE     ((int)0xcdcdcdcd)

/* A device with a recording, and a kernel's output. */
struct run {
    struct memory_sink sink;
    struct cpu_device *device;
    int *out;
    int status;
    char printed[4096];
};

static void collect(void *context, const char *text, size_t length) {
    struct run *run = context;
    strncat(run->printed, text, length);
}

#define OUT_COUNT 4096

static void run_begin(struct run *run, uint64_t schedule, size_t capacity) {
    run->printed[0] = '\0';
    memory_sink_init(&run->sink, 8, capacity);
    const struct cpu_options options = {.settings.schedule = schedule,
                                        .settings.poison = POISON,
                                        .sink = &run->sink.sink,
                                        .print = collect,
                                        .print_context = run};
    run->device = cpu_device_create(&options);
    cpu_device_use(run->device);
    assert_int_equal(cudaMalloc((void **)&run->out, OUT_COUNT * sizeof *run->out), 0);
}

static void run_end(struct run *run) {
    cpu_device_use(NULL);
    cpu_device_destroy(run->device);
    memory_sink_release(&run->sink);
}

static void run_kernel(struct run *run, uint64_t schedule, enum test_kernel kernel, unsigned blocks,
                       unsigned threads) {
    run_begin(run, schedule, 512);
    run->status = test_launch(kernel, blocks, threads, run->out);
}

/* Every recorded step agrees with lib/warp. */
static void assert_agreement(const struct run *run) {
    for (size_t s = 0; s < memory_sink_steps(&run->sink); s++) {
        struct sink_step step = memory_sink_step(&run->sink, s);
        struct lane_outcome outcome[WARP_LANES];
        warp_outcome(&step.operation, outcome);
        assert_int_equal(warp_disagreement(&step.operation, outcome), 0);
    }
}

#define SEEDS 50

/* ---- lanes that wait for each other ---- */

static void assert_deadlock(struct run *run, const char *const parts[]) {
    const struct error *error = cpu_device_error(run->device);
    assert_int_not_equal(run->status, 0);
    assert_int_equal(error->kind, ERROR_RUN);
    struct text words = TEXT_INIT;
    memory_sink_failure(&run->sink, &words);
    for (; *parts; parts++)
        if (!strstr(words.data, *parts))
            fail_msg("no \"%s\" in:\n%s", *parts, words.data);
    text_release(&words);
}

static char *place(char buffer[160], int line, const char *rest) {
    snprintf(buffer, 160, "tests/device/kernels.cu:%d %s", test_lines[line], rest);
    return buffer;
}

static void test_divergent_sync_is_reported(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct run run;
        char a[160], b[160];
        run_kernel(&run, seed, KERNEL_DIVERGENT_SYNC, 1, 32);
        assert_deadlock(&run, (const char *[]){"block (0,0,0)", "warp 0: lanes 0-15 wait at ",
                                               place(a, LINE_SYNC, "__syncwarp() for lanes 16-31"),
                                               "warp 0: lanes 16-31 wait at ",
                                               place(b, LINE_SHUFFLE,
                                                     "__shfl_sync(FULL, lane, 0) for lanes 0-15"),
                                               NULL});
        assert_int_equal(memory_sink_steps(&run.sink), 2); /* their locations, lowest lanes first */
        for (size_t s = 0; s < 2; s++) {
            struct sink_step step = memory_sink_step(&run.sink, s);
            struct lane_outcome outcome[WARP_LANES];
            warp_outcome(&step.operation, outcome);
            assert_true(step.operation.unfinished);
            assert_int_equal(step.operation.op, s == 0 ? WARP_OP_SYNC : WARP_OP_IDX);
            assert_int_equal(step.operation.present, s == 0 ? 0x0000ffff : 0xffff0000);
            for (int lane = 0; lane < 32; lane++)
                assert_int_equal(outcome[lane].reason, step.operation.present >> lane & 1
                                                           ? LANE_REASON_UNFINISHED
                                                           : LANE_REASON_NONE);
        }
        run_end(&run);
    }
}

/* Valid from compute capability 7.0 on (the guide, "Independent Thread Scheduling"). */
static void test_same_shuffle_in_both_branches_is_one(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_BOTH_BRANCHES, 1, 35);
        assert_int_equal(run.status, 0);
        for (int lane = 0; lane < 34; lane++)
            assert_int_equal(run.out[lane], lane ^ 1);
        assert_int_equal(run.out[34], LANE_POISON); /* reads thread 35 */
        assert_int_equal(memory_sink_steps(&run.sink), 2);
        for (size_t s = 0; s < 2; s++) { /* reported at the location of lane 0 */
            struct sink_step step = memory_sink_step(&run.sink, s);
            assert_int_equal(step.header->present, step.header->warp ? 7 : 0xffffffff);
            assert_int_equal(step.site->line, test_lines[LINE_EVEN]);
        }
        assert_agreement(&run);
        run_end(&run);
    }
}

/* Lanes at two locations that wait for the same other lanes. */
static void test_whom_lanes_of_both_branches_wait_for(void **state) {
    (void)state;
    struct run run;
    char a[160], b[160];
    run_kernel(&run, 0, KERNEL_TWO_BRANCHES_OF_THREE, 1, 4);
    assert_deadlock(&run, (const char *[]){
                              "lane 0 waits at ", "lane 1 waits at ",
                              place(a, LINE_FIRST, "__shfl_xor_sync(FULL, lane, 1) for lanes 2-3"),
                              place(b, LINE_SECOND, "__shfl_xor_sync(FULL, lane, 1) for lanes 2-3"),
                              "lanes 2-3 wait at ", NULL});
    run_end(&run);
}

static void test_missed_barrier_is_reported(void **state) {
    (void)state;
    struct run run;
    char a[160], b[160];
    run_kernel(&run, 0, KERNEL_BARRIER_MISSED, 1, 64);
    assert_deadlock(
        &run,
        (const char *[]){"warp 0: all 32 lanes wait at ", "warp 1: lanes 0-7 wait at ",
                         place(a, LINE_BARRIER, "__syncthreads() for lanes 8-31 of warp 1"),
                         place(b, LINE_BALLOT, "__ballot_sync(FULL, thread) for lanes 0-7"), NULL});
    /* Earlier steps stay recorded: one shuffle in each warp, then the ballot that waits. */
    assert_int_equal(memory_sink_steps(&run.sink), 3);
    for (size_t s = 0; s < 3; s++)
        assert_int_equal(memory_sink_step(&run.sink, s).operation.unfinished, s == 2);
    run_end(&run);
}

static void test_spinning_ends(void **state) {
    (void)state;
    struct run run;
    run_begin(&run, 0, 16);
    run.out[0] = 0;
    run.status = test_launch(KERNEL_SPIN, 1, 2, run.out);
    assert_deadlock(&run, (const char *[]){"never changes", "warp 0: lane 1 is still running",
                                           "lane 0 waits at ", NULL});
    run_end(&run);
}

static void test_device_works_after_reset(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_DIVERGENT_SYNC, 1, 32);
    assert_int_equal(test_launch(KERNEL_NESTED, 1, 32, run.out), cudaErrorLaunchTimeout);
    assert_int_equal(cpu_runtime_reset(), 0);
    assert_int_equal(cudaMalloc((void **)&run.out, OUT_COUNT * sizeof *run.out), 0);
    assert_int_equal(test_launch(KERNEL_NESTED, 1, 32, run.out), 0);
    assert_int_equal(run.out[0], 3);
    run_end(&run);
}

/* ---- lanes that leave, pass wrong masks or are outside ---- */

static void test_lanes_that_left_count_as_gone(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_EXIT_EARLY, 1, 32);
        assert_int_equal(run.status, 0);
        for (int lane = 0; lane < 16; lane++)
            assert_int_equal(run.out[lane], 104 + lane);
        for (int lane = 16; lane < 20; lane++)
            assert_int_equal(run.out[lane], LANE_POISON);
        assert_int_equal(memory_sink_steps(&run.sink), 1);
        struct sink_step step = memory_sink_step(&run.sink, 0);
        assert_int_equal(step.header->present, 0x000fffff);
        assert_int_equal(step.header->exited, 0xfff00000);
        assert_true(step.header->flags & SHFLVIZ_RECORD_EXITED_KNOWN);
        assert_agreement(&run);
        run_end(&run);
    }
}

static void test_lanes_outside_their_mask_join_and_get_poison(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_LYING_MASK, 1, 32);
    assert_int_equal(run.status, 0);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.out[lane],
                         LANE_POISON); /* 0-15 read lanes outside the mask, 16-31 are outside it */
    assert_int_equal(memory_sink_steps(&run.sink), 1);
    struct sink_step step = memory_sink_step(&run.sink, 0);
    assert_int_equal(step.header->members, 0x0000ffff);
    assert_int_equal(step.header->present, 0xffffffff);
    assert_agreement(&run);
    run_end(&run);
}

static void test_outsider_does_not_wait_forever(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_OUTSIDER_ALONE, 1, 32);
        assert_int_equal(run.status, 0);
        assert_int_equal(run.out[5], LANE_POISON);
        assert_int_equal(run.out[20], 20);
        assert_agreement(&run);
        run_end(&run);
    }
}

static void test_empty_mask(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_EMPTY_MASK, 1, 32);
    assert_int_equal(run.status, 0);
    assert_int_equal(run.out[0], LANE_POISON);
    assert_int_equal(memory_sink_steps(&run.sink), 1);
    assert_int_equal(memory_sink_step(&run.sink, 0).header->present, 0xffffffff);
    run_end(&run);
}

static void test_diverging_masks_are_marked(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_DIVERGENT_MASKS, 1, 32);
    assert_int_equal(run.status, 0);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.out[lane], lane ^ 1);
    assert_int_equal(memory_sink_steps(&run.sink), 2);
    for (size_t s = 0; s < 2; s++) {
        struct sink_step step = memory_sink_step(&run.sink, s);
        assert_true(step.header->flags & SHFLVIZ_RECORD_MASK_DIVERGES);
        assert_int_equal(step.header->present, s == 0 ? 0x0000ffff : 0xffff0000);
    }
    run_end(&run);
}

static void test_syncwarp_may_be_called_from_two_places(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_SYNC_FROM_BOTH_BRANCHES, 1, 32);
        assert_int_equal(run.status, 0);
        assert_int_equal(memory_sink_steps(&run.sink), 1);
        assert_int_equal(memory_sink_step(&run.sink, 0).header->present, 0xffffffff);
        run_end(&run);
    }
}

/* ---- values ---- */

static void test_undefined_width_shows_the_arithmetic(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_ODD_WIDTH, 1, 32);
    /* width 12: seg = 20, so j = (lane & 20) | (1 & ~20) */
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.out[lane], (lane & 20) | 1);
    run_end(&run);
}

static void test_each_lane_has_its_own_width(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_OWN_WIDTHS, 1, 32);
    for (int lane = 0; lane < 32; lane++) {
        bool last = lane == 7 || lane == 15 || lane == 31;
        assert_int_equal(run.out[lane], last ? lane : lane + 1);
    }
    struct sink_step step = memory_sink_step(&run.sink, 0);
    assert_true(step.header->flags & SHFLVIZ_RECORD_WIDTHS_DIFFER);
    assert_int_equal(step.operation.width[15], 8);
    assert_int_equal(step.operation.width[16], 16);
    assert_agreement(&run);
    run_end(&run);
}

/* The parts of a call that the compiler knows are not stored by each lane, but are still
 * recorded. */
static void test_known_arguments(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_KNOWN_ARGUMENTS, 1, 32);
        for (int lane = 0; lane < 32; lane++) {
            int first = lane < 16 ? lane + 1 : lane < 30 ? lane + 2 : lane;
            int third = lane < 17 ? lane + 3 : 0;
            assert_int_equal(run.out[lane], first + ((lane ^ 5) << 8) + (third << 16));
        }
        assert_int_equal(memory_sink_steps(&run.sink), 3);
        for (size_t s = 0; s < 3; s++) {
            struct sink_step step = memory_sink_step(&run.sink, s);
            assert_int_equal(step.operation.present, s < 2 ? 0xffffffff : 0x000fffff);
            for (int lane = 0; lane < (s < 2 ? 32 : 20); lane++)
                assert_int_equal(step.operation.arg[lane], s == 0   ? 1 + (lane >= 16)
                                                           : s == 1 ? 5
                                                                    : 3);
        }
        assert_agreement(&run);
        run_end(&run);
    }
}

static void test_nested_calls_are_two_steps(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_NESTED, 1, 32);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.out[lane], lane ^ 3);
    assert_int_equal(memory_sink_steps(&run.sink), 2);
    assert_string_equal(memory_sink_step(&run.sink, 0).site->text,
                        "__shfl_xor_sync(FULL, lane, 1)");
    assert_string_equal(memory_sink_step(&run.sink, 1).site->text,
                        "__shfl_xor_sync(FULL, __shfl_xor_sync(FULL, lane, 1), 2)");
    assert_string_equal(memory_sink_step(&run.sink, 0).site->file, "tests/device/kernels.cu");
    assert_string_equal(memory_sink_step(&run.sink, 0).site->function, "nested");
    run_end(&run);
}

static void test_votes_matches_and_reductions(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_NEIGHBOURS, 1, 32);
        assert_int_equal(run.status, 0);
        for (int lane = 0; lane < 32; lane++) {
            const unsigned *mine = (const unsigned *)run.out + lane * TEST_NEIGHBOURS;
            assert_int_equal(mine[0], 0x49249249); /* bits 0, 3, 6 ... 30 */
            assert_int_equal(mine[1], 1);
            assert_int_equal(mine[2], 0);
            assert_int_equal(mine[3], 0xffu << lane / 8 * 8);
            assert_int_equal(mine[4], 0xffffffff);
            assert_int_equal(mine[5], 0);
            assert_int_equal(mine[6], 1);
            assert_int_equal(mine[7], 0);
            assert_int_equal(mine[8], (unsigned)-16); /* 496 - 512 */
            assert_int_equal(mine[9], (unsigned)-16);
            assert_int_equal(mine[10], 93);
            assert_int_equal(mine[11], 0x60);
            assert_int_equal(mine[12], 0xffffffff);
            assert_int_equal(mine[13], 0); /* 0 ^ 1 ^ ... ^ 31 */
            if (seed == 0)
                assert_int_equal(mine[14], 0xffffffff);
            assert_true(mine[14] >> lane & 1);
        }
        assert_agreement(&run);
        run_end(&run);
    }
}

static void test_types_are_promoted_as_in_cuda(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_PROMOTED, 1, 32);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.out[lane], 1);
    run_end(&run);
}

/* ---- blocks ---- */

static void test_lanes_of_blocks_in_three_dimensions(void **state) {
    (void)state;
    static const unsigned shapes[][3] = {{35, 1, 1}, {8, 8, 1}, {5, 7, 3}, {4, 4, 64}, {1, 1, 1}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        struct run run;
        unsigned threads = shapes[s][0] * shapes[s][1] * shapes[s][2];
        const unsigned grid[3] = {1, 1, 1}, grid_of_six[3] = {3, 1, 2};
        bool small = threads * 6 <= OUT_COUNT;
        unsigned blocks = small ? 6 : 1;
        run_begin(&run, s, 4096);
        assert_int_equal(test_thread_ids(small ? grid_of_six : grid, shapes[s], run.out), 0);
        for (unsigned i = 0; i < threads * blocks; i++) {
            unsigned thread = i % threads;
            bool has_lane_1 = thread / 32 * 32 + 1 < threads;
            assert_int_equal(run.out[i], has_lane_1 ? (int)(thread / 32 * 32 + 1) : LANE_POISON);
        }
        assert_int_equal(memory_sink_steps(&run.sink), (threads + 31) / 32 * blocks);
        assert_agreement(&run);
        run_end(&run);
    }
}

static void test_static_shared_memory_begins_as_garbage(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 3, KERNEL_STATIC_SHARED, 2, 64);
    assert_int_equal(run.status, 0);
    for (int block = 0; block < 2; block++)
        for (int thread = 0; thread < 64; thread++) {
#ifdef __ELF__
            assert_int_equal(run.out[block * 128 + thread], GARBAGE);
#endif
            assert_int_equal(run.out[block * 128 + 64 + thread], (63 - thread) * 3);
        }
    run_end(&run);
}

static void test_dynamic_shared_memory_begins_as_garbage(void **state) {
    (void)state;
    struct run run;
    run_begin(&run, 4, 16);
    assert_int_equal(test_dynamic_shared(2, 70, run.out), 0);
    for (int block = 0; block < 2; block++)
        for (int thread = 0; thread < 70; thread++) {
            assert_int_equal(run.out[block * 140 + thread], GARBAGE);
            assert_int_equal(run.out[block * 140 + 70 + thread], 69 - thread);
        }
    assert_int_equal(run.sink.launch.shared, 280);
    run_end(&run);
}

static void test_barriers_count_threads(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct run run;
        run_kernel(&run, seed, KERNEL_BARRIER_COUNTS, 1, 70);
        assert_int_equal(run.status, 0);
        for (int thread = 0; thread < 69; thread++) {
            assert_int_equal(run.out[thread * 3], 34); /* odd numbers from 0 to 68 */
            assert_int_equal(run.out[thread * 3 + 1], 1);
            assert_int_equal(run.out[thread * 3 + 2], 1);
        }
        run_end(&run);
    }
}

static void test_launches_that_no_gpu_takes_are_refused(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_NESTED, 1, 1025);
    assert_int_equal(run.status, cudaErrorInvalidValue);
    assert_int_equal(cpu_device_error(run.device)->kind, ERROR_USAGE);
    assert_non_null(strstr(cpu_device_error(run.device)->text, "1025"));
    assert_int_equal(test_launch(KERNEL_NESTED, 0, 32, run.out), cudaErrorInvalidValue);
    assert_int_equal(test_launch(KERNEL_NESTED, 1, 32, run.out), 0);
    assert_int_equal(cpu_runtime_error(1), cudaErrorInvalidValue);
    assert_int_equal(cpu_runtime_error(1), 0);
    run_end(&run);
}

/* ---- printing, watching, dropping ---- */

static void test_print_waits_for_synchronisation(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_PRINTING, 2, 2);
    assert_string_equal(run.printed, "");
    assert_int_equal(cpu_runtime_synchronize(), 0);
    assert_string_equal(run.printed, "lane 0 of block 0\nlane 1 of block 0\n"
                                     "lane 0 of block 1\nlane 1 of block 1\n");
    run_end(&run);
}

static void test_watched_values_are_gathered_by_round(void **state) {
    (void)state;
    struct run run;
    run_kernel(&run, 0, KERNEL_WATCHING, 1, 32);
    assert_int_equal(memory_sink_steps(&run.sink), 4);
    for (size_t s = 0; s < 2; s++) {
        struct sink_step step = memory_sink_step(&run.sink, s);
        assert_int_equal(step.header->op, WARP_OP_WATCH);
        assert_string_equal(step.site->text, "sum");
        assert_int_equal(step.header->present, 0xffffffff);
        for (int lane = 0; lane < 32; lane++) {
            assert_int_equal(step.operation.in[lane], lane * ((int)s + 1));
            assert_int_equal(step.operation.out[lane], lane * ((int)s + 1));
        }
    }
    assert_int_equal(memory_sink_step(&run.sink, 2).header->op, WARP_OP_IDX);
    struct sink_step last = memory_sink_step(&run.sink, 3);
    assert_string_equal(last.site->text, "lane");
    assert_int_equal(last.header->present, 7);
    assert_agreement(&run);
    run_end(&run);
}

/* Whatever the order, each lane's values are recorded in its own order and before the shuffle. */
static void test_watched_values_keep_each_lanes_order(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < SEEDS; seed++) {
        struct run run;
        int seen[32] = {0};
        run_kernel(&run, seed, KERNEL_WATCHING, 1, 32);
        for (size_t s = 0; s < memory_sink_steps(&run.sink); s++) {
            struct sink_step step = memory_sink_step(&run.sink, s);
            for (int lane = 0; lane < 32; lane++) {
                if (!(step.header->present >> lane & 1))
                    continue;
                if (strcmp(step.site->text, "sum") == 0)
                    assert_int_equal(step.operation.in[lane], lane * ++seen[lane]);
                else
                    assert_int_equal(seen[lane], 2);
            }
        }
        run_end(&run);
    }
}

static void test_full_sink_counts_what_it_drops(void **state) {
    (void)state;
    struct run run;
    run_begin(&run, 0, 1);
    assert_int_equal(test_launch(KERNEL_NESTED, 3, 32, run.out), 0); /* two steps per block */
    assert_int_equal(memory_sink_steps(&run.sink), 1);
    assert_int_equal(run.sink.dropped, 5);
    assert_int_equal(cpu_device_dropped(run.device), 5);
    assert_int_equal(run.out[0], 3);
    run_end(&run);
}

/* ---- atomics ---- */

static void test_atomic_operations(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct run run;
        int i[7] = {0, 0, 0, 0, -1, 0, 0};
        unsigned u[4] = {0, 3, 0, 0};
        unsigned long long l = 1;
        float f = 0;
        double d = 0;
        run_begin(&run, seed, 1);
        assert_int_equal(test_atomics(i, u, &l, &f, &d), 0);
        assert_int_equal(i[0], 496);
        assert_int_equal(i[1], -496);
        assert_int_equal(i[2], -31);
        assert_int_equal(i[3], 31);
        assert_int_equal(i[4], 0);
        assert_int_equal(i[5], -1);
        assert_int_equal(i[6], 0);
        assert_int_equal(u[0], 2); /* 32 steps around 0..9 */
        assert_int_equal(u[1], 1); /* 3 steps to 0, one to 9, 28 more around 9..0 */
        assert_int_equal(u[2], 5);
        assert_int_equal(u[3], 11);
        assert_true(l == 1 + (32ull << 40));
        assert_true(f == 16.0f);
        assert_true(d == 8.0);
        run_end(&run);
    }
}

static void test_lock_is_released(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct run run;
        run_begin(&run, seed, 1);
        run.out[0] = run.out[1] = 0;
        assert_int_equal(test_launch(KERNEL_LOCK, 1, 40, run.out), 0);
        assert_int_equal(run.out[1], 40);
        run_end(&run);
    }
}

/* ---- the order in which lanes run ---- */

#define ORDER_THREADS 64

static void run_order(uint64_t seed, int order[ORDER_THREADS]) {
    struct run run;
    run_begin(&run, seed, 1);
    assert_int_equal(test_launch(KERNEL_ORDER, 1, ORDER_THREADS, run.out), 0);
    memcpy(order, run.out, ORDER_THREADS * sizeof *order);
    run_end(&run);
}

/* Seed 0 is lane order. Each other seed has its own order: among 64! orders, no two of 50 are equal
 * by chance. */
static void test_the_seed_chooses_the_order(void **state) {
    (void)state;
    static int orders[SEEDS][ORDER_THREADS];
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bool came[ORDER_THREADS] = {false};
        run_order(seed, orders[seed]);
        for (int i = 0; i < ORDER_THREADS; i++) {
            assert_in_range(orders[seed][i], 0, ORDER_THREADS - 1);
            assert_false(came[orders[seed][i]]);
            came[orders[seed][i]] = true;
        }
        for (uint64_t before = 0; before < seed; before++)
            assert_memory_not_equal(orders[seed], orders[before], sizeof orders[seed]);
    }
    for (int i = 0; i < ORDER_THREADS; i++)
        assert_int_equal(orders[0][i], i);
}

static void test_a_seed_gives_the_same_order_again(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        int first[ORDER_THREADS], again[ORDER_THREADS];
        run_order(seed, first);
        run_order(seed, again);
        assert_memory_equal(first, again, sizeof first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divergent_sync_is_reported),
        cmocka_unit_test(test_same_shuffle_in_both_branches_is_one),
        cmocka_unit_test(test_whom_lanes_of_both_branches_wait_for),
        cmocka_unit_test(test_missed_barrier_is_reported),
        cmocka_unit_test(test_spinning_ends),
        cmocka_unit_test(test_device_works_after_reset),
        cmocka_unit_test(test_lanes_that_left_count_as_gone),
        cmocka_unit_test(test_lanes_outside_their_mask_join_and_get_poison),
        cmocka_unit_test(test_outsider_does_not_wait_forever),
        cmocka_unit_test(test_empty_mask),
        cmocka_unit_test(test_diverging_masks_are_marked),
        cmocka_unit_test(test_syncwarp_may_be_called_from_two_places),
        cmocka_unit_test(test_undefined_width_shows_the_arithmetic),
        cmocka_unit_test(test_each_lane_has_its_own_width),
        cmocka_unit_test(test_known_arguments),
        cmocka_unit_test(test_nested_calls_are_two_steps),
        cmocka_unit_test(test_votes_matches_and_reductions),
        cmocka_unit_test(test_types_are_promoted_as_in_cuda),
        cmocka_unit_test(test_lanes_of_blocks_in_three_dimensions),
        cmocka_unit_test(test_static_shared_memory_begins_as_garbage),
        cmocka_unit_test(test_dynamic_shared_memory_begins_as_garbage),
        cmocka_unit_test(test_barriers_count_threads),
        cmocka_unit_test(test_launches_that_no_gpu_takes_are_refused),
        cmocka_unit_test(test_print_waits_for_synchronisation),
        cmocka_unit_test(test_watched_values_are_gathered_by_round),
        cmocka_unit_test(test_watched_values_keep_each_lanes_order),
        cmocka_unit_test(test_full_sink_counts_what_it_drops),
        cmocka_unit_test(test_atomic_operations),
        cmocka_unit_test(test_lock_is_released),
        cmocka_unit_test(test_the_seed_chooses_the_order),
        cmocka_unit_test(test_a_seed_gives_the_same_order_again),
    };
    return cmocka_run_group_tests_name("warp", tests, NULL, NULL);
}
