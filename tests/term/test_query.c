/* Input from a terminal that was asked for its background: answers, and keys among them. */
#include "term/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Takes all of `typed`; the rest goes to `keys`, as text. */
static void take(struct query *query, const char *typed, char keys[64]) {
    size_t count = strlen(keys);
    for (; *typed; typed++) {
        uint32_t key[QUERY_KEYS];
        const size_t found = query_take(query, (unsigned char)*typed, key);
        assert_in_range(found, 0, QUERY_KEYS);
        for (size_t i = 0; i < found; i++)
            keys[count++] = (char)key[i];
    }
    keys[count] = '\0';
}

static void pause_is(struct query *query, const char *expected) {
    uint32_t key[QUERY_KEYS];
    const size_t found = query_pause(query, key);
    assert_int_equal(found, strlen(expected));
    for (size_t i = 0; i < found; i++)
        assert_int_equal(key[i], (unsigned char)expected[i]);
}

static void without_a_query(void **state) {
    (void)state;
    struct query query = {0};
    char keys[64] = "";
    take(&query, "a\033b\033[", keys);
    assert_string_equal(keys, "a\033b\033[");
    pause_is(&query, "");
}

static void answers_are_not_keys(void **state) {
    (void)state;
    static const struct {
        const char *answer;
        enum palette_background background;
    } answers[] = {
        {"\033]11;rgb:0000/0000/0000\033\\", BACKGROUND_DARK},
        {"\033]11;rgb:ffff/ffff/ffff\033\\", BACKGROUND_LIGHT},
        {"\033]11;rgb:fd/f6/e3\007", BACKGROUND_LIGHT},
        {"\033]what is that\007", BACKGROUND_UNKNOWN},
        {"", BACKGROUND_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct query query = {.asked = true};
        char keys[64] = "";
        take(&query, "j", keys);
        take(&query, answers[i].answer, keys);
        assert_int_equal(query.background, answers[i].background);
        assert_true(query.asked);
        take(&query, "k\033[?62;22c", keys);
        assert_false(query.asked); /* the terminal's type is its last answer */
        assert_int_equal(query.state, QUERY_NONE);
        take(&query, "l\033m", keys);
        assert_string_equal(keys, "jkl\033m");
    }
}

/* An answer may come in parts, with pauses: half an answer continues later. */
static void an_answer_may_come_in_parts(void **state) {
    (void)state;
    struct query query = {.asked = true};
    char keys[64] = "";
    take(&query, "\033]11;rgb:", keys);
    pause_is(&query, "");
    take(&query, "ff/ff/ff\033", keys);
    pause_is(&query, "");
    take(&query, "\\", keys);
    assert_int_equal(query.background, BACKGROUND_LIGHT);
    take(&query, "\033[?6", keys);
    pause_is(&query, "");
    take(&query, "c", keys);
    assert_string_equal(keys, "");
    assert_false(query.asked);
}

static void lookalikes_of_answers_are_keys(void **state) {
    (void)state;
    struct query query = {.asked = true};
    char keys[64] = "";
    take(&query, "\033x", keys);
    assert_string_equal(keys, "\033x");
    take(&query, "\033[A", keys);
    assert_string_equal(keys, "\033x\033[A");
    take(&query, "]?[", keys);
    assert_string_equal(keys, "\033x\033[A]?[");
    take(&query, "\033", keys);
    pause_is(&query, "\033");
    pause_is(&query, "");
    take(&query, "\033[", keys);
    pause_is(&query, "\033[");
    take(&query, "\033?", keys); /* "?" begins an answer only after a bracket */
    assert_string_equal(keys, "\033x\033[A]?[\033?");
    take(&query, "\033\033", keys);
    assert_string_equal(keys, "\033x\033[A]?[\033?\033");
    assert_int_equal(query.state, QUERY_ESCAPE);
    take(&query, "[\033", keys);
    assert_string_equal(keys, "\033x\033[A]?[\033?\033\033[");
    pause_is(&query, "\033");
    assert_true(query.asked);
}

/* An answer that is too long, or not ASCII, does not affect the input after it. */
static void a_long_answer_is_cut(void **state) {
    (void)state;
    struct query query = {.asked = true};
    char keys[64] = "", fill[200];
    memset(fill, 'f', sizeof fill);
    fill[sizeof fill - 1] = '\0';
    take(&query, "\033]11;rgb:", keys);
    take(&query, fill, keys);
    assert_int_equal(query.length, sizeof query.answer - 1);
    take(&query, "\007", keys);
    assert_int_equal(query.background, BACKGROUND_UNKNOWN);
    take(&query, "\033]11;rgb:00\303\244\200/00/00\007q", keys);
    assert_int_equal(query.background, BACKGROUND_DARK);
    assert_string_equal(keys, "q");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_query),
        cmocka_unit_test(answers_are_not_keys),
        cmocka_unit_test(an_answer_may_come_in_parts),
        cmocka_unit_test(lookalikes_of_answers_are_keys),
        cmocka_unit_test(a_long_answer_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
