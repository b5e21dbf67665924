/* Shuffles that give lanes the values of others, and the arithmetic of snippets, worked out by
 * hand. */
#include "explain/snippet/snippet_numbers.h"
#include "explain/which.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void requests_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int lane, source, other, of;
    } cases[] = {
        {"5<12, 6<13", 5, 12, 6, 13}, {" 0 < 31 ,31<0 ", 0, 31, 31, 0}, {"7<7,7<7", 7, 7, 7, 7},
        {"007<010", 7, 10, 7, 10},    {"30<1,29<2", 30, 1, 29, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct which_request request = {.width = 8};
        struct error err = ERROR_INIT;
        assert_int_equal(which_parse(&request, cases[i].text, &err), 0);
        assert_int_equal(request.width, 8);
        for (int lane = 0; lane < WARP_LANES; lane++)
            assert_int_equal(request.source[lane], lane == cases[i].lane    ? cases[i].source
                                                   : lane == cases[i].other ? cases[i].of
                                                                            : -1);
    }
    static const char *const wrong[] = {
        "",     " ",    "5",    "5<",   "<5",    "5<12,",  "5<12x", "5<12;6",      "-1<0",
        "32<0", "0<32", "5>12", "5 12", "0<1,,", "0<1 2<", "0<100", "4294967296<0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct which_request request = {.width = 0};
        struct error err = ERROR_INIT;
        if (which_parse(&request, wrong[i], &err) == 0)
            fail_msg("'%s'", wrong[i]);
        assert_non_null(strstr(err.text, "does not say which lane gets which lane's value"));
    }
    struct which_request request = {.width = 0};
    struct error err = ERROR_INIT;
    assert_int_not_equal(which_parse(&request, "0<1,0<2", &err), 0);
    assert_string_equal(err.text, "lane 0 cannot get the values of both lane 1 and lane 2");
}

enum pattern { SAME, SWAPPED, FIRST, REVERSED, ROTATED_16, TRANSPOSED, BITS_REVERSED };

static int source_of(enum pattern pattern, int lane) {
    switch (pattern) {
    case SAME:
        return lane;
    case SWAPPED:
        return lane ^ 1;
    case FIRST:
        return 0;
    case REVERSED:
        return 31 - lane;
    case ROTATED_16:
        return lane / 16 * 16 + (lane + 1) % 16;
    case TRANSPOSED:
        return lane % 4 * 8 + lane / 4;
    default:
        return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | lane >> 4;
    }
}

static void calls_are_found(void **state) {
    (void)state;
    static const struct {
        enum pattern pattern;
        const char *command, *code, *widths; /* of the simplest call */
        unsigned bits;
        size_t count; /* 0: any */
        const char *reason;
    } cases[] = {
        /* up, down and xor by 0, and idx 0 in groups of one */
        {SAME, "up --delta 0", "up 0", "16 8 4 2 1", 63, 4, ""},
        {SWAPPED, "xor --mask 1", "xor 1", "16 8 4 2", 62, 0, ""},
        {FIRST, "idx --src 0", "idx 0", "", 32, 0, ""},
        {REVERSED, "xor --mask 31", "xor 31", "", 32, 0, ""},
        {ROTATED_16, "idx --src 'lane + 1' --width 16", "__shfl_sync(mask, value, lane + 1, 16)",
         "", 16, 1,
         "No call with the same argument in all lanes gives this. Nearest: down --delta 1, but "
         "lane 15 would get the value of lane 16."},
        {TRANSPOSED, "idx --src 'lane % 4 * 8 + lane / 4'",
         "__shfl_sync(mask, value, lane % 4 * 8 + lane / 4)", "", 32, 1, NULL},
        {BITS_REVERSED,
         "idx --src '0,16,8,24,4,20,12,28,2,18,10,26,6,22,14,30,"
         "1,17,9,25,5,21,13,29,3,19,11,27,7,23,15,31'",
         NULL, "", 32, 1, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct which_request request = {.width = 0};
        struct which which;
        struct text text = TEXT_INIT;
        for (int lane = 0; lane < WARP_LANES; lane++)
            request.source[lane] = (int8_t)source_of(cases[i].pattern, lane);
        which_find(&which, &request);
        assert_true(which.count > 0);
        if (cases[i].count > 0)
            assert_int_equal(which.count, cases[i].count);
        assert_int_equal(which.beyond, -1);
        for (size_t k = 0; k < which.count; k++) /* all read these lanes */
            assert_memory_equal(which.calls[k].source, request.source, sizeof request.source);
        assert_int_equal(which.calls[0].widths, cases[i].bits);
        which_append_command(&which.calls[0], &text);
        assert_string_equal(text.data, cases[i].command);
        text_clear(&text);
        if (cases[i].code) {
            which_append_code(&which.calls[0], &text);
            assert_string_equal(text.data, cases[i].code);
            text_clear(&text);
        }
        text_append_char(&text, '.');
        which_append_widths(&which.calls[0], &text);
        assert_string_equal(text.data + 1, cases[i].widths);
        text_clear(&text);
        text_append_char(&text, '.');
        which_append_reason(&which, &request, &text);
        if (cases[i].reason)
            assert_string_equal(text.data + 1, cases[i].reason);
        text_release(&text);
        which_release(&which);
        assert_null(which.calls);
    }
}

/* A group can read itself and, by xor, the groups before it. */
static void no_later_group(void **state) {
    (void)state;
    for (int width = 1; width < WARP_LANES; width *= 2) {
        struct which_request request = {.width = width};
        struct which which;
        struct text text = TEXT_INIT;
        char expected[160];
        memset(request.source, -1, sizeof request.source);
        request.source[width - 1] = (int8_t)width;
        which_find(&which, &request);
        assert_int_equal(which.count, 0);
        assert_int_equal(which.beyond, width - 1);
        snprintf(expected, sizeof expected,
                 "No shuffle of width %d can give this: lane %d would have to read lane %d, which "
                 "is in a later group.",
                 width, width - 1, width);
        which_append_reason(&which, &request, &text);
        assert_string_equal(text.data, expected);
        text_release(&text);
        which_release(&which);
        request.source[width - 1] = -1;
        request.source[width] = 0; /* in an earlier group */
        which_find(&which, &request);
        assert_true(which.count > 0);
        for (size_t i = 0; i < which.count; i++) {
            assert_int_equal(which.calls[i].op, WARP_OP_XOR);
            assert_int_equal(which.calls[i].widths, width);
            assert_int_equal(which.calls[i].source[width], 0);
        }
        which_release(&which);
    }
}

/* C's int: 32 bits that wrap; a shift uses the low five bits. */
static void numbers_behave_as_in_c(void **state) {
    (void)state;
    static const struct {
        const char *sign;
        int64_t x, y, is;
    } cases[] = {
        {"|", 5, 2, 7},
        {"^", 7, 2, 5},
        {"&", 6, 3, 2},
        {"<", 1, 2, 1},
        {"<", 2, 2, 0},
        {">", 2, 1, 1},
        {">", 2, 2, 0},
        {"+", 2, 3, 5},
        {"-", 2, 3, -1},
        {"*", 6, 7, 42},
        {"/", 7, 2, 3},
        {"/", -7, 2, -3},
        {"/", 7, 0, 0},
        {"%", 7, 3, 1},
        {"%", -7, 3, -1},
        {"%", 7, 0, 0},
        {"/", 7, 1, 7},
        {"%", 7, 1, 0},
        {"||", 0, 0, 0},
        {"||", 0, 2, 1},
        {"||", 2, 0, 1},
        {"&&", 2, 0, 0},
        {"&&", 2, 4, 1},
        {"==", 3, 3, 1},
        {"==", 3, 4, 0},
        {"!=", 3, 3, 0},
        {"!=", 3, 4, 1},
        {"<=", 3, 3, 1},
        {"<=", 4, 3, 0},
        {"<=", 2, 3, 1},
        {">=", 3, 3, 1},
        {">=", 2, 3, 0},
        {">=", 4, 3, 1},
        {"<<", 1, 4, 16},
        {"<<", 1, 31, INT32_MIN},
        {"<<", 3, 33, 6},
        {">>", 16, 4, 1},
        {">>", 6, 33, 3},
        {"+", INT32_MAX, 1, INT32_MIN},
        {"-", INT32_MIN, 1, INT32_MAX},
        {"*", 65536, 65536, 0},
        {"*", 65536, 32768, INT32_MIN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (snippet_compute(c_operator_at(cases[i].sign)->operation, cases[i].x, cases[i].y) !=
            cases[i].is)
            fail_msg("%d %s %d", (int)cases[i].x, cases[i].sign, (int)cases[i].y);
    assert_int_equal(snippet_as_int(INT64_C(0x180000000)), (int64_t)INT32_MIN);
    assert_int_equal(snippet_as_int(0xffffffff), -1);
}

static void numbers_of_lanes(void **state) {
    (void)state;
    struct snippet_values a = snippet_lane_numbers(), b = snippet_constant(9);
    a.undefined = 0x10;
    b.undefined = 0x81;
    const struct snippet_values most = snippet_lanewise("max", &a, &b);
    const struct snippet_values least = snippet_lanewise("min", &a, &b);
    const struct snippet_values bits = snippet_lanewise("__popc", &a, &b);
    const struct snippet_values first = snippet_lanewise("__ffs", &a, &b);
    assert_int_equal(most.undefined, 0x91);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int count = 0, lowest = 0;
        for (int bit = 4; bit >= 0; bit--)
            if (lane & 1 << bit) {
                count++;
                lowest = bit + 1;
            }
        assert_int_equal(a.of[lane], lane);
        assert_int_equal(b.of[lane], 9);
        assert_int_equal(most.of[lane], lane > 9 ? lane : 9);
        assert_int_equal(least.of[lane], lane < 9 ? lane : 9);
        assert_int_equal(bits.of[lane], count);
        assert_int_equal(first.of[lane], lowest);
    }
    for (int width = 1; width <= WARP_LANES; width *= 2) {
        const struct snippet_values widths = snippet_constant(width);
        const struct snippet_values members = snippet_tile_members(&widths);
        for (int lane = 0; lane < WARP_LANES; lane++) {
            uint32_t tile = 0;
            for (int other = 0; other < WARP_LANES; other++)
                tile |= (uint32_t)(other / width == lane / width) << other;
            assert_int_equal(members.of[lane], tile);
        }
        assert_int_equal(members.undefined, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_read), cmocka_unit_test(calls_are_found),
        cmocka_unit_test(no_later_group),    cmocka_unit_test(numbers_behave_as_in_c),
        cmocka_unit_test(numbers_of_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
