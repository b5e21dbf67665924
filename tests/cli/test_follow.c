/* A presentation and those who follow it, both ends in one process. */
#include "cli/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-follow-XXXXXX";

static void line_is(struct seat *seat, const char *expected) {
    char *line = seat_await_line(seat, 10000);
    assert_non_null(line);
    assert_string_equal(line, expected);
    free(line);
}

static void test_late_followers_are_told_where_one_is(void **state) {
    struct stage stage;
    struct seat first, second;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(stage_open(&stage, &err), 0);
    assert_int_equal(seat_take(&first, &err), 0);
    stage_ready(&stage);
    stage_lesson(&stage, "xor");
    stage_position(&stage, "beat 1");
    stage_position(&stage, "beat 1"); /* the same again is not told again */
    stage_position(&stage, "beat 2");
    assert_int_equal(seat_take(&second, &err), 0);
    stage_ready(&stage);
    line_is(&first, "lesson xor");
    line_is(&first, "at beat 1");
    line_is(&first, "at beat 2");
    line_is(&second, "lesson xor");
    line_is(&second, "at beat 2");
    assert_null(seat_line(&second));
    seat_leave(&first);
    stage_ready(&stage); /* one leaves, the other stays */
    assert_int_equal(stage.follower_count, 1);
    stage_close(&stage);
    assert_false(seat_ready(&second)); /* over */
    seat_leave(&second);
    assert_int_equal(seat_take(&second, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void test_one_presentation_at_a_time(void **state) {
    struct stage stage, other;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(stage_open(&stage, &err), 0);
    assert_int_equal(stage_open(&other, &err), -1);
    assert_non_null(strstr(err.text, "another presentation"));
    stage_lesson(&other, "xor"); /* it is one that nobody follows */
    stage_close(&other);
    struct seat seat; /* and the first is still there */
    assert_int_equal(seat_take(&seat, &err), 0);
    seat_leave(&seat);
    stage_close(&stage);
}

static void test_what_a_killed_one_left_behind_is_taken_over(void **state) {
    struct stage stage;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(stage_open(&stage, &err), 0);
    close(stage.listener); /* as a kill does: the socket's name stays */
    stage.listener = -1;
    assert_int_equal(access(stage.path, F_OK), 0);
    stage_close(&stage);
    assert_int_equal(stage_open(&stage, &err), 0);
    stage_close(&stage);
}

static void test_a_folder_that_others_can_enter_is_refused(void **state) {
    struct stage stage;
    struct error err = ERROR_INIT;
    char path[64];
    (void)state;
    snprintf(path, sizeof(path), "%s/shflviz", folder);
    chmod(path, 0755);
    assert_int_equal(stage_open(&stage, &err), -1);
    assert_non_null(strstr(err.text, "this user's alone"));
    chmod(path, 0700);
}

/* Else whoever made /tmp/shflviz-UID first would tell the speaker's notes what to open. */
static void test_nobody_is_followed_in_a_folder_that_others_can_enter(void **state) {
    struct stage stage;
    struct seat seat;
    struct error err = ERROR_INIT;
    char path[128];
    (void)state;
    assert_int_equal(stage_open(&stage, &err), 0);
    snprintf(path, sizeof path, "%s/shflviz", folder);
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(seat_take(&seat, &err), -1);
    assert_non_null(strstr(err.text, "alone"));
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(seat_take(&seat, &err), 0);
    seat_leave(&seat);
    stage_close(&stage);
}

static void test_what_never_ends_a_line_is_not_followed(void **state) {
    struct stage stage;
    struct seat seat;
    struct error err = ERROR_INIT;
    char noise[1024];
    (void)state;
    memset(noise, 0, sizeof noise);
    assert_int_equal(stage_open(&stage, &err), 0);
    assert_int_equal(seat_take(&seat, &err), 0);
    stage_ready(&stage);
    bool on = true;
    for (int i = 0; i < 1024 && on; i++) {
        assert_int_equal(send(stage.followers[0], noise, sizeof noise, MSG_NOSIGNAL), sizeof noise);
        on = seat_ready(&seat);
    }
    assert_false(on);
    seat_leave(&seat);
    stage_close(&stage);
}

static void test_one_that_does_not_read_is_let_go(void **state) {
    struct stage stage;
    struct seat seat;
    struct error err = ERROR_INIT;
    char position[128];
    (void)state;
    assert_int_equal(stage_open(&stage, &err), 0);
    assert_int_equal(seat_take(&seat, &err), 0);
    stage_ready(&stage);
    assert_int_equal(stage.follower_count, 1);
    for (int i = 0; i < 1000000 && stage.follower_count; i++) {
        snprintf(position, sizeof(position), "beat %d %0100d", i, 0);
        stage_position(&stage, position);
    }
    assert_int_equal(stage.follower_count, 0);
    seat_leave(&seat);
    stage_close(&stage);
}

static int begin(void **state) {
    (void)state;
    return mkdtemp(folder) ? setenv("XDG_RUNTIME_DIR", folder, 1) : -1;
}

static int end(void **state) {
    char path[64];
    (void)state;
    snprintf(path, sizeof(path), "%s/shflviz", folder);
    rmdir(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late_followers_are_told_where_one_is),
        cmocka_unit_test(test_one_presentation_at_a_time),
        cmocka_unit_test(test_what_a_killed_one_left_behind_is_taken_over),
        cmocka_unit_test(test_a_folder_that_others_can_enter_is_refused),
        cmocka_unit_test(test_nobody_is_followed_in_a_folder_that_others_can_enter),
        cmocka_unit_test(test_what_never_ends_a_line_is_not_followed),
        cmocka_unit_test(test_one_that_does_not_read_is_let_go),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
