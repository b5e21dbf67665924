/*
 * room.h - a class that answers questions: its students, their answers, and their
 * distribution.
 *
 * It knows nothing about sockets, clocks or lessons: its owner reports when a student comes or
 * goes, when a question opens and when its answer is shown, and passes on answers that are already
 * judged. A student is known only by a token, presented with each request.
 *
 * Each opening of a question is a round, numbered from 1. A round ends when the answer is shown, or
 * when another question opens; a question that is left and opened again before its answer was shown
 * continues the same round. A student answers once in a round.
 */
#ifndef SHFLVIZ_TEACH_ROOM_H
#define SHFLVIZ_TEACH_ROOM_H

#include "explain/subject.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROOM_STUDENTS   1000 /* maximum number of students; see room_join() */
#define ROOM_ONE_ORIGIN 500  /* maximum from one origin: a class behind a proxy, or a flood */
#define ROOM_TOKEN      33   /* 32 hexadecimal digits and the NUL */
#define ROOM_BEAT       64
#define ROOM_BARS       8 /* distinct answers in a histogram; the rest are one bar */

struct room_student {
    char token[ROOM_TOKEN];
    uint64_t origin;          /* as the owner distinguishes them (serve/rate.h) */
    unsigned number;          /* from 1, in the order in which they joined */
    unsigned streams;         /* pages that currently follow; 0: away */
    bool followed;            /* one of them has followed */
    unsigned round;           /* the last round answered; 0 for none */
    char answer[ANSWER_TEXT]; /* the answer in that round, normalised */
    bool right;
};

enum room_state {
    ROOM_TELLS, /* no question is open, or it was left */
    ROOM_ASKS,  /* answers are taken */
    ROOM_SHOWN, /* the answer is shown, and the histogram may be, too */
};

struct room {
    struct room_student *students[ROOM_STUDENTS]; /* owned */
    size_t student_count;
    unsigned numbers; /* given so far */
    enum room_state state;
    unsigned round;       /* of the last question that was opened */
    bool open;            /* its answer has not been shown */
    char beat[ROOM_BEAT]; /* its name */
};

struct room_bar {
    const char *answer; /* borrowed; NULL for several rare answers */
    unsigned count;
    bool right;
};

enum room_taken {
    ROOM_TAKEN,
    ROOM_ANSWERED_BEFORE, /* this student, in this round */
    ROOM_CLOSED,          /* no question is open, or another one is */
};

void room_init(struct room *room);
void room_release(struct room *room);

/* The student with this token; NULL if there is none. */
struct room_student *room_find(const struct room *room, const char *token);
/* A new student from an origin. In a full room, or if the origin has reached its limit, a student
 * who is away and has not answered the last question is removed (in the second case, one from the
 * same origin): one who never followed, else the first. NULL if no student can be removed. */
struct room_student *room_join(struct room *room, const char *token, uint64_t origin);

/* Removes all students and their answers: pointers to them become invalid. */
void room_clear(struct room *room);

/* A question opens. */
void room_ask(struct room *room, const char *beat);
/* Its answer is shown. For a question other than the last, this is like room_continue(). */
void room_show(struct room *room, const char *beat);
/* The question is left, or the lesson goes on from its answer. */
void room_continue(struct room *room);

/* `answer` is normalised. */
enum room_taken room_answer(struct room *room, struct room_student *student, unsigned round,
                            const char *answer, bool right);

/* Students who are here, and those who have answered in the last round. */
size_t room_present(const struct room *room);
size_t room_answered(const struct room *room);
/* True if all who are here have answered. */
bool room_is_complete(const struct room *room);

/* The answers of the last round, the most frequent first; among equally frequent ones the right
 * one is first, and the others are sorted by their text. Returns the number of bars, at most
 * ROOM_BARS. */
size_t room_histogram(const struct room *room, struct room_bar bars[ROOM_BARS]);

#endif
