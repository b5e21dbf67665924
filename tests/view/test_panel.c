/*
 * The text beside a lesson's picture: its order in every state, compared with the reviewed text in
 * screens/panels.txt; and the parts that are left out if there are fewer lines.
 *
 *     UPDATE_SCREENS=1 ctest -R view_panel      rewrites it; read the diff before committing it
 */
#include "base/text.h"
#include "view/pages/stage.h"

#include "reviewed.h"
#include "sample_lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COLUMNS 40
#define ROWS    44

static int lines_of(const struct player *player, struct panel panel) {
    struct flow flow = {.area = {NULL, 0, 0, COLUMNS, 0}};
    panel_flow(&flow, player, panel);
    return flow.line;
}

/* The most spacious layout that fits: with blank lines between paragraphs, or without them; once
 * the narration has been read, the same two without the narration. If none fits, the tightest
 * one. */
static void read_text_is_left_out(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        bool read; /* the learner answered, tried, or asked for help */
    } cases[] = {{"", false},
                 {":2 Enter", false},
                 {":2 Enter 17", false},
                 {":2 Enter banana Enter", false},
                 {":2 Enter 8 Enter", true},
                 {":2 Enter Tab", true},
                 {":2 Enter 8 Enter Tab", true},
                 {":2 Enter 6 Enter", true},
                 {":2 Enter Escape Escape", true}};
    static const struct panel ways[] = {{1, true}, {0, true}, {1, false}, {0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_lesson sample;
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, cases[i].keys);
        const size_t count = cases[i].read ? 4 : 2;
        for (int rows = 1; rows < ROWS; rows++) {
            size_t wanted = 0;
            struct panel panel;
            while (wanted + 1 < count && lines_of(&sample.player, ways[wanted]) > rows)
                wanted++;
            assert_int_equal(panel_fit(&sample.player, COLUMNS, rows, &panel),
                             lines_of(&sample.player, ways[wanted]));
            assert_int_equal(panel.gap, ways[wanted].gap);
            assert_int_equal(panel.narration, ways[wanted].narration);
        }
        sample_lesson_close(&sample);
    }
}

static const char *const told[] = {
    "",
    "notes and command",
    ":2 Enter",
    ":2 Enter 17",
    ":2 Enter banana Enter",
    ":2 Enter 8 Enter",
    ":2 Enter 9 Enter",
    ":2 Enter Tab",
    ":2 Enter 8 Enter Tab",
    ":2 Enter 6 Enter",
    ":2 Enter 8 Enter 6 Enter",
    ":2 Enter 8 Enter 9 Enter",
    ":2 Enter Escape Escape",
    ":2 Enter 6 Enter :3 Enter :2 Enter",
    ":3 Enter 3 Enter",
    ":3 Enter 1,2 Enter",
    ":5 Enter 4-7 Enter",
    ":10 Enter Escape Escape",
};

static void panels_are_as_reviewed(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct sample_lesson sample;
        struct grid grid;
        sample_lesson_open(&sample, "en");
        if (strcmp(told[i], "notes and command") == 0)
            sample.player.aside = true;
        else
            sample_lesson_keys(&sample, told[i]);
        grid_init(&grid, COLUMNS, ROWS, false);
        struct flow flow = {.area = grid_area(&grid), .draw = true};
        panel_flow(&flow, &sample.player, (struct panel){.gap = 1, .narration = true});
        assert_in_range(flow.line, 1, ROWS);
        grid.rows = flow.line;
        char *lines = grid_to_text(&grid, true);
        text_append_format(&text, "== %s\n%s", told[i], lines);
        free(lines);
        grid_release(&grid);
        sample_lesson_close(&sample);
    }
    reviewed_compare(SCREENS_FOLDER, "panels", text_detach(&text));
}

/* A hint equal to the correction is not repeated. */
static void a_hint_is_not_said_twice(void **state) {
    (void)state;
    static const struct {
        const char *said, *hint;
        bool again;
    } cases[] = {{"One `two` three.", "One `two` three.", false},
                 {"One `two` three.", "One `two` four.", true},
                 {"One `two` three.", "One `two`", true},
                 {"One `two` three.\n\nFour.", "One `two` three.", true},
                 {"One `two` three.\n\nFour.", "One `two` three.\n\nFour.", false},
                 {"One `two` three.\n\nFour.", "One `two` three.\n\nFive.", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_lesson sample;
        const struct panel panel = {.gap = 1, .narration = true};
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, ":2 Enter 8 Enter");
        struct player *player = &sample.player;
        prose_release(&player->said);
        prose_release(&player->hint);
        assert_int_equal(prose_make(&player->said, cases[i].said, NULL, NULL, NULL), 0);
        assert_int_equal(prose_make(&player->hint, cases[i].hint, NULL, NULL, NULL), 0);
        player->correction = true;
        player->hinted = false;
        const int without = lines_of(player, panel);
        player->hinted = true;
        if (cases[i].again) /* the blank line that each paragraph has */
            assert_in_range(lines_of(player, panel), without + 2, without + 4);
        else
            assert_int_equal(lines_of(player, panel), without);
        sample_lesson_close(&sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_text_is_left_out),
                                       cmocka_unit_test(panels_are_as_reviewed),
                                       cmocka_unit_test(a_hint_is_not_said_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
