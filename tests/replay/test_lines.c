/* Moving by line, in both directions, by operation, and to the line where a condition is true. */
#include "replay/lines.h"
#include "replay/replay.h"
#include "replay/whose.h"

#include "sample.h"
#include "sample_lines.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct trace *trace;

static int begin(void **state) {
    (void)state;
    trace = sample_lines_open();
    return trace ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    trace_close(trace);
    return 0;
}

/* Presses the keys; returns the number, from 1, of the last line that was run. */
static uint32_t line_after(struct replay *replay, const char *keys) {
    assert_int_equal(replay_init(replay, trace, NULL), 0);
    script_run(replay, keys);
    const struct trace_lines *lines = replay_lines(replay);
    const struct trace_line *line = &lines->lines[replay_line(replay)];
    return trace_function(trace, line->function)->lines[line->line];
}

static void test_by_line(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        uint32_t line;
    } rows[] = {
        {"", 1},    {"Right", 2}, {"Right Right Left", 2},
        {"4l", 5},  {"4l 2h", 3}, {"G", 7},
        {"G h", 6}, {"G g", 1},   {"3g", 3},
        {"99l", 7}, {"h", 1},     {"n", 6},
        {"n l", 7}, {"G N", 6},   {"/ line Space 5 Enter", 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct replay replay;
        const uint32_t line = line_after(&replay, rows[i].keys);
        if (line != rows[i].line)
            fail_msg("%s: line %u, not %u", rows[i].keys, line, rows[i].line);
    }
}

static void test_ends_are_reported(void **state) {
    (void)state;
    struct replay replay;
    line_after(&replay, "G l");
    assert_string_equal(replay.message, "last line of this warp");
    line_after(&replay, "h");
    assert_string_equal(replay.message, "first line of this warp");
    line_after(&replay, "n n");
    assert_string_equal(replay.message, "no operation after this line");
}

/* A recording with lines opens in the variables view; other views move by phase, and their line is
 * the operation's. */
static void test_views(void **state) {
    (void)state;
    struct replay replay;
    assert_int_equal(line_after(&replay, ""), 1);
    assert_int_equal(replay_view(&replay), VIEW_VARIABLES);
    assert_true(replay_moves_by_line(&replay));
    line_after(&replay, "1 Escape l");
    assert_int_equal(replay_view(&replay), VIEW_LANES);
    assert_int_equal(replay.cursor.phase, PHASE_ADDRESS);
    line_after(&replay, "n");
    assert_int_equal(replay.cursor.phase, PHASE_AFTER);
    struct trace *other = sample_open("reduce");
    assert_int_equal(replay_init(&replay, other, NULL), 0);
    assert_null(replay_lines(&replay));
    script_run(&replay, "Tab Tab Tab Tab Tab Tab"); /* six views, the last of them rounds */
    assert_int_not_equal(replay_view(&replay), VIEW_VARIABLES);
    trace_close(other);
}

/* The replay of a step, for a figure or in a lesson, is at the line that makes the call. */
static void test_steps(void **state) {
    (void)state;
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_int_equal(replay_line(&replay), 0);
    assert_true(replay_go_step(&replay, 0));
    assert_int_equal(replay_line(&replay), 5); /* line 6 */
    script_run(&replay, "Right");
    assert_int_equal(replay_line(&replay), 6);
    assert_true(replay_go_position(&replay, 0, 0, 0, 0));
    assert_int_equal(replay_line(&replay), 5);
}

static uint32_t find(struct replay *replay, const char *what, size_t from, bool *is_found) {
    assert_int_equal(replay_init(replay, trace, NULL), 0);
    lines_go(replay, from);
    *is_found = lines_find(replay, what);
    return (uint32_t)replay_line(replay) + 1;
}

/* mine is 100 + 3 * lane in lanes 0 to 15 after line 5, and 148 + 6 * (lane % 16) in all lanes
 * after line 7. */
static void test_conditions(void **state) {
    (void)state;
    static const struct {
        const char *what;
        size_t from; /* index of the line at which the search begins */
        uint32_t line;
        int lane;
        bool is_found;
    } rows[] = {
        {"mine > 100", 0, 5, 1, true},    {"mine > 145", 0, 7, 0, true},
        {"mine == 145", 0, 5, 15, true},  {"mine > 200", 0, 7, 9, true},
        {"mine differs", 0, 3, 0, true},  {"mine > 1000", 0, 1, 0, true},
        {"n differs", 0, 1, 0, true},     {"mine > 100", 6, 5, 1, true},
        {"nobody > 1", 0, 1, 0, false},   {"mine", 0, 1, 0, false},
        {"other == 48@6", 0, 6, 0, true}, {"line 7", 0, 7, 0, true},
        {"line 8", 0, 1, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct replay replay;
        bool is_found;
        const uint32_t line = find(&replay, rows[i].what, rows[i].from, &is_found);
        if (line != rows[i].line || replay.lane != rows[i].lane || is_found != rows[i].is_found)
            fail_msg("%s: line %u, lane %d, %d", rows[i].what, line, replay.lane, is_found);
    }
    struct replay replay;
    bool is_found;
    find(&replay, "mine > 1000", 0, &is_found);
    assert_string_equal(replay.message, "mine > 1000: not found in this warp");
}

/* Plays until the replay stops; a line takes a second. */
static uint32_t line_played(struct replay *replay, const char *keys) {
    uint32_t line = line_after(replay, keys);
    for (int i = 0; i < 20 && replay->playing; i++)
        replay_tick(replay, 1000);
    const struct trace_lines *lines = replay_lines(replay);
    line = trace_function(trace, lines->lines[replay_line(replay)].function)
               ->lines[lines->lines[replay_line(replay)].line];
    return line;
}

/* Lane 20 got `mine` from lane 4 by the xor; the path stays lit while the replay moves, until the
 * view in which it was requested is shown again, or until Escape. */
static void test_paths(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        bool is_lit;
        uint32_t to, from;
    } rows[] = {
        {"G 20j o", false, 0, 0},
        {"G 20j o 2 +600ms", true, 1u << 20, 1u << 4},
        {"G 20j o 6 +600ms N", true, 1u << 20, 1u << 4},
        {"G 20j o 4 +600ms Down", true, 1u << 21, 1u << 5},
        {"G 20j o 3 +600ms", false, 0, 0},
        {"G 20j o 2j", false, 0, 0}, /* a count */
        {"G 20j o 2 +600ms 7 +600ms", false, 0, 0},
        {"G 20j o 2 +600ms Escape", false, 0, 0},
        {"g 20j o 2 +600ms", true, 0, 0}, /* before the shuffle */
        {"n 20j 2 +600ms o 2 +600ms", true, 1u << 20, 1u << 4},
    };
    struct trace *whose = sample_whose_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct replay replay;
        struct origin_terms path = {.count = 0};
        assert_int_equal(replay_init(&replay, whose, NULL), 0);
        script_run(&replay, rows[i].keys);
        if (whose_path(&replay, &path) != rows[i].is_lit)
            fail_msg("%s: lit is not %d", rows[i].keys, rows[i].is_lit);
        if (whose_path_to(&path, 0) != rows[i].to || whose_path_from(&path, 0) != rows[i].from)
            fail_msg("%s: 0x%08x from 0x%08x", rows[i].keys, whose_path_to(&path, 0),
                     whose_path_from(&path, 0));
        origins_terms_release(&path);
    }
    trace_close(whose);
}

/* A condition stops play at the line that makes the condition true, in a lane for which it is
 * true. */
static void test_stops(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        uint32_t line;
        int lane;
        const char *says;
    } rows[] = {
        {"! line Space 5 Enter a", 5, 0, "stopped at line 5"},
        {"20j ! line Space 5 Enter a", 5, 0, "stopped at line 5"},
        {"! mine Space > Space 92 Enter a", 3, 31, "stopped at mine > 92"},
        {"3l ! mine Space > Space 92 Enter a", 5, 0, "stopped at mine > 92"},
        {"! mine Space differs Enter a", 3, 0, "stopped at mine differs"},
        {"! line Space 9 Enter a", 7, 0, "played to the end of this warp: a plays it again"},
        {"! nobody > 1 Enter", 1, 0, "neither a line nor a condition on variables"},
        {"! line Space 5 Enter ! Backspace Backspace Backspace Backspace Backspace Backspace Enter",
         1, 0, "play stops only at the end"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct replay replay;
        const uint32_t line = line_played(&replay, rows[i].keys);
        if (line != rows[i].line || replay.lane != rows[i].lane)
            fail_msg("%s: line %u, lane %d", rows[i].keys, line, replay.lane);
        assert_string_equal(replay.message, rows[i].says);
    }
}

/* In any view, Space runs to the point where play would stop, and the next Space continues from
 * there; without such a point, Space goes to the next line or phase. */
static void test_runs(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        uint32_t line;
        int lane;
        const char *says;
    } rows[] = {
        {"Space", 2, 0, ""},
        {"! line Space 5 Enter Space", 5, 0, "stopped at line 5"},
        {"! line Space 5 Enter Space Space", 5, 0, "line 5: not found later in this warp"},
        {"! mine Space > Space 92 Enter Space", 3, 31, "stopped at mine > 92"},
        {"! mine Space > Space 92 Enter Space Space", 5, 0, "stopped at mine > 92"},
        {"2 Escape ! line Space 7 Enter Space", 7, 0, "stopped at line 7"},
        {"1 Escape ! mine Space > Space 92 Enter Space", 3, 31, "stopped at mine > 92"},
        {"4 Escape ! line Space 6 Enter +1000ms Space", 6, 0, "stopped at line 6"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct replay replay;
        const uint32_t line = line_after(&replay, rows[i].keys);
        if (line != rows[i].line || replay.lane != rows[i].lane ||
            strcmp(replay.message, rows[i].says) != 0)
            fail_msg("%s: line %u, lane %d, %s", rows[i].keys, line, replay.lane, replay.message);
    }
}

/* In the variables view, + asks for expressions, and Tab completes names in them; in other
 * views + speeds up play. */
static void test_watched(void **state) {
    (void)state;
    static const struct {
        const char *keys, *watched, *says;
    } rows[] = {
        {"4l + mi Tab Enter", "mine", ""},
        {"4l + mine Space + Space o Tab Enter", "mine + other", ""},
        {"4l + mine Enter + , Space n Enter", "mine, n", ""},
        {"4l + mine Enter + Backspace Backspace Backspace Backspace Enter", "", ""},
        {"4l + mine Enter + Ctrl-U n Enter", "n", ""},
        {"4l + mine Space + Space other Space Ctrl-W n Enter", "mine + n", ""},
        {"4l + nobody Enter", "", "no function has a variable nobody"},
        {"4l + x Tab", "", "no variable here begins with x"},
        {"1 Escape +", "", "speed: 2 phases a second"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct replay replay;
        line_after(&replay, rows[i].keys);
        assert_string_equal(replay.watched, rows[i].watched);
        assert_string_equal(replay.message, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_line),    cmocka_unit_test(test_ends_are_reported),
        cmocka_unit_test(test_views),      cmocka_unit_test(test_steps),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_paths),
        cmocka_unit_test(test_stops),      cmocka_unit_test(test_runs),
        cmocka_unit_test(test_watched)};
    return cmocka_run_group_tests(tests, begin, end);
}
