/*
 * The stored data of a finding (access_file.h), and findings other than races: barriers and calls
 * that lanes skip, memory of the other side, indices, addresses and shifts that C++ leaves
 * undefined, and the effect of uninitialised values.
 */
#include "memory_rules.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct access_entry *the_finding(void) {
    settle_pending();
    assert_int_equal(check.head->count, 1);
    return &check.entries[0];
}

/* ---- fields ---- */

/* Lane 37 of block 70000 accesses bytes 12 to 15 of 64 after lane 35 did. */
static void test_race(void **state) {
    (void)state;
    rules_reset();
    rules_device.launch = 7;
    rules_device.sequence = 30;
    const struct cpu_sink sink = {.first_sequence = 10};
    rules_device.options.sink = &sink;
    rules_play("B70000 t35 ah12 t37 wh12");
    const struct access_entry *found = the_finding();
    assert_int_equal(found->rule, ACCESS_GLOBAL_RACE);
    assert_int_equal(found->memory, ACCESS_GLOBAL);
    assert_int_equal(found->me.block, 70000);
    assert_int_equal(found->me.thread, 37);
    assert_int_equal(found->me.kind, ACCESS_WRITES);
    assert_int_equal(found->me.pc + check.base, (uintptr_t)rules_location(2));
    assert_int_equal(found->other.block, 70000);
    assert_int_equal(found->other.thread, 35);
    assert_int_equal(found->other.kind, ACCESS_WRITES | ACCESS_ATOMIC);
    assert_int_equal(found->other.pc + check.base, (uintptr_t)rules_location(1));
    assert_int_equal(found->count, 1);
    assert_int_equal(found->step, 20);
    assert_int_equal(found->launch, 7);
    assert_int_equal(found->lanes, 1 << 5);
    assert_int_equal(found->offset, 12);
    assert_int_equal(found->extent, 64);
    assert_int_equal(found->bytes, 4);
    rules_device.options.sink = NULL;
    rules_device.launch = 0;
}

/* A pointer 8 bytes into the allocation, passed as the second argument. */
static void test_argument(void **state) {
    const struct cpu_pointed ints = {.bytes = 4};
    (void)state;
    rules_reset();
    memory_check_passed(rules_memory('h'), 0, ints);
    memory_check_passed(rules_memory('g') + 8, 1, ints);
    rules_play("L B1 t0 wg16 B2 t0 rg16");
    const struct access_object *object = &the_finding()->object;
    assert_string_equal(object->name, "");
    assert_int_equal(object->argument, 2);
    assert_int_equal(object->element, 4);
    assert_int_equal(object->offset, 8);
    rules_reset();
    rules_play("L B1 t0 wg4 B2 t0 rg4"); /* the next kernel was passed nothing */
    assert_int_equal(the_finding()->object.argument, 0);
}

/* A block writes, then makes the write known to another block by an atomic operation. With a fence
 * in between nothing is found; without one, the finding names the atomic operation's location. */
static void test_flag_without_fence(void **state) {
    (void)state;
    rules_reset();
    rules_play("L B1 t0 wg16 ah4 B2 t0 ah4 rg16");
    assert_int_equal(the_finding()->flag_pc + check.base, (uintptr_t)rules_location(2));
    rules_reset();
    rules_play("L B1 t0 wg16 f ah4 B2 t0 ah4 rg16");
    assert_int_equal(check.head->count, 0);
    rules_reset();
    rules_play("L B1 t0 ah4 wg16 B2 t0 ah4 rg16"); /* the write follows the atomic operation */
    assert_int_equal(the_finding()->rule, ACCESS_GLOBAL_RACE);
    rules_reset();
    rules_play("L B1 t0 wg16 ah4 B2 t0 ah8 rg16"); /* another address */
    assert_int_equal(the_finding()->flag_pc, 0);
}

static void test_other_kinds(void **state) {
    static const struct {
        const char *text;
        unsigned me, other, memory;
    } cases[] = {
        {"rh0 t1 wh0", ACCESS_WRITES, ACCESS_READS, ACCESS_GLOBAL},
        {"lh0 t1 wh0", ACCESS_WRITES, ACCESS_ATOMIC, ACCESS_GLOBAL},
        {"wh0 t1 rh0", ACCESS_READS, ACCESS_WRITES, ACCESS_GLOBAL},
        {"wh0 t1 ( rh0 )", ACCESS_ATOMIC, ACCESS_WRITES, ACCESS_GLOBAL},
        {"ws0 t1 vs0", ACCESS_VOLATILE, ACCESS_WRITES, ACCESS_DYNAMIC_SHARED},
        {"wx0 t1 rx0", ACCESS_READS, ACCESS_WRITES, ACCESS_SHARED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        rules_reset();
        rules_play(cases[i].text);
        assert_int_equal(the_finding()->me.kind, cases[i].me);
        assert_int_equal(the_finding()->other.kind, cases[i].other);
        assert_int_equal(the_finding()->memory, cases[i].memory);
    }
}

/* The position relative to the object that was missed; before the object, it is negative. */
static void test_missed(void **state) {
    static const struct {
        const char *text;
        int64_t offset;
        uint64_t extent;
        unsigned memory, bytes;
    } cases[] = {
        {"wg64+2", 64, 64, ACCESS_GLOBAL, 2},
        {"wg60+16", 60, 64, ACCESS_GLOBAL, 16},
        {"wg-8+8", -8, 64, ACCESS_GLOBAL, 8},
        {"Fg wg4+1", 4, 64, ACCESS_FREED, 1},
        {"ws256", 256, 256, ACCESS_DYNAMIC_SHARED, 4},
        {"wx64", 64, 64, ACCESS_SHARED, 4},
        {"wy32", 32, 32, ACCESS_SHARED, 4},
        {"wy-4", 1084, 64, ACCESS_SHARED, 4}, /* after the previous variable */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        rules_reset();
        rules_play(cases[i].text);
        assert_int_equal(the_finding()->rule, ACCESS_OUT_OF_BOUNDS);
        assert_int_equal(the_finding()->offset, cases[i].offset);
        assert_int_equal(the_finding()->extent, cases[i].extent);
        assert_int_equal(the_finding()->memory, cases[i].memory);
        assert_int_equal(the_finding()->bytes, cases[i].bytes);
    }
}

static void read_from(int thread, unsigned site) {
    rules_lane(thread);
    memory_check_access(rules_memory('g'), 4, ACCESS_READS, rules_location(site));
}

/* A repeated finding is counted; its lanes are those of the first warp, block and launch. */
static void test_counted(void **state) {
    (void)state;
    rules_reset();
    read_from(1, 1);
    read_from(4, 1);
    read_from(31, 1);
    read_from(33, 1);
    assert_int_equal(the_finding()->count, 4);
    assert_int_equal(the_finding()->lanes, 1u << 1 | 1u << 4 | 1u << 31);
    rules_play("B1");
    read_from(2, 1);
    assert_int_equal(the_finding()->lanes, 1u << 1 | 1u << 4 | 1u << 31);
    rules_play("B0");
    rules_device.launch++;
    read_from(2, 1);
    rules_device.launch--;
    assert_int_equal(the_finding()->lanes, 1u << 1 | 1u << 4 | 1u << 31);
    assert_int_equal(the_finding()->count, 6);
    read_from(2, 2); /* another location makes it another finding */
    assert_int_equal(check.head->count, 2);
}

static void test_same_finding(void **state) {
    static const struct access_entry one = {
        .rule = 1, .memory = 2, .me = {.pc = 3}, .other = {.pc = 4}, .line = 5, .other_line = 6};
    struct access_entry others[6] = {one, one, one, one, one, one};
    (void)state;
    others[0].rule = 9;
    others[1].memory = 9;
    others[2].me.pc = 9;
    others[3].other.pc = 9;
    others[4].line = 9;
    others[5].other_line = 9;
    rules_reset();
    add_finding(&one);
    for (unsigned i = 0; i < COUNT(others); i++) {
        add_finding(&others[i]);
        assert_int_equal(check.head->count, i + 2);
    }
    add_finding(&one);
    assert_int_equal(check.head->count, COUNT(others) + 1);
    assert_int_equal(check.entries[0].count, 2);
}

/* Up to ACCESS_ENTRIES sites are kept one by one; further sites are only counted. */
static void test_more_sites(void **state) {
    (void)state;
    rules_reset();
    for (unsigned i = 1; i <= ACCESS_ENTRIES; i++)
        read_from(0, i);
    assert_int_equal(check.head->count, ACCESS_ENTRIES);
    assert_int_equal(check.head->more, 0);
    read_from(0, ACCESS_ENTRIES + 1);
    read_from(0, ACCESS_ENTRIES + 2);
    read_from(0, ACCESS_ENTRIES); /* at a site that is reported */
    assert_int_equal(check.head->count, ACCESS_ENTRIES);
    assert_int_equal(check.head->more, 2);
    assert_int_equal(check.entries[ACCESS_ENTRIES - 1].count, 2);
}

/* ---- barriers that lanes reach from different locations ---- */

static struct shflviz_site site(const char *file, unsigned line) {
    return (struct shflviz_site){.file = file, .function = "", .text = "", .line = line};
}

static void open_barrier(void) {
    rules_lane(0);
    rules_observer->barrier();
}

static void arrive(unsigned thread, const struct shflviz_site *site) {
    rules_device.warps[thread / 32].at_barrier |= UINT32_C(1) << thread % 32;
    rules_device.warps[thread / 32].barrier_site[thread % 32] = site;
}

static void test_divergence(void **state) {
    const struct shflviz_site here = site("a.cu", 5), again = site("a.cu", 5),
                              there = site("a.cu", 6), elsewhere = site("b.cu", 5);
    const struct {
        const struct shflviz_site *second, *third;
        unsigned exited; /* of warp 1 */
        bool is_found;
        unsigned lanes, line, other; /* `other`: the other location's thread */
    } cases[] = {
        {&here, &here, 0, false, 0, 0, 0},
        {&again, &again, 0, false, 0, 0, 0}, /* another object for the same site */
        {&here, &here, 0x30, true, 0x28, 0, 0},
        {&there, &here, 0, true, 0x8, 6, 5},
        {&here, &there, 0, true, 0x28, 6, 70},
        {&there, &elsewhere, 0, true, 0x8, 6, 5}, /* the first of several */
        {&elsewhere, &there, 3, true, 0x8, 5, 5},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        rules_reset();
        rules_play("B9");
        arrive(3, &here);
        arrive(5, cases[i].second);
        arrive(70, cases[i].third);
        rules_device.warps[1].exited = cases[i].exited;
        open_barrier();
        assert_int_equal(check.head->count, cases[i].is_found);
        if (!cases[i].is_found)
            continue;
        const struct access_entry *found = the_finding();
        assert_int_equal(found->rule, ACCESS_BARRIER_DIVERGENCE);
        assert_int_equal(found->me.thread, 3);
        assert_int_equal(found->me.block, 9);
        assert_int_equal(found->lanes, cases[i].lanes);
        assert_int_equal(found->exited, __builtin_popcount(cases[i].exited));
        assert_int_equal(found->line, 5);
        assert_string_equal(found->file, "a.cu");
        assert_int_equal(found->other_line, cases[i].line);
        assert_int_equal(found->other.thread, cases[i].other);
        assert_int_equal(found->other.block, cases[i].line ? 9 : 0);
        assert_string_equal(found->other_file, cases[i].line == 0              ? ""
                                               : cases[i].second == &elsewhere ? "b.cu"
                                                                               : "a.cu");
    }
}

/* All warps are examined; the lanes are those of the first warp that arrived. */
static void test_divergence_of_warps(void **state) {
    const struct shflviz_site here = site("a.cu", 5), there = site("a.cu", 6);
    (void)state;
    rules_reset();
    arrive(64, &here);
    arrive(95, &here);
    arrive(96, &here);
    arrive(RULES_THREADS - 1, &there);
    open_barrier();
    assert_int_equal(the_finding()->me.thread, 64);
    assert_int_equal(the_finding()->lanes, 0x80000001);
    assert_int_equal(the_finding()->other.thread, RULES_THREADS - 1);
    rules_reset();
    rules_device.warps[0].exited = ~UINT32_C(0);
    open_barrier(); /* nobody has arrived */
    assert_int_equal(check.head->count, 0);
}

/* A name that is too long is truncated, with its end marked. */
static void test_long_names(void **state) {
    char name[2][2 * ACCESS_FILE_NAME];
    (void)state;
    memset(name[0], 'a', sizeof name[0]);
    memset(name[1], 'b', sizeof name[1]);
    name[0][sizeof name[0] - 1] = name[1][sizeof name[1] - 1] = '\0';
    const struct shflviz_site here = site(name[0], 5), there = site(name[1], 6);
    rules_reset();
    arrive(0, &here);
    arrive(1, &there);
    open_barrier();
    assert_int_equal(strlen(the_finding()->file), ACCESS_FILE_NAME - 1);
    assert_int_equal(the_finding()->file[ACCESS_FILE_NAME - 2], 'a');
    assert_int_equal(strlen(the_finding()->other_file), ACCESS_FILE_NAME - 1);
    assert_int_equal(the_finding()->other_file[0], 'b');
}

/* ---- calls that lanes skip ---- */

/* Lanes 0 to 3 are named; those in `exited` have left; `last` is the location of lane 3's last
 * access. */
static void go_past(uint32_t exited, uint32_t lanes, unsigned last,
                    const struct shflviz_site *call) {
    struct cpu_warp *warp = &rules_device.warps[2];
    rules_reset();
    rules_lane(64 + 3);
    memory_check_access(rules_memory('h'), 4, ACCESS_READS, rules_location(1));
    memory_check_access(rules_memory('h'), 4, ACCESS_READS, rules_location(last));
    warp->exited = exited;
    rules_observer->operation(warp, lanes, 0xf, call);
}

static unsigned read_at(unsigned thread, unsigned site) {
    rules_lane((int)thread);
    memory_check_access(rules_memory('h'), 4, ACCESS_READS, rules_location(site));
    return check.head->count;
}

static void test_skipped(void **state) {
    const struct shflviz_site call = site("a.cu", 12);
    (void)state;
    go_past(8, 7, 40, &call);
    assert_int_equal(read_at(64, 30), 0); /* not where lane 3 was last */
    assert_int_equal(read_at(96, 40), 0); /* of another warp */
    assert_int_equal(read_at(65, 40), 1);
    const struct access_entry *found = the_finding();
    assert_int_equal(found->rule, ACCESS_SKIPPED);
    assert_int_equal(found->me.thread, 64 + 3);
    assert_int_equal(found->lanes, 8);
    assert_int_equal(found->line, 12);
    assert_string_equal(found->file, "a.cu");
    assert_int_equal(found->other.thread, 65);
    assert_int_equal(found->other.pc + check.base, (uintptr_t)rules_location(40));
    read_at(66, 40); /* it is counted only once */
    assert_int_equal(found->count, 1);

    go_past(0, 7, 40, &call); /* it has not exited */
    assert_int_equal(read_at(65, 40), 0);
    go_past(8, 0xf, 40, &call); /* it took part */
    assert_int_equal(read_at(65, 40), 0);
    go_past(0x10, 7, 40, &call); /* the mask does not name the lane that has exited */
    assert_int_equal(read_at(65, 40), 0);
    go_past(8, 5, 40, &call); /* lane 1 has not called */
    assert_int_equal(read_at(65, 40), 0);
    assert_int_equal(read_at(66, 40), 1);
    go_past(8, 7, 40, &call);
    rules_play("B1"); /* nothing is known about another block */
    assert_int_equal(read_at(65, 40), 0);
}

/* Nothing is kept from the previous block: neither its lanes' locations nor the last of them. */
static void test_skipped_by_another_block(void **state) {
    const struct shflviz_site call = site("a.cu", 12);
    struct cpu_warp *warp = &rules_device.warps[7];
    (void)state;
    rules_reset();
    read_at(224 + 3, 40);
    read_at(224 + 1, 40);
    rules_play("L B1");
    warp->exited = 8;
    rules_observer->operation(warp, 7, 0xf, &call);
    assert_int_equal(read_at(224 + 1, 40), 0);
    rules_play("L B2");
    warp->exited = 0;
    read_at(224 + 3, 40);
    warp->exited = 8;
    rules_observer->operation(warp, 7, 0xf, &call);
    assert_int_equal(read_at(224 + 1, 40), 1);
    assert_int_equal(the_finding()->me.thread, 224 + 3);
    assert_int_equal(the_finding()->lanes, 8);
}

/* A lane that has been at other sites is at this site for the first time. */
static void test_skipped_after_others(void **state) {
    char name[2 * ACCESS_FILE_NAME];
    (void)state;
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = '\0';
    const struct shflviz_site call = site(name, 12);
    rules_reset();
    read_at(64 + 3, 40);
    for (unsigned site = 41; site < 50; site++)
        read_at(64 + 1, site);
    rules_device.warps[2].exited = 8;
    rules_observer->operation(&rules_device.warps[2], 7, 0xf, &call);
    for (unsigned site = 41; site < 50; site++)
        assert_int_equal(read_at(64 + 1, site), 0);
    assert_int_equal(read_at(64 + 1, 40), 1);
    assert_int_equal(strlen(the_finding()->file), ACCESS_FILE_NAME - 1);
}

/* A lane that also made the access before the call makes it again, which proves nothing. */
static void test_skipped_before(void **state) {
    const struct shflviz_site call = site("a.cu", 12);
    (void)state;
    rules_reset();
    read_at(64 + 3, 40);
    read_at(65, 40);
    rules_device.warps[2].exited = 8;
    rules_observer->operation(&rules_device.warps[2], 7, 0xf, &call);
    assert_int_equal(read_at(65, 40), 0);
    assert_int_equal(read_at(66, 40), 1);
}

/* A lane that has made the call once has not skipped it, even if it leaves a loop earlier. */
static void test_skipped_calls(void **state) {
    struct shflviz_site calls[9];
    struct cpu_warp *warp = &rules_device.warps[2];
    (void)state;
    for (unsigned i = 0; i < COUNT(calls); i++)
        calls[i] = site("a.cu", 20 + i);
    rules_reset();
    read_at(64 + 3, 40);
    rules_observer->operation(warp, 0xf, 0xf, &calls[0]);
    warp->exited = 8;
    rules_observer->operation(warp, 7, 0xf, &calls[0]);
    assert_int_equal(read_at(64, 40), 0);
    /* Eight calls of each warp are examined. */
    for (unsigned i = 1; i < 7; i++)
        rules_observer->operation(warp, 7, 7, &calls[i]);
    rules_observer->operation(warp, 7, 7, &calls[8]);
    rules_observer->operation(warp, 7, 0xf, &calls[7]);
    assert_int_equal(read_at(65, 40), 0);
    rules_observer->operation(warp, 7, 0xf, &calls[8]);
    assert_int_equal(read_at(66, 40), 1);
    assert_int_equal(the_finding()->line, 28);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race),
        cmocka_unit_test(test_argument),
        cmocka_unit_test(test_flag_without_fence),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_missed),
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_same_finding),
        cmocka_unit_test(test_more_sites),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_divergence_of_warps),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_skipped),
        cmocka_unit_test(test_skipped_by_another_block),
        cmocka_unit_test(test_skipped_after_others),
        cmocka_unit_test(test_skipped_before),
        cmocka_unit_test(test_skipped_calls),
    };
    return cmocka_run_group_tests(tests, rules_begin, rules_end);
}
