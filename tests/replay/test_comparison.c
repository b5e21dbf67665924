/* Moving between the differences of two recordings; the keys' targets are worked out by hand. */
#include "replay/pages/comparison.h"

#include "sample.h"

#include <string.h>

enum { STEPS = 9 };

/* Step n belongs to warp n % 3; if other[n] is true, lane 0's value differs from the sample's. */
static struct trace *recording(const char *name, const bool other[STEPS]) {
    struct error err = ERROR_INIT;
    struct trace_writer *writer = sample_writer(sample_path(name), 4);
    size_t room = 0;
    unsigned char *record = NULL;
    for (uint32_t n = 0; n < STEPS; n++, room--, record += SHFLVIZ_RECORD_SIZE(4)) {
        if (room == 0)
            record = trace_writer_reserve(writer, &room);
        sample_record(record, 4, n, (struct sample_where){0, 0, n % 3});
        const uint32_t value = 77;
        if (other[n])
            memcpy(record + SHFLVIZ_RECORD_OFFSET_IN, &value, 4);
    }
    if (trace_writer_close(writer, NULL, &err) != 0)
        fail_msg("%s", err.text);
    struct trace *trace;
    if (trace_open(&trace, sample_path(name), &err) != 0)
        fail_msg("%s", err.text);
    return trace;
}

struct leads {
    enum action action;
    size_t to;
    const char *message;
};

static void check(struct comparison *comparison, const struct leads *leads, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_true(comparison_apply(comparison, leads[i].action));
        assert_int_equal(comparison->at, leads[i].to);
        if (leads[i].message)
            assert_string_equal(comparison->message, leads[i].message);
        else
            assert_null(comparison->message);
        for (int side = 0; side < 2; side++) {
            assert_true(comparison->has_step[side]);
            assert_int_equal(comparison->step[side].number,
                             comparison->list[leads[i].to].step[side]);
        }
    }
}

/* Warp 0 differs in its first and third step, warp 1 in no step, and warp 2 in all three steps. */
static void keys_lead_from_difference_to_difference(void **state) {
    (void)state;
    static const bool same[STEPS] = {false},
                      other[STEPS] = {[0] = true, [6] = true, [2] = true, [5] = true, [8] = true};
    static const uint64_t wanted[] = {0, 6, 2, 5, 8};
    static const char last[] = "this is the last difference",
                      first[] = "this is the first difference", later[] = "no later warp differs",
                      earlier[] = "no earlier warp differs";
    static const struct leads leads[] = {
        {ACTION_OPERATION_PREVIOUS, 0, first}, {ACTION_WARP_PREVIOUS, 0, earlier},
        {ACTION_OPERATION_NEXT, 1, NULL},      {ACTION_WARP_PREVIOUS, 1, earlier},
        {ACTION_WARP_NEXT, 2, NULL},           {ACTION_OPERATION_NEXT, 3, NULL},
        {ACTION_WARP_NEXT, 3, later},          {ACTION_WARP_PREVIOUS, 0, NULL},
        {ACTION_WARP_NEXT, 2, NULL},           {ACTION_OPERATION_PREVIOUS, 1, NULL},
        {ACTION_OPERATION_LAST, 4, NULL},      {ACTION_OPERATION_NEXT, 4, last},
        {ACTION_WARP_NEXT, 4, later},          {ACTION_WARP_PREVIOUS, 0, NULL},
        {ACTION_OPERATION_LAST, 4, NULL},      {ACTION_OPERATION_PREVIOUS, 3, NULL},
        {ACTION_OPERATION_FIRST, 0, NULL},
    };
    struct trace *traces[2] = {recording("a.svt", same), recording("b.svt", other)};
    struct error err = ERROR_INIT;
    struct comparison comparison;
    const struct trace *const both[2] = {traces[0], traces[1]};
    assert_int_equal(
        comparison_init(&comparison, both, (const char *const[]){"a.svt", "b.svt"}, &err), 0);
    assert_int_equal(comparison.count, 5);
    assert_false(comparison.more);
    assert_int_equal(comparison.at, 0);
    for (int i = 0; i < 5; i++)
        for (int side = 0; side < 2; side++)
            assert_int_equal(comparison.list[i].step[side], wanted[i]);
    check(&comparison, leads, sizeof leads / sizeof *leads);
    comparison_release(&comparison);
    trace_close(traces[0]);
    trace_close(traces[1]);
}

/* The difference that happened first is shown first; it need not be in the first warp. */
static void the_first_one_shown_is_the_lowest_step(void **state) {
    (void)state;
    static const bool same[STEPS] = {false}, other[STEPS] = {[3] = true, [2] = true, [8] = true};
    struct trace *traces[2] = {recording("a.svt", same), recording("b.svt", other)};
    struct error err = ERROR_INIT;
    struct comparison comparison;
    const struct trace *const both[2] = {traces[0], traces[1]};
    assert_int_equal(
        comparison_init(&comparison, both, (const char *const[]){"a.svt", "b.svt"}, &err), 0);
    assert_int_equal(comparison.count, 3);
    assert_int_equal(comparison.list[0].step[0], 3);
    assert_int_equal(comparison.at, 1);
    assert_int_equal(comparison.step[0].number, 2);
    comparison_release(&comparison);
    trace_close(traces[0]);
    trace_close(traces[1]);
}

/* Help closes on its own keys, and on any key that does something. */
static void help_comes_and_goes(void **state) {
    (void)state;
    static const bool same[STEPS] = {false}, other[STEPS] = {[1] = true, [4] = true};
    struct trace *traces[2] = {recording("a.svt", same), recording("b.svt", other)};
    struct comparison comparison;
    const struct trace *const both[2] = {traces[0], traces[1]};
    assert_int_equal(
        comparison_init(&comparison, both, (const char *const[]){"a.svt", "b.svt"}, NULL), 0);
    comparison_apply(&comparison, comparison_press(&comparison, "?").info->action);
    assert_true(comparison.help);
    comparison_apply(&comparison, comparison_press(&comparison, "?").info->action);
    assert_false(comparison.help);
    comparison_apply(&comparison, comparison_press(&comparison, "?").info->action);
    comparison_apply(&comparison, comparison_press(&comparison, "n").info->action);
    assert_false(comparison.help);
    assert_int_equal(comparison.at, 1);
    assert_false(comparison.quit);
    comparison_apply(&comparison, comparison_press(&comparison, "q").info->action);
    assert_true(comparison.quit);
    comparison_release(&comparison);
    trace_close(traces[0]);
    trace_close(traces[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_lead_from_difference_to_difference),
        cmocka_unit_test(the_first_one_shown_is_the_lowest_step),
        cmocka_unit_test(help_comes_and_goes),
    };
    return cmocka_run_group_tests(tests, sample_folder_make, sample_folder_remove);
}
