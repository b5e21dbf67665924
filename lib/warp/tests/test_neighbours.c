/*
 * The neighbours of the shuffle: votes, matches, reductions, and operations that move no value.
 * Expected masks and sums are worked out by hand.
 */
#include "warp/warp.h"

#include "support.h"

#include <string.h>

static struct warp_operation operation_make(enum warp_op op, enum warp_type type) {
    return (struct warp_operation){
        .op = op,
        .type = type,
        .members = WARP_FULL_MASK,
        .present = WARP_FULL_MASK,
        .launched = WARP_FULL_MASK,
    };
}

/* Every caller in the mask must get `value`; callers outside it are undefined. */
static void check_common(const struct warp_operation *operation, uint64_t value) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool calls = operation->present >> lane & 1, member = operation->members >> lane & 1;
        assert_int_equal(outcome[lane].status, !calls    ? LANE_ABSENT
                                               : !member ? LANE_UNDEFINED
                                                         : LANE_READ);
        assert_int_equal(outcome[lane].reason,
                         calls && !member ? LANE_REASON_CALLER_NOT_MEMBER : LANE_REASON_NONE);
        assert_int_equal(outcome[lane].has_value, calls && member);
        assert_int_equal(outcome[lane].value, calls && member ? value : 0);
    }
}

/* ---- votes ---- */

static void test_votes_of_a_full_warp(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_BALLOT, WARP_TYPE_INT);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = lane % 4 == 1 ? 77 : 0;
    check_common(&operation, 0x22222222);
    operation.op = WARP_OP_ANY;
    check_common(&operation, 1);
    operation.op = WARP_OP_ALL;
    check_common(&operation, 0);
    memset(operation.in, 0, sizeof operation.in);
    check_common(&operation, 0);
    operation.op = WARP_OP_ANY;
    check_common(&operation, 0);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = 0x80000000;
    operation.op = WARP_OP_ALL;
    check_common(&operation, 1);
}

static void test_votes_are_over_members_that_call(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_BALLOT, WARP_TYPE_INT);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = lane != 3; /* the only lane that says no */
    operation.members = 0x0000fff0;
    operation.present = 0x00000fff; /* 0-3 call without being members, 12-15 do not call */
    check_common(&operation, 0x00000ff0);
    operation.op = WARP_OP_ALL;
    check_common(&operation, 1);
    for (int lane = 4; lane < 12; lane++)
        operation.in[lane] = 0;
    operation.op = WARP_OP_ANY;
    check_common(&operation, 0);
}

/* ---- matches ---- */

static void test_match_any_names_equal_lanes(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_MATCH_ANY, WARP_TYPE_UNSIGNED);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0x000000ff;
    operation.present = 0x000001ff;
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = (unsigned)lane % 3;
    warp_outcome(&operation, outcome);
    static const uint32_t by_remainder[] = {0x49, 0x92, 0x24}; /* 0,3,6  1,4,7  2,5 */
    for (int lane = 0; lane < 8; lane++) {
        assert_int_equal(outcome[lane].status, LANE_READ);
        assert_int_equal(outcome[lane].value, by_remainder[lane % 3]);
    }
    assert_int_equal(outcome[8].status, LANE_UNDEFINED);
    assert_int_equal(outcome[8].has_value, false);
    assert_int_equal(outcome[9].status, LANE_ABSENT);
}

static void test_match_compares_the_bits_of_the_type(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_MATCH_ALL, WARP_TYPE_UNSIGNED);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = (uint64_t)lane << 32 | 5;
    check_common(&operation, WARP_FULL_MASK);
    operation.type = WARP_TYPE_LONG_LONG;
    check_common(&operation, 0);
}

static void test_match_all_gives_the_lanes_or_nothing(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_MATCH_ALL, WARP_TYPE_INT);
    operation.members = 0x00ff00ff;
    operation.present = 0x00ff000f;
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = operation.members >> lane & 1 ? 9 : (unsigned)lane;
    check_common(&operation, 0x00ff000f);
    operation.in[16] = 8;
    check_common(&operation, 0);
}

/* ---- reductions ---- */

static void test_reductions_of_unsigned(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_REDUCE_ADD, WARP_TYPE_UNSIGNED);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = (unsigned)lane;
    check_common(&operation, 496); /* 31 * 32 / 2 */
    operation.in[0] = 0xffffffff;
    check_common(&operation, 495); /* modulo 2^32 */
    operation.op = WARP_OP_REDUCE_MIN;
    check_common(&operation, 1);
    operation.op = WARP_OP_REDUCE_MAX;
    check_common(&operation, 0xffffffff);
    operation.members = operation.present = 0x0000003c; /* lanes 2 to 5 */
    check_common(&operation, 5);
    operation.op = WARP_OP_REDUCE_AND;
    check_common(&operation, 0); /* 2 & 3 & 4 & 5 */
    operation.op = WARP_OP_REDUCE_OR;
    check_common(&operation, 7);
    operation.op = WARP_OP_REDUCE_XOR;
    check_common(&operation, 0); /* 2 ^ 3 ^ 4 ^ 5 */
    operation.present = operation.members = 0x0000001c;
    check_common(&operation, 5); /* 2 ^ 3 ^ 4 */
    operation.op = WARP_OP_REDUCE_AND;
    operation.present = operation.members = 0x0000000c;
    check_common(&operation, 2); /* 2 & 3 */
}

static void test_minimum_and_maximum_of_signed(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_REDUCE_MIN, WARP_TYPE_INT);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = (uint32_t)(lane - 5); /* -5 .. 26 */
    check_common(&operation, 0xfffffffb);
    operation.op = WARP_OP_REDUCE_MAX;
    check_common(&operation, 26);
    operation.in[9] = 0x80000000;
    operation.op = WARP_OP_REDUCE_MIN;
    check_common(&operation, 0x80000000);
    operation.op = WARP_OP_REDUCE_ADD;
    operation.in[9] = 4;
    check_common(&operation, 336); /* 496 - 32 * 5 */
}

static void test_a_reduction_is_over_members_that_call(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_REDUCE_ADD, WARP_TYPE_INT);
    for (int lane = 0; lane < 32; lane++)
        operation.in[lane] = 1u << lane;
    operation.members = 0x00000ff0;
    operation.present = 0x000000ff;
    check_common(&operation, 0x000000f0);
}

static void test_reductions_of_floats_are_not_fixed(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_REDUCE_MAX, WARP_TYPE_FLOAT);
    struct lane_outcome outcome[WARP_LANES];
    operation.out[0] = 1;
    warp_outcome(&operation, outcome);
    assert_int_equal(outcome[0].status, LANE_READ);
    assert_false(outcome[0].has_value);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
}

/* ---- operations that move no value ---- */

static void test_syncwarp_moves_nothing(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_SYNC, WARP_TYPE_NONE);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0x0000000f;
    operation.present = 0x0000001f;
    operation.out[2] = 99;
    warp_outcome(&operation, outcome);
    assert_int_equal(outcome[2].status, LANE_READ);
    assert_false(outcome[2].has_value);
    assert_int_equal(outcome[4].status, LANE_UNDEFINED);
    assert_int_equal(outcome[4].reason, LANE_REASON_CALLER_NOT_MEMBER);
    assert_int_equal(outcome[5].status, LANE_ABSENT);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
}

static void test_activemask_is_an_observation(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_ACTIVEMASK, WARP_TYPE_UNSIGNED);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0x00000003;
    operation.present = 0x00000007;
    warp_outcome(&operation, outcome);
    for (int lane = 0; lane < 3; lane++) {
        assert_int_equal(outcome[lane].status, LANE_READ);
        assert_false(outcome[lane].has_value);
    }
    assert_int_equal(outcome[3].status, LANE_ABSENT);
}

static void test_a_watched_variable_shows_its_value(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_WATCH, WARP_TYPE_INT);
    struct lane_outcome outcome[WARP_LANES];
    operation.members = 0;
    operation.present = 0x00000002;
    operation.in[1] = UINT64_C(0xff00000007);
    warp_outcome(&operation, outcome);
    assert_int_equal(outcome[0].status, LANE_ABSENT);
    assert_int_equal(outcome[1].status, LANE_READ);
    assert_true(outcome[1].has_value);
    assert_int_equal(outcome[1].value, 7);
    assert_int_equal(warp_disagreement(&operation, outcome), 0);
}

/* ---- recordings that disagree ---- */

static void test_any_and_all_are_true_or_not(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_ANY, WARP_TYPE_INT);
    struct lane_outcome outcome[WARP_LANES];
    operation.in[6] = 1;
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = 2; /* the guide says non-zero */
    operation.out[5] = 0;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0x00000020);
}

static void test_masks_are_compared_in_32_bits(void **state) {
    (void)state;
    /* A match of a 16-bit type still returns 32 bits. */
    struct warp_operation operation = operation_make(WARP_OP_MATCH_ANY, WARP_TYPE_HALF);
    struct lane_outcome outcome[WARP_LANES];
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = UINT64_C(0x1ffffffff);
    operation.out[9] = 0x0000ffff;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0x00000200);
}

static void test_the_predicate_of_match_all_is_compared(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_MATCH_ALL, WARP_TYPE_INT);
    struct lane_outcome outcome[WARP_LANES];
    for (int lane = 0; lane < 32; lane++) {
        operation.out[lane] = WARP_FULL_MASK;
        operation.arg[lane] = lane != 8;
    }
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0x00000100);
}

static void test_reductions_are_compared_in_their_type(void **state) {
    (void)state;
    struct warp_operation operation = operation_make(WARP_OP_REDUCE_ADD, WARP_TYPE_UNSIGNED);
    struct lane_outcome outcome[WARP_LANES];
    for (int lane = 0; lane < 32; lane++) {
        operation.in[lane] = 0x10000000; /* times 32 is 2^33: 0 */
        operation.out[lane] = lane == 31;
    }
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_disagreement(&operation, outcome), 0x80000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_votes_of_a_full_warp),
        cmocka_unit_test(test_votes_are_over_members_that_call),
        cmocka_unit_test(test_match_any_names_equal_lanes),
        cmocka_unit_test(test_match_compares_the_bits_of_the_type),
        cmocka_unit_test(test_match_all_gives_the_lanes_or_nothing),
        cmocka_unit_test(test_reductions_of_unsigned),
        cmocka_unit_test(test_minimum_and_maximum_of_signed),
        cmocka_unit_test(test_a_reduction_is_over_members_that_call),
        cmocka_unit_test(test_reductions_of_floats_are_not_fixed),
        cmocka_unit_test(test_syncwarp_moves_nothing),
        cmocka_unit_test(test_activemask_is_an_observation),
        cmocka_unit_test(test_a_watched_variable_shows_its_value),
        cmocka_unit_test(test_any_and_all_are_true_or_not),
        cmocka_unit_test(test_masks_are_compared_in_32_bits),
        cmocka_unit_test(test_the_predicate_of_match_all_is_compared),
        cmocka_unit_test(test_reductions_are_compared_in_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
