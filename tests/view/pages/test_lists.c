/*
 * Lists longer than a screen, the views of a step, and the clock of the speaker's notes: the
 * content of each row, by arithmetic.
 */
#include "view/moment.h"
#include "view/view.h"

#include "sample.h"
#include "sample_lesson.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 30

static struct worklist_entry entries[COUNT];
static char names[COUNT][16];

static struct worklist thirty(size_t selected) {
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "entry %d", i);
        entries[i] = (struct worklist_entry){names[i], names[i], "teaches", "task",
                                             i < 6,    NULL,     NULL,      false};
    }
    return (struct worklist){.entries = entries, .count = COUNT, .selected = selected};
}

static const struct cell *cell_at(const struct grid *grid, int x, int y) {
    return &grid->cells[y * grid->columns + x];
}

/* The entry that a row shows; its title and a click on it must agree. -1 if there is none. */
static int entry_at(const struct grid *grid, int y) {
    char text[16] = "";
    const struct cell *row = cell_at(grid, 0, y);
    if (row[0].hit.action != ACTION_LESSON_GO)
        return -1;
    for (int i = 0; i < 8; i++)
        text[i] = (char)row[4 + i].glyph;
    assert_memory_equal(text, "entry ", 6);
    assert_int_equal(atoi(text + 6), row[0].hit.argument);
    return atoi(text + 6);
}

/* The list has `rows` rows from row 2 on. The selected entry is in the middle, except near the
 * ends, and signs in the last column of the list show that there are more entries. */
static void shows_the_part(const struct grid *grid, int rows, int columns, int selected) {
    int first = selected - rows / 2;
    first = first > COUNT - rows ? COUNT - rows : first;
    first = first < 0 ? 0 : first;
    for (int y = 0; y < rows; y++) {
        const int entry = first + y < COUNT ? first + y : -1;
        if (entry_at(grid, 2 + y) != entry)
            fail_msg("%dx%d, selected %d: row %d shows %d", grid->columns, grid->rows, selected, y,
                     entry_at(grid, 2 + y));
        if (entry < 0)
            continue;
        const struct cell *row = cell_at(grid, 0, 2 + y);
        assert_int_equal(row[0].glyph == 0x25b8, entry == selected);
        assert_int_equal(row[2].glyph == 0x2713, entry < 6);
        assert_int_equal(row[columns - 1].hit.action, ACTION_LESSON_GO);
        assert_int_equal(!!(row[columns - 1].style.flags & STYLE_SELECTED), entry == selected);
        assert_int_equal(!!(row[4].style.flags & STYLE_BOLD), entry == selected);
    }
    assert_int_equal(cell_at(grid, columns - 1, 2)->glyph == 0x2191, first > 0);
    assert_int_equal(cell_at(grid, columns - 1, 1 + rows)->glyph == 0x2193, first + rows < COUNT);
    assert_int_equal(entry_at(grid, 2 + rows), -1);
}

static void a_long_list_of_exercises(void **state) {
    (void)state;
    static const int sizes[][4] = {/* the screen's columns, rows; the list's rows, columns */
                                   {60, 20, 13, 60}, {71, 25, 18, 71}, {72, 20, 17, 36},
                                   {72, 32, 29, 36}, {81, 33, 30, 40}, {120, 34, 31, 60}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int selected = 0; selected < COUNT; selected++) {
            struct grid grid;
            const struct worklist list = thirty((size_t)selected);
            grid_init(&grid, sizes[i][0], sizes[i][1], false);
            view_draw_worklist(&grid, &list);
            assert_false(grid.failed_to_fit);
            shows_the_part(&grid, sizes[i][2], sizes[i][3], selected);
            /* 6 of 30 are done, so a fifth of the rule is heavy; the rule joins the divider. */
            for (int x = 0; x < grid.columns; x++)
                assert_int_equal(cell_at(&grid, x, 1)->glyph,
                                 x * COUNT < 6 * grid.columns            ? 0x2501
                                 : cell_at(&grid, x, 2)->glyph == 0x2502 ? 0x252c
                                                                         : 0x2500);
            grid_release(&grid);
        }
}

/* With its heading, the start list has nine rows, and one more for each row that the screen has
 * beyond the minimum; on a screen of 24 rows it has twelve, and one more for every two rows beyond
 * 24. */
static void a_long_start_list(void **state) {
    (void)state;
    static const int sizes[][4] = {{60, 20, 7, 30},  {60, 22, 9, 30},  {60, 23, 10, 30},
                                   {80, 24, 10, 40}, {80, 40, 18, 40}, {120, 95, 31, 60}};
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int selected = 0; selected < COUNT; selected += 3) {
            struct grid grid;
            const struct worklist list = thirty((size_t)selected);
            grid_init(&grid, sizes[i][0], sizes[i][1], false);
            view_draw_start(&grid, &list, &replay, NULL);
            assert_false(grid.failed_to_fit);
            shows_the_part(&grid, sizes[i][2], sizes[i][3], selected);
            assert_int_equal(cell_at(&grid, 0, sizes[i][2] + 2)->glyph, 0x2500);
            grid_release(&grid);
        }
    trace_close(trace);
}

/* 24 lessons in four chapters of six: 28 rows with their headings. */
#define LESSONS 24

static struct lesson *lesson_of(int number) {
    struct lesson *lesson;
    struct error err = ERROR_INIT;
    char name[16], text[256];
    snprintf(name, sizeof name, "lesson-%d", number);
    snprintf(text, sizeof text,
             "---\ntitle: Lesson %d\nsummary: Its summary\nchapter: Chapter %d\nkernel: xor\n---\n"
             "## One {#one}\nText.\n",
             number, number / 6);
    const struct lesson_source source = {"en", "en.md", text};
    if (lesson_parse(&lesson, name, &source, 1, &err) != 0)
        fail_msg("%s", err.text);
    return lesson;
}

static void shows_lessons(const struct grid *grid, int rows, int columns, int selected) {
    int first = selected + selected / 6 + 1 - rows / 2;
    first = first > 28 - rows ? 28 - rows : first;
    first = first < 0 ? 0 : first;
    for (int y = 0; y < rows; y++) {
        const int row = first + y, lesson = row - row / 7 - 1;
        const struct cell *cells = cell_at(grid, 0, 2 + y);
        const bool heading = row % 7 == 0 && row < 28, here = row < 28 && !heading;
        if ((cells[0].hit.action == ACTION_LESSON_GO) != here ||
            (here && cells[0].hit.argument != lesson))
            fail_msg("%dx%d, selected %d: row %d", grid->columns, grid->rows, selected, y);
        assert_int_equal(cells[1].glyph == 'C' && cells[1].style.role == STYLE_LABEL, heading);
        assert_int_equal(cells[4].glyph == 'L' || heading, row < 28);
        assert_int_equal(!!(cells[4].style.flags & STYLE_SELECTED), here && lesson == selected);
        assert_int_equal(cells[0].glyph == 0x25b8, here && lesson == selected);
    }
    assert_int_equal(cell_at(grid, columns - 1, 2)->glyph == 0x2191, first > 0);
    assert_int_equal(cell_at(grid, columns - 1, 1 + rows)->glyph == 0x2193, first + rows < 28);
    assert_int_not_equal(cell_at(grid, 0, 2 + rows)->hit.action, ACTION_LESSON_GO);
}

static void a_long_list_of_lessons(void **state) {
    (void)state;
    static const int sizes[][4] = {/* the screen's columns, rows; the list's rows, columns */
                                   {60, 20, 10, 60},  {71, 38, 28, 71}, {71, 37, 27, 71},
                                   {72, 20, 17, 42},  {80, 30, 27, 46}, {120, 31, 28, 70},
                                   {200, 40, 37, 150}};
    struct lesson *lessons[LESSONS];
    struct catalog catalog;
    for (int i = 0; i < LESSONS; i++)
        lessons[i] = lesson_of(i);
    catalog_init(&catalog, (const struct lesson *const *)lessons, LESSONS, NULL, "en");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int selected = 0; selected < LESSONS; selected++) {
            struct grid grid;
            catalog.selected = (size_t)selected;
            grid_init(&grid, sizes[i][0], sizes[i][1], false);
            view_draw_catalog(&grid, &catalog);
            assert_false(grid.failed_to_fit);
            shows_lessons(&grid, sizes[i][2], sizes[i][3], selected);
            grid_release(&grid);
        }
    catalog_release(&catalog);
    for (int i = 0; i < LESSONS; i++)
        lesson_free(lessons[i]);
}

/* Not all steps have source text, or rounds. */
static void views_that_apply_to_a_step(void **state) {
    static const struct {
        const char *sample, *keys;
        bool source, rounds;
    } cases[] = {
        {"xor-3-w16", "", true, false}, {"reduce", "", true, true},
        {"reduce", "n", true, true},    {"sort", "", false, true},
        {"votes", "", false, false},    {"barrier", "", false, false},
        {"match", "", false, false},    {"stopped", "G", true, false},
        {"scan", "", true, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = sample_open(cases[i].sample);
        struct replay replay;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, cases[i].keys);
        assert_true(view_applies(&replay, VIEW_LANES));
        assert_true(view_applies(&replay, VIEW_WIRES));
        assert_true(view_applies(&replay, VIEW_HISTORY));
        assert_true(view_applies(&replay, VIEW_EXPLAIN));
        if (view_applies(&replay, VIEW_SOURCE) != cases[i].source ||
            view_applies(&replay, VIEW_ROUNDS) != cases[i].rounds)
            fail_msg("%s", cases[i].sample);
        trace_close(trace);
    }
}

/* A step that cannot be read has no figure, only a message that says so. */
static void a_damaged_step_has_no_figure(void **state) {
    (void)state;
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = 4};
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    const struct trace_launch launch = {"kernel", {1, 1, 1}, {32, 1, 1}, 0};
    trace_writer_launch(writer, &launch);
    size_t count = 1;
    struct shflviz_record_header *record = trace_writer_reserve(writer, &count);
    record->op = 99; /* 99 is not an operation */
    record->members = record->present = WARP_FULL_MASK;
    record->sequence = 1;
    struct trace *trace;
    struct replay replay;
    struct grid grid;
    int columns = 7, rows = 7;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(replay_init(&replay, trace, &err), 0);
    for (int view = 0; view < VIEW_KIND_COUNT; view++)
        assert_int_equal(view_applies(&replay, (enum view_kind)view), view == VIEW_LANES);
    view_figure_size(&replay, VIEW_LANES, &columns, &rows);
    assert_int_equal(columns, 0);
    assert_int_equal(rows, 0);
    grid_init(&grid, 1, 1, false);
    view_draw_figure(&grid, &replay, &(struct figure_options){.view = VIEW_LANES});
    assert_int_equal(grid.rows, 1);
    assert_int_equal(grid.columns, 80);
    char *text = grid_to_text(&grid, false);
    assert_non_null(strstr(text, "damaged"));
    free(text);
    grid_release(&grid);
    trace_close(trace);
}

static void the_clock_of_the_notes(void **state) {
    static const struct {
        long milliseconds;
        const char *clock;
    } times[] = {
        {0, " 0:00"},          {999, " 0:00"},          {1000, " 0:01"},     {59999, " 0:59"},
        {60000, " 1:00"},      {754000, " 12:34"},      {3599999, " 59:59"}, {3600000, " 1:00:00"},
        {3661000, " 1:01:01"}, {36605000, " 10:10:05"},
    };
    (void)state;
    struct sample_lesson sample;
    struct grid grid;
    sample_lesson_open(&sample, "en");
    grid_init(&grid, 80, 24, false);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        view_draw_notes(&grid, &sample.player, times[i].milliseconds);
        char *text = grid_to_text(&grid, false);
        text[strcspn(text, "\n")] = '\0';
        const size_t length = strlen(times[i].clock);
        if (strcmp(text + strlen(text) - length, times[i].clock) != 0)
            fail_msg("%ld: \"%s\"", times[i].milliseconds, text);
        free(text);
    }
    grid_release(&grid);
    sample_lesson_close(&sample);
}

/* The line being spoken is centred below the picture, broken into lines of about the same
 * length. */
static void a_presenter_speaks_in_the_middle(void **state) {
    static const int sizes[][3] = {/* columns, rows, the fewest rows kept for the line */
                                   {60, 20, 3},  {80, 24, 4},  {80, 29, 4}, {80, 30, 5},
                                   {103, 30, 5}, {104, 40, 5}, {160, 45, 5}};
    (void)state;
    struct sample_lesson sample;
    sample_lesson_open(&sample, "en");
    sample.player.presenting = true;
    player_go(&sample.player, 0);
    for (int line = 0; line < 5; line++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct grid grid;
            const int columns = sizes[i][0], rows = sizes[i][1];
            const int most = columns - 8 < 96 ? columns - 8 : 96;
            grid_init(&grid, columns, rows, false);
            view_draw_player(&grid, &sample.player);
            assert_false(grid.failed_to_fit);
            assert_true(view_player_fits(&sample.player, columns, rows) ||
                        rows - 18 < sizes[i][2] + 3);
            const int from = rows - 18 > sizes[i][2] ? rows - sizes[i][2] : 18;
            for (int y = from; y < rows; y++) {
                int left = 0, right = 0;
                while (left < columns && cell_at(&grid, left, y)->glyph == ' ')
                    left++;
                while (right < columns && cell_at(&grid, columns - 1 - right, y)->glyph == ' ')
                    right++;
                if (left == columns)
                    continue;
                assert_true(columns - left - right <= most);
                assert_in_range(right - left + 2, 0, 4);
                for (int x = left; x < columns - right; x++)
                    assert_true(cell_at(&grid, x, y)->style.flags & STYLE_BOLD);
            }
            grid_release(&grid);
        }
        sample_lesson_keys(&sample, "Right");
    }
    sample_lesson_close(&sample);
}

/* True if the sign for text below the visible part is shown: J above an arrow, or before it. */
static bool says_more(const struct grid *grid) {
    for (int y = 0; y < grid->rows - 1; y++)
        for (int x = 0; x < grid->columns; x++) {
            const struct cell *cell = cell_at(grid, x, y);
            if (cell->glyph == 0x2193 && cell->style.role == STYLE_KEY &&
                ((y > 0 && cell_at(grid, x, y - 1)->glyph == 'J') ||
                 (x > 1 && cell[-2].glyph == 'J')))
                return true;
        }
    return false;
}

/* Text fits exactly if no sign shows that there is more. */
static void fitting_text_needs_no_scrolling(void **state) {
    static const char *const scripts[] = {"",
                                          ":2 Enter",
                                          ":2 Enter 8 Enter Tab",
                                          ":3 Enter",
                                          ":3 Enter Escape Escape",
                                          ":5 Enter",
                                          ":7 Enter",
                                          ":8 Enter",
                                          ":2 Enter Tab 9 Enter i"};
    int seen[2] = {0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct sample_lesson sample;
        sample_lesson_open(&sample, "en");
        sample_lesson_keys(&sample, scripts[i]);
        if (i % 2 == 1) { /* a long text */
            char text[600] = "Words";
            for (size_t k = 0; k < 100; k++)
                strcat(text, " and");
            prose_release(&sample.player.narration);
            assert_int_equal(prose_make(&sample.player.narration, text, NULL, NULL, NULL), 0);
        }
        for (int columns = 60; columns <= 124; columns += 4)
            for (int rows = 20; rows <= 30; rows++) {
                struct grid grid;
                grid_init(&grid, columns, rows, false);
                view_draw_player(&grid, &sample.player);
                const bool fits = view_player_fits(&sample.player, columns, rows);
                if (says_more(&grid) == fits)
                    fail_msg("\"%s\" at %dx%d", scripts[i], columns, rows);
                seen[fits]++;
                grid_release(&grid);
            }
        sample_lesson_close(&sample);
    }
    assert_true(seen[0] > 20 && seen[1] > 20);
    struct sample_lesson sample;
    sample_lesson_open(&sample, "en");
    sample_lesson_keys(&sample, ":10 Enter Right");
    assert_true(view_player_fits(&sample.player, 60, 20)); /* the end has nothing to scroll */
    sample_lesson_close(&sample);
}

/* The reason why a change was refused is drawn over the lowest rows, above the keys. */
static void a_complaint_is_above_the_keys(void **state) {
    (void)state;
    struct sample_lesson sample;
    struct grid grid;
    sample_lesson_open(&sample, "en");
    strcpy(sample.player.replay.live.complaint, "refused\ntry this");
    for (int presenting = 0; presenting < 2; presenting++) {
        sample.player.presenting = presenting;
        grid_init(&grid, 80, 24, false);
        view_draw_player(&grid, &sample.player);
        char *text = grid_to_text(&grid, false), *rest = text;
        for (int y = 0; y < 24; y++) {
            const char *line = strsep(&rest, "\n");
            assert_int_equal(strcmp(line, " refused") == 0, y == 21);
            assert_int_equal(strcmp(line, " try this") == 0, y == 22);
        }
        free(text);
        grid_release(&grid);
    }
    sample_lesson_close(&sample);
}

/* Text of more than six rows is scrolled, but not beyond its end. */
static void a_long_speech_is_scrolled(void **state) {
    (void)state;
    struct sample_lesson sample;
    char text[2000] = "first";
    for (int i = 0; i < 190; i++)
        strcat(text, " word");
    strcat(text, " last");
    sample_lesson_open(&sample, "en");
    sample.player.presenting = true;
    player_go(&sample.player, 0);
    prose_release(&sample.player.narration);
    assert_int_equal(prose_make(&sample.player.narration, text, NULL, NULL, NULL), 0);
    assert_false(view_player_fits(&sample.player, 80, 24));
    for (int scrolled = 0; scrolled < 30; scrolled++) {
        struct grid grid;
        grid_init(&grid, 80, 24, false);
        view_draw_player(&grid, &sample.player);
        char *shown = grid_to_text(&grid, false);
        /* 192 words of five letters, in lines of at most 72 cells: 14 lines, 6 of them visible */
        assert_int_equal(strstr(shown, "first") != NULL, scrolled == 0);
        assert_int_equal(strstr(shown, "last") != NULL, scrolled >= 14 - 6);
        for (int y = 18; y < 24; y++) {
            int used = 0;
            for (int x = 0; x < 80; x++)
                used += cell_at(&grid, x, y)->glyph != ' ';
            assert_true(used > 0);
        }
        free(shown);
        grid_release(&grid);
        sample_lesson_keys(&sample, "J");
    }
    sample_lesson_close(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_list_of_exercises),
        cmocka_unit_test(a_long_start_list),
        cmocka_unit_test(a_long_list_of_lessons),
        cmocka_unit_test(views_that_apply_to_a_step),
        cmocka_unit_test(a_damaged_step_has_no_figure),
        cmocka_unit_test(the_clock_of_the_notes),
        cmocka_unit_test(a_presenter_speaks_in_the_middle),
        cmocka_unit_test(a_long_speech_is_scrolled),
        cmocka_unit_test(fitting_text_needs_no_scrolling),
        cmocka_unit_test(a_complaint_is_above_the_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
