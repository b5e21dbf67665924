/* A learner's answers, collected question by question: results.h. */
#include "teach/results.h"

#include "warp/warp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Each lane reads the lane whose number differs in bit 0: lane 5 reads lane 4. */
static struct warp_operation operation;
static struct lane_outcome outcome[WARP_LANES];

static struct subject subject(void) {
    operation = (struct warp_operation){.op = WARP_OP_XOR,
                                        .type = WARP_TYPE_INT,
                                        .members = WARP_FULL_MASK,
                                        .present = WARP_FULL_MASK,
                                        .launched = WARP_FULL_MASK};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = WARP_LANES;
        operation.arg[lane] = 1;
        operation.in[lane] = (uint64_t)lane;
    }
    warp_outcome(&operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++)
        operation.out[lane] = outcome[lane].value;
    return (struct subject){.operation = &operation, .outcome = outcome};
}

static const struct question source = {.kind = QUESTION_SOURCE, .lane = 5};

static void settle(struct results *results, const char *where, bool right, bool hinted,
                   bool shown) {
    results_settle(results, where, subject(), &source,
                   (struct result){.is_right = right, .hinted = hinted, .shown = shown});
}

static void null_results_keep_nothing(void **state) {
    (void)state;
    results_answer(NULL, "who", "4");
    settle(NULL, "who", true, false, false);
}

static void an_answer_is_kept_until_the_question_is_settled(void **state) {
    (void)state;
    struct results results = {0};
    assert_int_equal(results_settled(&results), 0);
    results_answer(&results, "who", "6");
    assert_int_equal(results.count, 1);
    assert_null(results.result[0].right);
    assert_int_equal(results_settled(&results), 0);
    results_answer(&results, "who", "4");
    settle(&results, "who", true, true, false);
    results_answer(&results, "who", "9"); /* the question is settled */
    assert_int_equal(results.count, 1);
    const struct result *result = &results.result[0];
    assert_string_equal(result->where, "who");
    assert_string_equal(result->question, "source of lane 5");
    assert_string_equal(result->op, "xor");
    assert_int_equal(result->answers, 2);
    assert_string_equal(result->answer[0], "6");
    assert_string_equal(result->answer[1], "4");
    assert_string_equal(result->right, "4");
    assert_true(result->is_right && result->hinted);
    assert_false(result->shown || result->first_try || result->mended);
    assert_int_equal(results_settled(&results), 1);
    results_release(&results);
    assert_int_equal(results.count, 0);
    assert_null(results.result);
}

/* Only an answer that is right immediately, without a hint, counts as right on the first try. */
static void the_first_try(void **state) {
    (void)state;
    static const struct {
        int answers;
        bool right, hinted, shown, first_try;
    } cases[] = {
        {1, true, false, false, true},  {2, true, false, false, false},
        {1, true, true, false, false},  {1, false, false, false, false},
        {0, false, false, true, false}, {0, true, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct results results = {0};
        for (int k = 0; k < cases[i].answers; k++)
            results_answer(&results, "who", "4");
        settle(&results, "who", cases[i].right, cases[i].hinted, cases[i].shown);
        const struct result *result = &results.result[0];
        assert_int_equal(result->answers, cases[i].answers);
        assert_int_equal(result->is_right, cases[i].right);
        assert_int_equal(result->hinted, cases[i].hinted);
        assert_int_equal(result->shown, cases[i].shown);
        assert_int_equal(result->first_try, cases[i].first_try);
        results_release(&results);
    }
}

/* When a question is asked again, only a wrong answer can be corrected. */
static void a_question_that_is_asked_again(void **state) {
    (void)state;
    static const struct {
        bool first, later, latest, mended;
    } cases[] = {{false, true, false, true}, {false, false, false, false},
                 {false, false, true, true}, {false, true, true, true},
                 {true, true, true, false},  {true, false, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct results results = {0};
        settle(&results, "who", cases[i].first, false, false);
        settle(&results, "who", cases[i].later, true, true);
        settle(&results, "who", cases[i].latest, false, false);
        assert_int_equal(results.count, 1);
        assert_int_equal(results.result[0].is_right, cases[i].first);
        assert_false(results.result[0].hinted || results.result[0].shown);
        assert_int_equal(results.result[0].mended, cases[i].mended);
        results_release(&results);
    }
}

/* Beats are distinguished by name; in a quiz the result is for the open question. */
static void questions_are_told_apart(void **state) {
    (void)state;
    struct results results = {0};
    results_answer(&results, "one", "1");
    results_answer(&results, "two", "2");
    results_answer(&results, "one", "4");
    settle(&results, "two", false, false, true);
    assert_int_equal(results.count, 2);
    assert_int_equal(results.result[0].answers, 2);
    assert_int_equal(results.result[1].answers, 1);
    assert_int_equal(results_settled(&results), 1);
    results_release(&results);
    for (int i = 0; i < 3; i++) {
        results_answer(&results, "", "8");
        results_answer(&results, "", "4");
        assert_int_equal(results.count, i + 1);
        assert_int_equal(results_settled(&results), i);
        settle(&results, "", true, false, false);
    }
    assert_int_equal(results.count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(results.result[i].answers, 2);
    results_release(&results);
}

/* A question that the recording cannot answer has no right answer. */
static void a_question_without_an_answer(void **state) {
    (void)state;
    struct results results = {0};
    results_settle(&results, "who", (struct subject){0}, &source, (struct result){0});
    assert_string_equal(results.result[0].right, "");
    assert_string_equal(results.result[0].op, "");
    assert_int_equal(results_settled(&results), 1);
    results_release(&results);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_results_keep_nothing),
        cmocka_unit_test(an_answer_is_kept_until_the_question_is_settled),
        cmocka_unit_test(the_first_try),
        cmocka_unit_test(a_question_that_is_asked_again),
        cmocka_unit_test(questions_are_told_apart),
        cmocka_unit_test(a_question_without_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
