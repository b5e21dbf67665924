/*
 * test_neighbours.c - the programs of kernels/ about the neighbours of the shuffle: votes, matches,
 * reductions, tiles, shared memory, and algorithms that take several shuffles.
 *
 * Each is compared with plain loops over random values, under many orders of its lanes, and with a
 * vector worked out by hand. Everything recorded must be defined and agree with lib/warp.
 */
#include "device/cpu.h"
#include "device/device.h"
#include "memory_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define POISON  0xbadbadbadbadbad0
#define SEEDS   40
#define THREADS 192

/* ---- running ---- */

struct run {
    const struct program *program;
    struct program_parameters parameters;
    uint64_t input[THREADS], output[THREADS];
    struct memory_sink sink;
};

/* One block of 32 threads unless the test says otherwise; the input is the lane. */
static void run_init(struct run *run, const char *name) {
    memset(run, 0, sizeof *run);
    run->program = device_program_find(name);
    assert_non_null(run->program);
    run->parameters = run->program->defaults;
    run->parameters.threads = 32;
    run->parameters.input = run->input;
    for (unsigned i = 0; i < THREADS; i++)
        run->input[i] = i % 32;
}

static void run_release(struct run *run) {
    memory_sink_release(&run->sink);
}

/* Runs it and checks every step against the rules. */
static void run_go(struct run *run, uint64_t schedule) {
    struct error err = ERROR_INIT;
    memory_sink_init(&run->sink, 8, 2048);
    const struct cpu_options options = {
        .settings.schedule = schedule, .settings.poison = POISON, .sink = &run->sink.sink};
    if (cpu_run_program(run->program, &run->parameters, &options, run->output, &err) != 0)
        fail_msg("%s: %s", run->program->name, err.text);
    assert_int_equal(run->sink.dropped, 0);
    for (size_t s = 0; s < memory_sink_steps(&run->sink); s++) {
        struct sink_step step = memory_sink_step(&run->sink, s);
        struct lane_outcome outcome[WARP_LANES];
        warp_outcome(&step.operation, outcome);
        assert_int_equal(warp_disagreement(&step.operation, outcome), 0);
        assert_string_equal(step.site->file, run->program->file);
        for (int lane = 0; lane < WARP_LANES; lane++)
            assert_int_not_equal(outcome[lane].status, LANE_UNDEFINED);
    }
}

/* The n-th step (from 0) of this operation in warp 0 of block 0. */
static struct sink_step nth_step(const struct run *run, enum warp_op op, unsigned n) {
    for (size_t s = 0; s < memory_sink_steps(&run->sink); s++) {
        struct sink_step step = memory_sink_step(&run->sink, s);
        if (step.operation.op == op && step.header->warp == 0 && step.header->block == 0 &&
            n-- == 0)
            return step;
    }
    fail_msg("%s has no such step", run->program->name);
    return memory_sink_step(&run->sink, 0);
}

/* The value of a variable when it was watched for the n-th time in the first warp. */
static const uint64_t *watched(const struct run *run, const char *variable, unsigned n) {
    static uint64_t values[WARP_LANES];
    for (size_t s = 0; s < memory_sink_steps(&run->sink); s++) {
        struct sink_step step = memory_sink_step(&run->sink, s);
        if (step.operation.op == WARP_OP_WATCH && step.header->warp == 0 &&
            step.header->block == 0 && strcmp(step.site->text, variable) == 0 && n-- == 0) {
            memcpy(values, step.operation.out, sizeof values);
            return values;
        }
    }
    fail_msg("%s does not watch %s", run->program->name, variable);
    return values;
}

static unsigned operations(const struct run *run) {
    unsigned count = 0;
    for (size_t s = 0; s < memory_sink_steps(&run->sink); s++)
        count += memory_sink_step(&run->sink, s).operation.op != WARP_OP_WATCH;
    return count;
}

/* The expected value of each lane of a whole warp, as an int. */
static void assert_lanes(const uint64_t values[], const int expected[WARP_LANES]) {
    for (int lane = 0; lane < WARP_LANES; lane++)
        if ((int32_t)values[lane] != expected[lane])
            fail_msg("lane %d: %d, not %d", lane, (int32_t)values[lane], expected[lane]);
}

/* ---- against a plain loop ---- */
/* A reference computes the result of each lane of one warp from the values of the first `lanes`
 * lanes; the others do not exist. */

typedef void reference(const int *in, int *out, unsigned lanes, uint32_t members);

static uint32_t random_next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint32_t lanes_there(unsigned lanes) {
    return lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
}

static const struct {
    unsigned threads, blocks;
} shapes[] = {{32, 1}, {64, 2}, {96, 2}, {35, 1}, {7, 2}};

struct expectation {
    const char *program;
    reference *reference;
    int low, high; /* of the values */
    unsigned is;
};
#define WHOLE_WARPS   1u /* is only right if all lanes are there */
#define FIRST_LANE    2u /* only lane 0 has the result */
#define TAKES_MEMBERS 4u /* is run with several masks */

static int32_t reinterpret(uint64_t bits) {
    return (int32_t)(uint32_t)bits;
}

static void check_shape(const struct expectation *e, unsigned threads, unsigned blocks,
                        uint32_t members, uint64_t seed) {
    struct run run;
    uint32_t random = (uint32_t)seed * 77 + threads;
    run_init(&run, e->program);
    run.parameters.threads = threads;
    run.parameters.blocks = blocks;
    run.parameters.members = members;
    int in[THREADS];
    for (unsigned i = 0; i < threads * blocks; i++) {
        in[i] = e->low + (int)(random_next(&random) % (unsigned)(e->high - e->low + 1));
        run.input[i] = (uint32_t)in[i];
    }
    run_go(&run, seed);
    for (unsigned block = 0; block < blocks; block++)
        for (unsigned first = 0; first < threads; first += 32) {
            unsigned lanes = threads - first < 32 ? threads - first : 32,
                     at = block * threads + first;
            int expected[WARP_LANES] = {0};
            e->reference(in + at, expected, lanes, members & lanes_there(lanes));
            for (unsigned lane = 0; lane < (e->is & FIRST_LANE ? 1 : lanes); lane++)
                if (reinterpret(run.output[at + lane]) != expected[lane])
                    fail_msg("%s, %u x %u, members %08x, schedule %u, block %u, thread %u: %d, not "
                             "%d",
                             e->program, blocks, threads, members, (unsigned)seed, block,
                             first + lane, reinterpret(run.output[at + lane]), expected[lane]);
        }
    run_release(&run);
}

static void check_all(const struct expectation *e) {
    static const uint32_t masks[] = {0xffffffff, 0x0000ffff, 0x80000001, 0x33cc00f0};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        if (e->is & WHOLE_WARPS && shapes[s].threads % 32 != 0)
            continue;
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            check_shape(e, shapes[s].threads, shapes[s].blocks,
                        e->is & TAKES_MEMBERS ? masks[seed % 4] : 0xffffffff, seed);
    }
}

static void votes(const int *in, int *out, unsigned lanes, uint32_t members) {
    bool anyone = false, everyone = true;
    for (unsigned lane = 0; lane < lanes; lane++)
        if (members >> lane & 1) {
            anyone |= in[lane] > 20;
            everyone &= in[lane] > 20;
        }
    for (unsigned lane = 0; lane < lanes; lane++)
        out[lane] = !(members >> lane & 1) ? 0 : everyone ? 2 : anyone;
}

static void compact(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned lane = 0, place = 0; lane < lanes; lane++)
        if (in[lane] > 20)
            out[place++] = in[lane];
}

static void match_any(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned lane = 0; lane < lanes; lane++) {
        bool is_first = true;
        for (unsigned other = 0; other < lane; other++)
            is_first &= in[other] != in[lane];
        for (unsigned other = lane; is_first && other < lanes; other++)
            out[lane] += in[other] == in[lane];
    }
}

static void match_all(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    bool agree[3] = {true, true, true}; /* lower half, upper half, all */
    for (unsigned lane = 0; lane < lanes; lane++) {
        agree[2] &= in[lane] == in[0];
        agree[lane / 16] &= in[lane] == in[lane / 16 * 16];
    }
    for (unsigned lane = 0; lane < lanes; lane++)
        out[lane] =
            (int)(agree[2]           ? lanes_there(lanes)
                  : agree[lane / 16] ? lanes_there(lanes) & (lane < 16 ? 0xffff : 0xffff0000)
                                     : 0);
}

static void scan(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    int sum = 0;
    for (unsigned lane = 0; lane < lanes; lane++)
        out[lane] = sum += in[lane];
}

static void test_votes(void **state) {
    (void)state;
    check_all(&(struct expectation){"votes", votes, 15, 30, TAKES_MEMBERS});
    check_all(&(struct expectation){"votes", votes, 20, 21, TAKES_MEMBERS});
    check_all(&(struct expectation){"votes", votes, 21, 30, TAKES_MEMBERS});
    check_all(&(struct expectation){"votes", votes, 0, 20, TAKES_MEMBERS});
}
static void test_votes_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "votes"); /* 0 1 2 ... 31: lanes 21 to 31 are above 20 */
    run_go(&run, 0);
    assert_int_equal(operations(&run), 3);
    assert_int_equal(nth_step(&run, WARP_OP_BALLOT, 0).operation.out[4], 0xffe00000);
    assert_int_not_equal(nth_step(&run, WARP_OP_ANY, 0).operation.out[4], 0);
    assert_int_equal(nth_step(&run, WARP_OP_ALL, 0).operation.out[4], 0);
    assert_int_equal(watched(&run, "howMany", 0)[31], 11);
    assert_int_equal(watched(&run, "verdict", 0)[0], 1);
    run_release(&run);

    run_init(&run, "votes");
    run.parameters.members = 0xff000000; /* all of them are above 20 */
    run_go(&run, 5);
    assert_int_equal(nth_step(&run, WARP_OP_BALLOT, 0).operation.out[30], 0xff000000);
    assert_int_equal(watched(&run, "verdict", 0)[30], 2);
    assert_int_equal(run.output[0], 0); /* lane 0 makes no call */
    run_release(&run);
}

static void test_compact(void **state) {
    (void)state;
    check_all(&(struct expectation){"compact", compact, 10, 32, 0});
}
static void test_compact_by_hand(void **state) {
    (void)state;
    /* The picture in compact.cu: 25 21 30 are in lanes 1, 3 and 6. */
    static const int eight[] = {0, 25, 2, 21, 4, 5, 30, 7};
    static const int front[WARP_LANES] = {25, 21, 30};
    static const int place[] = {0, 0, 1, 1, 2, 2, 2, 3, 3};
    struct run run;
    run_init(&run, "compact");
    for (int lane = 0; lane < 32; lane++)
        run.input[lane] = lane < 8 ? (uint64_t)eight[lane] : 0;
    run_go(&run, 0);
    assert_int_equal(operations(&run), 2);
    assert_int_equal(nth_step(&run, WARP_OP_BALLOT, 0).operation.out[0], 0x4a); /* 0100 1010 */
    for (int lane = 0; lane < 9; lane++)
        assert_int_equal(watched(&run, "place", 0)[lane], place[lane]);
    const struct warp_operation shuffle = nth_step(&run, WARP_OP_IDX, 0).operation;
    assert_int_equal(shuffle.arg[0], 1);
    assert_int_equal(shuffle.arg[1], 3);
    assert_int_equal(shuffle.arg[2], 6);
    assert_int_equal(shuffle.arg[3], 3); /* nothing to fetch: itself */
    assert_lanes(watched(&run, "front", 0), front);
    run_release(&run);
}

static void test_match_any(void **state) {
    (void)state;
    check_all(&(struct expectation){"match-any", match_any, -3, 5, 0});
}
static void test_match_any_by_hand(void **state) {
    (void)state;
    static const int eight[] = {0, 0, 0, 1, 1, 1, 2, 2};
    struct run run;
    run_init(&run, "match-any");
    for (int lane = 0; lane < 32; lane++) /* lanes 8 to 31 have values of their own */
        run.input[lane] = lane < 8 ? (uint64_t)eight[lane] : (uint64_t)(100 + lane);
    run_go(&run, 0);
    const struct warp_operation match = nth_step(&run, WARP_OP_MATCH_ANY, 0).operation;
    assert_int_equal(match.out[1], 0x07);
    assert_int_equal(match.out[5], 0x38);
    assert_int_equal(match.out[6], 0xc0);
    assert_int_equal(match.out[31], 0x80000000);
    assert_int_equal(watched(&run, "leader", 0)[5], 3);
    static const int count[] = {3, 0, 0, 3, 0, 0, 2, 0, 1};
    for (int lane = 0; lane < 9; lane++)
        assert_int_equal(watched(&run, "count", 0)[lane], count[lane]);
    run_release(&run);
}

static void test_match_all(void **state) {
    (void)state;
    check_all(&(struct expectation){"match-all", match_all, 3, 3, 0});
    check_all(&(struct expectation){"match-all", match_all, 3, 4, 0});
}
static void test_match_all_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "match-all");
    for (int lane = 0; lane < 32; lane++)
        run.input[lane] = lane < 16 ? 4 : 7;
    run_go(&run, 0);
    assert_int_equal(operations(&run), 3); /* one for the warp, one for each half */
    assert_int_equal(nth_step(&run, WARP_OP_MATCH_ALL, 0).operation.out[20], 0);
    assert_int_equal(watched(&run, "agreed", 0)[20], 0);
    assert_int_equal(nth_step(&run, WARP_OP_MATCH_ALL, 1).operation.out[3], 0x0000ffff);
    assert_int_equal(nth_step(&run, WARP_OP_MATCH_ALL, 2).operation.out[20], 0xffff0000);
    assert_int_equal(watched(&run, "halfAgreed", 0)[20], 1);
    run_release(&run);
}

static void test_scan_32(void **state) {
    (void)state;
    check_all(&(struct expectation){"scan-32", scan, -9, 9, 0});
}
static void test_scan_32_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "scan-32"); /* lane i: 0 + 1 + ... + i = i * (i + 1) / 2 */
    run_go(&run, 0);
    assert_int_equal(operations(&run), 5);
    for (int lane = 0; lane < 32; lane++) {
        assert_int_equal(run.output[lane], lane * (lane + 1) / 2);
        assert_int_equal(watched(&run, "exclusive", 0)[lane], lane * (lane - 1) / 2);
    }
    run_release(&run);
}

/* ---- algorithms that take several shuffles ---- */

static void transpose(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned lane = 0; lane < lanes; lane++)
        for (unsigned row = 0; row < 4; row++)
            out[lane] = out[lane] * 100 + in[lane / 4 * 4 + row] * 10 + (int)(lane % 4);
}

static void bitonic_sort(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned count = 0; count < lanes; count++) { /* by insertion */
        unsigned at = count;
        for (; at > 0 && out[at - 1] > in[count]; at--)
            out[at] = out[at - 1];
        out[at] = in[count];
    }
}

static void sum_everywhere(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    int sum = 0;
    for (unsigned lane = 0; lane < lanes; lane++)
        sum += in[lane];
    for (unsigned lane = 0; lane < lanes; lane++)
        out[lane] = sum;
}

static void minimum(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    out[0] = in[0];
    for (unsigned lane = 1; lane < lanes; lane++)
        if (in[lane] < out[0])
            out[0] = in[lane];
}

static void test_transpose(void **state) {
    (void)state;
    check_all(&(struct expectation){"transpose", transpose, 0, 9, WHOLE_WARPS});
}
static void test_transpose_by_hand(void **state) {
    (void)state;
    static const uint64_t columns[] = {102030, 1112131, 2122232, 3132333}; /* 00 10 20 30, ... */
    struct run run;
    run_init(&run, "transpose");
    for (int lane = 0; lane < 32; lane++)
        run.input[lane] = (uint64_t)lane % 4;
    run_go(&run, 0);
    assert_int_equal(operations(&run), 4);
    /* After xor 1, in lane 0: 00 10 02 12. The second round adds c and d. */
    const struct warp_operation third = nth_step(&run, WARP_OP_XOR, 2).operation;
    assert_int_equal(third.in[0], 2);
    assert_int_equal(third.out[0], 20);
    const struct warp_operation last = nth_step(&run, WARP_OP_XOR, 3).operation;
    assert_int_equal(last.in[0], 12);
    assert_int_equal(last.out[0], 30);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.output[lane], columns[lane % 4]);
    assert_int_equal(watched(&run, "b", 0)[2], 12);
    run_release(&run);
}

static void test_bitonic_sort(void **state) {
    (void)state;
    check_all(&(struct expectation){"bitonic-sort", bitonic_sort, -1000, 1000, WHOLE_WARPS});
    check_all(&(struct expectation){"bitonic-sort", bitonic_sort, 0, 3, WHOLE_WARPS});
}
static void test_bitonic_sort_by_hand(void **state) {
    (void)state;
    static const int masks[] = {1, 2, 1, 4, 2, 1, 8, 4, 2, 1, 16, 8, 4, 2, 1};
    /* The picture in bitonic_sort.cu: before and after size 4, xor 2. */
    static const int before[] = {3, 7, 8, 1, 2, 5, 6, 0}, after[] = {3, 1, 8, 7, 6, 5, 2, 0};
    struct run run;
    run_init(&run, "bitonic-sort");
    for (int lane = 0; lane < 32; lane++)
        run.input[lane] = lane < 8 ? (uint64_t)before[lane] : 99;
    run_go(&run, 0);
    assert_int_equal(operations(&run), 15);
    for (unsigned step = 0; step < 15; step++)
        assert_int_equal(nth_step(&run, WARP_OP_XOR, step).operation.arg[0], masks[step]);
    for (int lane = 0; lane < 8; lane++) {
        assert_int_equal(nth_step(&run, WARP_OP_XOR, 1).operation.in[lane], before[lane]);
        assert_int_equal(nth_step(&run, WARP_OP_XOR, 2).operation.in[lane], after[lane]);
    }
    run_release(&run);
}

static void test_sum_then_broadcast(void **state) {
    (void)state;
    check_all(&(struct expectation){"sum-then-broadcast", sum_everywhere, -9, 9, WHOLE_WARPS});
}
static void test_sum_then_broadcast_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "sum-then-broadcast"); /* 0 + 1 + ... + 31 = 496 */
    run_go(&run, 0);
    assert_int_equal(operations(&run), 12);
    const struct warp_operation needless = nth_step(&run, WARP_OP_IDX, 0).operation;
    const struct warp_operation needed = nth_step(&run, WARP_OP_IDX, 1).operation;
    for (int lane = 0; lane < 32; lane++) {
        assert_int_equal(needless.in[lane], 496);
        assert_int_equal(needless.out[lane], 496);
        assert_int_equal(needed.out[lane], 496);
        if (lane > 0)
            assert_int_not_equal(needed.in[lane], 496);
    }
    assert_int_equal(needed.in[31], 992); /* 31 doubled five times */
    run_release(&run);
}

static void test_partial_min(void **state) {
    (void)state;
    check_all(&(struct expectation){"partial-min", minimum, 1, 50, FIRST_LANE});
    check_all(&(struct expectation){"partial-min", minimum, -50, -1, FIRST_LANE});
}
static void test_partial_min_by_hand(void **state) {
    (void)state;
    static const uint64_t five[] = {7, 3, 9, 4, 5};
    struct run run;
    run_init(&run, "partial-min");
    run.parameters.threads = 5;
    memcpy(run.input, five, sizeof five);
    run_go(&run, 3);
    assert_int_equal(watched(&run, "minimumPadded0", 0)[0], 0);
    assert_int_equal(watched(&run, "minimum", 0)[0], 3);
    assert_int_equal(watched(&run, "productPadded0", 0)[0], 0);
    assert_int_equal(watched(&run, "product", 0)[0], 3780);
    run_release(&run);

    run_init(&run, "partial-min"); /* a whole warp has nothing to pad */
    for (int lane = 0; lane < 32; lane++)
        run.input[lane] = lane < 10 ? 3 : 2;
    run_go(&run, 3);
    assert_int_equal(watched(&run, "minimumPadded0", 0)[0], 2);
    assert_int_equal(watched(&run, "minimum", 0)[0], 2);
    assert_int_equal((uint32_t)watched(&run, "productPadded0", 0)[0],
                     (uint32_t)(59049u << 22)); /* 3^10 * 2^22 */
    run_release(&run);
}

/* ---- single-instruction reductions, and shared memory ---- */

static void no_difference(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)in, (void)out, (void)lanes, (void)members; /* 0 everywhere */
}

/* The old value is -1, so the early read is wrong by the partner's value plus 1. */
static void partner_and_1(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned lane = 0; lane < lanes; lane++)
        out[lane] = in[lane ^ 1] + 1;
}

static void test_reduce_sync(void **state) {
    (void)state;
    check_all(&(struct expectation){"reduce-sync", sum_everywhere, -1000, 1000, 0});
}
static void test_reduce_sync_by_hand(void **state) {
    (void)state;
    static const uint64_t four[] = {3, 5, 6, 1}; /* 011 101 110 001 */
    struct run run;
    run_init(&run, "reduce-sync");
    run.parameters.threads = 4;
    memcpy(run.input, four, sizeof four);
    run_go(&run, 0);
    assert_int_equal(operations(&run), 6);
    assert_int_equal(nth_step(&run, WARP_OP_REDUCE_ADD, 0).operation.out[3], 15);
    assert_int_equal(nth_step(&run, WARP_OP_REDUCE_MIN, 0).operation.out[3], 1);
    assert_int_equal(nth_step(&run, WARP_OP_REDUCE_MAX, 0).operation.out[3], 6);
    assert_int_equal(nth_step(&run, WARP_OP_REDUCE_AND, 0).operation.out[3], 0);
    assert_int_equal(nth_step(&run, WARP_OP_REDUCE_OR, 0).operation.out[3], 7);
    assert_int_equal(nth_step(&run, WARP_OP_REDUCE_XOR, 0).operation.out[3], 1);
    assert_int_equal(watched(&run, "odd", 0)[0], 1);
    run_release(&run);
}

static void test_reduce_shared_sum(void **state) {
    (void)state;
    check_all(&(struct expectation){"reduce-shared-sum", no_difference, -99, 99, WHOLE_WARPS});
}
static void test_reduce_shared_sum_by_hand(void **state) {
    (void)state;
    /* For 0 + ... + 31, lane 0 after each round: 0+16, and 8+24, and 4+12+20+28, ... */
    static const int lane0[] = {16, 48, 112, 240, 496};
    struct run run;
    run_init(&run, "reduce-shared-sum");
    run_go(&run, 1);
    assert_int_equal(operations(&run), 10);
    for (unsigned round = 0; round < 5; round++) {
        uint64_t in_memory[WARP_LANES];
        memcpy(in_memory, watched(&run, "*cell", round), sizeof in_memory);
        const uint64_t *sum = watched(&run, "sum", round);
        assert_int_equal(sum[0], lane0[round]);
        for (int lane = 0; lane < 32; lane++) /* the same in every lane, not only in the first */
            assert_int_equal(in_memory[lane], sum[lane]);
    }
    run_release(&run);
}

static void test_shared_fence(void **state) {
    (void)state;
    check_all(&(struct expectation){"shared-fence", partner_and_1, -99, 99, WHOLE_WARPS});
}
static void test_shared_fence_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "shared-fence");
    run_go(&run, 9);
    for (int lane = 0; lane < 32; lane++) {
        assert_int_equal(watched(&run, "fenced", 0)[lane], lane ^ 1);
        assert_int_equal(watched(&run, "handedOver", 0)[lane], lane ^ 1);
        assert_int_equal((int32_t)watched(&run, "notFenced", 0)[lane], -1);
    }
    run_release(&run);
}

/* ---- tiles ---- */

static void sum_of_8(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned lane = 0; lane < lanes; lane++)
        out[lane / 8 * 8] += in[lane];
}

static void first_of_4(const int *in, int *out, unsigned lanes, uint32_t members) {
    (void)members;
    for (unsigned lane = 0; lane < lanes; lane++) {
        out[lane] = -1;
        for (unsigned other = lane / 4 * 4; other < lane / 4 * 4 + 4 && other < lanes; other++)
            if (in[other] > 20)
                out[lane] = in[lane / 4 * 4];
    }
}

static void test_tile_reduce(void **state) {
    (void)state;
    check_all(&(struct expectation){"tile-reduce", sum_of_8, -99, 99, WHOLE_WARPS});
}
static void test_tile_reduce_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "tile-reduce");
    run_go(&run, 0);
    assert_int_equal(operations(&run), 12); /* 4 tiles, 3 rounds */
    const struct warp_operation second = nth_step(&run, WARP_OP_DOWN, 1).operation;
    assert_int_equal(second.members, 0x0000ff00);
    assert_int_equal(second.present, 0x0000ff00);
    assert_int_equal(second.width[8], 8);
    assert_int_equal(second.arg[8], 4);
    /* 0 + ... + 7 = 28, and 64 more in each tile. */
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(run.output[lane], lane % 8 == 0 ? 28 + lane / 8 * 64 : 0);
    /* The site is the kernel's line that makes the call, not a line of a header. */
    const struct trace_site *site = nth_step(&run, WARP_OP_DOWN, 0).site;
    const char *line = run.program->source;
    for (unsigned number = 1; number < site->line; number++)
        line = strchr(line, '\n') + 1;
    assert_memory_equal(line, "        sum += tile.shfl_down(sum, delta);", 42);
    run_release(&run);
}

static void test_tile_groups(void **state) {
    (void)state;
    check_all(&(struct expectation){"tile-groups", first_of_4, 10, 24, 0});
}
static void test_tile_groups_by_hand(void **state) {
    (void)state;
    struct run run;
    run_init(&run, "tile-groups");
    for (int lane = 0; lane < 32; lane++)
        run.input[lane] = (uint64_t)(lane * 5 % 32);
    run_go(&run, 6);
    /* Above 20: lanes 17-19, 24, 25, 30, 31; and 5, 6, 11, 12. */
    assert_int_equal(watched(&run, "of16", 0)[20], 0xc30e);
    assert_int_equal(watched(&run, "of16", 0)[0], 0x1860);
    assert_int_equal(watched(&run, "of4", 0)[18], 14);
    assert_int_equal(watched(&run, "of4", 0)[20], 0);
    assert_int_equal(watched(&run, "of4", 0)[27], 3);
    for (int lane = 0; lane < 32; lane++)
        assert_int_equal(watched(&run, "quarter", 0)[lane], lane % 16 / 4);
    assert_int_equal(reinterpret(run.output[21]), -1);
    assert_int_equal(run.output[27], 24); /* lane 24: 120 % 32 */
    run_release(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes),
        cmocka_unit_test(test_votes_by_hand),
        cmocka_unit_test(test_compact),
        cmocka_unit_test(test_compact_by_hand),
        cmocka_unit_test(test_match_any),
        cmocka_unit_test(test_match_any_by_hand),
        cmocka_unit_test(test_match_all),
        cmocka_unit_test(test_match_all_by_hand),
        cmocka_unit_test(test_scan_32),
        cmocka_unit_test(test_scan_32_by_hand),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_transpose_by_hand),
        cmocka_unit_test(test_bitonic_sort),
        cmocka_unit_test(test_bitonic_sort_by_hand),
        cmocka_unit_test(test_sum_then_broadcast),
        cmocka_unit_test(test_sum_then_broadcast_by_hand),
        cmocka_unit_test(test_partial_min),
        cmocka_unit_test(test_partial_min_by_hand),
        cmocka_unit_test(test_reduce_sync),
        cmocka_unit_test(test_reduce_sync_by_hand),
        cmocka_unit_test(test_reduce_shared_sum),
        cmocka_unit_test(test_reduce_shared_sum_by_hand),
        cmocka_unit_test(test_shared_fence),
        cmocka_unit_test(test_shared_fence_by_hand),
        cmocka_unit_test(test_tile_reduce),
        cmocka_unit_test(test_tile_reduce_by_hand),
        cmocka_unit_test(test_tile_groups),
        cmocka_unit_test(test_tile_groups_by_hand),
    };
    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
