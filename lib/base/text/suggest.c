#include "base/text/suggest.h"

#include "base/message.h"

#include <stdio.h>
#include <string.h>

#define NAME_MAX_COMPARED 40

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Optimal string alignment; three rows of the table are enough for swaps. */
size_t name_distance(const char *a, const char *b) {
    size_t length_a = strlen(a), length_b = strlen(b);
    size_t rows[3][NAME_MAX_COMPARED + 1];
    if (length_a > NAME_MAX_COMPARED || length_b > NAME_MAX_COMPARED)
        return length_a + length_b;
    for (size_t j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[length_a % 3][length_b];
}

void suggestion_consider(struct suggestion *suggestion, const char *name) {
    size_t length = strlen(suggestion->typed);
    size_t distance = name_distance(suggestion->typed, name);
    /* A name that is only the beginning of another is near, however much is missing. */
    if (length >= 3 && strncmp(suggestion->typed, name, length) == 0)
        distance = least(distance, 1);
    if (distance > 1 + length / 4)
        return;
    if (!suggestion->nearest || distance < suggestion->distance) {
        suggestion->nearest = name;
        suggestion->distance = distance;
    }
}

char *suggestion_format(const struct suggestion *suggestion, char buffer[SUGGESTION_TEXT]) {
    buffer[0] = '\0';
    if (suggestion->nearest)
        snprintf(buffer, SUGGESTION_TEXT, _("; did you mean '%s'?"), suggestion->nearest);
    return buffer;
}

void choice_add(struct choice *choice, const char *name) {
    suggestion_consider(&choice->near, name);
    text_append_format(&choice->allowed, "%s%s", choice->allowed.length ? " " : "", name);
}

int choice_refuse(struct choice *choice, const char *format, struct error *err) {
    char meant[SUGGESTION_TEXT];
    const char *typed = choice->near.typed;
    error_set(err, ERROR_USAGE, format, *typed ? typed : "''",
              suggestion_format(&choice->near, meant), choice->allowed.data);
    text_release(&choice->allowed);
    return -1;
}
