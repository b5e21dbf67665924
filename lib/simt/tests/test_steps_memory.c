/*
 * test_steps_memory.c - accesses to memory as steps (shared_steps.c): which lanes make one
 * together, and the memory's value before and after. TRACE_FORMAT.md defines a step's fields.
 */
#include "steps.h"

static uint64_t got[64];

/* ---- accesses to memory ---- */

static _Alignas(16) int32_t numbers[64];
static const struct shflviz_site write_site = SITE(20), read_site = SITE(21), odd_site = SITE(22);

static void access_at(const struct shflviz_site *site, int op, int type, const void *address,
                      unsigned bytes, unsigned pc) {
    const struct cpu_access access = {.site = site,
                                      .address = address,
                                      .offset =
                                          (int32_t)((const char *)address - (const char *)numbers),
                                      .op = (uint8_t)op,
                                      .type = (uint8_t)type,
                                      .bytes = (uint8_t)bytes};
    cpu_shared_access(&access, HERE(pc));
}

/* Even lanes make an access at a lower address of the program than odd lanes; then all lanes
 * make an access at the same address. */
static void accesses(void *context) {
    const unsigned lane = thread();
    (void)context;
    if (lane % 2) {
        access_at(&odd_site, WARP_OP_SHARED_WRITE, WARP_TYPE_INT, &numbers[lane], 4, 0x2000);
        numbers[lane] = -(int)lane;
    } else {
        access_at(&write_site, WARP_OP_SHARED_WRITE, WARP_TYPE_INT, &numbers[lane], 4, 0x1000);
        numbers[lane] = (int)lane + 100;
    }
    access_at(&read_site, WARP_OP_SHARED_READ, WARP_TYPE_INT, &numbers[lane ^ 1], 4, 0x3000);
    got[lane] = (uint32_t)numbers[lane ^ 1];
}

static void test_accesses(void **state) {
    static const struct {
        uint32_t present, line;
        int op;
    } wanted[] = {{0x15, 20, WARP_OP_SHARED_WRITE},
                  {0x2a, 22, WARP_OP_SHARED_WRITE},
                  {0x3f, 21, WARP_OP_SHARED_READ}};
    (void)state;
    for (int i = 0; i < 64; i++)
        numbers[i] = 1000 + i;
    begin(4, STEPS, NULL);
    DONE(run(accesses, NULL, one, (struct dim3){6, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 3);
    for (size_t i = 0; i < 3; i++) {
        const struct sink_step step = memory_sink_step(&sink, i);
        assert_int_equal(step.operation.op, wanted[i].op);
        assert_int_equal(step.operation.present, wanted[i].present);
        assert_int_equal(step.site->line, wanted[i].line);
        for (unsigned lane = 0; lane < 6; lane++) {
            if (!(wanted[i].present >> lane & 1))
                continue;
            const unsigned at = i == 2 ? lane ^ 1 : lane;
            const int now = at % 2 ? -(int)at : (int)at + 100;
            assert_int_equal(step.operation.arg[lane], 4 * at);
            assert_int_equal(step.operation.width[lane], 4);
            assert_int_equal(step.operation.out[lane], (uint32_t)now);
            assert_int_equal(step.operation.in[lane], i == 2 ? (uint32_t)now : 1000 + at);
        }
    }
    for (unsigned lane = 0; lane < 6; lane++)
        assert_int_equal(got[lane], (uint32_t)numbers[lane ^ 1]);
    end();
}

/* A small signed number is extended as its type requires; the upper half of 16 bytes is in
 * `in`. */
static void sizes(void *context) {
    static const struct {
        int type;
        unsigned bytes;
    } cases[] = {{WARP_TYPE_INT, 1},        {WARP_TYPE_UNSIGNED, 1},  {WARP_TYPE_INT, 2},
                 {WARP_TYPE_UNSIGNED, 2},   {WARP_TYPE_INT, 4},       {WARP_TYPE_LONG_LONG, 8},
                 {WARP_TYPE_LONG_LONG, 12}, {WARP_TYPE_LONG_LONG, 16}};
    (void)context;
    for (int i = 0; i < COUNT(cases); i++)
        access_at(&read_site, WARP_OP_GLOBAL_READ, cases[i].type, numbers, cases[i].bytes,
                  0x1000 + (unsigned)i);
}

static void test_sizes(void **state) {
    static const struct {
        uint64_t out, in;
        int width;
    } wanted[] = {
        {0xffffff81, 0xffffff81, 1},
        {0x81, 0x81, 1},
        {0xffff9281, 0xffff9281, 2},
        {0x9281, 0x9281, 2},
        {0xb4a39281, 0xb4a39281, 4},
        {0xf8e7d6c5b4a39281, 0xf8e7d6c5b4a39281, 8},
        {0xf8e7d6c5b4a39281, 0x000000000d0c0b0a, 12},
        {0xf8e7d6c5b4a39281, 0x110f0e0d0d0c0b0a, 16},
    };
    (void)state;
    memcpy(numbers, "\x81\x92\xa3\xb4\xc5\xd6\xe7\xf8\x0a\x0b\x0c\x0d\x0d\x0e\x0f\x11", 16);
    begin(8, STEPS, NULL);
    DONE(run(sizes, NULL, one, one));
    assert_int_equal(memory_sink_steps(&sink), COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct sink_step step = memory_sink_step(&sink, i);
        if (step.operation.out[0] != wanted[i].out || step.operation.in[0] != wanted[i].in)
            fail_msg("%zu: %llx %llx", i, (unsigned long long)step.operation.out[0],
                     (unsigned long long)step.operation.in[0]);
        assert_int_equal(step.operation.width[0], wanted[i].width);
    }
    end();
}

/* The parts of a vector are one access if they follow each other and belong to one vector. */
static int extended[6];
static void vectors(void *context) {
    struct cpu_access next = {.site = &write_site,
                              .op = WARP_OP_SHARED_WRITE,
                              .type = WARP_TYPE_INT,
                              .bytes = 4,
                              .vector = 16};
    (void)context;
    for (int i = 0; i < 5; i++) {
        next.address = (char *)numbers + 4 * i;
        if (i == 0 || !(extended[i] = cpu_shared_extends(&next)))
            cpu_shared_access(&next, HERE(0x1000));
        numbers[i] = i + 1;
    }
    next.address = numbers + 7; /* not the next */
    extended[5] = cpu_shared_extends(&next);
}

/* Two adjacent numbers, whose accesses may be one access or two. */
static const struct pair {
    const struct shflviz_site *site;
    int op, vector, at;
    bool is_one;
} pairs[] = {
    {&write_site, WARP_OP_SHARED_WRITE, 8, 4, true},
    {&write_site, WARP_OP_SHARED_READ, 8, 4, false},
    {&odd_site, WARP_OP_SHARED_WRITE, 8, 4, false},
    {&write_site, WARP_OP_SHARED_WRITE, 4, 4, false},
    {&write_site, WARP_OP_SHARED_WRITE, 16, 4, true},
    {&write_site, WARP_OP_SHARED_WRITE, 16, 8, false},
    {&write_site, WARP_OP_SHARED_WRITE, 8, 0, false},
};
static void pair(void *context) {
    struct pair *p = context;
    struct cpu_access next = {
        .site = &write_site, .op = WARP_OP_SHARED_WRITE, .type = WARP_TYPE_INT, .bytes = 4};
    next.address = numbers;
    next.vector = 8;
    cpu_shared_access(&next, HERE(0x1000));
    numbers[0] = 11;
    next.site = p->site;
    next.op = (uint8_t)p->op;
    next.vector = (uint8_t)p->vector;
    next.address = (char *)numbers + p->at;
    p->is_one = cpu_shared_extends(&next);
    numbers[1] = 22;
}

static void test_pairs(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(pairs); i++) {
        struct pair p = pairs[i];
        numbers[0] = 1, numbers[1] = 2;
        begin(8, 8, NULL);
        DONE(run(pair, &p, one, one));
        if (p.is_one != pairs[i].is_one)
            fail_msg("pair %d", i);
        assert_int_equal(memory_sink_steps(&sink), 1);
        const struct sink_step step = memory_sink_step(&sink, 0);
        assert_int_equal(step.operation.width[0], p.is_one ? 8 : 4);
        assert_true(step.operation.in[0] == (p.is_one ? UINT64_C(0x200000001) : 1));
        assert_true(step.operation.out[0] == (p.is_one ? UINT64_C(0x160000000b) : 11));
        end();
    }
}

/* ---- atomic operations, several warps ---- */

static int in_atomic[40], after_atomic[40];
static void atomics(void *context) {
    const unsigned t = thread();
    (void)context;
    in_atomic[t] = cpu_now.in_atomic;
    cpu_now.in_atomic = 1;
    access_at(&write_site, t < 32 ? WARP_OP_SHARED_ATOMIC : WARP_OP_GLOBAL_ATOMIC, WARP_TYPE_INT,
              &numbers[t / 32], 4, 0x1000);
    after_atomic[t] = cpu_now.in_atomic;
    numbers[t / 32] += 1;
    cpu_now.in_atomic = 0;
}

/* Lanes reach an atomic operation together, but each lane performs it on its own. */
static void test_atomics(void **state) {
    (void)state;
    memset(numbers, 0, sizeof numbers);
    begin(4, 8, NULL);
    DONE(run(atomics, NULL, one, (struct dim3){40, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 2);
    for (int i = 0; i < 2; i++) {
        const struct sink_step step = memory_sink_step(&sink, (size_t)i);
        const int warp = (int)step.header->warp;
        assert_int_equal(step.operation.op, warp ? WARP_OP_GLOBAL_ATOMIC : WARP_OP_SHARED_ATOMIC);
        assert_int_equal(step.operation.present, warp ? 0xff : FULL);
        for (unsigned lane = 0; lane < (warp ? 8 : 32); lane++)
            assert_int_equal(step.operation.out[lane], step.operation.in[lane] + 1);
    }
    for (int t = 0; t < 40; t++) {
        assert_int_equal(in_atomic[t], 0);
        assert_int_equal(after_atomic[t], 1);
    }
    assert_true(numbers[0] == 32 && numbers[1] == 8);
    end();
}

static const struct shflviz_site wait_site = SITE(40), seen_site = SITE(41);
static void around_barrier(void *context) {
    const unsigned t = thread();
    (void)context;
    cpu_watch(&seen_site, WARP_TYPE_INT, t);
    access_at(&write_site, WARP_OP_SHARED_WRITE, WARP_TYPE_INT, &numbers[t], 4, 0x1000);
    numbers[t] = (int)t + 5;
    cpu_block_barrier(&wait_site, 0);
    access_at(&read_site, WARP_OP_SHARED_READ, WARP_TYPE_INT, &numbers[63 - t], 4, 0x2000);
    got[t] = (uint32_t)numbers[63 - t];
}

/* Accesses before the barrier are recorded before the accesses after it, for all warps. */
static void test_around_barrier(void **state) {
    static const int ops[] = {WARP_OP_WATCH, WARP_OP_SHARED_WRITE, WARP_OP_SHARED_READ};
    int counts[3] = {0}, last = 0;
    (void)state;
    memset(numbers, 0, sizeof numbers);
    begin(4, 8, NULL);
    DONE(run(around_barrier, NULL, one, (struct dim3){64, 1, 1}));
    assert_int_equal(memory_sink_steps(&sink), 6);
    for (size_t i = 0; i < 6; i++) {
        const struct sink_step step = memory_sink_step(&sink, i);
        int kind = 0;
        while (ops[kind] != (int)step.operation.op)
            kind++;
        counts[kind]++;
        assert_true(kind == 2 || last != 2);
        last = kind;
        assert_int_equal(step.operation.present, FULL);
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned t = 32 * step.header->warp + lane;
            assert_int_equal(step.operation.out[lane], kind == 0   ? t
                                                       : kind == 1 ? t + 5
                                                                   : 63 - t + 5);
            assert_int_equal(step.operation.in[lane], kind == 1 ? 0 : step.operation.out[lane]);
        }
    }
    for (int kind = 0; kind < 3; kind++)
        assert_int_equal(counts[kind], 2);
    for (unsigned t = 0; t < 64; t++)
        assert_int_equal(got[t], 63 - t + 5);
    end();
}

/* A number whose second highest bit is set is not negative. */
static void positive(void *context) {
    (void)context;
    access_at(&read_site, WARP_OP_SHARED_READ, WARP_TYPE_INT, numbers, 1, 0x1000);
    access_at(&read_site, WARP_OP_SHARED_READ, WARP_TYPE_INT, numbers + 1, 2, 0x1001);
    access_at(&read_site, WARP_OP_SHARED_READ, WARP_TYPE_LONG_LONG, numbers + 4, 9, 0x1002);
}
static void test_positive(void **state) {
    (void)state;
    memset(numbers, 0, sizeof numbers);
    numbers[0] = 0x41, numbers[1] = 0x4041, numbers[6] = 0x1234;
    begin(8, 8, NULL);
    DONE(run(positive, NULL, one, one));
    assert_int_equal(memory_sink_steps(&sink), 3);
    assert_int_equal(memory_sink_step(&sink, 0).operation.out[0], 0x41);
    assert_int_equal(memory_sink_step(&sink, 1).operation.out[0], 0x4041);
    assert_int_equal(memory_sink_step(&sink, 2).operation.out[0], 0);
    assert_int_equal(memory_sink_step(&sink, 2).operation.in[0], 0x34); /* the ninth byte */
    end();
}

static void test_vectors(void **state) {
    (void)state;
    memset(numbers, 0, sizeof numbers);
    begin(8, STEPS, NULL);
    DONE(run(vectors, NULL, one, one));
    static const int wanted[] = {0, 1, 1, 1, 0, 0}; /* the fifth begins the next vector */
    for (int i = 1; i < 6; i++)
        assert_int_equal(extended[i], wanted[i]);
    assert_int_equal(memory_sink_steps(&sink), 2);
    const struct sink_step first = memory_sink_step(&sink, 0), second = memory_sink_step(&sink, 1);
    assert_int_equal(first.operation.width[0], 16);
    assert_true(first.operation.out[0] == UINT64_C(0x200000001));
    assert_true(first.operation.in[0] == UINT64_C(0x400000003));
    assert_int_equal(second.operation.width[0], 4);
    assert_int_equal(second.operation.out[0], 5);
    assert_int_equal(second.operation.in[0], 0);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_vectors),  cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_atomics),  cmocka_unit_test(test_around_barrier),
        cmocka_unit_test(test_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
