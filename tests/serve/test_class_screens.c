/*
 * A teacher's view of a class, as reviewed text (tests/view/reviewed.h): how to join, with the
 * address as a QR code, the row below the lesson, the distribution of answers. The lesson,
 * in tests/view/lesson, knows the belief behind the answer 8; lane 5 reads lane 6.
 */
#include "view/pages/classroom.h"

#include "base/message.h"
#include "reviewed.h"
#include "sample_lesson.h"
#include "serve/qr.h"
#include "view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum page { DOOR, LOCAL_DOOR, LINE, ANSWERS };

/* How many of the 31 students gave an answer. */
struct given {
    const char *answer;
    unsigned count;
};
#define STUDENTS 31
static const struct given few[] = {{"8", 2}, {"6", 1}, {NULL, 0}};
static const struct given most[] = {{"6", 12}, {"8", 14}, {"own", 2}, {"5", 1}, {NULL, 0}};
/* Nine different answers: the two rarest share a bar, and the right one is not among them. */
static const struct given many[] = {{"1", 5}, {"2", 5}, {"3", 4}, {"4", 3},         {"7", 3},
                                    {"8", 3}, {"9", 2}, {"6", 1}, {"undefined", 1}, {NULL, 0}};
static const struct given nobody[] = {{NULL, 0}};

struct screen {
    const char *name;
    enum page page;
    const char *language;
    int columns, rows;
    const char *keys; /* for the lesson */
    const struct given *given;
    bool light, ascii;
};

/* The screens that show events of the last minute. */
static const struct minute {
    const char *name;
    unsigned came, turned_away, guesses;
    bool empties;
} minutes[] = {
    {"change-class-door-came-80x24", 31, 0, 9, false},
    {"change-class-door-guessed-80x24", 0, 0, 10, true},
    {"change-class-door-crowd-zh-80x24", 500, 20, 10, true},
    {"change-class-line-crowd-80x24", 500, 20, 0, false},
    {"change-class-line-guessed-100x30", 0, 0, 10, false},
};
static const struct minute quiet = {0};

static const struct minute *minute_of(const char *name) {
    for (size_t i = 0; i < sizeof minutes / sizeof minutes[0]; i++)
        if (strcmp(minutes[i].name, name) == 0)
            return &minutes[i];
    return &quiet;
}

static const char asks[] = ":2 Enter Right", shows[] = ":2 Enter Right Escape Escape";

/* The file of a "change-..." has the rows that differ from those of the nearest screen above it in
 * this table whose name does not begin with "change-". */
static const struct screen screens[] = {
    {"class-door-80x24", DOOR, "en", 80, 24, "", nobody, false, false},
    {"change-class-door-ascii-80x24", DOOR, "en", 80, 24, "", nobody, false, true},
    {"change-class-door-zh-80x24", DOOR, "zh", 80, 24, "", nobody, false, false},
    {"change-class-door-came-80x24", DOOR, "en", 80, 24, "", nobody, false, false},
    {"change-class-door-guessed-80x24", DOOR, "en", 80, 24, "", nobody, false, false},
    {"class-door-100x30", DOOR, "en", 100, 30, "", nobody, false, false},
    {"change-class-door-asked-100x30", DOOR, "en", 100, 30, asks, few, false, false},
    {"class-door-200x60", DOOR, "en", 200, 60, "", nobody, false, false},
    {"class-door-light-80x24", DOOR, "en", 80, 24, "", nobody, true, false},
    {"class-door-local-80x24", LOCAL_DOOR, "en", 80, 24, "", nobody, false, false},
    {"change-class-door-local-zh-80x24", LOCAL_DOOR, "zh", 80, 24, "", nobody, false, false},
    {"change-class-door-crowd-zh-80x24", LOCAL_DOOR, "zh", 80, 24, "", nobody, false, false},
    {"class-line-asked-80x24", LINE, "en", 80, 24, asks, few, false, false},
    {"change-class-line-80x24", LINE, "en", 80, 24, "Right", nobody, false, false},
    {"change-class-line-crowd-80x24", LINE, "en", 80, 24, asks, few, false, false},
    {"change-class-line-asked-zh-80x24", LINE, "zh", 80, 24, asks, few, false, false},
    {"class-line-asked-100x30", LINE, "en", 100, 30, asks, few, false, false},
    {"change-class-line-guessed-100x30", LINE, "en", 100, 30, asks, few, false, false},
    {"class-line-shown-200x60", LINE, "en", 200, 60, shows, most, false, false},
    {"class-answers-80x24", ANSWERS, "en", 80, 24, shows, most, false, false},
    {"change-class-answers-zh-80x24", ANSWERS, "zh", 80, 24, shows, most, false, false},
    {"change-class-answers-ascii-80x24", ANSWERS, "en", 80, 24, shows, most, false, true},
    {"change-class-answers-many-80x24", ANSWERS, "en", 80, 24, shows, many, false, false},
    {"change-class-answers-nobody-80x24", ANSWERS, "en", 80, 24, shows, nobody, false, false},
    {"class-answers-100x30", ANSWERS, "en", 100, 30, shows, most, false, false},
    {"class-answers-200x60", ANSWERS, "en", 200, 60, shows, most, false, false},
};

/* Students join, and answer before the answer is shown. */
static void fill(struct room *room, const struct given *given) {
    room_init(room);
    room_ask(room, "who");
    for (unsigned i = 0; i < STUDENTS; i++) {
        char token[ROOM_TOKEN];
        snprintf(token, sizeof token, "%032x", i);
        room_join(room, token, i)->streams = 1;
    }
    unsigned number = 0;
    for (; given->answer; given++)
        for (unsigned i = 0; i < given->count; i++, number++)
            assert_int_equal(room_answer(room, room->students[number], 1, given->answer,
                                         strcmp(given->answer, "6") == 0),
                             ROOM_TAKEN);
}

static void draw_line(struct grid *grid, const struct player *player,
                      const struct class_view *view) {
    struct grid upper = *grid;
    upper.rows--;
    view_draw_player(&upper, player);
    assert_false(upper.failed_to_fit);
    view_draw_class_line(area_within(grid_area(grid), 0, grid->rows - 1, grid->columns, 1), view);
}

static char *draw(const struct screen *screen) {
    struct sample_lesson sample;
    struct room room;
    struct grid grid;
    struct qr qr = {0};
    message_language_use(screen->language);
    sample_lesson_open(&sample, screen->language);
    sample.player.presenting = true;
    player_go(&sample.player, 0);
    sample_lesson_keys(&sample, screen->keys);
    fill(&room, screen->given);
    if (screen->keys == shows)
        room_show(&room, "who");
    else if (screen->keys != asks)
        room_continue(&room);
    const struct minute *minute = minute_of(screen->name);
    const bool local = screen->page == LOCAL_DOOR;
    struct class_view view = {.room = &room,
                              .player = &sample.player,
                              .url = local ? "http://127.0.0.1:8000/k7mqp/"
                                           : "http://192.168.1.5:8000/k7mqp/",
                              .code = "k7mqp",
                              .key = "@",
                              .came = minute->came,
                              .turned_away = minute->turned_away,
                              .guesses = minute->guesses,
                              .empties = minute->empties,
                              .local = local,
                              .light = screen->light};
    if (screen->page == DOOR)
        qr_make(&qr, view.url);
    view.qr = qr.black;
    view.qr_width = qr.width;
    grid_init(&grid, screen->columns, screen->rows, screen->ascii);
    if (screen->page == LINE)
        draw_line(&grid, &sample.player, &view);
    else if (screen->page == ANSWERS)
        view_draw_class_answers(&grid, &view);
    else
        view_draw_class_join(&grid, &view);
    char *text = grid_to_text(&grid, true);
    grid_release(&grid);
    qr_release(&qr);
    room_release(&room);
    sample_lesson_close(&sample);
    message_language_use("en");
    return text;
}

static bool is_change(const struct screen *screen) {
    return strncmp(screen->name, "change-", 7) == 0;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state, *before = screen;
    while (is_change(before))
        before--;
    if (screen->page == DOOR && !qr_is_built())
        skip();
    if (before < screen)
        reviewed_change(CLASS_SCREENS, screen->name, screen->keys, draw(before), draw(screen));
    else
        reviewed_screen(CLASS_SCREENS, screen->name, screen->keys, draw(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    if (!qr_is_built())
        skip();
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        reviewed_bar(&bars, screens[i].name, draw(&screens[i]));
    reviewed_bars_compare(CLASS_SCREENS, "key-bars", &bars);
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
