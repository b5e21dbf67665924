/* A class follows a lesson: what a page that is open is sent, and when. */
#include "sitting/classroom.h"

#include "sample_lesson.h"
#include "serve/server.h"
#include "student.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* Where students go: a class begins with the door on the screen. */
static void read_address(const struct classroom *room, unsigned *port, char code[16]) {
    struct grid grid;
    grid_init(&grid, 100, 30, false);
    grid_clear(&grid);
    classroom_draw(room, &grid);
    char *text = grid_to_text(&grid, false);
    const char *url = strstr(text, "http://127.0.0.1:");
    assert_non_null(url);
    assert_int_equal(sscanf(url, "http://127.0.0.1:%u/%15[a-z0-9]/", port, code), 2);
    free(text);
    grid_release(&grid);
}

static int frames(const struct student *student) {
    int count = 0;
    for (const char *at = student->got.data; (at = strstr(at, "event: frame")) != NULL; at++)
        count++;
    return count;
}

/* Until the page has so many frames, and nothing more comes. */
static void until(struct classroom *room, struct student *student, int count) {
    const time_t end = time(NULL) + 20;
    for (int quiet = 0; quiet < 20; quiet++) {
        const size_t before = student->got.length;
        classroom_run(room);
        student_read(student);
        if (frames(student) < count || student->got.length > before)
            quiet = 0;
        assert_true(time(NULL) < end);
    }
    assert_int_equal(frames(student), count);
}

static void test_each_change_is_sent_once(void **state) {
    (void)state;
    const struct classroom_wish wish = {.serve = "127.0.0.1:0"};
    struct classroom *room;
    struct sample_lesson sample;
    struct student reply, page;
    struct error err = ERROR_INIT;
    char code[16], path[40], cookie[STUDENT_COOKIE];
    unsigned port;
    if (!server_is_built())
        skip();
    sample_lesson_open(&sample, "en");
    if (classroom_open(&room, &wish, &err) != 0)
        fail_msg("%s", err.text);
    read_address(room, &port, code);
    player_go(&sample.player, 0);
    classroom_tell(room, &sample.player);

    snprintf(path, sizeof path, "/%s/", code);
    student_ask(&reply, (uint16_t)port, path, NULL);
    while (!reply.ended) {
        classroom_run(room);
        student_read(&reply);
    }
    student_cookie(&reply, cookie);
    student_leave(&reply);

    snprintf(path, sizeof path, "/%s/events", code);
    student_ask(&page, (uint16_t)port, path, cookie);
    until(room, &page, 1);
    assert_non_null(strstr(page.got.data, "\"title\":\"Everyone has a value\""));
    classroom_tell(room, &sample.player); /* nothing has changed */
    until(room, &page, 1);
    sample_lesson_keys(&sample, "Right");
    classroom_tell(room, &sample.player);
    until(room, &page, 2);
    player_go(&sample.player, 1);
    classroom_tell(room, &sample.player);
    until(room, &page, 3);
    assert_non_null(strstr(page.got.data, "\"title\":\"Who gives to lane 5?\""));
    classroom_tell(room, NULL); /* back in the list */
    until(room, &page, 4);
    assert_non_null(strstr(page.got.data, "\"state\":\"wait\""));
    student_leave(&page);
    assert_int_equal(classroom_close(room, &err), 0);
    sample_lesson_close(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_change_is_sent_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
