/* Undo and redo in memory of a fixed size, compared with a plain list. */
#include "session/undo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void line_of(char *line, size_t size, unsigned number) {
    snprintf(line, size, "xor --mask %u --width 16 --in 'lane * %u'", number, number);
}

static void goes_to(struct history *history, long steps, unsigned number) {
    char expected[80];
    char *line = history_back(history, steps);
    line_of(expected, sizeof expected, number);
    assert_non_null(line);
    assert_string_equal(line, expected);
    free(line);
}

static void ten_thousand_changes_are_undone(void **state) {
    (void)state;
    struct history history;
    char line[80];
    line_of(line, sizeof line, 0);
    history_init(&history, line);
    const char *bytes = history.bytes;
    const uint64_t *starts = history.starts;
    for (unsigned i = 1; i <= 10000; i++) {
        line_of(line, sizeof line, i);
        history_add(&history, line);
    }
    for (unsigned i = 10000; i-- > 0;)
        goes_to(&history, 1, i);
    assert_null(history_back(&history, 1));
    for (unsigned i = 1; i <= 10000; i++)
        goes_to(&history, -1, i);
    assert_null(history_back(&history, -1));
    goes_to(&history, 10000, 0);
    goes_to(&history, -1000000, 10000);
    assert_ptr_equal(history.bytes, bytes); /* no memory was added */
    assert_ptr_equal(history.starts, starts);
    history_release(&history);
}

static void the_oldest_are_forgotten(void **state) {
    (void)state;
    struct history history;
    char line[80];
    line_of(line, sizeof line, 0);
    history_init(&history, line);
    for (unsigned i = 1; i <= 50000; i++) {
        line_of(line, sizeof line, i);
        history_add(&history, line);
    }
    unsigned undone = 0;
    for (char *was; (was = history_back(&history, 1)); undone++) {
        line_of(line, sizeof line, 49999 - undone);
        assert_string_equal(was, line);
        free(was);
    }
    assert_int_equal(undone, HISTORY_LINES - 1);
    history_release(&history);
}

/* Lines that use up the ring's bytes before its limit on lines is reached. */
static void long_lines_have_fewer(void **state) {
    (void)state;
    struct history history;
    const size_t length = HISTORY_BYTES / 10;
    char *line = malloc(length + 1);
    memset(line, 'a', length);
    line[length] = '\0';
    history_init(&history, "first");
    for (int i = 0; i < 100; i++) {
        line[0] = (char)('A' + i % 26);
        history_add(&history, line);
    }
    for (int i = 99; i-- > 91;) { /* nine lines fit */
        char *was = history_back(&history, 1);
        assert_non_null(was);
        assert_int_equal(was[0], 'A' + i % 26);
        assert_int_equal(strlen(was), length);
        free(was);
    }
    assert_null(history_back(&history, 1));
    free(line);
    history_release(&history);
}

static void a_change_after_an_undo_drops_what_was_undone(void **state) {
    (void)state;
    struct history history;
    char line[80];
    line_of(line, sizeof line, 0);
    history_init(&history, line);
    for (unsigned i = 1; i <= 5; i++) {
        line_of(line, sizeof line, i);
        history_add(&history, line);
    }
    goes_to(&history, 3, 2);
    line_of(line, sizeof line, 77);
    history_add(&history, line);
    assert_null(history_back(&history, -1));
    goes_to(&history, 1, 2);
    goes_to(&history, -1, 77);
    goes_to(&history, 3, 0);
    history_release(&history);
}

/* A line takes one byte more than its letters, for its end. */
static void the_ring_is_filled_to_its_last_byte(void **state) {
    (void)state;
    static const struct {
        uint64_t first, second, kept; /* in letters; kept: what is left of the second line */
        bool both;
    } cases[] = {
        {1, HISTORY_BYTES - 4, HISTORY_BYTES - 4, true},
        {1, HISTORY_BYTES - 3, HISTORY_BYTES - 3, true},
        {1, HISTORY_BYTES - 2, HISTORY_BYTES - 2, false},
        {1, HISTORY_BYTES - 1, HISTORY_BYTES - 1, false},
        {1, HISTORY_BYTES, HISTORY_BYTES - 1, false},
        {1, HISTORY_BYTES + 9, HISTORY_BYTES - 1, false},
    };
    char *line = malloc(HISTORY_BYTES + 10);
    assert_non_null(line);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct history history;
        memset(line, 'a', HISTORY_BYTES + 9);
        line[cases[i].first] = '\0';
        history_init(&history, line);
        memset(line, 'b', HISTORY_BYTES + 9);
        line[cases[i].second] = '\0';
        history_add(&history, line);
        char *back = history_back(&history, 0);
        assert_non_null(back);
        assert_int_equal(strlen(back), cases[i].kept);
        assert_int_equal(strspn(back, "b"), cases[i].kept);
        free(back);
        back = history_back(&history, 1);
        assert_int_equal(back != NULL, cases[i].both);
        if (back)
            assert_string_equal(back, "a");
        free(back);
        history_release(&history);
    }
    free(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_changes_are_undone),
        cmocka_unit_test(the_oldest_are_forgotten),
        cmocka_unit_test(long_lines_have_fewer),
        cmocka_unit_test(the_ring_is_filled_to_its_last_byte),
        cmocka_unit_test(a_change_after_an_undo_drops_what_was_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
