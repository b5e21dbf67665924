/*
 * Pages that are opened from others, boxes over a picture, and pictures for paper, as reviewed text
 * (see test_screens.c).
 *
 *     UPDATE_SCREENS=1 ctest -R view_page_screens      rewrites them; read the diff before
 * committing
 */
#include "base/message.h"
#include "view/moment.h"
#include "view/view.h"

#include "reviewed.h"
#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum kind { WHICH, WHICH_TABLE, FRAGMENTS, START, FAULTS, BESIDE, LEGEND, LIVE, COMPLAINT, FIGURE };

struct screen {
    const char *name; /* the file's name; "...-clicks-..." has clicks, other files have styles */
    enum kind kind;
    const char *given; /* a sample, a request or a fault */
    int columns, rows;
    const char *keys;
    bool ascii;
};

static const char two_faults[] = "en.md:12: `lane: 40` is no lane\nen.md:14: there is no kernel "
                                 "`shuffel`; did you mean `shuffle`?\n",
                  many_faults[] = "1: a\n2: b\n3: c\n4: d\n5: e\n6: f\n7: g\n8: h\n9: i\n10: j\n"
                                  "11: k\n12: l\n13: m\n14: n\n15: o\n16: p\n17: q\n18: r\n19: s\n";

static const char refused[] = "width 12 is not one of 1 2 4 8 16 32\nThe lanes of a warp are in "
                              "groups of `width`, which is a power of two.\ntry --width 16";

static const struct screen screens[] = {
    /* A choice of calls that give the requested values. */
    {"page-which-60x20", WHICH, "5<6", 60, 20, "", false},
    {"page-which-80x24", WHICH, "5<6,6<5", 80, 24, "j j j j", false},
    {"page-which-80x25", WHICH, "0<31", 80, 25, "", false},
    {"page-which-ascii-80x24", WHICH, "3<5,20<22", 80, 24, "", true},
    {"page-which-none-80x24", WHICH, "0<31,1<7,2<2", 80, 24, "", false},
    {"page-which-clicks-80x24", WHICH, "0<31", 80, 24, "j j j", false},
    {"page-which-text-80", WHICH_TABLE, "0<31,1<30", 80, 0, "", false},
    /* Which lane holds which element of a matrix. */
    {"page-fragments-80x24", FRAGMENTS, "mma m16n8k16", 80, 24, "j l l n", false},
    {"page-fragments-120x40", FRAGMENTS, "mma m16n8k16", 120, 40, "Tab Down Right", false},
    {"page-fragments-160x45", FRAGMENTS, "mma m16n8k16", 160, 45, "N", false},
    {"page-fragments-scrolled-60x20", FRAGMENTS, "mma m16n8k32", 60, 20, "Tab Tab N n N", true},
    {"page-fragments-quads-80x24", FRAGMENTS, "mma m8n8k4", 80, 24, "k h l Up Left Right", false},
    {"page-fragments-ldmatrix-72x24", FRAGMENTS, "ldmatrix x4.trans", 72, 24, "BackTab N N", false},
    {"page-fragments-banks-80x24", FRAGMENTS, "ldmatrix x4.trans", 80, 24, "+ + - s s j l", false},
    /* The start list. */
    {"page-start-72x24", START, "xor-3-w16", 72, 24, "lll", false},
    {"page-start-120x40", START, "xor-3-w16", 120, 40, "l", false},
    /* The faults of a lesson. */
    {"page-faults-60x20", FAULTS, two_faults, 60, 20, "", false},
    {"page-faults-end-80x20", FAULTS, many_faults, 80, 20, "JJJJ", false},
    /* Two settings side by side. */
    {"page-beside-100x34", BESIDE, "down-3-w16", 100, 34, "", false},
    /* The signs, for first-time users. */
    {"page-legend-83x24", LEGEND, "xor-3-w16", 83, 24, "", false},
    {"page-legend-84x24", LEGEND, "xor-3-w16", 84, 24, "", false},
    {"page-legend-ascii-120x30", LEGEND, "xor-3-w16", 120, 30, "", true},
    /* Possible changes, and the reason for a refused one. */
    {"page-live-80x24", LIVE, "xor-3-w16", 80, 24, "ll", false},
    {"page-live-legend-100x24", LEGEND, "live", 100, 24, "", false},
    {"page-complaint-80x24", COMPLAINT, refused, 80, 24, "", false},
    /* Pictures for paper, as large as they need to be. */
    {"figure-ballot", FIGURE, "ballot", 0, 0, "2 Escape ll", false},
    {"figure-match", FIGURE, "match", 0, 0, "2 Escape ll", false},
    {"figure-stopped", FIGURE, "stopped", 0, 0, "2 Escape G", false},
};

static void draw_which_page(struct grid *grid, const struct screen *screen) {
    struct which_page page;
    struct error err = ERROR_INIT;
    char key[16];
    int length;
    if (which_page_init(&page, screen->given, &err) != 0)
        fail_msg("%s", err.text);
    for (const char *keys = screen->keys; sscanf(keys, " %15s%n", key, &length) == 1;
         keys += length)
        which_page_apply(&page, which_page_press(&page, key).info->action, 0);
    if (screen->kind == WHICH)
        view_draw_which(grid, &page);
    else
        view_draw_which_table(grid, &page.which, &page.request, screen->columns);
    which_page_release(&page);
}

/* The instruction is the word after the command. */
static void draw_fragments(struct grid *grid, const struct screen *screen) {
    struct fragment_page page;
    struct fragments fragments;
    struct error err = ERROR_INIT;
    char command[16], key[16];
    int length;
    assert_int_equal(sscanf(screen->given, "%15s %n", command, &length), 1);
    if (fragments_read(&fragments, command, screen->given + length, &err) != 0)
        fail_msg("%s", err.text);
    fragment_page_init(&page, &fragments, fragments.count - 1, 5);
    for (const char *keys = screen->keys; sscanf(keys, " %15s%n", key, &length) == 1;
         keys += length)
        fragment_page_apply(&page, fragment_page_press(&page, key).info->action, 0);
    view_draw_fragments(grid, &page);
}

static void draw_start(struct grid *grid, const struct replay *replay) {
    static struct worklist_entry entries[] = {
        {"lesson", "A lesson", "shuffles, one question at a time", "Begin where you left.", false,
         "3/8 · 4 min", NULL, false},
        {"look", "Look at a shuffle", "any of them, with any argument",
         "Change it while you watch.", true, NULL, NULL, false},
        {"own", "Your own code", "what the lanes of your kernel do", "Record it.", false, "", NULL,
         false},
    };
    const struct worklist list = {.entries = entries, .count = 3, .selected = 1};
    view_draw_start(grid, &list, replay, NULL);
}

static void draw_beside(struct grid *grid, const struct replay *replay) {
    static const char *const commands[] = {"xor --mask 3 --width 16", "xor --mask 16 --width 16"};
    struct trace *left = sample_open("xor-3-w16");
    view_draw_beside(grid, replay, left, commands);
    trace_close(left);
}

static void draw_replay(struct grid *grid, const struct screen *screen) {
    const bool named = screen->kind != COMPLAINT && strcmp(screen->given, "live") != 0;
    struct trace *trace = sample_open(named ? screen->given : "xor-3-w16");
    struct replay replay;
    assert_non_null(trace);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    replay.live.on = screen->kind == LIVE || screen->kind == COMPLAINT || !named;
    script_run(&replay, screen->keys);
    if (screen->kind == COMPLAINT)
        snprintf(replay.live.complaint, sizeof replay.live.complaint, "%s", screen->given);
    if (screen->kind == LEGEND)
        replay_set_legend(&replay);
    if (screen->kind == START)
        draw_start(grid, &replay);
    else if (screen->kind == BESIDE)
        draw_beside(grid, &replay);
    else if (screen->kind == FIGURE)
        view_draw_figure(grid, &replay,
                         &(struct figure_options){.view = replay_view(&replay),
                                                  .columns = screen->columns,
                                                  .rows = screen->rows});
    else
        view_draw(grid, &replay);
    trace_close(trace);
}

static size_t lines_of(const char *text) {
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static char *draw(const struct screen *screen) {
    struct grid grid;
    grid_init(&grid, screen->columns, screen->rows, screen->ascii);
    if (screen->kind == WHICH || screen->kind == WHICH_TABLE)
        draw_which_page(&grid, screen);
    else if (screen->kind == FRAGMENTS)
        draw_fragments(&grid, screen);
    else if (screen->kind == FAULTS)
        view_draw_faults(&grid, "lessons/mine/en.md", screen->given, lines_of(screen->given),
                         screen->given == two_faults, (int)strlen(screen->keys));
    else
        draw_replay(&grid, screen);
    if (screen->kind != FIGURE)
        assert_false(grid.failed_to_fit);
    char *text =
        strstr(screen->name, "-clicks-") ? reviewed_clicks(&grid) : grid_to_text(&grid, true);
    grid_release(&grid);
    return text;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    if (screen->rows == 0)
        reviewed_compare(SCREENS_FOLDER, screen->name, draw(screen));
    else
        reviewed_screen(SCREENS_FOLDER, screen->name, screen->keys, draw(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        if (screens[i].rows > 0)
            reviewed_bar(&bars, screens[i].name, draw(&screens[i]));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-pages", &bars);
}

/* A figure has the size given by view_figure_size(), with blank edges. */
static void a_figure_has_the_promised_size(void **state) {
    static const struct {
        const char *sample, *keys;
        enum view_kind view;
        int columns, rows;
    } figures[] = {
        /* 8 cells before the lanes, 31 times the pitch, 2 cells after the lanes; 14 rows, and half
         * the length of the wires, which counts as 16 at most. */
        {"xor-3-w16", "", VIEW_WIRES, 8 + 31 * 3 + 2, 14 + 3 / 2},
        {"reduce", "", VIEW_WIRES, 8 + 31 * 3 + 2, 14 + 16 / 2},
        {"equal", "", VIEW_WIRES, 8 + 31 * 3 + 2, 14 + 16 / 2},
        {"xor-16-w16", "", VIEW_WIRES, 8 + 31 * 3 + 2, 14 + 16 / 2},
        {"long-long", "", VIEW_WIRES, 8 + 31 * 6 + 2, 14 + 16 / 2},
        {"reductions", "", VIEW_WIRES, 8 + 31 * 3 + 2, 22},
        {"ballot", "", VIEW_WIRES, 8 + 31 * 6 + 2, 22},
        {"xor-3-w16", "", VIEW_LANES, 80, 17},
        {"xor-3-w16", "", VIEW_EXPLAIN, 80, 32},
        {"reduce", "", VIEW_ROUNDS, 8 + 31 * 4 + 2, 32 + 12},
        {"pairs", "", VIEW_ROUNDS, 8 + 31 * 3 + 2, 32 + 12},
        {"pairs", "n", VIEW_ROUNDS, 8 + 31 * 4 + 2, 32 + 12},
        {"reduce", "", VIEW_SOURCE, 80 + 2, 7 + 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        struct trace *trace = sample_open(figures[i].sample);
        struct replay replay;
        int columns, rows;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, figures[i].keys);
        view_figure_size(&replay, figures[i].view, &columns, &rows);
        if (columns != figures[i].columns || rows != figures[i].rows)
            print_error("%s, view %d: %dx%d, wanted %dx%d\n", figures[i].sample,
                        (int)figures[i].view, columns, rows, figures[i].columns, figures[i].rows);
        assert_int_equal(columns, figures[i].columns);
        assert_int_equal(rows, figures[i].rows);
        trace_close(trace);
    }
}

int main(void) {
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest tests[COUNT + 2] = {cmocka_unit_test(a_figure_has_the_promised_size),
                                          cmocka_unit_test(key_bars_are_as_reviewed)};
    for (int i = 0; i < COUNT; i++)
        tests[i + 2] = (struct CMUnitTest){.name = screens[i].name,
                                           .test_func = screen_is_as_reviewed,
                                           .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
