/*
 * Screens of a lesson as reviewed text, like those of a replay in test_screens.c: a language, a
 * size, a key script. The lesson is the one in tests/view/lesson.
 */
#include "view/view.h"

#include "base/message.h"
#include "reviewed.h"
#include "sample_lesson.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum kind { LESSON, RESUMED, PRESENTATION, NOTES };

struct screen {
    const char *name; /* the file's name */
    enum kind kind;
    const char *language;
    int columns, rows;
    const char *keys;
    bool ascii;
};

static const struct screen screens[] = {
    /* A beat with narration, and a question on the way to its answer. */
    {"lesson-start-80x24", LESSON, "en", 80, 24, "", false},
    {"lesson-start-zh-80x24", LESSON, "zh", 80, 24, "Right", false},
    {"lesson-asked-80x24", LESSON, "en", 80, 24, ":2 Enter 17", false},
    {"lesson-wrong-zh-80x24", LESSON, "zh", 80, 24, ":2 Enter 8 Enter Tab", false},
    {"lesson-shown-80x24", LESSON, "en", 80, 24, ":2 Enter Escape Escape", false},
    /* Other kinds of questions, other views. */
    {"lesson-readers-80x24", LESSON, "en", 80, 24, ":3 Enter 3,5", false},
    {"lesson-wires-100x30", LESSON, "en", 100, 30, ":3 Enter Escape Escape Right Right", false},
    {"lesson-rounds-100x32", LESSON, "en", 100, 32, ":7 Enter 6", false},
    {"lesson-marked-80x24", LESSON, "en", 80, 24, ":5 Enter Down Space Down Down Down Space",
     false},
    {"lesson-absent-80x24", LESSON, "en", 80, 24, ":6 Enter", false},
    {"lesson-history-last-80x24", LESSON, "en", 80, 24, ":7 Enter nnnn", false},
    {"lesson-covered-80x24", LESSON, "en", 80, 24, ":9 Enter", false},
    {"lesson-words-80x24", LESSON, "en", 80, 24, ":10 Enter", false},
    {"lesson-looked-on-80x24", LESSON, "en", 80, 24, ":4 Enter Escape Escape n", false},
    {"lesson-goto-80x24", LESSON, "en", 80, 24, ":1", false},
    /* The end, help, other sizes, other alphabets. */
    {"lesson-finished-zh-80x24", LESSON, "zh", 80, 24,
     ":2 Enter 6 Enter :3 Enter Tab 3 Enter :4 Enter Escape Escape :10 Enter Right", false},
    {"lesson-finished-resumed-80x24", RESUMED, "en", 80, 24, "Escape Escape :10 Enter Right",
     false},
    {"lesson-question-help-80x24", LESSON, "en", 80, 24, ":2 Enter F1", false},
    {"lesson-wrong-60x20", LESSON, "en", 60, 20, ":2 Enter 8 Enter Tab", false},
    {"lesson-wrong-120x40", LESSON, "en", 120, 40, ":2 Enter 8 Enter Tab", false},
    {"lesson-right-200x60", LESSON, "en", 200, 60, ":2 Enter 6 Enter Right Right", false},
    {"lesson-ascii-80x24", LESSON, "en", 80, 24, ":5 Enter 6-9 Enter Enter", true},
    {"lesson-words-60x20", LESSON, "en", 60, 20, ":10 Enter", false},
    {"lesson-finished-60x20", LESSON, "en", 60, 20,
     ":2 Enter 6 Enter :3 Enter Tab 3 Enter :4 Enter Escape Escape :10 Enter Right", false},
    /* The actions of clicks. */
    {"lesson-wrong-clicks-80x24", LESSON, "en", 80, 24, ":2 Enter 8 Enter Tab", false},
    {"lesson-help-clicks-80x24", LESSON, "en", 80, 24, "?", false},
    /* Presented to a class. */
    {"present-asked-80x24", PRESENTATION, "en", 80, 24, ":2 Enter Right 8", false},
    {"present-right-120x40", PRESENTATION, "en", 120, 40, ":2 Enter Right 6 Enter Right Right",
     false},
    {"notes-80x24", NOTES, "en", 80, 24, "Right", false},
    {"present-line-60x20", PRESENTATION, "en", 60, 20, "Right", false},
    {"present-wires-90x24", PRESENTATION, "en", 90, 24, ":3 Enter Right", false},
    {"notes-black-50x12", NOTES, "en", 50, 12, "Right .", false},
};

/* Continues a lesson that was left before its fourth beat, with one of two answers right. */
static void resume(struct player *player) {
    const struct lesson_progress before = {.asked = 2, .right = 1};
    player_go(player, 3);
    player_remember(player, &before);
}

static char *draw(const struct screen *screen) {
    struct sample_lesson sample;
    struct grid grid;
    message_language_use(screen->language);
    sample_lesson_open(&sample, screen->language);
    sample.player.presenting = screen->kind == PRESENTATION || screen->kind == NOTES;
    player_go(&sample.player, 0);
    if (screen->kind == RESUMED)
        resume(&sample.player);
    sample_lesson_keys(&sample, screen->keys);
    grid_init(&grid, screen->columns, screen->rows, screen->ascii);
    if (screen->kind == NOTES)
        view_draw_notes(&grid, &sample.player, 754000);
    else
        view_draw_player(&grid, &sample.player);
    assert_false(grid.failed_to_fit);
    char *text =
        strstr(screen->name, "-clicks-") ? reviewed_clicks(&grid) : grid_to_text(&grid, true);
    grid_release(&grid);
    sample_lesson_close(&sample);
    message_language_use("en");
    return text;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    if (strcmp(screen->name, "lesson-goto-80x24") == 0)
        reviewed_change(SCREENS_FOLDER, screen->name, screen->keys, draw(&screens[0]),
                        draw(screen));
    else
        reviewed_screen(SCREENS_FOLDER, screen->name, screen->keys, draw(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        reviewed_bar(&bars, screens[i].name, draw(&screens[i]));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-lesson", &bars);
}

int main(void) {
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest tests[COUNT + 1];
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(key_bars_are_as_reviewed);
    for (int i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){.name = screens[i].name,
                                       .test_func = screen_is_as_reviewed,
                                       .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
