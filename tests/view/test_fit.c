/*
 * Rules for every size: nothing is cut at an edge, every lane is in the lane table, the call is
 * shown, the current phase and view are marked and can be clicked, the keys for help and leaving
 * are in the last row, an ASCII screen has only ASCII, an undefined value is never printed,
 * and a question reveals nothing.
 */
#include "base/message.h"
#include "view/view.h"

#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The check that a sweep calls for each screen. */
typedef void check_function(const struct grid *grid, const struct replay *replay, const char *name);

static void sweep_sizes(struct grid *grid, const struct replay *replay, const char *name,
                        size_t part, check_function *check) {
    static const int columns[] = {60, 61, 71, 79, 80, 81, 97, 111, 112, 120, 169, 170, 200, 250};
    static const int rows[] = {20, 21, 22, 23, 24, 25, 35, 36, 40, 52, 60, 80};
    for (size_t x = 0; x < sizeof columns / sizeof *columns; x++)
        for (size_t y = 0; y < sizeof rows / sizeof *rows; y++) {
            /* One moment is drawn at every width and some heights, another moment at the other
             * heights. */
            if ((x + y + part) % 12 != 0)
                continue;
            grid_resize(grid, columns[x], rows[y]);
            view_draw(grid, replay);
            check(grid, replay, name);
        }
}

static void sweep_moments(const char *name, bool ascii, check_function *check) {
    struct trace *trace = sample_open(name);
    struct replay replay;
    struct grid grid;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    grid_init(&grid, 1, 1, ascii);
    size_t part = 0;
    for (int view = 0; view < VIEW_KIND_COUNT; view++) {
        script_run(&replay, "g h");
        replay_apply(&replay, ACTION_PHASE_GO, 0);
        replay_apply(&replay, ACTION_VIEW_GO, view);
        /* Seven moments reach into the second operation; the selected lane changes with them. */
        for (int moment = 0; moment < 7; moment++) {
            sweep_sizes(&grid, &replay, name, part++, check);
            replay_apply(&replay, ACTION_PHASE_NEXT, 1);
            replay_apply(&replay, ACTION_LANE_GO, (replay.lane + 7) % WARP_LANES);
        }
    }
    grid_release(&grid);
    trace_close(trace);
}

static void sweep(bool ascii, check_function *check) {
    for (const char *const *name = sample_names(); *name; name++)
        sweep_moments(*name, ascii, check);
}

/* A lane is in the table if its number is in a cell that selects it. */
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

/* True if a row, from 0, has the ASCII text. */
static bool has_text(const struct grid *grid, int row, const char *text) {
    const struct cell *cell = grid->cells + (size_t)row * (size_t)grid->columns;
    const int length = (int)strlen(text);
    for (int x = 0, same = 0; x + length <= grid->columns; x++) {
        for (same = 0; same < length && cell[x + same].glyph == (uint32_t)text[same]; same++)
            continue;
        if (same == length)
            return true;
    }
    return false;
}

/* From 23 rows on, the first four rows have the title, the call, the phases and the tabs, although
 * the phases may be before the call. The beginning of the call is shown, however long it is. */
static void has_call(const struct grid *grid, const struct replay *replay, const char *name) {
    const struct trace_site *site = trace_site(replay->cursor.trace, replay->cursor.step.site);
    char begin[12] = "";
    if (grid->rows < 23 || !site)
        return;
    snprintf(begin, sizeof begin, "%s", site->text);
    if (!has_text(grid, 1, begin) && !has_text(grid, 2, begin))
        fail_msg("%s at %dx%d lacks the call %s", name, grid->columns, grid->rows, begin);
}

/* Each phase can be clicked, and only the current one is marked; the same holds for the views in
 * the tabs. */
static void has_marks(const struct grid *grid, enum action action, int current, const char *name) {
    unsigned marked = 0, there = 0;
    for (int i = 0; i < 4 * grid->columns; i++) {
        const struct cell *cell = &grid->cells[i];
        if (cell->hit.action != action)
            continue;
        there |= 1u << cell->hit.argument;
        marked |= (cell->style.role == STYLE_ACTIVE && cell->style.flags & STYLE_BOLD)
                  << cell->hit.argument;
    }
    const unsigned least = action == ACTION_PHASE_GO ? (1u << PHASE_COUNT) - 1 : 1u << current;
    if ((there & least) != least || marked != 1u << current)
        fail_msg("%s at %dx%d: action %d has %#x, of which %#x are marked, not %d", name,
                 grid->columns, grid->rows, (int)action, there, marked, current);
}

static bool has_action(const struct grid *grid, int row, enum action action) {
    for (int x = 0; x < grid->columns; x++)
        if (grid->cells[row * grid->columns + x].hit.action == action)
            return true;
    return false;
}

/* Each key of the key bar, with the word after it, leads to its action, and no other key does. */
static void keys_can_be_clicked(const struct grid *grid, const char *name) {
    const struct cell *row = grid->cells + (size_t)(grid->rows - 1) * (size_t)grid->columns;
    unsigned seen[64] = {0};
    size_t count = 0;
    for (int x = 1; x < grid->columns; x++) {
        if (row[x].glyph == ' ' || row[x - 1].glyph != ' ' || (x > 1 && row[x - 2].glyph != ' '))
            continue;
        const unsigned action = row[x].hit.action;
        bool is_known = action == 0;
        for (size_t i = 0; i < count; i++)
            is_known = is_known || seen[i] == action;
        for (int end = x; end + 1 < grid->columns; end++) {
            if (row[end].glyph == ' ' && row[end + 1].glyph == ' ')
                break;
            is_known = is_known || (row[end].glyph != ' ' && row[end].hit.action != action);
        }
        if (is_known || row[x].style.role != STYLE_KEY)
            fail_msg("%s at %dx%d: a key in column %d", name, grid->columns, grid->rows, x);
        seen[count++] = action;
    }
}

static void has_its_frame(const struct grid *grid, const struct replay *replay, const char *name) {
    if (!replay->cursor.has_step)
        return;
    has_call(grid, replay, name);
    has_marks(grid, ACTION_PHASE_GO, (int)replay->cursor.phase, name);
    if (grid->rows >= 23)
        has_marks(grid, ACTION_VIEW_GO, (int)replay_view(replay), name);
    if (replay->message[0])
        return;
    keys_can_be_clicked(grid, name);
    if (!has_action(grid, grid->rows - 1, ACTION_HELP) ||
        !has_action(grid, grid->rows - 1, ACTION_QUIT))
        fail_msg("%s at %dx%d lacks the keys of help or of leaving", name, grid->columns,
                 grid->rows);
}

static void is_whole(const struct grid *grid, const struct replay *replay, const char *name) {
    has_its_frame(grid, replay, name);
    if (grid->failed_to_fit)
        fail_msg("%s: %s, %s at %dx%d is cut", name, view_kind_name(replay->view),
                 phase_name(replay->cursor.phase), grid->columns, grid->rows);
    for (int lane = 0; replay->view == VIEW_LANES && lane < WARP_LANES; lane++)
        if (!shows_lane(grid, lane))
            fail_msg("%s at %dx%d lacks lane %d", name, grid->columns, grid->rows, lane);
}

static void nothing_is_cut_and_every_lane_is_there(void **state) {
    (void)state;
    sweep(false, is_whole);
}

static void nothing_is_cut_in_chinese(void **state) {
    (void)state;
    message_language_use("zh");
    sweep(false, is_whole);
    message_language_use("en");
}

static void is_ascii(const struct grid *grid, const struct replay *replay, const char *name) {
    is_whole(grid, replay, name);
    for (int i = 0; i < grid->columns * grid->rows; i++)
        if (grid->cells[i].glyph < ' ' || grid->cells[i].glyph > '~')
            fail_msg("%s at %dx%d has U+%04x", name, grid->columns, grid->rows,
                     (unsigned)grid->cells[i].glyph);
}

static void ascii_has_only_ascii(void **state) {
    (void)state;
    sweep(true, is_ascii);
}

static char *draw(const char *name, const char *keys, int columns, int rows) {
    struct trace *trace = sample_open(name);
    struct replay replay;
    struct grid grid;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    script_run(&replay, keys);
    grid_init(&grid, columns, rows, false);
    view_draw(&grid, &replay);
    char *text = grid_to_text(&grid, false);
    grid_release(&grid);
    trace_close(trace);
    return text;
}

static void undefined_is_never_printed_as_a_value(void **state) {
    (void)state;
    /* No view shows 0xbadbadd0... printed as an int. */
    static const char *const keys[] = {"llll", "llll Tab", "llll Tab Tab", "llll Tab Tab Tab Tab"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *text = draw("width-12", keys[i], 200, 60);
        assert_null(strstr(text, "-1159"));
        assert_null(strstr(text, "-116"));
        free(text);
    }
}

static void a_question_gives_nothing_away(void **state) {
    (void)state;
    /* Lane 5 of the second operation, xor 8, has 5 + 21 = 26 and gets 34 from lane 13. */
    for (int view = 0; view < VIEW_KIND_COUNT; view++) {
        char keys[64];
        snprintf(keys, sizeof keys, "n 5j lll %.*s p", view * 4, "Tab Tab Tab Tab ");
        char *text = draw("reduce", keys, 200, 60);
        assert_non_null(strstr(text, "lane 5 reads lane?"));
        assert_null(strstr(text, "5^8"));
        assert_null(strstr(text, "5 ^ 8"));
        assert_null(strstr(text, "← 13"));
        assert_null(strstr(text, "own value"));
        assert_null(strstr(text, " 60"));
        free(text);
    }
}

/* Operations after the question are blank: a question mark would say that they are undefined. */
static void hidden_operations_are_not_called_undefined(void **state) {
    (void)state;
    char *text = draw("reduce", "n 5j Tab Tab p", 80, 24);
    char *prompt = strchr(text, '?');
    assert_non_null(prompt);
    assert_non_null(strstr(text, "lane 5 reads lane?"));
    assert_null(strchr(prompt + 1, '?'));
    free(text);
}

static void a_window_too_small_says_so(void **state) {
    (void)state;
    char *text = draw("xor-3-w16", "", 40, 10);
    assert_non_null(strstr(text, "needs 60x20, has 40x10"));
    free(text);
    text = draw("xor-3-w16", "", 59, 80);
    assert_non_null(strstr(text, "needs 60x20, has 59x80"));
    free(text);
    text = draw("xor-3-w16", "", 12, 1);
    assert_string_equal(text, "needs 60x20\n");
    free(text);
    text = draw("xor-3-w16", "", 7, 1);
    assert_string_equal(text, " 60x20\n");
    free(text);
    for (int size = 0; size < 20; size++)
        free(draw("xor-3-w16", "", size, size));
}

/* A recording that its writer has not finished, as if the writer had been killed. */
static void a_recording_that_ends_early_is_reported(void **state) {
    (void)state;
    char path[] = "/tmp/shflviz-view-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = 4, .in_place = true};
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, path, &options, &err), 0);
    struct trace_launch launch = {"kernel", {1, 1, 1}, {32, 1, 1}, 0};
    trace_writer_launch(writer, &launch);
    struct trace_site site = {"kernel.cu", 3, "", "__shfl_xor_sync(0xffffffff, x, 1)"};
    trace_writer_site(writer, &site);
    size_t count = 1;
    struct shflviz_record_header *record = trace_writer_reserve(writer, &count);
    record->op = WARP_OP_XOR;
    record->members = record->present = WARP_FULL_MASK;
    record->width = 32;
    record->sequence = 1;
    struct trace *trace;
    struct replay replay;
    struct grid grid;
    assert_int_equal(trace_open(&trace, path, &err), 0);
    assert_int_equal(replay_init(&replay, trace, &err), 0);
    grid_init(&grid, 80, 24, false);
    view_draw(&grid, &replay);
    char *text = grid_to_text(&grid, false);
    assert_non_null(strstr(text, " recording ends early "));
    free(text);
    view_draw_table(&grid, &replay, 80);
    text = grid_to_text(&grid, false);
    assert_non_null(strstr(text, "recording ends early"));
    free(text);
    grid_release(&grid);
    trace_close(trace);
    trace_writer_close(writer, NULL, &err);
    unlink(path);
}

/* A step that cannot be read shows a message in place of the views; the next key continues. */
static void a_damaged_step_is_reported(void **state) {
    (void)state;
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = 4};
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    struct trace_launch launch = {"kernel", {1, 1, 1}, {32, 1, 1}, 0};
    trace_writer_launch(writer, &launch);
    struct trace_site site = {"kernel.cu", 3, "", "__syncwarp()"};
    trace_writer_site(writer, &site);
    for (uint64_t sequence = 1; sequence <= 2; sequence++) {
        size_t count = 1;
        struct shflviz_record_header *record = trace_writer_reserve(writer, &count);
        record->op = sequence == 1 ? 99 : WARP_OP_SYNC; /* 99 is not an operation */
        record->type = WARP_TYPE_NONE;
        record->members = record->present = WARP_FULL_MASK;
        record->sequence = sequence;
    }
    struct trace *trace;
    struct replay replay;
    struct grid grid;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(replay_init(&replay, trace, &err), 0);
    assert_false(replay.cursor.has_step);
    for (int size = 0; size < 3; size++) {
        static const int sizes[][2] = {{60, 20}, {80, 24}, {200, 60}};
        grid_init(&grid, sizes[size][0], sizes[size][1], false);
        view_draw(&grid, &replay);
        assert_false(grid.failed_to_fit);
        char *text = grid_to_text(&grid, false);
        assert_non_null(strstr(text, "damaged"));
        free(text);
        view_draw_table(&grid, &replay, 80);
        grid_release(&grid);
    }
    script_run(&replay, "p / x Enter l");
    assert_true(replay.cursor.has_step);
    assert_int_equal(replay.cursor.position, 1);
    trace_close(trace);
}

/* A small random number generator, so that a failure can be repeated (Numerical Recipes'
 * constants). */
static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void no_script_of_keys_breaks_the_screen(void **state) {
    (void)state;
    static const char *const keys[] = {
        "l", "h", "n", "N", "g",     "G",      "j",      "k",   "w",     "W",        "b", "B",
        "a", "+", "-", "p", "/",     ";",      "?",      "1",   "2",     "3",        "4", "5",
        "9", "0", "=", "x", "Enter", "Escape", "Ctrl-L", "Tab", "Space", "Backspace"};
    uint32_t seed = 1;
    for (const char *const *name = sample_names(); *name; name++) {
        struct trace *trace = sample_open(*name);
        struct replay replay;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        grid_init(&grid, 1, 1, false);
        for (int i = 0; i < 300; i++) {
            const char *key = keys[next_random(&seed) % (sizeof keys / sizeof *keys)];
            replay_key(&replay, replay_press(&replay, key));
            replay_tick(&replay, (long)(next_random(&seed) % 1500));
            grid_resize(&grid, 60 + (int)(next_random(&seed) % 150),
                        20 + (int)(next_random(&seed) % 50));
            view_draw(&grid, &replay);
            if (grid.failed_to_fit)
                fail_msg("%s: cut at %dx%d after key %d, %s", *name, grid.columns, grid.rows, i,
                         key);
        }
        grid_release(&grid);
        trace_close(trace);
    }
}

static void clicks_lead_where_they_point(void **state) {
    (void)state;
    struct trace *trace = sample_open("reduce");
    struct replay replay;
    struct grid grid;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    grid_init(&grid, 80, 24, false);
    view_draw(&grid, &replay);
    bool seen[ACTION_COUNT] = {false};
    uint64_t first = UINT64_MAX, last = 0;
    for (int i = 0; i < 80 * 24; i++) {
        const struct hit *hit = &grid.cells[i].hit;
        seen[hit->action] = true;
        if (hit->action == ACTION_OPERATION_GO) {
            first = (uint64_t)hit->argument < first ? (uint64_t)hit->argument : first;
            last = (uint64_t)hit->argument > last ? (uint64_t)hit->argument : last;
        }
    }
    assert_true(seen[ACTION_LANE_GO] && seen[ACTION_PHASE_GO] && seen[ACTION_VIEW_GO]);
    assert_true(seen[ACTION_HELP] && seen[ACTION_QUIT] && seen[ACTION_PLAY]);
    assert_int_equal(first, 0);
    assert_int_equal(last, 5);
    grid_release(&grid);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_cut_and_every_lane_is_there),
        cmocka_unit_test(nothing_is_cut_in_chinese),
        cmocka_unit_test(ascii_has_only_ascii),
        cmocka_unit_test(undefined_is_never_printed_as_a_value),
        cmocka_unit_test(a_question_gives_nothing_away),
        cmocka_unit_test(hidden_operations_are_not_called_undefined),
        cmocka_unit_test(a_window_too_small_says_so),
        cmocka_unit_test(a_recording_that_ends_early_is_reported),
        cmocka_unit_test(a_damaged_step_is_reported),
        cmocka_unit_test(no_script_of_keys_breaks_the_screen),
        cmocka_unit_test(clicks_lead_where_they_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
