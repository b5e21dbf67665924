/* Questions about code: possible questions, right answers, and responses to other answers. */
#include "explain/snippet/code_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Lanes 0 to 31, each with the value lane + 1, at a down by 3 in groups of 16. */
struct scene {
    struct warp_operation operation;
    struct lane_outcome outcome[WARP_LANES];
    struct subject subject;
    struct error err;
    char text[400], why[200];
};

static struct scene *begin(struct scene *scene, int width) {
    *scene = (struct scene){.operation = {.op = WARP_OP_DOWN,
                                          .type = WARP_TYPE_INT,
                                          .members = WARP_FULL_MASK,
                                          .present = WARP_FULL_MASK,
                                          .launched = WARP_FULL_MASK},
                            .err = ERROR_INIT};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        scene->operation.arg[lane] = 3;
        scene->operation.width[lane] = width;
        scene->operation.in[lane] = (uint64_t)lane + 1;
    }
    warp_outcome(&scene->operation, scene->outcome);
    scene->subject = (struct subject){&scene->operation, scene->outcome, 7, false};
    return scene;
}

static enum answer_verdict judged(struct scene *s, const struct question *question,
                                  const char *typed) {
    return code_judge(s->subject, question, typed, s->text, sizeof s->text);
}
static void problem(struct scene *s, const struct question *question, const char *typed,
                    const char *words) {
    assert_int_equal(code_problem(s->subject, question, typed, &s->err), -1);
    assert_int_equal(s->err.kind, ERROR_USAGE);
    if (!strstr(s->err.text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, s->err.text);
}
static void refused(struct scene *s, const struct question *question, const char *words) {
    assert_int_equal(code_check(s->subject, question, &s->err), -1);
    if (!strstr(s->err.text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, s->err.text);
}

static void lines(void **state) {
    (void)state;
    static const struct question question = {.kind = QUESTION_LINE};
    struct scene scene, *s = begin(&scene, 16);
    refused(s, &question, "nothing is undefined in the call shown");
    s->subject.line = 0;
    refused(s, &question, "the recording lacks the call's line");
    begin(s, 16);
    s->operation.unfinished = true;
    assert_int_equal(code_check(s->subject, &question, &s->err), 0);
    begin(s, 16);
    s->operation.present = 0x0fff; /* lanes 9 to 11 read lanes that do not call */
    warp_outcome(&s->operation, s->outcome);
    assert_int_equal(code_check(s->subject, &question, &s->err), 0);
    code_answer(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "7");
    assert_int_equal(judged(s, &question, "  7 "), ANSWER_RIGHT);
    assert_string_equal(s->text, "7");
    assert_int_equal(judged(s, &question, "8"), ANSWER_WRONG);
    static const char *const unread[] = {"", "x", "7a", "-7", "+7"};
    for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++)
        assert_int_equal(judged(s, &question, unread[i]), ANSWER_UNREADABLE);
    problem(s, &question, "x", "answer with a line number");
    code_why_wrong(s->subject, &question, "8", s->why, sizeof s->why);
    assert_string_equal(s->why, code_hint(&question));
    assert_non_null(strstr(s->why, "Look for the call"));
    code_reason(s->subject, &question, s->text, sizeof s->text);
    assert_non_null(strstr(s->text, "12")); /* lane 9 reads it, but it does not call */
}

static void choices(void **state) {
    (void)state;
    struct question question = {
        .kind = QUESTION_WHICH,
        .code = {"down 3 width 16", "xor 3 16", "v = __shfl_down_sync(0xffffffff, v, 3, 16);"}};
    struct scene scene, *s = begin(&scene, 16);
    assert_int_equal(code_check(s->subject, &question, &s->err), 0);
    code_answer(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "a,c");
    assert_int_equal(judged(s, &question, "c, A"), ANSWER_RIGHT);
    assert_string_equal(s->text, "a,c");
    assert_int_equal(judged(s, &question, "a"), ANSWER_WRONG);
    assert_int_equal(judged(s, &question, "a b c"), ANSWER_WRONG);
    assert_int_equal(judged(s, &question, "d"), ANSWER_UNREADABLE);
    assert_int_equal(judged(s, &question, "1"), ANSWER_UNREADABLE);
    assert_int_equal(judged(s, &question, " , "), ANSWER_UNREADABLE);
    problem(s, &question, "d", "answer with a letter, or several: a,c");
    code_why_wrong(s->subject, &question, "a,b", s->why, sizeof s->why);
    assert_int_equal(strncmp(s->why, "b: ", 3), 0);
    assert_true(strlen(s->why) > 3);
    code_why_wrong(s->subject, &question, "c", s->why, sizeof s->why);
    assert_string_equal(s->why, "these choices are right, but there is another right choice");
    question.code[1] = "down 3 16";
    refused(s, &question, "all choices are right");
    question.code[0] = question.code[1] = question.code[2] = "xor 1";
    refused(s, &question, "no choice is right");
    question.code[1] = "what is this";
    assert_int_equal(code_check(s->subject, &question, &s->err), -1);
    assert_int_equal(judged(s, &question, "a"), ANSWER_UNREADABLE);
    code_answer(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "");
}

static void blanks(void **state) {
    (void)state;
    struct question question = {.kind = QUESTION_BLANK,
                                .code = {"v = __shfl_down_sync(0xffffffff, v, ___, 16);"},
                                .example = "3"};
    struct scene scene, *s = begin(&scene, 16);
    assert_int_equal(code_check(s->subject, &question, &s->err), 0);
    assert_int_equal(judged(s, &question, " 1 + 2 "), ANSWER_RIGHT);
    assert_int_equal(judged(s, &question, "4"), ANSWER_WRONG);
    assert_int_equal(judged(s, &question, "("), ANSWER_UNREADABLE);
    assert_int_equal(code_problem(s->subject, &question, "(", &s->err), -1);
    problem(s, &question, "4", "answer with code");
    code_why_wrong(s->subject, &question, "4", s->why, sizeof s->why);
    assert_true(s->why[0]);
    code_why_wrong(s->subject, &question, "(", s->why, sizeof s->why);
    assert_string_equal(s->why, "");
    assert_string_equal(code_hint(&question),
                        "Go through the code as lane 0, then as the last lane.");
    question.example = "4";
    refused(s, &question, "'4' is not right: ");
    question.example = "(";
    assert_int_equal(code_check(s->subject, &question, &s->err), -1);
    question.example = NULL;
    refused(s, &question, "the correct answer is missing");
    question.code[0] = "v = 3;";
    refused(s, &question, "there is no code with a blank, ___");
    question.code[0] = NULL;
    refused(s, &question, "there is no code with a blank, ___");
}

static void calls(void **state) {
    (void)state;
    struct question question = {.kind = QUESTION_CALL};
    struct scene scene, *s = begin(&scene, 16);
    code_answer(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "__shfl_down_sync(0xffffffff, value, 3, 16)");
    assert_int_equal(judged(s, &question, "down 3 16"), ANSWER_RIGHT);
    assert_int_equal(judged(s, &question, "down 3"), ANSWER_WRONG);
    assert_non_null(strstr(code_hint(&question), "Take one lane"));
    begin(s, 32);
    code_answer(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "__shfl_down_sync(0xffffffff, value, 3)");
    code_reason(s->subject, &question, s->text, sizeof s->text);
    assert_true(s->text[0]);
    /* Lanes 0 and 1 swap values, as do 2 and 3, and so on: at any width from 2 on, only by xor. */
    begin(s, 2);
    s->operation.op = WARP_OP_XOR;
    for (int lane = 0; lane < WARP_LANES; lane++)
        s->operation.arg[lane] = 1;
    warp_outcome(&s->operation, s->outcome);
    assert_int_equal(judged(s, &question, "xor 1 32"), ANSWER_RIGHT);
    code_reason(s->subject, &question, s->text, sizeof s->text);
    assert_non_null(strstr(s->text, "The same picture: "));
    question.aim.goal = SNIPPET_NUMBER;
    code_reason(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "any code with that value is right");
    question.aim.goal = SNIPPET_SUM;
    code_reason(s->subject, &question, s->text, sizeof s->text);
    assert_string_equal(s->text, "this code was run on the 32 lanes and does what was asked");
    /* If lanes pass different arguments or widths, or the operation is not a shuffle, there is no
     * single call. */
    question.aim.goal = SNIPPET_PICTURE;
    s->operation.arg[5] = 2;
    refused(s, &question, "the correct answer is missing");
    begin(s, 16)->operation.width[31] = 32;
    refused(s, &question, "the correct answer is missing");
    begin(s, 16)->operation.op = WARP_OP_BALLOT;
    refused(s, &question, "the correct answer is missing");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(choices),
                                       cmocka_unit_test(blanks), cmocka_unit_test(calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
