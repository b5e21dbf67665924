/*
 * The effect of each action on a player, in the states in which it matters, and whether anything
 * visible changed. The lesson is the one in tests/view/lesson: beat 0 narrates, walking through the
 * phases before and address with lane 5 selected; beat 1 asks which lane lane 5 reads; beat 6
 * shows the sum's second step of six, after it, and asks nothing.
 */
#include "sample_lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define T PLAYER_TELLING
#define Q PLAYER_ASKING
#define A PLAYER_ANSWERED
#define F PLAYER_FINISHED

enum { EXPLORES = 1, HELP = 2, GOTO = 4, BLACK = 8, QUIT = 16, PLAYS = 32, HINT = 64, ASIDE = 128 };

struct row {
    const char *keys;
    bool presenting;
    enum action action;
    long argument;
    bool changed;
    size_t beat;
    enum player_state state;
    enum phase phase;
    int lane;
    unsigned flags;
    const char *message; /* its beginning; "" for none */
};

static const struct row rows[] = {
    {"", false, ACTION_NONE, 0, false, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_REDRAW, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    /* Forward and back, by keys, by the wheel, by a click. */
    {"", false, ACTION_BEAT_NEXT, 0, true, 0, T, PHASE_ADDRESS, 5, 0, ""},
    {"", false, ACTION_PHASE_NEXT, 1, true, 0, T, PHASE_ADDRESS, 5, 0, ""},
    {"Right", false, ACTION_PHASE_PREVIOUS, 1, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"Right", false, ACTION_BEAT_PREVIOUS, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_CONTINUE, 0, true, 0, T, PHASE_ADDRESS, 5, 0, ""},
    {"", false, ACTION_BEAT_GO, 1, true, 1, Q, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_BEAT_GO, 9, true, 9, T, PHASE_AFTER, 5, 0, ""},
    {"", false, ACTION_BEAT_GO, 10, false, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_BEAT_GO, -1, false, 0, T, PHASE_BEFORE, 5, 0, ""},
    /* A phase that the beat walks through is shown; any other phase begins exploring. */
    {"", false, ACTION_PHASE_GO, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"Right", false, ACTION_PHASE_GO, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_PHASE_GO, 1, true, 0, T, PHASE_ADDRESS, 5, 0, ""},
    {"", false, ACTION_PHASE_GO, 2, true, 0, T, PHASE_RANGE, 5, EXPLORES, ""},
    {"n", false, ACTION_PHASE_GO, 0, true, 0, T, PHASE_BEFORE, 5, EXPLORES, ""},
    /* Another operation begins exploring, too; actions that only look around do not. */
    {":7 Enter", false, ACTION_OPERATION_NEXT, 1, true, 6, T, PHASE_AFTER, 1, EXPLORES, ""},
    {":7 Enter n", false, ACTION_CANCEL, 0, true, 6, T, PHASE_AFTER, 1, 0, ""},
    {":7 Enter n", false, ACTION_CONTINUE, 0, true, 6, T, PHASE_AFTER, 1, 0, ""},
    {":7 Enter n", false, ACTION_BEAT_NEXT, 0, true, 7, T, PHASE_BEFORE, 1, 0, ""},
    {"", false, ACTION_VIEW_GO, 1, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_LANE_GO, 0, true, 0, T, PHASE_BEFORE, 0, 0, ""},
    /* An open question is not left, and asking for another question does not answer it. */
    {":2 Enter", false, ACTION_BEAT_NEXT, 0, true, 1, Q, PHASE_BEFORE, 5, 0, "answer first"},
    {":2 Enter", false, ACTION_OPERATION_NEXT, 1, true, 1, Q, PHASE_BEFORE, 5, 0, "answer first"},
    {":2 Enter", false, ACTION_CANCEL, 0, false, 1, Q, PHASE_BEFORE, 5, 0, ""},
    {":2 Enter", false, ACTION_HINT, 0, true, 1, Q, PHASE_BEFORE, 5, HINT, ""},
    {":2 Enter 6 Enter", false, ACTION_HINT, 0, true, 1, A, PHASE_RANGE, 5, 0, ""},
    {":2 Enter", false, ACTION_REVEAL, 0, true, 1, Q, PHASE_BEFORE, 5, 0, "Escape once more"},
    {":2 Enter Escape", false, ACTION_REVEAL, 0, true, 1, A, PHASE_RANGE, 5, 0,
     "lane 5: 5^3=6: reads"},
    {":2 Enter 6 Enter", false, ACTION_PREDICT, 0, true, 1, Q, PHASE_BEFORE, 5, 0, ""},
    {":2 Enter 6 Enter", false, ACTION_REVEAL, 0, true, 1, A, PHASE_RANGE, 5, 0, ""},
    /* The help, a prompt and a black screen close with the next action. */
    {"?", false, ACTION_HELP, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_HELP, 0, true, 0, T, PHASE_BEFORE, 5, HELP, ""},
    {"?", false, ACTION_BEAT_NEXT, 0, true, 0, T, PHASE_ADDRESS, 5, 0, ""},
    {"?", false, ACTION_REDRAW, 0, true, 0, T, PHASE_BEFORE, 5, HELP, ""},
    {"?", false, ACTION_SCROLL_UP, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_BEAT_PROMPT, 0, true, 0, T, PHASE_BEFORE, 5, GOTO, ""},
    {":", false, ACTION_BEAT_NEXT, 0, true, 0, T, PHASE_ADDRESS, 5, 0, ""},
    {":", false, ACTION_SCROLL_UP, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {":", false, ACTION_NONE, 0, false, 0, T, PHASE_BEFORE, 5, GOTO, ""},
    {"", false, ACTION_BLACK, 0, true, 0, T, PHASE_BEFORE, 5, BLACK, ""},
    {".", false, ACTION_BEAT_NEXT, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""}, /* not black any more */
    {".", false, ACTION_QUIT, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_QUIT, 0, true, 0, T, PHASE_BEFORE, 5, QUIT, ""},
    {"", false, ACTION_ASIDE, 0, true, 0, T, PHASE_BEFORE, 5, ASIDE, ""},
    {"i", false, ACTION_ASIDE, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_SCROLL_UP, 0, false, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"", false, ACTION_SCROLL_DOWN, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {"J", false, ACTION_SCROLL_UP, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    {":7 Enter", false, ACTION_RESTART, 0, true, 0, T, PHASE_BEFORE, 5, 0, ""},
    /* Automatic play, and its speed. */
    {"", false, ACTION_PLAY, 0, true, 0, T, PHASE_BEFORE, 5, PLAYS,
     "the lesson advances by itself"},
    {"a", false, ACTION_PLAY, 0, true, 0, T, PHASE_BEFORE, 5, 0,
     "stopped: press Right to continue"},
    {"", false, ACTION_FASTER, 0, true, 0, T, PHASE_BEFORE, 5, 0, "speed: 2x"},
    {"+", false, ACTION_SLOWER, 0, true, 0, T, PHASE_BEFORE, 5, 0, "speed: 1x"},
    {"", false, ACTION_SLOWER, 0, true, 0, T, PHASE_BEFORE, 5, 0, "speed: 1/2"},
    {"-", false, ACTION_SLOWER, 0, true, 0, T, PHASE_BEFORE, 5, 0, "speed: 1/4"},
    {"++++", false, ACTION_FASTER, 0, false, 0, T, PHASE_BEFORE, 5, 0, "speed: 16x"},
    {"----", false, ACTION_SLOWER, 0, false, 0, T, PHASE_BEFORE, 5, 0, "speed: 1/16"},
    /* After the last beat. */
    {":10 Enter", false, ACTION_BEAT_NEXT, 0, true, 9, F, PHASE_AFTER, 5, 0, ""},
    {":10 Enter Right", false, ACTION_PLAY, 0, true, 9, F, PHASE_AFTER, 5, 0,
     "this is the end: R begins"},
    {":10 Enter Right", false, ACTION_BEAT_PREVIOUS, 0, true, 9, T, PHASE_AFTER, 5, 0, ""},
    {":10 Enter Right", false, ACTION_CONTINUE, 0, true, 9, F, PHASE_AFTER, 5, QUIT, ""},
    {":10 Enter Right", false, ACTION_PREDICT, 0, true, 1, Q, PHASE_BEFORE, 5, 0, ""},
};

static unsigned flags_of(const struct player *player) {
    return (player->exploring ? EXPLORES : 0u) | (player->replay.help ? HELP : 0u) |
           (player->goto_open ? GOTO : 0u) | (player->black ? BLACK : 0u) |
           (player->quit ? QUIT : 0u) | (player->playing ? PLAYS : 0u) |
           (player->hinted ? HINT : 0u) | (player->aside ? ASIDE : 0u);
}

static void each_action(void **state) {
    (void)state;
    bool failed = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct sample_lesson sample;
        struct player *player = &sample.player;
        sample_lesson_open(&sample, "en");
        player->presenting = row->presenting;
        sample_lesson_keys(&sample, row->keys);
        const bool changed = player_apply(player, row->action, row->argument);
        const size_t length = strlen(row->message);
        if (changed != row->changed || player->beat != row->beat || player->state != row->state ||
            player->replay.cursor.phase != row->phase || player->replay.lane != row->lane ||
            flags_of(player) != row->flags ||
            (length ? strncmp(player->message, row->message, length) != 0 : player->message[0])) {
            print_error("row %zu \"%s\": changed %d, beat %zu, state %d, phase %d, lane %d, flags "
                        "%u, \"%s\"\n",
                        i, row->keys, changed, player->beat, (int)player->state,
                        (int)player->replay.cursor.phase, player->replay.lane, flags_of(player),
                        player->message);
            failed = true;
        }
        sample_lesson_close(&sample);
    }
    assert_false(failed);
}

/* True if a key changed anything visible. */
static void keys_report_changes(void **state) {
    (void)state;
    static const struct {
        const char *keys, *key;
        bool changed;
    } presses[] = {
        {"", "Right", true},
        {"", "Ctrl-L", true},
        {"", "K", false},
        {"", "J", true},
        {"", "F9", true}, /* reports that the key does nothing */
        {":", "1", true},
        {":", "/", false}, /* not a character that an id may have */
        {":1", "Backspace", true},
        {":", "Escape", true},
        {":", "Enter", true},
        {":99 Enter", "k", true},
        {".", "F9", true},
        {"?", "F9", true},
        {"?", "?", true},
        {":2 Enter", "6", true},
        {":2 Enter", "Backspace", false},
        {":2 Enter 6", "Backspace", true},
        {":7 Enter n", "Escape", true},
        {":7 Enter n", "N", true},
    };
    bool failed = false;
    for (size_t i = 0; i < sizeof presses / sizeof *presses; i++) {
        struct sample_lesson sample;
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, presses[i].keys);
        if (player_key(&sample.player, player_press(&sample.player, presses[i].key)) !=
            presses[i].changed) {
            print_error("\"%s\" \"%s\": %d\n", presses[i].keys, presses[i].key,
                        !presses[i].changed);
            failed = true;
        }
        sample_lesson_close(&sample);
    }
    assert_false(failed);
}

/* Letters are typed: at the prompt for a beat, at a question, while exploring. */
static void letters_that_are_typed(void **state) {
    (void)state;
    static const struct {
        const char *keys, *key;
        bool types;
    } cases[] = {
        {"", "q", false},           {":", "q", true},          {":", "Escape", false},
        {":", "Enter", false},      {":", "Backspace", false}, {":2 Enter", "6", true},
        {"?", "q", false},          {".", "q", false},         {":7 Enter n /", "q", true},
        {":7 Enter n", "q", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_lesson sample;
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, cases[i].keys);
        if (player_press(&sample.player, cases[i].key).types != cases[i].types)
            fail_msg("\"%s\" \"%s\"", cases[i].keys, cases[i].key);
        sample_lesson_close(&sample);
    }
}

/* A position for a second terminal leads to the same place, and an invalid position is refused. */
static void a_position_leads_back(void **state) {
    (void)state;
    static const char *const scripts[] = {
        "",
        "Right",
        ":2 Enter",
        ":2 Enter 8 Enter",
        ":2 Enter 9 Enter",
        ":2 Enter Tab",
        ":2 Enter 6 Enter",
        ":2 Enter 6 Enter Right",
        ":5 Enter Down Space Down Space",
        ":7 Enter n",
        ":7 Enter Tab Down",
        ":10 Enter Right",
        ".",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct sample_lesson one, two;
        char first[PLAYER_POSITION_SIZE], second[PLAYER_POSITION_SIZE];
        struct error err = ERROR_INIT;
        sample_lesson_open(&one, "en");
        sample_lesson_open(&two, "zh");
        sample_lesson_keys(&one, scripts[i]);
        player_position(&one.player, first);
        if (player_follow(&two.player, first, &err) != 0)
            fail_msg("\"%s\": %s", scripts[i], err.text);
        player_position(&two.player, second);
        assert_string_equal(first, second);
        assert_int_equal(two.player.tries, one.player.tries);
        assert_int_equal(two.player.hinted, one.player.hinted);
        assert_int_equal(two.player.replay.hide, one.player.replay.hide);
        assert_int_equal(two.player.replay.points, one.player.replay.points);
        assert_string_equal(two.player.message, "");
        sample_lesson_close(&one);
        sample_lesson_close(&two);
    }
}

static void an_invalid_position_changes_nothing(void **state) {
    (void)state;
    static const struct {
        const char *beat, *rest;
        bool good;
    } lines[] = {
        {"1 id who line 0 state asking phase 0 view 0 lane 5", "result 1 marks 0 answer", true},
        {"1 id who line 0 state asking phase 0 view 0 lane 5", "result 1 marks 0 answer 8", true},
        {"1 id whom line 0 state asking phase 0 view 0 lane 5", "result 1 marks 0 answer", false},
        {"1 id wh line 0 state asking phase 0 view 0 lane 5", "result 1 marks 0 answer", false},
        {"9 id words line 0 state telling phase 4 view 4 lane 31", "result 1 marks 0 answer", true},
        {"10 id words line 0 state telling phase 4 view 4 lane 5", "result 1 marks 0 answer",
         false},
        {"1 id who line 0 state asks phase 0 view 0 lane 5", "result 1 marks 0 answer", false},
        {"0 id start line 0 state asking phase 0 view 0 lane 5", "result 1 marks 0 answer", false},
        {"0 id start line 0 state answered phase 0 view 0 lane 5", "result 1 marks 0 answer",
         false},
        {"0 id start line 0 state telling phase 0 view 0 lane 0", "result 0 marks 0 answer", true},
        {"0 id start line 0 state telling phase -1 view 0 lane 0", "result 1 marks 0 answer",
         false},
        {"0 id start line 0 state telling phase 5 view 0 lane 0", "result 1 marks 0 answer", false},
        {"0 id start line 0 state telling phase 0 view -1 lane 0", "result 1 marks 0 answer",
         false},
        {"0 id start line 0 state telling phase 0 view 8 lane 0", "result 1 marks 0 answer", false},
        {"0 id start line 0 state telling phase 0 view 0 lane -1", "result 1 marks 0 answer",
         false},
        {"0 id start line 0 state telling phase 0 view 0 lane 32", "result 1 marks 0 answer",
         false},
        {"0 id start line 0 state telling phase 0 view 0 lane 0", "result -1 marks 0 answer",
         false},
        {"0 id start line 0 state telling phase 0 view 0 lane 0", "result 4 marks 0 answer", true},
        {"0 id start line 0 state telling phase 0 view 0 lane 0", "result 5 marks 0 answer", false},
        {"0 id start line 0 state telling phase 0 view 0 lane 0", "result 1 marks", false},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct sample_lesson sample;
        struct error err = ERROR_INIT;
        char line[PLAYER_POSITION_SIZE], before[PLAYER_POSITION_SIZE], now[PLAYER_POSITION_SIZE];
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, ":7 Enter n");
        player_position(&sample.player, before);
        snprintf(line, sizeof line, "beat %s place 0:0:0:0 tries 0 hint 0 explore 0 black 0 %s",
                 lines[i].beat, lines[i].rest);
        const int status = player_follow(&sample.player, line, &err);
        if ((status == 0) != lines[i].good)
            fail_msg("%s: %d", line, status);
        player_position(&sample.player, now);
        if (!lines[i].good) {
            assert_string_equal(before, now);
            assert_non_null(strstr(err.text, "is not a position in the lesson"));
        }
        sample_lesson_close(&sample);
    }
}

/* Earlier progress: the totals of an older file count the questions before the beat where the
 * lesson continues, and no more than there are; beats 1 to 5 ask a question each. A question's
 * noted result is counted first. */
static void earlier_progress_is_counted(void **state) {
    static const struct {
        size_t beat;
        unsigned asked, right;
        const char *noted; /* the beat whose question was answered correctly; may be NULL */
        unsigned then_asked, then_right, before_asked, before_right;
    } cases[] = {
        {0, 0, 0, NULL, 0, 0, 0, 0},  {0, 3, 3, NULL, 0, 0, 0, 0},  {2, 1, 0, NULL, 1, 0, 1, 0},
        {2, 1, 1, NULL, 1, 1, 1, 1},  {3, 1, 1, NULL, 1, 1, 1, 1},  {3, 2, 1, NULL, 2, 1, 2, 1},
        {3, 2, 2, NULL, 2, 2, 2, 2},  {3, 5, 4, NULL, 2, 2, 2, 2},  {6, 5, 5, NULL, 5, 5, 5, 5},
        {6, 9, 9, NULL, 5, 5, 5, 5},  {6, 3, 4, NULL, 3, 3, 3, 3},  {3, 1, 1, "who", 1, 1, 0, 0},
        {3, 2, 1, "who", 2, 1, 1, 0}, {3, 2, 2, "who", 2, 2, 1, 1}, {3, 9, 9, "who", 2, 2, 1, 1},
        {3, 0, 0, "who", 1, 1, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_lesson sample;
        struct lesson_progress progress;
        struct text noted = TEXT_INIT, questions = TEXT_INIT;
        sample_lesson_open(&sample, "en");
        if (cases[i].noted)
            progress_note(&noted, cases[i].noted, BEAT_RIGHT);
        const struct lesson_progress before = {
            .asked = cases[i].asked, .right = cases[i].right, .questions = noted.data};
        player_go(&sample.player, cases[i].beat);
        player_remember(&sample.player, &before);
        player_progress(&sample.player, &progress, &questions);
        if (progress.asked != cases[i].then_asked || progress.right != cases[i].then_right ||
            sample.player.before_asked != cases[i].before_asked ||
            sample.player.before_right != cases[i].before_right)
            fail_msg("case %zu: %u of %u, before %u of %u", i, progress.right, progress.asked,
                     sample.player.before_right, sample.player.before_asked);
        assert_int_equal(progress.seen, cases[i].beat + 1);
        assert_int_equal(progress.beats, 10);
        assert_false(progress.finished);
        assert_string_equal(progress.beat, sample.lesson->beats[cases[i].beat].id);
        text_release(&noted);
        text_release(&questions);
        sample_lesson_close(&sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action),
        cmocka_unit_test(keys_report_changes),
        cmocka_unit_test(letters_that_are_typed),
        cmocka_unit_test(a_position_leads_back),
        cmocka_unit_test(an_invalid_position_changes_nothing),
        cmocka_unit_test(earlier_progress_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
