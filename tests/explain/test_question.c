/* Questions as lessons write them, the phases of an operation, and printed output, line by line. */
#include "explain/phase.h"
#include "explain/printed.h"
#include "explain/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void test_questions(void **state) {
    static const struct {
        const char *text;
        enum question_kind kind;
        int lane;
        bool is_set, is_code;
    } cases[] = {
        {"source of lane 0", QUESTION_SOURCE, 0, false, false},
        {"source of lane 31", QUESTION_SOURCE, 31, false, false},
        {"value of lane 5", QUESTION_VALUE, 5, false, false},
        {"readers of lane 30", QUESTION_READERS, 30, true, false},
        {"lanes own", QUESTION_OWN, 0, true, false},
        {"lanes undefined", QUESTION_UNDEFINED, 0, true, false},
        {"lanes changed", QUESTION_CHANGED, 0, true, false},
        {"lanes absent", QUESTION_ABSENT, 0, true, false},
        {"call", QUESTION_CALL, 0, false, true},
        {"blank picture", QUESTION_BLANK, 0, false, true},
        {"blank number -3", QUESTION_BLANK, 0, false, true},
        {"which result", QUESTION_WHICH, 0, false, true},
        {"which exclusive scan in all lanes of 8", QUESTION_WHICH, 0, false, true},
        {"wrong line", QUESTION_LINE, 0, false, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct question question;
        struct error err = ERROR_INIT;
        char text[QUESTION_TEXT];
        memset(&question, 0xff, sizeof question);
        assert_int_equal(question_parse(&question, cases[i].text, &err), 0);
        assert_int_equal(question.kind, cases[i].kind);
        assert_int_equal(question.lane, cases[i].lane);
        assert_int_equal(question_is_set(&question), cases[i].is_set);
        assert_int_equal(question_is_code(&question), cases[i].is_code);
        assert_string_equal(question.accept[0], "");
        assert_string_equal(question_format(&question, text), cases[i].text);
    }
    /* A question about code concerns all lanes and has no target lane. */
    struct question question;
    assert_int_equal(question_parse(&question, "call", NULL), 0);
    assert_int_equal(question.aim.goal, SNIPPET_PICTURE);
    assert_int_equal(question.aim.group, 32);
    assert_false(question.aim.first);
    assert_int_equal(question.aim.number, 0);
    question = (struct question){.kind = QUESTION_NONE};
    char text[QUESTION_TEXT] = "x";
    assert_string_equal(question_format(&question, text), "");
    assert_false(question_is_set(&question));
    assert_false(question_is_code(&question));
}

static void test_no_questions(void **state) {
    static const char *const refused[] = {"",
                                          "source",
                                          "source of lane",
                                          "source of lane ",
                                          "source of lane 32",
                                          "call 3",
                                          "value of lane -1",
                                          "calls",
                                          "source of lane5",
                                          "readers of lane 5x",
                                          "lanes",
                                          "lanes own 3",
                                          "lanes owns",
                                          "blank",
                                          "blankpicture",
                                          "blank sum",
                                          "which",
                                          "which x",
                                          "wrong line 3",
                                          "wrong",
                                          "lanes own ",
                                          "call ",
                                          "blank picture ",
                                          "source of lane 5 ",
                                          "value of lane x"};
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct question question;
        struct error err = ERROR_INIT;
        char begins[80];
        if (question_parse(&question, refused[i], &err) == 0)
            fail_msg("'%s' is a question", refused[i]);
        assert_int_equal(err.kind, ERROR_USAGE);
        snprintf(begins, sizeof begins, "'%s' is not a question\nallowed: source of lane N, ",
                 refused[i]);
        assert_memory_equal(err.text, begins, strlen(begins));
    }
}

static void test_accept(void **state) {
    static const char most[] = "12345678901234567890123", more[] = "123456789012345678901234";
    struct question question = {.kind = QUESTION_SOURCE};
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(question_accept(&question, more, &err), -1);
    assert_string_equal(err.text, "'accept 123456789012345678901234' is too long or one too many\n"
                                  "allowed: 2 answers of at most 23 characters");
    assert_string_equal(question.accept[0], "");
    assert_int_equal(question_accept(&question, most, &err), 0);
    assert_int_equal(question_accept(&question, "own", &err), 0);
    assert_string_equal(question.accept[0], most);
    assert_string_equal(question.accept[1], "own");
    err = (struct error)ERROR_INIT;
    assert_int_equal(question_accept(&question, "x", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_string_equal(question.accept[0], most);
    assert_string_equal(question.accept[1], "own");
}

/* ---- phases ---- */

/* For each operation, in order: before, address, range, move, after. */
static void test_phases(void **state) {
    static const char *const phases[] = {
        "bARMA", "bARMA", "bARMA", "bARMA",                    /* shuffles */
        "b--MA", "b--MA", "b--MA", "b--MA", "b--MA",           /* votes, matches */
        "b--MA", "b--MA", "b--MA", "b--MA", "b--MA", "b--MA",  /* reductions */
        "b---A", "b---A", "b----",                             /* sync to watch */
        "bA--A", "bA--A", "bA--A", "bA--A", "bA--A", "bA--A"}; /* accesses */
    static const char *const names[] = {"before", "address", "range", "move", "after"};
    (void)state;
    assert_int_equal(COUNT(phases), WARP_OP_COUNT);
    for (int op = 0; op < WARP_OP_COUNT; op++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            if (phase_applies((enum warp_op)op, (enum phase)phase) != (phases[op][phase] != '-'))
                fail_msg("operation %d, phase %d", op, phase);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        assert_string_equal(phase_name((enum phase)phase), names[phase]);
}

/* ---- printed output ---- */

static void test_printed(void **state) {
    static const struct {
        unsigned stream;
        const char *text;
    } pieces[] = {{1, "a\nb"}, {1, "c\n"}, {2, "\n\nd\n"}, {1, "e"}};
    static const struct {
        unsigned stream;
        const char *text;
    } lines[] = {{1, "a"}, {1, "b"}, {1, "c"}, {2, ""}, {2, ""}, {2, "d"}, {1, "e"}};
    const struct trace_writer_options options = {.value_bytes = 4};
    struct trace_writer *writer;
    struct trace *trace;
    struct printed_line line;
    (void)state;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    for (size_t i = 0; i < COUNT(pieces); i++)
        trace_writer_output(writer, pieces[i].stream, pieces[i].text, strlen(pieces[i].text));
    trace_writer_output_cut(writer, 5);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    struct printed printed = {trace, 0, 0};
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_true(printed_next(&printed, &line));
        assert_int_equal(line.piece->stream, lines[i].stream);
        assert_int_equal(line.length, strlen(lines[i].text));
        assert_memory_equal(line.text, lines[i].text, line.length);
    }
    assert_false(printed_next(&printed, &line));
    assert_false(printed_next(&printed, &line));
    assert_int_equal(printed_cut(trace), 5);
    trace_close(trace);
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    printed = (struct printed){trace, 0, 0};
    assert_false(printed_next(&printed, &line));
    assert_int_equal(printed_cut(trace), 0);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_questions),
                                       cmocka_unit_test(test_no_questions),
                                       cmocka_unit_test(test_accept), cmocka_unit_test(test_phases),
                                       cmocka_unit_test(test_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
