/*
 * Students are limited in number, so that requests cannot use up memory: in a full room,
 * students who have left and have not answered are removed, those who never followed first.
 */
#include "teach/room.h"

#include "base/memory.h"
#include "base/text/utf8.h"

#include <stdlib.h>
#include <string.h>

void room_init(struct room *room) {
    *room = (struct room){0};
}

void room_clear(struct room *room) {
    for (size_t i = 0; i < room->student_count; i++)
        free(room->students[i]);
    room->student_count = 0;
}

void room_release(struct room *room) {
    room_clear(room);
    *room = (struct room){0};
}

/* ---- who is here ---- */

struct room_student *room_find(const struct room *room, const char *token) {
    for (size_t i = 0; i < room->student_count; i++)
        if (strcmp(room->students[i]->token, token) == 0)
            return room->students[i];
    return NULL;
}

static bool has_answered(const struct room *room, const struct room_student *student) {
    return room->round > 0 && student->round == room->round;
}

/* Removes the first removable student who has, or has not, followed; with `origin`, one from that
 * origin. Returns false if there is none. */
static bool remove_one(struct room *room, bool followed, const uint64_t *origin) {
    for (size_t i = 0; i < room->student_count; i++) {
        const struct room_student *student = room->students[i];
        if (student->streams > 0 || student->followed != followed || has_answered(room, student) ||
            (origin && student->origin != *origin))
            continue;
        free(room->students[i]);
        room->student_count--;
        memmove(&room->students[i], &room->students[i + 1],
                (room->student_count - i) * sizeof room->students[0]);
        return true;
    }
    return false;
}

/* Makes room for one more student from an origin; false if no student may be removed. */
static bool make_room(struct room *room, uint64_t origin) {
    size_t here = 0;
    for (size_t i = 0; i < room->student_count; i++)
        here += room->students[i]->origin == origin;
    if (room->student_count < ROOM_STUDENTS && here < ROOM_ONE_ORIGIN)
        return true;
    const uint64_t *of = here >= ROOM_ONE_ORIGIN ? &origin : NULL;
    return remove_one(room, false, of) || remove_one(room, true, of);
}

struct room_student *room_join(struct room *room, const char *token, uint64_t origin) {
    if (!make_room(room, origin))
        return NULL;
    struct room_student *student = memory_zeroed(1, sizeof *student);
    utf8_format(student->token, sizeof student->token, "%s", token);
    student->origin = origin;
    student->number = ++room->numbers;
    room->students[room->student_count++] = student;
    return student;
}

/* ---- questions ---- */

void room_ask(struct room *room, const char *beat) {
    room->state = ROOM_ASKS;
    if (room->open && strcmp(room->beat, beat) == 0)
        return;
    room->round++;
    room->open = true;
    utf8_format(room->beat, sizeof room->beat, "%s", beat);
}

void room_continue(struct room *room) {
    room->state = ROOM_TELLS;
}

void room_show(struct room *room, const char *beat) {
    room_continue(room);
    if (room->round == 0 || strcmp(room->beat, beat) != 0)
        return;
    room->open = false;
    room->state = ROOM_SHOWN;
}

enum room_taken room_answer(struct room *room, struct room_student *student, unsigned round,
                            const char *answer, bool right) {
    if (room->state != ROOM_ASKS || round != room->round)
        return ROOM_CLOSED;
    if (has_answered(room, student))
        return ROOM_ANSWERED_BEFORE;
    student->round = round;
    student->right = right;
    utf8_format(student->answer, sizeof student->answer, "%s", answer);
    return ROOM_TAKEN;
}

/* ---- distribution of answers ---- */

size_t room_present(const struct room *room) {
    size_t count = 0;
    for (size_t i = 0; i < room->student_count; i++)
        count += room->students[i]->streams > 0;
    return count;
}

size_t room_answered(const struct room *room) {
    size_t count = 0;
    for (size_t i = 0; i < room->student_count; i++)
        count += has_answered(room, room->students[i]);
    return count;
}

bool room_is_complete(const struct room *room) {
    for (size_t i = 0; i < room->student_count; i++)
        if (room->students[i]->streams > 0 && !has_answered(room, room->students[i]))
            return false;
    return room_answered(room) > 0;
}

static int by_answer(const void *a, const void *b) {
    const struct room_student *const *left = a, *const *right = b;
    return strcmp((*left)->answer, (*right)->answer);
}

static int by_count(const void *a, const void *b) {
    const struct room_bar *left = a, *right = b;
    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    if (left->right != right->right)
        return left->right ? -1 : 1;
    return strcmp(left->answer, right->answer);
}

/* Collects the students who answered, sorted so that equal answers are adjacent. */
static size_t collect(const struct room *room, const struct room_student **answered) {
    size_t count = 0;
    for (size_t i = 0; i < room->student_count; i++)
        if (has_answered(room, room->students[i]))
            answered[count++] = room->students[i];
    qsort(answered, count, sizeof answered[0], by_answer);
    return count;
}

size_t room_histogram(const struct room *room, struct room_bar bars[ROOM_BARS]) {
    const struct room_student *answered[ROOM_STUDENTS];
    struct room_bar all[ROOM_STUDENTS];
    const size_t count = collect(room, answered);
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        if (different > 0 && strcmp(all[different - 1].answer, answered[i]->answer) == 0)
            all[different - 1].count++;
        else
            all[different++] = (struct room_bar){answered[i]->answer, 1, answered[i]->right};
    if (different > 0)
        qsort(all, different, sizeof all[0], by_count);
    /* The right answer gets a bar of its own, however rare it is. */
    for (size_t i = ROOM_BARS - 1; i < different && different > ROOM_BARS; i++)
        if (all[i].right) {
            const struct room_bar rare = all[i];
            memmove(&all[ROOM_BARS - 1], &all[ROOM_BARS - 2], (i - ROOM_BARS + 2) * sizeof all[0]);
            all[ROOM_BARS - 2] = rare;
            break;
        }
    const size_t shown = different < ROOM_BARS ? different : ROOM_BARS;
    memcpy(bars, all, shown * sizeof all[0]);
    if (different > ROOM_BARS) {
        bars[ROOM_BARS - 1] = (struct room_bar){0};
        for (size_t i = ROOM_BARS - 1; i < different; i++)
            bars[ROOM_BARS - 1].count += all[i].count;
    }
    return shown;
}
