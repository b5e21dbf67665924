/*
 * student.h - a student's connection to a server in this process, over loopback. The test
 * runs the server in between, while requests and replies are on their way.
 */
#ifndef SHFLVIZ_TESTS_STUDENT_H
#define SHFLVIZ_TESTS_STUDENT_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define STUDENT_COOKIE 64

struct student {
    int socket;
    bool ended;      /* the server has ended the connection */
    struct text got; /* everything received so far */
};

/* Requests PATH, such as "/CODE/events", with a cookie unless `cookie` is NULL. Asserts that this
 * works. */
void student_ask(struct student *student, uint16_t port, const char *path, const char *cookie);
void student_post(struct student *student, uint16_t port, const char *path, const char *cookie,
                  const char *body);
/* Reads the available data without waiting. */
void student_read(struct student *student);
void student_leave(struct student *student);

/* The header "Cookie: shflviz=TOKEN" for the cookie that a reply sets. */
void student_cookie(const struct student *student, char cookie[STUDENT_COOKIE]);

#endif
