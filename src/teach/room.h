/*
 * room.h - a class that answers: who is here, who answered what, how the answers fall.
 *
 * It knows nothing of sockets, clocks and lessons: its owner tells it when a student comes or goes,
 * when a question opens and when its answer is shown, and hands over answers that are judged
 * already. A student is a token that is shown again; nothing else is known of her.
 *
 * Each opening of a question is a round, numbered from 1. A round ends when the answer is shown, or
 * when another question opens; a question that is left and opened again before its answer was shown
 * goes on with the same round. A student answers once in a round.
 */
#ifndef SHFLVIZ_TEACH_ROOM_H
#define SHFLVIZ_TEACH_ROOM_H

#include "explain/subject.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROOM_STUDENTS  1000 /* at most; room_join() */
#define ROOM_ONE_PLACE 500  /* of them from one place: a class behind a proxy; one who floods */
#define ROOM_TOKEN     33   /* 32 hexadecimal digits and the NUL */
#define ROOM_BEAT      64
#define ROOM_BARS      8 /* different answers told apart in a histogram, the rest together */

struct room_student {
    char token[ROOM_TOKEN];
    uint64_t place;           /* where she came from: what her owner tells apart (serve/rate.h) */
    unsigned number;          /* from 1, in the order in which they came */
    unsigned streams;         /* pages of hers that follow now; 0: she is away */
    bool followed;            /* one of them has followed */
    unsigned round;           /* that she answered last; 0: none */
    char answer[ANSWER_TEXT]; /* in that round, normalised */
    bool right;
};

enum room_state {
    ROOM_TELLS, /* no question is open, or it was left */
    ROOM_ASKS,  /* answers are taken */
    ROOM_SHOWN, /* the answer is shown: the histogram may be, too */
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
    const char *answer; /* borrowed; NULL: several answers that are too rare to be told apart */
    unsigned count;
    bool right;
};

enum room_taken {
    ROOM_TAKEN,
    ROOM_ANSWERED_BEFORE, /* this student, in this round */
    ROOM_CLOSED,          /* no question is open, or another one */
};

void room_init(struct room *room);
void room_release(struct room *room);

/* The student with this token; NULL if there is none. */
struct room_student *room_find(const struct room *room, const char *token);
/* A new student from a place. In a full room, or where her place has all that it may, the one who
 * came first of those who are away and have not answered the last question makes room, of her place
 * in the second case, and one who never followed before others; NULL if there is none. */
struct room_student *room_join(struct room *room, const char *token, uint64_t place);

/* All leave, with their answers: none of them may be used any more. */
void room_empty(struct room *room);

/* A question opens. */
void room_ask(struct room *room, const char *beat);
/* Its answer is shown. Of another question than the last one: as room_tell(). */
void room_show(struct room *room, const char *beat);
/* It is left, or the lesson goes on from its answer. */
void room_tell(struct room *room);

/* `answer` is normalised. */
enum room_taken room_answer(struct room *room, struct room_student *student, unsigned round,
                            const char *answer, bool right);

/* Students who are here, and those who have answered in the last round. */
size_t room_present(const struct room *room);
size_t room_answered(const struct room *room);
/* Whether all who are here have answered. */
bool room_is_complete(const struct room *room);

/* The answers of the last round, the most frequent first, of equals the right one, then in the
 * order of their text. Returns how many bars, at most ROOM_BARS. */
size_t room_histogram(const struct room *room, struct room_bar bars[ROOM_BARS]);

#endif
