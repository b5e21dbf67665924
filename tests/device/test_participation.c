/*
 * test_participation.c - the programs about lane participation: defined results are right under
 * every lane order, undefined results are reported for exactly the right lanes, and an
 * endless wait ends as a deadlock.
 *
 * Expected lanes and values are worked out by hand, from the guide's rules.
 */
#include "device/cpu.h"
#include "device/device.h"
#include "failure.h"
#include "memory_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POISON  0xbadbadbadbadbad0
#define SEEDS   50
#define THREADS 256
#define ALL     0xffffffffu

/* One run and its expected results. */
struct result {
    struct memory_sink sink;
    struct error err;
    int status;
    size_t steps;
    uint64_t output[THREADS];
};

struct asked {
    const char *program;
    uint64_t seed;
    uint32_t members; /* 0: the default */
    uint32_t threads; /* likewise */
    uint32_t count;   /* likewise */
    int64_t (*input)(unsigned thread);
};

static int64_t input_one(unsigned thread) {
    (void)thread;
    return 1;
}
static int64_t input_lane(unsigned thread) {
    return thread % 32;
}
/* Values of both signs, unrelated to the lane's bits. */
static int64_t input_mixed(unsigned thread) {
    return (int64_t)(thread * 7 % 11) - 3;
}

static struct program_parameters parameters_of(const struct program *program,
                                               const struct asked *asked) {
    struct program_parameters parameters = program->defaults;
    if (asked->members)
        parameters.members = asked->members;
    if (asked->threads)
        parameters.threads = asked->threads;
    if (asked->count)
        parameters.count = asked->count;
    return parameters;
}

/* Release with result_release(). Results that the rules fix are right in every step of every
 * run. */
static void run_program(struct result *result, const struct asked *asked) {
    const struct program *program = device_program_find(asked->program);
    assert_non_null(program);
    struct program_parameters parameters = parameters_of(program, asked);
    uint64_t input[THREADS];
    for (unsigned thread = 0; thread < THREADS; thread++)
        input[thread] = warp_value_from_integer(parameters.type, asked->input(thread));
    parameters.input = input;
    *result = (struct result){.err = ERROR_INIT};
    memory_sink_init(&result->sink, 8, 2048);
    const struct cpu_options options = {
        .settings.schedule = asked->seed, .settings.poison = POISON, .sink = &result->sink.sink};
    result->status = cpu_run_program(program, &parameters, &options, result->output, &result->err);
    result->steps = memory_sink_steps(&result->sink);
    assert_int_equal(result->sink.dropped, 0);
    for (size_t s = 0; s < result->steps; s++) {
        struct sink_step step = memory_sink_step(&result->sink, s);
        struct lane_outcome outcome[WARP_LANES];
        warp_outcome(&step.operation, outcome);
        assert_int_equal(warp_disagreement(&step.operation, outcome), 0);
        assert_string_equal(step.site->file, program->file);
    }
}

static void run_to_its_end(struct result *result, const struct asked *asked) {
    run_program(result, asked);
    if (result->status != 0)
        fail_msg("%s: %s", asked->program, result->err.text);
}

static void result_release(struct result *result) {
    memory_sink_release(&result->sink);
}

/* The `which`-th step (from 0) of an operation, with this text if that is not NULL. */
static struct sink_step find_step(const struct result *result, enum warp_op op, const char *text,
                                  size_t which) {
    for (size_t s = 0; s < result->steps; s++) {
        struct sink_step step = memory_sink_step(&result->sink, s);
        if (step.operation.op == op && (!text || strcmp(step.site->text, text) == 0) &&
            which-- == 0)
            return step;
    }
    fail_msg("no such step: %s %s", warp_op_info(op)->name, text ? text : "");
    return memory_sink_step(&result->sink, 0);
}

static struct sink_step find_watch(const struct result *result, const char *text, size_t which) {
    return find_step(result, WARP_OP_WATCH, text, which);
}

/* Lanes that have this status, for this reason. */
static uint32_t lanes_with(const struct warp_operation *operation, enum lane_status status,
                           enum lane_reason reason) {
    struct lane_outcome outcome[WARP_LANES];
    uint32_t lanes = 0;
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (outcome[lane].status == status && outcome[lane].reason == reason)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static uint32_t lanes_undefined(const struct warp_operation *operation) {
    struct lane_outcome outcome[WARP_LANES];
    uint32_t lanes = 0;
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (outcome[lane].status == LANE_UNDEFINED)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static void assert_nothing_undefined(const struct result *result) {
    for (size_t s = 0; s < result->steps; s++) {
        struct sink_step step = memory_sink_step(&result->sink, s);
        assert_int_equal(lanes_undefined(&step.operation), 0);
    }
}

static void assert_deadlock(const struct result *result, const char *const parts[]) {
    struct text words = TEXT_INIT;
    assert_int_not_equal(result->status, 0);
    assert_int_equal(result->err.kind, ERROR_RUN);
    memory_sink_failure(&result->sink, &words);
    for (; *parts; parts++)
        if (!strstr(words.data, *parts))
            fail_msg("no \"%s\" in:\n%s", *parts, words.data);
    text_release(&words);
}

static int64_t sum_of(int64_t (*input)(unsigned thread), unsigned first, unsigned count) {
    int64_t sum = 0;
    for (unsigned thread = first; thread < first + count; thread++)
        sum += input(thread);
    return sum;
}

/* ---- lanes and the values that reach them ---- */

static void test_lanes_of_a_block_of_two_dimensions(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"lane-ids", seed, .input = input_lane});
        for (unsigned thread = 0; thread < 64; thread++)
            assert_int_equal(result.output[thread], thread);
        for (size_t warp = 0; warp < 2; warp++) {
            struct sink_step wrong = find_step(&result, WARP_OP_BALLOT, NULL, 2 * warp);
            struct sink_step right = find_step(&result, WARP_OP_BALLOT, NULL, 2 * warp + 1);
            if (seed == 0) { /* other seeds interleave the warps differently */
                assert_int_equal(wrong.operation.out[0], 0x01010101);
                assert_int_equal(right.operation.out[0], 0x00000001);
            }
            struct sink_step seen = find_watch(&result, "wrong", warp);
            for (unsigned lane = 0; lane < 32; lane++)
                assert_int_equal(seen.operation.in[lane], lane % 8);
        }
        result_release(&result);
    }
}

static void test_argument_reaches_every_lane(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"broadcast-argument", seed, .threads = 35,
                                                .input = input_lane});
        for (unsigned thread = 0; thread < 35; thread++)
            assert_int_equal(result.output[thread], 1234);
        struct sink_step shuffle = find_step(&result, WARP_OP_IDX, NULL, 0);
        assert_int_equal(shuffle.operation.in[0], 1234);
        assert_int_equal(shuffle.operation.in[1], 0);
        assert_int_equal(find_watch(&result, "failed", 0).operation.in[31], 0);
        result_release(&result);
    }
}

/* As an int, 0.5 is 0 and 1.5 is 1; lane 0 gets lane 1's value. */
static void test_float_is_truncated_to_an_int(void **state) {
    (void)state;
    struct program_parameters parameters = device_program_find("float-as-int")->defaults;
    uint64_t input[32], output[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        float value = (float)lane + 0.5f;
        input[lane] = 0;
        memcpy(&input[lane], &value, sizeof value);
    }
    parameters.input = input;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result = {.err = ERROR_INIT};
        memory_sink_init(&result.sink, 4, 16);
        const struct cpu_options options = {.settings.schedule = seed, .sink = &result.sink.sink};
        assert_int_equal(cpu_run_program(device_program_find("float-as-int"), &parameters, &options,
                                         output, &result.err),
                         0);
        result.steps = memory_sink_steps(&result.sink);
        struct sink_step cut = find_watch(&result, "cut", 0);
        struct sink_step whole = find_watch(&result, "whole", 0);
        for (unsigned lane = 0; lane < 32; lane++) {
            float expected = (float)(lane ^ 1);
            assert_memory_equal(&cut.operation.in[lane], &expected, sizeof expected);
            assert_int_equal(whole.operation.in[lane], input[lane ^ 1]);
            assert_int_equal(output[lane], input[lane ^ 1]);
        }
        result_release(&result);
    }
}

static void test_wave_of_two_halves(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"wave-halves", seed, .input = input_mixed});
        int64_t halves[2] = {sum_of(input_mixed, 0, 32), sum_of(input_mixed, 32, 32)};
        for (unsigned thread = 0; thread < 64; thread++)
            assert_int_equal((int32_t)result.output[thread], halves[0] + halves[1]);
        for (size_t s = 0; s < result.steps; s++) {
            struct sink_step step = memory_sink_step(&result.sink, s);
            if (step.operation.op != WARP_OP_WATCH)
                continue;
            int64_t seen = (int32_t)step.operation.in[0];
            assert_true(seen == halves[step.header->warp] || seen == halves[0] + halves[1]);
        }
        result_release(&result);
    }
}

/* ---- masks that leave lanes out ---- */

static void test_callers_outside_the_mask_are_undefined(void **state) {
    (void)state;
    static const struct {
        uint32_t members, outside, source_outside, read;
    } cases[] = {
        {0x000000ff, 0xffffff00, 0, 0x000000ff},
        {0x0000007f, 0xffffff80, 0x00000040, 0x0000003f}, /* lane 6 reads lane 7 */
        {ALL, 0, 0, ALL},
        {0x80000001, 0x7ffffffe, 0x80000001, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct result result;
            run_to_its_end(&result, &(struct asked){"mask-given", seed, cases[c].members,
                                                    .input = input_lane});
            uint32_t outside = 0, source = 0, read = 0, present = 0;
            for (size_t s = 0; s < result.steps; s++) {
                struct sink_step step = memory_sink_step(&result.sink, s);
                if (step.operation.op != WARP_OP_XOR)
                    continue;
                present |= step.operation.present;
                outside |=
                    lanes_with(&step.operation, LANE_UNDEFINED, LANE_REASON_CALLER_NOT_MEMBER);
                source |=
                    lanes_with(&step.operation, LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_MEMBER);
                read |= lanes_with(&step.operation, LANE_READ, LANE_REASON_NONE);
            }
            assert_int_equal(present, ALL);
            assert_int_equal(outside, cases[c].outside);
            assert_int_equal(source, cases[c].source_outside);
            assert_int_equal(read, cases[c].read);
            for (unsigned lane = 0; lane < 32; lane++)
                assert_int_equal(result.output[lane],
                                 read >> lane & 1 ? lane ^ 1 : (uint32_t)POISON);
            if (seed == 0) /* all in one step, for inspection */
                assert_int_equal(find_step(&result, WARP_OP_XOR, NULL, 0).operation.present, ALL);
            result_release(&result);
        }
}

static void test_half_masks_do_not_confine_reads(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"segment-mask", seed, .input = input_lane});
        uint32_t idx = 0, idx16 = 0, down = 0, down16 = 0;
        for (size_t s = 0; s < result.steps; s++) {
            const struct sink_step step = memory_sink_step(&result.sink, s);
            bool is_idx = step.operation.op == WARP_OP_IDX;
            bool is_wide = step.header->width == 32;
            uint32_t *lanes = is_idx ? (is_wide ? &idx : &idx16) : (is_wide ? &down : &down16);
            *lanes |= lanes_undefined(&step.operation);
        }
        assert_int_equal(idx, 0xffff0000);
        assert_int_equal(idx16, 0);
        assert_int_equal(down, 0x0000f000);
        assert_int_equal(down16, 0);
        for (unsigned lane = 0; lane < 32; lane++)
            assert_int_equal(result.output[lane],
                             lane / 16 * 16 + (lane % 16 < 12 ? lane + 4 : lane));
        result_release(&result);
    }
}

static void test_ballot_does_not_keep_reads_inside(void **state) {
    (void)state;
    /* Those of the first n lanes for which lane + delta is at least n and less than 32. */
    static const uint32_t undefined[] = {0x0000fff0, 0x000ff000, 0x000f0000, 0x000c0000,
                                         0x00080000};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result,
                       &(struct asked){"ballot-too-small", seed, .count = 20, .input = input_one});
        assert_int_equal(find_step(&result, WARP_OP_BALLOT, NULL, 0).operation.out[0], 0x000fffff);
        for (size_t round = 0; round < 5; round++) {
            struct sink_step step = find_step(&result, WARP_OP_DOWN, NULL, round);
            assert_int_equal(step.operation.members, 0x000fffff);
            assert_int_equal(
                lanes_with(&step.operation, LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_MEMBER),
                undefined[round]);
        }
        assert_int_not_equal((int32_t)result.output[0], 20);
        result_release(&result);
        run_to_its_end(
            &result, &(struct asked){"ballot-too-small", seed, .count = 32, .input = input_mixed});
        assert_int_equal((int32_t)result.output[0], sum_of(input_mixed, 0, 32));
        result_release(&result);
    }
}

/* ---- sums of partial warps ---- */

/* The last warp of 180 threads has lanes 0-19: with laneMask 16, lanes 4-15 read lanes 20-31. */
static void test_partial_warp_is_undefined(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"partial-sum", seed, .input = input_one});
        bool seen = false;
        for (size_t s = 0; s < result.steps; s++) {
            struct sink_step step = memory_sink_step(&result.sink, s);
            if (step.header->warp < 5)
                assert_int_equal(lanes_undefined(&step.operation), 0);
            if (step.header->warp == 5 && step.operation.op == WARP_OP_XOR &&
                step.operation.arg[0] == 16) {
                assert_int_equal(
                    lanes_with(&step.operation, LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_LAUNCHED),
                    0x0000fff0);
                seen = true;
            }
        }
        assert_true(seen);
        assert_int_not_equal((int32_t)result.output[0], 180);
        result_release(&result);
    }
}

static void test_whole_warps_sum_right_everywhere(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 31, 32, 33, 64, 100, 180, 256};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct result result;
            run_to_its_end(&result, &(struct asked){"partial-sum-padded", seed,
                                                    .threads = threads[t], .input = input_mixed});
            assert_int_equal((int32_t)result.output[0], sum_of(input_mixed, 0, threads[t]));
            assert_nothing_undefined(&result);
            result_release(&result);
            if (threads[t] % 32 == 0) { /* then partial-sum is right, too */
                run_to_its_end(&result, &(struct asked){"partial-sum", seed, .threads = threads[t],
                                                        .input = input_mixed});
                assert_int_equal((int32_t)result.output[0], sum_of(input_mixed, 0, threads[t]));
                result_release(&result);
            }
        }
}

static void test_fold_sums_any_number_of_lanes(void **state) {
    (void)state;
    for (uint32_t n = 1; n <= 32; n++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct result result;
            run_to_its_end(&result,
                           &(struct asked){"fold-sum", seed, .count = n, .input = input_mixed});
            assert_int_equal((int32_t)result.output[0], sum_of(input_mixed, 0, n));
            assert_nothing_undefined(&result);
            result_release(&result);
        }
}

/* ---- presence and absence ---- */

static void test_activemask_depends_on_the_schedule(void **state) {
    (void)state;
    unsigned right = 0, wrong = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"activemask", seed, .input = input_lane});
        uint32_t asked = 0;
        bool defined = true;
        for (size_t s = 0; s < result.steps; s++) {
            struct sink_step step = memory_sink_step(&result.sink, s);
            if (step.operation.op == WARP_OP_ACTIVEMASK) {
                assert_int_equal(step.operation.members, step.operation.present);
                asked |= step.operation.present;
            }
            if (step.operation.op == WARP_OP_DOWN) {
                assert_int_equal(step.operation.members, step.operation.present);
                defined = defined && !lanes_undefined(&step.operation);
            }
        }
        assert_int_equal(asked, 0x0000ffff);
        if (seed == 0)
            assert_true(defined);
        if (defined)
            assert_int_equal(result.output[0], 120);
        right += defined;
        wrong += !defined;
        assert_int_equal(result.output[1], 120); /* 0 + 1 + ... + 15 */
        result_release(&result);
    }
    assert_true(right > 0);
    assert_true(wrong > SEEDS / 2);
}

/* In every order, lanes 0-15 wait at the shuffle for lanes 16-31, which wait at the barrier. */
static void test_full_mask_in_a_branch_deadlocks(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_program(&result, &(struct asked){"divergent-full-mask", seed, .input = input_lane});
        assert_deadlock(&result,
                        (const char *[]){"lanes 0-15 wait at kernels/divergent_full_mask.cu:",
                                         "sum, delta, 16) for lanes 16-31", "lanes 16-31 wait at ",
                                         NULL});
        struct sink_step waiting = find_step(&result, WARP_OP_DOWN, NULL, 0);
        assert_true(waiting.operation.unfinished);
        assert_int_equal(waiting.operation.present, 0x0000ffff);
        assert_int_equal(lanes_with(&waiting.operation, LANE_UNDEFINED, LANE_REASON_UNFINISHED),
                         0x0000ffff);
        struct sink_step before = find_watch(&result, "sum", 0);
        assert_int_equal(before.operation.present, ALL);
        assert_int_equal(before.operation.in[31], 31);
        result_release(&result);
    }
}

static void test_own_mask_in_a_branch(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"divergent-own-mask", seed, .input = input_mixed});
        int64_t largest = input_mixed(16);
        for (unsigned thread = 17; thread < 32; thread++)
            largest = input_mixed(thread) > largest ? input_mixed(thread) : largest;
        assert_int_equal((int32_t)result.output[0], sum_of(input_mixed, 0, 16));
        assert_int_equal((int32_t)result.output[16], largest);
        assert_nothing_undefined(&result);
        result_release(&result);
    }
}

static void test_shuffle_in_both_branches(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"both-branches", seed, .input = input_mixed});
        for (unsigned lane = 0; lane < 32; lane++) {
            int64_t other = input_mixed(lane ^ 1);
            assert_int_equal((int32_t)result.output[lane],
                             input_mixed(lane) + (lane % 2 ? -other : other));
        }
        struct sink_step once = find_step(&result, WARP_OP_XOR, NULL, 0);
        assert_int_equal(once.operation.present, ALL);
        assert_memory_equal(find_watch(&result, "result", 0).operation.in,
                            find_watch(&result, "again", 0).operation.in, 32 * sizeof(uint64_t));
        assert_nothing_undefined(&result);
        result_release(&result);
    }
}

static unsigned count_above_zero(unsigned n) {
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        count += input_mixed(i) > 0;
    return count;
}

static void test_loop_that_a_lane_leaves_deadlocks(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_program(&result,
                    &(struct asked){"loop-leaves", seed, .count = 63, .input = input_mixed});
        assert_deadlock(&result,
                        (const char *[]){"lanes 0-30 wait at kernels/loop_leaves.cu:",
                                         "in[i] > 0) for lane 31", "lane 31 waits at ", NULL});
        assert_int_equal(find_step(&result, WARP_OP_BALLOT, NULL, 0).operation.present, ALL);
        struct sink_step waiting = find_step(&result, WARP_OP_BALLOT, NULL, 1);
        assert_true(waiting.operation.unfinished);
        assert_int_equal(waiting.operation.present, 0x7fffffff);
        assert_int_equal(find_step(&result, WARP_OP_IDX, NULL, 0).operation.present, 0x80000000);
        result_release(&result);
        run_to_its_end(&result,
                       &(struct asked){"loop-leaves", seed, .count = 96, .input = input_mixed});
        for (unsigned lane = 0; lane < 32; lane++)
            assert_int_equal(result.output[lane], count_above_zero(96));
        result_release(&result);
    }
}

static void test_loop_in_which_all_lanes_stay(void **state) {
    (void)state;
    static const uint32_t counts[] = {1, 31, 32, 33, 63, 64, 65, 200};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct result result;
            run_to_its_end(&result, &(struct asked){"loop-stays", seed, .count = counts[c],
                                                    .input = input_mixed});
            for (unsigned lane = 0; lane < 32; lane++)
                assert_int_equal(result.output[lane], count_above_zero(counts[c]));
            assert_nothing_undefined(&result);
            result_release(&result);
        }
}

/* If each lane builds its mask from its place in the group, its partner calls with a different
 * mask, so all results are undefined. */
static void test_mask_of_the_wrong_group(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"subgroup-mask", seed, .input = input_mixed});
        for (unsigned group = 0; group < 4; group++)
            assert_int_equal((int32_t)result.output[group], sum_of(input_mixed, 8 * group, 8));
        uint32_t masks[2][32] = {{0}};
        uint32_t calls = 0;
        for (size_t s = 0; s < result.steps; s++) {
            struct sink_step step = memory_sink_step(&result.sink, s);
            bool is_wrong = step.header->launch == 1;
            if (step.operation.op != WARP_OP_XOR)
                continue;
            for (unsigned lane = 0; lane < 32; lane++)
                if (step.operation.present >> lane & 1)
                    masks[is_wrong][lane] = step.operation.members;
            assert_int_equal(lanes_undefined(&step.operation),
                             is_wrong ? step.operation.present : 0);
            if (is_wrong)
                calls |= step.operation.present;
        }
        assert_int_equal(calls, ALL);
        for (unsigned lane = 0; lane < 32; lane++) {
            assert_int_equal(masks[0][lane], UINT32_C(0xff) << (lane - lane % 8));
            assert_int_equal(masks[1][lane], UINT32_C(0xff) << (lane % 8));
        }
        result_release(&result);
    }
}

static void test_forgotten_mask(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct result result;
        run_to_its_end(&result, &(struct asked){"mask-forgotten", seed, .input = input_lane});
        assert_int_equal(result.output[0], 496);
        assert_int_equal(result.output[1], 31);
        uint32_t called = 0;
        for (size_t s = 0; s < result.steps; s++) {
            struct sink_step step = memory_sink_step(&result.sink, s);
            if (step.operation.op != WARP_OP_DOWN || step.header->launch == 0)
                continue;
            for (unsigned lane = 0; lane < 32; lane++) {
                if (!(step.operation.present >> lane & 1))
                    continue;
                assert_int_equal(step.operation.arg[lane], 32);
                if (step.header->launch == 1)
                    continue;
                assert_int_equal(step.operation.members, lane); /* its value */
                assert_int_equal(step.operation.in[lane], 16);  /* the offset */
                called |= UINT32_C(1) << lane;
            }
            assert_int_equal(
                lanes_with(&step.operation, LANE_UNDEFINED, LANE_REASON_CALLER_NOT_MEMBER),
                step.header->launch == 1 ? 0 : step.operation.present);
        }
        assert_int_equal(called, ALL);
        struct sink_step shifted = find_watch(&result, "sum", 1);
        for (unsigned lane = 0; lane < 32; lane++)
            assert_int_equal(shifted.operation.in[lane], lane + 31);
        result_release(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_of_a_block_of_two_dimensions),
        cmocka_unit_test(test_argument_reaches_every_lane),
        cmocka_unit_test(test_float_is_truncated_to_an_int),
        cmocka_unit_test(test_wave_of_two_halves),
        cmocka_unit_test(test_callers_outside_the_mask_are_undefined),
        cmocka_unit_test(test_half_masks_do_not_confine_reads),
        cmocka_unit_test(test_ballot_does_not_keep_reads_inside),
        cmocka_unit_test(test_partial_warp_is_undefined),
        cmocka_unit_test(test_whole_warps_sum_right_everywhere),
        cmocka_unit_test(test_fold_sums_any_number_of_lanes),
        cmocka_unit_test(test_activemask_depends_on_the_schedule),
        cmocka_unit_test(test_full_mask_in_a_branch_deadlocks),
        cmocka_unit_test(test_own_mask_in_a_branch),
        cmocka_unit_test(test_shuffle_in_both_branches),
        cmocka_unit_test(test_loop_that_a_lane_leaves_deadlocks),
        cmocka_unit_test(test_loop_in_which_all_lanes_stay),
        cmocka_unit_test(test_mask_of_the_wrong_group),
        cmocka_unit_test(test_forgotten_mask),
    };
    return cmocka_run_group_tests_name("participation", tests, NULL, NULL);
}
