/*
 * test_steps.c - the CPU warp's own functions (lane.h), called by kernels written in C: which
 * steps are recorded with which values (TRACE_FORMAT.md), and the order of lanes, warps and
 * blocks. CUDA kernels reach these functions through headers; here they are called directly.
 */
#include "steps.h"

#include <stdlib.h>

/* ---- watched variables ---- */

static const struct shflviz_site watch_a = SITE(1), watch_b = SITE(2);

static void watch_twice(void *context) {
    (void)context;
    cpu_watch(&watch_a, WARP_TYPE_INT, thread());
    if (thread() != 2)
        cpu_watch(&watch_b, WARP_TYPE_INT, thread() + 10);
    cpu_watch(&watch_a, WARP_TYPE_INT, thread() + 20);
}

/* Lanes that pass the same watch share a step; a lane that passes it again begins a new one. */
static void test_watches(void **state) {
    static const struct {
        uint32_t present, first, line;
    } wanted[] = {{0xf, 0, 1}, {0xb, 10, 2}, {0xf, 20, 1}};
    (void)state;
    begin(4, STEPS, NULL);
    DONE(run(watch_twice, NULL, one, (struct dim3){4, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 3);
    for (int i = 0; i < 3; i++) {
        const struct sink_step step = memory_sink_step(&sink, (size_t)i);
        assert_int_equal(step.operation.op, WARP_OP_WATCH);
        assert_int_equal(step.operation.present, wanted[i].present);
        assert_int_equal(step.operation.members, wanted[i].present);
        assert_int_equal(step.header->flags, SHFLVIZ_RECORD_EXITED_KNOWN);
        assert_int_equal(step.operation.exited & wanted[i].present, 0);
        assert_int_equal(step.site->line, wanted[i].line);
        for (uint32_t lane = 0; lane < 4; lane++)
            if (wanted[i].present >> lane & 1) {
                assert_int_equal(step.operation.out[lane], wanted[i].first + lane);
                assert_int_equal(step.operation.in[lane], wanted[i].first + lane);
                assert_int_equal(step.operation.arg[lane], 0);
                assert_int_equal(step.operation.width[lane], 0);
            }
    }
    end();
}

static void watch_often(void *context) {
    for (int i = 0; i < *(int *)context; i++)
        cpu_watch(&watch_a, WARP_TYPE_INT, (uint64_t)i);
}

/* Up to 1,024 steps of a lane that runs far ahead are kept for the others to join. */
static void test_many_watches(void **state) {
    int count = 1030;
    (void)state;
    begin(4, STEPS, NULL);
    DONE(run(watch_often, &count, one, (struct dim3){2, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 1036);
    for (size_t i = 0; i < 1036; i++) {
        const struct sink_step step = memory_sink_step(&sink, i);
        assert_int_equal(step.operation.present, i < 6 ? 1 : i < 1030 ? 3 : 2);
        assert_int_equal(step.operation.out[i < 1030 ? 0 : 1], i < 1030 ? i : i - 6);
        if (i >= 6 && i < 1030)
            assert_int_equal(step.operation.out[1], i - 6);
    }
    end();
}

/* ---- warp operations ---- */

static const struct shflviz_site shuffle_site = SITE(10), vote_site = SITE(11);

struct shuffle {
    int op, width, arg; /* arg -1: the lane's own, lane * 3 */
    bool is_wide;
};
static uint64_t got[64];

static void shuffle(void *context) {
    const struct shuffle *how = context;
    const unsigned lane = thread();
    const int arg = how->arg < 0 ? (int)lane * 3 : how->arg;
    const uint64_t value = lane * UINT64_C(0x100000003) + 7;
    if (how->is_wide)
        got[lane] = cpu_operation_64(&shuffle_site, how->op, WARP_TYPE_UNSIGNED_LONG_LONG, FULL,
                                     value, arg, how->width);
    else
        got[lane] = cpu_operation_32(&shuffle_site, how->op, WARP_TYPE_UNSIGNED, FULL,
                                     (uint32_t)value, arg, how->width);
}

static void check_shuffle(const struct shuffle *how, size_t number) {
    const struct sink_step step = memory_sink_step(&sink, number);
    struct lane_outcome outcome[WARP_LANES];
    assert_int_equal(step.operation.op, how->op);
    assert_int_equal(step.operation.present, FULL);
    assert_int_equal(step.operation.members, FULL);
    assert_int_equal(step.header->flags, SHFLVIZ_RECORD_EXITED_KNOWN);
    warp_outcome(&step.operation, outcome);
    for (unsigned lane = 0; lane < 32; lane++) {
        const uint64_t value = lane * UINT64_C(0x100000003) + 7;
        assert_int_equal(step.operation.arg[lane], how->arg < 0 ? (int)lane * 3 : how->arg);
        assert_int_equal(step.operation.width[lane], how->width);
        assert_int_equal(step.operation.in[lane], how->is_wide ? value : (uint32_t)value);
        assert_int_equal(step.operation.out[lane], got[lane]);
        assert_true(outcome[lane].has_value);
        assert_int_equal(got[lane], outcome[lane].value);
    }
}

/* A full warp: the recording has what was passed, and the results that lib/warp's rules give. */
static void test_shuffles(void **state) {
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        size_t steps = 0;
        const bool is_wide = shape & 1;
        begin(is_wide || shape & 2 ? 8 : 4, STEPS, NULL);
        for (int op = WARP_OP_IDX; op <= WARP_OP_XOR; op++)
            for (int width = 1; width <= 32; width *= 2)
                for (int arg = -1; arg < 33; arg += 3) {
                    struct shuffle how = {op, width, arg, is_wide};
                    DONE(run(shuffle, &how, one, (struct dim3){32, 1, 1}));
                    assert_int_equal(memory_sink_steps(&sink), ++steps);
                    check_shuffle(&how, steps - 1);
                }
        end();
    }
}

/* A site belongs to one operation. */
static const struct shflviz_site row_sites[] = {SITE(40), SITE(41), SITE(42), SITE(43),
                                                SITE(44), SITE(45), SITE(46)};

static void row(void *context) {
    (void)context;
    cpu_operation_32(&row_sites[0], WARP_OP_XOR, WARP_TYPE_INT, FULL, thread(), 1, 32);
    cpu_operation_32(&row_sites[1], WARP_OP_DOWN, WARP_TYPE_INT, FULL, thread(), 2, 32);
    cpu_operation_32(&row_sites[2], WARP_OP_XOR, WARP_TYPE_INT, FULL, thread(), 1, 16);
    cpu_operation_32(&row_sites[3], WARP_OP_IDX, WARP_TYPE_UNSIGNED, FULL, thread(), 0, 32);
    cpu_operation_32(&row_sites[4], WARP_OP_IDX, WARP_TYPE_UNSIGNED, FULL, thread(), 31, 1);
    cpu_operation_32(&row_sites[5], WARP_OP_ANY, WARP_TYPE_INT, FULL, thread() == 5, 0, 0);
    cpu_operation_64(&row_sites[6], WARP_OP_UP, WARP_TYPE_DOUBLE, FULL, thread(), 3, 8);
}

/* One after the other, with masks, widths and arguments that the compiler knows. */
static void test_row(void **state) {
    static const struct {
        int op, type, arg, width;
        unsigned line;
    } wanted[] = {
        {WARP_OP_XOR, WARP_TYPE_INT, 1, 32, 40},      {WARP_OP_DOWN, WARP_TYPE_INT, 2, 32, 41},
        {WARP_OP_XOR, WARP_TYPE_INT, 1, 16, 42},      {WARP_OP_IDX, WARP_TYPE_UNSIGNED, 0, 32, 43},
        {WARP_OP_IDX, WARP_TYPE_UNSIGNED, 31, 1, 44}, {WARP_OP_ANY, WARP_TYPE_INT, 0, 0, 45},
        {WARP_OP_UP, WARP_TYPE_DOUBLE, 3, 8, 46},
    };
    (void)state;
    begin(8, STEPS, NULL);
    DONE(run(row, NULL, (struct dim3){2, 1, 1}, (struct dim3){64, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 4 * COUNT(wanted));
    for (size_t i = 0; i < 4 * COUNT(wanted); i++) { /* warp by warp, block by block */
        const struct sink_step step = memory_sink_step(&sink, i);
        struct lane_outcome outcome[WARP_LANES];
        const int n = (int)i % COUNT(wanted), warp = (int)i / COUNT(wanted);
        assert_int_equal(step.operation.op, wanted[n].op);
        assert_int_equal(step.operation.type, wanted[n].type);
        assert_int_equal(step.header->width, wanted[n].width);
        assert_int_equal(step.header->flags, SHFLVIZ_RECORD_EXITED_KNOWN);
        assert_int_equal(step.header->warp, warp % 2);
        assert_int_equal(step.header->block, warp / 2);
        assert_int_equal(step.site->line, wanted[n].line);
        warp_outcome(&step.operation, outcome);
        for (unsigned lane = 0; lane < 32; lane++) {
            assert_int_equal(step.operation.arg[lane], wanted[n].arg);
            if (n != 5)
                assert_int_equal(step.operation.in[lane], (unsigned)(warp % 2) * 32 + lane);
            assert_int_equal(step.operation.out[lane], outcome[lane].value);
        }
    }
    end();
}

static void widths(void *context) {
    (void)context;
    got[thread()] = cpu_operation_32(&shuffle_site, WARP_OP_IDX, WARP_TYPE_INT, FULL, thread(), 1,
                                     thread() % 2 ? 16 : 8);
}

/* Lanes that pass different widths meet at one operation, which keeps the width of each. */
static void test_widths(void **state) {
    (void)state;
    begin(4, 4, NULL);
    DONE(run(widths, NULL, one, (struct dim3){20, 1, 1})); /* the other lanes do not exist */
    assert_int_equal(memory_sink_steps(&sink), 1);
    const struct sink_step step = memory_sink_step(&sink, 0);
    assert_int_equal(step.header->flags,
                     SHFLVIZ_RECORD_EXITED_KNOWN | SHFLVIZ_RECORD_WIDTHS_DIFFER);
    assert_int_equal(step.operation.present, 0xfffff);
    assert_int_equal(step.header->width, 8); /* the first lane's */
    for (unsigned lane = 0; lane < 20; lane++) {
        const unsigned width = lane % 2 ? 16 : 8;
        assert_int_equal(step.operation.width[lane], width);
        assert_int_equal(got[lane], lane / width * width + 1);
    }
    end();
}

/* ---- which steps are recorded ---- */

static void vote_twice(void *context) {
    (void)context;
    cpu_operation_32(&shuffle_site, WARP_OP_XOR, WARP_TYPE_INT, FULL, thread(), 1, 32);
    cpu_operation_32(&vote_site, WARP_OP_BALLOT, WARP_TYPE_INT, FULL, 1, 0, 0);
}

/* Six blocks of two warps: lines 10 and 11 in each. */
static void test_filters(void **state) {
    enum {
        BLOCKS = SHFLVIZ_FILTER_BLOCKS,
        INDEX = SHFLVIZ_FILTER_INDEX,
        WARPS = SHFLVIZ_FILTER_WARPS,
        LINES = SHFLVIZ_FILTER_LINES,
        LAUNCHES = SHFLVIZ_FILTER_LAUNCHES,
        KERNEL = SHFLVIZ_FILTER_KERNEL
    };
    static const struct {
        struct shflviz_filter filter;
        size_t steps; /* of 24 per launch, in two launches */
    } cases[] = {
        {{.parts = 0}, 48},
        {{.parts = BLOCKS, .block_first = 1, .block_last = 2}, 16},
        {{.parts = BLOCKS, .block_first = 5, .block_last = 9}, 8},
        {{.parts = INDEX, .block_index = {1, 0, 0}}, 8},
        {{.parts = INDEX, .block_index = {2, 1, 0}}, 8},
        {{.parts = INDEX, .block_index = {0, 0, 1}}, 0},
        {{.parts = WARPS, .warp_first = 1, .warp_last = 1}, 24},
        {{.parts = WARPS, .warp_first = 2, .warp_last = 4}, 0},
        {{.parts = LINES, .line_first = 11, .line_last = 11}, 24},
        {{.parts = LINES, .line_first = 1, .line_last = 10}, 24},
        {{.parts = LAUNCHES, .launch_first = 1, .launch_last = 7}, 24},
        {{.parts = LAUNCHES, .launch_first = 2, .launch_last = 7}, 0},
        {{.parts = LAUNCHES | LINES, .launch_last = 0, .line_first = 10, .line_last = 10}, 12},
        {{.parts = KERNEL, .kernel = "kernel"}, 48},
        {{.parts = KERNEL, .kernel = "other"}, 0},
        {{.parts = KERNEL | WARPS, .kernel = "kernel", .warp_last = 0}, 24},
    };
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        begin(4, 64, &cases[i].filter);
        for (int launch = 0; launch < 2; launch++)
            DONE(run(vote_twice, NULL, (struct dim3){3, 2, 1}, (struct dim3){64, 1, 1}));
        if (memory_sink_steps(&sink) != cases[i].steps)
            fail_msg("case %d: %zu steps", i, memory_sink_steps(&sink));
        assert_int_equal(sink.dropped, 0); /* filtered steps do not count as dropped */
        assert_int_equal(cpu_device_dropped(device), 0);
        end();
    }
}

/* Steps that do not fit are counted. */
static void test_room(void **state) {
    struct shuffle wide = {WARP_OP_XOR, 32, 1, true};
    (void)state;
    for (size_t room = 0; room <= 24; room += 4) {
        begin(4, room ? room : 1, NULL);
        DONE(run(vote_twice, NULL, (struct dim3){5, 1, 1}, (struct dim3){64, 1, 1}));
        const size_t steps = room > 20 ? 20 : room ? room : 1;
        assert_int_equal(memory_sink_steps(&sink), steps);
        assert_int_equal(sink.dropped, 20 - steps);
        assert_int_equal(cpu_device_dropped(device), 20 - steps);
        end();
    }
    begin(4, 8, NULL); /* values of 8 bytes do not fit a recording of 4 */
    DONE(run(shuffle, &wide, one, (struct dim3){32, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 0);
    assert_int_equal(sink.dropped, 1);
    assert_int_equal(got[0], 1 * UINT64_C(0x100000003) + 7); /* but the shuffle still moves them */
    end();
}

static struct shflviz_site sites[SINK_SITES];

static void each_site(void *context) {
    (void)context;
    for (int i = 0; i < 2 * SINK_SITES; i++)
        cpu_operation_32(&sites[i * 5 % SINK_SITES], WARP_OP_ANY, WARP_TYPE_INT, FULL, 1, 0, 0);
}

/* Each site is described once, however many records name it. */
static void test_sites(void **state) {
    (void)state;
    for (unsigned i = 0; i < SINK_SITES; i++)
        sites[i] = (struct shflviz_site)SITE(i + 100);
    begin(4, STEPS, NULL);
    DONE(run(each_site, NULL, one, (struct dim3){1, 1, 1}));
    assert_int_equal(sink.site_count, SINK_SITES);
    assert_int_equal(memory_sink_steps(&sink), 2 * SINK_SITES);
    for (size_t i = 0; i < 2 * SINK_SITES; i++)
        assert_int_equal(memory_sink_step(&sink, i).site->line, i * 5 % SINK_SITES + 100);
    end();
}

static const struct shflviz_site *made[8];

static void make_sites(void *context) {
    char file[] = "a.cu", text[] = "call()";
    (void)context;
    made[0] = cpu_site("a.cu", 7, "call()");
    made[1] = cpu_site("a.cu", 71, "call()"); /* in the same list of lines */
    made[2] = cpu_site("b.cu", 7, "call()");
    made[3] = cpu_site("a.cu", 7, "other()");
    made[4] = cpu_site("a.cu", 8, "call()");
    made[5] = cpu_site("a.cu", 135, "call()");
    made[6] = cpu_site(file, 71, text); /* equal to the second, by its text */
    made[7] = cpu_site("b.cu", 7, text);
}

static void test_made_sites(void **state) {
    (void)state;
    begin(4, 4, NULL);
    DONE(run(make_sites, NULL, one, one));
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++)
            assert_ptr_not_equal(made[i], made[k]);
    assert_ptr_equal(made[6], made[1]);
    assert_ptr_equal(made[7], made[2]);
    assert_string_equal(made[3]->text, "other()");
    assert_string_equal(made[2]->file, "b.cu");
    assert_int_equal(made[5]->line, 135);
    end();
}

/* ---- threads, barriers, blocks ---- */

static struct { struct uint3 block, thread; } places[3 * 2 * 2 * 3 * 2 * 2];
static size_t place_count;
static const struct shflviz_site barrier_site = SITE(30), grid_site = SITE(31);

static void note_place(void *context) {
    (void)context;
    places[place_count].block = cpu_block_index;
    places[place_count++].thread = cpu_now.lane->thread_index;
}

/* In lane order: x first, then y, then z, of threads and of blocks. */
static void test_places(void **state) {
    const struct dim3 grid = {3, 2, 2}, block = {2, 3, 2};
    (void)state;
    begin(4, 4, NULL);
    place_count = 0;
    DONE(run(note_place, NULL, grid, block));
    assert_int_equal(place_count, 144);
    for (unsigned i = 0; i < 144; i++) {
        const unsigned b = i / 12, t = i % 12;
        assert_int_equal(places[i].block.x, b % 3);
        assert_int_equal(places[i].block.y, b / 3 % 2);
        assert_int_equal(places[i].block.z, b / 6);
        assert_int_equal(places[i].thread.x, t % 2);
        assert_int_equal(places[i].thread.y, t / 2 % 3);
        assert_int_equal(places[i].thread.z, t / 6);
    }
    end();
}

static int results[96], threads[96], before, mixed;

static void barriers(void *context) {
    const unsigned t = thread();
    (void)context;
    before++;
    cpu_block_barrier(&barrier_site, t % 3 == 0);
    mixed += before != 70;
    results[t] = cpu_block_barrier_result();
    threads[t] = cpu_block_barrier_threads();
    if (t >= 60) /* the other threads need not wait for these */
        return;
    cpu_block_barrier(&barrier_site, 5);
    results[t] += 1000 * cpu_block_barrier_result();
    threads[t] += 1000 * cpu_block_barrier_threads();
}

static void test_barriers(void **state) {
    (void)state;
    begin(4, 4, NULL);
    before = mixed = 0;
    DONE(run(barriers, NULL, one, (struct dim3){70, 1, 1}));
    assert_int_equal(mixed, 0);
    for (int t = 0; t < 70; t++) { /* 24 of 70 are multiples of 3 */
        assert_int_equal(results[t], t < 60 ? 60024 : 24);
        assert_int_equal(threads[t], t < 60 ? 60070 : 70);
    }
    end();
}

static char order[64];
static size_t order_length;
static volatile int flag;
static unsigned char shared[256];

static void meet(void *context) {
    const bool all = context == NULL;
    order[order_length++] = (char)('a' + cpu_block_index.x);
    shared[0] = (unsigned char)(cpu_block_index.x + 7);
    shared[199] = (unsigned char)(cpu_block_index.x + 9);
    if (all || cpu_block_index.x == 0)
        cpu_grid_barrier(&grid_site);
    if (shared[0] != cpu_block_index.x + 7 || shared[199] != cpu_block_index.x + 9)
        mixed++; /* each block finds its own again */
    order[order_length++] = (char)('A' + cpu_block_index.x);
    if (all)
        cpu_grid_barrier(&grid_site);
    order[order_length++] = (char)('0' + cpu_block_index.x);
}

static int run_blocks(void (*kernel)(void *context), void *context, unsigned blocks) {
    order_length = 0;
    mixed = 0;
    memset(order, 0, sizeof order);
    return cpu_runtime_launch("kernel", kernel, context, (struct dim3){blocks, 1, 1}, one, shared,
                              200);
}

/* All blocks reach grid.sync() before any of them continues; then they continue in the order of
 * arrival. */
static void test_grid(void **state) {
    int some;
    (void)state;
    begin(4, 4, NULL);
    for (int round = 0; round < 2; round++) {
        DONE(run_blocks(meet, NULL, 4));
        assert_string_equal(order, "abcdABCD0123");
        assert_int_equal(mixed, 0);
    }
    DONE(run_blocks(meet, NULL, 1));
    assert_string_equal(order, "aA0");
    DONE(run_blocks(meet, NULL, 2));
    assert_string_equal(order, "abAB01");
    GIVES(CPU_ERROR_LAUNCH_TIMEOUT, run_blocks(meet, &some, 3));
    assert_string_equal(order, "abB1cC2"); /* a block that does not reach it ends */
    assert_string_equal(cpu_device_error(device)->text,
                        "the kernel does not finish: 1 of 3 blocks wait at grid.sync() for the "
                        "others, which have ended without reaching it");
    assert_string_equal(sink.failure_kind, trace_failure_name(TRACE_FAILURE_DEADLOCK));
    end();
}

static bool by_reads;
static void wait_for_next(void *context) {
    const int last = *(const int *)context, me = (int)cpu_block_index.x;
    order[order_length++] = (char)('a' + me);
    shared[0] = (unsigned char)(me + 7);
    while (me != last && flag != me + 1) /* the next block releases it */
        if (by_reads)
            cpu_before_volatile(HERE(0x1000), (const void *)(uintptr_t)&flag, sizeof flag, 0);
        else
            cpu_yield(0);
    flag = me;
    mixed += shared[0] != me + 7;
    order[order_length++] = (char)('A' + me);
}

/* A block that waits for another block lets that block begin. */
static void test_waiting(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        int last = 3;
        by_reads = way;
        begin(4, 4, NULL);
        flag = -1;
        DONE(run_blocks(wait_for_next, &last, 4));
        assert_string_equal(order, "abcdDCBA");
        assert_int_equal(mixed, 0);
        flag = -1, last = 0; /* none waits */
        DONE(run_blocks(wait_for_next, &last, 1));
        assert_string_equal(order, "aA");
        end();
    }
}

/* ---- the schedule's numbers ---- */

static unsigned first_lane;
static int begun;
static void first(void *context) {
    (void)context;
    if (!begun++)
        first_lane = thread();
}

/* xorshift64*, by S. Vigna: shifts of 12, 25 and 27, and the multiplier 0x2545f4914f6cdd1d. */
static void test_random(void **state) {
    struct cpu_options options = {.settings.schedule = 5};
    (void)state;
    struct cpu_device *random = cpu_device_create(&options);
    random->random = 1;
    assert_true(schedule_random(random) == UINT64_C(0x47e4ce4b896cdd1d));
    uint64_t x = random->random;
    for (int i = 0; i < 1000; i++) {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        assert_true(schedule_random(random) == x * UINT64_C(0x2545f4914f6cdd1d));
    }
    for (unsigned of = 2; of <= 8; of *= 2) { /* one of 2, of 4, of 8 */
        int hits = 0;
        for (int i = 0; i < 8000; i++)
            hits += schedule_chance(random, of);
        assert_true(abs(hits - 8000 / (int)of) < 400);
    }
    cpu_device_destroy(random);
    options.settings.schedule = 0; /* in lane order nothing is random */
    random = cpu_device_create(&options);
    for (int i = 0; i < 100; i++)
        assert_false(schedule_chance(random, 2));
    cpu_device_destroy(random);
    int firsts[8] = {0};
    for (uint64_t seed = 1; seed <= 160; seed++) { /* each lane may be the first */
        options.settings.schedule = seed;
        random = cpu_device_create(&options);
        cpu_device_use(random);
        begun = 0;
        DONE(run(first, NULL, one, (struct dim3){8, 1, 1}));
        assert_int_equal(begun, 8);
        firsts[first_lane]++;
        cpu_device_use(NULL);
        cpu_device_destroy(random);
    }
    for (int lane = 0; lane < 8; lane++)
        assert_true(firsts[lane] > 5 && firsts[lane] < 45);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watches),    cmocka_unit_test(test_many_watches),
        cmocka_unit_test(test_shuffles),   cmocka_unit_test(test_widths),
        cmocka_unit_test(test_row),        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_room),       cmocka_unit_test(test_sites),
        cmocka_unit_test(test_made_sites), cmocka_unit_test(test_places),
        cmocka_unit_test(test_barriers),   cmocka_unit_test(test_grid),
        cmocka_unit_test(test_waiting),    cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
