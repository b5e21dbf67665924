/* The words and numbers of explanations, worked out by hand from the lane arithmetic. */
#include "explain/answer.h"
#include "explain/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct warp_operation shuffle(enum warp_op op, int32_t arg, int32_t width) {
    struct warp_operation operation = {.op = op,
                                       .type = WARP_TYPE_INT,
                                       .members = WARP_FULL_MASK,
                                       .present = WARP_FULL_MASK,
                                       .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = arg;
        operation.width[lane] = width;
        operation.in[lane] = (uint64_t)lane;
    }
    return operation;
}

static void formulas_carry_the_numbers(void **state) {
    (void)state;
    static const struct {
        enum warp_op op;
        int32_t arg, width;
        int lane;
        const char *formula;
    } expected[] = {
        {WARP_OP_XOR, 3, 16, 5, "5^3=6"},
        {WARP_OP_XOR, 16, 16, 20, "20^16=4"},
        {WARP_OP_UP, 3, 16, 9, "9-3=6"},
        {WARP_OP_UP, 3, 16, 1, "1-3=-2"},
        {WARP_OP_DOWN, 3, 32, 30, "30+3=33"},
        {WARP_OP_DOWN, 33, 32, 5, "5+1=6"},
        {WARP_OP_UP, 40, 8, 4, "4-8=-4"},
        {WARP_OP_IDX, 5, 16, 20, "16+5=21"},
        {WARP_OP_IDX, 17, 16, 0, "0+17%16=1"},
        {WARP_OP_IDX, 17, 16, 20, "16+17%16=17"},
        {WARP_OP_IDX, -1, 32, 3, "0+(-1)%32=31"},
        /* width 12: seg = 20, minLane = 25 & 20 = 16, j = 16 | (3 & 11) = 19 */
        {WARP_OP_IDX, 3, 12, 25, "16|3=19"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct warp_operation operation =
            shuffle(expected[i].op, expected[i].arg, expected[i].width);
        char text[64];
        assert_string_equal(explain_formula(&operation, expected[i].lane, text, sizeof text),
                            expected[i].formula);
    }
    struct warp_operation operation = shuffle(WARP_OP_XOR, 3, 16);
    char text[64];
    operation.present = 0xffff;
    assert_string_equal(explain_formula(&operation, 16, text, sizeof text), "");
    operation.op = WARP_OP_BALLOT;
    assert_string_equal(explain_formula(&operation, 0, text, sizeof text), "");
}

static const char *sentence(const struct warp_operation *operation, int lane) {
    static char text[512];
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    return explain_phase(operation, &outcome[lane], PHASE_AFTER, lane, text, sizeof text);
}

static void sentences_give_the_rule(void **state) {
    (void)state;
    static const struct {
        enum warp_op op;
        int32_t arg, width;
        int lane;
        const char *sentence;
    } expected[] = {
        {WARP_OP_XOR, 3, 16, 5,
         "lane 5, group A (0-15): 5 ^ 3 = 6, not beyond 15: in range, lane 6 takes part"},
        {WARP_OP_XOR, 16, 16, 5,
         "lane 5, group A (0-15): 5 ^ 16 = 21, beyond 15: out of range, so it keeps its own value"},
        {WARP_OP_XOR, 16, 16, 20,
         "lane 20, group B (16-31): 20 ^ 16 = 4, not beyond 31: in range, lane 4 takes part "
         "(xor may read an earlier group)"},
        {WARP_OP_UP, 3, 16, 17,
         "lane 17, group B (16-31): 17 - 3 = 14, before 16: out of range, so it keeps its own "
         "value"},
        {WARP_OP_DOWN, 33, 32, 5,
         "lane 5, group A (0-31): only 5 bits count, 33 & 31 = 1; 5 + 1 = 6, not beyond 31: in "
         "range, lane 6 takes part"},
        {WARP_OP_IDX, 17, 16, 20,
         "lane 20, group B (16-31): srcLane 17 wraps at width 16 to 1, in this group 16 + 1 = 17: "
         "in range, lane 17 takes part"},
        {WARP_OP_IDX, -1, 16, 5,
         "lane 5, group A (0-15): srcLane -1 wraps at width 16 to lane 15: in range, lane 15 takes "
         "part"},
        {WARP_OP_IDX, 5, 16, 20,
         "lane 20, group B (16-31): srcLane 5 counts from the group's first lane, 16 + 5 = 21: in "
         "range, lane 21 takes part"},
        {WARP_OP_IDX, 5, 32, 0,
         "lane 0, group A (0-31): srcLane 5 means lane 5: in range, lane 5 takes part"},
        {WARP_OP_DOWN, 3, 12, 5,
         "lane 5: 5 + 3 = 8, not beyond 15: in range; width 12 is not one of 1 2 4 8 16 32: "
         "undefined"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct warp_operation operation =
            shuffle(expected[i].op, expected[i].arg, expected[i].width);
        if (expected[i].width == 12) /* maxLane = (5 & 20) | (31 & 11) = 4 | 11 = 15 */
            assert_int_equal(shuffle_address(WARP_OP_DOWN, 5, 3, 12).max_lane, 15);
        assert_string_equal(sentence(&operation, expected[i].lane), expected[i].sentence);
    }
}

static void sentences_name_the_reason(void **state) {
    (void)state;
    struct warp_operation operation = shuffle(WARP_OP_DOWN, 4, 32);
    operation.members = operation.present = 0xff;
    assert_non_null(strstr(sentence(&operation, 5),
                           "in range, but lane 9 is not in the member mask: undefined"));
    assert_non_null(
        strstr(sentence(&operation, 9), "makes no call: it is not in the member mask 0x000000ff"));
    operation.members = WARP_FULL_MASK;
    operation.launched = 0xff;
    assert_non_null(strstr(sentence(&operation, 5), "lane 9 is beyond the end of the block"));
    assert_non_null(strstr(sentence(&operation, 9), "does not exist: the block ends before it"));
    operation.launched = WARP_FULL_MASK;
    operation.exited = 0xffffff00;
    assert_non_null(strstr(sentence(&operation, 5), "lane 9 has left the kernel: undefined"));
    assert_non_null(strstr(sentence(&operation, 9), "makes no call: it has left the kernel"));
    operation.exited = 0;
    assert_non_null(strstr(sentence(&operation, 5), "lane 9 does not make this call: undefined"));
    operation.unfinished = true;
    assert_non_null(
        strstr(sentence(&operation, 5), "not all lanes of the mask make the call: the lane waits"));
    operation.unfinished = false;
    operation.members = 0xf0;
    assert_non_null(strstr(sentence(&operation, 0),
                           "lane 0 is not in the mask 0x000000f0 that it passes: undefined"));
}

static void phases_reveal_only_what_they_show(void **state) {
    (void)state;
    struct warp_operation operation = shuffle(WARP_OP_XOR, 3, 16);
    struct lane_outcome outcome[WARP_LANES];
    char text[256];
    warp_outcome(&operation, outcome);
    assert_string_equal(explain_phase(&operation, &outcome[5], PHASE_BEFORE, 5, text, sizeof text),
                        "lane 5, group A (0-15): value 5, laneMask 3, width 16");
    assert_string_equal(explain_phase(&operation, &outcome[5], PHASE_ADDRESS, 5, text, sizeof text),
                        "lane 5, group A (0-15): 5 ^ 3 = 6");
    assert_string_equal(explain_brief(&operation, &outcome[5], PHASE_RANGE, 5, text, sizeof text),
                        "lane 5: 5^3=6: reads lane 6");

    operation = shuffle(WARP_OP_IDX, 5, 16);
    warp_outcome(&operation, outcome);
    assert_string_equal(explain_brief(&operation, &outcome[9], PHASE_RANGE, 9, text, sizeof text),
                        "lane 9: srcLane 5: reads lane 5");
    assert_string_equal(explain_brief(&operation, &outcome[20], PHASE_RANGE, 20, text, sizeof text),
                        "lane 20: 16+5=21: reads lane 21");
}

static void ptx_lines_are_the_pseudo_code(void **state) {
    (void)state;
    static const struct {
        enum warp_op op;
        int32_t arg, width;
        int lane;
        const char *lines[EXPLAIN_PTX_LINES];
    } expected[] = {
        {WARP_OP_XOR,
         3,
         16,
         5,
         {"bval = 3 & 31 = 3", "c = ((32-16) << 8) | 0x1f = 0x101f", "cval = c & 31 = 31",
          "seg = (c >> 8) & 31 = 16", "maxLane = (5 & 16) | (31 & 15) = 15", "minLane = 5 & 16 = 0",
          "j = 5 ^ 3 = 6", "p = 6 <= 15 = true", "p holds: j stays 6", "result = value of lane 6"}},
        {WARP_OP_UP,
         3,
         16,
         17,
         {"bval = 3 & 31 = 3", "c = (32-16) << 8 = 0x1000", "cval = c & 31 = 0",
          "seg = (c >> 8) & 31 = 16", "maxLane = (17 & 16) | (0 & 15) = 16",
          "minLane = 17 & 16 = 16", "j = 17 - 3 = 14", "p = 14 >= 16 = false", "!p: j = lane = 17",
          "result = value of lane 17"}},
        {WARP_OP_IDX,
         17,
         16,
         20,
         {"bval = 17 & 31 = 17", "c = ((32-16) << 8) | 0x1f = 0x101f", "cval = c & 31 = 31",
          "seg = (c >> 8) & 31 = 16", "maxLane = (20 & 16) | (31 & 15) = 31",
          "minLane = 20 & 16 = 16", "j = 16 | (17 & 15) = 17", "p = 17 <= 31 = true",
          "p holds: j stays 17", "result = value of lane 17"}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct warp_operation operation =
            shuffle(expected[i].op, expected[i].arg, expected[i].width);
        char lines[EXPLAIN_PTX_LINES][EXPLAIN_LINE_SIZE];
        struct lane_outcome outcome[WARP_LANES];
        warp_outcome(&operation, outcome);
        int lane = expected[i].lane;
        assert_int_equal(explain_ptx(&operation, &outcome[lane], lane, lines), EXPLAIN_PTX_LINES);
        for (int n = 0; n < EXPLAIN_PTX_LINES; n++)
            assert_string_equal(lines[n], expected[i].lines[n]);
    }
    struct warp_operation operation = shuffle(WARP_OP_XOR, 3, 16);
    char lines[EXPLAIN_PTX_LINES][EXPLAIN_LINE_SIZE];
    struct lane_outcome outcome[WARP_LANES];
    operation.members = operation.present = 0x3f; /* lane 5 reads lane 6, which does not exist */
    warp_outcome(&operation, outcome);
    assert_int_equal(explain_ptx(&operation, &outcome[5], 5, lines), EXPLAIN_PTX_LINES);
    assert_string_equal(lines[EXPLAIN_PTX_LINES - 1], "result: undefined, see above");
    operation.op = WARP_OP_BALLOT;
    assert_int_equal(explain_ptx(&operation, &outcome[0], 0, lines), 0);
}

static void values_are_shown_by_operation(void **state) {
    (void)state;
    struct warp_operation operation = shuffle(WARP_OP_XOR, 3, 16);
    char text[WARP_VALUE_TEXT];
    operation.in[4] = 0xfffffffe;
    operation.out[4] = 7;
    assert_string_equal(explain_in(&operation, 4, text), "-2");
    assert_string_equal(explain_out(&operation, 4, text), "7");
    operation.op = WARP_OP_BALLOT;
    operation.out[4] = 0xff;
    assert_string_equal(explain_out(&operation, 4, text), "0x000000ff");
    operation.op = WARP_OP_WATCH;
    assert_string_equal(explain_in(&operation, 4, text), "-2");
    assert_string_equal(explain_out(&operation, 4, text), "");
    operation.present = 0;
    assert_string_equal(explain_in(&operation, 4, text), "");
}

/* Lane 0 alone holds 7, lanes 3 and 4 hold 1, all others 2: each gets the mask of the lanes with
 * its value. */
static void a_match_names_lanes_with_equal_values(void **state) {
    (void)state;
    struct warp_operation operation = shuffle(WARP_OP_MATCH_ANY, 0, 0);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.in[lane] = lane == 0 ? 7 : lane == 3 || lane == 4 ? 1 : 2;
        operation.out[lane] = lane == 0                ? 0x00000001
                              : lane == 3 || lane == 4 ? 0x00000018
                                                       : 0xffffffe6;
    }
    static const struct {
        int lane;
        const char *words;
    } expected[] = {{0, ": value 7, held by lane 0"},
                    {3, ": value 1, held by lanes 3-4"},
                    {31, ": value 2, held by lanes 1-2,5-31"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strstr(sentence(&operation, expected[i].lane), expected[i].words))
            fail_msg("%s", sentence(&operation, expected[i].lane));
    operation.members = operation.present = 0xfffffff7; /* lane 3 does not call */
    if (!strstr(sentence(&operation, 4), ": value 1, held by lane 4"))
        fail_msg("%s", sentence(&operation, 4));
}

/* The hint about which lane is read, with the numbers of the lane asked about. */
static void hints_follow_the_operation(void **state) {
    (void)state;
    static const struct {
        enum warp_op op;
        int32_t arg, width;
        int lane;
        const char *hint;
    } expected[] = {
        {WARP_OP_UP, 3, 16, 17, "Take 17 - 3. Is that before lane 16, the first of its group?"},
        {WARP_OP_DOWN, 3, 16, 5, "Take 5 + 3. Is that beyond lane 15, the last of its group?"},
        {WARP_OP_UP, 40, 8, 12,
         "Only five bits of the delta count: 40 & 31. Go that many lanes down from 12. Is that "
         "before lane 8, the first of its group?"},
        {WARP_OP_DOWN, 33, 32, 5,
         "Only five bits of the delta count: 33 & 31. Go that many lanes up from 5. Is that beyond "
         "lane 31, the last of its group?"},
        {WARP_OP_XOR, 3, 16, 5,
         "Write lane 5 in binary, 00101, and flip the bits that are set in laneMask, 00011. Is "
         "that "
         "beyond lane 15, the last of its group?"},
        {WARP_OP_IDX, 5, 16, 20,
         "Lane 20's group begins at lane 16 and has 16 lanes. Count srcLane = 5 lanes from its "
         "start."},
        {WARP_OP_IDX, 15, 16, 20,
         "Lane 20's group begins at lane 16 and has 16 lanes. Count srcLane = 15 lanes from its "
         "start."},
        {WARP_OP_IDX, 16, 16, 20,
         "Lane 20's group begins at lane 16 and has 16 lanes. Count srcLane = 16 lanes from its "
         "start; the count wraps round at the width."},
        {WARP_OP_IDX, -1, 16, 3,
         "Lane 3's group begins at lane 0 and has 16 lanes. Count srcLane = -1 lanes from its "
         "start; the count wraps round at the width."},
        {WARP_OP_DOWN, 3, 12, 5,
         "The width is 12. Which widths does the CUDA Programming Guide (13.3, 2026) define?"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct warp_operation operation =
            shuffle(expected[i].op, expected[i].arg, expected[i].width);
        struct lane_outcome outcome[WARP_LANES];
        const struct question question = {.kind = QUESTION_SOURCE, .lane = expected[i].lane};
        char text[400];
        warp_outcome(&operation, outcome);
        assert_string_equal(answer_hint((struct subject){&operation, outcome, 0, false}, &question,
                                        text, sizeof text),
                            expected[i].hint);
    }
}

/* Questions about a mask, or about lanes that do not call, come last. */
static void hints_ask_about_masks_last(void **state) {
    (void)state;
    const struct question question = {.kind = QUESTION_SOURCE, .lane = 5};
    struct warp_operation operation = shuffle(WARP_OP_UP, 3, 32);
    struct lane_outcome outcome[WARP_LANES];
    char text[400];
    operation.members = operation.present = 0x0000ffff;
    warp_outcome(&operation, outcome);
    answer_hint((struct subject){&operation, outcome, 0, false}, &question, text, sizeof text);
    assert_string_equal(text,
                        "Take 5 - 3. Is that before lane 0, the first of its group? Then read "
                        "from the mask 0x0000ffff which lanes it names.");
    operation.members = WARP_FULL_MASK;
    warp_outcome(&operation, outcome);
    answer_hint((struct subject){&operation, outcome, 0, false}, &question, text, sizeof text);
    assert_string_equal(text, "Take 5 - 3. Is that before lane 0, the first of its group? Then ask "
                              "whether that lane makes the call.");
}

/* Names the first lane whose argument has more than five bits. */
static void arguments_beyond_five_bits_are_reported(void **state) {
    (void)state;
    char text[160], wanted[160];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct warp_operation operation = shuffle(WARP_OP_DOWN, 1, 32);
        assert_string_equal(explain_argument(&operation, text, sizeof text), "");
        operation.arg[lane] = 35;
        operation.arg[WARP_LANES - 1] = lane == WARP_LANES - 1 ? 35 : 64;
        snprintf(wanted, sizeof wanted,
                 "lane %d: delta 35 is used as 3: only the low five bits count", lane);
        assert_string_equal(explain_argument(&operation, text, sizeof text), wanted);
    }
}

static void lanes_asked_about_must_exist(void **state) {
    (void)state;
    struct warp_operation operation = shuffle(WARP_OP_UP, 3, 32);
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    for (int lane = -1; lane <= WARP_LANES; lane++) {
        const struct question question = {.kind = QUESTION_SOURCE, .lane = lane};
        struct answer answer;
        struct error err = ERROR_INIT;
        const bool is_lane = lane >= 0 && lane < WARP_LANES;
        assert_int_equal(
            answer_of((struct subject){&operation, outcome, 0, false}, &question, &answer, &err),
            is_lane ? 0 : -1);
        assert_string_equal(err.text, is_lane ? "" : "lanes are 0 to 31");
    }
}

static void hints_suit_the_question(void **state) {
    (void)state;
    static const struct {
        enum warp_op op;
        enum question_kind kind;
        const char *hint;
    } expected[] = {
        {WARP_OP_XOR, QUESTION_READERS,
         "Xor undoes itself: flip the same bits in 5 to get back to its reader. Is lane 5 within "
         "the reader's reach?"},
        {WARP_OP_IDX, QUESTION_READERS,
         "All lanes of a group read the lane at the same place in that group. Is lane 5 at that "
         "place in its group?"},
        {WARP_OP_UP, QUESTION_READERS,
         "Each lane reads a lane with a smaller number, so look after lane 5, in the same group."},
        {WARP_OP_DOWN, QUESTION_READERS,
         "Each lane reads a lane with a larger number, so look before lane 5, in the same group."},
        {WARP_OP_XOR, QUESTION_OWN,
         "A lane is out of range if the lane it names is in a later group; a lane in an earlier "
         "group may be read."},
        {WARP_OP_IDX, QUESTION_OWN,
         "srcLane wraps round inside the group. Can it ever leave the group?"},
        {WARP_OP_UP, QUESTION_OWN,
         "A lane is out of range if the lane it names is before the first lane of its group."},
        {WARP_OP_DOWN, QUESTION_OWN,
         "A lane is out of range if the lane it names is beyond the last lane of its group."},
        {WARP_OP_DOWN, QUESTION_UNDEFINED,
         "Look for lanes that read a lane which is not in the mask or makes no call. A lane that "
         "is "
         "out of range reads no other lane."},
        {WARP_OP_BALLOT, QUESTION_UNDEFINED,
         "Look for lanes that call although they are not in the mask they pass."},
        {WARP_OP_DOWN, QUESTION_CHANGED,
         "Compare what a lane has with what it gets. A lane that reads itself, or an equal value, "
         "does not change."},
        {WARP_OP_DOWN, QUESTION_ABSENT,
         "How many threads does the block have, which lanes have left, and which lanes does the "
         "mask "
         "name?"},
        {WARP_OP_UP, QUESTION_VALUE,
         "See which lane is read: the result is that lane's value from before the call. If lane 5 "
         "is out of range, it keeps its own value."},
        {WARP_OP_BALLOT, QUESTION_OWN, ""}, /* the question is invalid */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct warp_operation operation = shuffle(expected[i].op, 3, 16);
        struct lane_outcome outcome[WARP_LANES];
        const struct question question = {.kind = expected[i].kind, .lane = 5};
        char text[400];
        warp_outcome(&operation, outcome);
        for (int lane = 0; lane < WARP_LANES; lane++)
            operation.out[lane] = outcome[lane].value;
        assert_string_equal(answer_hint((struct subject){&operation, outcome, 0, false}, &question,
                                        text, sizeof text),
                            expected[i].hint);
    }
}

static void groups_have_letters(void **state) {
    (void)state;
    assert_int_equal(group_letter(0), 'A');
    assert_int_equal(group_letter(25), 'Z');
    assert_int_equal(group_letter(26), 'a');
    assert_int_equal(group_letter(31), 'f');
    struct warp_operation operation = shuffle(WARP_OP_XOR, 3, 8);
    assert_int_equal(explain_group(&operation, 17), 2);
    operation = shuffle(WARP_OP_XOR, 3, 12);
    assert_int_equal(explain_group(&operation, 17), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_carry_the_numbers),
        cmocka_unit_test(sentences_give_the_rule),
        cmocka_unit_test(sentences_name_the_reason),
        cmocka_unit_test(phases_reveal_only_what_they_show),
        cmocka_unit_test(ptx_lines_are_the_pseudo_code),
        cmocka_unit_test(values_are_shown_by_operation),
        cmocka_unit_test(a_match_names_lanes_with_equal_values),
        cmocka_unit_test(hints_follow_the_operation),
        cmocka_unit_test(hints_ask_about_masks_last),
        cmocka_unit_test(arguments_beyond_five_bits_are_reported),
        cmocka_unit_test(lanes_asked_about_must_exist),
        cmocka_unit_test(hints_suit_the_question),
        cmocka_unit_test(groups_have_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
