#include "cudacpu/frontend/lockstep/in_step.h"

#include "base/memory.h"
#include "cudacpu/frontend/lockstep/device_functions.h"
#include "cudacpu/frontend/lockstep/same_array.h"
#include "cudacpu/frontend/words.h"

#include <stdlib.h>
#include <string.h>

#define LOOPS_TWICE     4 /* of loops in each other, so many are gone through twice */
#define CONDITIONS_MOST 32
#define DEPTH_MOST      200 /* of statements in each other */
#define NO_ROOT         0
#define DYNAMIC_ROOT    1                /* all extern __shared__ is one area */
#define MEMBER_ROOT     (UINT32_MAX / 2) /* plus a name: all members of that name are one array */

/* Since the last barrier. */
struct touch {
    uint32_t root;
    struct part key;
    uint32_t statement;
    uint32_t condition; /* the == that it stands under, the innermost; WORDS_NONE */
    bool writes;
    bool is_before; /* when the function was called before: only the block's barriers count */
};

struct look {
    struct words words;
    uint32_t *root; /* by the number of a name: the array that it is or points into */
    uint32_t *file_root, file_roots; /* outside of functions: root, roots */
    uint8_t *pointer; /* likewise: it is a pointer or an array, not a plain variable */
    uint32_t *equal;  /* likewise: the number plus one of a name that has the same value; 0 */
    struct same_array same;
    bool all_same; /* all pointers that a kernel is given are taken for one */
    struct functions functions;
    const struct function *in;
    bool global;    /* what is looked for lies in global memory, else in shared memory */
    uint32_t roots; /* given so far */
    struct touch *touch;
    size_t touch_count, touch_room;
    struct part condition[CONDITIONS_MOST]; /* those of the ifs around */
    unsigned conditions, loops, depth;
    uint32_t statement;
    bool again;      /* the function is gone through a second time */
    bool leans;      /* the function does */
    bool has_spread; /* a function has been found to get shared memory */
};

static bool is(const struct look *l, uint32_t at, const char *text) {
    return words_is(&l->words, at, text);
}

static const struct word *word(const struct look *l, uint32_t at) {
    return &l->words.word[at];
}

static bool is_named(const struct look *l, uint32_t at) {
    return at < l->words.count && word(l, at)->kind == WORD_NAME;
}

/* Two signs without a blank between: "+=", "==". */
static bool is_pair(const struct look *l, uint32_t at, const char *a, const char *b) {
    return is(l, at, a) && is(l, at + 1, b) && word(l, at)->at + 1 == word(l, at + 1)->at;
}

/* ---- barriers ---- */

static bool begins(const struct word *word, const char *text) {
    const size_t length = strlen(text);
    return word->length >= length && memcmp(word->at, text, length) == 0;
}

/* What the recorder's macro of a warp operation or a barrier becomes: NAME((__extension__({ static
 * const struct shflviz_site ... */
static bool is_recorded(const struct look *l, uint32_t at) {
    return is(l, at + 3, "__extension__") && is(l, at + 9, "shflviz_site") &&
           !is(l, at, "activemask") && !is(l, at, "watch");
}

/* A call behind which all lanes of the warp have come there. */
static bool is_barrier(const struct look *l, uint32_t at) {
    static const char *const begin[] = {"__sync", "__shfl",  "__ballot", "__any",
                                        "__all",  "__match", "__reduce"};
    static const char *const names[] = {"sync", "wait", "arrive_and_wait", "barrier_sync",
                                        "wait_prior"};
    if (!is_named(l, at) || !is(l, at + 1, "("))
        return false;
    if (is_recorded(l, at))
        return true;
    for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
        if (begins(word(l, at), begin[i]))
            return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is(l, at, names[i]))
            return true;
    const struct function *f = function_called(&l->functions, &l->words, at);
    return f && f->has_barrier;
}

/* ... and all of the block. */
static bool is_block_barrier(const struct look *l, uint32_t at) {
    const struct function *f = function_called(&l->functions, &l->words, at);
    return is(l, at, "cpu_block_barrier") || begins(word(l, at), "__syncthreads") ||
           is(l, at, "sync") || (f && f->has_block_barrier);
}

static void find_barriers(struct look *l) {
    for (size_t i = 0; i < l->functions.count; i++) {
        struct function *f = &l->functions.function[i];
        for (uint32_t at = f->body.from; at < f->body.to && !f->has_block_barrier; at++) {
            const bool is_call = is_barrier(l, at);
            f->has_barrier = f->has_barrier || is_call || is(l, at, "asm") || is(l, at, "__asm__");
            f->has_block_barrier = is_call && is_block_barrier(l, at);
        }
    }
}

/* ---- arrays, and what points into them ---- */

static void make_root(struct look *l, uint32_t name, uint32_t root, bool is_pointer) {
    l->root[word(l, name)->name] = root;
    l->pointer[word(l, name)->name] = is_pointer;
}

/* At `at` is a member that is a pointer, of whatever struct, and is followed. */
static bool follows_member(const struct look *l, uint32_t at) {
    const bool is_bare = !is(l, at - 1, ".") && !is(l, at - 1, "->");
    return is_named(l, at) && l->same.member[word(l, at)->name] && is(l, at + 1, "[") &&
           (!is_bare || (l->in->is_member && !l->root[word(l, at)->name]));
}

static uint32_t root_of(const struct look *l, uint32_t at) {
    if (!is_named(l, at) || is(l, at - 1, "::"))
        return NO_ROOT;
    if (l->global && follows_member(l, at))
        return MEMBER_ROOT + word(l, at)->name;
    return is(l, at - 1, ".") || is(l, at - 1, "->") ? NO_ROOT : l->root[word(l, at)->name];
}

/* The declaration with __shared__ at `at`; returns its semicolon. */
static uint32_t declare_shared(struct look *l, uint32_t at) {
    const bool is_extern =
        is(l, at - 1, "extern") || is(l, at + 1, "extern") || (at >= 2 && is(l, at - 2, "extern"));
    const uint32_t inside = word(l, at)->inside;
    uint32_t i = at + 1;
    for (; i < l->words.count && !is(l, i, ";"); i++) {
        /* No "=": a value to begin with is refused, by nvcc and by refused.c. */
        const bool ends = is(l, i + 1, "[") || is(l, i + 1, ";") || is(l, i + 1, ",");
        if (is_named(l, i) && ends && word(l, i)->inside == inside && !l->again)
            make_root(l, i, is_extern ? DYNAMIC_ROOT : ++l->roots, is(l, i + 1, "["));
    }
    return i;
}

/* The root that the expression's address is of: NO_ROOT if it is a value, or none. */
static uint32_t address_of(const struct look *l, uint32_t from, bool takes_value) {
    for (uint32_t i = from; i < l->words.count; i++) {
        if (is(l, i, ";") || (is(l, i, ",") && word(l, i)->inside == word(l, from)->inside))
            break;
        const uint32_t root = root_of(l, i);
        const bool is_address =
            is(l, i - 1, "&") || (l->pointer[root ? word(l, i)->name : 0] && !is(l, i + 1, "["));
        if (root && (is_address || takes_value))
            return root;
    }
    return NO_ROOT;
}

/* `T *name = ...`, `T &name = ...`, `auto name = ...`, `name = ...` of a pointer. */
static void declare_alias(struct look *l, uint32_t at) {
    if (!is_named(l, at) || !is(l, at + 1, "=") || is_pair(l, at + 1, "=", "=") ||
        is(l, at - 1, ".") || is(l, at - 1, "->"))
        return;
    const bool refers = is(l, at - 1, "&");
    const bool points = is(l, at - 1, "*") || is(l, at - 1, "__restrict__") ||
                        is(l, at - 1, "const") || is(l, at - 1, "auto") ||
                        (is(l, at - 1, ",") && !root_of(l, at));
    const bool is_pointer = root_of(l, at) && l->pointer[word(l, at)->name] &&
                            (is(l, at - 1, ";") || is(l, at - 1, "{") || is(l, at - 1, "}"));
    if (!refers && !points && !is_pointer)
        return;
    const uint32_t root = address_of(l, at + 2, refers);
    if (root)
        make_root(l, at, root, !refers);
}

/* ---- accesses ---- */

static bool same_words(const struct look *l, struct part a, struct part b) {
    return a.to - a.from == b.to - b.from && words_equal(&l->words, a.from, b.from, a.to - a.from);
}

/* `a` is s[I], `b` is s[I + X]: lanes that go one after the other read what was there before. */
static bool is_ahead(const struct look *l, struct part a, struct part b) {
    const uint32_t length = a.to - a.from - 1; /* without the bracket */
    return b.to - b.from > length + 1 && is(l, b.from + length, "+") &&
           same_words(l, (struct part){a.from, a.from + length},
                      (struct part){b.from, b.from + length});
}

/* s[K] under `... == K` or `!...`: the lane's own element, whatever it calls that elsewhere. */
static bool is_own(const struct look *l, struct part key) {
    if (key.to - key.from != 4 || !is(l, key.from + 1, "["))
        return false;
    const struct part index = {key.from + 2, key.from + 3};
    for (unsigned i = 0; i < l->conditions; i++)
        for (uint32_t at = l->condition[i].from; at + 1 < l->condition[i].to; at++)
            if ((is_pair(l, at, "=", "=") && same_words(l, index, (struct part){at + 2, at + 3})) ||
                (is(l, at, "!") && is_named(l, at + 1) && is(l, index.from, "0")))
                return true;
    return false;
}

/* Both lie in one object, or array, and are different members or elements of it, as x.a and x.b, or
 * x[0] and x[1]. */
static bool are_apart(const struct look *l, struct part a, struct part b) {
    uint32_t i = 0;
    while (i < a.to - a.from && i < b.to - b.from &&
           same_words(l, (struct part){a.from + i, a.from + i + 1},
                      (struct part){b.from + i, b.from + i + 1}))
        i++;
    const uint32_t joint = a.from + i - 1; /* within an index it says nothing: x[y[0]], x[y[1]] */
    if (i == 0 || i == a.to - a.from || i == b.to - b.from ||
        word(l, joint)->inside != word(l, a.from)->inside)
        return false;
    if (is(l, joint, ".") || is(l, joint, "->"))
        return true;
    return is(l, joint, "[") && word(l, a.from + i)->kind == WORD_OTHER &&
           word(l, b.from + i)->kind == WORD_OTHER && is(l, a.from + i + 1, "]") &&
           is(l, b.from + i + 1, "]");
}

static bool is_in_force(const struct look *l, uint32_t condition) {
    for (unsigned i = 0; i < l->conditions; i++)
        if (l->condition[i].from == condition)
            return true;
    return condition == WORDS_NONE;
}

/* The same words, or of two pointers that are equal. */
static bool same_key(const struct look *l, struct part a, struct part b) {
    if (same_words(l, a, b))
        return true;
    const uint32_t x = is_named(l, a.from) ? l->equal[word(l, a.from)->name] : 0;
    const uint32_t y = is_named(l, b.from) ? l->equal[word(l, b.from)->name] : 0;
    return x && x == y &&
           same_words(l, (struct part){a.from + 1, a.to}, (struct part){b.from + 1, b.to});
}

/* Whether lanes that go on one after the other may find something else than lanes in step. */
static bool conflict(const struct look *l, const struct touch *a, const struct touch *b) {
    if (a->root != b->root || a->writes == b->writes || are_apart(l, a->key, b->key))
        return false;
    if (same_key(l, a->key, b->key)) /* one lane has written, others read */
        return a->writes && !is_in_force(l, a->condition);
    const struct touch *write = a->writes ? a : b, *read = a->writes ? b : a;
    if (is_own(l, b->key))
        return false;
    return !(a->statement == b->statement && is_ahead(l, write->key, read->key));
}

static uint32_t innermost_equal(const struct look *l) {
    for (unsigned i = l->conditions; i-- > 0;)
        for (uint32_t at = l->condition[i].from; at < l->condition[i].to; at++)
            if (is_pair(l, at, "=", "="))
                return l->condition[i].from;
    return WORDS_NONE;
}

static void touch(struct look *l, uint32_t root, struct part key, bool writes) {
    const struct touch made = {root, key, l->statement, innermost_equal(l), writes, false};
    for (size_t i = 0; i < l->touch_count && !l->leans; i++)
        l->leans = conflict(l, &l->touch[i], &made);
    if (l->leans)
        return;
    if (l->touch_count == l->touch_room) {
        l->touch_room = l->touch_room ? 2 * l->touch_room : 64;
        l->touch = memory_grow(l->touch, l->touch_room, sizeof *l->touch);
    }
    l->touch[l->touch_count++] = made;
}

/* Behind a barrier. */
static void forget_touches(struct look *l, bool is_block) {
    size_t kept = 0;
    for (size_t i = 0; i < l->touch_count && !is_block; i++)
        if (l->touch[i].is_before)
            l->touch[kept++] = l->touch[i];
    l->touch_count = kept;
}

/* Behind name[..].member[..]. */
static uint32_t chain_end(const struct look *l, uint32_t at) {
    for (at++; at < l->words.count;)
        if (is(l, at, "["))
            at = word(l, at)->partner + 1;
        else if ((is(l, at, ".") || is(l, at, "->")) && is_named(l, at + 1))
            at += 2;
        else
            break;
    return at;
}

/* What is done to what ends before `at` and begins at `from`. */
static void read_or_write(const struct look *l, uint32_t from, uint32_t at, bool *reads,
                          bool *writes) {
    const bool assigns = is(l, at, "=") && !is_pair(l, at, "=", "=");
    bool changes =
        is_pair(l, at, "+", "+") || is_pair(l, at, "-", "-") ||
        (from >= 2 && (is_pair(l, from - 2, "+", "+") || is_pair(l, from - 2, "-", "-")));
    for (const char *sign = "+-*/%&|^"; *sign && !changes; sign++)
        changes = is_pair(l, at, (char[2]){*sign, '\0'}, "=");
    changes = changes || (is_pair(l, at, "<", "<") && is(l, at + 2, "=")) ||
              (is_pair(l, at, ">", ">") && is(l, at + 2, "="));
    *writes = assigns || changes;
    *reads = !assigns;
}

/* The function whose arguments the word is among; NULL: none of the file's. */
static struct function *callee_around(const struct look *l, uint32_t at) {
    const uint32_t open = word(l, at)->inside;
    return open != WORDS_NONE && open > 0 && is(l, open, "(") && is_named(l, open - 1)
               ? function_called(&l->functions, &l->words, open - 1)
               : NULL;
}

/* Whether the function may write to what the argument at `at` points to. */
static bool may_write(const struct look *l, const struct function *f, uint32_t at) {
    uint32_t number = 0, parameter = f->parameters.from;
    for (uint32_t i = at; i > word(l, at)->inside; i--)
        number += is(l, i, ",") && word(l, i)->inside == word(l, at)->inside;
    for (; number && parameter < f->parameters.to; parameter++)
        number -= is(l, parameter, ",") &&
                  word(l, parameter)->inside == word(l, f->parameters.from)->inside;
    for (; parameter < f->parameters.to && !is(l, parameter, ","); parameter++)
        if (is(l, parameter, "const"))
            return false;
    return true;
}

/* The address goes to a function: it may read and write anything there. */
static void pass_on(struct look *l, uint32_t at, uint32_t root) {
    struct function *f = callee_around(l, at);
    if (!f || f == l->in)
        return;
    l->has_spread = l->has_spread || !f->is_given;
    f->is_given = true;
    if (f->has_barrier)
        return; /* of one in another file nobody knows */
    touch(l, root, (struct part){at, at + 1}, false);
    if (may_write(l, f, at))
        touch(l, root, (struct part){at, at + 1}, true);
}

/* The function at `at` is called, which accesses members on its own. */
static void take_effects(struct look *l, uint32_t at) {
    const struct function *f =
        is(l, at + 1, "(") ? function_called(&l->functions, &l->words, at) : NULL;
    if (!f || f == l->in || f->has_barrier)
        return;
    const struct part key = {at, word(l, at + 1)->partner + 1};
    for (unsigned i = 0; i < f->effects; i++)
        touch(l, MEMBER_ROOT + f->effect[i].name, key, f->effect[i].writes);
}

static uint32_t take_access(struct look *l, uint32_t at, uint32_t root) {
    const uint32_t end = chain_end(l, at);
    const bool follows = is(l, at - 1, "*") && l->pointer[word(l, at)->name] && end == at + 1 &&
                         !is_named(l, at - 2) && !is(l, at - 2, ")") && !is(l, at - 2, "]");
    const bool has_address = is(l, at - 1, "&") && !is_named(l, at - 2) && !is(l, at - 2, ")") &&
                             !is(l, at - 2, "]") && !is(l, at - 2, "&");
    bool reads, writes;
    if (has_address || (l->pointer[word(l, at)->name] && end == at + 1 && !follows)) {
        pass_on(l, at, root);
        return at + 1;
    }
    read_or_write(l, at - follows, end, &reads, &writes);
    if (reads)
        touch(l, root, (struct part){at - follows, end}, false);
    if (writes)
        touch(l, root, (struct part){at - follows, end}, true);
    return at + 1; /* the index may have accesses of its own */
}

/* ---- statements ---- */

static uint32_t scan_statement(struct look *l, uint32_t at, uint32_t to);

static void scan(struct look *l, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to && !l->leans;)
        at = scan_statement(l, at, to);
}

/* Behind the expression or declaration at `at`, with its semicolon. */
static uint32_t scan_expression(struct look *l, uint32_t at, uint32_t to) {
    for (; at < to && !l->leans; at++) {
        const uint32_t root = root_of(l, at);
        if (is(l, at, ";")) {
            l->statement++;
            return at + 1;
        }
        if (is(l, at, "{")) { /* a lambda's, or values */
            scan(l, at + 1, word(l, at)->partner);
            at = word(l, at)->partner;
            continue;
        }
        if (is(l, at, "__shared__") && !l->global)
            at = declare_shared(l, at) - 1;
        else if (is_barrier(l, at))
            forget_touches(l, is_block_barrier(l, at));
        else if (root)
            take_access(l, at, root);
        else if (l->global && is_named(l, at))
            take_effects(l, at);
        declare_alias(l, at);
    }
    return at;
}

static uint32_t scan_if(struct look *l, uint32_t at, uint32_t to) {
    while (at < to && !is(l, at, "("))
        at++;
    if (at >= to)
        return to;
    const uint32_t close = word(l, at)->partner;
    const bool has_room = l->conditions < CONDITIONS_MOST;
    scan_expression(l, at + 1, close);
    l->condition[has_room ? l->conditions : CONDITIONS_MOST - 1] = (struct part){at + 1, close};
    l->conditions += has_room;
    at = scan_statement(l, close + 1, to);
    l->conditions -= has_room;
    return is(l, at, "else") ? scan_statement(l, at + 1, to) : at;
}

static uint32_t scan_loop(struct look *l, uint32_t at, uint32_t to) {
    const bool is_do = is(l, at, "do"), twice = ++l->loops <= LOOPS_TWICE;
    uint32_t behind = to;
    for (int round = 0; round < 1 + twice && !l->leans; round++) {
        uint32_t body = at + 1;
        if (!is_do && is(l, body, "(")) {
            const uint32_t close = word(l, body)->partner;
            for (uint32_t i = body + 1; i < close && !l->leans;)
                i = scan_expression(l, i, close);
            body = close + 1;
        }
        behind = scan_statement(l, body, to);
    }
    l->loops--;
    return behind;
}

static uint32_t scan_statement(struct look *l, uint32_t at, uint32_t to) {
    if (at >= to || l->depth == DEPTH_MOST)
        return to;
    l->depth++;
    uint32_t behind;
    if (is(l, at, "{")) {
        scan(l, at + 1, word(l, at)->partner);
        behind = word(l, at)->partner + 1;
    } else if (is(l, at, "if")) {
        behind = scan_if(l, at, to);
    } else if (is(l, at, "for") || is(l, at, "while") || is(l, at, "do")) {
        behind = scan_loop(l, at, to);
    } else if (is(l, at, "else")) {
        behind = at + 1;
    } else {
        behind = scan_expression(l, at, to);
    }
    l->depth--;
    return behind;
}

/* ---- functions, one by one ---- */

static void add_effect(struct function *f, uint32_t name, bool writes) {
    for (unsigned i = 0; i < f->effects; i++)
        if (f->effect[i].name == name && f->effect[i].writes == writes)
            return;
    if (f->effects < FUNCTION_EFFECTS)
        f->effect[f->effects++] = (struct effect){name, writes};
}

/* What a function does to members that are pointers, and those that it calls. */
static void find_effects_of(struct look *l, struct function *f) {
    l->in = f;
    for (uint32_t at = f->body.from; at < f->body.to; at++) {
        if (!is_named(l, at))
            continue;
        bool reads, writes;
        const struct function *called =
            is(l, at + 1, "(") ? function_called(&l->functions, &l->words, at) : NULL;
        for (unsigned i = 0; called && called != f && i < called->effects; i++)
            add_effect(f, called->effect[i].name, called->effect[i].writes);
        if (!follows_member(l, at))
            continue;
        read_or_write(l, at, chain_end(l, at), &reads, &writes);
        if (reads)
            add_effect(f, word(l, at)->name, false);
        if (writes)
            add_effect(f, word(l, at)->name, true);
    }
}

static void find_effects(struct look *l) {
    for (int round = 0; round < 3; round++) /* so deep may they call each other */
        for (size_t i = 0; i < l->functions.count; i++)
            if (!l->functions.function[i].is_kernel)
                find_effects_of(l, &l->functions.function[i]);
}

#define PARAMETERS_MOST 64

/* The pointer is one that the kernel is given by another name, too, if a launch shows that. */
static void join_parameter(struct look *l, const struct function *f, const uint32_t *pointers,
                           uint32_t number) {
    const uint32_t kernel = word(l, f->name)->name, name = pointers[number];
    for (uint32_t i = 0; i < number && f->is_kernel && l->global; i++) {
        if (pointers[i] == WORDS_NONE)
            continue;
        const struct same_pair *pair = same_array_of(&l->same, kernel, i, number);
        if (pair || l->all_same)
            l->root[name] = l->root[pointers[i]];
        if (l->all_same || (pair && pair->is_equal))
            l->equal[name] = l->equal[pointers[i]];
        if (pair || l->all_same)
            return;
    }
}

/* Pointers among the parameters of a function that is given such memory. */
static void declare_parameters(struct look *l, const struct function *f) {
    const struct part parameters = f->parameters;
    uint32_t pointers[PARAMETERS_MOST], number = 0; /* their names' numbers */
    memset(pointers, 0xff, sizeof pointers);
    for (uint32_t i = parameters.from; i < parameters.to; i++) {
        const bool ends = is(l, i + 1, ",") || is(l, i + 1, ")") || is(l, i + 1, "[");
        number += is(l, i, ",") && word(l, i)->inside == word(l, parameters.from)->inside;
        for (uint32_t back = i;
             ends && is_named(l, i) && back > parameters.from && !is(l, back, ","); back--)
            if (is(l, back - 1, "*") || is(l, i + 1, "[")) {
                make_root(l, i, ++l->roots, true);
                l->equal[word(l, i)->name] = word(l, i)->name + 1;
                if (number < PARAMETERS_MOST) {
                    pointers[number] = word(l, i)->name;
                    join_parameter(l, f, pointers, number);
                }
                break;
            }
    }
}

/* Arrays and variables of the whole file. */
static void declare_files(struct look *l) {
    for (uint32_t i = 0; i < l->words.count; i++) {
        if (word(l, i)->inside != WORDS_NONE)
            continue;
        if (is(l, i, "__shared__") && !l->global)
            declare_shared(l, i);
        if (!is(l, i, "__device__") || !l->global)
            continue;
        while (i < l->words.count && !is(l, i, ";") && !is(l, i, "(") && !is(l, i, "{") &&
               !is(l, i, "=") && !is(l, i + 1, "["))
            i++;
        if (is_named(l, i) && is(l, i + 1, "["))
            make_root(l, i, ++l->roots, true);
    }
}

static void look_at(struct look *l, struct function *f) {
    l->in = f;
    memcpy(l->root, l->file_root, l->words.names * sizeof *l->root);
    memset(l->equal, 0, l->words.names * sizeof *l->equal);
    l->roots = l->file_roots;
    if (l->global ? f->is_kernel || f->is_given : f->is_given && !f->is_kernel)
        declare_parameters(l, f);
    l->touch_count = l->statement = l->conditions = l->loops = l->depth = 0;
    l->leans = l->again = false;
    scan(l, f->body.from, f->body.to);
    l->again = !l->global && !f->is_kernel && functions_are_repeated(&l->functions, &l->words, f);
    for (size_t i = 0; i < l->touch_count && l->again; i++)
        l->touch[i].is_before = true;
    if (l->again)
        scan(l, f->body.from, f->body.to);
    f->leans = f->leans || l->leans;
}

/* Finds all functions that lean on lanes in step at such memory. */
static void look_at_all(struct look *l, bool global) {
    l->global = global;
    for (size_t i = 0; i < l->functions.count; i++) {
        l->functions.function[i].is_given = l->functions.function[i].is_for_all;
        l->functions.function[i].leans = false;
    }
    memset(l->root, 0, l->words.names * sizeof *l->root);
    l->roots = DYNAMIC_ROOT;
    declare_files(l);
    memcpy(l->file_root, l->root, l->words.names * sizeof *l->root);
    l->file_roots = l->roots;
    do {
        l->has_spread = false;
        for (size_t i = 0; i < l->functions.count; i++)
            if (!l->functions.function[i].is_elsewhere &&
                (l->functions.function[i].is_kernel || l->functions.function[i].is_given ||
                 !global)) /* shared memory of its own, or of the file */
                look_at(l, &l->functions.function[i]);
    } while (l->has_spread);
}

static bool any_leans(const struct look *l, bool kernels) {
    for (size_t i = 0; i < l->functions.count; i++)
        if (l->functions.function[i].leans && l->functions.function[i].is_kernel == kernels)
            return true;
    return false;
}

/* Of a kernel that does not lean on it: whether it would if it were given one pointer twice. */
static bool leans_if_same(struct look *l, struct function *f) {
    l->all_same = true;
    look_at(l, f);
    const bool leans = f->leans;
    l->all_same = f->leans = false;
    return leans;
}

static void append_names(struct look *l, struct in_step_names *names) {
    const bool helper = any_leans(l, false); /* whoever calls it */
    for (size_t i = 0; i < l->functions.count; i++) {
        struct function *f = &l->functions.function[i];
        const struct word *name = word(l, f->name);
        names->in_function = names->in_function || (f->is_for_all && f->leans);
        if (f->is_kernel)
            text_append_format(f->leans || helper ? &names->leaning : &names->others, "%.*s\n",
                               (int)name->length, name->at);
        if (l->global && f->is_kernel && !f->leans && !helper && leans_if_same(l, f))
            text_append_format(&names->if_same, "%.*s\n", (int)name->length, name->at);
    }
}

/* Whether a function of the file may get such memory from a kernel of another file. */
static bool any_for_all(const struct look *l) {
    for (size_t i = 0; i < l->functions.count; i++)
        for (uint32_t at = l->functions.function[i].parameters.from;
             l->functions.function[i].is_for_all && at < l->functions.function[i].parameters.to;
             at++)
            if (is(l, at, "*") || is(l, at, "["))
                return true;
    return false;
}

bool in_step_kernels(const char *source, size_t length, char *const *skipped, bool is_part,
                     struct in_step_names names[IN_STEP_MEMORIES]) {
    struct look l = {0};
    bool leans = false;
    if (words_read(&l.words, source, length, skipped)) {
        l.root = memory_zeroed(l.words.names + 1, sizeof *l.root);
        l.file_root = memory_zeroed(l.words.names + 1, sizeof *l.file_root);
        l.pointer = memory_zeroed(l.words.names + 1, sizeof *l.pointer);
        l.equal = memory_zeroed(l.words.names + 1, sizeof *l.equal);
        same_array_find(&l.same, &l.words);
        functions_find(&l.functions, &l.words, is_part);
        for (size_t i = 0; i < l.functions.count; i++)
            l.functions.function[i].is_member =
                same_array_is_member(&l.words, l.functions.function[i].name);
        find_barriers(&l);
        find_effects(&l);
        leans = any_for_all(&l);
        for (int memory = 0; memory < IN_STEP_MEMORIES; memory++) {
            if (memory == IN_STEP_GLOBAL || strstr(source, "__shared__"))
                look_at_all(&l, memory == IN_STEP_GLOBAL);
            append_names(&l, &names[memory]);
            leans = leans || any_leans(&l, true) || any_leans(&l, false);
        }
    }
    same_array_release(&l.same);
    free(l.root);
    free(l.file_root);
    free(l.pointer);
    free(l.equal);
    functions_release(&l.functions);
    free(l.touch);
    words_free(&l.words);
    return leans;
}

void in_step_names_release(struct in_step_names names[IN_STEP_MEMORIES]) {
    for (int memory = 0; memory < IN_STEP_MEMORIES; memory++) {
        text_release(&names[memory].leaning);
        text_release(&names[memory].others);
        text_release(&names[memory].if_same);
    }
}
