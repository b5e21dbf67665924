#include "cudacpu/frontend/lockstep/same_array.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MOST 64
#define ALIASES_MOST   16 /* pointers made of each other, one after the other */

static bool is(const struct words *w, uint32_t at, const char *text) {
    return words_is(w, at, text);
}

static bool is_named(const struct words *w, uint32_t at) {
    return at < w->count && w->word[at].kind == WORD_NAME;
}

/* ---- members ---- */

/* Whether the bracket is that of a struct's members. */
static bool holds_members(const struct words *w, uint32_t open) {
    if (open == WORDS_NONE || !is(w, open, "{"))
        return false;
    for (uint32_t at = open; at-- > 0;) {
        if (is(w, at, "struct") || is(w, at, "class") || is(w, at, "union"))
            return true;
        if (is(w, at, ";") || is(w, at, "{") || is(w, at, "}") || is(w, at, "="))
            return false;
    }
    return false;
}

bool same_array_is_member(const struct words *w, uint32_t name) {
    return is(w, name - 1, "::") || holds_members(w, w->word[name].inside);
}

static void find_members(struct same_array *same, const struct words *w) {
    for (uint32_t at = 1; at < w->count; at++) {
        const uint32_t before =
            is(w, at - 1, "__restrict__") || is(w, at - 1, "__restrict") || is(w, at - 1, "const")
                ? at - 2
                : at - 1;
        if (is_named(w, at) && is(w, before, "*") &&
            (is(w, at + 1, ";") || is(w, at + 1, ",") || is(w, at + 1, "=")) &&
            holds_members(w, w->word[at].inside))
            same->member[w->word[at].name] = true;
    }
}

/* ---- launches ---- */

/* Behind the angle brackets that begin at `at`. */
static uint32_t behind_angles(const struct words *w, uint32_t at) {
    int open = 0;
    for (; at < w->count && !is(w, at, ";"); at++) {
        open += is(w, at, "<") - is(w, at, ">");
        if (open == 0)
            return at + 1;
    }
    return at;
}

/* The name is followed by a member, or by an index without & before: another pointer than it. */
static bool is_part(const struct words *w, uint32_t at) {
    if (!is_named(w, at))
        return false;
    if (is(w, at + 1, ".") || is(w, at + 1, "->"))
        return !is(w, at + 3, "(");
    return is(w, at + 1, "[") && !is(w, at - 1, "&");
}

/* The variable that an address is made of: `a`, `a + n`, `&a[n]`, `(T *)a`, `a.data()`; WORDS_NONE
 * if it is none. */
static uint32_t variable_of(const struct words *w, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++) {
        if (is_named(w, at) && is(w, at + 1, "<")) { /* a cast */
            at = behind_angles(w, at + 1) - 1;
        } else if (is_named(w, at) && is(w, at + 1, "::")) {
            at++;
        } else if (is(w, at, "(") && is(w, w->word[at].partner - 1, "*") &&
                   w->word[at].partner + 1 < to) { /* (T *) */
            at = w->word[at].partner;
        } else if (is_part(w, at) || is(w, at, "sizeof") ||
                   (is_named(w, at) && is(w, at + 1, "*"))) {
            return WORDS_NONE; /* what is multiplied is a number: allocate(count * sizeof *a) */
        } else if (is_named(w, at) && !is(w, at + 1, "(")) {
            return w->word[at].name;
        } else if (!is(w, at, "&") && !is(w, at, "(") && !is_named(w, at)) {
            return WORDS_NONE;
        }
    }
    return WORDS_NONE;
}

/* For each name the variable that it is declared as a pointer into: T *name = variable ... */
static uint32_t *find_aliases(const struct words *w) {
    uint32_t *alias = memory_zeroed(w->names + 1, sizeof *alias);
    for (uint32_t i = 0; i < w->names; i++)
        alias[i] = i;
    for (uint32_t at = 1; at + 2 < w->count; at++) {
        if (!is_named(w, at) || !is(w, at + 1, "=") ||
            !(is(w, at - 1, "*") || is(w, at - 1, "auto")))
            continue;
        uint32_t to = at + 2;
        while (to < w->count && !is(w, to, ";") && !is(w, to, ",") && !is(w, to, "{"))
            to = is(w, to, "(") ? w->word[to].partner + 1 : to + 1;
        const uint32_t variable = variable_of(w, at + 2, to);
        if (variable != WORDS_NONE)
            alias[w->word[at].name] = variable;
    }
    return alias;
}

static uint32_t root_variable(const uint32_t *alias, uint32_t name) {
    for (int i = 0; name != WORDS_NONE && i < ALIASES_MOST; i++)
        name = alias[name];
    return name;
}

struct argument {
    uint32_t from, to, variable;
};

static bool same_text(const struct words *w, const struct argument *a, const struct argument *b) {
    return a->to - a->from == b->to - b->from && words_equal(w, a->from, b->from, a->to - a->from);
}

static void take_launch(struct same_array *same, const struct words *w, const uint32_t *alias,
                        uint32_t kernel, uint32_t open) {
    struct argument argument[ARGUMENTS_MOST];
    uint32_t count = 0;
    const uint32_t close = w->word[open].partner;
    for (uint32_t from = open + 1; from < close && count < ARGUMENTS_MOST;) {
        uint32_t to = from;
        while (to < close && !(is(w, to, ",") && w->word[to].inside == open))
            to++;
        argument[count++] =
            (struct argument){from, to, root_variable(alias, variable_of(w, from, to))};
        from = to + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            const bool is_equal = same_text(w, &argument[i], &argument[j]);
            if (!is_equal && (argument[i].variable == WORDS_NONE ||
                              argument[i].variable != argument[j].variable))
                continue;
            same->pair = memory_grow(same->pair, same->count + 1, sizeof *same->pair);
            same->pair[same->count++] = (struct same_pair){kernel, i, j, is_equal};
        }
}

/* The name before kernel<...><<<; WORDS_NONE: it is none. */
static uint32_t kernel_before(const struct words *w, uint32_t at) {
    int open = 0;
    while (at > 0 && (is(w, at, ">") || open > 0)) {
        open += is(w, at, ">") - is(w, at, "<");
        at = is(w, at, ")") ? w->word[at].partner : at; /* k<(n > 4)> */
        at -= at > 0;
    }
    return is_named(w, at) ? w->word[at].name : WORDS_NONE;
}

static void find_launches(struct same_array *same, const struct words *w) {
    uint32_t *alias = find_aliases(w);
    for (uint32_t at = 1; at + 3 < w->count; at++) {
        if (!is(w, at, "<") || !is(w, at + 1, "<") || !is(w, at + 2, "<"))
            continue;
        uint32_t end = at + 3;
        while (
            end + 3 < w->count && !is(w, end, ";") &&
            !(is(w, end, ">") && is(w, end + 1, ">") && is(w, end + 2, ">") && is(w, end + 3, "(")))
            end++;
        const uint32_t kernel = kernel_before(w, at - 1);
        if (is(w, end, ">") && kernel != WORDS_NONE)
            take_launch(same, w, alias, kernel, end + 3);
        at = end;
    }
    free(alias);
}

void same_array_find(struct same_array *same, const struct words *words) {
    *same = (struct same_array){.member = memory_zeroed(words->names + 1, sizeof *same->member)};
    find_members(same, words);
    find_launches(same, words);
}

void same_array_release(struct same_array *same) {
    free(same->pair);
    free(same->member);
}

const struct same_pair *same_array_of(const struct same_array *same, uint32_t kernel,
                                      uint32_t first, uint32_t second) {
    for (size_t i = 0; i < same->count; i++)
        if (same->pair[i].kernel == kernel && same->pair[i].first == first &&
            same->pair[i].second == second)
            return &same->pair[i];
    return NULL;
}
