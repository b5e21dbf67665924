/* The server over loopback, without a proxy: the replies of its routes, and a port in use. */
#include "base/memory.h"
#include "base/text.h"
#include "serve/server.h"
#include "student.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PAGE_SIZE 800001 /* as large as a lesson's page, and not a round number */

struct hall {
    struct room room;
    struct server *server;
    char *page;
    uint16_t port;
};

static void open_hall(struct hall *hall, bool with_page) {
    struct error err = ERROR_INIT;
    struct server_options opts = {.address = {"127.0.0.1", 0}, .room = &hall->room};
    unsigned port;
    memset(hall, 0, sizeof *hall);
    room_init(&hall->room);
    if (with_page) {
        hall->page = memory_zeroed(1, PAGE_SIZE);
        for (size_t i = 0; i < PAGE_SIZE; i++)
            hall->page[i] = (char)(i * i >> 3); /* including NUL bytes */
        opts.page = hall->page;
        opts.page_size = PAGE_SIZE;
    }
    if (server_open(&hall->server, &opts, &err) != 0)
        fail_msg("%s", err.text);
    assert_int_equal(sscanf(server_url(hall->server), "http://127.0.0.1:%u/", &port), 1);
    hall->port = (uint16_t)port;
}

static void close_hall(struct hall *hall) {
    server_close(hall->server);
    room_release(&hall->room);
    free(hall->page);
}

/* Requests /CODE/PATH for a student, with or without a cookie. */
static void begin(struct hall *hall, struct student *student, const char *path,
                  const char *cookie) {
    char whole[64];
    snprintf(whole, sizeof whole, "/%s/%s", server_code(hall->server), path);
    student_ask(student, hall->port, whole, cookie);
}

/* Sends the request and reads the reply to its end; the caller closes the student's connection. */
static void ask(struct hall *hall, const char *path, const char *cookie, struct student *student) {
    const time_t end = time(NULL) + 20;
    begin(hall, student, path, cookie);
    while (!student->ended) {
        assert_true(time(NULL) < end);
        server_run(hall->server);
        student_read(student);
    }
}

/* The beginning of the body. */
static const char *body_of(const struct student *reply) {
    const char *body = strstr(reply->got.data, "\r\n\r\n");
    assert_non_null(body);
    return body + 4;
}

static void test_the_program_as_a_page(void **state) {
    (void)state;
    struct hall hall;
    struct student reply;
    char cookie[STUDENT_COOKIE];
    open_hall(&hall, true);
    ask(&hall, "", NULL, &reply);
    assert_memory_equal(reply.got.data, "HTTP/1.1 200", 12);
    assert_int_equal(reply.got.length - (size_t)(body_of(&reply) - reply.got.data), PAGE_SIZE);
    assert_memory_equal(body_of(&reply), hall.page, PAGE_SIZE);
    /* The page's own policy allows its scripts; the header's, which also applies, must not forbid
     * them. */
    assert_non_null(strstr(reply.got.data, "Content-Security-Policy: frame-ancestors 'none'\r\n"));
    student_cookie(&reply, cookie);
    student_leave(&reply);
    /* A returning student is recognised, and gets the same page. */
    ask(&hall, "", cookie, &reply);
    assert_memory_equal(body_of(&reply), hall.page, PAGE_SIZE);
    assert_null(memmem(reply.got.data, 1000, "shflviz=", 8));
    student_leave(&reply);
    assert_int_equal(hall.room.student_count, 1);
    /* A student with a cookie from an earlier server is a new student. */
    ask(&hall, "", "Cookie: shflviz=0123456789abcdef0123456789abcdef", &reply);
    assert_non_null(memmem(reply.got.data, 1000, "shflviz=", 8));
    student_leave(&reply);
    assert_int_equal(hall.room.student_count, 2);
    close_hall(&hall);
}

static void test_the_page_of_cells(void **state) {
    (void)state;
    struct hall hall;
    struct student reply;
    char cookie[STUDENT_COOKIE];
    for (int with_page = 0; with_page < 2; with_page++) {
        open_hall(&hall, with_page);
        ask(&hall, "plain", NULL, &reply);
        assert_non_null(strstr(body_of(&reply), "class.js"));
        assert_non_null(strstr(reply.got.data, "Content-Security-Policy: default-src 'none'"));
        student_cookie(&reply, cookie);
        student_leave(&reply);
        /* If the program has not been built as a page, everyone gets the page of cells. */
        ask(&hall, "", cookie, &reply);
        assert_int_equal(strstr(body_of(&reply), "class.js") == NULL, with_page);
        student_leave(&reply);
        assert_int_equal(hall.room.student_count, 1);
        close_hall(&hall);
    }
}

static bool has(const struct student *student, const char *words) {
    return strstr(student->got.data, words) != NULL;
}

/* Lets the students read until the last of them has received that text. */
static void until(struct hall *hall, struct student *students, size_t count, const char *words) {
    const time_t end = time(NULL) + 20;
    while (!has(&students[count - 1], words)) {
        assert_true(time(NULL) < end);
        server_run(hall->server);
        for (size_t i = 0; i < count; i++)
            student_read(&students[i]);
    }
    for (int i = 0; i < 5; i++) { /* data may still be on its way to the others */
        server_run(hall->server);
        for (size_t k = 0; k < count; k++)
            student_read(&students[k]);
    }
}

/* A student may have three pages open; a fourth page replaces the oldest, which is notified. */
static void test_streams_of_one_student(void **state) {
    (void)state;
    struct hall hall;
    struct student reply, pages[5];
    char cookie[STUDENT_COOKIE], words[32];
    open_hall(&hall, false);
    ask(&hall, "", NULL, &reply);
    student_cookie(&reply, cookie);
    student_leave(&reply);
    for (size_t count = 1; count <= 5; count++) {
        begin(&hall, &pages[count - 1], "events", cookie);
        until(&hall, pages, count, "event: own");
        snprintf(words, sizeof words, "{\"moment\":%zu}", count);
        server_publish(hall.server, words);
        until(&hall, pages, count, words);
        const size_t gone = count > SERVER_STREAMS_EACH ? count - SERVER_STREAMS_EACH : 0;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(has(&pages[i], "event: bye"), i < gone);
            assert_int_equal(pages[i].ended, i < gone);
            assert_int_equal(has(&pages[i], words), i >= gone);
        }
        assert_int_equal(hall.room.student_count, 1);
        assert_int_equal(hall.room.students[0]->streams, count - gone);
    }
    for (size_t i = 0; i < 5; i++)
        student_leave(&pages[i]);
    close_hall(&hall);
}

/* The received data without the chunk headers. Lines of the data end without \r. */
static void join_chunks(const struct student *student, struct text *joined) {
    text_clear(joined);
    for (const char *c = body_of(student); *c;) {
        if (*c != '\r') {
            text_append_char(joined, *c++);
            continue;
        }
        c += strspn(c, "\r\n");
        c += strspn(c, "0123456789ABCDEFabcdef");
        c += strncmp(c, "\r\n", 2) == 0 ? 2 : 0;
    }
}

/* A frame may be larger than what is sent in one go. */
static void test_a_large_moment(void **state) {
    (void)state;
    struct hall hall;
    struct student reply, page;
    struct text json = TEXT_INIT, got = TEXT_INIT;
    char cookie[STUDENT_COOKIE];
    open_hall(&hall, false);
    ask(&hall, "", NULL, &reply);
    student_cookie(&reply, cookie);
    student_leave(&reply);
    begin(&hall, &page, "events", cookie);
    until(&hall, &page, 1, "event: own");
    text_append(&json, "{\"text\":\"");
    for (int i = 0; i < 40000; i++)
        text_append_format(&json, "%d ", i);
    text_append(&json, "\"}");
    server_publish(hall.server, json.data);
    const time_t end = time(NULL) + 20;
    do {
        assert_true(time(NULL) < end);
        server_run(hall.server);
        student_read(&page);
        join_chunks(&page, &got);
    } while (!strstr(got.data, json.data));
    text_release(&json);
    text_release(&got);
    student_leave(&page);
    close_hall(&hall);
}

/* ---- the address for students ---- */

/* The machine's network: the result of getifaddrs() in this process. */
static struct ifaddrs *network;
static int network_status;

int getifaddrs(struct ifaddrs **all) {
    *all = network;
    return network_status;
}

void freeifaddrs(struct ifaddrs *all) {
    assert_ptr_equal(all, network);
}

static void url_begins(const char *wanted, bool local) {
    struct error err = ERROR_INIT;
    struct room room;
    struct server *server;
    const struct server_options opts = {.address = {"0.0.0.0", 0}, .room = &room};
    room_init(&room);
    assert_int_equal(server_open(&server, &opts, &err), 0);
    assert_memory_equal(server_url(server), wanted, strlen(wanted));
    assert_int_equal(server_is_local(server), local);
    server_close(server);
    room_release(&room);
}

/* The first of the machine's addresses that others can reach. */
static void test_the_public_address(void **state) {
    (void)state;
    static const struct {
        const char *address;
        unsigned flags;
    } interfaces[] = {{"127.0.0.1", IFF_UP | IFF_LOOPBACK},
                      {NULL, IFF_UP}, /* a tunnel has no address */
                      {"192.0.2.1", 0},
                      {"192.0.2.7", IFF_UP},
                      {"198.51.100.9", IFF_UP}};
    enum { COUNT = sizeof interfaces / sizeof *interfaces };
    struct ifaddrs list[COUNT] = {{0}};
    struct sockaddr_in addresses[COUNT] = {{0}};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    for (int i = 0; i < COUNT; i++) {
        addresses[i].sin_family = AF_INET;
        if (interfaces[i].address)
            assert_int_equal(inet_pton(AF_INET, interfaces[i].address, &addresses[i].sin_addr), 1);
        list[i].ifa_flags = interfaces[i].flags;
        list[i].ifa_addr = interfaces[i].address ? (struct sockaddr *)&addresses[i] : NULL;
        list[i].ifa_next = i + 1 < COUNT ? &list[i + 1] : NULL;
    }
    network = list;
    url_begins("http://192.0.2.7:", false);
    list[3].ifa_addr = (struct sockaddr *)&six;
    url_begins("http://198.51.100.9:", false);
    list[2].ifa_next = NULL;
    url_begins("http://127.0.0.1:", true);
    network = NULL;
    network_status = -1;
    url_begins("http://127.0.0.1:", true);
    network_status = 0;
}

/* ---- features that a system may lack ---- */

static int chances_left = -1; /* calls to getentropy() that still succeed; -1 for all */

int getentropy(void *to, size_t count) {
    if (chances_left == 0)
        return -1;
    chances_left -= chances_left > 0;
    return getrandom(to, count, 0) == (ssize_t)count ? 0 : -1;
}

static void is_refused(const char *host, enum error_kind kind, const char *says) {
    struct error err = ERROR_INIT;
    struct room room;
    struct server *server;
    struct server_options opts = {.room = &room};
    snprintf(opts.address.host, sizeof opts.address.host, "%s", host);
    room_init(&room);
    assert_int_equal(server_open(&server, &opts, &err), -1);
    assert_null(server);
    assert_int_equal(err.kind, kind);
    if (strncmp(err.text, says, strlen(says)) != 0)
        fail_msg("%s: %s", host, err.text);
    room_release(&room);
}

static void test_failures_to_open(void **state) {
    (void)state;
    struct hall hall;
    struct student reply;
    struct rlimit files, few;
    is_refused("192.0.2.1", ERROR_USAGE, "--serve: cannot listen on 192.0.2.1, port 0: ");
    is_refused("no such host", ERROR_USAGE, "--serve: cannot listen on no such host, port 0: ");
    for (chances_left = 0; chances_left < SERVE_CODE;) {
        const int chances = chances_left;
        is_refused("127.0.0.1", ERROR_MISSING, "--serve: no random numbers from this system");
        chances_left = chances + 1;
    }
    chances_left = -1;
    /* Without randomness no student is let in, because two could get the same token. */
    open_hall(&hall, false);
    chances_left = 0;
    ask(&hall, "", NULL, &reply);
    chances_left = -1;
    assert_memory_equal(reply.got.data, "HTTP/1.1 503", 12);
    assert_int_equal(hall.room.student_count, 0);
    student_leave(&reply);
    close_hall(&hall);
    /* With few file descriptors the server accepts fewer connections, but still works. */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    few = (struct rlimit){64, files.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    open_hall(&hall, false);
    ask(&hall, "class.js", NULL, &reply);
    assert_memory_equal(reply.got.data, "HTTP/1.1 200", 12);
    student_leave(&reply);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &few), 0);
    assert_true(few.rlim_cur > 64 || files.rlim_max <= 64); /* the server raised the limit */
    close_hall(&hall);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
}

/* An IPv6 address is in brackets in the URL; ::1 can only be reached from this machine. */
static void test_ipv6_address(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    struct room room;
    struct server *server;
    const struct server_options opts = {.address = {"::1", 0}, .room = &room};
    room_init(&room);
    if (server_open(&server, &opts, &err) != 0) {
        print_message("skipped: %s\n", err.text); /* a system without IPv6 */
    } else {
        unsigned port = 0;
        assert_int_equal(sscanf(server_url(server), "http://[::1]:%u/", &port), 1);
        assert_in_range(port, 1, UINT16_MAX);
        assert_true(server_is_local(server));
        server_close(server);
    }
    room_release(&room);
}

static void test_a_port_in_use(void **state) {
    (void)state;
    struct hall hall;
    struct error err = ERROR_INIT;
    struct server *second;
    char wanted[256];
    open_hall(&hall, false);
    const struct server_options opts = {.address = {"127.0.0.1", hall.port}, .room = &hall.room};
    assert_int_equal(server_open(&second, &opts, &err), -1);
    assert_null(second);
    assert_int_equal(err.kind, ERROR_USAGE);
    snprintf(wanted, sizeof wanted,
             "--serve: cannot listen on 127.0.0.1, port %u: Address already in use\n"
             "try: another port, or 0 for any free port",
             (unsigned)hall.port);
    assert_string_equal(err.text, wanted);
    close_hall(&hall);
    /* A port that is free again can be used immediately, without waiting for old connections to
     * expire. */
    struct room room;
    room_init(&room);
    const struct server_options again = {.address = {"127.0.0.1", hall.port}, .room = &room};
    assert_int_equal(server_open(&second, &again, &err), 0);
    server_close(second);
    room_release(&room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_program_as_a_page), cmocka_unit_test(test_the_page_of_cells),
        cmocka_unit_test(test_a_port_in_use),         cmocka_unit_test(test_streams_of_one_student),
        cmocka_unit_test(test_the_public_address),    cmocka_unit_test(test_failures_to_open),
        cmocka_unit_test(test_ipv6_address),          cmocka_unit_test(test_a_large_moment),
    };
    if (!server_is_built()) {
        puts("built without libmicrohttpd: skipped");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
