/*
 * test_turns.c - the order in which lanes continue (schedule.c, lockstep.c, rendezvous.c), tested
 * with kernels in C: lanes that wait for each other by operations, by barriers, by memory; and the
 * values that lanes get where nothing is defined.
 */
#include "steps.h"

#include <math.h>

#define MOST  1024
#define SEEDS 12

static unsigned order[4 * MOST], length;
static uint64_t got[MOST];
static const struct shflviz_site site = SITE(1), other_site = SITE(2), sync_site = SITE(3);
/* A site belongs to one operation, of one type. */
static const struct shflviz_site sum_site = SITE(4), wide_site = SITE(5), half_site = SITE(6);

static void begin_order(uint64_t seed) {
    const struct cpu_options options = {.settings.schedule = seed,
                                        .settings.poison = UINT64_C(0xbadbadbadbadbad1)};
    device = cpu_device_create(&options);
    cpu_device_use(device);
    length = 0;
}
static void end_order(void) {
    cpu_device_use(NULL);
    cpu_device_destroy(device);
}
static void note(void) {
    order[length++] = thread();
}

/* ---- lane order ---- */

static void pass_barriers(void *context) {
    for (int i = 0; i < *(int *)context; i++) {
        note();
        cpu_block_barrier(&sync_site, 0);
    }
    note();
}

static void test_lane_order(void **state) {
    static const unsigned sizes[] = {1, 2, 31, 32, 33, 64, 65, 1000, 1024};
    (void)state;
    begin_order(0);
    for (int i = 0; i < COUNT(sizes); i++)
        for (int barriers = 0; barriers < 3; barriers++) {
            length = 0;
            DONE(run(pass_barriers, &barriers, one, (struct dim3){sizes[i], 1, 1}));
            assert_int_equal(length, sizes[i] * (unsigned)(barriers + 1));
            for (unsigned n = 0; n < length; n++)
                assert_int_equal(order[n], n % sizes[i]);
        }
    end_order();
}

/* In any other order every lane still runs, and all of them run between two barriers. */
static void test_any_order(void **state) {
    int barriers = 2, swapped = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        begin_order(seed);
        DONE(run(pass_barriers, &barriers, one, (struct dim3){70, 1, 1}));
        assert_int_equal(length, 210);
        for (unsigned part = 0; part < 3; part++) {
            unsigned seen[70] = {0};
            for (unsigned n = 70 * part; n < 70 * (part + 1); n++) {
                seen[order[n]]++;
                swapped += order[n] != n % 70;
            }
            for (unsigned t = 0; t < 70; t++)
                assert_int_equal(seen[t], 1);
        }
        end_order();
    }
    assert_true(swapped > 210 * SEEDS / 2);
}

/* ---- atomic operations and volatile reads ---- */

static void yield_often(void *context) {
    const int *how = context; /* numbers of notes, and of yields before each */
    for (int i = 0; i < how[0]; i++) {
        for (int k = 0; k < how[1]; k++)
            cpu_yield(1);
        note();
    }
}

/* An atomic operation lets other lanes run now and then, each in turn, warp after warp. */
static void test_yields(void **state) {
    int few[] = {30, 1}, many[] = {3, 64};
    (void)state;
    begin_order(0);
    DONE(run(yield_often, few, one, (struct dim3){2, 1, 1}));
    for (unsigned n = 0; n < 60; n++)
        assert_int_equal(order[n], n / 30);
    end_order();
    begin_order(0);
    DONE(run(yield_often, many, one, (struct dim3){80, 1, 1}));
    assert_int_equal(length, 240);
    for (unsigned n = 0; n < length; n++)
        assert_int_equal(order[n], n % 80);
    end_order();
    cpu_yield(0); /* from the host: no effect */
}

static void read_own(void *context) {
    volatile int mine = 0;
    for (int i = 0; i < 3; i++) {
        cpu_before_volatile(HERE(0x1000), context ? context : (const void *)(uintptr_t)&mine,
                            sizeof mine, 0);
        note();
    }
}

/* Before a volatile access to memory that all lanes can see, a lane lets the others run; other
 * lanes cannot see its own stack. */
static void test_own_stack(void **state) {
    static int seen;
    (void)state;
    begin_order(0);
    DONE(run(read_own, &seen, one, (struct dim3){3, 1, 1}));
    for (unsigned n = 0; n < 9; n++)
        assert_int_equal(order[n], n % 3);
    length = 0;
    if (!CPU_SWITCH_SANITIZED) { /* with AddressSanitizer, it may not be on the stack */
        DONE(run(read_own, NULL, one, (struct dim3){3, 1, 1}));
        for (unsigned n = 0; n < 9; n++)
            assert_int_equal(order[n], n / 3);
    }
    end_order();
    cpu_before_volatile(HERE(0x1000), &seen, sizeof seen, 0); /* from the host: no effect */
}

static volatile int flags[MOST];
static const struct wait {
    int kind; /* 0: by atomic operations, 1: by volatile reads */
    unsigned threads;
    bool up; /* each thread waits for the previous one; else for the next */
} waits[] = {{0, 2, true},   {0, 2, false}, {1, 2, true},   {1, 2, false},   {0, 40, true},
             {0, 40, false}, {1, 40, true}, {1, 40, false}, {0, 100, false}, {1, 100, false}};

static void wait_for(int kind, volatile int *flag) {
    while (!*flag) {
        if (kind)
            cpu_before_volatile(HERE(0x1000), (const void *)(uintptr_t)flag, sizeof *flag, 0);
        else
            cpu_yield(0);
    }
}
static void wait_in_row(void *context) {
    const struct wait *how = context;
    const unsigned t = thread();
    if (how->up ? t > 0 : t + 1 < how->threads)
        wait_for(how->kind, &flags[how->up ? t - 1 : t + 1]);
    note();
    if (how->kind)
        cpu_before_volatile(HERE(0x2000), (const void *)(uintptr_t)&flags[t], sizeof flags[t], 1);
    flags[t] = 1;
    cpu_yield(1);
}

/* The awaited lane gets to run, whatever the order. */
static void test_waiting(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(waits); i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct wait how = waits[i];
            begin_order(seed);
            memset((void *)(uintptr_t)flags, 0, sizeof flags);
            DONE(run(wait_in_row, &how, one, (struct dim3){how.threads, 1, 1}));
            assert_int_equal(length, how.threads);
            for (unsigned n = 0; n < length; n++)
                assert_int_equal(order[n], how.up ? n : how.threads - 1 - n);
            end_order();
        }
}

/* Thread 0 spins until two others have met, which happens while it spins. */
static void wait_for_meeting(void *context) {
    const int *how = context; /* the kind; the first of those that meet; 1 if all threads meet */
    const unsigned t = thread(), first = (unsigned)how[1];
    if (t == 0)
        wait_for(how[0], &flags[0]);
    if (how[2])
        cpu_block_barrier(&sync_site, 0);
    else if (t == first || t == first + 1)
        cpu_operation_32(&sync_site, WARP_OP_SYNC, WARP_TYPE_NONE, UINT32_C(3) << first % 32, 0, 0,
                         0);
    if (t == first)
        flags[0] = 1;
}
static void test_meetings(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int first = 1; first < 70; first += 35)
            for (uint64_t seed = 0; seed < 4; seed++) {
                int how[] = {kind, first, 0};
                begin_order(seed);
                flags[0] = 0;
                DONE(run(wait_for_meeting, how, one, (struct dim3){72, 1, 1}));
                assert_int_equal(flags[0], 1);
                end_order();
            }
}

/* ---- groups of lanes at operations ---- */

static const uint32_t patterns[][3] = {
    /* masks that have no lane in common */
    {0xffffffff, 0, 0},
    {0x55555555, 0xaaaaaaaa, 0},
    {0x0000ffff, 0xffff0000, 0},
    {0x49249249, 0x92492492, 0x24924924},
    {0x80000000, 0x7fffffff, 0},
    {0x00000001, 0xfffffffe, 0},
    {0x00ff00ff, 0xf000ff00, 0x0f000000},
};

static void vote_in_groups(void *context) {
    const uint32_t *masks = context;
    const unsigned t = thread(), lane = t % 32;
    for (int i = 0; i < 3; i++)
        if (masks[i] >> lane & 1) {
            got[t] = cpu_operation_32(i == 1 ? &other_site : &site, WARP_OP_BALLOT, WARP_TYPE_INT,
                                      masks[i], 1, 0, 0);
            got[t] += (uint64_t)cpu_operation_32(&sum_site, WARP_OP_REDUCE_ADD, WARP_TYPE_UNSIGNED,
                                                 masks[i], lane, 0, 0)
                      << 32;
        }
    got[t] ^= cpu_operation_32(&sync_site, WARP_OP_ANY, WARP_TYPE_INT, 0xffffffff, 0, 0, 0);
}

static void test_groups(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(patterns); i++)
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            for (unsigned threads = 20; threads <= 64; threads += 22) { /* 20, 42, 64 */
                begin_order(seed);
                memset(got, 0, sizeof got);
                DONE(run(vote_in_groups, (void *)(uintptr_t)patterns[i], one,
                         (struct dim3){threads, 1, 1}));
                for (unsigned t = 0; t < threads; t++) {
                    const unsigned there = threads - t / 32 * 32;
                    uint32_t mask = 0, sum = 0;
                    for (int k = 0; k < 3; k++)
                        if (patterns[i][k] >> t % 32 & 1)
                            mask = patterns[i][k];
                    if (there < 32) /* absent lanes are not waited for */
                        mask &= (UINT32_C(1) << there) - 1;
                    for (unsigned lane = 0; lane < 32; lane++)
                        sum += mask >> lane & 1 ? lane : 0;
                    if (got[t] != ((uint64_t)sum << 32 | mask))
                        fail_msg("pattern %d, seed %d, thread %u of %u: %llx, not %x %x", i,
                                 (int)seed, t, threads, (unsigned long long)got[t], sum, mask);
                }
                end_order();
            }
}

/* One lane passes a different argument. */
static void one_differs(void *context) {
    const unsigned lane = thread(), odd = *(unsigned *)context;
    const int32_t argument = (int32_t)(lane == odd ? (odd + 3) % 32 : 7);
    got[lane] =
        cpu_operation_32(&site, WARP_OP_IDX, WARP_TYPE_INT, 0xffffffff, lane + 50, argument, 32);
    /* If the compiler knows the argument, that argument is used, not the previous one. */
    got[lane] += 100 * cpu_operation_32(&other_site, WARP_OP_IDX, WARP_TYPE_INT, 0xffffffff,
                                        lane + 50, 0, 32);
    got[lane] += 10000 * cpu_operation_64(&wide_site, WARP_OP_XOR, WARP_TYPE_LONG_LONG, 0xffffffff,
                                          lane + 50, 1, 32);
}
static void test_arguments(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        begin_order(seed);
        for (unsigned odd = 0; odd < 32; odd++)
            for (int full = 0; full < 2; full++) {
                DONE(run(one_differs, &odd, one, (struct dim3){full ? 32 : 16, 1, 1}));
                for (unsigned lane = 0; lane < (full ? 32 : 16); lane++) {
                    const unsigned from = lane == odd ? (odd + 3) % 32 : 7;
                    if (!full && from >= 16)
                        continue; /* not there */
                    assert_int_equal(got[lane], from + 50 + 100 * 50 + 10000 * ((lane ^ 1) + 50));
                }
            }
        end_order();
    }
}

/* ---- undefined values ---- */

static void undefined_values(void *context) {
    const unsigned lane = thread(), from = *(unsigned *)context;
    for (unsigned i = 0; i < 2; i++) {
        got[lane + 8 * i] = cpu_operation_32(&site, WARP_OP_IDX, WARP_TYPE_FLOAT, 0xffffffff, lane,
                                             (int32_t)from, 32);
        got[lane + 16 + 8 * i] = cpu_operation_64(&wide_site, WARP_OP_IDX, WARP_TYPE_DOUBLE,
                                                  0xffffffff, lane, (int32_t)from, 32);
        got[lane + 32 + 8 * i] = cpu_operation_32(&half_site, WARP_OP_IDX, WARP_TYPE_HALF,
                                                  0xffffffff, lane, (int32_t)from, 32);
    }
}

/* A lane that does not exist supplies the poison, cut to the type; or, to see what depends on it,
 * a different value each time, finite and of one sign. */
static void test_undefined(void **state) {
    (void)state;
    for (unsigned variant = 0; variant < 3; variant++)
        for (unsigned from = 3; from < 20; from += 9) { /* lane 3 exists, lane 12 does not */
            bool undefined = false;
            const struct cpu_options options = {.settings.poison = UINT64_C(0xbadbadbadbadbad1),
                                                .settings.variant = variant,
                                                .undefined = &undefined};
            device = cpu_device_create(&options);
            cpu_device_use(device);
            DONE(run(undefined_values, &from, one, (struct dim3){8, 1, 1}));
            assert_int_equal(undefined, from != 3);
            for (int i = 0; i < 48 && from == 3; i++)
                assert_int_equal(got[i], 3);
            for (int i = 0; i < 48 && from != 3; i++) {
                const uint64_t mask = i < 16 ? UINT32_MAX : i < 32 ? UINT64_MAX : UINT16_MAX;
                if (variant == 0) {
                    assert_true(got[i] == (UINT64_C(0xbadbadbadbadbad1) & mask));
                    continue;
                }
                float single;
                double wide;
                memcpy(&single, &got[i], sizeof single);
                memcpy(&wide, &got[i], sizeof wide);
                assert_int_equal(got[i] & ~mask, 0);
                if (i < 16)
                    assert_true(isfinite(single) && (single < 0) == (variant == 2));
                else if (i < 32)
                    assert_true(isfinite(wide) && (wide < 0) == (variant == 2));
                else
                    assert_true((got[i] & 0x7c00) != 0x7c00 && got[i] >> 15 == (variant == 2));
                for (int k = i / 16 * 16; k < i && i < 32; k++)
                    assert_true(got[i] != got[k]);
            }
            cpu_device_use(NULL);
            cpu_device_destroy(device);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lane_order), cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_yields),     cmocka_unit_test(test_own_stack),
        cmocka_unit_test(test_waiting),    cmocka_unit_test(test_meetings),
        cmocka_unit_test(test_groups),     cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
