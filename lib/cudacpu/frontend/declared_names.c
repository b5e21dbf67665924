#include "cudacpu/frontend/declared_names.h"

#include "cudacpu/frontend/preprocessed.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Behind the bracket that closes the one at `at`. */
static const char *behind_brackets(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        depth += *at && strchr("([{", *at) ? 1 : 0;
        depth -= *at && strchr(")]}", *at) ? 1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return end;
}

static bool begins(const char *at, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static const char *behind_blanks(const char *at, const char *end) {
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

/* What is being read of a declaration. */
struct reading {
    const char *name; /* the last that may be the variable's; NULL: none yet */
    size_t length;
    int angles;
    bool complete; /* what follows up to the comma is bounds or a value */
};

static const char *read_word(struct reading *reading, const char *at, const char *end) {
    const char *word = at;
    while (at < end && is_name(*at))
        at++;
    if (begins(word, end, "__attribute__") || begins(word, end, "alignas"))
        return behind_brackets(behind_blanks(at, end), end);
    if (reading->angles == 0 && !reading->complete) {
        reading->name = word;
        reading->length = (size_t)(at - word);
    }
    return at;
}

static const char *read_brackets(struct reading *reading, const char *at, const char *end) {
    const char open = *at;
    at = behind_brackets(at, end);
    if (open == '{') { /* the members of a struct, if a name follows; else values */
        const char *next = behind_blanks(at, end);
        reading->complete = !(next < end && (is_name(*next) || *next == '*'));
    } else if (reading->angles == 0) {
        reading->complete = true;
    }
    return at;
}

static const char *read_marker(const char *at, const char *end) {
    while (at < end && *at != '\n')
        at++;
    return at;
}

void declared_names(const char *from, const char *end, declared_name *take, void *context) {
    struct reading reading = {.name = NULL};
    const char *at = from;
    while (at < end && *at != ';') {
        const char c = *at;
        if (c == '#' && at > from && at[-1] == '\n') {
            at = read_marker(at, end);
        } else if (is_name(c)) {
            at = read_word(&reading, at, end);
        } else if (c && strchr("{[(", c)) {
            at = read_brackets(&reading, at, end);
        } else if (c == ',' && reading.angles == 0) {
            if (reading.name)
                take(context, reading.name, reading.length);
            reading = (struct reading){.name = NULL};
            at++;
        } else {
            if (!reading.complete)
                reading.angles += (c == '<') - (c == '>');
            reading.complete = reading.complete || c == '=';
            at++;
        }
    }
    if (reading.name)
        take(context, reading.name, reading.length);
}
