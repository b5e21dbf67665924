/*
 * The lane arithmetic of shuffles, over every operation, width, argument and lane, against two
 * oracles: plain-language rules over segments, and the PTX ISA's pseudo-code; also against tables
 * written by hand.
 */
#include "warp/warp.h"

#include "support.h"

#include <stdio.h>

static const enum warp_op shuffles[] = {WARP_OP_IDX, WARP_OP_UP, WARP_OP_DOWN, WARP_OP_XOR};

struct answer {
    int group, target, source;
    bool in_range;
};

/* ---- oracle 1: the meaning of the rules, for the widths that are defined ---- */

/* Five bits of the argument count: -1 is 31, 32 is 0. */
static int wrapped(int arg) {
    int remainder = arg % 32;
    return remainder < 0 ? remainder + 32 : remainder;
}

/* Each bit that is set in the mask swaps neighbours at that distance. */
static int partner(int lane, int mask) {
    for (int distance = 1; distance < 32; distance *= 2)
        if (mask / distance % 2)
            lane += lane / distance % 2 ? -distance : distance;
    return lane;
}

static struct answer plain_answer(enum warp_op op, int lane, int arg, int width) {
    int group = lane / width;
    int first = group * width, last = first + width - 1;
    int n = wrapped(arg);
    struct answer answer = {.group = group};
    switch (op) {
    case WARP_OP_IDX: /* counts from the group's first lane and wraps inside the group */
        answer.target = first + n % width;
        answer.in_range = true;
        break;
    case WARP_OP_UP: /* stops at the group's first lane */
        answer.target = lane - n;
        answer.in_range = answer.target >= first;
        break;
    case WARP_OP_DOWN: /* stops at the group's last lane */
        answer.target = lane + n;
        answer.in_range = answer.target <= last;
        break;
    default: /* its own group and earlier ones may be read, later ones may not */
        answer.target = partner(lane, n);
        answer.in_range = answer.target / width <= group;
        break;
    }
    answer.source = answer.in_range ? answer.target : lane;
    return answer;
}

/* ---- oracle 2: the pseudo-code of the PTX ISA, for every width ---- */

static struct answer ptx_answer(enum warp_op op, int laneid, int b, int width, int *min, int *max) {
    unsigned c = (unsigned)(32 - width) << 8;
    if (op != WARP_OP_UP)
        c |= 0x1f;

    int lane = laneid & 0x1f;
    int bval = b & 0x1f;
    int cval = (int)(c & 0x1f);
    int mask = (int)((c >> 8) & 0x1f);
    int maxLane = (lane & mask) | (cval & ~mask);
    int minLane = (lane & mask);
    int j, pval;
    switch (op) {
    case WARP_OP_UP:
        j = lane - bval;
        pval = (j >= maxLane);
        break;
    case WARP_OP_DOWN:
        j = lane + bval;
        pval = (j <= maxLane);
        break;
    case WARP_OP_XOR:
        j = lane ^ bval;
        pval = (j <= maxLane);
        break;
    default:
        j = minLane | (bval & ~mask);
        pval = (j <= maxLane);
        break;
    }
    *min = minLane;
    *max = maxLane;
    struct answer answer = {.target = j, .in_range = pval, .source = pval ? j : lane};
    return answer;
}

/* ---- exhaustive ---- */

static void check_answer(enum warp_op op, int lane, int arg, int width,
                         const struct answer *expected) {
    struct shuffle_address address = shuffle_address(op, lane, arg, width);
    if (address.group != expected->group || address.target != expected->target ||
        address.in_range != expected->in_range || address.source != expected->source)
        fail_msg("%s width %d arg %d lane %d: group %d target %d in range %d source %d, expected "
                 "%d %d %d %d",
                 warp_op_info(op)->name, width, arg, lane, address.group, address.target,
                 address.in_range, address.source, expected->group, expected->target,
                 expected->in_range, expected->source);
}

static void test_defined_widths_follow_the_plain_rules(void **state) {
    (void)state;
    for (int o = 0; o < 4; o++)
        for (int width = 1; width <= 32; width *= 2)
            for (int arg = -64; arg <= 95; arg++)
                for (int lane = 0; lane < 32; lane++) {
                    struct answer expected = plain_answer(shuffles[o], lane, arg, width);
                    check_answer(shuffles[o], lane, arg, width, &expected);
                }
}

/* The number of different first lanes, over all 32 lanes, that are smaller than this lane's. */
static int group_by_counting(enum warp_op op, int lane, int width) {
    bool seen[32] = {false};
    int own, max, other, below = 0;
    ptx_answer(op, lane, 0, width, &own, &max);
    for (int l = 0; l < 32; l++) {
        ptx_answer(op, l, 0, width, &other, &max);
        if (other < own && !seen[other]) {
            seen[other] = true;
            below++;
        }
    }
    return below;
}

static void check_width_against_ptx(int width) {
    for (int o = 0; o < 4; o++)
        for (int lane = 0; lane < 32; lane++) {
            int group = group_by_counting(shuffles[o], lane, width);
            for (int arg = -64; arg <= 95; arg++) {
                int min, max;
                struct answer expected = ptx_answer(shuffles[o], lane, arg, width, &min, &max);
                expected.group = group;
                check_answer(shuffles[o], lane, arg, width, &expected);
                struct shuffle_address address = shuffle_address(shuffles[o], lane, arg, width);
                assert_int_equal(address.min_lane, min);
                assert_int_equal(address.max_lane, max);
                assert_int_equal(address.bval, wrapped(arg));
            }
        }
}

static void test_every_width_follows_the_ptx_pseudo_code(void **state) {
    (void)state;
    for (int width = -3; width <= 70; width++)
        check_width_against_ptx(width);
}

static void test_extreme_arguments_and_widths(void **state) {
    (void)state;
    static const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, -33, 96, INT32_MAX};
    for (size_t w = 0; w < 5; w++)
        for (size_t a = 0; a < 5; a++)
            for (int o = 0; o < 4; o++)
                for (int lane = 0; lane < 32; lane++) {
                    struct shuffle_address address =
                        shuffle_address(shuffles[o], lane, extremes[a], extremes[w]);
                    assert_in_range(address.source, 0, 31);
                    assert_in_range(address.group, 0, 31);
                    assert_int_equal(address.bval, wrapped(extremes[a]));
                }
    /* 2^31 - 1 is 31 modulo 32, and -2^31 is 0. */
    assert_int_equal(shuffle_address(WARP_OP_IDX, 0, INT32_MAX, 32).source, 31);
    assert_int_equal(shuffle_address(WARP_OP_IDX, 9, INT32_MIN, 32).source, 0);
}

static void test_operands_of_the_instruction(void **state) {
    (void)state;
    assert_int_equal(shuffle_ptx_c(WARP_OP_IDX, 32), 0x001f);
    assert_int_equal(shuffle_ptx_c(WARP_OP_UP, 32), 0x0000);
    assert_int_equal(shuffle_ptx_c(WARP_OP_XOR, 16), 0x101f);
    assert_int_equal(shuffle_ptx_c(WARP_OP_UP, 8), 0x1800);
    assert_int_equal(shuffle_ptx_c(WARP_OP_DOWN, 1), 0x1f1f);
    assert_int_equal(shuffle_ptx_c(WARP_OP_DOWN, 12), 0x141f);
}

static void test_six_widths_are_defined(void **state) {
    (void)state;
    for (int width = -70; width <= 70; width++) {
        bool defined =
            width == 1 || width == 2 || width == 4 || width == 8 || width == 16 || width == 32;
        assert_int_equal(warp_width_is_defined(width), defined);
    }
    assert_false(warp_width_is_defined(INT32_MIN));
}

/* ---- tables written by hand ---- */

#define OWN 100 /* added to a source: out of range, the lane's own value */

struct vector {
    enum warp_op op;
    int arg, width;
    int source[32];
};

static const struct vector vectors[] = {
    {WARP_OP_XOR, 3, 16, {3,  2,  1,  0,  7,  6,  5,  4,  11, 10, 9,  8,  15, 14, 13, 12,
                          19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28}},
    {WARP_OP_XOR, 3, 32, {3,  2,  1,  0,  7,  6,  5,  4,  11, 10, 9,  8,  15, 14, 13, 12,
                          19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28}},
    {WARP_OP_XOR, 16, 16, {OWN + 0,  OWN + 1,  OWN + 2, OWN + 3,  OWN + 4,  OWN + 5,  OWN + 6,
                           OWN + 7,  OWN + 8,  OWN + 9, OWN + 10, OWN + 11, OWN + 12, OWN + 13,
                           OWN + 14, OWN + 15, 0,       1,        2,        3,        4,
                           5,        6,        7,       8,        9,        10,       11,
                           12,       13,       14,      15}},
    {WARP_OP_XOR, 12, 8, {OWN + 0,  OWN + 1,  OWN + 2,  OWN + 3,  OWN + 4,  OWN + 5,  OWN + 6,
                          OWN + 7,  4,        5,        6,        7,        0,        1,
                          2,        3,        OWN + 16, OWN + 17, OWN + 18, OWN + 19, OWN + 20,
                          OWN + 21, OWN + 22, OWN + 23, 20,       21,       22,       23,
                          16,       17,       18,       19}},
    {WARP_OP_DOWN, 3, 16, {3,  4,  5,  6,  7,  8,        9,        10,
                           11, 12, 13, 14, 15, OWN + 13, OWN + 14, OWN + 15,
                           19, 20, 21, 22, 23, 24,       25,       26,
                           27, 28, 29, 30, 31, OWN + 29, OWN + 30, OWN + 31}},
    {WARP_OP_UP, 3, 16, {OWN + 0,  OWN + 1,  OWN + 2,  0,  1,  2,  3,  4,
                         5,        6,        7,        8,  9,  10, 11, 12,
                         OWN + 16, OWN + 17, OWN + 18, 16, 17, 18, 19, 20,
                         21,       22,       23,       24, 25, 26, 27, 28}},
    {WARP_OP_IDX, 5, 16, {5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,  5,
                          21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21}},
    {WARP_OP_IDX, 17, 16, {1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,
                           17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17, 17}},
    {WARP_OP_IDX, 20, 16, {4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,
                           20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20}},
    {WARP_OP_DOWN, 16, 32, {16,       17,       18,       19,       20,       21,       22,
                            23,       24,       25,       26,       27,       28,       29,
                            30,       31,       OWN + 16, OWN + 17, OWN + 18, OWN + 19, OWN + 20,
                            OWN + 21, OWN + 22, OWN + 23, OWN + 24, OWN + 25, OWN + 26, OWN + 27,
                            OWN + 28, OWN + 29, OWN + 30, OWN + 31}},
    {WARP_OP_DOWN, 33, 32, {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
                            17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, OWN + 31}},
    {WARP_OP_UP, 40, 8, {OWN + 0,  OWN + 1,  OWN + 2,  OWN + 3,  OWN + 4,  OWN + 5,  OWN + 6,
                         OWN + 7,  OWN + 8,  OWN + 9,  OWN + 10, OWN + 11, OWN + 12, OWN + 13,
                         OWN + 14, OWN + 15, OWN + 16, OWN + 17, OWN + 18, OWN + 19, OWN + 20,
                         OWN + 21, OWN + 22, OWN + 23, OWN + 24, OWN + 25, OWN + 26, OWN + 27,
                         OWN + 28, OWN + 29, OWN + 30, OWN + 31}},
    /* 32 is 0 in five bits: every lane reads itself, in range. */
    {WARP_OP_DOWN, 32, 32, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
    {WARP_OP_IDX, -1, 32, {31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31,
                           31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31}},
};

static void test_tables_written_by_hand(void **state) {
    (void)state;
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++)
        for (int lane = 0; lane < 32; lane++) {
            const struct vector *vector = &vectors[v];
            struct shuffle_address address =
                shuffle_address(vector->op, lane, vector->arg, vector->width);
            int expected = vector->source[lane];
            if (address.source + (address.in_range ? 0 : OWN) != expected)
                fail_msg("%s %d width %d lane %d: source %d in range %d",
                         warp_op_info(vector->op)->name, vector->arg, vector->width, lane,
                         address.source, address.in_range);
        }
}

/* ---- the table of operations ---- */

static void test_every_operation_is_named(void **state) {
    (void)state;
    for (int op = 0; op < WARP_OP_COUNT; op++) {
        const struct warp_op_info *info = warp_op_info((enum warp_op)op);
        assert_non_null(info);
        assert_non_null(info->name);
        assert_non_null(info->intrinsic);
        assert_int_equal(info->is_shuffle, op <= WARP_OP_XOR);
        for (int other = 0; other < op; other++)
            assert_string_not_equal(info->name, warp_op_info((enum warp_op)other)->name);
    }
    assert_null(warp_op_info(WARP_OP_COUNT));
    assert_string_equal(warp_op_info(WARP_OP_IDX)->intrinsic, "__shfl_sync");
    assert_string_equal(warp_op_info(WARP_OP_UP)->argument, "delta");
    assert_string_equal(warp_op_info(WARP_OP_XOR)->argument, "laneMask");
    assert_null(warp_op_info(WARP_OP_BALLOT)->argument);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defined_widths_follow_the_plain_rules),
        cmocka_unit_test(test_every_width_follows_the_ptx_pseudo_code),
        cmocka_unit_test(test_extreme_arguments_and_widths),
        cmocka_unit_test(test_operands_of_the_instruction),
        cmocka_unit_test(test_six_widths_are_defined),
        cmocka_unit_test(test_tables_written_by_hand),
        cmocka_unit_test(test_every_operation_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
