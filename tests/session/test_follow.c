/* A presentation and its followers, both ends in one process. */
#include "session/follow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/shflviz-follow-XXXXXX";

static void line_is(struct follower *follower, const char *expected) {
    char *line = follower_await_line(follower, 10000);
    assert_non_null(line);
    assert_string_equal(line, expected);
    free(line);
}

static void test_late_followers_get_the_position(void **state) {
    struct presentation presentation;
    struct follower first, second;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    assert_int_equal(follower_join(&first, &err), 0);
    presentation_ready(&presentation);
    presentation_lesson(&presentation, "xor");
    presentation_position(&presentation, "beat 1");
    presentation_position(&presentation, "beat 1"); /* the same position is not sent again */
    presentation_position(&presentation, "beat 2");
    assert_int_equal(follower_join(&second, &err), 0);
    presentation_ready(&presentation);
    line_is(&first, "lesson xor");
    line_is(&first, "at beat 1");
    line_is(&first, "at beat 2");
    line_is(&second, "lesson xor");
    line_is(&second, "at beat 2");
    assert_null(follower_line(&second));
    follower_leave(&first);
    presentation_ready(&presentation); /* one follower leaves, the other stays */
    assert_int_equal(presentation.follower_count, 1);
    presentation_close(&presentation);
    assert_false(follower_ready(&second)); /* the presentation is over */
    follower_leave(&second);
    assert_int_equal(follower_join(&second, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void test_one_presentation_at_a_time(void **state) {
    struct presentation presentation, other;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    assert_int_equal(presentation_open(&other, &err), -1);
    assert_non_null(strstr(err.text, "another presentation"));
    presentation_lesson(&other, "xor"); /* a presentation that nobody follows */
    presentation_close(&other);
    struct follower follower; /* the first presentation is still open */
    assert_int_equal(follower_join(&follower, &err), 0);
    follower_leave(&follower);
    presentation_close(&presentation);
}

static void test_a_stale_socket_is_replaced(void **state) {
    struct presentation presentation;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    close(presentation.listener); /* as after a kill: the socket's name stays */
    presentation.listener = -1;
    assert_int_equal(access(presentation.path, F_OK), 0);
    presentation_close(&presentation);
    assert_int_equal(presentation_open(&presentation, &err), 0);
    presentation_close(&presentation);
}

static void test_a_folder_that_others_can_enter_is_refused(void **state) {
    struct presentation presentation;
    struct error err = ERROR_INIT;
    char path[64];
    (void)state;
    snprintf(path, sizeof(path), "%s/shflviz", folder);
    chmod(path, 0755);
    assert_int_equal(presentation_open(&presentation, &err), -1);
    assert_non_null(strstr(err.text, "only you can enter"));
    chmod(path, 0700);
}

/* If such a folder were accepted, another user who made /tmp/shflviz-UID first could decide what
 * the speaker's notes open. */
static void test_nobody_is_followed_in_a_folder_that_others_can_enter(void **state) {
    struct presentation presentation;
    struct follower follower;
    struct error err = ERROR_INIT;
    char path[128];
    (void)state;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    snprintf(path, sizeof path, "%s/shflviz", folder);
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(follower_join(&follower, &err), -1);
    assert_non_null(strstr(err.text, "only you can enter"));
    assert_int_equal(chmod(path, 0700), 0);
    assert_int_equal(follower_join(&follower, &err), 0);
    follower_leave(&follower);
    presentation_close(&presentation);
}

static void test_a_stream_without_lines_is_not_followed(void **state) {
    struct presentation presentation;
    struct follower follower;
    struct error err = ERROR_INIT;
    char noise[1024];
    (void)state;
    memset(noise, 0, sizeof noise);
    assert_int_equal(presentation_open(&presentation, &err), 0);
    assert_int_equal(follower_join(&follower, &err), 0);
    presentation_ready(&presentation);
    bool on = true;
    for (int i = 0; i < 1024 && on; i++) {
        assert_int_equal(send(presentation.followers[0], noise, sizeof noise, MSG_NOSIGNAL),
                         sizeof noise);
        on = follower_ready(&follower);
    }
    assert_false(on);
    follower_leave(&follower);
    presentation_close(&presentation);
}

static void test_a_follower_that_never_reads_is_dropped(void **state) {
    struct presentation presentation;
    struct follower follower;
    struct error err = ERROR_INIT;
    char position[128];
    (void)state;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    assert_int_equal(follower_join(&follower, &err), 0);
    presentation_ready(&presentation);
    assert_int_equal(presentation.follower_count, 1);
    for (int i = 0; i < 1000000 && presentation.follower_count; i++) {
        snprintf(position, sizeof(position), "beat %d %0100d", i, 0);
        presentation_position(&presentation, position);
    }
    assert_int_equal(presentation.follower_count, 0);
    follower_leave(&follower);
    presentation_close(&presentation);
}

/* However much has arrived, each read is limited, and all lines are complete. */
static void test_a_flood_is_taken_in_parts(void **state) {
    struct presentation presentation;
    struct follower follower;
    struct error err = ERROR_INIT;
    char noise[1024], *line;
    size_t sent = 0, lines = 0;
    ssize_t count;
    (void)state;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = i % 2 ? '\n' : 'x';
    assert_int_equal(presentation_open(&presentation, &err), 0);
    assert_int_equal(follower_join(&follower, &err), 0);
    presentation_ready(&presentation);
    while ((count = send(presentation.followers[0], noise, sizeof noise, MSG_NOSIGNAL)) > 0)
        sent += (size_t)count;
    assert_true(sent > 70000);
    assert_true(follower_ready(&follower));
    assert_in_range(follower.read.length, 60000, 70000);
    for (int looks = 0; lines < sent / 2 && looks < 100; looks++) {
        while ((line = follower_line(&follower))) {
            assert_string_equal(line, "x");
            free(line);
            lines++;
        }
        assert_true(follower_ready(&follower));
    }
    assert_int_equal(lines, sent / 2);
    follower_leave(&follower);
    presentation_close(&presentation);
}

/* A stopped presenter accepts no followers, and followers do not wait for the presenter. */
static void test_a_stopped_presenter_keeps_nobody_waiting(void **state) {
    enum { CLIENTS = 200 };
    static struct follower followers[CLIENTS];
    struct presentation presentation, second;
    struct error err = ERROR_INIT;
    int joined = 0;
    (void)state;
    alarm(60);
    assert_int_equal(presentation_open(&presentation, &err), 0);
    while (joined < CLIENTS && follower_join(&followers[joined], &err) == 0)
        joined++;
    assert_true(joined < CLIENTS);
    assert_non_null(strstr(err.text, "does not answer"));
    assert_int_equal(presentation_open(&second, &err), -1);
    assert_non_null(strstr(err.text, "another presentation"));
    while (joined-- > 0)
        follower_leave(&followers[joined]);
    presentation_close(&presentation);
    alarm(0);
}

static void test_idle_clients_do_not_take_all_seats(void **state) {
    struct follower followers[FOLLOWERS_MAX + 1];
    struct presentation presentation;
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(presentation_open(&presentation, &err), 0);
    presentation_lesson(&presentation, "xor");
    for (int i = 0; i <= FOLLOWERS_MAX; i++) {
        assert_int_equal(follower_join(&followers[i], &err), 0);
        presentation_ready(&presentation);
        line_is(&followers[i], "lesson xor");
    }
    assert_int_equal(presentation.follower_count, FOLLOWERS_MAX);
    assert_false(follower_ready(&followers[0])); /* the oldest follower made room */
    assert_true(follower_ready(&followers[1]));
    /* A client that sends something is not a follower. */
    assert_int_equal(send(followers[1].descriptor, "x", 1, MSG_NOSIGNAL), 1);
    presentation_ready(&presentation);
    assert_int_equal(presentation.follower_count, FOLLOWERS_MAX - 1);
    for (int i = 0; i <= FOLLOWERS_MAX; i++)
        follower_leave(&followers[i]);
    presentation_close(&presentation);
}

/* A screen's descriptors: the listening socket, then as many followers as fit. */
static void test_descriptors(void **state) {
    struct presentation presentation, none = {.listener = -1};
    struct follower followers[2];
    struct error err = ERROR_INIT;
    int descriptors[4] = {-1, -1, -1, -1};
    (void)state;
    assert_int_equal(presentation_descriptors(&none, descriptors, 4), 0);
    presentation_ready(&none);
    presentation_position(&none, "beat 1");
    assert_null(none.position);
    assert_int_equal(presentation_open(&presentation, &err), 0);
    assert_int_equal(presentation_descriptors(&presentation, descriptors, 0), 0);
    assert_int_equal(descriptors[0], -1);
    assert_int_equal(presentation_descriptors(&presentation, descriptors, 4), 1);
    assert_int_equal(descriptors[0], presentation.listener);
    for (int i = 0; i < 2; i++)
        assert_int_equal(follower_join(&followers[i], &err), 0);
    presentation_ready(&presentation);
    assert_int_equal(presentation_descriptors(&presentation, descriptors, 2), 2);
    assert_int_equal(descriptors[1], presentation.followers[0]);
    assert_int_equal(descriptors[2], -1);
    assert_int_equal(presentation_descriptors(&presentation, descriptors, 4), 3);
    assert_int_equal(descriptors[2], presentation.followers[1]);
    assert_int_equal(descriptors[3], -1);
    for (int i = 0; i < 2; i++)
        follower_leave(&followers[i]);
    assert_false(follower_ready(&followers[0]));
    presentation_close(&presentation);
    assert_string_equal(follower_lesson("lesson xor"), "xor");
    assert_string_equal(follower_position("at beat 1"), "beat 1");
    assert_null(follower_lesson("lessons"));
    assert_null(follower_lesson("at beat 1"));
    assert_null(follower_position("lesson xor"));
}

/* The directory's name is as long as a socket's name allows, and then one byte longer. */
static void test_names_as_long_as_they_can_be(void **state) {
    const size_t room = sizeof((struct sockaddr_un){0}.sun_path);
    (void)state;
    for (size_t more = 0; more < 2; more++) {
        struct presentation presentation;
        struct follower follower;
        struct error err = ERROR_INIT;
        char longest[200], path[240];
        const size_t length = room - 1 - strlen("/shflviz/presentation") + more;
        memset(longest, 'x', length);
        longest[length] = '\0';
        memcpy(longest, folder, strlen(folder));
        longest[strlen(folder)] = '/';
        assert_int_equal(mkdir(longest, 0700), 0);
        setenv("XDG_RUNTIME_DIR", longest, 1);
        assert_int_equal(follower_join(&follower, &err), -1); /* before the presentation is open */
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, more ? "is too long for the name of a socket"
                                              : "you have no presentation running"));
        assert_int_equal(presentation_open(&presentation, &err), more ? -1 : 0);
        snprintf(path, sizeof path, "%s/shflviz/presentation", longest);
        if (!more)
            assert_string_equal(presentation.path, path);
        assert_int_equal(access(path, F_OK), more ? -1 : 0);
        presentation_close(&presentation);
        snprintf(path, sizeof path, "%s/shflviz", longest);
        assert_int_equal(rmdir(path), 0);
        assert_int_equal(rmdir(longest), 0);
    }
    setenv("XDG_RUNTIME_DIR", folder, 1);
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
        cmocka_unit_test(test_late_followers_get_the_position),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_one_presentation_at_a_time),
        cmocka_unit_test(test_a_stale_socket_is_replaced),
        cmocka_unit_test(test_a_folder_that_others_can_enter_is_refused),
        cmocka_unit_test(test_nobody_is_followed_in_a_folder_that_others_can_enter),
        cmocka_unit_test(test_a_stream_without_lines_is_not_followed),
        cmocka_unit_test(test_a_follower_that_never_reads_is_dropped),
        cmocka_unit_test(test_a_flood_is_taken_in_parts),
        cmocka_unit_test(test_a_stopped_presenter_keeps_nobody_waiting),
        cmocka_unit_test(test_names_as_long_as_they_can_be),
        cmocka_unit_test(test_idle_clients_do_not_take_all_seats),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
