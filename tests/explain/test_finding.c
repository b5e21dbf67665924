/* Messages about an operation that breaks the rules: the rule, the lanes, the words. */
#include "explain/findings/finding.h"

#include "base/message.h"
#include "operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check_finding(const struct warp_finding *finding,
                          const struct warp_operation *operation, enum warp_rule rule,
                          uint32_t lanes, const char *words) {
    struct lane_outcome outcome[WARP_LANES];
    char text[EXPLAIN_FINDING_TEXT];
    warp_outcome(operation, outcome);
    assert_int_equal(finding->rule, rule);
    assert_int_equal(finding->lanes, lanes);
    assert_string_equal(explain_finding(finding, operation, outcome, text, sizeof text), words);
}

static void test_reading_a_lane_that_the_mask_leaves_out(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct warp_operation operation = operation_make(0, WARP_OP_IDX, 0, 32);
    operation.members = operation.present = 0x000000ff;
    operation.arg[5] = 9;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_SOURCE_LANE_NOT_IN_MASK, 0x20,
                  "lane 5 reads lane 9, which the member mask 0x000000ff leaves out: the value is "
                  "undefined");

    operation = operation_make(0, WARP_OP_DOWN, 4, 32);
    operation.members = operation.present = 0x000000ff;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_SOURCE_LANE_NOT_IN_MASK, 0xf0,
                  "lanes 4-7 read lanes 8-11, which the member mask 0x000000ff leaves out: the "
                  "values are undefined");
}

static void test_calling_with_a_mask_without_oneself(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct warp_operation operation = operation_make(0, WARP_OP_IDX, 0, 32);
    operation.members = 0xfffffffe;
    operation.arg[0] = 1;
    for (int lane = 1; lane < 32; lane++)
        operation.arg[lane] = 1;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK, 0x1,
                  "lane 0 calls with the member mask 0xfffffffe, which leaves it out: the result "
                  "is undefined");

    operation = operation_make(0, WARP_OP_BALLOT, 0, 32);
    operation.members = 0;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK, 0xffffffff,
                  "all 32 lanes call with the member mask 0x00000000, which leaves them out: the "
                  "results are undefined");

    operation = operation_make(0, WARP_OP_ACTIVEMASK, 0, 32); /* has no mask */
    operation.members = 0;
    assert_int_equal(findings_of(&operation, findings), 0);
}

static void test_a_mask_that_names_a_lane_which_does_not_call(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct warp_operation operation = operation_make(0, WARP_OP_SYNC, 0, 32);
    operation.type = WARP_TYPE_NONE;
    operation.present = 0xffffff7f;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK, 0x80,
                  "the member mask 0xffffffff names lane 7, which does not make this call: the "
                  "operation is undefined and may wait forever");

    operation = operation_make(0, WARP_OP_XOR, 0, 32);
    operation.members = 0x0000ffff;
    operation.present = 0x000000ff;
    operation.launched = 0x00003fff;
    operation.exited = 0x00001000;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK, 0x2f00,
                  "the member mask 0x0000ffff names lanes 8-11,13, which do not make this call: "
                  "the operation is undefined and may wait forever");
}

static void test_a_width_that_is_no_power_of_two(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct warp_operation operation = operation_make(0, WARP_OP_XOR, 3, 12);
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(
        &findings[0], &operation, WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO, 0xffffffff,
        "all 32 lanes pass width 12, which is not one of 1 2 4 8 16 32: the results are undefined");

    operation = operation_make(0, WARP_OP_XOR, 3, 16);
    operation.width[3] = 64;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(
        &findings[0], &operation, WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO, 0x8,
        "lane 3 passes width 64, which is not one of 1 2 4 8 16 32: the result is undefined");
    operation.width[7] = -1;
    assert_int_equal(findings_of(&operation, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO, 0x88,
                  "lanes 3,7 pass widths that are not among 1 2 4 8 16 32 (lane 3 passes 64): the "
                  "results are undefined");
}

static void test_reading_a_lane_that_is_not_there(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct warp_operation operation = operation_make(0, WARP_OP_DOWN, 0, 32);
    operation.launched = 0x0000ffff;
    operation.exited = 0x0000f000;
    operation.present = 0x000000ff;
    /* Lanes 8 to 11 are elsewhere, and the mask does not name them. */
    operation.members = 0xfffff0ff;
    operation.arg[5] = 15; /* lane 20 */
    operation.arg[6] = 6;  /* lane 12 */
    operation.arg[7] = 6;  /* lane 13 */
    assert_int_equal(findings_of(&operation, findings), 2);
    check_finding(&findings[0], &operation, WARP_RULE_SOURCE_LANE_NOT_PRESENT, 0x20,
                  "lane 5 reads lane 20, beyond the end of the block: the value is undefined");
    check_finding(&findings[1], &operation, WARP_RULE_SOURCE_LANE_NOT_PRESENT, 0xc0,
                  "lanes 6-7 read lanes 12-13, which had already exited the kernel: the values are "
                  "undefined");

    operation.members = WARP_FULL_MASK;
    operation.arg[6] = operation.arg[7] = 0;
    operation.arg[0] = 8;
    assert_int_equal(findings_of(&operation, findings), 3);
    assert_int_equal(findings[0].rule, WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK);
    assert_int_equal(findings[0].lanes, 0xf00);
    assert_int_equal(findings[1].rule, WARP_RULE_SOURCE_LANE_NOT_PRESENT);
    assert_int_equal(findings[1].lanes, 0x20);
    check_finding(&findings[2], &operation, WARP_RULE_SOURCE_LANE_NOT_PRESENT, 0x1,
                  "lane 0 reads lane 8, which did not make this call: the value is undefined");
}

/* __shfl_down_sync(value, offset, 32): the mask is a value, the value an offset, the delta 32. */
static void test_a_mask_that_was_forgotten(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct warp_operation operation = operation_make(0, WARP_OP_DOWN, 32, 32);
    operation.members = 5; /* lane 5's value */
    operation.present = 1u << 5;
    /* The lane is not in its mask, lanes 0 and 2 are in it but do not call, and the arguments are
     * shifted. */
    assert_int_equal(findings_of(&operation, findings), 3);
    check_finding(&findings[2], &operation, WARP_RULE_MASK_FORGOTTEN, 1u << 5,
                  "lane 5 passes delta 32 and a mask that does not name every caller: was the mask "
                  "forgotten, so that every argument is one place too early?");
    /* With a real mask, 32 is only an unusual argument. */
    operation = operation_make(0, WARP_OP_DOWN, 32, 32);
    assert_int_equal(findings_of(&operation, findings), 0);
    /* A wrong mask by itself is a different mistake. */
    operation = operation_make(0, WARP_OP_DOWN, 16, 32);
    operation.members = 0xff;
    int count = findings_of(&operation, findings);
    for (int i = 0; i < count; i++)
        assert_int_not_equal(findings[i].rule, WARP_RULE_MASK_FORGOTTEN);
}

static void test_a_recording_that_disagrees(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct lane_outcome outcome[WARP_LANES];
    struct warp_operation operation = operation_make(0, WARP_OP_XOR, 1, 32);
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = (unsigned)lane ^ 1;
    operation.out[4] = 7;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_findings(&operation, outcome, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_DISAGREES, 0x10,
                  "lane 4 was recorded with 0x00000007; the rules give 0x00000005");
    operation.out[9] = 0;
    assert_int_equal(warp_findings(&operation, outcome, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_DISAGREES, 0x210,
                  "lanes 4,9 were recorded with values that the rules do not give: lane 4 with "
                  "0x00000007, not 0x00000005");

    /* A match on a 64-bit type gives a mask of 32 bits. */
    operation = operation_make(0, WARP_OP_MATCH_ANY, 0, 0);
    operation.type = WARP_TYPE_LONG_LONG;
    for (int lane = 0; lane < 32; lane++)
        operation.out[lane] = lane ? 1u << lane : 0;
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_findings(&operation, outcome, findings), 1);
    check_finding(&findings[0], &operation, WARP_RULE_DISAGREES, 0x1,
                  "lane 0 was recorded with 0x00000000; the rules give 0x00000001");
}

/* Two of every three lanes make the longest possible lists; no sentence may be cut. */
static void test_the_longest_sentences_fit(void **state) {
    (void)state;
    struct warp_finding findings[WARP_FINDINGS_MAX];
    struct lane_outcome outcome[WARP_LANES];
    struct warp_operation operation = operation_make(0, WARP_OP_XOR, 1, 32);
    const uint32_t two_of_three = 0xdb6db6db;
    operation.members = operation.present = two_of_three;
    for (int lane = 0; lane < 32; lane++)
        operation.arg[lane] = lane % 3 == 0 ? 2 : 3;
    warp_outcome(&operation, outcome);
    int count = warp_findings(&operation, outcome, findings);
    char text[EXPLAIN_FINDING_TEXT];
    for (int i = 0; i < count; i++)
        assert_true(strlen(explain_finding(&findings[i], &operation, outcome, text, sizeof text)) +
                        1 <
                    sizeof text);
    operation.members = ~two_of_three;
    operation.width[0] = INT32_MIN;
    for (int lane = 1; lane < 32; lane++)
        operation.width[lane] = 5;
    warp_outcome(&operation, outcome);
    struct warp_finding more[WARP_FINDINGS_MAX];
    int more_count = warp_findings(&operation, outcome, more);
    assert_true(count > 0 && more_count == 3);
    for (int i = 0; i < more_count; i++)
        assert_true(strlen(explain_finding(&more[i], &operation, outcome, text, sizeof text)) + 1 <
                    sizeof text);
}

static void test_chinese(void **state) {
    (void)state;
    struct warp_operation operation = {.op = WARP_OP_XOR,
                                       .type = WARP_TYPE_INT,
                                       .members = 0x0000ffff,
                                       .launched = WARP_FULL_MASK};
    operation.present = operation.members;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = 16;
        operation.width[lane] = 32;
    }
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding findings[WARP_FINDINGS_MAX];
    warp_outcome(&operation, outcome);
    assert_int_equal(warp_findings(&operation, outcome, findings), 1);
    char text[EXPLAIN_FINDING_TEXT];
    message_language_use("zh");
    explain_finding(&findings[0], &operation, outcome, text, sizeof text);
    message_language_use("en");
    assert_string_equal(text, "通道 0-15：读取通道 16-31，而成员掩码 0x0000ffff 不包括被读者，"
                              "读到的值未定义");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading_a_lane_that_the_mask_leaves_out),
        cmocka_unit_test(test_calling_with_a_mask_without_oneself),
        cmocka_unit_test(test_a_mask_that_names_a_lane_which_does_not_call),
        cmocka_unit_test(test_a_width_that_is_no_power_of_two),
        cmocka_unit_test(test_reading_a_lane_that_is_not_there),
        cmocka_unit_test(test_a_mask_that_was_forgotten),
        cmocka_unit_test(test_a_recording_that_disagrees),
        cmocka_unit_test(test_the_longest_sentences_fit),
        cmocka_unit_test(test_chinese),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
