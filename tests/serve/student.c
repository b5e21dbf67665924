#include "student.h"

#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void begin(struct student *student, uint16_t port, const char *head, const char *cookie,
                  const char *body) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct text request = TEXT_INIT;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    text_append_format(&request, "%s HTTP/1.1\r\nHost: h\r\nConnection: close\r\n%s%s", head,
                       cookie ? cookie : "", cookie ? "\r\n" : "");
    if (body)
        text_append_format(&request, "Content-Length: %zu\r\n", strlen(body));
    text_append_format(&request, "\r\n%s", body ? body : "");
    *student = (struct student){.socket = socket(AF_INET, SOCK_STREAM, 0)};
    text_init(&student->got);
    assert_true(student->socket >= 0);
    assert_int_equal(connect(student->socket, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(write(student->socket, request.data, request.length), request.length);
    text_release(&request);
}

void student_ask(struct student *student, uint16_t port, const char *path, const char *cookie) {
    char head[128];
    snprintf(head, sizeof head, "GET %s", path);
    begin(student, port, head, cookie, NULL);
}

void student_post(struct student *student, uint16_t port, const char *path, const char *cookie,
                  const char *body) {
    char head[128];
    snprintf(head, sizeof head, "POST %s", path);
    begin(student, port, head, cookie, body);
}

void student_read(struct student *student) {
    char part[65536];
    ssize_t got = 1;
    while (!student->ended && got > 0) {
        got = recv(student->socket, part, sizeof part, MSG_DONTWAIT);
        assert_true(got >= 0 || errno == EAGAIN || errno == EWOULDBLOCK);
        student->ended = got == 0;
        if (got > 0)
            text_append_bytes(&student->got, part, (size_t)got);
    }
}

void student_leave(struct student *student) {
    close(student->socket);
    text_release(&student->got);
}

void student_cookie(const struct student *student, char cookie[STUDENT_COOKIE]) {
    const char *set = strstr(student->got.data, "shflviz=");
    assert_non_null(set);
    snprintf(cookie, STUDENT_COOKIE, "Cookie: %.40s", set);
}
