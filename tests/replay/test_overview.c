/* A recording's lists: moving, choosing, sorting, filtering, at their first and last rows. */
#include "replay/pages/overview.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { RECORD = 512, LAUNCHES = 25 };

/* With `finding`, the lanes of half a warp read the other half, which does not call. */
static void put(struct trace_writer *writer, uint32_t launch, uint32_t site, bool finding) {
    unsigned char record[RECORD] = {0};
    const uint32_t lanes = finding ? 0xffff : UINT32_MAX;
    const struct shflviz_record_header header = {.sequence = trace_writer_next_sequence(writer),
                                                 .launch = launch,
                                                 .site = site,
                                                 .op = site ? WARP_OP_BALLOT : WARP_OP_DOWN,
                                                 .members = lanes,
                                                 .present = lanes,
                                                 .width = site ? 0 : 32};
    size_t room = 1;
    memcpy(record, &header, sizeof header);
    for (int lane = 0; finding && lane < 16; lane++)
        record[128 + 4 * lane] = 16;
    void *to = trace_writer_reserve(writer, &room);
    assert_non_null(to);
    memcpy(to, record, RECORD);
}

/* Launches 0 to 3 have 1, 3, 2 and 3 steps, 1, 0, 2 and 0 findings; the others have nothing. */
static struct trace *recording(bool prints) {
    static const char *const names[] = {"alpha", "Beta", "gamma", "beta2"};
    static const struct trace_site sites[] = {{"dir/a.cu", 1, "f", "call()"},
                                              {"dir/b.cu", 22, "gee", "vote()"},
                                              {"c.cu", 3, "h", "never()"}};
    static const struct {
        uint32_t launch, site;
        bool finding;
    } steps[] = {{0, 0, true}, {1, 1, false}, {1, 1, false}, {1, 1, false}, {2, 0, true},
                 {2, 0, true}, {3, 0, false}, {3, 0, false}, {3, 0, false}};
    const struct trace_writer_options options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    for (size_t i = 0; i < COUNT(sites); i++)
        trace_writer_site(writer, &sites[i]);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        char name[16];
        snprintf(name, sizeof name, "e%u", i);
        const struct trace_launch launch = {
            i < COUNT(names) ? names[i] : name, {1, 1, 1}, {32, 1, 1}, 0};
        trace_writer_launch(writer, &launch);
    }
    for (size_t i = 0; i < COUNT(steps); i++) {
        if (prints && i == 4)
            trace_writer_output(writer, 1, "one\ntwo\n", 8);
        put(writer, steps[i].launch, steps[i].site, steps[i].finding);
    }
    if (prints)
        trace_writer_output(writer, 1, "three two\n", 10);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

static struct trace *begin(struct overview *overview, bool prints) {
    struct trace *trace = recording(prints);
    overview_init(overview, trace);
    while (overview_tick(overview))
        continue;
    return trace;
}

static void end(struct overview *overview, struct trace *trace) {
    overview_release(overview);
    trace_close(trace);
}

static void test_moves(void **state) {
    static const struct {
        size_t from;
        enum action action;
        size_t to;
    } cases[] = {{0, ACTION_ROW_NEXT, 1},
                 {0, ACTION_ROW_PREVIOUS, 0},
                 {1, ACTION_ROW_PREVIOUS, 0},
                 {23, ACTION_ROW_NEXT, 24},
                 {24, ACTION_ROW_NEXT, 24},
                 {0, ACTION_ROW_PAGE_NEXT, 10},
                 {14, ACTION_ROW_PAGE_NEXT, 24},
                 {15, ACTION_ROW_PAGE_NEXT, 24},
                 {24, ACTION_ROW_PAGE_PREVIOUS, 14},
                 {10, ACTION_ROW_PAGE_PREVIOUS, 0},
                 {9, ACTION_ROW_PAGE_PREVIOUS, 0},
                 {11, ACTION_ROW_PAGE_PREVIOUS, 1},
                 {0, ACTION_ROW_LAST, 24},
                 {24, ACTION_ROW_LAST, 24},
                 {24, ACTION_ROW_FIRST, 0},
                 {0, ACTION_ROW_FIRST, 0},
                 {3, ACTION_PHASE_NEXT, 4},
                 {3, ACTION_PHASE_PREVIOUS, 2},
                 {3, ACTION_LESSON_NEXT, 4},
                 {3, ACTION_LESSON_PREVIOUS, 2}};
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    assert_int_equal(overview.kind, CENSUS_LAUNCHES);
    assert_int_equal(overview.shown_count, LAUNCHES);
    for (size_t i = 0; i < COUNT(cases); i++) {
        overview.selected = cases[i].from;
        assert_int_equal(overview_apply(&overview, cases[i].action, 0),
                         cases[i].from != cases[i].to);
        assert_int_equal(overview.selected, cases[i].to);
    }
    end(&overview, trace);
}

static void test_choices(void **state) {
    struct overview overview;
    struct trace *trace = recording(true);
    uint64_t step = 0;
    (void)state;
    overview_init(&overview, trace);
    assert_true(overview_is_counting(&overview));
    assert_true(overview_apply(&overview, ACTION_CONTINUE, 0)); /* the message gives the reason */
    assert_string_equal(overview.message, "none of its steps has been counted yet");
    assert_false(overview_take_choice(&overview, &step));
    while (overview_tick(&overview))
        continue;
    assert_false(overview_is_counting(&overview));
    overview.selected = 4;
    assert_true(overview_apply(&overview, ACTION_CONTINUE, 0));
    assert_string_equal(overview.message, "none of its steps was recorded");
    assert_false(overview_take_choice(&overview, &step));
    overview.selected = 2;
    assert_true(overview_apply(&overview, ACTION_CONTINUE, 0));
    assert_true(overview_take_choice(&overview, &step));
    assert_int_equal(step, 4);
    assert_false(overview_take_choice(&overview, &step));
    assert_false(overview_apply(&overview, ACTION_ROW_GO, -1));
    assert_false(overview_apply(&overview, ACTION_ROW_GO, LAUNCHES));
    assert_int_equal(overview.selected, 2);
    assert_true(overview_apply(&overview, ACTION_ROW_GO, 0));
    assert_int_equal(overview.selected, 0);
    assert_false(overview_take_choice(&overview, &step));
    assert_true(overview_apply(&overview, ACTION_ROW_GO, 0)); /* a second time */
    assert_true(overview_take_choice(&overview, &step));
    assert_int_equal(step, 0);
    assert_true(overview_apply(&overview, ACTION_ROW_GO, LAUNCHES - 1));
    assert_int_equal(overview.selected, LAUNCHES - 1);
    end(&overview, trace);
}

static void test_lists(void **state) {
    static const size_t rows[] = {LAUNCHES, LAUNCHES, 3, 1, 3};
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    assert_int_equal(overview_lists(&overview), 5);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(overview.kind, i % 5);
        assert_int_equal(overview.shown_count, rows[i % 5]);
        overview.selected = overview.shown_count - 1;
        assert_true(overview_apply(&overview, ACTION_LIST_NEXT, 0));
        assert_int_equal(overview.selected, 0);
    }
    for (int i = 6; i >= 0; i--) {
        assert_int_equal(overview.kind, i % 5);
        assert_true(overview_apply(&overview, ACTION_LIST_PREVIOUS, 0));
    }
    for (int kind = 0; kind < 5; kind++) {
        assert_true(overview_apply(&overview, ACTION_LIST_GO, kind));
        assert_int_equal(overview.kind, kind);
    }
    assert_false(overview_apply(&overview, ACTION_LIST_GO, -1));
    assert_false(overview_apply(&overview, ACTION_LIST_GO, 5));
    assert_int_equal(overview.kind, CENSUS_OUTPUT);
    end(&overview, trace);
    trace = begin(&overview, false);
    assert_int_equal(overview_lists(&overview), 4);
    assert_true(overview_apply(&overview, ACTION_LIST_GO, CENSUS_OUTPUT));
    assert_string_equal(overview.message, "the program printed nothing");
    assert_int_equal(overview.kind, CENSUS_LAUNCHES);
    assert_true(overview_apply(&overview, ACTION_LIST_PREVIOUS, 0));
    assert_int_equal(overview.kind, CENSUS_FINDINGS);
    assert_true(overview_apply(&overview, ACTION_LIST_NEXT, 0));
    assert_int_equal(overview.kind, CENSUS_LAUNCHES);
    end(&overview, trace);
}

static void are_first(const struct overview *overview, const uint32_t rows[5]) {
    for (int i = 0; i < 5; i++)
        assert_int_equal(overview->shown[i], rows[i]);
}

/* The row with the most steps or findings comes first; ties are in the order of the recording. The
 * selected row stays selected. */
static void test_orders(void **state) {
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    are_first(&overview, (const uint32_t[]){0, 1, 2, 3, 4});
    assert_true(overview_apply(&overview, ACTION_SORT, 0));
    assert_int_equal(overview.order, OVERVIEW_BY_STEPS);
    are_first(&overview, (const uint32_t[]){1, 3, 2, 0, 4});
    assert_int_equal(overview.selected, 3);
    assert_true(overview_apply(&overview, ACTION_SORT, 0));
    assert_int_equal(overview.order, OVERVIEW_BY_FINDINGS);
    are_first(&overview, (const uint32_t[]){2, 0, 1, 3, 4});
    assert_int_equal(overview.selected, 1);
    assert_true(overview_apply(&overview, ACTION_LIST_GO, CENSUS_OUTPUT));
    assert_int_equal(overview.shown[0], 0); /* never sorted */
    assert_int_equal(overview.shown[2], 2);
    assert_true(overview_apply(&overview, ACTION_SORT, 0));
    assert_int_equal(overview.order, OVERVIEW_BY_NUMBER);
    end(&overview, trace);
}

/* A filter is typed letter by letter; `count` rows remain, of which row `first` is the first. */
static void test_filter(void **state) {
    static const struct {
        enum census_kind kind;
        const char *filter;
        size_t count;
        uint32_t first;
    } cases[] = {
        {CENSUS_LAUNCHES, "be", 2, 1},     {CENSUS_LAUNCHES, "BETA2", 1, 3},
        {CENSUS_LAUNCHES, "ha", 1, 0},     {CENSUS_LAUNCHES, "e2", 5, 20},
        {CENSUS_LAUNCHES, "zz", 0, 0},     {CENSUS_KERNELS, "gamma", 1, 2},
        {CENSUS_LINES, "ballot", 1, 1},    {CENSUS_LINES, "gee", 1, 1},
        {CENSUS_LINES, "b.cu:22", 1, 1},   {CENSUS_LINES, "dir/", 2, 0},
        {CENSUS_LINES, "never", 1, 2},     {CENSUS_LINES, "idx", 0, 0}, /* line 2 has no steps */
        {CENSUS_FINDINGS, "source", 1, 0}, {CENSUS_FINDINGS, "call()", 1, 0},
        {CENSUS_OUTPUT, "TWO", 2, 1},
    };
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        overview_apply(&overview, ACTION_LIST_GO, cases[i].kind);
        assert_true(overview_apply(&overview, ACTION_FIND, 0));
        assert_true(overview.filtering);
        assert_true(overview_press(&overview, "a").types);
        for (const char *c = cases[i].filter; *c; c++)
            overview_key(&overview, overview_press(&overview, (const char[]){*c, '\0'}));
        assert_string_equal(overview.filter, cases[i].filter);
        assert_int_equal(overview.shown_count, cases[i].count);
        if (cases[i].count)
            assert_int_equal(overview.shown[0], cases[i].first);
        assert_true(overview_key(&overview, overview_press(&overview, "Enter")));
        assert_false(overview.filtering);
        assert_false(overview_press(&overview, "a").types);
        assert_true(overview_apply(&overview, ACTION_CANCEL, 0)); /* drops the filter */
        assert_string_equal(overview.filter, "");
        assert_false(overview_take_leave(&overview));
        assert_true(overview_apply(&overview, ACTION_CANCEL, 0));
        assert_true(overview_take_leave(&overview));
        assert_false(overview_take_leave(&overview));
    }
    end(&overview, trace);
}

/* The selected row stays selected while it is listed, otherwise the last row is selected; nothing
 * can be chosen from an empty list. */
static void test_filter_and_selection(void **state) {
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    uint64_t step;
    (void)state;
    overview.selected = 3;
    overview_apply(&overview, ACTION_FIND, 0);
    overview_key(&overview, overview_press(&overview, "b"));
    assert_int_equal(overview.selected, 1); /* the second of Beta and beta2 */
    overview_apply(&overview, ACTION_CANCEL, 0);
    assert_int_equal(overview.selected, 3);
    overview.selected = 20;
    overview_apply(&overview, ACTION_FIND, 0);
    overview_key(&overview, overview_press(&overview, "b"));
    assert_int_equal(overview.selected, 1);
    overview_key(&overview, overview_press(&overview, "z"));
    assert_int_equal(overview.shown_count, 0);
    assert_int_equal(overview.selected, 0);
    assert_false(overview_apply(&overview, ACTION_CONTINUE, 0));
    assert_false(overview_apply(&overview, ACTION_ROW_LAST, 0));
    assert_false(overview_take_choice(&overview, &step));
    assert_true(overview_key(&overview, overview_press(&overview, "Backspace")));
    assert_string_equal(overview.filter, "b");
    assert_true(overview_key(&overview, overview_press(&overview, "Backspace")));
    assert_string_equal(overview.filter, "");
    assert_true(overview.filtering);
    assert_true(overview_key(&overview, overview_press(&overview, "Backspace")));
    assert_false(overview.filtering);
    end(&overview, trace);
}

static void test_other_keys(void **state) {
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    assert_true(overview_apply(&overview, ACTION_HELP, 0));
    assert_true(overview.help);
    assert_false(overview_apply(&overview, ACTION_NONE, 0));
    assert_true(overview.help);
    assert_true(overview_apply(&overview, ACTION_ROW_PREVIOUS, 0)); /* the help closes */
    assert_false(overview.help);
    assert_false(overview_apply(&overview, ACTION_ROW_PREVIOUS, 0));
    assert_true(overview_apply(&overview, ACTION_REDRAW, 0));
    assert_true(overview_apply(&overview, ACTION_OVERVIEW, 0));
    assert_true(overview_take_leave(&overview));
    assert_true(overview_apply(&overview, ACTION_QUIT, 0));
    assert_true(overview.quit);
    end(&overview, trace);
}

static void is_named(struct overview *overview, enum census_kind kind, size_t row,
                     const char *name) {
    char text[OVERVIEW_NAME];
    assert_string_equal(
        overview_row_name(&overview->census, kind, &overview->census.rows[kind][row], text), name);
}

static void test_names(void **state) {
    static const char *const kinds[] = {"launches", "kernels", "lines", "findings", "output"};
    static const char *const orders[] = {"as recorded", "most steps first", "most findings first"};
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    for (int kind = 0; kind < CENSUS_KIND_COUNT; kind++)
        assert_string_equal(overview_kind_name((enum census_kind)kind), kinds[kind]);
    for (int order = 0; order < OVERVIEW_ORDER_COUNT; order++)
        assert_string_equal(overview_order_name((enum overview_order)order), orders[order]);
    is_named(&overview, CENSUS_LAUNCHES, 1, "Beta");
    is_named(&overview, CENSUS_KERNELS, 3, "beta2");
    is_named(&overview, CENSUS_LINES, 1, "b.cu:22"); /* without its folder */
    is_named(&overview, CENSUS_LINES, 2, "c.cu:3");
    is_named(&overview, CENSUS_FINDINGS, 0, "source_lane_not_in_mask");
    end(&overview, trace);
}

/* Keys as from a keyboard; the first key after the help only closes the help, if the key has no
 * other action. */
static void test_keys(void **state) {
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    assert_true(overview_key(&overview, overview_press(&overview, "Down")));
    assert_int_equal(overview.selected, 1);
    assert_true(overview_key(&overview, overview_press(&overview, "Up")));
    assert_false(overview_key(&overview, overview_press(&overview, "Up")));
    assert_true(overview_key(&overview, overview_press(&overview, "F9")));
    assert_memory_equal(overview.message, "F9 does nothing: ", 17);
    assert_true(overview_key(&overview, overview_press(&overview, "?")));
    assert_true(overview.help);
    assert_true(overview_key(&overview, overview_press(&overview, "?")));
    assert_false(overview.help);
    assert_true(overview_key(&overview, overview_press(&overview, "?")));
    assert_true(overview_key(&overview, overview_press(&overview, "Down")));
    assert_false(overview.help);
    assert_int_equal(overview.selected, 1);
    end(&overview, trace);
}

/* All output is listed, and the last line printed up to a step is selected. */
static void test_output(void **state) {
    static const struct {
        uint64_t step;
        size_t selected;
    } cases[] = {{0, 0}, {3, 0}, {4, 1}, {8, 1}, {9, 2}, {100, 2}};
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        strcpy(overview.filter, "zz");
        overview_show_output(&overview, cases[i].step);
        assert_int_equal(overview.kind, CENSUS_OUTPUT);
        assert_string_equal(overview.filter, "");
        assert_int_equal(overview.shown_count, 3);
        assert_int_equal(overview.selected, cases[i].selected);
    }
    end(&overview, trace);
}

/* The selection survives an update of the recording, and stays at the last printed line. */
static void test_renewed(void **state) {
    struct overview overview;
    struct trace *trace = begin(&overview, true), *later = recording(true);
    (void)state;
    overview_apply(&overview, ACTION_LIST_GO, CENSUS_LINES);
    overview.selected = 1;
    strcpy(overview.filter, "b.cu");
    overview_update(&overview, later);
    assert_ptr_equal(overview.census.trace, later);
    assert_int_equal(overview.kind, CENSUS_LINES);
    assert_string_equal(overview.filter, "b.cu");
    assert_int_equal(overview.shown_count, 1);
    overview.filter[0] = '\0';
    overview_update(&overview, trace);
    assert_int_equal(overview.shown_count, 3);
    assert_int_equal(overview.shown[overview.selected], 1);
    assert_int_equal(overview.census.count[CENSUS_FINDINGS], 1); /* counted immediately */
    overview_show_output(&overview, UINT64_MAX);
    assert_int_equal(overview.selected, 2);
    overview_update(&overview, later);
    assert_int_equal(overview.selected, 2);
    assert_string_equal(overview.outcome.verdict, "");
    end(&overview, later);
    trace_close(trace);
}

/* The list that matters most is shown: the findings, if there are any. */
static void test_outcome(void **state) {
    const struct overview_outcome outcome = {"ended with status 1", "advice"};
    struct overview overview;
    struct trace *trace = begin(&overview, true);
    uint64_t step;
    (void)state;
    overview_show_outcome(&overview, &outcome);
    assert_int_equal(overview.kind, CENSUS_FINDINGS);
    assert_string_equal(overview.outcome.verdict, "ended with status 1");
    assert_true(overview_apply(&overview, ACTION_CONTINUE, 0));
    assert_true(overview_take_choice(&overview, &step));
    assert_int_equal(step, 0); /* the first finding */
    end(&overview, trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),      cmocka_unit_test(test_choices),
        cmocka_unit_test(test_lists),      cmocka_unit_test(test_orders),
        cmocka_unit_test(test_filter),     cmocka_unit_test(test_filter_and_selection),
        cmocka_unit_test(test_other_keys), cmocka_unit_test(test_names),
        cmocka_unit_test(test_keys),       cmocka_unit_test(test_output),
        cmocka_unit_test(test_renewed),    cmocka_unit_test(test_outcome)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
