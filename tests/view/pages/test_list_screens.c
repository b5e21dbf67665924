/*
 * Screens of the list of lessons and of a quiz as reviewed text, and rules for them at all sizes.
 */
#include "view/view.h"

#include "base/message.h"
#include "keys.h"
#include "reviewed.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the list
 * ---------------------------------------------------------------------------------- */

/* A course of seven lessons in three chapters, in English and Chinese. */
static const struct {
    const char *name, *title, *summary, *chapter, *zh_title, *zh_summary, *zh_chapter, *needs;
} course[] = {
    {"lanes-and-warps", "Lanes and warps", "Thirty-two threads in step", "Foundations",
     "通道和线程束", "三十二个线程齐步走", "基础", ""},
    {"broadcast", "Broadcast", "One lane's value for all of them", "Foundations", "广播",
     "一个通道的值给大家", "基础", "lanes-and-warps"},
    {"width-groups", "Width makes groups", "A warp in parts that know nothing of each other",
     "Shuffles", "宽度分组", "把一个 warp 分成互不相干的几组", "洗牌", "broadcast"},
    {"up", "Up", "Each lane reads below itself", "Shuffles", "向上", "每个通道读比自己小的", "洗牌",
     "width-groups"},
    {"xor", "Xor swaps pairs", "laneMask 1 makes neighbours trade places", "Shuffles",
     "异或两两交换", "laneMask 为 1 时，邻居互换", "洗牌", "up broadcast"},
    {"butterfly-max", "A maximum for every lane",
     "Five rounds in which all lanes find the largest value", "Reductions", "每个通道都得到最大值",
     "五轮之后，人人都有最大值", "归约", "xor"},
    {"cost", "What a shuffle costs", "Beside shared memory", "Reductions", "一次洗牌的代价",
     "和共享内存比一比", "归约", "butterfly-max"},
};
#define LESSONS (sizeof course / sizeof *course)

struct list {
    struct lesson *lessons[LESSONS];
    struct progress progress;
    struct catalog catalog;
};

static struct lesson *make_lesson(size_t i) {
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    char en[1024], zh[512];
    snprintf(
        en, sizeof en,
        "---\ntitle: %s\nsummary: %s\nchapter: %s\nkernel: xor\nlaunch: --mask 1\n%s%s\n---\n\n"
        "## One {#one}\n\nText.\n\n## Two {#two}\n\n```ask\nsource of lane 5\n```\n\nText.\n",
        course[i].title, course[i].summary, course[i].chapter, course[i].needs[0] ? "needs: " : "",
        course[i].needs);
    snprintf(zh, sizeof zh,
             "---\ntitle: %s\nsummary: %s\nchapter: %s\n---\n\n## 一 {#one}\n\n文。\n\n## 二 "
             "{#two}\n\n文。\n",
             course[i].zh_title, course[i].zh_summary, course[i].zh_chapter);
    const struct lesson_source sources[] = {{"en", "en.md", en}, {"zh", "zh.md", zh}};
    if (lesson_parse(&lesson, course[i].name, sources, 2, &err) != 0)
        fail_msg("%s", err.text);
    return lesson;
}

/* The first two lessons are finished, the third is begun. */
static struct lesson_progress done[] = {
    {"lanes-and-warps", "", true, 8, 8, 5, 4, "2026-01-01T00:00:00Z", NULL},
    {"broadcast", "", true, 6, 6, 3, 3, "2026-01-01T00:00:00Z", NULL},
    {"width-groups", "two", false, 9, 4, 2, 1, "2026-01-01T00:00:00Z", NULL},
};

static void list_open(struct list *list, const char *language) {
    for (size_t i = 0; i < LESSONS; i++)
        list->lessons[i] = make_lesson(i);
    list->progress = (struct progress){done, 3, 0};
    catalog_init(&list->catalog, (const struct lesson *const *)list->lessons, LESSONS,
                 &list->progress, language);
}

static void list_close(struct list *list) {
    catalog_release(&list->catalog);
    for (size_t i = 0; i < LESSONS; i++)
        lesson_free(list->lessons[i]);
}

static bool press_list(void *state, const char *key) {
    return catalog_key(state, catalog_press(state, key));
}

static bool no_time(void *state, long milliseconds) {
    (void)state, (void)milliseconds;
    return false;
}

/* ---- screens
 * ----------------------------------------------------------------------------------- */

struct screen {
    const char *name;
    const char *quiz; /* the recording; NULL for the list */
    int level;
    const char *language;
    int columns, rows;
    const char *keys;
    bool ascii;
};

static const struct screen screens[] = {
    {"list-finished-80x24", NULL, 0, "en", 80, 24, "g", false},
    {"list-last-zh-80x24", NULL, 0, "zh", 80, 24, "G", false},
    {"list-60x20-ascii", NULL, 0, "en", 60, 20, "j", true},
    {"list-120x40", NULL, 0, "en", 120, 40, "G", false},
    {"list-help-80x24", NULL, 0, "en", 80, 24, "?", false},
    {"list-72x20", NULL, 0, "en", 72, 20, "gjj", false},
    {"list-clicks-80x24", NULL, 0, "en", 80, 24, "", false},
    {"quiz-clicks-80x24", "idx-17-w16", 2, "en", 80, 24, "1", false},
    {"quiz-warps-shown-60x20", "threads-35", 1, "en", 60, 20, "Escape Escape", false},
    {"quiz-measured-100x30", "measured-35", 1, "en", 100, 30, "Escape Escape", false},
    {"quiz-rounds-100x30", "reduce", 3, "en", 100, 30, "", false},
    {"quiz-asked-80x24", "idx-17-w16", 2, "en", 80, 24, "1", false},
    {"quiz-shown-zh-80x24", "idx-17-w16", 2, "zh", 80, 24, "Escape Escape", false},
    {"quiz-set-120x40", "partial-mask", 4, "en", 120, 40, "Escape Escape", false},
};

static bool press_quiz(void *state, const char *key) {
    return quiz_key(state, quiz_press(state, key));
}

static void draw_quiz_screen(struct grid *grid, const struct screen *screen) {
    struct trace *trace = sample_open(screen->quiz);
    struct quiz quiz;
    assert_int_equal(quiz_init(&quiz, trace, 1, screen->level, NULL), 0);
    keys_run(&quiz, press_quiz, no_time, screen->keys);
    view_draw_quiz(grid, &quiz);
    trace_close(trace);
}

static void draw_list_screen(struct grid *grid, const struct screen *screen) {
    struct list list;
    list_open(&list, screen->language);
    keys_run(&list.catalog, press_list, no_time, screen->keys);
    view_draw_catalog(grid, &list.catalog);
    list_close(&list);
}

static char *draw(const struct screen *screen) {
    struct grid grid;
    message_language_use(screen->language);
    grid_init(&grid, screen->columns, screen->rows, screen->ascii);
    if (screen->quiz)
        draw_quiz_screen(&grid, screen);
    else
        draw_list_screen(&grid, screen);
    message_language_use("en");
    assert_false(grid.failed_to_fit);
    char *text =
        strstr(screen->name, "-clicks-") ? reviewed_clicks(&grid) : grid_to_text(&grid, true);
    grid_release(&grid);
    return text;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    reviewed_screen(SCREENS_FOLDER, screen->name, screen->keys, draw(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        reviewed_bar(&bars, screens[i].name, draw(&screens[i]));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-lists", &bars);
}

/* ---- all sizes
 * --------------------------------------------------------------------------------- */

static const int widths[] = {10, 59, 60, 71, 72, 80, 99, 120, 200};
static const int heights[] = {5, 19, 20, 24, 33, 40, 60};

static void lists_fit(void **state) {
    (void)state;
    static const char *const keys[] = {"", "G", "/ x", "/ zebra", "?"};
    struct grid grid;
    grid_init(&grid, 1, 1, false);
    for (int k = 0; k < 10; k++) {
        struct list list;
        message_language_use(k % 2 ? "zh" : "en");
        list_open(&list, k % 2 ? "zh" : "en");
        keys_run(&list.catalog, press_list, no_time, keys[k / 2]);
        for (size_t x = 0; x < sizeof widths / sizeof *widths; x++)
            for (size_t y = 0; y < sizeof heights / sizeof *heights; y++) {
                grid_resize(&grid, widths[x], heights[y]);
                view_draw_catalog(&grid, &list.catalog);
                if (grid.failed_to_fit && widths[x] >= 60)
                    fail_msg("%s: cut at %dx%d", keys[k / 2], widths[x], heights[y]);
            }
        list_close(&list);
    }
    message_language_use("en");
    grid_release(&grid);
}

/* The selected lesson is visible, however many lessons there are and however small the screen. */
static void the_selection_is_in_view(void **state) {
    (void)state;
    struct list list;
    struct grid grid;
    list_open(&list, "en");
    grid_init(&grid, 60, 20, false);
    catalog_key(&list.catalog, catalog_press(&list.catalog, "g"));
    for (size_t i = 0; i < LESSONS; i++) {
        view_draw_catalog(&grid, &list.catalog);
        bool seen = false;
        for (int c = 0; c < 60 * 20; c++)
            seen = seen || (grid.cells[c].hit.action == ACTION_LESSON_GO &&
                            grid.cells[c].hit.argument == (int64_t)i &&
                            grid.cells[c].style.flags & STYLE_SELECTED);
        assert_true(seen);
        catalog_key(&list.catalog, catalog_press(&list.catalog, "j"));
    }
    list_close(&list);
    grid_release(&grid);
}

/* xor is drawn with both of the lessons that it builds on. */
static void all_prerequisites_are_drawn(void **state) {
    (void)state;
    struct list list;
    struct grid grid;
    list_open(&list, "en");
    grid_init(&grid, 120, 40, false);
    for (const char *keys = "gjjjj"; *keys; keys++)
        catalog_key(&list.catalog, catalog_press(&list.catalog, (const char[]){*keys, '\0'}));
    assert_int_equal(list.catalog.selected, 4);
    view_draw_catalog(&grid, &list.catalog);
    char *text = grid_to_text(&grid, false);
    const char *needs = strstr(text, "Builds on");
    assert_non_null(needs);
    assert_non_null(strstr(needs, "\xc2\xb7 Up"));            /* not yet learned */
    assert_non_null(strstr(needs, "\xe2\x9c\x93 Broadcast")); /* learned */
    free(text);
    list_close(&list);
    grid_release(&grid);
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void no_script_of_keys_breaks_a_quiz(void **state) {
    (void)state;
    static const char *const keys[] = {"Enter", "Escape", "Tab", "Space", "Down", "Up", "Right",
                                       "1",     "2",      "5",   ",",     "-",    "3",  "own",
                                       "F1",    "?",      "x",   "/",     "Left"};
    uint32_t seed = 3;
    struct grid grid;
    grid_init(&grid, 1, 1, false);
    for (const char *const *name = sample_names(); *name; name++) {
        struct trace *trace = sample_open(*name);
        struct quiz quiz;
        if (quiz_init(&quiz, trace, seed, 1 + (int)(seed % 5), NULL) == 0)
            for (int i = 0; i < 150; i++) {
                quiz_key(
                    &quiz,
                    quiz_press(&quiz, keys[next_random(&seed) % (sizeof keys / sizeof *keys)]));
                grid_resize(&grid, 60 + (int)(next_random(&seed) % 150),
                            20 + (int)(next_random(&seed) % 50));
                view_draw_quiz(&grid, &quiz);
                if (grid.failed_to_fit)
                    fail_msg("%s: cut at %dx%d", *name, grid.columns, grid.rows);
            }
        trace_close(trace);
    }
    grid_release(&grid);
}

int main(void) {
    enum { COUNT = sizeof screens / sizeof *screens };
    enum { OTHERS = 5 };
    struct CMUnitTest tests[COUNT + OTHERS] = {
        cmocka_unit_test(lists_fit),
        cmocka_unit_test(the_selection_is_in_view),
        cmocka_unit_test(all_prerequisites_are_drawn),
        cmocka_unit_test(no_script_of_keys_breaks_a_quiz),
        cmocka_unit_test(key_bars_are_as_reviewed),
    };
    for (int i = 0; i < COUNT; i++)
        tests[i + OTHERS] = (struct CMUnitTest){.name = screens[i].name,
                                                .test_func = screen_is_as_reviewed,
                                                .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
