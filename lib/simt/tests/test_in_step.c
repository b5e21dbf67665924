/*
 * test_in_step.c - kernels that rely on lanes in step (in_step.c): which blocks are examined, what
 * makes lanes keep step from then on, and the note about blocks that have run before.
 */
#include "simt/device_state.h"
#include "test_device.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS 12
enum { KEEPS = 1, LOOKS = 2, AT_GLOBAL = 2 /* shift of the bits for global memory */ };

static struct cpu_device *device;
static int32_t words[70000];
static int in_step[BLOCKS], after[BLOCKS];
static volatile int flags[1];
static bool is_open;
static const struct shflviz_site barrier_site = {"lean.c", "kernel", "barrier", 1};
static const struct shflviz_site sync_site = {"lean.c", "kernel", "sync", 2};

/* ---- what is written to standard error ---- */

static int kept_error;
static FILE *told;
static void catch_error(void) {
    fflush(stderr);
    kept_error = dup(2);
    told = tmpfile();
    dup2(fileno(told), 2);
}
static const char *caught_error(void) {
    static char text[4096];
    fflush(stderr);
    dup2(kept_error, 2);
    close(kept_error);
    rewind(told);
    text[fread(text, 1, sizeof text - 1, told)] = '\0';
    fclose(told);
    return text;
}

static int begin(void **state) {
    const struct cpu_options options = {.settings.zero_memory = true};
    (void)state;
    device = cpu_device_create(&options);
    cpu_device_use(device);
    memset(in_step, -1, sizeof in_step);
    memset(after, -1, sizeof after);
    return 0;
}
static int end(void **state) {
    (void)state;
    cpu_device_use(NULL);
    cpu_device_destroy(device);
    return 0;
}

enum { SHARED = 1 << CPU_STEP_SHARED, GLOBAL = 1 << CPU_STEP_GLOBAL, BOTH = SHARED | GLOBAL };

/* Launches a kernel that may rely on lanes in step for accesses to these memories. */
static int launch(const char *name, unsigned memories, void (*kernel)(void *context), void *context,
                  unsigned blocks, unsigned threads) {
    in_step_expect(device, memories);
    return cpu_runtime_launch(name, kernel, context, (struct dim3){blocks, 1, 1},
                              (struct dim3){threads, 1, 1}, NULL, 0);
}

static void touch(int word, bool writes, bool is_shared) {
    in_step_access(&words[word], 4, writes, is_shared, (const void *)(uintptr_t)0x1000);
}

static void note(void *context) {
    (void)context;
    in_step[cpu_block_index.x] = cpu_now.in_step;
}

/* Blocks 0, 1, 2, 4 and 8 are examined, for the memories for which the kernel may rely on lanes in
 * step. */
static void test_examined_blocks(void **state) {
    static const struct {
        unsigned memories;
        int looks;
    } cases[] = {
        {0, 0}, {BOTH, LOOKS | LOOKS << AT_GLOBAL}, {SHARED, LOOKS}, {GLOBAL, LOOKS << AT_GLOBAL},
        {0, 0},
    };
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        DONE(launch("kernel", cases[i].memories, note, NULL, BLOCKS, 1));
        for (int b = 0; b < BLOCKS; b++) {
            const bool power = b == 0 || b == 1 || b == 2 || b == 4 || b == 8;
            if (in_step[b] != (power ? cases[i].looks : 0))
                fail_msg("case %d, block %d: %d", i, b, in_step[b]);
        }
        assert_int_equal(cpu_now.in_step, 0);
    }
    DONE(launch("kernel", SHARED, note, NULL, 1, 1));
    DONE(cpu_runtime_launch("kernel", note, NULL, (struct dim3){1, 1, 1}, (struct dim3){1, 1, 1},
                            NULL, 0)); /* without in_step_expect() */
    assert_int_equal(in_step[0], 0);
}

/* ---- what reveals that a kernel relies on lanes in step ---- */

struct how {
    int first, second; /* lanes */
    bool first_writes, second_writes, is_shared;
    int between; /* 0: nothing, 1: __syncthreads(), 2: a warp operation */
    bool leans;
    int distance; /* of the words, which are 4 bytes wide */
};

static void two_accesses(void *context) {
    const struct how *how = context;
    const int me = (int)cpu_now.lane->thread;
    if (me == how->first)
        touch(5, how->first_writes, how->is_shared);
    if (how->between == 1)
        cpu_block_barrier(&barrier_site, 0);
    else if (how->between == 2)
        cpu_operation_32(&sync_site, WARP_OP_BALLOT, WARP_TYPE_INT, 0xffffffff, 1, 0, 0);
    if (me == how->second)
        touch(5 + how->distance, how->second_writes, how->is_shared);
    if (how->between == 0) /* no lane may end before all have been here */
        cpu_block_barrier(&barrier_site, 0);
    after[0] = cpu_now.in_step;
}

static void test_reliance(void **state) {
    static const struct how cases[] = {
        {0, 1, true, false, true, 0, true, 0},      {0, 1, false, true, true, 0, true, 0},
        {0, 1, false, false, true, 0, false, 0},    {0, 0, true, false, true, 0, false, 0},
        {0, 0, false, true, true, 0, false, 0},     {0, 1, true, false, true, 1, false, 0},
        {0, 1, false, true, true, 1, false, 0},     {0, 1, true, false, true, 2, true, 0},
        {0, 40, true, false, true, 0, true, 0},     {0, 1, true, false, true, 0, false, 1},
        {0, 1, true, false, true, 0, false, 65536}, {0, 1, true, false, false, 0, true, 0},
        {0, 1, false, true, false, 0, true, 0},     {0, 1, true, false, false, 2, false, 0},
        {0, 1, true, false, false, 1, false, 0},    {0, 40, true, false, false, 0, false, 0},
        {33, 40, true, false, false, 0, true, 0},   {3, 3, true, true, false, 0, false, 0},
    };
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        struct how how = cases[i];
        char name[16];
        snprintf(name, sizeof name, "kernel_%d", i);
        for (int round = 0; round < 2; round++) { /* it is known from the first launch on */
            DONE(launch(name, BOTH, two_accesses, &how, 1, 64));
            const int at = how.is_shared ? 0 : AT_GLOBAL, other = how.is_shared ? AT_GLOBAL : 0;
            if ((after[0] >> at & 3) != (how.leans ? KEEPS : LOOKS))
                fail_msg("case %d, round %d: %d", i, round, after[0]);
            assert_int_equal(after[0] >> other & 3, LOOKS);
        }
        DONE(launch(name, BOTH, note, NULL, BLOCKS, 1));
        for (int b = 0; b < BLOCKS; b++) /* in every block, if the kernel relies on it */
            assert_int_equal(in_step[b] >> (how.is_shared ? 0 : AT_GLOBAL) & KEEPS, how.leans);
    }
}

/* Reads "0w 1w 1r": thread 0 writes, thread 1 writes, thread 1 reads. */
static void in_turn(void *context) {
    const char *at = context;
    for (; *at; at += at[2] ? 3 : 2) {
        if (cpu_now.lane->thread == (unsigned)(*at - '0')) {
            touch(5, at[1] == 'w', true);
            flags[0]++;
        }
        for (const int now = (int)(at - (const char *)context) / 3 + 1; flags[0] < now;)
            cpu_yield(0);
    }
    cpu_block_barrier(&barrier_site, 0);
    after[0] = cpu_now.in_step & 3;
    is_open = in_step_is_open(device);
}

/* If several threads have accessed a word, that is remembered. */
static void test_in_turn(void **state) {
    static const struct {
        const char *text;
        bool leans;
    } cases[] = {{"0w 0w 0r", false}, {"0r 0r 0w", false}, {"0w 1w 1r", true},
                 {"0r 1r 1w", true},  {"0w 1w 0r", true},  {"0r 1r 0w", true},
                 {"0w 0r 0w", false}, {"0r 1r 2r", false}};
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        char name[16];
        snprintf(name, sizeof name, "turn_%d", i);
        flags[0] = 0;
        DONE(launch(name, BOTH, in_turn, (void *)(uintptr_t)cases[i].text, 1, 3));
        if (after[0] != (cases[i].leans ? KEEPS : LOOKS))
            fail_msg("%s: %d", cases[i].text, after[0]);
        assert_true(is_open); /* it is still open for global memory */
        assert_false(in_step_is_open(device));
    }
    DONE(launch("plain", 0, in_turn, (void *)(uintptr_t) "", 1, 3));
    assert_false(is_open);
}

static void one_atomic(void *context) {
    (void)context;
    cpu_now.in_atomic = cpu_now.lane->thread == 0;
    touch(5, true, true);
    cpu_now.in_atomic = 0;
    cpu_block_barrier(&barrier_site, 0);
    after[0] = cpu_now.in_step;
}
static void own_stack(void *context) {
    volatile int mine = 0;
    (void)context;
    in_step_access((const void *)(uintptr_t)&mine, 4, true, false, (const void *)(uintptr_t)0x1000);
    after[0] = cpu_now.in_step;
}

/* Atomic operations do not count, nor do accesses to a lane's own stack. */
static void test_no_accesses(void **state) {
    (void)state;
    DONE(launch("atomic", BOTH, one_atomic, NULL, 1, 1));
    assert_int_equal(after[0], LOOKS | LOOKS << AT_GLOBAL);
    assert_null(device->step.cells);
    if (CPU_SWITCH_SANITIZED)
        return; /* local variables may not be on the stack */
    DONE(launch("stack", BOTH, own_stack, NULL, 1, 8));
    assert_int_equal(after[0], LOOKS | LOOKS << AT_GLOBAL);
    assert_null(device->step.cells);
}

/* An access touches one word of 4 bytes, or all words of a wider access. */
static void wide(void *context) {
    const int *how = context; /* where the second begins, and its bytes */
    if (cpu_now.lane->thread == 0)
        in_step_access((char *)words + 16, 8, true, true, (const void *)(uintptr_t)0x1000);
    else
        in_step_access((char *)words + how[0], (size_t)how[1], false, true,
                       (const void *)(uintptr_t)0x2000);
    cpu_block_barrier(&barrier_site, 0);
    after[0] = cpu_now.in_step & 3;
}
static void test_words(void **state) {
    static const int cases[][3] = {{16, 4, KEEPS}, {20, 4, KEEPS}, {24, 4, LOOKS}, {12, 4, LOOKS},
                                   {12, 5, KEEPS}, {15, 1, LOOKS}, {23, 1, KEEPS}, {8, 16, KEEPS},
                                   {0, 16, LOOKS}, {24, 16, LOOKS}};
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        char name[16];
        int how[] = {cases[i][0], cases[i][1]};
        snprintf(name, sizeof name, "wide_%d", i);
        DONE(launch(name, BOTH, wide, how, 1, 2));
        if (after[0] != cases[i][2])
            fail_msg("case %d: %d", i, after[0]);
    }
}

/* ---- the note, and what keeping step means ---- */

static void late(void *context) {
    const unsigned from = *(unsigned *)context;
    if (cpu_block_index.x >= from)
        touch(5, cpu_now.lane->thread == 0, true);
    cpu_block_barrier(&barrier_site, 0);
}

static void test_warnings(void **state) {
    static const struct {
        unsigned from;
        const char *words;
    } cases[] = {
        {2, ""}, /* before any block has run without keeping step */
        {4, "shflviz: late_1: in block 4 lanes hand values to each other through shared memory "
            "with no barrier in between; blocks from 3 on ran with their lanes out of step and may "
            "have results that differ from a GPU's: see `shflviz check`\n"},
        {5, "shflviz: late_2: in block 8 lanes hand values to each other through shared memory "
            "with no barrier in between; blocks from 3 on ran with their lanes out of step and may "
            "have results that differ from a GPU's: see `shflviz check`\n"},
        {9, ""}, /* not examined */
    };
    (void)state;
    for (int i = 0; i < COUNT(cases); i++) {
        char name[16];
        unsigned from = cases[i].from;
        snprintf(name, sizeof name, "late_%d", i);
        catch_error();
        const int error = launch(name, BOTH, late, &from, BLOCKS, 2);
        const char *text = caught_error();
        DONE(error);
        assert_string_equal(text, cases[i].words);
    }
}

static char order[16];
static int length;
static void steps(void *context) {
    (void)context;
    for (int i = 0; i < 3; i++) {
        touch(100 + (int)cpu_now.lane->thread, true, true);
        order[length++] = (char)('0' + cpu_now.lane->thread);
    }
}
static void test_steps(void **state) {
    (void)state;
    length = 0;
    DONE(launch("stepping", BOTH, steps, NULL, 1, 3));
    assert_memory_equal(order, "012012012", 9); /* even while they are examined */
    length = 0;
    DONE(launch("shared_only", SHARED, steps, NULL, 1, 3));
    assert_memory_equal(order, "012012012", 9);
    length = 0;
    DONE(launch("plain", 0, steps, NULL, 1, 3));
    assert_memory_equal(order, "000111222", 9);
}

#define IN_STEP_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_STEP_TEST(test_examined_blocks), IN_STEP_TEST(test_reliance),
        IN_STEP_TEST(test_no_accesses),     IN_STEP_TEST(test_in_turn),
        IN_STEP_TEST(test_words),           IN_STEP_TEST(test_warnings),
        IN_STEP_TEST(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
