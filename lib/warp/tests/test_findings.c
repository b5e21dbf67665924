/* Violations in one operation: their rules and lanes. tests/explain tests their words. */
#include "warp/warp.h"

#include "operation.h"
#include "support.h"

#include <string.h>

static void test_correct_use_has_no_findings(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    for (int op = 0; op < WARP_OP_COUNT; op++) {
        struct warp_operation operation = operation_make(0, (enum warp_op)op, 3, 16);
        assert_int_equal(findings_of(&operation, findings), 0);
    }
    /* A block of 35 threads: the second warp has three lanes, and its mask says so. */
    struct warp_operation operation = operation_make(0, WARP_OP_XOR, 0, 32);
    operation.members = operation.present = operation.launched = 0x7;
    for (int lane = 3; lane < WARP_LANES; lane++) /* absent lanes pass nothing */
        operation.width[lane] = operation.arg[lane] = 0;
    assert_int_equal(findings_of(&operation, findings), 0);
    /* A full mask may name lanes that were never launched or have exited. */
    operation.members = WARP_FULL_MASK;
    operation.launched = 0xf;
    operation.exited = 0x8;
    assert_int_equal(findings_of(&operation, findings), 0);
}

static void test_findings_come_in_the_order_of_the_rules(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct lane_outcome outcome[WARP_LANES];
    struct warp_operation operation = operation_make(0, WARP_OP_IDX, 0, 32);
    operation.members = 0xffff7fff;
    operation.launched = 0x00ffffff;
    operation.exited = 0x00800000;
    operation.present = 0x0000ffff;
    operation.arg[1] = 15; /* not in the mask */
    operation.arg[2] = 31; /* not launched */
    operation.arg[3] = 23; /* exited */
    operation.arg[4] = 16; /* elsewhere */
    operation.width[5] = 3;
    operation.in[0] = 44;
    warp_outcome(&operation, outcome);
    /* Lane 15 calls outside its mask, 16-22 are named and do not call, and lane 0's result is
     * wrong. */
    assert_int_equal(warp_findings(&operation, outcome, findings), 8);
    static const struct {
        enum warp_rule rule;
        uint32_t lanes;
    } expected[] = {
        {WARP_RULE_SOURCE_LANE_NOT_IN_MASK, 0x0002},
        {WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK, 0x8000},
        {WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK, 0x7f0000},
        {WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO, 0x0020},
        {WARP_RULE_SOURCE_LANE_NOT_PRESENT, 0x0004},
        {WARP_RULE_SOURCE_LANE_NOT_PRESENT, 0x0008},
        {WARP_RULE_SOURCE_LANE_NOT_PRESENT, 0x0010},
        {WARP_RULE_DISAGREES, 0x7fc1},
    };
    for (int i = 0; i < 8; i++) {
        assert_int_equal(findings[i].rule, expected[i].rule);
        assert_int_equal(findings[i].lanes, expected[i].lanes);
    }
}

static void test_lanes_are_listed_as_ranges(void **state) {
    (void)state;
    static const struct {
        uint32_t lanes;
        const char *text;
    } cases[] = {
        {0x00000000, "none"},
        {0xffffffff, "all 32 lanes"},
        {0x00000001, "0"},
        {0x80000000, "31"},
        {0x00000003, "0-1"},
        {0x0010ffff, "0-15,20"},
        {0xfffffffe, "1-31"},
        {0x7fffffff, "0-30"},
        {0x80000001, "0,31"},
        {0x55555555, "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30"},
        {0xdb6db6db, "0-1,3-4,6-7,9-10,12-13,15-16,18-19,21-22,24-25,27-28,30-31"},
    };
    char text[WARP_LANES_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(warp_lanes_format(cases[i].lanes, text), cases[i].text);
}

static void test_rules_have_the_names_of_the_format(void **state) {
    (void)state;
    static const char *const names[] = {
        "source_lane_not_in_mask",
        "participating_lane_not_in_mask",
        "not_participating_lane_in_mask",
        "divergent_mask",
        "width_is_not_power_of_two",
        "source_lane_not_present",
        "mask_forgotten",
        "recording_disagrees",
    };
    for (int rule = 0; rule < WARP_RULE_COUNT; rule++)
        assert_string_equal(warp_rule_name((enum warp_rule)rule), names[rule]);
}

/* Numbers below n, the same in every run. */
static uint32_t next(uint32_t n) {
    static uint32_t random = 1;
    random = random * 1664525u + 1013904223u;
    return (random >> 16) % n;
}

/* An operation that the quick test calls plain has nothing undefined and no finding; and the test
 * is useful: a shuffle by all lanes with one width, with nothing undefined and no finding, is
 * plain. */
static void test_plain_is_what_has_no_finding(void **state) {
    (void)state;
    static const int widths[] = {1, 2, 4, 8, 16, 32, 0, 3, 24, 33, -8};
    static const uint32_t lanes[] = {WARP_FULL_MASK, 0x7fffffff, 0xfffffffe};
    int plain = 0;
    for (int round = 0; round < 40000; round++) {
        struct lane_outcome outcome[WARP_LANES];
        struct warp_finding findings[WARP_FINDINGS_MAX];
        const uint32_t one = next(2);
        struct warp_operation operation =
            operation_make(0, (enum warp_op)(next(5)), 0, widths[next(11)]);
        operation.type = next(2) ? WARP_TYPE_HALF : WARP_TYPE_LONG_LONG;
        operation.members = lanes[next(8) ? 0 : next(3)];
        operation.present = lanes[next(8) ? 0 : next(3)];
        operation.unfinished = next(16) == 0;
        const int32_t common = (int32_t)(next(80)) - 40;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            operation.arg[lane] = one ? common : (int32_t)(next(80)) - 40;
            operation.in[lane] = next(65536);
        }
        warp_outcome(&operation, outcome);
        for (int lane = 0; lane < WARP_LANES; lane++)
            operation.out[lane] = outcome[lane].value;
        if (next(4) == 0)
            operation.out[next(32)] ^= UINT64_C(1) << next(64);
        if (next(16) == 0)
            operation.width[next(32)] = 16;
        warp_outcome(&operation, outcome);
        bool whole = warp_findings(&operation, outcome, findings) == 0;
        bool alike = operation.present == WARP_FULL_MASK && operation.op <= WARP_OP_XOR;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            whole = whole && outcome[lane].status != LANE_UNDEFINED;
            alike = alike && operation.width[lane] == operation.width[0];
        }
        if (warp_is_plain(&operation))
            assert_true(whole);
        else
            assert_false(whole && alike && operation.members == WARP_FULL_MASK);
        plain += warp_is_plain(&operation);
    }
    assert_true(plain > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_is_what_has_no_finding),
        cmocka_unit_test(test_correct_use_has_no_findings),
        cmocka_unit_test(test_findings_come_in_the_order_of_the_rules),
        cmocka_unit_test(test_lanes_are_listed_as_ranges),
        cmocka_unit_test(test_rules_have_the_names_of_the_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
