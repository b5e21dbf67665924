/*
 * A finding is worded twice: in warp/, which knows no languages, and in replay/. Their English is
 * the same for every operation.
 */
#include "base/message.h"
#include "explain/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* splitmix64: the same sequence everywhere. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* All lanes, none of a few, or about half. */
static uint32_t random_lanes(uint64_t *state) {
    const uint32_t bits = (uint32_t)next_random(state);
    switch (next_random(state) % 4) {
    case 0:
        return bits;
    case 1:
        return ~(UINT32_C(1) << (bits & 31));
    default:
        return WARP_FULL_MASK;
    }
}

static struct warp_operation random_operation(uint64_t *state) {
    static const int32_t widths[] = {32, 16, 8, 12, 0, 33};
    const int32_t width = widths[next_random(state) % 6], arg = (int32_t)(next_random(state) % 40);
    struct warp_operation operation = {
        .op = (enum warp_op)(next_random(state) % WARP_OP_COUNT),
        .type = WARP_TYPE_INT,
        .members = random_lanes(state),
        .launched = random_lanes(state),
    };
    operation.exited = operation.launched & ~random_lanes(state);
    operation.present = operation.launched & ~operation.exited & random_lanes(state);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = arg;
        operation.width[lane] = next_random(state) % 64 ? width : 5;
        operation.in[lane] = (uint64_t)lane;
    }
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    const uint32_t wrong = next_random(state) % 4 ? 0 : ~random_lanes(state);
    for (int lane = 0; lane < WARP_LANES; lane++)
        operation.out[lane] = outcome[lane].value + (wrong >> lane & 1);
    return operation;
}

static void test_english_is_that_of_warp(void **state) {
    (void)state;
    uint64_t random = 1;
    int seen[WARP_RULE_COUNT] = {0};
    message_language_use("en");
    for (int i = 0; i < 20000; i++) {
        const struct warp_operation operation = random_operation(&random);
        struct lane_outcome outcome[WARP_LANES];
        struct warp_finding findings[WARP_FINDINGS_MAX];
        warp_outcome(&operation, outcome);
        const int count = warp_findings(&operation, outcome, findings);
        for (int k = 0; k < count; k++) {
            char text[EXPLAIN_FINDING_TEXT];
            explain_finding(&findings[k], &operation, outcome, text, sizeof text);
            /* A message that warp had to cut is longer here. */
            if (strlen(findings[k].message) + 1 == sizeof findings[k].message)
                text[sizeof findings[k].message - 1] = '\0';
            assert_string_equal(text, findings[k].message);
            seen[findings[k].rule]++;
        }
    }
    assert_true(seen[WARP_RULE_SOURCE_LANE_NOT_IN_MASK] > 100);
    assert_true(seen[WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK] > 100);
    assert_true(seen[WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK] > 100);
    assert_true(seen[WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO] > 100);
    assert_true(seen[WARP_RULE_SOURCE_LANE_NOT_PRESENT] > 100);
    assert_true(seen[WARP_RULE_DISAGREES] > 100);
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
        cmocka_unit_test(test_english_is_that_of_warp),
        cmocka_unit_test(test_chinese),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
