/*
 * Rules for every screen of a lesson, at every moment, in every size and language: all lanes are
 * shown, nothing is cut, and hidden parts are not visible.
 */
#include "view/view.h"

#include "base/message.h"
#include "sample_lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int sizes[][2] = {{60, 20},  {61, 23},  {70, 22},  {79, 24},  {80, 24},  {100, 30},
                               {117, 29}, {118, 33}, {120, 40}, {150, 50}, {200, 60}, {260, 80}};
#define SIZES (sizeof sizes / sizeof *sizes)

/* Scripts that lead to every state of every kind of question and to every view. */
static const char *const scripts[] = {
    "",
    "Right",
    ":2 Enter",
    ":2 Enter 8 Enter",
    ":2 Enter Tab",
    ":2 Enter 8 Enter Tab",
    ":2 Enter 8 Enter 9 Enter",
    ":2 Enter 6 Enter",
    ":2 Enter 6 Enter Right Right Right",
    ":2 Enter banana Enter",
    ":3 Enter",
    ":3 Enter 3,5 Enter Tab",
    ":3 Enter Escape Escape",
    ":4 Enter",
    ":4 Enter 6 Enter",
    ":5 Enter Tab",
    ":5 Enter 0-3,5,7-31 Enter",
    ":5 Enter Escape Escape",
    ":6 Enter",
    ":6 Enter Escape Escape",
    ":7 Enter",
    ":8 Enter",
    ":9 Enter",
    ":10 Enter",
    ":10 Enter Right",
    "? ",
    ":2 Enter F1",
    ":7 Enter n",
    ":1",
    "/",
};
#define SCRIPTS (sizeof scripts / sizeof *scripts)

static bool shows_lane(const struct grid *grid, int lane) {
    char number[16];
    snprintf(number, sizeof number, "%2d", lane);
    for (int i = 0; i + 1 < grid->columns * grid->rows; i++) {
        const struct cell *cell = &grid->cells[i];
        if (cell->hit.action == ACTION_LANE_GO && cell->hit.argument == lane &&
            cell[0].glyph == (uint32_t)number[0] && cell[1].glyph == (uint32_t)number[1] &&
            cell[0].style.flags & STYLE_BOLD)
            return true;
    }
    return false;
}

/* Neither half of a wide glyph appears without the other. */
static void has_whole_glyphs(const struct grid *grid, const char *what) {
    for (int y = 0; y < grid->rows; y++)
        for (int x = 0; x < grid->columns; x++) {
            const struct cell *cell = &grid->cells[y * grid->columns + x];
            bool wide = utf8_width(cell->glyph) == 2 && cell->glyph != 0;
            bool half = x + 1 < grid->columns && cell[1].glyph == 0;
            if (wide != half && cell->glyph != 0)
                fail_msg("%s at %dx%d: half a glyph in row %d", what, grid->columns, grid->rows, y);
        }
}

static void is_whole(const struct grid *grid, const struct player *player, const char *keys) {
    if (grid->failed_to_fit)
        fail_msg("%s at %dx%d is cut", keys, grid->columns, grid->rows);
    has_whole_glyphs(grid, keys);
    if (player->replay.help || player->state == PLAYER_FINISHED || player->black)
        return;
    for (int lane = 0; player->replay.view == VIEW_LANES && lane < WARP_LANES; lane++)
        if (!shows_lane(grid, lane))
            fail_msg("%s at %dx%d lacks lane %d", keys, grid->columns, grid->rows, lane);
}

static void sweep(const char *language, bool presenting, bool ascii, bool notes) {
    message_language_use(language);
    for (size_t i = 0; i < SCRIPTS; i++) {
        struct sample_lesson sample;
        struct grid grid;
        sample_lesson_open(&sample, language);
        sample.player.presenting = presenting;
        player_go(&sample.player, 0);
        sample_lesson_keys(&sample, scripts[i]);
        grid_init(&grid, 1, 1, ascii);
        for (size_t size = 0; size < SIZES; size++) {
            grid_resize(&grid, sizes[size][0], sizes[size][1]);
            if (notes)
                view_draw_notes(&grid, &sample.player, 4000000);
            else
                view_draw_player(&grid, &sample.player);
            if (notes)
                assert_false(grid.failed_to_fit);
            else
                is_whole(&grid, &sample.player, scripts[i]);
        }
        grid_release(&grid);
        sample_lesson_close(&sample);
    }
    message_language_use("en");
}

static void every_screen_is_whole(void **state) {
    (void)state;
    sweep("en", false, false, false);
    sweep("zh", false, false, false);
    sweep("en", false, true, false);
}

/* Text fits if there is nothing to scroll. */
static void overlong_text_scrolls(void **state) {
    (void)state;
    int fitting = 0, scrolling = 0;
    for (size_t i = 0; i < SCRIPTS; i++) {
        struct sample_lesson sample;
        struct grid top, down;
        sample_lesson_open(&sample, "en");
        sample.player.presenting = true;
        player_go(&sample.player, 0);
        sample_lesson_keys(&sample, scripts[i]);
        grid_init(&top, 1, 1, false);
        grid_init(&down, 1, 1, false);
        for (int rows = 20; rows < 50 && sample.player.state != PLAYER_FINISHED; rows++) {
            grid_resize(&top, 60, rows);
            grid_resize(&down, 60, rows);
            sample.player.scroll = 0;
            view_draw_player(&top, &sample.player);
            sample.player.scroll = 1;
            view_draw_player(&down, &sample.player);
            const bool same =
                memcmp(top.cells, down.cells, 60 * (size_t)rows * sizeof *top.cells) == 0;
            if (same != view_player_fits(&sample.player, 60, rows))
                fail_msg("%s at 60x%d %s", scripts[i], rows, same ? "fits" : "does not fit");
            fitting += same;
            scrolling += !same;
        }
        grid_release(&top);
        grid_release(&down);
        sample_lesson_close(&sample);
    }
    assert_true(fitting > 0 && scrolling > 0);
}

static void every_presentation_is_whole(void **state) {
    (void)state;
    sweep("en", true, false, false);
    sweep("zh", true, false, false);
    sweep("en", true, true, false);
}

static void notes_are_whole(void **state) {
    (void)state;
    sweep("en", true, false, true);
    sweep("zh", true, false, true);
}

/* Texts of the greatest length that the guide for authors allows fit without scrolling. */
static void texts_fit_80x24(void **state) {
    (void)state;
    static const char *const languages[] = {"en", "zh"};
    for (int l = 0; l < 2; l++) {
        message_language_use(languages[l]);
        for (size_t i = 0; i < SCRIPTS; i++) {
            struct sample_lesson sample;
            sample_lesson_open(&sample, languages[l]);
            sample_lesson_keys(&sample, scripts[i]);
            if (!view_player_fits(&sample.player, 80, 24))
                fail_msg("%s, %s has has to be scrolled", languages[l], scripts[i]);
            sample_lesson_close(&sample);
        }
    }
    message_language_use("en");
}

static char *draw(const char *keys, int columns, int rows) {
    struct sample_lesson sample;
    struct grid grid;
    sample_lesson_open(&sample, "en");
    sample_lesson_keys(&sample, keys);
    grid_init(&grid, columns, rows, false);
    view_draw_player(&grid, &sample.player);
    char *text = grid_to_text(&grid, false);
    grid_release(&grid);
    sample_lesson_close(&sample);
    return text;
}

static void lacks(const char *keys, const char *const *secrets) {
    static const int two[][2] = {{80, 24}, {200, 60}};
    for (int size = 0; size < 2; size++) {
        char *text = draw(keys, two[size][0], two[size][1]);
        for (int i = 0; secrets[i]; i++)
            if (strstr(text, secrets[i]))
                fail_msg("%s shows '%s':\n%s", keys, secrets[i], text);
        free(text);
    }
}

/* Nothing on the screen reveals the answer while the question is open. */
static void an_open_question_gives_nothing_away(void **state) {
    (void)state;
    /* Lane 5 reads lane 6, which is 5 ^ 3. */
    static const char *const source[] = {"5^3", "5 ^ 3 =", "← 6", "←6", "reads lane 6", NULL};
    /* Lanes 4 to 7 read lanes 8 to 11, which do not call. */
    static const char *const undefined[] = {"? 8",           "?  8",     "undefined, lane",
                                            "does not make", "left-out", NULL};
    lacks(":2 Enter", source);
    lacks(":2 Enter 8 Enter Tab", source);
    lacks(":5 Enter", undefined);
}

/* The calling lanes are the answer: no dot, value or word reveals them. */
static void absent_lanes_are_not_seen(void **state) {
    (void)state;
    static const char *const secrets[] = {"·  ", "makes no call", "calling: 0-7", NULL};
    lacks(":6 Enter", secrets);
}

/* The inputs are 0, 1, 2, ..., the results 3, 2, 1, 0: only lane 8 has an 8, and it gets 11. */
static void covered_values_are_not_seen(void **state) {
    (void)state;
    static const char *const secrets[] = {"in 2,", "A▌ 8   8", "value 2", "0x00000002  ", NULL};
    lacks(":9 Enter", secrets);
}

/* The second round of the sum: lane 1 holds 18 and gets 26, which makes 44. Later columns would
 * reveal that. */
static void later_operations_are_not_seen(void **state) {
    (void)state;
    static const char *const secrets[] = {" 52 ", "out 26", "120", NULL};
    lacks(":7 Enter", secrets);
}

/* The text is below the wires where 32 lanes need the width, and beside the wires where the width
 * is enough for both or for neither; at these sizes it is beside source and history. Sizes on both
 * sides of each limit are tested, by the row of the rule between picture and text or by the column
 * of the divider. */
static void text_is_below_or_beside_the_picture(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        int columns, rows, divider, rule;
    } cases[] = {
        {":3 Enter Escape Escape Right Right", 69, 22, 42, 0},
        {":3 Enter Escape Escape Right Right", 70, 21, 43, 0},
        {":3 Enter Escape Escape Right Right", 70, 22, 0, 14},
        {":3 Enter Escape Escape Right Right", 117, 28, 0, 18},
        {":3 Enter Escape Escape Right Right", 118, 24, 77, 0},
        {":8 Enter", 118, 24, 77, 0},
        {":7 Enter", 82, 24, 56, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_lesson sample;
        struct grid grid;
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, cases[i].keys);
        grid_init(&grid, cases[i].columns, cases[i].rows, false);
        view_draw_player(&grid, &sample.player);
        for (int y = 2; y < cases[i].rows - 1; y++) {
            const struct cell *row = grid.cells + (size_t)y * (size_t)grid.columns;
            assert_int_equal(row[0].glyph == 0x2500 && row[grid.columns - 1].glyph == 0x2500,
                             y == cases[i].rule);
            for (int x = 0; x < grid.columns; x++)
                if (x == cases[i].divider && x > 0)
                    assert_int_equal(row[x].glyph, 0x2502);
                else
                    assert_int_not_equal(row[x].glyph, 0x2502);
        }
        grid_release(&grid);
        sample_lesson_close(&sample);
    }
}

/* Text that does not fit a panel scrolls line by line, and not beyond its end. */
static void long_text_scrolls(void **state) {
    (void)state;
    struct sample_lesson sample;
    struct grid grid;
    char text[1200] = "first";
    for (int i = 0; i < 200; i++)
        strcat(text, " word");
    strcat(text, " last");
    sample_lesson_open(&sample, "en");
    prose_release(&sample.player.narration);
    assert_int_equal(prose_make(&sample.player.narration, text, NULL, NULL, NULL), 0);
    grid_init(&grid, 80, 24, false);
    assert_false(view_player_fits(&sample.player, 80, 24));
    view_draw_player(&grid, &sample.player);
    char *top = grid_to_text(&grid, false);
    assert_non_null(strstr(top, "first"));
    assert_null(strstr(top, "last"));
    assert_non_null(strchr(top, 'J')); /* J and K are shown where they lead to more text */
    assert_null(strchr(top, 'K'));
    sample_lesson_keys(&sample, "J J J J J J J J J J J J J J J J J J J J J J J J J J J J J J");
    view_draw_player(&grid, &sample.player);
    char *bottom = grid_to_text(&grid, false);
    assert_null(strstr(bottom, "first"));
    assert_non_null(strstr(bottom, "last"));
    assert_null(strchr(bottom, 'J'));
    assert_non_null(strchr(bottom, 'K'));
    free(top);
    free(bottom);
    grid_release(&grid);
    sample_lesson_close(&sample);
}

/* Right and wrong answers are marked by signs and words, not only by colours. */
static void a_verdict_needs_no_colour(void **state) {
    (void)state;
    char *right = draw(":2 Enter 6 Enter", 80, 24), *wrong = draw(":2 Enter 8 Enter", 80, 24);
    assert_non_null(strstr(right, "✓← 6"));
    assert_non_null(strstr(right, "✓ 6 is right"));
    assert_non_null(strstr(wrong, "✗ 8 is not"));
    free(right);
    free(wrong);
}

static void clicks_lead_where_they_point(void **state) {
    (void)state;
    struct sample_lesson sample;
    struct grid grid;
    bool beats[10] = {false};
    sample_lesson_open(&sample, "en");
    grid_init(&grid, 80, 24, false);
    view_draw_player(&grid, &sample.player);
    for (int i = 0; i < 80 * 24; i++)
        if (grid.cells[i].hit.action == ACTION_BEAT_GO)
            beats[grid.cells[i].hit.argument] = true;
    for (int i = 0; i < 10; i++)
        assert_true(beats[i]);
    grid_release(&grid);
    sample_lesson_close(&sample);
}

static void a_black_screen_is_empty(void **state) {
    (void)state;
    char *text = draw(".", 80, 24);
    assert_int_equal(strspn(text, " \n"), strlen(text));
    free(text);
}

static void a_window_too_small_says_so(void **state) {
    (void)state;
    char *text = draw("", 40, 10);
    assert_non_null(strstr(text, "needs 60x20, has 40x10"));
    free(text);
    for (int size = 0; size < 30; size++)
        free(draw("", size, size));
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void no_script_of_keys_breaks_the_screen(void **state) {
    (void)state;
    static const char *const keys[] = {
        "Right", "Left", "Enter", "Escape", "Tab", "Space", "Down", "Up",  "n",
        "N",     "g",    "G",     "w",      "1",   "2",     "3",    "4",   "5",
        "6",     ":",    "/",     "p",      "J",   "K",     ".",    "a",   "+",
        "?",     "F1",   "R",     "x",      ",",   "-",     "8",    "own", "Ctrl-L"};
    uint32_t seed = 7;
    for (int run = 0; run < 12; run++) {
        struct sample_lesson sample;
        struct grid grid;
        sample_lesson_open(&sample, run % 2 ? "zh" : "en");
        sample.player.presenting = run % 3 == 0;
        grid_init(&grid, 1, 1, run % 4 == 3);
        for (int i = 0; i < 300; i++) {
            player_key(&sample.player,
                       player_press(&sample.player,
                                    keys[next_random(&seed) % (sizeof keys / sizeof *keys)]));
            player_tick(&sample.player, (long)(next_random(&seed) % 1500));
            grid_resize(&grid, 60 + (int)(next_random(&seed) % 150),
                        20 + (int)(next_random(&seed) % 50));
            view_draw_player(&grid, &sample.player);
            if (grid.failed_to_fit)
                fail_msg("cut at %dx%d after key %d of run %d", grid.columns, grid.rows, i, run);
            has_whole_glyphs(&grid, "a random script");
            view_draw_notes(&grid, &sample.player, i * 1000);
        }
        grid_release(&grid);
        sample_lesson_close(&sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_screen_is_whole),
        cmocka_unit_test(every_presentation_is_whole),
        cmocka_unit_test(overlong_text_scrolls),
        cmocka_unit_test(notes_are_whole),
        cmocka_unit_test(texts_fit_80x24),
        cmocka_unit_test(an_open_question_gives_nothing_away),
        cmocka_unit_test(absent_lanes_are_not_seen),
        cmocka_unit_test(covered_values_are_not_seen),
        cmocka_unit_test(later_operations_are_not_seen),
        cmocka_unit_test(text_is_below_or_beside_the_picture),
        cmocka_unit_test(long_text_scrolls),
        cmocka_unit_test(a_verdict_needs_no_colour),
        cmocka_unit_test(clicks_lead_where_they_point),
        cmocka_unit_test(a_black_screen_is_empty),
        cmocka_unit_test(a_window_too_small_says_so),
        cmocka_unit_test(no_script_of_keys_breaks_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
