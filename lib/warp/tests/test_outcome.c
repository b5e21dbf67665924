/*
 * The result of each lane of a shuffle, or the reason why there is none: partial warps, false
 * masks, and recordings that disagree. The oracle collects every reason that
 * applies, and takes the first.
 */
#include "warp/warp.h"

#include "operation.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

#define VALUE(lane) (1000u + (unsigned)(lane))

static void check_lane(const struct lane_outcome *outcome, enum lane_status status,
                       enum lane_reason reason, uint64_t value) {
    assert_int_equal(outcome->status, status);
    assert_int_equal(outcome->reason, reason);
    bool has_value = status == LANE_READ || status == LANE_OWN;
    assert_int_equal(outcome->has_value, has_value);
    assert_int_equal(outcome->value, has_value ? value : 0);
}

/* ---- by hand ---- */

static void test_a_full_warp_reads_and_keeps(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_DOWN, 3, 16);
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    for (int lane = 0; lane < 32; lane++)
        if (lane % 16 < 13)
            check_lane(&outcome[lane], LANE_READ, LANE_REASON_NONE, VALUE(lane + 3));
        else
            check_lane(&outcome[lane], LANE_OWN, LANE_REASON_NONE, VALUE(lane));
    assert_int_equal(outcome[20].address.target, 23);
    assert_int_equal(outcome[20].address.group, 1);
    assert_int_equal(outcome[31].address.target, 34);
    assert_int_equal(outcome[31].address.source, 31);
}

static void test_reading_oneself_in_range_is_a_read(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_DOWN, 32, 32);
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    check_lane(&outcome[7], LANE_READ, LANE_REASON_NONE, VALUE(7));
}

static void test_a_lane_outside_the_mask_gives_nothing(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_XOR, 8, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = operation.present = 0x000000ff;
    warp_outcome(&operation, outcome);
    check_lane(&outcome[5], LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_MEMBER, 0);
    assert_int_equal(outcome[5].address.source, 13);
    check_lane(&outcome[13], LANE_ABSENT, LANE_REASON_NONE, 0);
    struct shuffle_address nothing = {0};
    assert_memory_equal(&outcome[13].address, &nothing, sizeof nothing);
}

static void test_a_caller_outside_its_own_mask_is_present_and_undefined(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_IDX, 0, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0x0000ffff;
    warp_outcome(&operation, outcome);
    check_lane(&outcome[15], LANE_READ, LANE_REASON_NONE, VALUE(0));
    check_lane(&outcome[16], LANE_UNDEFINED, LANE_REASON_CALLER_NOT_MEMBER, 0);
    assert_int_equal(outcome[16].address.source, 0);
}

static void test_an_own_value_needs_no_other_lane(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_DOWN, 4, 8);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = operation.present = 0x00000010; /* lane 4 alone */
    warp_outcome(&operation, outcome);
    check_lane(&outcome[4], LANE_OWN, LANE_REASON_NONE, VALUE(4));
}

static void test_why_a_member_gives_nothing(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_IDX, 0, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.launched = 0x0000ffff;
    operation.exited = 0x0000ff00;
    operation.present = 0x0000000f;
    operation.arg[0] = 3;
    operation.arg[1] = 20;
    operation.arg[2] = 9;
    operation.arg[3] = 5;
    warp_outcome(&operation, outcome);
    check_lane(&outcome[0], LANE_READ, LANE_REASON_NONE, VALUE(3));
    check_lane(&outcome[1], LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_LAUNCHED, 0);
    check_lane(&outcome[2], LANE_UNDEFINED, LANE_REASON_SOURCE_EXITED, 0);
    check_lane(&outcome[3], LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_PRESENT, 0);
    check_lane(&outcome[4], LANE_ABSENT, LANE_REASON_NONE, 0);
    /* The mask is checked first. */
    operation.members = 0x0000000f;
    warp_outcome(&operation, outcome);
    for (int lane = 1; lane < 4; lane++)
        check_lane(&outcome[lane], LANE_UNDEFINED, LANE_REASON_SOURCE_NOT_MEMBER, 0);
}

/* Lanes 0-15 wait for 16-31: none of them gets anything, not even its own value. */
static void test_an_unfinished_operation_gives_nothing(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_DOWN, 8, 16);
    struct lane_outcome outcome[WARP_LANES];
    operation.present = 0x0000ffff;
    operation.unfinished = true;
    warp_outcome(&operation, outcome);
    for (int lane = 0; lane < 16; lane++)
        check_lane(&outcome[lane], LANE_UNDEFINED, LANE_REASON_UNFINISHED, 0);
    assert_int_equal(outcome[3].address.source, 11); /* the lane it would have read */
    check_lane(&outcome[16], LANE_ABSENT, LANE_REASON_NONE, 0);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
    operation.op = WARP_OP_BALLOT;
    warp_outcome(&operation, outcome);
    check_lane(&outcome[0], LANE_UNDEFINED, LANE_REASON_UNFINISHED, 0);
    check_lane(&outcome[16], LANE_ABSENT, LANE_REASON_NONE, 0);
}

static void test_an_odd_width_leaves_everything_undefined(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_XOR, 3, 12);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0x0000ffff; /* the width is named first, the mask second */
    warp_outcome(&operation, outcome);
    for (int lane = 0; lane < 32; lane++)
        check_lane(&outcome[lane], LANE_UNDEFINED, LANE_REASON_WIDTH, 0);
    assert_int_equal(outcome[1].address.target, 2); /* the arithmetic is shown all the same */
}

static void test_widths_may_differ_by_lane(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_DOWN, 1, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.width[7] = 8;
    operation.width[9] = 0;
    warp_outcome(&operation, outcome);
    check_lane(&outcome[6], LANE_READ, LANE_REASON_NONE, VALUE(7));
    check_lane(&outcome[7], LANE_OWN, LANE_REASON_NONE, VALUE(7));
    check_lane(&outcome[8], LANE_READ, LANE_REASON_NONE, VALUE(9));
    check_lane(&outcome[9], LANE_UNDEFINED, LANE_REASON_WIDTH, 0);
}

static void test_statuses_have_the_names_of_the_format(void **state) {
    (void)state;
    assert_string_equal(lane_status_name(LANE_READ), "read");
    assert_string_equal(lane_status_name(LANE_OWN), "own");
    assert_string_equal(lane_status_name(LANE_UNDEFINED), "undefined");
    assert_string_equal(lane_status_name(LANE_ABSENT), "absent");
}

/* ---- random masks against an oracle ---- */

struct lane_facts {
    bool member, calls, exists, gone;
};

/* The lane read, by the plain rules for the widths that are defined. */
static int lane_read(enum warp_op op, int lane, int n, int width, bool *in_range) {
    int first = lane - lane % width;
    n &= 31;
    int other = op == WARP_OP_IDX    ? first + n % width
                : op == WARP_OP_UP   ? lane - n
                : op == WARP_OP_DOWN ? lane + n
                                     : lane ^ n;
    *in_range = op == WARP_OP_UP ? other >= first : other < first + width;
    return *in_range ? other : lane;
}

static struct lane_outcome expect(const struct warp_operation *operation,
                                  const struct lane_facts facts[WARP_LANES], int lane) {
    struct lane_outcome expected = {.status = LANE_ABSENT};
    if (!facts[lane].calls)
        return expected;
    int width = operation->width[lane];
    bool good_width =
        width == 1 || width == 2 || width == 4 || width == 8 || width == 16 || width == 32;
    bool in_range = false;
    int source = lane;
    if (good_width)
        source = lane_read(operation->op, lane, operation->arg[lane], width, &in_range);
    const struct lane_facts *giver = &facts[source];
    const bool holds[] = {
        [LANE_REASON_NONE] = false,
        [LANE_REASON_WIDTH] = !good_width,
        [LANE_REASON_CALLER_NOT_MEMBER] = !facts[lane].member,
        [LANE_REASON_SOURCE_NOT_MEMBER] = !giver->member,
        [LANE_REASON_SOURCE_NOT_LAUNCHED] = !giver->exists,
        [LANE_REASON_SOURCE_EXITED] = giver->gone,
        [LANE_REASON_SOURCE_NOT_PRESENT] = !giver->calls,
    };
    for (int reason = 0; reason <= LANE_REASON_SOURCE_NOT_PRESENT; reason++)
        if (holds[reason]) {
            expected.status = LANE_UNDEFINED;
            expected.reason = (enum lane_reason)reason;
            return expected;
        }
    expected.status = in_range ? LANE_READ : LANE_OWN;
    expected.has_value = true;
    expected.value = operation->in[source];
    return expected;
}

/* A block that ends anywhere, exited lanes, lanes elsewhere, and masks that are true or false. */
static void random_facts(uint64_t *random, struct lane_facts facts[WARP_LANES]) {
    int launched = 1 + (int)(next_random(random) % 32);
    unsigned leave = (unsigned)(next_random(random) % 4); /* about this many of 8 lanes */
    unsigned elsewhere = (unsigned)(next_random(random) % 4);
    unsigned kind = (unsigned)(next_random(random) % 4);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct lane_facts *f = &facts[lane];
        f->exists = lane < launched;
        f->gone = f->exists && next_random(random) % 8 < leave;
        f->calls = f->exists && !f->gone && next_random(random) % 8 >= elsewhere;
        bool coin = next_random(random) % 8 != 0;
        f->member = kind == 0 ? true : kind == 1 ? f->calls : kind == 2 ? coin : f->exists && coin;
    }
}

static void test_lying_masks_and_partial_warps(void **state) {
    (void)state;
    static const int widths[] = {1, 2, 4, 8, 16, 32, 12};
    uint64_t random = 0x11a5;
    int seen[LANE_REASON_SOURCE_NOT_PRESENT + 1] = {0};
    for (int round = 0; round < 4000; round++) {
        struct lane_facts facts[WARP_LANES];
        random_facts(&random, facts);
        struct warp_operation operation = {.op = (enum warp_op)(next_random(&random) % 4)};
        operation.type = next_random(&random) % 2 ? WARP_TYPE_UNSIGNED : WARP_TYPE_DOUBLE;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            operation.members |= (uint32_t)facts[lane].member << lane;
            operation.present |= (uint32_t)facts[lane].calls << lane;
            operation.launched |= (uint32_t)facts[lane].exists << lane;
            operation.exited |= (uint32_t)facts[lane].gone << lane;
            operation.arg[lane] = (int32_t)(next_random(&random) % 160) - 64;
            operation.width[lane] = widths[next_random(&random) % 7];
            operation.in[lane] = next_random(&random);
            if (operation.type == WARP_TYPE_UNSIGNED)
                operation.in[lane] &= 0xffffffff;
        }
        struct lane_outcome outcome[WARP_LANES];
        warp_outcome(&operation, outcome);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            struct lane_outcome expected = expect(&operation, facts, lane);
            check_lane(&outcome[lane], expected.status, expected.reason, expected.value);
            seen[expected.reason] += expected.status != LANE_ABSENT;
        }
    }
    for (int reason = 0; reason <= LANE_REASON_SOURCE_NOT_PRESENT; reason++)
        assert_true(seen[reason] > 100);
}

/* ---- recordings that disagree ---- */

static void test_a_true_recording_agrees(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_XOR, 1, 32);
    struct lane_outcome outcome[WARP_LANES];
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = VALUE(lane ^ 1);
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
    operation.out[3]++;
    operation.out[30] = 0;
    assert_int_equal(warp_disagreement(&operation, outcome), 0x40000008);
}

static void test_undefined_lanes_cannot_disagree(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_XOR, 1, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0xfffffffe; /* lane 0 calls nevertheless; lane 1 reads it */
    for (int lane = 2; lane < 32; lane++)
        operation.out[lane] = VALUE(lane ^ 1);
    operation.out[0] = operation.out[1] = 0xdeadbeef;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
}

static void test_only_the_bits_of_the_type_count(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_IDX, 0, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.type = WARP_TYPE_HALF;
    operation.in[0] = 0xabcd3c00;
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = 0x00013c00;
    warp_outcome(&operation, outcome);
    assert_int_equal(outcome[9].value, 0x3c00);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
    operation.type = WARP_TYPE_INT;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), WARP_FULL_MASK);
}

static void test_nans_are_compared_as_bits(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_IDX, 0, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.type = WARP_TYPE_FLOAT;
    operation.in[0] = 0x7fc00000;
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = 0x7fc00000;
    operation.out[4] = 0x7fc00001;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0x00000010);
}

static void test_both_words_of_64_bits_count(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(VALUE(0), WARP_OP_IDX, 0, 32);
    struct lane_outcome outcome[WARP_LANES];
    operation.type = WARP_TYPE_LONG_LONG;
    operation.in[0] = UINT64_C(0x100000001);
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = UINT64_C(0x100000001);
    operation.out[31] = 1;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0x80000000);
}

static void test_nobody_agrees_on_nothing(void **state) {
    (void)state;
    int32_t values[WARP_LANES] = {5, 5, 6}, agreed = 0;
    assert_false(warp_agree(values, 0, &agreed));
    assert_true(warp_agree(values, 1, &agreed));
    assert_int_equal(agreed, 5);
    assert_true(warp_agree(values, 3, &agreed));
    assert_false(warp_agree(values, 7, &agreed));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_warp_reads_and_keeps),
        cmocka_unit_test(test_reading_oneself_in_range_is_a_read),
        cmocka_unit_test(test_a_lane_outside_the_mask_gives_nothing),
        cmocka_unit_test(test_a_caller_outside_its_own_mask_is_present_and_undefined),
        cmocka_unit_test(test_an_own_value_needs_no_other_lane),
        cmocka_unit_test(test_why_a_member_gives_nothing),
        cmocka_unit_test(test_an_unfinished_operation_gives_nothing),
        cmocka_unit_test(test_an_odd_width_leaves_everything_undefined),
        cmocka_unit_test(test_widths_may_differ_by_lane),
        cmocka_unit_test(test_statuses_have_the_names_of_the_format),
        cmocka_unit_test(test_lying_masks_and_partial_warps),
        cmocka_unit_test(test_a_true_recording_agrees),
        cmocka_unit_test(test_undefined_lanes_cannot_disagree),
        cmocka_unit_test(test_only_the_bits_of_the_type_count),
        cmocka_unit_test(test_nans_are_compared_as_bits),
        cmocka_unit_test(test_both_words_of_64_bits_count),
        cmocka_unit_test(test_nobody_agrees_on_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
