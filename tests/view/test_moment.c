/*
 * The content of a frame: when parts may be shown, texts, and values cut to fit cells. Expectations
 * follow moment.h; whole sentences are compared with the reviewed text in screens/sentences.txt.
 *
 *     UPDATE_SCREENS=1 ctest -R view_moment      rewrites it; read the diff before committing it
 */
#include "base/text.h"
#include "replay/predict.h"
#include "view/moment.h"

#include "made.h"
#include "reviewed.h"
#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- values ---- */

static void assert_row(const struct grid *grid, const char *expected) {
    char *text = grid_to_text(grid, false);
    text[strlen(text) - 1] = '\0';
    assert_string_equal(text, expected);
    free(text);
}

/* "the end of a shortened integer, and the exponent of a shortened float": the cells beside the
 * ellipsis are split in half, with the smaller half at the end. */
static void values_are_shortened_in_their_middle(void **state) {
    (void)state;
    static const struct {
        const char *value;
        int columns;
        const char *drawn;
    } cases[] = {
        {"123456789", 10, "  123456789"}, {"123456789", 9, " 123456789"},
        {"123456789", 8, " 1234…789"},    {"123456789", 7, " 123…789"},
        {"123456789", 5, " 12…89"},       {"123456789", 4, " 12…9"},
        {"123456789", 3, " 1…9"},         {"123456789", 2, " 1…"},
        {"123456789", 1, " …"},           {"123456789", 0, ""},
        {"1.25e+30", 8, " 1.25e+30"},     {"1.25e+30", 7, " 1.…e+30"},
        {"1.25e+30", 6, " 1…e+30"},       {"1.25e+30", 5, " 1.25…"},
        {"0.0625", 5, " 0.06…"},          {"0x12e4abcd", 7, " 0x1…bcd"},
        {"0x12e4abcd", 6, " 0x1…cd"},     {"1x2e4", 4, " 1…e4"}, /* not hexadecimal */
        {"0e10000", 6, " 0e100…"},        /* no room for the exponent */ {"?", 3, "   ?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, 12, 1, false);
        draw_value(grid_area(&grid), 1, 0, cases[i].columns, cases[i].value,
                   style_role(STYLE_PLAIN));
        assert_row(&grid, cases[i].drawn);
        assert_false(grid.failed_to_fit);
        grid_release(&grid);
    }
}

/* The end of a formula, which is the result, is kept. */
static void formulas_keep_their_result(void **state) {
    (void)state;
    static const struct {
        int columns;
        const char *drawn;
    } cases[] = {{8, " 31^3=28"}, {7, " 31^3=28"}, {6, " …^3=28"}, {3, " …28"},
                 {2, " …8"},      {1, " …"},       {0, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, 12, 1, false);
        draw_formula(grid_area(&grid), 1, 0, cases[i].columns, "31^3=28", style_role(STYLE_PLAIN));
        assert_row(&grid, cases[i].drawn);
        grid_release(&grid);
    }
}

/* ---- words ---- */

static const struct made_step made[] = {
    {.op = WARP_OP_IDX, .arg_slope = 1, .width = 32, .slope = 1, .text = "f(x)"},
    {.op = WARP_OP_DOWN, .arg = 33, .width = 32, .slope = 1, .text = "f(x)"},
    {.op = WARP_OP_XOR, .arg = 1, .arg_slope = 1, .width = 12, .slope = 1, .text = "f(x)"},
    {.op = WARP_OP_UP, .arg = 1, .width = 32, .members = 0xffff, .slope = 1, .text = "f(x)"},
    {.op = WARP_OP_IDX, .arg = 5, .width = 32, .slope = 1, .text = "f(x)"},
};
#define MADE (sizeof made / sizeof *made)

static struct trace *open_recording(const char *name) {
    static const char *const gpu[] = {TRACE_NOTE_DEVICE, "gpu", TRACE_NOTE_RECORDED, "measured",
                                      NULL};
    static const char *const none[] = {NULL};
    if (strcmp(name, "gpu") == 0)
        return made_open(4, WARP_TYPE_INT, made, MADE, NULL, gpu);
    if (strcmp(name, "made") == 0)
        return made_open(4, WARP_TYPE_FLOAT, made, MADE, NULL, none);
    return sample_open(name);
}

static void operations_have_headings(void **state) {
    (void)state;
    static const struct {
        const char *recording, *keys, *heading;
        int columns;
        const char *label; /* the formulas' label in that many columns */
    } cases[] = {
        {"xor-3-w16", "", "xor  laneMask 3  width 16  int", 13, "lane^laneMask"},
        {"xor-3-w16", "", "xor  laneMask 3  width 16  int", 12, "lane^3"},
        {"down-33-w32", "", "down  delta 33  width 32  int", 10, "lane+delta"},
        {"down-33-w32", "", "down  delta 33  width 32  int", 9, "lane+1"},
        {"made", "", "idx  srcLane by lane  width 32  float", 7, "srcLane"},
        {"made", "", "idx  srcLane by lane  width 32  float", 6, "src"},
        {"made", "n", "down  delta 33  width 32  float", 9, "lane+1"},
        {"made", "2n", "xor  laneMask by lane  width 12 (undefined)  float", 9, "l^arg"},
        {"made", "3n", "up  delta 1  width 32  float  members 0x0000ffff", 9, "lane-1"},
        {"ballot", "", "ballot  int", 3, "bit"},
        {"ballot", "n", "activemask", 3, ""},
        {"stray", "", "all  int", 3, "bit"},
        {"any", "", "any  int", 3, "bit"},
        {"match", "", "match_any  int", 9, ""},
        {"votes", "n", "reduce_add  int", 9, ""},
        {"barrier", "n", "syncwarp", 9, ""},
        {"shared", "", "shared_write  tile", 10, " word bank"},
        {"shared", "n", "shared_read  tile  4-way bank conflict", 10, " word bank"},
        {"global", "", "global_read  argument 1 of walk  8 sectors for 4", 12, "  byte  sect"},
        {"global", "2n", "global_atomic  table", 12, "  byte  sect"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = open_recording(cases[i].recording);
        struct replay replay;
        struct moment moment;
        char text[128];
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, cases[i].keys);
        assert_true(moment_init(&moment, &replay));
        moment_heading(&moment, text, sizeof text);
        assert_string_equal(text, cases[i].heading);
        moment_heading(&moment, text, 8); /* cut at the buffer's size */
        assert_int_equal(strlen(text), 7);
        assert_memory_equal(text, cases[i].heading, 7);
        assert_string_equal(moment_formula_label(&moment, cases[i].columns, text, sizeof text),
                            cases[i].label);
        trace_close(trace);
    }
}

static void a_question_about_the_call_is_the_heading(void **state) {
    (void)state;
    static const struct {
        const char *question, *heading;
    } cases[] = {{"call", "which call?  int"},
                 {"blank picture", "what fits the blank?  int"},
                 {"which picture", "which of these?  int"},
                 {"wrong line", "which line is wrong?  int"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = sample_open("xor-3-w16");
        struct replay replay;
        struct moment moment;
        struct question question;
        char text[64];
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        assert_int_equal(question_parse(&question, cases[i].question, NULL), 0);
        replay.asking.question = question;
        replay.asking.state = PREDICTION_ASKED;
        assert_true(moment_init(&moment, &replay));
        moment_heading(&moment, text, sizeof text);
        assert_string_equal(text, cases[i].heading);
        for (int lane = 0; lane < WARP_LANES; lane++) /* groups would reveal the width */
            assert_int_equal(moment.group[lane], 0);
        assert_int_equal(moment.finding_count, 0);
        trace_close(trace);
    }
}

/* The word "measured", with the device's name or alone, as the columns allow; nothing for
 * emulated recordings. */
static void devices_are_named(void **state) {
    (void)state;
    static const struct {
        const char *recording, *device;
        int columns;
        const char *measured;
    } cases[] = {{"measured-35", "measured on NVIDIA H200", 23, "measured on NVIDIA H200"},
                 {"measured-35", "measured on NVIDIA H200", 22, "measured"},
                 {"measured-35", "measured on NVIDIA H200", 8, "measured"},
                 {"measured-35", "measured on NVIDIA H200", 7, ""},
                 {"gpu", "measured on a GPU", 17, "measured on a GPU"},
                 {"gpu", "measured on a GPU", 16, "measured"},
                 {"xor-3-w16", "emulated on the CPU warp", 80, ""},
                 {"made", "recorded on the CPU warp", 80, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = open_recording(cases[i].recording);
        struct replay replay;
        char text[128];
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        moment_device(&replay, text, sizeof text);
        assert_string_equal(text, cases[i].device);
        moment_measured(&replay, cases[i].columns, text, sizeof text);
        assert_string_equal(text, cases[i].measured);
        trace_close(trace);
    }
}

/* ---- visible parts ---- */

static void phase_and_hiding_decide_what_shows(void **state) {
    (void)state;
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (unsigned hide = 0; hide < 64; hide++) {
            struct moment moment;
            const bool in = !(hide & REPLAY_HIDES_IN), reads = !(hide & REPLAY_HIDES_READS);
            const bool out = !(hide & REPLAY_HIDES_OUT);
            replay_apply(&replay, ACTION_PHASE_GO, phase);
            replay_set_picture(&replay, hide, 0);
            assert_true(moment_init(&moment, &replay));
            assert_int_equal(moment.hide, hide);
            assert_int_equal(moment_shows_address(&moment), phase >= PHASE_ADDRESS && reads);
            assert_int_equal(moment_shows_reads(&moment), phase >= PHASE_RANGE && reads);
            assert_int_equal(moment_shows_out(&moment), phase >= PHASE_MOVE && out);
            assert_int_equal(moment_shows_changed(&moment), phase == PHASE_AFTER && in && out);
            /* Each lane reads another lane: lane 5 passes 5 and gets 6, in groups of 16. */
            assert_string_equal(moment.in[5], in ? "5" : "\u2591");
            assert_string_equal(moment.out[5], out ? "6" : "");
            assert_int_equal(moment.changed, in && out ? WARP_FULL_MASK : 0);
            assert_int_equal(moment.group[20], hide & REPLAY_HIDES_CALL ? 0 : 1);
            assert_int_equal(moment.in_columns, 2);
            assert_int_equal(moment.out_columns, 2);
            assert_int_equal(moment.formula_columns, 7);
            assert_int_equal(moment_out_style(&moment, 20).role, reads ? STYLE_GROUP : STYLE_PLAIN);
        }
    trace_close(trace);
}

/* Groups of lanes with equal values, numbered in the order of their first lanes: 7 3 7 7 3 9 9 7 3
 * 3 7 7. The groups are shown with the results, but not while values, or the calling lanes, are
 * hidden. */
static void equal_values_are_groups(void **state) {
    (void)state;
    static const int groups[] = {0, 1, 0, 0, 1, 2, 2, 0, 1, 1, 0, 0, -1, -1};
    struct trace *trace = sample_open("match");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (int moved = 0; moved <= 2; moved++) {
        for (unsigned hide = 0; hide < 16; hide++) {
            struct moment moment;
            const bool told = moved >= 1 && !(hide & ~(unsigned)REPLAY_HIDES_READS);
            replay_set_picture(&replay, hide, 0);
            assert_true(moment_init(&moment, &replay));
            assert_int_equal(moment.has_groups, told);
            for (int lane = 0; told && lane < 14; lane++) {
                assert_int_equal(moment.group[lane], groups[lane]);
                assert_int_equal(moment_letter(&moment, lane),
                                 lane < 12 ? 'A' + groups[lane] : ' ');
            }
            assert_int_equal(moment.present, hide & REPLAY_HIDES_ABSENT ? WARP_FULL_MASK : 0xfff);
        }
        replay_key(&replay, replay_press(&replay, "l"));
    }
    trace_close(trace);
}

/* A predicate's bit is hidden with the predicate and with the result, since it reveals both. */
static void bits_are_hidden_with_what_they_reveal(void **state) {
    (void)state;
    struct trace *trace = sample_open("ballot");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (unsigned hide = 0; hide < 64; hide++) {
        struct moment moment;
        const bool told = !(hide & (REPLAY_HIDES_IN | REPLAY_HIDES_OUT));
        replay_set_picture(&replay, hide, 0);
        assert_true(moment_init(&moment, &replay));
        assert_string_equal(moment.formula[0], told ? "0" : "");
        assert_string_equal(moment.formula[3], told ? "1" : "");
        assert_string_equal(moment.formula[25], ""); /* lane 25 makes no call */
        assert_int_equal(moment.formula_columns, 1);
        assert_int_equal(moment.changed, 0);
    }
    trace_close(trace);
}

/* A question about a set of lanes shows the marks; once the answer has been judged, it shows which
 * lanes are right, wrong or missing. Lanes that count neither way have no sign. */
static void marks_say_what_is_right(void **state) {
    (void)state;
    static const struct {
        enum prediction_state state;
        uint32_t glyphs[4]; /* for lanes 0 (marked, right), 1 (marked), 2 (right), 3 (neither) */
        int roles[3];
    } cases[] = {
        {PREDICTION_NONE, {0, 0, 0, 0}, {-1, -1, -1}},
        {PREDICTION_ASKED, {0x25a0, 0x25a0, 0, 0}, {STYLE_ACTIVE, STYLE_ACTIVE, -1}},
        {PREDICTION_RIGHT, {0x2713, 0x2717, 0x25a1, 0}, {STYLE_GOOD, STYLE_BAD, STYLE_GOOD}},
        {PREDICTION_WRONG, {0x2713, 0x2717, 0x25a1, 0}, {STYLE_GOOD, STYLE_BAD, STYLE_GOOD}},
        {PREDICTION_SHOWN, {0x2713, 0x2717, 0x25a1, 0}, {STYLE_GOOD, STYLE_BAD, STYLE_GOOD}}};
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_int_equal(question_parse(&replay.asking.question, "lanes own", NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct moment moment;
        struct style style;
        replay.asking.state = cases[i].state;
        replay.asking.marks = 0x13;
        replay.asking.right = 0x25;
        replay.asking.either = 0x30; /* lane 4 marked, lane 5 right: neither counts */
        assert_true(moment_init(&moment, &replay));
        for (int lane = 0; lane < 4; lane++) {
            assert_int_equal(moment_mark(&moment, lane, &style), cases[i].glyphs[lane]);
            if (lane < 3 && cases[i].roles[lane] >= 0)
                assert_int_equal(style.role, cases[i].roles[lane]);
        }
        if (cases[i].state >= PREDICTION_RIGHT) {
            assert_int_equal(moment_mark(&moment, 4, &style), 0);
            assert_int_equal(moment_mark(&moment, 5, &style), 0);
        }
    }
    trace_close(trace);
}

/* The verdict on a question about one lane is shown only at that lane. */
static void a_verdict_is_at_its_lane(void **state) {
    (void)state;
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    struct moment moment;
    struct style style;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_int_equal(question_parse(&replay.asking.question, "source of lane 5", NULL), 0);
    replay.asking.lane = 5;
    for (int told = PREDICTION_ASKED; told <= PREDICTION_SHOWN; told++) {
        replay.asking.state = (enum prediction_state)told;
        assert_true(moment_init(&moment, &replay));
        assert_int_equal(moment_mark(&moment, 5, &style), told == PREDICTION_RIGHT   ? 0x2713
                                                          : told == PREDICTION_WRONG ? 0x2717
                                                                                     : 0);
        assert_int_equal(style.role, told == PREDICTION_RIGHT ? STYLE_GOOD : STYLE_BAD);
        assert_int_equal(moment_mark(&moment, 6, &style), 0);
    }
    trace_close(trace);
}

/* ---- sentences ---- */

static const struct {
    const char *recording, *keys;
    int lane;
    unsigned hide;
} told[] = {
    {"xor-3-w16", "", 5, 0},         {"xor-3-w16", "l", 5, 0},       {"xor-3-w16", "ll", 5, 0},
    {"xor-3-w16", "lll", 5, 0},      {"xor-3-w16", "llll", 5, 0},    {"xor-3-w16", "llll", 5, 1},
    {"xor-3-w16", "llll", 5, 2},     {"xor-3-w16", "llll", 5, 4},    {"xor-3-w16", "llll", 5, 32},
    {"xor-3-w16", "", 5, 1},         {"xor-16-w16", "lll", 20, 0},   {"xor-16-w16", "lll", 5, 0},
    {"down-33-w32", "llll", 31, 0},  {"partial-mask", "llll", 5, 0}, {"partial-mask", "llll", 3, 0},
    {"partial-mask", "llll", 9, 0},  {"width-12", "llll", 9, 0},     {"threads-35", "w llll", 1, 0},
    {"measured-35", "w llll", 0, 0}, {"long-long", "lll", 20, 0},    {"long-long", "llll", 0, 0},
    {"double", "lll", 4, 0},         {"wrong", "lll", 6, 0},         {"wrong", "llll", 6, 0},
    {"wrong", "llll", 5, 0},         {"waiting", "llll", 3, 0},      {"votes", "ll", 3, 0},
    {"ballot", "ll", 3, 0},          {"ballot", "ll", 3, 1},         {"ballot", "ll", 25, 8},
    {"match", "ll", 4, 0},           {"votes", "n ll", 3, 0},        {"barrier", "n l", 3, 0},
    {"stray", "ll", 4, 0},           {"stray", "ll", 1, 0},          {"shared", "n", 5, 0},
    {"shared", "n l", 5, 0},         {"shared", "n ll", 9, 0},       {"shared", "n ll", 7, 0},
    {"shared", "n ll", 9, 16},       {"global", "l", 9, 0},          {"global", "3n ll", 3, 0},
    {"global", "3n ll", 9, 0},       {"made", "llll", 5, 0},         {"made", "2n llll", 5, 0},
};

static void append_fitting(struct text *text, const struct moment *moment, int lane) {
    static const int sizes[][2] = {{78, 2}, {58, 1}, {34, 1}, {20, 1}};
    char sentence[512], finding[320];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        moment_sentence_fit(moment, lane, sizes[i][0], sizes[i][1], sentence, sizeof sentence);
        moment_finding_fit(moment, lane, sizes[i][0], sizes[i][1], finding, sizeof finding);
        text_append_format(text, "  %dx%d %s\n", sizes[i][0], sizes[i][1], sentence);
        if (finding[0])
            text_append_format(text, "        %s\n", finding);
    }
}

/* The first finding that includes the lane; if none does, the first of all. */
static void a_lane_shows_its_first_finding(void **state) {
    (void)state;
    struct trace *trace = open_recording("partial-mask");
    struct replay replay;
    struct moment moment;
    char first[320], told_first[320], second[320];
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    script_run(&replay, "llll");
    assert_true(moment_init(&moment, &replay));
    assert_true(moment.finding_count > 0);
    moment.finding_count = 1;
    moment.findings[0].lanes = 1u << 3 | 1u << 4;
    moment_finding_fit(&moment, 3, 78, 2, first, sizeof first);
    moment.finding_count = 2;
    moment.findings[1] =
        (struct warp_finding){WARP_RULE_MASK_FORGOTTEN, 1u << 4 | 1u << 5, LANE_REASON_NONE};
    for (int lane = 3; lane < 7; lane++) {
        moment_finding_fit(&moment, lane, 78, 2, told_first, sizeof told_first);
        if (lane == 5)
            memcpy(second, told_first, sizeof second);
        else
            assert_string_equal(told_first, first);
    }
    assert_string_not_equal(second, first);
    trace_close(trace);
}

static void sentences_are_as_reviewed(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct trace *trace = open_recording(told[i].recording);
        struct replay replay;
        struct moment moment;
        char sentence[512];
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, told[i].keys);
        replay_set_picture(&replay, told[i].hide, 0);
        assert_true(moment_init(&moment, &replay));
        moment_sentence(&moment, told[i].lane, sentence, sizeof sentence);
        text_append_format(&text, "== %s, %s, lane %d, hide %u: %s\n", told[i].recording,
                           told[i].keys, told[i].lane, told[i].hide,
                           moment_status(&moment, told[i].lane));
        text_append_format(&text, "  %s\n", sentence);
        append_fitting(&text, &moment, told[i].lane);
        trace_close(trace);
    }
    reviewed_compare(SCREENS_FOLDER, "sentences", text_detach(&text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_shortened_in_their_middle),
        cmocka_unit_test(formulas_keep_their_result),
        cmocka_unit_test(operations_have_headings),
        cmocka_unit_test(a_question_about_the_call_is_the_heading),
        cmocka_unit_test(devices_are_named),
        cmocka_unit_test(phase_and_hiding_decide_what_shows),
        cmocka_unit_test(equal_values_are_groups),
        cmocka_unit_test(bits_are_hidden_with_what_they_reveal),
        cmocka_unit_test(marks_say_what_is_right),
        cmocka_unit_test(a_verdict_is_at_its_lane),
        cmocka_unit_test(a_lane_shows_its_first_finding),
        cmocka_unit_test(sentences_are_as_reviewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
