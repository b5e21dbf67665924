/* The server over loopback, with nothing before it: what its routes hand out, and a port in use. */
#include "base/memory.h"
#include "base/text.h"
#include "serve/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PAGE_SIZE 800001 /* as large as a lesson's page, and no multiple of anything */

struct hall {
    struct room room;
    struct server *server;
    char *page;
    uint16_t port;
};

static void open_hall(struct hall *hall, bool with_page) {
    struct error err = ERROR_INIT;
    struct server_wish wish = {.address = {"127.0.0.1", 0}, .room = &hall->room};
    unsigned port;
    memset(hall, 0, sizeof *hall);
    room_init(&hall->room);
    if (with_page) {
        hall->page = memory_zeroed(1, PAGE_SIZE);
        for (size_t i = 0; i < PAGE_SIZE; i++)
            hall->page[i] = (char)(i * i >> 3); /* NUL bytes are among them */
        wish.page = hall->page;
        wish.page_size = PAGE_SIZE;
    }
    if (server_open(&hall->server, &wish, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(sscanf(server_url(hall->server), "http://127.0.0.1:%u/", &port), 1);
    hall->port = (uint16_t)port;
}

static void close_hall(struct hall *hall) {
    server_close(hall->server);
    room_release(&hall->room);
    free(hall->page);
}

/* Asks for /CODE/PATH and reads the reply to its end; the caller releases it. */
static void ask(struct hall *hall, const char *path, const char *cookie, struct text *reply) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(hall->port)};
    struct text request = TEXT_INIT;
    char part[65536];
    const time_t end = time(NULL) + 20;
    ssize_t got = -1;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    text_append_format(&request, "GET /%s/%s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n%s%s\r\n",
                       server_code(hall->server), path, cookie ? cookie : "", cookie ? "\r\n" : "");
    const int socket_of = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(socket_of >= 0);
    assert_int_equal(connect(socket_of, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(write(socket_of, request.data, request.length), request.length);
    text_init(reply);
    while (got != 0) {
        assert_true(time(NULL) < end);
        server_run(hall->server);
        got = recv(socket_of, part, sizeof part, MSG_DONTWAIT);
        assert_true(got >= 0 || errno == EAGAIN || errno == EWOULDBLOCK);
        if (got > 0)
            text_append_bytes(reply, part, (size_t)got);
    }
    close(socket_of);
    text_release(&request);
}

/* Where the body begins. */
static const char *body_of(const struct text *reply) {
    const char *body = strstr(reply->data, "\r\n\r\n");
    assert_non_null(body);
    return body + 4;
}

/* "Cookie: shflviz=TOKEN" of a reply that sets it. */
static void cookie_of(const struct text *reply, char cookie[64]) {
    const char *set = strstr(reply->data, "shflviz=");
    assert_non_null(set);
    snprintf(cookie, 64, "Cookie: %.40s", set);
}

static void test_the_program_as_page(void **state) {
    (void)state;
    struct hall hall;
    struct text reply;
    char cookie[64];
    open_hall(&hall, true);
    ask(&hall, "", NULL, &reply);
    assert_memory_equal(reply.data, "HTTP/1.1 200", 12);
    assert_int_equal(reply.length - (size_t)(body_of(&reply) - reply.data), PAGE_SIZE);
    assert_memory_equal(body_of(&reply), hall.page, PAGE_SIZE);
    /* Its scripts are allowed by the page's own policy: one of the header would be added to it. */
    assert_non_null(strstr(reply.data, "Content-Security-Policy: frame-ancestors 'none'\r\n"));
    cookie_of(&reply, cookie);
    text_release(&reply);
    /* Who has been here is who she was, and gets the same. */
    ask(&hall, "", cookie, &reply);
    assert_memory_equal(body_of(&reply), hall.page, PAGE_SIZE);
    assert_null(memmem(reply.data, 1000, "shflviz=", 8));
    text_release(&reply);
    assert_int_equal(hall.room.student_count, 1);
    /* One of an earlier server is a new student. */
    ask(&hall, "", "Cookie: shflviz=0123456789abcdef0123456789abcdef", &reply);
    assert_non_null(memmem(reply.data, 1000, "shflviz=", 8));
    text_release(&reply);
    assert_int_equal(hall.room.student_count, 2);
    close_hall(&hall);
}

static void test_the_page_of_cells(void **state) {
    (void)state;
    struct hall hall;
    struct text reply;
    char cookie[64];
    for (int with_page = 0; with_page < 2; with_page++) {
        open_hall(&hall, with_page);
        ask(&hall, "plain", NULL, &reply);
        assert_non_null(strstr(body_of(&reply), "class.js"));
        assert_non_null(strstr(reply.data, "Content-Security-Policy: default-src 'none'"));
        cookie_of(&reply, cookie);
        text_release(&reply);
        /* Without the program as a page it is what all get. */
        ask(&hall, "", cookie, &reply);
        assert_int_equal(strstr(body_of(&reply), "class.js") == NULL, with_page);
        text_release(&reply);
        assert_int_equal(hall.room.student_count, 1);
        close_hall(&hall);
    }
}

static void test_a_port_in_use(void **state) {
    (void)state;
    struct hall hall;
    struct error err = ERROR_INIT;
    struct server *second;
    char wanted[256];
    open_hall(&hall, false);
    const struct server_wish wish = {.address = {"127.0.0.1", hall.port}, .room = &hall.room};
    assert_int_equal(server_open(&second, &wish, &err), -1);
    assert_null(second);
    assert_int_equal(err.kind, ERROR_USAGE);
    snprintf(wanted, sizeof wanted,
             "--serve: cannot listen on 127.0.0.1, port %u: Address already in use\n"
             "try: another port, or 0 for any that is free",
             (unsigned)hall.port);
    assert_string_equal(err.text, wanted);
    close_hall(&hall);
    /* Once it is free again it is had, at once: no wait until old connections are forgotten. */
    struct room room;
    room_init(&room);
    const struct server_wish again = {.address = {"127.0.0.1", hall.port}, .room = &room};
    assert_int_equal(server_open(&second, &again, &err), 0);
    server_close(second);
    room_release(&room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_program_as_page),
        cmocka_unit_test(test_the_page_of_cells),
        cmocka_unit_test(test_a_port_in_use),
    };
    if (!server_is_built()) {
        puts("built without libmicrohttpd: skipped");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
