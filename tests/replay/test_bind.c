/* The user's own keys: the effects of a file of bindings, and the message for a wrong line. */
#include "replay/keys/bind.h"
#include "replay/replay.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int unbind(void **state) {
    (void)state;
    action_unbind_all();
    return 0;
}

static enum action action_of(enum action_mode mode, const char *key) {
    const struct action_info *info = action_for_key(mode, key);
    return info ? info->action : ACTION_NONE;
}

static void binds(const char *text) {
    struct error err = ERROR_INIT;
    if (bind_read(text, "keys", &err) != 0)
        fail_msg("refused: %s", err.text);
}

static void refuses(const char *text, const char *words) {
    struct error err = ERROR_INIT;
    action_unbind_all();
    assert_int_equal(bind_read(text, "keys", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    if (!strstr(err.text, words))
        fail_msg("said \"%s\", expected \"%s\"", err.text, words);
}

static void binds_a_key_in_one_place(void **state) {
    (void)state;
    binds("bind replay x phase-next\n");
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "x"), ACTION_PHASE_NEXT);
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "l"), ACTION_PHASE_NEXT);
    assert_int_equal(action_of(ACTION_MODE_QUIZ, "x"), ACTION_NONE);
    binds("bind replay Ctrl-B phase-next\nbind replay Ctrl-Z phase-next\n");
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "Ctrl-B"), ACTION_PHASE_NEXT);
}

static void unbinds_a_key(void **state) {
    (void)state;
    const char *keys[ACTION_KEYS];
    binds("bind replay b none\nbind replay n lane-next");
    assert_null(action_for_key(ACTION_MODE_REPLAY, "b"));
    assert_int_equal(action_of(ACTION_MODE_LESSON, "b"), ACTION_BLOCK_NEXT);
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "n"), ACTION_LANE_NEXT);
    const struct action_info *next = action_for_key(ACTION_MODE_LESSON, "n");
    assert_int_equal(next->action, ACTION_OPERATION_NEXT);
    assert_int_equal(action_keys(ACTION_MODE_REPLAY, next, keys), 0);
    assert_int_equal(action_keys(ACTION_MODE_LESSON, next, keys), 1);
    assert_string_equal(action_key(ACTION_MODE_REPLAY, ACTION_OPERATION_NEXT), "");
}

static void shows_the_users_key_first(void **state) {
    (void)state;
    const char *keys[ACTION_KEYS];
    binds("bind lesson é beat-next\n");
    const struct action_info *next = action_for_key(ACTION_MODE_LESSON, "é");
    assert_non_null(next);
    assert_int_equal(action_keys(ACTION_MODE_LESSON, next, keys), 5);
    assert_string_equal(keys[0], "é");
    assert_string_equal(keys[1], "Right");
    assert_string_equal(action_key(ACTION_MODE_LESSON, ACTION_BEAT_NEXT), "é");
}

static void the_later_line_counts(void **state) {
    (void)state;
    binds("bind list x lesson-last\nbind list x lesson-first\n");
    assert_int_equal(action_of(ACTION_MODE_LIST, "x"), ACTION_LESSON_FIRST);
}

static void skips_comments_and_blanks(void **state) {
    (void)state;
    binds("# mine\n\n \t\n  bind\treplay  # help # the key, and a comment\r\n#bind nothing");
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "#"), ACTION_HELP);
}

static void reports_a_bad_line(void **state) {
    (void)state;
    refuses("\nbnd replay x help", "keys:2: not a binding\nallowed: bind MODE KEY ACTION");
    refuses("bind replay x", "keys:1: not a binding");
    refuses("bind replay x help more", "keys:1: not a binding");
    refuses("bind rplay x help", "keys:1: 'rplay' is not a mode with keys; did you mean 'replay'?");
    refuses("bind rplay x help", "\nallowed: replay lesson question list quiz");
    refuses("bind replay Spce help", "keys:1: 'Spce' is not a key; did you mean 'Space'?");
    refuses("bind replay ab help", "'ab' is not a key");
    refuses("bind replay Ctrl-1 help", "'Ctrl-1' is not a key");
    refuses("bind replay Ctrl-b help", "'Ctrl-b' is not a key");
    refuses("bind replay Ctrl-BB help", "'Ctrl-BB' is not a key");
    refuses("bind replay x phase-nxt",
            "keys:1: 'phase-nxt' is not an action of this mode; did you mean 'phase-next'?");
    refuses("bind replay x beat-next", "'beat-next' is not an action of this mode");
    refuses("bind x\nbind y\nbind z\n", "keys:1: not a binding");
    refuses("bind x\nbind y\nbind z\n", "\n2 more lines are wrong");
}

static void other_lines_apply_despite_a_bad_one(void **state) {
    (void)state;
    refuses("bind replay x phase-next\nbind replay y nothing\nbind replay z help\n", "keys:2: ");
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "x"), ACTION_PHASE_NEXT);
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "z"), ACTION_HELP);
    assert_null(action_for_key(ACTION_MODE_REPLAY, "y"));
}

static void does_not_take_more_than_there_is_room_for(void **state) {
    (void)state;
    char text[64 * (ACTION_BOUND_MAX + 1)] = "";
    struct error err = ERROR_INIT;
    for (int i = 0; i < ACTION_BOUND_MAX; i++)
        strcat(text, "bind replay x help\n");
    binds(text);
    assert_int_equal(bind_read("bind replay y help", "keys", &err), -1);
    assert_non_null(strstr(err.text, "too many bindings: at most 256 are allowed"));
    assert_int_equal(action_of(ACTION_MODE_REPLAY, "x"), ACTION_HELP);
}

/* A key's name has at most 15 characters. */
static void a_key_has_a_name_of_fifteen_characters_at_most(void **state) {
    (void)state;
    const struct action_info *next = action_for_key(ACTION_MODE_REPLAY, "n");
    assert_true(action_bind(ACTION_MODE_REPLAY, "123456789012345", next));
    assert_false(action_bind(ACTION_MODE_REPLAY, "1234567890123456", next));
    assert_ptr_equal(action_for_key(ACTION_MODE_REPLAY, "123456789012345"), next);
}

/* A bound key performs its action, with a count; an unbound key reports that it has no action. */
static void bound_keys_have_effect(void **state) {
    (void)state;
    struct trace *trace = sample_open("reduce");
    struct replay replay;
    assert_non_null(trace);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    binds("bind replay x operation-next\nbind replay n none\nbind replay ? none\n"
          "bind replay H help\nbind replay 7 lane-next\n");
    assert_true(replay_key(&replay, replay_press(&replay, "x")));
    assert_int_equal(replay.cursor.position, 1);
    assert_true(replay_key(&replay, replay_press(&replay, "2")));
    assert_true(replay_key(&replay, replay_press(&replay, "x")));
    assert_int_equal(replay.cursor.position, 3);
    replay_key(&replay, replay_press(&replay, "n"));
    assert_int_equal(replay.cursor.position, 3);
    assert_string_equal(replay.message, "n does nothing: H shows the keys");
    replay_key(&replay, replay_press(&replay, "7"));
    assert_int_equal(replay.lane, 1);
    trace_close(trace);
}

/* At a question, a character that an answer may contain is typed, whatever it is bound to. */
static void an_answer_can_still_be_typed(void **state) {
    (void)state;
    struct trace *trace = sample_open("reduce");
    struct replay replay;
    assert_non_null(trace);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    binds("bind predict 1 predict-cancel\nbind predict o predict-cancel\n"
          "bind predict x predict-cancel\n");
    replay_key(&replay, replay_press(&replay, "p"));
    replay_key(&replay, replay_press(&replay, "1"));
    replay_key(&replay, replay_press(&replay, "o"));
    assert_string_equal(replay.input.text, "1o");
    replay_key(&replay, replay_press(&replay, "x"));
    assert_int_equal(replay.asking.state, PREDICTION_NONE);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(binds_a_key_in_one_place, unbind),
        cmocka_unit_test_teardown(unbinds_a_key, unbind),
        cmocka_unit_test_teardown(shows_the_users_key_first, unbind),
        cmocka_unit_test_teardown(the_later_line_counts, unbind),
        cmocka_unit_test_teardown(skips_comments_and_blanks, unbind),
        cmocka_unit_test_teardown(reports_a_bad_line, unbind),
        cmocka_unit_test_teardown(other_lines_apply_despite_a_bad_one, unbind),
        cmocka_unit_test_teardown(does_not_take_more_than_there_is_room_for, unbind),
        cmocka_unit_test_teardown(a_key_has_a_name_of_fifteen_characters_at_most, unbind),
        cmocka_unit_test_teardown(bound_keys_have_effect, unbind),
        cmocka_unit_test_teardown(an_answer_can_still_be_typed, unbind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
