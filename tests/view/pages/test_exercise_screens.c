/* Screens of the exercises as reviewed text: the list, the task, hints, verdicts, failures. */
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

/* ---- an exercise, in two languages ---- */

static const struct {
    const char *title, *teaches, *task, *after, *hints[2];
} texts[] = {
    {"Rotate the lanes",
     "__shfl_sync with a different source in each lane",
     "Write `rotate(value)`: lane i gets what lane i + 1 brings, and lane 31 what lane 0 "
     "brings.\n\nAll 32 lanes call it.",
     "srcLane wraps at the width, so `lane + 1` needs no `% 32`.",
     {"Each lane names its own source: an expression in `lane`.",
      "What does srcLane 32 mean at width 32?"}},
    {"把通道转一圈",
     "每个通道有自己的源的 __shfl_sync",
     "写出 `rotate(value)`：通道 i 得到通道 i + 1 带来的值，通道 31 得到通道 0 的。\n\n"
     "32 个通道都调用它。",
     "srcLane 在 width 处回绕，所以 `lane + 1` 不用写 `% 32`。",
     {"每个通道写出自己的源：一个含 `lane` 的式子。", "width 为 32 时，srcLane 32 是哪个通道？"}},
};
static const char solution[] = "__device__ int rotate(int value) {\n"
                               "    return __shfl_sync(0xffffffff, value, threadIdx.x % 32 + 1);\n"
                               "}\n";

/* Output of compilers and judges: lines of any length. */
static const char not_compiled[] =
    "rotate.cu does not compile:\n"
    "rotate.cu:2:36: error: 'valeu' was not declared in this scope; did you mean 'value'?\n"
    "    2 |     return __shfl_sync(0xffffffff, valeu, 1);\n"
    "      |                                    ^~~~~\n";

static struct worklist_entry entries[] = {
    {"broadcast", "Broadcast lane 5", "__shfl_sync: every lane reads one lane",
     "Give every lane what lane 5 brings.", true, "●○○  4 min", "Shuffles", true},
    {"rotate", "Rotate the lanes", "__shfl_sync with a different source in each lane",
     "Lane i gets what lane i + 1 brings.", false, NULL, "Shuffles", true},
    {"warp-sum-down", "Sum of a warp, down a tree", "__shfl_down_sync: five rounds of a tree",
     "Lane 0 gets the sum of all 32 lanes.", false, "●○○  6 min", "Reductions", false},
};

/* ---- screens ---- */

enum kind { LIST, BENCH, WRONG };

struct screen {
    const char *name;
    enum kind kind;
    const char *language;
    int columns, rows;
    enum workbench_state state;
    const char *verdict;
    const char *keys;
};

static const struct screen screens[] = {
    {"exercises-zh-120x40", LIST, "zh", 120, 40, 0, "", "g"},
    {"exercises-72x20", LIST, "en", 72, 20, 0, "", "j"},
    {"exercise-end-60x20", BENCH, "en", 60, 20, WORKBENCH_PASSED,
     "passed: 12 cases in 4 lane orders\n", "Tab Tab s J J J J J J J J J J J J J J J J"},
    {"exercise-no-file-zh-80x24", BENCH, "zh", 80, 24, WORKBENCH_NO_FILE, "", ""},
    {"exercise-building-80x24", BENCH, "en", 80, 24, WORKBENCH_BUILDING, "", ""},
    {"exercise-not-compiled-80x24", BENCH, "en", 80, 24, WORKBENCH_FAILED, not_compiled, ""},
    {"exercise-wrong-80x24", BENCH, "en", 80, 24, WORKBENCH_FAILED,
     "Wrong: random values: lane 31 of warp 0 in block 0 returned 7; expected 42 (element "
     "31)\n",
     "Tab"},
    {"exercise-passed-80x24", BENCH, "en", 80, 24, WORKBENCH_PASSED,
     "passed: 12 cases in 4 lane orders\n", ""},
    {"exercise-replay-zh-80x24", WRONG, "zh", 80, 24, 0, "通道 31：结果是 7，应为 42", ""},
};
#define COUNT (sizeof screens / sizeof *screens)

static bool no_time(void *state, long milliseconds) {
    (void)state, (void)milliseconds;
    return false;
}

static bool press_list(void *state, const char *key) {
    return worklist_apply(state, worklist_press(state, key).info->action, 0);
}

static bool press_bench(void *state, const char *key) {
    return workbench_apply(state, workbench_press(state, key).info->action);
}

static void draw_bench(struct grid *grid, const struct screen *screen) {
    const bool zh = strcmp(screen->language, "zh") == 0;
    struct workbench bench = {.title = texts[zh].title,
                              .teaches = texts[zh].teaches,
                              .file = "rotate.cu",
                              .task = texts[zh].task,
                              .after = texts[zh].after,
                              .solution = solution,
                              .hints = (char *const *)texts[zh].hints,
                              .hint_count = 2,
                              .verdict = ""};
    /* A program that does not compile leaves no recording to look at. */
    workbench_judged(&bench, screen->state, screen->verdict,
                     screen->state == WORKBENCH_FAILED && screen->verdict != not_compiled);
    keys_run(&bench, press_bench, no_time, screen->keys);
    view_draw_workbench(grid, &bench);
}

static void draw(struct grid *grid, const struct screen *screen) {
    struct worklist list = {.entries = entries, .count = sizeof entries / sizeof *entries};
    struct replay replay;
    switch (screen->kind) {
    case LIST:
        keys_run(&list, press_list, no_time, screen->keys);
        view_draw_worklist(grid, &list);
        break;
    case BENCH:
        draw_bench(grid, screen);
        break;
    case WRONG: {
        struct trace *trace = sample_open("idx-17-w16");
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        replay_set_lane(&replay, 31);
        replay_set_phase(&replay, PHASE_AFTER);
        view_draw_wrong(grid, &replay, screen->verdict);
        trace_close(trace);
    } break;
    }
}

static char *drawn(const struct screen *screen) {
    struct grid grid;
    message_language_use(screen->language);
    grid_init(&grid, screen->columns, screen->rows, false);
    draw(&grid, screen);
    message_language_use("en");
    assert_false(grid.failed_to_fit);
    char *text = grid_to_text(&grid, true);
    grid_release(&grid);
    return text;
}

/* The screen while a verdict is awaited; the verdict's screen is compared with it. */
static const struct screen building = {"exercise-building-80x24", BENCH, "en", 80, 24,
                                       WORKBENCH_BUILDING,        "",    ""};

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    if (screen->verdict[0] && screen->columns == building.columns && screen->kind == BENCH)
        reviewed_change(SCREENS_FOLDER, screen->name, screen->keys, drawn(&building),
                        drawn(screen));
    else
        reviewed_screen(SCREENS_FOLDER, screen->name, screen->keys, drawn(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    for (size_t i = 0; i < COUNT; i++)
        reviewed_bar(&bars, screens[i].name, drawn(&screens[i]));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-exercises", &bars);
}

/* At any width, the caret is below the first letter of the word that the compiler points at. */
static void a_caret_points_at_its_word(void **state) {
    static const char verdict[] =
        "a.cu:4: error: use of undeclared identifier 'nobody'\n"
        "        value += __shfl_down_sync(0xffffffff, value, delta) + nobody + value + value;\n"
        "                                                              ^~~~~~\n";
    (void)state;
    for (int columns = 60; columns <= 200; columns += 10) {
        const struct screen screen = {"", BENCH, "en", columns, 30, WORKBENCH_FAILED, verdict, ""};
        struct grid grid;
        int carets = 0;
        grid_init(&grid, columns, 30, false);
        draw(&grid, &screen);
        for (int i = columns; i < columns * 30; i++)
            if (grid.cells[i].glyph == '^') {
                assert_int_equal(grid.cells[i - columns].glyph, 'n');
                assert_int_equal(grid.cells[i - columns + 1].glyph, 'o');
                carets++;
            }
        assert_int_equal(carets, 1);
        grid_release(&grid);
    }
}

int main(void) {
    struct CMUnitTest tests[COUNT + 2];
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(key_bars_are_as_reviewed);
    tests[COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(a_caret_points_at_its_word);
    for (size_t i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){.name = screens[i].name,
                                       .test_func = screen_is_as_reviewed,
                                       .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
