/*
 * The calls that give lanes the values of other lanes. The effect of each call found is compared
 * with a run of the command that it names; the calls that must be found are worked out by hand.
 */
#include "explain/which.h"
#include "launch/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct which found_for(const char *text, int width, struct which_request *request) {
    struct which which;
    struct error err = ERROR_INIT;
    request->width = width;
    if (which_parse(request, text, &err) != 0)
        fail_msg("%s", err.text);
    which_find(&which, request);
    return which;
}

/* The commands, one per line, with the other widths in brackets. */
static void lists(const char *text, int width, const char *expected) {
    struct which_request request;
    struct which which = found_for(text, width, &request);
    struct text all = TEXT_INIT;
    for (size_t i = 0; i < which.count; i++) {
        struct text widths = TEXT_INIT;
        which_append_command(&which.calls[i], &all);
        which_append_widths(&which.calls[i], &widths);
        if (widths.length)
            text_append_format(&all, " (%s)", widths.data);
        text_append_char(&all, '\n');
        text_release(&widths);
    }
    assert_string_equal(all.data, expected);
    text_release(&all);
    which_release(&which);
}

/* 12 is 5 + 7 and 5 ^ 9; 13 is 6 + 7, but 6 ^ 11. So with a single argument only down fits. It also
 * fits at width 16, where lanes 5 and 6 and their sources are in one group, but other lanes get
 * something else. The source `lane + 7` rotates. 5 | 3 and 6 | 3 are 7; so are 5 | 7 and 6 | 7. */
static void all_solutions_are_found(void **state) {
    (void)state;
    lists("5<12, 6<13", 0,
          "down --delta 7\n"
          "down --delta 7 --width 16\n"
          "idx --src 'lane + 7'\n"
          "down --delta 'lane | 3'\n"
          "down --delta 'lane | 7'\n"
          "idx --src 'lane + 7' --width 16\n"
          "down --delta 'lane | 3' --width 16\n"
          "down --delta 'lane | 7' --width 16\n");
}

/* Lanes 25 and up have no lane 7 places on; at width 16, neither do lanes 9 and up of each group;
 * idx is never out of range. */
static void lanes_out_of_range_are_named(void **state) {
    (void)state;
    struct which_request request;
    struct which which = found_for("5<12, 6<13", 0, &request);
    assert_int_equal(which.calls[0].own, 0xfe000000);
    assert_int_equal(which.calls[1].own, 0xfe00fe00);
    assert_int_equal(which.calls[2].op, WARP_OP_IDX);
    assert_int_equal(which.calls[2].own, 0);
    which_release(&which);
}

static void one_lane_has_many_ways(void **state) {
    (void)state;
    struct which_request request;
    struct which which = found_for("5<12", 0, &request);
    struct text first[3] = {TEXT_INIT, TEXT_INIT, TEXT_INIT};
    assert_true(which.count > 3);
    for (int i = 0; i < 3; i++)
        which_append_command(&which.calls[i], &first[i]);
    assert_string_equal(first[0].data, "down --delta 7");
    assert_string_equal(first[1].data, "xor --mask 9");
    assert_string_equal(first[2].data, "idx --src 12");
    for (int i = 0; i < 3; i++)
        text_release(&first[i]);
    which_release(&which);
}

/* Lanes 5 and 6 swap values, and lane 7 keeps its own: 5 ^ 6 is 3, and 7 ^ 3 is 4. Expressions are
 * still listed. */
static void without_a_match_the_nearest_is_named(void **state) {
    (void)state;
    struct which_request request;
    struct which which = found_for("5<6, 6<5, 7<7", 0, &request);
    struct text reason = TEXT_INIT;
    assert_true(which.has_nearest);
    assert_int_equal(which.given, 2);
    assert_true(which.count > 0);
    which_append_reason(&which, &request, &reason);
    assert_non_null(strstr(reason.data, "Nearest: xor --mask 3, but lane 7 would get the value of "
                                        "lane 4."));
    text_release(&reason);
    which_release(&which);
}

/* Sources without a pattern are written out. */
static void unordered_sources_are_written_out(void **state) {
    (void)state;
    lists("0<9, 1<4, 2<30, 3<17", 0,
          "idx --src 'lane == 0 ? 9 : lane == 1 ? 4 : lane == 2 ? 30 : lane == 3 ? 17 : lane'\n");
}

/* For every kind, one expression that nothing simpler can replace: it is found in whatever form it
 * is written. */
static void every_kind_of_expression_is_found(void **state) {
    (void)state;
    for (int k = 2; k < WARP_LANES; k++)
        for (int kind = 0; kind < 10; kind++) {
            struct which_request request = {.width = WARP_LANES};
            struct which which;
            for (int lane = 0; lane < WARP_LANES; lane++) {
                const int of[10] = {lane + k,       k - lane,        lane * k, lane / k,
                                    lane % k,       lane & k,        lane | k, lane / k * k,
                                    (lane ^ k) * 3, lane % k * 2 + 1};
                request.source[lane] =
                    (int8_t)shuffle_address(WARP_OP_IDX, lane, of[kind], WARP_LANES).source;
            }
            which_find(&which, &request);
            assert_true(which.count > 0);
            if (kind < 7) /* a constant argument or one operator does it */
                assert_true(strlen(which.calls[0].expression) <= strlen("lane + 31"));
            if (kind < 9) /* no list of 32 */
                assert_null(strchr(which.calls[0].expression, ','));
            which_release(&which);
        }
}

/* Lane 2 of the first group of 4 cannot read lane 5 of the second; lane 5 can read lane 2, by xor
 * 7. */
static void a_later_group_cannot_be_read(void **state) {
    (void)state;
    struct which_request request;
    struct which which = found_for("2<5", 4, &request);
    assert_int_equal(which.count, 0);
    assert_int_equal(which.beyond, 2);
    which_release(&which);
    /* 5 ^ 7 is 2; lane 5 needs an expression that has the value 7 in five bits: 27 * 5 is 4 * 32 +
     *   7. */
    lists("5<2", 4,
          "xor --mask 7 --width 4\n"
          "xor --mask 'lane + 2' --width 4\n"
          "xor --mask 'lane | 2' --width 4\n"
          "xor --mask 'lane | 3' --width 4\n"
          "xor --mask 'lane | 6' --width 4\n"
          "xor --mask 'lane | 7' --width 4\n"
          "xor --mask 'lane ^ 2' --width 4\n"
          "xor --mask '12 - lane' --width 4\n"
          "xor --mask 'lane * 27' --width 4\n");
}

static void what_cannot_be_read_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "5",
                                        "5<",
                                        "<5",
                                        "5<32",
                                        "32<5",
                                        "5<12,",
                                        "5<-1",
                                        "5>12",
                                        "5<12 6<13",
                                        "a<b",
                                        "5<12,5<13",
                                        "99999999999999999999<1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct which_request request;
        struct error err = ERROR_INIT;
        if (which_parse(&request, wrong[i], &err) != -1)
            fail_msg("'%s' is taken", wrong[i]);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
    struct which_request request;
    assert_int_equal(which_parse(&request, "5<12,5<12", NULL), 0);
}

/* Each call, run as its command, reads the lanes that it claims, at each of its widths. */
static void check_call(const struct which_call *call) {
    for (int width = 1; width <= WARP_LANES; width *= 2) {
        struct text line = TEXT_INIT;
        struct request request;
        struct trace *trace;
        struct trace_step step;
        struct error err = ERROR_INIT;
        if (!(call->widths & (unsigned)width))
            continue;
        which_append_command(call, &line);
        text_append_format(&line, " --width %d --device cpu", width);
        if (request_read(&request, line.data, DEVICE_CPU, &err) != 0 ||
            launch_record(&request.launch, &trace, &err) != 0)
            fail_msg("%s: %s", line.data, err.text);
        assert_int_equal(trace_step(trace, 0, &step, &err), 0);
        for (int lane = 0; lane < WARP_LANES; lane++) /* each lane passes its number */
            if (step.operation.out[lane] != (uint64_t)call->source[lane])
                fail_msg("%s: lane %d", line.data, lane);
        trace_close(trace);
        request_release(&request);
        text_release(&line);
    }
}

static void calls_do_what_they_claim(void **state) {
    (void)state;
    static const char *const requests[] = {"5<12",
                                           "5<12, 6<13",
                                           "0<31, 31<0",
                                           "1<1",
                                           "0<0, 1<16",
                                           "3<2, 4<2",
                                           "20<4, 21<5",
                                           "9<8, 10<8, 11<8, 12<12",
                                           "0<1,1<3,2<5",
                                           "0<3,1<2,5<9",
                                           "0<5,1<4,2<3,7<7,8<31",
                                           "31<30",
                                           "0<0,1<8,2<16,3<24,4<1"};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        for (int width = 0; width <= WARP_LANES; width = width ? width * 2 : 1) {
            struct which_request request;
            struct which which = found_for(requests[i], width, &request);
            for (size_t j = 0; j < which.count; j++) {
                for (int lane = 0; lane < WARP_LANES; lane++)
                    if (request.source[lane] >= 0)
                        assert_int_equal(which.calls[j].source[lane], request.source[lane]);
                check_call(&which.calls[j]);
            }
            if (width == 0)
                assert_true(which.count > 0);
            which_release(&which);
        }
}

/* A request with the effect of any single call finds that call, or one with a smaller argument and
 * the same effect. */
static void every_call_is_found_again(void **state) {
    (void)state;
    for (int op = WARP_OP_IDX; op <= WARP_OP_XOR; op++)
        for (int width = 1; width <= WARP_LANES; width *= 2)
            for (int argument = 0; argument < WARP_LANES; argument++) {
                struct which_request request = {.width = width};
                struct which which;
                for (int lane = 0; lane < WARP_LANES; lane++)
                    request.source[lane] =
                        (int8_t)shuffle_address((enum warp_op)op, lane, argument, width).source;
                which_find(&which, &request);
                assert_true(which.count > 0);
                assert_string_equal(which.calls[0].expression, "");
                which_release(&which);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_solutions_are_found),
        cmocka_unit_test(lanes_out_of_range_are_named),
        cmocka_unit_test(one_lane_has_many_ways),
        cmocka_unit_test(without_a_match_the_nearest_is_named),
        cmocka_unit_test(unordered_sources_are_written_out),
        cmocka_unit_test(every_kind_of_expression_is_found),
        cmocka_unit_test(a_later_group_cannot_be_read),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(calls_do_what_they_claim),
        cmocka_unit_test(every_call_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
