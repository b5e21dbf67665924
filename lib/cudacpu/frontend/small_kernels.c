#include "cudacpu/frontend/small_kernels.h"

#include "cudacpu/frontend/lockstep/device_functions.h"
#include "cudacpu/frontend/preprocessed.h"

#include <string.h>

#define WORDS_MOST 120

static bool is_one_of(const struct words *w, uint32_t at, const char *const *texts) {
    for (; *texts; texts++)
        if (words_is(w, at, *texts))
            return true;
    return false;
}

/* The bracket at `at` holds what a cast converts: static_cast<type>(...), as threadIdx is. */
static bool is_of_cast(const struct words *w, uint32_t at) {
    static const char *const casts[] = {"static_cast", "reinterpret_cast", "const_cast", NULL};
    int depth = 0;
    for (uint32_t i = at; i-- > 0 && !words_is(w, i, ";");) {
        depth += words_is(w, i, ">") - words_is(w, i, "<");
        if (depth == 0)
            return i > 0 && is_one_of(w, i - 1, casts);
    }
    return false;
}

static bool is_small(const struct words *w, const struct function *f) {
    static const char *const repeats[] = {"for", "while", "do", "goto", NULL};
    static const char *const no_functions[] = {"if", "return", "sizeof", NULL};
    if (!f->is_kernel || f->is_elsewhere || f->body.to - f->body.from > WORDS_MOST)
        return false;
    for (uint32_t at = f->body.from; at < f->body.to; at++) {
        if (is_one_of(w, at, repeats))
            return false;
        if (words_is(w, at, "(") &&
            ((w->word[at - 1].kind == WORD_NAME && !is_one_of(w, at - 1, no_functions)) ||
             (words_is(w, at - 1, ">") && !is_of_cast(w, at))))
            return false;
    }
    return true;
}

void small_kernels_find(struct text *names, const char *source, size_t length,
                        char *const *skipped) {
    struct words words;
    if (words_read(&words, source, length, skipped)) {
        struct functions all;
        functions_find(&all, &words, false);
        for (size_t i = 0; i < all.count; i++)
            if (is_small(&words, &all.function[i])) {
                const struct word *name = &words.word[all.function[i].name];
                text_append_format(names, "%.*s\n", (int)name->length, name->at);
            }
        functions_release(&all);
    }
    words_free(&words);
}

static bool has(const struct text *names, const struct text *kernel) {
    size_t end = strcspn(kernel->data, "<"), from;
    while (end > 0 && kernel->data[end - 1] == ' ')
        end--;
    for (from = end; from > 0 && !strchr(": ", kernel->data[from - 1]);)
        from--;
    for (const char *at = names->data; *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == end - from && strncmp(at, kernel->data + from, end - from) == 0)
            return true;
    return false;
}

void small_kernels_begin_launch(const struct text *names, struct text *out,
                                const struct text *kernel) {
    const bool is_small = has(names, kernel);
    text_append(out, "::shflviz::launcher(");
    text_append(out, is_small ? "::shflviz::small_kernel{\"" : "\"");
    append_quoted(out, kernel->data, kernel->length);
    text_append(out, is_small ? "\"}" : "\"");
}
