/* A class follows a lesson: the events sent to an open page, and when they are sent. */
#include "session/classroom.h"

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
#include <unistd.h>

#include <cmocka.h>

/* Reads the address for students, which is on the screen when a class begins. */
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

/* Continues until the page has `count` frames and receives nothing more. */
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
    const struct classroom_options opts = {.serve = "127.0.0.1:0"};
    struct classroom *room;
    struct sample_lesson sample;
    struct student reply, page;
    struct error err = ERROR_INIT;
    char code[16], path[40], cookie[STUDENT_COOKIE];
    unsigned port;
    if (!server_is_built())
        skip();
    sample_lesson_open(&sample, "en");
    if (classroom_open(&room, &opts, &err) != 0)
        fail_msg("%s", err.text);
    read_address(room, &port, code);
    player_go(&sample.player, 0);
    classroom_update(room, &sample.player);

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
    classroom_update(room, &sample.player); /* nothing has changed */
    until(room, &page, 1);
    sample_lesson_keys(&sample, "Right");
    classroom_update(room, &sample.player);
    until(room, &page, 2);
    player_go(&sample.player, 1);
    classroom_update(room, &sample.player);
    until(room, &page, 3);
    assert_non_null(strstr(page.got.data, "\"title\":\"Who gives to lane 5?\""));
    classroom_update(room, NULL); /* back in the list */
    until(room, &page, 4);
    assert_non_null(strstr(page.got.data, "\"state\":\"wait\""));
    student_leave(&page);
    assert_int_equal(classroom_close(room, &err), 0);
    sample_lesson_close(&sample);
}

/* ---- answers ---- */

static void finish(struct classroom *room, struct student *student) {
    const time_t end = time(NULL) + 20;
    while (!student->ended) {
        classroom_run(room);
        student_read(student);
        assert_true(time(NULL) < end);
    }
}

/* Opens a page that follows the class. */
static void join_class(struct classroom *room, unsigned port, const char *code,
                       struct student *page, char cookie[STUDENT_COOKIE]) {
    struct student reply;
    char path[40];
    snprintf(path, sizeof path, "/%s/", code);
    student_ask(&reply, (uint16_t)port, path, NULL);
    finish(room, &reply);
    student_cookie(&reply, cookie);
    student_leave(&reply);
    snprintf(path, sizeof path, "/%s/events", code);
    student_ask(page, (uint16_t)port, path, cookie);
    until(room, page, 1);
}

static void answer(struct classroom *room, unsigned port, const char *code, const char *cookie,
                   const char *body, const char *status, const char *says) {
    struct student reply;
    char path[40];
    snprintf(path, sizeof path, "/%s/answer", code);
    student_post(&reply, (uint16_t)port, path, cookie, body);
    finish(room, &reply);
    if (!strstr(reply.got.data, status) || (says && !strstr(reply.got.data, says)))
        fail_msg("%s: %s", body, reply.got.data);
    student_leave(&reply);
}

static void read_file(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* Lane 5 reads lane 6. */
static void test_answers_are_judged_and_collected(void **state) {
    (void)state;
    char collect[] = "/tmp/shflviz-collect-XXXXXX";
    const int file = mkstemp(collect);
    const struct classroom_options opts = {.serve = "127.0.0.1:0", .collect = collect};
    struct classroom *room;
    struct sample_lesson sample;
    struct student pages[3];
    struct error err = ERROR_INIT;
    char code[16], cookies[3][STUDENT_COOKIE], text[4096];
    unsigned port;
    assert_true(file >= 0);
    close(file);
    if (!server_is_built())
        skip();
    sample_lesson_open(&sample, "en");
    if (classroom_open(&room, &opts, &err) != 0)
        fail_msg("%s", err.text);
    read_address(room, &port, code);
    assert_true(classroom_covers(room)); /* the page with the address */
    assert_true(classroom_key(room, action_press(ACTION_MODE_LIST, "x")));
    assert_false(classroom_covers(room));
    assert_false(classroom_key(room, action_press(ACTION_MODE_LIST, "x")));
    sample_lesson_keys(&sample, ":2 Enter Right");
    classroom_update(room, &sample.player);
    for (int i = 0; i < 3; i++)
        join_class(room, port, code, &pages[i], cookies[i]);
    answer(room, port, code, cookies[0], "1\nwhat", "HTTP/1.1 4",
           "Not understood. Expected: 0 to 31");
    answer(room, port, code, cookies[0], "1\n8", "HTTP/1.1 20", NULL);
    answer(room, port, code, cookies[0], "1\n6", "HTTP/1.1 409", "You have answered already.");
    answer(room, port, code, cookies[1], "1\n 06 ", "HTTP/1.1 20", NULL);
    answer(room, port, code, cookies[2], "2\n6", "HTTP/1.1 4", NULL); /* for another question */
    read_file(collect, text, sizeof text);
    assert_string_equal(text, ""); /* nothing is written before the answer is shown */
    sample_lesson_keys(&sample, "Escape Escape");
    classroom_update(room, &sample.player);
    read_file(collect, text, sizeof text);
    assert_string_equal(text, "{\"lesson\":\"lesson\",\"beat\":\"who\",\"round\":1,\"present\":3,"
                              "\"right\":\"6\",\"answers\":["
                              "{\"student\":1,\"right\":false,\"answer\":\"8\"},"
                              "{\"student\":2,\"right\":true,\"answer\":\"6\"}]}\n");
    assert_true(classroom_covers(room)); /* the distribution of the answers */
    classroom_update(room, &sample.player);
    read_file(collect, text, sizeof text);
    assert_null(strstr(text, "}\n{")); /* written once */
    /* A question that no student answers adds nothing to the file, and shows no distribution. */
    assert_true(classroom_key(room, action_press(ACTION_MODE_LIST, "x")));
    sample_lesson_keys(&sample, ":3 Enter Right");
    classroom_update(room, &sample.player);
    sample_lesson_keys(&sample, "Escape Escape");
    classroom_update(room, &sample.player);
    assert_false(classroom_covers(room));
    read_file(collect, text, sizeof text);
    assert_null(strstr(text, "}\n{"));
    int descriptor = -1;
    assert_int_equal(classroom_descriptors(room, &descriptor, 0), 0);
    assert_int_equal(descriptor, -1);
    for (int i = 0; i < 3; i++)
        student_leave(&pages[i]);
    assert_int_equal(classroom_close(room, &err), 0);
    sample_lesson_close(&sample);
    unlink(collect);
}

/* Answers that cannot be written are reported at the end. */
static void test_a_full_disk_is_reported(void **state) {
    (void)state;
    const struct classroom_options opts = {.serve = "127.0.0.1:0", .collect = "/dev/full"};
    struct classroom *room;
    struct sample_lesson sample;
    struct student page;
    struct error err = ERROR_INIT;
    char code[16], cookie[STUDENT_COOKIE];
    unsigned port;
    if (!server_is_built() || access("/dev/full", W_OK) != 0)
        skip();
    sample_lesson_open(&sample, "en");
    if (classroom_open(&room, &opts, &err) != 0)
        fail_msg("%s", err.text);
    read_address(room, &port, code);
    sample_lesson_keys(&sample, ":2 Enter Right");
    classroom_update(room, &sample.player);
    join_class(room, port, code, &page, cookie);
    answer(room, port, code, cookie, "1\n6", "HTTP/1.1 20", NULL);
    sample_lesson_keys(&sample, "Escape Escape");
    classroom_update(room, &sample.player);
    student_leave(&page);
    assert_int_equal(classroom_close(room, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_non_null(strstr(err.text, "cannot write /dev/full: "));
    sample_lesson_close(&sample);
    /* Without a class, these calls do nothing. */
    int descriptor = -1;
    assert_int_equal(classroom_close(NULL, &err), 0);
    assert_int_equal(classroom_descriptors(NULL, &descriptor, 1), 0);
    assert_int_equal(classroom_wait(NULL), -1);
    assert_false(classroom_run(NULL));
    assert_false(classroom_covers(NULL));
    assert_false(classroom_key(NULL, action_press(ACTION_MODE_LIST, "x")));
    classroom_update(NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_change_is_sent_once),
                                       cmocka_unit_test(test_answers_are_judged_and_collected),
                                       cmocka_unit_test(test_a_full_disk_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
