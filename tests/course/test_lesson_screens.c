/*
 * Every moment of every lesson on a screen, in every language: the text fits 80x24 without
 * scrolling, nothing is cut in any size, and an open question hides which lane is read.
 *
 * With an argument, only lessons whose names contain it.
 */
#include "base/message.h"
#include "launch/course.h"
#include "replay/predict.h"
#include "teach/player.h"
#include "view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *wanted = ""; /* set once by main(), because cmocka passes no arguments to its
                                 * tests */

static void type(struct player *player, const char *text) {
    for (; *text; text++) {
        const char key[2] = {*text, '\0'};
        player_key(player, player_press(player, *text == ' ' ? "Space" : key));
    }
}

/* ---- rules ---- */

/* "lanes-and-warps, zh, beat 'warp', asking" */
static char *where(const struct player *player, char buffer[160]) {
    static const char *const states[] = {"telling", "asking", "answered", "finished"};
    snprintf(buffer, 160, "%s, %s, beat '%s', %s%s%s%s", player->lesson->name,
             player->lesson->languages[player->language].code,
             player->lesson->beats[player->beat].id, states[player->state],
             player->hinted ? ", with the hint" : "", player->correction ? ", corrected" : "",
             player->presenting ? ", before a class" : "");
    return buffer;
}

static bool hides_reads(const struct player *player) {
    enum question_kind kind = player->replay.asking.question.kind;
    return player->state == PLAYER_ASKING && kind != QUESTION_VALUE && kind != QUESTION_CHANGED;
}

/* A device's result must not look like the rules' result. */
static bool hides_measured(const struct player *player, const struct grid *grid) {
    const char *recorded = trace_note(player->replay.cursor.trace, TRACE_NOTE_RECORDED);
    if (!recorded || strcmp(recorded, "measured") != 0 || grid->columns < 120 ||
        player->state == PLAYER_FINISHED)
        return false;
    char device[128];
    snprintf(device, sizeof device, _("%s on %s"), _("measured"), "NVIDIA H200");
    char *text = grid_to_text(grid, false);
    bool hides = !strstr(text, device);
    free(text);
    return hides;
}

/* Above the picture of a question about code, the requested aim is shown in place of the call. */
static bool asks_for_another(const struct player *player, const struct grid *grid) {
    static const struct {
        enum question_kind kind;
        const char *heading[2];
    } headings[] = {
        {QUESTION_CALL, {"which call?", "哪个调用？"}},
        {QUESTION_BLANK, {"what fits the blank?", "空里填什么？"}},
        {QUESTION_WHICH, {"which of these?", "选哪一个？"}},
        {QUESTION_LINE, {"which line is wrong?", "哪一行不对？"}},
    };
    if (player->state != PLAYER_ASKING)
        return false;
    char *text = grid_to_text(grid, false);
    bool another = false;
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        for (int k = 0; k < 2; k++) {
            const bool asks = player->replay.asking.question.kind == headings[i].kind &&
                              (k == 1) == (strcmp(message_language(), "zh") == 0);
            another |= !strstr(text, headings[i].heading[k]) == asks;
        }
    free(text);
    return another;
}

/* True if a lane's value ends in "…" beside a question about code, whose lines leave the picture
 * little room. */
static bool cuts_a_value(const struct player *player, const struct grid *grid) {
    if (player->state != PLAYER_ASKING || !question_is_code(&player->replay.asking.question))
        return false;
    for (int c = 1; c < grid->columns * grid->rows; c++)
        if (grid->cells[c].hit.action == ACTION_LANE_GO && grid->cells[c].glyph == 0x2026)
            return true;
    return false;
}

/* ---- room ---- */

enum { PICTURE_COLUMNS = 56 };

static bool is_rule(const struct grid *grid, int y) {
    for (int x = 0; x < grid->columns; x++)
        if (grid->cells[y * grid->columns + x].glyph != 0x2500)
            return false;
    return true;
}

static bool is_blank(const struct grid *grid, int y, int columns) {
    for (int x = 0; x < columns; x++)
        if (grid->cells[y * grid->columns + x].glyph != ' ')
            return false;
    return true;
}

/* The picture's empty rows. The picture is to the left of the text, or above it and its rule. */
static int empty_rows(const struct grid *grid) {
    int rule = 0, empty = 0;
    while (rule < grid->rows && !is_rule(grid, rule))
        rule++;
    for (int y = 0; y < rule; y++)
        empty += is_blank(grid, y, rule < grid->rows ? grid->columns : PICTURE_COLUMNS);
    return empty;
}

/* At most 35 % of the rows are empty. In a presentation the space is intended, and the wires of
 * a hidden call are hidden, too. */
static unsigned check_room(const struct player *player, const struct grid *grid) {
    char place[160];
    const int empty = empty_rows(grid);
    const bool no_wires =
        player->replay.view == VIEW_WIRES && player->replay.hide & LESSON_HIDE_CALL;
    if (player->presenting || player->state == PLAYER_FINISHED || no_wires ||
        empty * 20 <= grid->rows * 7)
        return 0;
    print_error("%s: %d rows of %dx%d have no picture\n", where(player, place), empty,
                grid->columns, grid->rows);
    return 1;
}

static unsigned check(const struct player *player) {
    static const int sizes[][2] = {{80, 24}, {60, 20}, {100, 30}, {120, 40}, {200, 60}};
    unsigned wrong = 0;
    char place[160];
    static const int fit[][2] = {{80, 24}, {80, 28}, {100, 30}};
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++)
        if (!view_player_fits(player, fit[i][0], fit[i][1])) {
            print_error("%s: does not fit %dx%d\n", where(player, place), fit[i][0], fit[i][1]);
            wrong++;
        }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid;
        grid_init(&grid, sizes[i][0], sizes[i][1], false);
        view_draw_player(&grid, player);
        if (grid.failed_to_fit) {
            print_error("%s: cut at %dx%d\n", where(player, place), grid.columns, grid.rows);
            wrong++;
        }
        wrong += check_room(player, &grid);
        for (int c = 0; hides_reads(player) && c + 2 < grid.columns * grid.rows; c++)
            if (grid.cells[c].hit.action == ACTION_LANE_GO && grid.cells[c].glyph == 0x2190 &&
                grid.cells[c + 2].glyph != '?') {
                print_error("%s: a lane read is seen\n", where(player, place));
                wrong++;
                break;
            }
        if (hides_measured(player, &grid)) {
            print_error("%s: not said to be measured at %dx%d\n", where(player, place),
                        grid.columns, grid.rows);
            wrong++;
        }
        if (i == 0 && !player->presenting && cuts_a_value(player, &grid)) {
            print_error("%s: a value is cut\n", where(player, place));
            wrong++;
        }
        if (i == 0 && !player->presenting && asks_for_another(player, &grid)) {
            print_error("%s: the heading is another question's\n", where(player, place));
            wrong++;
        }
        view_draw_notes(&grid, player, 0);
        grid_release(&grid);
    }
    return wrong;
}

/* ---- every moment ---- */

/* The beat as if it had not been visited. */
static void begin(struct player *player, size_t beat) {
    player->results[beat] = BEAT_SEEN;
    player_go(player, beat);
}

/* Goes to the question, past the lines before it, and checks the texts on the way. */
static unsigned to_question(struct player *player) {
    unsigned wrong = check(player);
    for (int i = 0; i < 40 && player->state == PLAYER_TELLING; i++) {
        player_key(player, player_press(player, "Right"));
        wrong += check(player);
    }
    return wrong;
}

static unsigned check_answer(struct player *player, size_t beat, const char *answer) {
    unsigned wrong;
    begin(player, beat);
    wrong = to_question(player);
    type(player, answer);
    player_key(player, player_press(player, "Enter"));
    wrong += check(player);
    player_key(player, player_press(player, "Tab"));
    return wrong + check(player);
}

static unsigned check_question(struct player *player, size_t beat) {
    const struct lesson_beat *asked = &player->lesson->beats[beat];
    const struct lesson_text *text = &asked->text[player->language];
    struct answer answer;
    char typed[ANSWER_TEXT];
    unsigned wrong = check_answer(player, beat, "");
    for (size_t i = 0; i < text->belief_count; i++)
        wrong += check_answer(player, beat, text->beliefs[i].answer);
    begin(player, beat);
    wrong += to_question(player);
    if (answer_of(replay_subject(&player->replay), &asked->ask, &answer, NULL) != 0)
        return wrong + 1;
    answer_format(replay_subject(&player->replay), &asked->ask, &answer, typed);
    wrong += check_answer(player, beat, typed);
    if (player->state != PLAYER_ANSWERED) {
        print_error("beat '%s': '%s' does not answer it\n", asked->id, typed);
        wrong++;
    }
    begin(player, beat);
    wrong += to_question(player);
    player_key(player, player_press(player, "Escape"));
    player_key(player, player_press(player, "Escape"));
    return wrong + check(player);
}

static unsigned check_beat(struct player *player, size_t beat) {
    unsigned wrong = 0;
    begin(player, beat);
    if (player->lesson->beats[beat].ask.kind != QUESTION_NONE)
        wrong += check_question(player, beat);
    for (int i = 0; i < 40 && player->beat == beat && player->state != PLAYER_FINISHED; i++) {
        wrong += check(player);
        player_key(player, player_press(player, "Right"));
    }
    return wrong;
}

static unsigned check_language(const struct lesson *lesson, struct trace *const *traces,
                               size_t language, bool presenting) {
    struct player player;
    struct error err = ERROR_INIT;
    unsigned wrong = 0;
    const char *code = lesson->languages[language].code;
    message_language_use(code);
    if (player_init(&player, lesson, traces, code, NULL, &err) != 0)
        fail_msg("%s: %s", lesson->name, err.text);
    player.presenting = presenting;
    for (size_t i = 0; i < lesson->beat_count; i++)
        wrong += check_beat(&player, i);
    wrong += check(&player);
    player_release(&player);
    message_language_use("en");
    return wrong;
}

static void every_moment_is_on_the_screen(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        struct course_recordings recordings;
        struct error err = ERROR_INIT;
        if (!strstr(lesson->name, wanted))
            continue;
        if (course_record(lesson, NULL, &recordings, &err) != 0)
            fail_msg("%s: %s", lesson->name, err.text);
        for (size_t l = 0; l < lesson->language_count; l++)
            for (int presenting = 0; presenting < 2; presenting++)
                wrong += check_language(lesson, recordings.traces, l, presenting);
        course_release(&recordings);
    }
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_moment_is_on_the_screen)};
    if (argc > 1)
        wanted = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
