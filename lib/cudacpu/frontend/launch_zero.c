#include "cudacpu/frontend/launch_zero.h"

#include "cudacpu/frontend/preprocessed.h"

#include <string.h>

bool is_zero_word(const char *at, size_t length) {
    return (length == 1 && *at == '0') || (length == 6 && memcmp(at, "__null", 6) == 0);
}

/* Behind blanks and line markers. `line` says whether `at` begins a line. */
static const char *skip_nothing(const char *at, const char *end, bool line) {
    for (; at < end; at++) {
        if (*at == '#' && line) {
            at += line_length(at, end) - 1;
            line = true;
        } else if (is_blank(*at)) {
            line = *at == '\n';
        } else {
            break;
        }
    }
    return at;
}

/* Before blanks and line markers; `floor` if there is nothing else. */
static const char *back_nothing(const char *floor, const char *at) {
    for (;;) {
        const char *line;
        while (at > floor && is_blank(at[-1]))
            at--;
        for (line = at; line > floor && line[-1] != '\n'; line--)
            ;
        if (at == floor || *line != '#' || (line > floor && line[-1] != '\n'))
            return at;
        at = line;
    }
}

bool is_whole_argument(const char *floor, const char *written_end, const char *after,
                       const char *end) {
    const char *before = back_nothing(floor, written_end);
    after = skip_nothing(after, end, false);
    return before > floor && (before[-1] == '(' || before[-1] == ',') && after < end &&
           (*after == ')' || *after == ',');
}

/* Behind >>> and the bracket that opens the arguments; NULL if that does not come. */
static const char *arguments_of(const char *at, const char *end) {
    int depth = 0, angles = 0;
    for (; at < end && depth >= 0 && *at != ';'; at++) {
        if (*at == '"' || *at == '\'') {
            at += quoted_length(at, end) - 1;
            continue;
        }
        depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        if (*at == '>' && depth == 0)
            angles++;
        else if (!is_blank(*at))
            angles = 0;
        if (angles == 3) {
            at = skip_nothing(at + 1, end, false);
            return at < end && *at == '(' ? at + 1 : NULL;
        }
    }
    return NULL;
}

bool launch_has_zero(const char *shape, const char *end) {
    const char *arguments = arguments_of(shape, end);
    int depth = 0;
    for (const char *at = arguments; at && at < end && depth >= 0;) {
        size_t length = 1;
        if (*at == '"' || *at == '\'') {
            length = quoted_length(at, end);
        } else if (is_name(*at)) {
            while (at + length < end && is_name(at[length]))
                length++;
            if (depth == 0 && is_zero_word(at, length) &&
                is_whole_argument(arguments - 1, at, at + length, end))
                return true;
        } else {
            depth += (strchr("([{", *at) != NULL) - (strchr(")]}", *at) != NULL);
        }
        at += length;
    }
    return false;
}
