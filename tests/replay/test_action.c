/* The table of actions: it has the bindings that people rely on, and no key is bound twice. */
#include "replay/keys/action.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void binds_the_keys_people_rely_on(void **state) {
    (void)state;
    static const struct {
        const char *key;
        enum action action;
        long argument;
    } expected[] = {
        {"Right", ACTION_PHASE_NEXT, 0},
        {"l", ACTION_PHASE_NEXT, 0},
        {"Space", ACTION_RUN, 0},
        {"Left", ACTION_PHASE_PREVIOUS, 0},
        {"h", ACTION_PHASE_PREVIOUS, 0},
        {"n", ACTION_OPERATION_NEXT, 0},
        {"N", ACTION_OPERATION_PREVIOUS, 0},
        {"g", ACTION_OPERATION_FIRST, 0},
        {"G", ACTION_OPERATION_LAST, 0},
        {"Down", ACTION_LANE_NEXT, 0},
        {"j", ACTION_LANE_NEXT, 0},
        {"Up", ACTION_LANE_PREVIOUS, 0},
        {"k", ACTION_LANE_PREVIOUS, 0},
        {"w", ACTION_WARP_NEXT, 0},
        {"W", ACTION_WARP_PREVIOUS, 0},
        {"b", ACTION_BLOCK_NEXT, 0},
        {"B", ACTION_BLOCK_PREVIOUS, 0},
        {"Tab", ACTION_VIEW_NEXT, 0},
        {"1", ACTION_VIEW_GO, 0},
        {"2", ACTION_VIEW_GO, 1},
        {"3", ACTION_VIEW_GO, 2},
        {"4", ACTION_VIEW_GO, 3},
        {"5", ACTION_VIEW_GO, 4},
        {"a", ACTION_PLAY, 0},
        {"+", ACTION_WATCH, 0}, /* faster if no local variables are shown */
        {"=", ACTION_FASTER, 0},
        {"-", ACTION_SLOWER, 0},
        {"p", ACTION_PREDICT, 0},
        {"/", ACTION_FIND, 0},
        {"?", ACTION_HELP, 0},
        {"q", ACTION_QUIT, 0},
        {"Escape", ACTION_CANCEL, 0},
        {"Ctrl-L", ACTION_REDRAW, 0},
        {"BackTab", ACTION_VIEW_PREVIOUS, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct action_info *info = action_for_key(ACTION_MODE_REPLAY, expected[i].key);
        assert_non_null(info);
        assert_int_equal(info->action, expected[i].action);
        assert_int_equal(info->argument, expected[i].argument);
    }
    assert_null(action_for_key(ACTION_MODE_REPLAY, "x"));
    assert_null(action_for_key(ACTION_MODE_REPLAY, ""));
    assert_null(action_for_key(ACTION_MODE_REPLAY, "9"));
}

static void binds_no_key_or_name_twice(void **state) {
    (void)state;
    for (int mode = 0; mode < ACTION_MODE_COUNT; mode++) {
        const struct action_info *list[ACTION_ROWS_MAX];
        size_t count = action_list((enum action_mode)mode, list);
        assert_true(count > 1);
        for (size_t i = 0; i < count; i++) {
            assert_non_null(list[i]->keys[0]);
            assert_null(list[i]->keys[ACTION_KEYS - 1]);
            assert_true(strlen(list[i]->help) > 0);
            for (int k = 0; list[i]->keys[k]; k++)
                assert_ptr_equal(action_for_key((enum action_mode)mode, list[i]->keys[k]), list[i]);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(list[i]->name, list[j]->name);
        }
    }
}

/* An action has one number and one name for front ends, the help and a user's key file. */
static void each_action_has_one_handler(void **state) {
    (void)state;
    for (int mode = 0; mode < ACTION_MODE_COUNT; mode++) {
        const struct action_info *list[ACTION_ROWS_MAX];
        size_t count = action_list((enum action_mode)mode, list);
        for (size_t i = 0; i < count; i++) {
            assert_true(list[i]->run == NULL || list[i]->run == action_run(list[i]->action));
            assert_int_equal(action_shared(list[i]), list[i]->modes >> ACTION_MODE_REPLAY & 1);
        }
    }
}

/* A screen's own rows come before the rows that it shares with a replay. */
static void a_list_has_its_own_rows_first(void **state) {
    (void)state;
    for (int mode = 1; mode < ACTION_MODE_COUNT; mode++) {
        const struct action_info *list[ACTION_ROWS_MAX];
        size_t count = action_list((enum action_mode)mode, list);
        for (size_t i = 1; i < count; i++)
            assert_true(!action_shared(list[i - 1]) || action_shared(list[i]));
    }
}

static bool ends_with(const char *name, const char *end) {
    const size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* "3n", "2U": stepping actions take a count; views and finds do not. Every change leaves
 * the beat's picture; copying the command does not. */
static void steps_take_a_count_and_changes_leave_the_beat(void **state) {
    (void)state;
    static const char *const ends[] = {"-next", "-previous", "-first", "-last",
                                       "-up",   "-down",     "undo",   "redo"};
    static const char *const others[] = {"view-", "find-", "explanation-"};
    int counted = 0, live = 0;
    for (size_t i = 0; i < action_row_count; i++) {
        const struct action_info *row = &action_rows[i];
        bool steps = false;
        if (!(row->modes & (1u << ACTION_MODE_REPLAY | 1u << ACTION_MODE_LIVE)))
            continue;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            steps = steps || ends_with(row->name, ends[k]);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            steps = steps && strncmp(row->name, others[k], strlen(others[k])) != 0;
        if ((row->flags & ACTION_COUNTED) != (steps ? ACTION_COUNTED : 0))
            fail_msg("%s", row->name);
        counted += steps;
        if (!(row->modes & 1u << ACTION_MODE_LIVE))
            continue;
        if (!(row->flags & ACTION_LEAVES_BEAT) != (row->action == ACTION_COPY))
            fail_msg("%s", row->name);
        live++;
    }
    assert_true(counted > 20 && live > 15);
}

static void each_screen_has_its_keys(void **state) {
    (void)state;
    static const struct {
        enum action_mode mode;
        const char *key;
        enum action action;
    } expected[] = {
        {ACTION_MODE_LIVE, "]", ACTION_ARGUMENT_NEXT},
        {ACTION_MODE_LIVE, "[", ACTION_ARGUMENT_PREVIOUS},
        {ACTION_MODE_LIVE, "}", ACTION_WIDTH_NEXT},
        {ACTION_MODE_LIVE, "{", ACTION_WIDTH_PREVIOUS},
        {ACTION_MODE_LIVE, "c", ACTION_CALL_NEXT},
        {ACTION_MODE_LIVE, "C", ACTION_CALL_PREVIOUS},
        {ACTION_MODE_REPLAY, "o", ACTION_WHOSE},
        {ACTION_MODE_LIVE, "s", ACTION_SCHEDULE_NEXT},
        {ACTION_MODE_LIVE, "S", ACTION_SCHEDULE_PREVIOUS},
        {ACTION_MODE_LIVE, "u", ACTION_UNDO},
        {ACTION_MODE_LIVE, "U", ACTION_REDO},
        {ACTION_MODE_LIVE, "y", ACTION_COPY},
        {ACTION_MODE_LIVE, "|", ACTION_BESIDE},
        {ACTION_MODE_LIVE, ":", ACTION_SETTING},
        {ACTION_MODE_MEMBERS, "Space", ACTION_MEMBER},
        {ACTION_MODE_LESSON, "Right", ACTION_BEAT_NEXT},
        {ACTION_MODE_LESSON, "Space", ACTION_BEAT_NEXT},
        {ACTION_MODE_LESSON, "Enter", ACTION_CONTINUE},
        {ACTION_MODE_LESSON, "n", ACTION_OPERATION_NEXT},
        {ACTION_MODE_LESSON, "Tab", ACTION_VIEW_NEXT},
        {ACTION_MODE_LESSON, ":", ACTION_BEAT_PROMPT},
        {ACTION_MODE_LESSON, ".", ACTION_BLACK},
        {ACTION_MODE_LESSON, "a", ACTION_PLAY},
        {ACTION_MODE_LESSON, "@", ACTION_CLASS},
        {ACTION_MODE_QUESTION, "@", ACTION_CLASS},
        {ACTION_MODE_QUESTION, "Tab", ACTION_HINT},
        {ACTION_MODE_QUESTION, "Escape", ACTION_REVEAL},
        {ACTION_MODE_QUESTION, "Enter", ACTION_CONTINUE},
        {ACTION_MODE_QUESTION, "Space", ACTION_MARK},
        {ACTION_MODE_LIST, "j", ACTION_LESSON_NEXT},
        {ACTION_MODE_LIST, "Enter", ACTION_CONTINUE},
        {ACTION_MODE_LIST, "/", ACTION_FIND},
        {ACTION_MODE_QUIZ, "Space", ACTION_CONTINUE},
        {ACTION_MODE_QUIZ, "Right", ACTION_PHASE_NEXT},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct action_info *info = action_for_key(expected[i].mode, expected[i].key);
        assert_non_null(info);
        assert_int_equal(info->action, expected[i].action);
    }
}

/* If a mode has no row for a key, the mode beneath it may have one; a help screen comes first. */
static void one_lookup_finds_the_action(void **state) {
    (void)state;
    static const struct {
        enum action_mode mode;
        bool help;
        const char *key;
        enum action action;
        bool types;
    } expected[] = {
        {ACTION_MODE_REPLAY, false, "n", ACTION_OPERATION_NEXT, false},
        {ACTION_MODE_REPLAY, false, "]", ACTION_ARGUMENT_NEXT, false},
        {ACTION_MODE_LESSON, false, "]", ACTION_ARGUMENT_NEXT, false},
        {ACTION_MODE_QUIZ, false, "]", ACTION_ARGUMENT_NEXT, false},
        {ACTION_MODE_LIST, false, "]", ACTION_NONE, false},
        {ACTION_MODE_REPLAY, false, "Enter", ACTION_ACCEPT, false},
        {ACTION_MODE_QUIZ, false, "F9", ACTION_NONE, false},
        {ACTION_MODE_REPLAY, false, "x", ACTION_NONE, false},
        {ACTION_MODE_PROMPT, false, "x", ACTION_NONE, true},
        {ACTION_MODE_PROMPT, false, "F9", ACTION_NONE, false},
        {ACTION_MODE_PROMPT, false, "Enter", ACTION_ACCEPT, false},
        {ACTION_MODE_QUESTION, false, "5", ACTION_NONE, true},
        {ACTION_MODE_QUESTION, true, "5", ACTION_NONE, false},
        {ACTION_MODE_REPLAY, true, "n", ACTION_OPERATION_NEXT, false},
        {ACTION_MODE_REPLAY, true, "Space", ACTION_HELP_CLOSE, false},
        {ACTION_MODE_REPLAY, true, "Ctrl-L", ACTION_REDRAW, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct press press =
            action_help_press(expected[i].help, action_press(expected[i].mode, expected[i].key));
        assert_string_equal(press.key, expected[i].key);
        assert_int_equal(press.info->action, expected[i].action);
        assert_int_equal(press.types, expected[i].types);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_lookup_finds_the_action),
        cmocka_unit_test(binds_the_keys_people_rely_on),
        cmocka_unit_test(binds_no_key_or_name_twice),
        cmocka_unit_test(each_action_has_one_handler),
        cmocka_unit_test(a_list_has_its_own_rows_first),
        cmocka_unit_test(steps_take_a_count_and_changes_leave_the_beat),
        cmocka_unit_test(each_screen_has_its_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
