#include "cudacpu/frontend/lockstep/device_functions.h"

#include "base/memory.h"

#include <stdlib.h>

static bool is(const struct words *w, uint32_t at, const char *text) {
    return words_is(w, at, text);
}

static bool is_named(const struct words *w, uint32_t at) {
    return at < w->count && w->word[at].kind == WORD_NAME;
}

/* Behind the declaration that begins at `from`, which becomes `f` if it is a function's;
 * f->name is WORDS_NONE if it is not. */
static uint32_t read_function(const struct words *w, uint32_t from, struct function *f) {
    *f = (struct function){.name = WORDS_NONE};
    for (uint32_t i = from; i < w->count; i++) {
        if (is(w, i, "__global__"))
            f->is_kernel = true;
        if (is(w, i, ";") && f->name != WORDS_NONE && !f->is_kernel) {
            f->is_elsewhere = true;
            return i;
        }
        if (is(w, i, ";") || is(w, i, "=") || is(w, i, "}"))
            break;
        if (is(w, i, "(")) {
            if (is_named(w, i - 1) && !f->parameters.to && !is(w, i - 1, "__attribute__") &&
                !is(w, i - 1, "__launch_bounds__") && !is(w, i - 1, "alignas")) {
                f->name = i - 1;
                f->parameters = (struct part){i + 1, w->word[i].partner};
            }
            i = w->word[i].partner;
        } else if (is(w, i, "{")) {
            f->body = (struct part){i + 1, w->word[i].partner};
            return i;
        }
    }
    f->name = WORDS_NONE;
    return from;
}

/* Neither a template nor the file's own. */
static bool has_one_name(const struct words *w, const struct function *f) {
    for (uint32_t i = f->name; i-- > 0 && !is(w, i, ";") && !is(w, i, "}");)
        if (is(w, i, "static") || is(w, i, "template") || is(w, i, "inline") ||
            is(w, i, "__inline__") || is(w, i, "{"))
            return false;
    return true;
}

/* Where the file has the function itself its declarations do not count. */
static void drop_declared(struct functions *all, const struct words *w) {
    size_t kept = 0;
    bool *is_here = memory_zeroed(w->names + 1, sizeof *is_here);
    for (size_t i = 0; i < all->count; i++)
        is_here[w->word[all->function[i].name].name] |= !all->function[i].is_elsewhere;
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t name = w->word[all->function[i].name].name;
        if (all->function[i].is_elsewhere && is_here[name])
            continue;
        all->function[kept++] = all->function[i];
        if (!all->first[name])
            all->first[name] = (uint32_t)kept;
    }
    all->count = kept;
    free(is_here);
}

void functions_find(struct functions *all, const struct words *w, bool is_part) {
    size_t room = 0;
    *all = (struct functions){.first = memory_zeroed(w->names + 1, sizeof *all->first)};
    for (uint32_t i = 0; i < w->count; i++) {
        struct function f;
        if (!is(w, i, "__global__") && !is(w, i, "__device__"))
            continue;
        const uint32_t behind = read_function(w, i, &f);
        if (f.name == WORDS_NONE)
            continue;
        i = behind;
        f.is_for_all = is_part && !f.is_kernel && !f.is_elsewhere && has_one_name(w, &f);
        if (all->count == room) {
            room = room ? 2 * room : 64;
            all->function = memory_grow(all->function, room, sizeof *all->function);
        }
        all->function[all->count++] = f;
    }
    drop_declared(all, w);
}

struct function *function_called(const struct functions *all, const struct words *w,
                                 uint32_t name) {
    const uint32_t first = is_named(w, name) ? all->first[w->word[name].name] : 0;
    return first ? &all->function[first - 1] : NULL;
}

/* Whether the word belongs to a loop: in its braces, behind its head, or in that. */
static bool is_in_loop(const struct words *w, uint32_t at) {
    for (uint32_t open; at != WORDS_NONE; at = open) {
        open = w->word[at].inside;
        for (uint32_t i = at; i-- > 0 && i != open;) { /* the statement's words before it */
            if (is(w, i, ";") || is(w, i, "{") || is(w, i, "}"))
                break;
            if (is(w, i, "for") || is(w, i, "while") || is(w, i, "do"))
                return true;
            if (is(w, i, ")"))
                i = w->word[i].partner;
        }
    }
    return false;
}

bool functions_are_repeated(const struct functions *all, const struct words *w,
                            const struct function *function) {
    for (size_t i = 0; i < all->count; i++) {
        unsigned calls = 0;
        for (uint32_t at = all->function[i].body.from; at < all->function[i].body.to; at++)
            if (is_named(w, at) && w->word[at].name == w->word[function->name].name &&
                (is(w, at + 1, "(") || is(w, at + 1, "<")))
                calls += is_in_loop(w, at) ? 2 : 1;
        if (calls > 1)
            return true;
    }
    return false;
}

void functions_release(struct functions *all) {
    free(all->function);
    free(all->first);
}
