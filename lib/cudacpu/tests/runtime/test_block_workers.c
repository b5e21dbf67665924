/*
 * test_block_workers.c - a grid whose blocks are run by several host threads (block_workers.h):
 * each block runs once, and the output and the first block that fails are as if one thread had run
 * them in order. Timing decides whether a launch gets workers, but does not affect its result.
 */
#include "cudacpu/calls.h"
#include "simt/block_workers.h"
#include "simt/device_state.h"
#include "test_device.h"

#include "base/text.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define BLOCKS 320
#define SHARED 64

/* As in a user's program: each thread has its own shared memory. */
extern const int cpu_shared_by_thread;
const int cpu_shared_by_thread = 1;
static __thread unsigned char area[SHARED] __attribute__((aligned(16)));
void *cpu_thread_dynamic_shared(void) {
    return area;
}

static struct text printed;
static int runs[BLOCKS], wrong, fails_at, last;
static const struct shflviz_site barrier_site = {"block_workers.c", "kernel", "barrier", 1};
static const struct shflviz_site *made_sites[BLOCKS];

static void keep_text(void *context, const char *text, size_t length) {
    (void)context;
    text_append_bytes(&printed, text, length);
}

static void begin(struct cpu_device **device, unsigned jobs) {
    const struct cpu_options options = {
        .settings.jobs = jobs, .print = keep_text, .settings.zero_memory = true};
    *device = cpu_device_create(&options);
    cpu_device_use(*device);
    text_init(&printed);
    memset(runs, 0, sizeof runs);
    wrong = 0;
    fails_at = last = -1;
}
static void end(struct cpu_device *device) {
    cpu_device_use(NULL);
    cpu_device_destroy(device);
    text_release(&printed);
}
static void spend(long long nanoseconds) {
    const long long from = cpu_runtime_clock();
    while (cpu_runtime_clock() - from < nanoseconds)
        continue;
}

static void block(void *context) {
    const unsigned number = cpu_block_index.x + 20 * cpu_block_index.y, t = cpu_now.lane->thread;
    (void)context;
    if (t == 0) {
        __atomic_fetch_add(&runs[number], 1, __ATOMIC_RELAXED);
        for (int i = 0; i < SHARED; i++)
            if (area[i] != 0)
                __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        memset(area, (int)(number % 251) + 1, SHARED);
        cpu_runtime_printf("%u begins\n", number);
        made_sites[number] = cpu_site("a.cu", number % 3, "call");
        spend(50000);
    }
    cpu_block_barrier(&barrier_site, 0);
    if (area[t] != number % 251 + 1)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    if ((int)number == fails_at || (int)number == last)
        cpu_trap();
    if (t == 39)
        cpu_runtime_printf("%u ends\n", number);
}

static int launch(void) {
    const struct dim3 grid = {20, BLOCKS / 20, 1}, threads = {40, 1, 1};
    return cpu_runtime_launch("block", block, NULL, grid, threads, area, SHARED);
}

static void check_printed(int blocks, bool failed) {
    struct text wanted = TEXT_INIT;
    for (int i = 0; i < blocks; i++)
        text_append_format(&wanted, "%d begins\n%d ends\n", i, i);
    if (failed)
        text_append_format(&wanted, "%d begins\n", blocks);
    assert_string_equal(printed.data, wanted.data);
    text_release(&wanted);
}

static void test_order(void **state) {
    struct cpu_device *device;
    (void)state;
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        begin(&device, jobs);
        for (int round = 0; round < 2; round++) {
            DONE(launch());
            DONE(cpu_runtime_synchronize());
            for (int i = 0; i < BLOCKS; i++) {
                assert_int_equal(runs[i], round + 1);
                assert_ptr_equal(made_sites[i], made_sites[i % 3]);
            }
            check_printed(BLOCKS, false);
            assert_int_equal(wrong, 0);
            text_clear(&printed);
        }
        end(device);
    }
}

/* If two blocks fail, the first one counts; later blocks are not reported. */
static void test_failure(void **state) {
    static const int places[] = {0, 5, 200, BLOCKS - 1};
    struct cpu_device *device;
    (void)state;
    for (int i = 0; i < COUNT(places); i++) {
        begin(&device, 4);
        fails_at = places[i];
        last = places[i] + 40;
        DONE(launch()); /* the host learns of the failure when it waits */
        GIVES(719 /* cudaErrorLaunchFailure */, cpu_runtime_synchronize());
        for (int n = 0; n <= places[i]; n++)
            assert_int_equal(runs[n], 1);
        check_printed(places[i], true);
        GIVES(719 /* cudaErrorLaunchFailure */, launch()); /* until it is reset */
        DONE(cpu_runtime_reset());
        fails_at = last = -1;
        text_clear(&printed);
        DONE(launch());
        DONE(cpu_runtime_synchronize());
        check_printed(BLOCKS, false);
        end(device);
    }
}

/* Block i waits for a value from block i - 1, and the last block waits for all. */
static volatile int said;
static void chain(void *context) {
    (void)context;
    spend(300000);
    while (said != (int)cpu_block_index.x)
        cpu_before_volatile((const void *)(uintptr_t)0x1000, (const void *)(uintptr_t)&said,
                            sizeof said, 0);
    __atomic_fetch_add(&runs[cpu_block_index.x], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&said, said + 1, __ATOMIC_SEQ_CST);
}
static void test_chain(void **state) {
    enum { LINKS = 64 };
    const struct dim3 grid = {LINKS, 1, 1}, one = {1, 1, 1};
    struct cpu_device *device;
    (void)state;
    begin(&device, 3);
    said = 0;
    DONE(cpu_runtime_launch("chain", chain, NULL, grid, one, NULL, 0));
    assert_int_equal(said, LINKS);
    for (int i = 0; i < LINKS; i++)
        assert_int_equal(runs[i], 1);
    end(device);
}

/* Each reason why a launch gets no workers, one by one. */
static void test_workers_pay(void **state) {
    struct cpu_device *device;
    struct cpu_observer observer = {.allocated = NULL};
    (void)state;
    if (CPU_SWITCH_SANITIZED)
        skip(); /* then no launch gets workers */
    begin(&device, 2);
    device->blocks_all = 1000;
    device->blocks_begun = 16;
    device->launched = cpu_runtime_clock() - 100000000; /* 16 blocks took 0.1 s */
    assert_true(block_workers_pay_off(device));
    const struct {
        unsigned *member;
        unsigned value;
    } unsigneds[] = {{&device->options.settings.jobs, 1}, {&device->options.settings.variant, 1}};
    for (int i = 0; i < COUNT(unsigneds); i++) {
        const unsigned kept = *unsigneds[i].member;
        *unsigneds[i].member = unsigneds[i].value;
        assert_false(block_workers_pay_off(device));
        *unsigneds[i].member = kept;
    }
    device->options.settings.schedule = 1;
    assert_false(block_workers_pay_off(device));
    device->options.settings.schedule = 0;
    device->options.observer = &observer;
    assert_false(block_workers_pay_off(device));
    device->options.observer = NULL;
    bool *const flags[] = {&device->shared_steps, &device->cooperative, &device->interleaved};
    for (int i = 0; i < COUNT(flags); i++) {
        *flags[i] = true;
        assert_false(block_workers_pay_off(device));
        *flags[i] = false;
    }
    static const struct {
        uint64_t begun, all;
        long long took; /* nanoseconds; the rest should take at least 10 ms */
        bool pays;
    } cases[] = {
        {16, 17, 100000000, false},   {16, 18, 100000000, true},    {1, 1000, 1000000, true},
        {17, 1000, 100000000, false}, {31, 1000, 100000000, false}, {32, 1000, 100000000, true},
        {5, 1000, 100000000, true},   {16, 1000, 100000, false},    {16, 1016, 50000, false},
        {16, 1016, 400000, true},     {16, 48, 1000000, false},     {16, 216, 1000000, true},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        device->blocks_begun = cases[i].begun;
        device->blocks_all = cases[i].all;
        device->launched = cpu_runtime_clock() - cases[i].took;
        if (block_workers_pay_off(device) != cases[i].pays)
            fail_msg("case %d", i);
    }
    device->blocks_begun = device->blocks_all = 0;
    end(device);
}

/* If memory holds the expected value, it gets the desired value; its neighbours stay unchanged. */
static void test_exchange(void **state) {
    static const size_t sizes[] = {1, 2, 4, 8, 16, 12};
    (void)state;
    for (int i = 0; i < COUNT(sizes); i++) {
        _Alignas(16) unsigned char memory[48], expected[32], desired[16];
        memset(memory, 3, sizeof memory);
        memset(expected, 3, sizeof expected);
        memset(desired, 9, sizeof desired);
        assert_int_equal(cpu_compare_exchange(memory + 16, expected, desired, sizes[i]), 1);
        for (size_t at = 0; at < sizeof memory; at++)
            assert_int_equal(memory[at], at >= 16 && at < 16 + sizes[i] ? 9 : 3);
        expected[sizes[i] - 1] = 8; /* now the last byte differs */
        memset(desired, 5, sizeof desired);
        assert_int_equal(cpu_compare_exchange(memory + 16, expected, desired, sizes[i]), 0);
        for (size_t at = 0; at < sizeof memory; at++)
            assert_int_equal(memory[at], at >= 16 && at < 16 + sizes[i] ? 9 : 3);
        for (size_t at = 0; at < sizeof expected; at++)
            assert_int_equal(expected[at], at < sizes[i] ? 9 : 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),    cmocka_unit_test(test_failure),
        cmocka_unit_test(test_chain),    cmocka_unit_test(test_workers_pay),
        cmocka_unit_test(test_exchange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
