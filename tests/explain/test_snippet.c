/* Code over a warp, compared with values worked out by hand, and questions about code. */
#include "explain/answer.h"
#include "explain/snippet/code_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Lanes 0 to 31, each with the value lane + 1, at a down by 3 in groups of 16. */
static struct warp_operation start(void) {
    struct warp_operation operation = {.op = WARP_OP_DOWN,
                                       .type = WARP_TYPE_INT,
                                       .members = WARP_FULL_MASK,
                                       .present = WARP_FULL_MASK,
                                       .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = 3;
        operation.width[lane] = 16;
        operation.in[lane] = (uint64_t)lane + 1;
    }
    return operation;
}

static struct snippet_result run_from(struct warp_operation operation, const char *code) {
    struct snippet_result result;
    struct error err = ERROR_INIT;
    if (snippet_run(code, &operation, &result, &err) != 0)
        fail_msg("%s: %s", code, err.text);
    return result;
}

static struct snippet_result run(const char *code) {
    return run_from(start(), code);
}

static void sums_of_a_warp(void **state) {
    (void)state;
    /* 1 + 2 + ... + 32 = 528. A tree has it in lane 0; lane 1 has 544: the sum of 2, 3, ..., 33
     * but with lane 16's own value, 17, in place of the missing 33, worked out round by round. */
    struct snippet_result tree =
        run("for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);");
    assert_int_equal(tree.value.of[0], 528);
    assert_int_equal(tree.value.of[1], 544);
    assert_int_equal(tree.value.undefined, 0);
    struct snippet_result butterfly =
        run("for (int o = 1; o < warpSize; o <<= 1)\n    sum += __shfl_xor_sync(-1, sum, o);");
    for (int lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(butterfly.value.of[lane], 528);
    struct snippet_result largest = run("for (int o = 16; o; o >>= 1)\n"
                                        "  v = max(v, __shfl_xor_sync(0xffffffffu, v, o, 8));");
    assert_int_equal(largest.value.of[0], 8); /* laneMask 4, 2, 1 stay in the group; 16 and 8
                                                 read earlier groups, whose values are smaller */
    assert_int_equal(largest.value.of[31], 32);
}

static void scans(void **state) {
    (void)state;
    struct snippet_result scan = run("for (int d = 1; d < 32; d *= 2) {\n"
                                     "    int n = __shfl_up_sync(0xffffffff, v, d);\n"
                                     "    if (lane >= d) v += n;\n}");
    for (int lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(scan.value.of[lane], (lane + 1) * (lane + 2) / 2);
    /* The call inside the if: lane 1 reads lane 0, which is absent. */
    struct snippet_result inside = run("if (lane >= 1) v += __shfl_up_sync(0xffffffff, v, 1);");
    assert_int_equal(inside.waits_for, 1);
    assert_int_equal(inside.value.undefined, 0xfffffffe);
}

/* In the picture lane 0 gets the 0 of lane 3. A lane that makes no call has no value, which is
 * different. */
static void a_lane_without_a_call_gets_nothing(void **state) {
    (void)state;
    static const struct snippet_aim result = {.goal = SNIPPET_RESULT, .group = WARP_LANES};
    struct warp_operation operation = start();
    char why[SNIPPET_WHY];
    bool right;
    operation.in[3] = 0;
    assert_int_equal(snippet_judge("__shfl_down_sync(0xffffffff, v, 3, 16);", &operation, &result,
                                   &right, why, NULL),
                     0);
    assert_true(right);
    assert_int_equal(snippet_judge("if (lane > 0) __shfl_down_sync(0xfffffffe, v, 3, 16);",
                                   &operation, &result, &right, why, NULL),
                     0);
    assert_false(right);
    assert_string_equal(why, "lane 0's result would be undefined");
}

static void the_active_lanes_are_a_mask(void **state) {
    (void)state;
    struct snippet_result result = run("if (lane < 4) v = __activemask();");
    for (int lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(result.value.of[lane], lane < 4 ? 0xf : lane + 1);
}

static bool runs(const char *code) {
    struct warp_operation operation = start();
    struct snippet_result result;
    return snippet_run(code, &operation, &result, NULL) == 0;
}

/* width may be left out; for a tile it is known. */
static void calls_take_the_arguments_of_cuda(void **state) {
    (void)state;
    static const char *const shuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                           "__shfl_xor_sync"},
                             *const others[] = {"__ballot_sync",     "__any_sync",
                                                "__all_sync",        "__reduce_add_sync",
                                                "__reduce_min_sync", "__reduce_max_sync"};
    static const char *const given[] = {"",         "-1",          "-1, v",
                                        "-1, v, 1", "-1, v, 1, 8", "-1, v, 1, 8, 8"};
    char code[100];
    for (int count = 0; count < 6; count++) {
        for (size_t i = 0; i < sizeof shuffles / sizeof *shuffles; i++) {
            snprintf(code, sizeof code, "v = %s(%s);", shuffles[i], given[count]);
            if (runs(code) != (count == 3 || count == 4))
                fail_msg("%s", code);
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            snprintf(code, sizeof code, "v = %s(%s);", others[i], given[count]);
            if (runs(code) != (count == 2))
                fail_msg("%s", code);
        }
    }
}

static void undefined_values_are_followed(void **state) {
    (void)state;
    /* Lanes 0-19 with their own mask. Round one: 4-15 read 20-31, undefined. Round two: 0-3 read
     * 8-11 and 4-7 read 12-15, which hold such values; 12-19 read 20-27. All 20 are undefined. */
    struct snippet_result result = run("if (lane >= 20) return;\n"
                                       "v += __shfl_down_sync(0xfffff, v, 16);\n"
                                       "v += __shfl_down_sync(0xfffff, v, 8);");
    assert_int_equal(result.value.undefined & 0xfffff, 0xfffff);
    /* Lanes that returned are not waited for. */
    assert_int_equal(result.waits_for, 0);
    result = run("if (lane >= 20) return; v = __shfl_xor_sync(0xffffffff, v, 1);");
    assert_int_equal(result.waits_for, 0);
    assert_int_equal(result.value.undefined & 0xfffff, 0);
    assert_int_equal(run("v / (lane - 3)").value.undefined, 0);
    assert_int_equal(run("int q = v / (lane - 3);").value.undefined, 1 << 3);
}

static void operators_are_those_of_c(void **state) {
    (void)state;
    static const struct {
        const char *code;
        int64_t of_lane_5;
    } expected[] = {
        {"int x = lane / 4 * 4 + 1;", 5},
        {"int x = 0xffu << (lane / 8 * 8);", 255},
        {"int x = lane % 2 ? 10 : 20;", 10},
        {"int x = -lane + ~0;", -6},
        {"int x = 1 + 2 * 3 << 1 == 14 && lane != 4;", 1},
        {"int x = 0 && 0 | 1;", 0}, /* 0 && (0 | 1) */
        {"int x = 1 || 0 && 0;", 1},
        {"int x = 6 ^ 3 & 1 | 8;", 15}, /* (6 ^ (3 & 1)) | 8 */
        {"int x = __popc(__ballot_sync(0xffffffff, lane > 20));", 11},
        {"int x = __ffs(lane) - 1;", 0},
        {"unsigned m = (1u << lane) - 1; int x = __popc(m);", 5},
        {"int x = 0; while (x < lane) x++;", 5},
        {"int x = (int)threadIdx.x; if (x == 5) x = 7; else x = 8;", 7},
        {"int x = min(max(lane, 7), 9);", 7},
        {"x -= 2;", 4}, /* x is the lane's input */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (run(expected[i].code).value.of[5] != expected[i].of_lane_5)
            fail_msg("%s: %lld", expected[i].code, (long long)run(expected[i].code).value.of[5]);
}

static void what_c_skips_is_not_run(void **state) {
    (void)state;
    assert_int_equal(run("int x = lane != 0 && 5 / lane == 1;").value.undefined, 0);
    assert_int_equal(run("int x = lane == 0 || 5 / lane == 1;").value.of[0], 1);
    assert_int_equal(run("int x = lane == 0 || 5 / lane == 1;").value.undefined, 0);
    assert_int_equal(run("int x = lane == 0 ? 7 : 5 / lane;").value.undefined, 0);
    struct snippet_result half = run("int x = lane < 16 ? __shfl_xor_sync(0xffff, v, 1) : 9;");
    assert_int_equal(half.called, 0xffff);
    assert_int_equal(half.value.of[5], 5);
    assert_int_equal(half.value.of[16], 9);
    assert_int_equal(half.value.undefined, 0);
    assert_int_equal(run("int x = lane < 16 && __any_sync(-1, 1);").waits_for, 0xffff0000);
}

static void an_assignment_divides_as_an_operator_does(void **state) {
    (void)state;
    assert_int_equal(run("v /= lane - 3;").value.undefined, 1 << 3);
    assert_int_equal(run("v %= 0;").value.undefined, 0xffffffff);
    assert_int_equal(run("s[lane] = v; s[lane] /= lane - 3; int x = s[lane];").value.undefined,
                     1 << 3);
}

static void a_negative_int_is_negative(void **state) {
    (void)state;
    struct warp_operation operation = start();
    operation.in[4] = (uint32_t)-5;
    assert_int_equal(run_from(operation, "int x = v < 0;").value.of[4], 1);
    assert_int_equal(run_from(operation, "int x = max(v, 1);").value.of[4], 1);
    assert_int_equal(run_from(operation, "int x = v / 2;").value.of[4], -2);
}

static void unreadable_code_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",     "v +",      "for (;;) v = 1;", "foo(1);", "y = z;",          "__shfl_sync(1)",
        "((((", "v = 1 2;", "if lane v = 1;",  "}",       "while (1) v = 1;"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct warp_operation operation = start();
        struct snippet_result result;
        struct error err = ERROR_INIT;
        if (snippet_run(bad[i], &operation, &result, &err) == 0)
            fail_msg("'%s' was read", bad[i]);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
    char deep[4096];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    struct warp_operation operation = start();
    struct snippet_result result;
    assert_int_equal(snippet_run(deep, &operation, &result, NULL), -1);
}

static struct question asked(const char *words, const char *code, const char *example) {
    struct question question;
    struct error err = ERROR_INIT;
    if (question_parse(&question, words, &err) != 0)
        fail_msg("%s", err.text);
    question.code[0] = code;
    question.example = example;
    return question;
}

static enum answer_verdict judged(const struct question *question, const char *typed) {
    struct warp_operation operation = start();
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&operation, outcome);
    return answer_judge((struct subject){&operation, outcome, 29, false}, question, typed, 0, NULL);
}

static void any_call_that_makes_the_picture_is_right(void **state) {
    (void)state;
    struct question call = asked("call", NULL, NULL);
    static const char *const right[] = {"down 3 16", "__shfl_down_sync(0xffffffff, value, 3, 16)",
                                        "down 35 16", "idx lane%16+3<16?lane+3:lane",
                                        "__shfl_sync(-1, v, lane % 16 < 13 ? lane + 3 : lane);"};
    static const char *const wrong[] = {"down 3", "down 3 8", "xor 3 16", "up 3 16",
                                        "__shfl_down_sync(0xffff, value, 3, 16)"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (judged(&call, right[i]) != ANSWER_RIGHT)
            fail_msg("%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (judged(&call, wrong[i]) != ANSWER_WRONG)
            fail_msg("%s", wrong[i]);
    assert_int_equal(judged(&call, "left 3"), ANSWER_UNREADABLE);
}

/* which.h finds the other calls that the reason names, and the judge accepts them. xor 3
 * swaps values within groups of four lanes, so every width from 4 on gives the same result. */
static void other_calls_with_the_picture_are_named(void **state) {
    (void)state;
    struct question call = asked("call", NULL, NULL);
    struct warp_operation operation = start();
    struct lane_outcome outcome[WARP_LANES];
    char reason[512];
    operation.op = WARP_OP_XOR;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = 3;
        operation.width[lane] = 16;
    }
    warp_outcome(&operation, outcome);
    const struct subject subject = {&operation, outcome, 29, false};
    code_reason(subject, &call, reason, sizeof reason);
    assert_non_null(strstr(reason, "The same picture: xor 3"));
    assert_int_equal(answer_judge(subject, &call, "xor 3", 0, NULL), ANSWER_RIGHT);
    assert_int_equal(answer_judge(subject, &call, "xor 3 4", 0, NULL), ANSWER_RIGHT);
    assert_int_equal(answer_judge(subject, &call, "xor 3 2", 0, NULL), ANSWER_WRONG);
}

static void blanks_and_choices(void **state) {
    (void)state;
    struct question blank =
        asked("blank sum in lane 0",
              "for (int o = ___; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);", "16");
    assert_int_equal(judged(&blank, "16"), ANSWER_RIGHT);
    assert_int_equal(judged(&blank, "warpSize / 2"), ANSWER_RIGHT);
    assert_int_equal(judged(&blank, "32"), ANSWER_WRONG); /* delta 32 is 0: each sum doubles */
    assert_int_equal(judged(&blank, "8"), ANSWER_WRONG);
    assert_int_equal(judged(&blank, ")"), ANSWER_UNREADABLE);
    struct question which = asked("which sum in all lanes of 8", NULL, NULL);
    which.code[0] = "for (int o = 4; o; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);";
    which.code[1] = "for (int o = 4; o; o /= 2) v += __shfl_down_sync(0xffffffff, v, o, 8);";
    which.code[2] = "for (int o = 1; o < 8; o *= 2) v += __shfl_xor_sync(0xffffffff, v, o, 8);";
    assert_int_equal(judged(&which, "a,c"), ANSWER_RIGHT);
    assert_int_equal(judged(&which, "C a"), ANSWER_RIGHT);
    assert_int_equal(judged(&which, "a"), ANSWER_WRONG);
    assert_int_equal(judged(&which, "d"), ANSWER_UNREADABLE);
}

static void shared_memory_needs_a_barrier(void **state) {
    (void)state;
    /* Lane 5 reads the value that lane 4 wrote, which is 5. */
    struct snippet_result good = run("s[lane] = v; __syncwarp(); int x = s[lane ^ 1];");
    assert_int_equal(good.value.of[5], 5);
    assert_int_equal(good.value.undefined, 0);
    /* Without a barrier a lane may read only its own cell, and a shuffle does not help. */
    assert_int_equal(run("s[lane] = v; int x = s[lane];").value.undefined, 0);
    assert_int_equal(run("s[lane] = v; int x = s[lane ^ 1];").value.undefined, 0xffffffff);
    assert_int_equal(
        run("s[lane] = v; int y = __shfl_xor_sync(-1, v, 1); int x = s[lane ^ 1];").value.undefined,
        0xffffffff);
    /* A cell is never written, is written by several lanes, or may still be read by another. */
    assert_int_equal(run("int x = s[lane];").value.undefined, 0xffffffff);
    assert_int_equal(run("s[0] = v; __syncwarp(); int x = s[0];").value.undefined, 0xffffffff);
    assert_int_equal(run("s[0] = 7; __syncwarp(); int x = s[0];").value.undefined, 0xffffffff);
    assert_int_equal(run("if (lane == 0) s[0] = v; __syncwarp(); int x = s[0];").value.undefined,
                     0);
    const char *rounds = "s[lane] = v; for (int o = 16; o > 0; o /= 2) { __syncwarp(); "
                         "if (lane < o) s[lane] += s[lane + o]; } v = s[0];";
    assert_int_equal(run(rounds).value.of[0], 528);
    assert_int_equal(run(rounds).value.undefined & 1, 0); /* lane 0 reads its own write */
    assert_int_equal(run(rounds).value.undefined & 2, 2);
    assert_int_equal(
        run("s[lane] = v; __syncwarp(); int x = s[lane ^ 1]; s[lane] = x;").value.undefined,
        0xffffffff);
    assert_int_equal(run("s[lane] = v; __syncwarp(); int x = s[lane ^ 1]; __syncwarp(); "
                         "s[lane] = x; x = s[lane];")
                         .value.undefined,
                     0);
    /* Lanes in another branch do not reach a __syncwarp() that names all lanes. */
    assert_int_equal(run("if (lane < 16) __syncwarp();").waits_for, 0xffff0000);
    assert_int_equal(run("if (lane < 16) { s[lane] = v; __syncwarp(0xffff); v = s[15 - lane]; }")
                         .value.undefined,
                     0);
    assert_int_equal(run("int x = s[lane + 60];").value.undefined,
                     0xffffffff); /* cells from 64 on do not exist */
}

static void tiles_supply_mask_and_width(void **state) {
    (void)state;
    /* Groups of 16, as in the recorded call: 1 + ... + 16 = 136, 17 + ... + 32 = 392. */
    struct snippet_result tree = run("for (int d = 8; d > 0; d /= 2) v += tile.shfl_down(v, d);");
    assert_int_equal(tree.value.of[0], 136);
    assert_int_equal(tree.value.of[16], 392);
    assert_int_equal(tree.value.undefined, 0);
    assert_int_equal(run("tile.shfl(v, 2)").value.of[20], 19);
    /* A tile does not make absent lanes call. */
    assert_int_equal(run("if (lane % 16 < 8) v += tile.shfl_down(v, 8);").waits_for, 0xff00ff00);
}

/* A tile's width must be valid for a shuffle; a recording may hold any number. */
static void tiles_need_a_width(void **state) {
    static const int32_t none[] = {0, -1, 33, 64, INT32_MAX, INT32_MIN};
    static const char *const codes[] = {"tile.shfl_down(v, 1)", "v = width;"};
    struct snippet_result result;
    struct error err = ERROR_INIT;
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none + WARP_OP_COUNT; i++) {
        struct warp_operation at = start();
        if (i < WARP_OP_COUNT) {
            at.op = (enum warp_op)i;
            if (warp_op_info(at.op)->is_shuffle)
                continue;
        }
        for (int lane = 0; lane < WARP_LANES; lane++)
            at.width[lane] = i < WARP_OP_COUNT ? 0 : none[i - WARP_OP_COUNT];
        for (size_t code = 0; code < sizeof codes / sizeof *codes; code++) {
            assert_int_equal(snippet_run(codes[code], &at, &result, &err), -1);
            assert_non_null(strstr(err.text, "width"));
        }
    }
}

static void further_aims(void **state) {
    (void)state;
    struct question number = asked("blank number 10", "int shuffles = ___;", "10");
    assert_int_equal(judged(&number, "10"), ANSWER_RIGHT);
    assert_int_equal(judged(&number, "5 * 2"), ANSWER_RIGHT);
    assert_int_equal(judged(&number, "5"), ANSWER_WRONG);
    struct question result = asked("which result", NULL, NULL);
    result.code[0] = "s[lane] = v; __syncwarp(); int x = s[lane % 16 < 13 ? lane + 3 : lane];";
    result.code[1] = "s[lane] = v; int x = s[lane % 16 < 13 ? lane + 3 : lane];";
    result.code[2] = "int x = __shfl_down_sync(0xffffffff, v, 3, 16);";
    assert_int_equal(judged(&result, "a,c"), ANSWER_RIGHT);

    /* 0 1 2 3, repeated: the largest is 3, and the lowest lane that has it is 3. */
    struct warp_operation operation = start();
    struct snippet_aim aim;
    bool right;
    char why[SNIPPET_WHY];
    for (int lane = 0; lane < WARP_LANES; lane++)
        operation.in[lane] = (uint64_t)lane % 4;
    assert_true(snippet_aim_parse(&aim, "argmax in all lanes"));
    static const char *const with_rule =
        "int i = lane; for (int o = 16; o; o /= 2) { int ov = __shfl_xor_sync(-1, v, o); "
        "int oi = __shfl_xor_sync(-1, i, o); if (ov > v || (ov == v && oi < i)) { v = ov; i = oi; "
        "} }";
    static const char *const without =
        "int i = lane; for (int o = 16; o; o /= 2) { int ov = __shfl_xor_sync(-1, v, o); "
        "int oi = __shfl_xor_sync(-1, i, o); if (ov > v) { v = ov; i = oi; } }";
    assert_int_equal(snippet_judge(with_rule, &operation, &aim, &right, why, NULL), 0);
    assert_true(right);
    assert_int_equal(snippet_judge(without, &operation, &aim, &right, why, NULL), 0);
    assert_false(right);
    /* A lane that returned holds nothing: 0 1 2 3 four times is 24. */
    assert_true(snippet_aim_parse(&aim, "sum in lane 0 of 16"));
    static const char *const returns =
        "if (lane >= 16) return; for (int o = 8; o; o /= 2) v += __shfl_down_sync(-1, v, o);";
    assert_int_equal(snippet_judge(returns, &operation, &aim, &right, why, NULL), 0);
    assert_true(right);
    static const char *const no_aims[] = {"number", "number x", "number 1 2", "result in lane 0"};
    for (size_t i = 0; i < sizeof no_aims / sizeof *no_aims; i++)
        assert_false(snippet_aim_parse(&aim, no_aims[i]));
}

static void impossible_questions_are_refused(void **state) {
    (void)state;
    struct warp_operation operation = start();
    struct lane_outcome outcome[WARP_LANES];
    struct answer answer;
    struct error err = ERROR_INIT;
    warp_outcome(&operation, outcome);
    struct subject subject = {&operation, outcome, 29, false};
    struct question none = asked("blank sum in lane 0", "v += 1;", "1");
    assert_int_equal(answer_of(subject, &none, &answer, &err), -1);
    struct question wrong = asked("blank picture", "__shfl_down_sync(-1, v, ___, 16)", "4");
    assert_int_equal(answer_of(subject, &wrong, &answer, &err), -1);
    assert_non_null(strstr(err.text, "lane 0 would get 5; in the picture it gets 4"));
    struct question line = asked("wrong line", NULL, NULL);
    assert_int_equal(answer_of(subject, &line, &answer, &err), -1);
    operation.members = operation.present = 0xffff; /* lanes 13-15 are out of range; all defined */
    operation.width[0] = 32;
    for (int lane = 0; lane < 16; lane++)
        operation.width[lane] = 32; /* now 13-15 read 16-18, which do not call */
    warp_outcome(&operation, outcome);
    assert_int_equal(answer_of(subject, &line, &answer, &err), 0);
    assert_int_equal(answer_judge(subject, &line, "29", 0, NULL), ANSWER_RIGHT);
    assert_int_equal(answer_judge(subject, &line, "28", 0, NULL), ANSWER_WRONG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_a_warp),
        cmocka_unit_test(scans),
        cmocka_unit_test(a_lane_without_a_call_gets_nothing),
        cmocka_unit_test(the_active_lanes_are_a_mask),
        cmocka_unit_test(calls_take_the_arguments_of_cuda),
        cmocka_unit_test(undefined_values_are_followed),
        cmocka_unit_test(operators_are_those_of_c),
        cmocka_unit_test(what_c_skips_is_not_run),
        cmocka_unit_test(an_assignment_divides_as_an_operator_does),
        cmocka_unit_test(a_negative_int_is_negative),
        cmocka_unit_test(unreadable_code_is_refused),
        cmocka_unit_test(any_call_that_makes_the_picture_is_right),
        cmocka_unit_test(other_calls_with_the_picture_are_named),
        cmocka_unit_test(blanks_and_choices),
        cmocka_unit_test(shared_memory_needs_a_barrier),
        cmocka_unit_test(tiles_supply_mask_and_width),
        cmocka_unit_test(tiles_need_a_width),
        cmocka_unit_test(further_aims),
        cmocka_unit_test(impossible_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
