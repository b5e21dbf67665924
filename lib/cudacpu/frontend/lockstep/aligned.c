#include "cudacpu/frontend/lockstep/aligned.h"

#include "base/memory.h"
#include "cudacpu/frontend/words.h"

#include <stdlib.h>
#include <string.h>

#define WRAP  "shflviz::aligned("
#define CLASS "shflviz::aligned_pointer<"

/* `removed` bytes at `at` become `inserted`. */
struct edit {
    const char *at;
    size_t removed, number;
    const char *inserted;
};

struct rewriting {
    struct words words;
    bool *is_pointer; /* by the number of a name */
    bool *is_aligned; /* likewise: a struct that says how it is aligned */
    struct edit *edit;
    size_t count, room;
};

static bool is(const struct rewriting *r, uint32_t at, const char *text) {
    return words_is(&r->words, at, text);
}

static const struct word *word(const struct rewriting *r, uint32_t at) {
    return &r->words.word[at];
}

static bool is_named(const struct rewriting *r, uint32_t at) {
    return at < r->words.count && word(r, at)->kind == WORD_NAME;
}

static bool is_one_of(const struct rewriting *r, uint32_t at, const char *signs) {
    return at < r->words.count && word(r, at)->kind == WORD_SIGN && word(r, at)->length == 1 &&
           strchr(signs, *word(r, at)->at);
}

/* ---- names ---- */

static bool is_vector(const struct word *word) {
    static const char *const of[] = {"char", "uchar", "short", "ushort",   "int",       "uint",
                                     "long", "ulong", "float", "longlong", "ulonglong", "double"};
    static const char *const others[] = {"half2", "__half2", "__nv_bfloat162", "nv_bfloat162"};
    const char last = word->at[word->length - 1];
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        if (word->length == strlen(of[i]) + 1 && (last == '2' || last == '4') &&
            memcmp(word->at, of[i], word->length - 1) == 0)
            return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (word->length == strlen(others[i]) && memcmp(word->at, others[i], word->length) == 0)
            return true;
    return false;
}

/* Whether a type that ends in * stands between the words. */
static bool is_pointer_type(const struct rewriting *r, uint32_t from, uint32_t to) {
    if (to < from + 2 || !is(r, to - 1, "*") || !is_named(r, from))
        return false;
    for (uint32_t i = from; i + 1 < to; i++)
        if (!is_named(r, i) && !is(r, i, "::") && !is_one_of(r, i, "<>*") &&
            word(r, i)->kind != WORD_OTHER)
            return false;
    return true;
}

/* (T *), or reinterpret_cast<T *>( */
static bool is_cast(const struct rewriting *r, uint32_t at) {
    if (is(r, at, "("))
        return is_pointer_type(r, at + 1, word(r, at)->partner);
    if (!is(r, at, "reinterpret_cast") || !is(r, at + 1, "<"))
        return false;
    uint32_t end = at + 2;
    while (end < r->words.count && !is(r, end, ">") && !is(r, end, ";"))
        end++;
    return is(r, end, ">") && is(r, end - 1, "*") && is(r, end + 1, "(");
}

/* The bracket that ends reinterpret_cast<T *>(...) at `at`. */
static uint32_t cast_end(const struct rewriting *r, uint32_t at) {
    while (!is(r, at, "("))
        at++;
    return word(r, at)->partner;
}

static void find_aligned(struct rewriting *r) {
    for (uint32_t at = 0; at < r->words.count; at++) {
        if (!is(r, at, "struct") && !is(r, at, "union") && !is(r, at, "class"))
            continue;
        uint32_t end = at + 1, name = WORDS_NONE;
        bool says = false;
        for (; end < r->words.count && !is_one_of(r, end, "{;=):"); end++) {
            says = says || is(r, end, "alignas") || is(r, end, "__attribute__");
            if (is(r, end, "("))
                end = word(r, end)->partner;
            else if (is_named(r, end) && !is(r, end + 1, "(") && !is(r, end, "final"))
                name = word(r, end)->name;
        }
        if (says && name != WORDS_NONE && is_one_of(r, end, "{:"))
            r->is_aligned[name] = true;
    }
}

static void find_pointers(struct rewriting *r) {
    for (uint32_t at = 1; at < r->words.count; at++) {
        if (!is_named(r, at))
            continue;
        uint32_t before = at - 1;
        while (is(r, before, "__restrict__") || is(r, before, "__restrict") ||
               is(r, before, "const"))
            before--;
        const uint32_t type = is(r, before - 1, "const") ? before - 2 : before - 1;
        const bool is_cast_to = is(r, at + 1, "=") && is_cast(r, at + 2) &&
                                (is(r, before, "*") || is(r, before, "auto"));
        if (is_cast_to || (is(r, before, "*") && is_named(r, type) &&
                           (is_vector(word(r, type)) || r->is_aligned[word(r, type)->name])))
            r->is_pointer[word(r, at)->name] = true;
    }
}

/* ---- changes ---- */

static void change(struct rewriting *r, const char *at, size_t removed, const char *inserted) {
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->edit = memory_grow(r->edit, r->room, sizeof *r->edit);
    }
    r->edit[r->count] = (struct edit){at, removed, r->count, inserted};
    r->count++;
}

/* Around the words from..to, which are an expression. */
static void wrap(struct rewriting *r, uint32_t from, uint32_t to) {
    change(r, word(r, from)->at, 0, WRAP);
    change(r, word(r, to)->at + word(r, to)->length, 0, ")");
}

/* The * at `at` follows a pointer: it is no product and no declaration's. */
static bool is_follower(const struct rewriting *r, uint32_t at) {
    if (!is(r, at, "*") || at == 0)
        return false;
    if (is(r, at - 1, ",")) /* of arguments */
        return word(r, at)->inside != WORDS_NONE && is(r, word(r, at)->inside, "(");
    return is_one_of(r, at - 1, "()=;{}[+-/%<&|^!?:") || is(r, at - 1, "return") ||
           is(r, at - 1, "else");
}

/* Behind p[i] at `at` stands what is done to a member of it. */
static bool takes_member(const struct rewriting *r, uint32_t bracket) {
    const uint32_t behind = word(r, bracket)->partner + 1;
    return is(r, behind, ".") || is(r, behind, "->");
}

/* The bracket at `at` is that of a call, sizeof and the like. */
static bool is_call(const struct rewriting *r, uint32_t at) {
    return is_named(r, at - 1) && !is(r, at - 1, "return") && !is(r, at - 1, "else") &&
           !is(r, at - 1, "do") && !is(r, at - 1, "case");
}

/* *(T *)x */
static void take_cast(struct rewriting *r, uint32_t at) {
    const uint32_t close = word(r, at + 1)->partner, around = word(r, at)->inside;
    const bool is_operand =
        is_named(r, close + 1) || is_one_of(r, close + 1, "(&") || is(r, close + 1, "::");
    if (!is_operand ||
        (is(r, at - 1, "(") && around == at - 1 && !is_call(r, around) && takes_member(r, around)))
        return;
    change(r, word(r, at + 2)->at, 0, CLASS);
    change(r, word(r, close - 1)->at, 1, ">");
}

/* The beginning of a.b->name at `at`, which may have indices. */
static uint32_t chain_begin(const struct rewriting *r, uint32_t at) {
    while (at >= 2 && (is(r, at - 1, ".") || is(r, at - 1, "->"))) {
        at -= 2;
        while (at > 0 && (is(r, at, "]") || is(r, at, ")")))
            at = word(r, at)->partner - (is(r, at, "]") || is_named(r, word(r, at)->partner - 1));
    }
    return at;
}

/* A name of a pointer at `at`: p[i], or *p. */
static void take_name(struct rewriting *r, uint32_t at) {
    const uint32_t from = chain_begin(r, at);
    if (is(r, at + 1, "[") && !takes_member(r, at + 1)) {
        const bool begins = is_one_of(r, from - 1, "(=;{}[+-/%<|^!?:)") ||
                            is(r, from - 1, "return") ||
                            (is(r, from - 1, ",") && word(r, from)->inside != WORDS_NONE &&
                             is(r, word(r, from)->inside, "("));
        if (begins)
            wrap(r, from, at);
    } else if (is_follower(r, from - 1) && !is_one_of(r, at + 1, "[(.+-") && !is(r, at + 1, "->") &&
               !is(r, at + 1, "::") && !(is(r, at + 1, ")") && is(r, at + 2, "("))) {
        wrap(r, from, at);
    }
}

/* In the brackets at `at`, which are no call's: (T *)x, or p + i. */
static bool holds_address(const struct rewriting *r, uint32_t at) {
    if (!is(r, at, "(") || is_call(r, at) || is_one_of(r, at - 1, ")]>"))
        return false;
    return is_cast(r, at + 1) || (is_named(r, at + 1) && r->is_pointer[word(r, at + 1)->name] &&
                                  is_one_of(r, at + 2, "+-"));
}

/* The expression that begins at `from` and ends with the bracket `close` is followed: *e, or e[i].
 */
static bool is_followed(const struct rewriting *r, uint32_t from, uint32_t close) {
    return is_follower(r, from - 1) || (is(r, close + 1, "[") && !takes_member(r, close + 1));
}

static void take_word(struct rewriting *r, uint32_t at) {
    if (is_follower(r, at) && is(r, at + 1, "(") && is_cast(r, at + 1)) {
        take_cast(r, at);
    } else if (holds_address(r, at)) {
        const uint32_t close = word(r, at)->partner;
        if (is_followed(r, at, close))
            wrap(r, at + 1, close - 1);
    } else if (is(r, at, "reinterpret_cast") && is_cast(r, at)) {
        const uint32_t close = cast_end(r, at);
        if (is_followed(r, at, close))
            wrap(r, at, close);
    } else if (is_named(r, at) && r->is_pointer[word(r, at)->name] && !is(r, at - 1, "::")) {
        take_name(r, at);
    }
}

/* ---- the whole ---- */

static int compare(const void *x, const void *y) {
    const struct edit *a = x, *b = y;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    const bool a_ends = *a->inserted == ')', b_ends = *b->inserted == ')';
    if (a_ends != b_ends)
        return a_ends ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void apply(struct rewriting *r, struct text *text) {
    struct text changed = TEXT_INIT;
    const char *from = text->data;
    qsort(r->edit, r->count, sizeof *r->edit, compare);
    for (size_t i = 0; i < r->count; i++) {
        text_append_bytes(&changed, from, (size_t)(r->edit[i].at - from));
        text_append(&changed, r->edit[i].inserted);
        from = r->edit[i].at + r->edit[i].removed;
    }
    text_append_bytes(&changed, from, (size_t)(text->data + text->length - from));
    text_release(text);
    *text = changed;
}

bool aligned_accesses(struct text *text, char *const *skipped) {
    struct rewriting r = {0};
    if (words_read(&r.words, text->data, text->length, skipped)) {
        r.is_pointer = memory_zeroed(r.words.names + 1, sizeof *r.is_pointer);
        r.is_aligned = memory_zeroed(r.words.names + 1, sizeof *r.is_aligned);
        find_aligned(&r);
        find_pointers(&r);
        for (uint32_t at = 1; at < r.words.count; at++)
            take_word(&r, at);
    }
    const bool changes = r.count > 0;
    if (changes)
        apply(&r, text);
    free(r.is_pointer);
    free(r.is_aligned);
    free(r.edit);
    words_free(&r.words);
    return changes;
}
