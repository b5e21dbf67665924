/* A class that answers: the rounds, one answer per student, the students who make room for others,
 * and the distribution of answers. */
#include "teach/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct room_student *join_from(struct room *room, unsigned number, uint64_t place) {
    char token[ROOM_TOKEN];
    snprintf(token, sizeof token, "%032x", number);
    struct room_student *student = room_join(room, token, place);
    if (student)
        student->streams = 1;
    return student;
}

static struct room_student *join(struct room *room, unsigned number) {
    return join_from(room, number, number % 3);
}

static int set_up(void **state) {
    static struct room room;
    room_init(&room);
    *state = &room;
    return 0;
}

static int tear_down(void **state) {
    room_release(*state);
    return 0;
}

static void test_a_student_is_known_by_token(void **state) {
    struct room *room = *state;
    struct room_student *ada = join(room, 0xada), *bob = join(room, 0xb0b);
    assert_int_equal(ada->number, 1);
    assert_int_equal(bob->number, 2);
    assert_ptr_equal(room_find(room, "00000000000000000000000000000ada"), ada);
    assert_null(room_find(room, "00000000000000000000000000000adb"));
    assert_int_equal(room_present(room), 2);
    bob->streams = 0;
    assert_int_equal(room_present(room), 1);
}

static void test_one_answer_in_a_round(void **state) {
    struct room *room = *state;
    struct room_student *ada = join(room, 1);
    assert_int_equal(room_answer(room, ada, 0, "3", true), ROOM_CLOSED); /* nothing is asked */
    room_ask(room, "who");
    assert_int_equal(room->round, 1);
    assert_int_equal(room_answer(room, ada, 2, "3", true), ROOM_CLOSED); /* for another round */
    assert_int_equal(room_answer(room, ada, 1, "3", false), ROOM_TAKEN);
    assert_int_equal(room_answer(room, ada, 1, "4", true), ROOM_ANSWERED_BEFORE);
    assert_string_equal(ada->answer, "3");
    assert_int_equal(room_answered(room), 1);
    room_show(room, "who");
    assert_int_equal(room_answer(room, join(room, 2), 1, "4", true), ROOM_CLOSED); /* too late */
    assert_int_equal(room_answered(room), 1);
}

static void test_an_open_question_continues(void **state) {
    struct room *room = *state;
    struct room_student *ada = join(room, 1);
    room_ask(room, "who");
    room_answer(room, ada, 1, "3", true);
    room_continue(room);
    assert_int_equal(room_answer(room, join(room, 2), 1, "3", true), ROOM_CLOSED);
    room_ask(room, "who");
    assert_int_equal(room->round, 1);
    assert_int_equal(room_answered(room), 1);
    room_ask(room, "own"); /* another question */
    assert_int_equal(room->round, 2);
    assert_int_equal(room_answered(room), 0);
    assert_int_equal(room_answer(room, ada, 2, "own", true), ROOM_TAKEN);
}

static void test_question_shown_and_asked_again_is_a_new_round(void **state) {
    struct room *room = *state;
    struct room_student *ada = join(room, 1);
    room_ask(room, "who");
    room_answer(room, ada, 1, "3", false);
    room_show(room, "who");
    assert_int_equal(room->state, ROOM_SHOWN);
    room_continue(room);
    room_show(room, "who"); /* the class returns to the answer */
    assert_int_equal(room->state, ROOM_SHOWN);
    assert_int_equal(room_answered(room), 1);
    room_show(room, "another"); /* settled before the class reached it */
    assert_int_equal(room->state, ROOM_TELLS);
    room_ask(room, "who");
    assert_int_equal(room->round, 2);
    assert_int_equal(room_answer(room, ada, 2, "4", true), ROOM_TAKEN);
}

static void test_complete_when_all_present_have_answered(void **state) {
    struct room *room = *state;
    struct room_student *ada = join(room, 1), *bob = join(room, 2);
    room_ask(room, "who");
    assert_false(room_is_complete(room));
    room_answer(room, ada, 1, "3", true);
    assert_false(room_is_complete(room));
    bob->streams = 0;
    assert_true(room_is_complete(room));
    ada->streams = 0; /* her answer counts although she left */
    assert_int_equal(room_answered(room), 1);
}

static void answer_all(struct room *room, unsigned first, unsigned count, const char *answer,
                       bool right) {
    for (unsigned i = first; i < first + count; i++)
        assert_int_equal(room_answer(room, join(room, i), room->round, answer, right), ROOM_TAKEN);
}

static void test_histogram(void **state) {
    struct room *room = *state;
    struct room_bar bars[ROOM_BARS];
    assert_int_equal(room_histogram(room, bars), 0);
    room_ask(room, "who");
    answer_all(room, 1, 3, "own", false);
    answer_all(room, 10, 5, "32", false);
    answer_all(room, 20, 3, "4", true);
    assert_int_equal(room_histogram(room, bars), 3);
    assert_string_equal(bars[0].answer, "32");
    assert_int_equal(bars[0].count, 5);
    assert_false(bars[0].right);
    assert_string_equal(bars[1].answer,
                        "4"); /* of two equally frequent answers the right one comes first */
    assert_int_equal(bars[1].count, 3);
    assert_true(bars[1].right);
    assert_string_equal(bars[2].answer, "own");
}

/* Ten wrong answers are given twice each, the right answer once: the right one is still shown. */
static void test_histogram_keeps_the_right_answer(void **state) {
    struct room *room = *state;
    struct room_bar bars[ROOM_BARS];
    room_ask(room, "who");
    for (unsigned i = 0; i < 10; i++) {
        char answer[8];
        snprintf(answer, sizeof answer, "%u", 10 + i);
        answer_all(room, 100 * (i + 1), 2, answer, false);
    }
    answer_all(room, 5000, 1, "9", true);
    assert_int_equal(room_histogram(room, bars), ROOM_BARS);
    assert_string_equal(bars[0].answer, "10");
    assert_string_equal(bars[ROOM_BARS - 2].answer, "9");
    assert_int_equal(bars[ROOM_BARS - 2].count, 1);
    assert_null(
        bars[ROOM_BARS - 1].answer); /* 21 answers, 6 * 2 + 1 of them with bars of their own */
    assert_int_equal(bars[ROOM_BARS - 1].count, 8);
    unsigned sum = 0;
    for (size_t i = 0; i < ROOM_BARS; i++)
        sum += bars[i].count;
    assert_int_equal(sum, 21);
}

/* With as many answers as bars, each answer has its own bar, in order. */
static void test_histogram_with_a_bar_for_each(void **state) {
    struct room *room = *state;
    struct room_bar bars[ROOM_BARS];
    room_ask(room, "who");
    for (unsigned i = 0; i < ROOM_BARS - 1; i++) {
        char answer[8];
        snprintf(answer, sizeof answer, "%u", 10 + i);
        answer_all(room, 100 * (i + 1), 2, answer, false);
    }
    answer_all(room, 5000, 1, "9", true);
    assert_int_equal(room_histogram(room, bars), ROOM_BARS);
    assert_string_equal(bars[ROOM_BARS - 1].answer, "9");
    assert_int_equal(bars[ROOM_BARS - 1].count, 1);
    assert_true(bars[ROOM_BARS - 1].right);
    assert_false(bars[ROOM_BARS - 2].right);
    assert_int_equal(bars[ROOM_BARS - 2].count, 2);
}

static void test_full_room(void **state) {
    struct room *room = *state;
    for (unsigned i = 0; i < ROOM_STUDENTS; i++)
        assert_non_null(join(room, i + 1));
    assert_null(join(room, 9999)); /* all students are present */
    room_ask(room, "who");
    room->students[0]->streams = room->students[1]->streams = 0;
    room_answer(room, room->students[0], 1, "3", true);
    assert_non_null(join(room, 9999)); /* the second is removed: the first has answered */
    assert_int_equal(room->student_count, ROOM_STUDENTS);
    assert_non_null(room_find(room, "00000000000000000000000000000001"));
    assert_null(room_find(room, "00000000000000000000000000000002"));
    assert_null(join(room, 9998));
}

/* If an address sends more and more students, there is still room for others. */
static void test_one_address(void **state) {
    struct room *room = *state;
    for (unsigned i = 0; i < ROOM_ONE_ORIGIN; i++)
        assert_non_null(join_from(room, i + 1, 7));
    assert_null(join_from(room, 9999, 7)); /* all students are present */
    assert_non_null(join_from(room, 9998, 8));
    /* Only a student with the same address is removed. */
    room_find(room, "0000000000000000000000000000270e")->streams = 0; /* 9998 */
    assert_null(join_from(room, 9999, 7));
    room->students[3]->streams = 0;
    assert_non_null(join_from(room, 9999, 7));
    assert_non_null(room_find(room, "0000000000000000000000000000270e"));
    assert_int_equal(room->student_count, ROOM_ONE_ORIGIN + 1);
}

/* A full room drops a visitor to the page before a participant, even one who is briefly away. */
static void test_who_makes_room_first(void **state) {
    struct room *room = *state;
    struct room_student *away = join_from(room, 1, 1);
    away->followed = true;
    away->streams = 0;
    for (unsigned i = 2; i <= ROOM_ONE_ORIGIN; i++)
        join_from(room, i, 1)->streams = i == 9 ? 0 : 1;
    assert_non_null(join_from(room, 2000, 1));
    assert_null(room_find(room, "00000000000000000000000000000009"));
    assert_non_null(room_find(room, "00000000000000000000000000000001"));
    assert_non_null(join_from(room, 2001, 1));
    assert_null(room_find(room, "00000000000000000000000000000001"));
    assert_null(join_from(room, 2002, 1));
}

/* An emptied room continues with its round and its numbers. */
static void test_empty(void **state) {
    struct room *room = *state;
    join(room, 1);
    room_ask(room, "who");
    assert_int_equal(room_answer(room, join(room, 2), 1, "3", true), ROOM_TAKEN);
    room_clear(room);
    assert_int_equal(room_answered(room), 0);
    assert_int_equal(room_present(room), 0);
    struct room_student *again = join(room, 2);
    assert_int_equal(again->number, 3);
    assert_int_equal(room_answer(room, again, 1, "3", true), ROOM_TAKEN);
}

static void test_histogram_with_the_right_answer_anywhere(void **state) {
    struct room *room = *state;
    struct room_bar bars[ROOM_BARS];
    for (unsigned different = ROOM_BARS - 1; different <= ROOM_BARS + 3; different++)
        for (unsigned right = 0; right < different; right++) {
            const unsigned told = different > ROOM_BARS ? ROOM_BARS - 1 : different;
            unsigned sum = 0, of_right = 0;
            room_release(room);
            room_ask(room, "who");
            for (unsigned i = 0; i < different; i++) { /* "a" 20 times, "b" 19 times, ... */
                const char answer[2] = {(char)('a' + i), '\0'};
                answer_all(room, 100 * (i + 1), 20 - i, answer, i == right);
                sum += 20 - i;
            }
            assert_int_equal(room_histogram(room, bars), told + (different > ROOM_BARS));
            for (unsigned i = 0; i < told; i++) {
                /* The right answer takes the last bar if it would otherwise have no bar. */
                const unsigned which = i == told - 1 && right >= told ? right : i;
                assert_int_equal(bars[i].answer[0], 'a' + which);
                assert_int_equal(bars[i].count, 20 - which);
                assert_int_equal(bars[i].right, which == right);
                of_right += bars[i].right;
                sum -= bars[i].count;
            }
            assert_int_equal(of_right, 1);
            if (different > ROOM_BARS) {
                assert_null(bars[ROOM_BARS - 1].answer);
                assert_false(bars[ROOM_BARS - 1].right);
                sum -= bars[ROOM_BARS - 1].count;
            }
            assert_int_equal(sum, 0);
        }
}

/* Equal answers share one bar, in whatever order they arrive; bars of equal length are in the order
 * of their texts. */
static void test_histogram_in_order(void **state) {
    struct room *room = *state;
    struct room_bar bars[ROOM_BARS];
    static const char *const answers[] = {"c", "a", "b", "a", "c", "b", "d"};
    room_ask(room, "who");
    for (unsigned i = 0; i < 7; i++)
        answer_all(room, i + 1, 1, answers[i], false);
    assert_int_equal(room_histogram(room, bars), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bars[i].answer[0], 'a' + i);
        assert_int_equal(bars[i].count, i < 3 ? 2 : 1);
    }
}

/* An empty room has no students; the first to come may be the first to be removed. */
static void test_first_of_all(void **state) {
    struct room *room = *state;
    assert_null(room_find(room, "00000000000000000000000000000001"));
    assert_false(room_is_complete(room));
    for (unsigned i = 0; i < ROOM_STUDENTS; i++)
        assert_non_null(join(room, i + 1));
    assert_ptr_equal(room_find(room, "00000000000000000000000000000003"), room->students[2]);
    room->students[0]->streams = 0;
    assert_non_null(join(room, 9999));
    assert_null(room_find(room, "00000000000000000000000000000001"));
    assert_int_equal(room->students[ROOM_STUDENTS - 1]->number, ROOM_STUDENTS + 1);
    room_ask(room, "who"); /* only the first student has not answered */
    for (size_t i = 1; i < room->student_count; i++)
        room_answer(room, room->students[i], 1, "3", true);
    assert_false(room_is_complete(room));
    room_answer(room, room->students[0], 1, "3", true);
    assert_true(room_is_complete(room));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_student_is_known_by_token),
        TEST(test_one_answer_in_a_round),
        TEST(test_an_open_question_continues),
        TEST(test_question_shown_and_asked_again_is_a_new_round),
        TEST(test_complete_when_all_present_have_answered),
        TEST(test_histogram),
        TEST(test_histogram_keeps_the_right_answer),
        TEST(test_histogram_with_a_bar_for_each),
        TEST(test_full_room),
        TEST(test_histogram_with_the_right_answer_anywhere),
        TEST(test_histogram_in_order),
        TEST(test_first_of_all),
        TEST(test_one_address),
        TEST(test_who_makes_room_first),
        TEST(test_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
