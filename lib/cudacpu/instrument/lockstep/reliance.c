/*
 * A data flow analysis over the blocks of a function: the state is the set of accesses since the
 * lanes last met, and a conflict is a pair of accesses of different lanes to what may be one
 * address.
 */
#include "cudacpu/instrument/lockstep/reliance.h"

#include <stdlib.h>
#include <string.h>

struct look {
    const struct touches *t;
    uint64_t same;  /* arrays that are treated as one */
    uint64_t found; /* arrays at which it relies on lanes in step */
};

/* ---- two addresses ---- */

static const struct address_term *find_term(const struct address *address, LLVMValueRef value) {
    for (unsigned i = 0; i < address->terms; i++)
        if (values_equal(address->term[i].value, value))
            return &address->term[i];
    return NULL;
}

/* True if all terms of `a` are also terms of `b`. */
static bool has_terms(const struct address *b, const struct address *a) {
    for (unsigned i = 0; i < a->terms; i++) {
        const struct address_term *found = find_term(b, a->term[i].value);
        if (!found || found->scale != a->term[i].scale)
            return false;
    }
    return true;
}

static bool same_terms(const struct address *a, const struct address *b) {
    return a->terms == b->terms && has_terms(b, a);
}

static long long step_of(const struct address *a, long long step) {
    for (unsigned i = 0; i < a->terms; i++)
        for (long long scale = llabs(a->term[i].scale); scale;) {
            const long long rest = step % scale;
            step = scale;
            scale = rest;
        }
    return step;
}

/* True if they never overlap, whatever the indices, as with x[i].a and x[j].b: all indices are
 * multiples of one step. */
static bool never_overlap(const struct touch *a, const struct touch *b) {
    const long long step = step_of(&b->address, step_of(&a->address, 0));
    long long distance = b->address.offset - a->address.offset;
    if (!a->size || !b->size)
        return false;
    if (step)
        distance = (distance % step + step) % step;
    return step ? distance >= a->size && distance + b->size <= step
                : distance >= a->size || distance + b->size <= 0;
}

/* True if both are in the same lane's element, like x[i] and x[i].a, so that neither can be another
 * lane's. */
static bool same_element(const struct touch *a, const struct touch *b) {
    const long long step = step_of(&a->address, 0), first = a->address.offset;
    const long long second = b->address.offset;
    if (!same_terms(&a->address, &b->address))
        return false;
    if (first == second && !a->size && !b->size)
        return true;
    const long long begin = first < second ? first : second;
    const long long end = first + a->size > second + b->size ? first + a->size : second + b->size;
    return a->size && b->size && (step == 0 || end - begin <= step);
}

/* True if a lane reads x[i + n] and then writes x[i]: lanes that run one after the other still read
 * the old value. */
static bool is_ahead(const struct touch *read, const struct touch *write) {
    if (!has_terms(&read->address, &write->address) || !write->address.terms ||
        read->address.offset < write->address.offset)
        return false;
    for (unsigned i = 0; i < read->address.terms; i++) {
        const struct address_term *term = &read->address.term[i];
        if (!find_term(&write->address, term->value) &&
            (term->scale < 0 || !value_is_uniform(term->value)))
            return false;
    }
    return true;
}

/* ---- values known to be equal ---- */

static size_t count_edges(const struct touches *t, LLVMBasicBlockRef to) {
    size_t count = 0;
    for (size_t b = 0; b < t->blocks; b++)
        for (size_t i = 0; i < t->block[b].successors; i++)
            count += t->block[t->block[b].successor[i]].block == to;
    return count;
}

static LLVMValueRef strip_extensions(LLVMValueRef value) {
    while (value_opcode(value) == LLVMZExt || value_opcode(value) == LLVMSExt)
        value = LLVMGetOperand(value, 0);
    return value;
}

/* The comparison for equality that must be true for the block's end to lead to the block of `at`;
 * NULL if there is none. */
static LLVMValueRef equality(const struct touches *t, LLVMBasicBlockRef block,
                             LLVMBasicBlockRef at) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetInstructionOpcode(branch) != LLVMBr || !LLVMIsConditional(branch))
        return NULL;
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (value_opcode(condition) != LLVMICmp || !LLVMIsAInstruction(condition))
        return NULL;
    const LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
        return NULL;
    LLVMBasicBlockRef to = LLVMGetSuccessor(branch, predicate == LLVMIntNE);
    return count_edges(t, to) == 1 && touches_must_pass(t, t->block[0].block, at, to) ? condition
                                                                                      : NULL;
}

/* The value that this one is known to equal at the block. */
static LLVMValueRef known_equal(const struct touches *t, LLVMValueRef value, LLVMBasicBlockRef at) {
    for (size_t b = 0; b < t->blocks; b++) {
        LLVMValueRef condition = equality(t, t->block[b].block, at);
        if (!condition)
            continue;
        for (unsigned i = 0; i < 2; i++)
            if (values_equal(strip_extensions(LLVMGetOperand(condition, i)),
                             strip_extensions(value)))
                return LLVMGetOperand(condition, 1 - i);
    }
    return NULL;
}

/* The address with its terms replaced by the values that they are known to equal at the block. */
static struct address resolve_terms(const struct touches *t, const struct address *a,
                                    LLVMBasicBlockRef at) {
    struct address sum = {.base = a->base, .offset = a->offset, .is_known = a->is_known};
    for (unsigned i = 0; i < a->terms; i++) {
        const struct address_term *term = &a->term[i];
        LLVMValueRef known = known_equal(t, term->value, at);
        if (known && LLVMIsAConstantInt(known))
            sum.offset += term->scale * LLVMConstIntGetSExtValue(known);
        else
            sum.term[sum.terms++] =
                (struct address_term){known ? strip_extensions(known) : term->value, term->scale};
    }
    return sum;
}

/* True if both are the same address at the block of `b`: the lane's own element, however it is
 * expressed. */
static bool is_own(const struct touches *t, const struct address *a, const struct touch *b) {
    const struct address first = resolve_terms(t, a, b->block);
    const struct address second = resolve_terms(t, &b->address, b->block);
    return (first.offset == b->address.offset && same_terms(&first, &b->address)) ||
           (first.offset == second.offset && same_terms(&first, &second)) ||
           (second.offset == a->offset && same_terms(a, &second));
}

/* ---- two accesses ---- */

static bool same_base(const struct look *l, const struct touch *a, const struct touch *b) {
    return a->address.is_known && b->address.is_known && !a->is_call && !b->is_call &&
           (values_equal(a->address.base, b->address.base) ||
            (l->same & a->roots && l->same & b->roots && LLVMIsAArgument(a->address.base) &&
             LLVMIsAArgument(b->address.base)));
}

/* True if both are at one address, which all lanes may share, and the lanes may take different
 * branches to them. */
static bool differ_in_lanes(const struct look *l, const struct touch *a, const struct touch *b) {
    for (unsigned i = 0; i < a->address.terms; i++)
        if (!value_is_uniform(a->address.term[i].value))
            return false;
    if (!value_is_uniform(a->address.base) || a->block == b->block)
        return false;
    return a->writes ? !touches_must_pass(l->t, l->t->block[0].block, b->block, a->block)
                     : !touches_must_pass(l->t, a->block, NULL, b->block);
}

/* True if `b`, which may come after `a`, relies on lanes in step. */
static bool conflict(const struct look *l, const struct touch *a, const struct touch *b) {
    if (a->writes == b->writes || a->at == b->at || (a->is_volatile && b->is_volatile))
        return false;
    if (!same_base(l, a, b))
        return true;
    if (never_overlap(a, b))
        return false;
    if (same_element(a, b))
        return differ_in_lanes(l, a, b);
    return !(b->writes && is_ahead(a, b)) && !is_own(l->t, &a->address, b);
}

static uint64_t shared_roots(const struct look *l, const struct touch *a, const struct touch *b) {
    uint64_t both = a->roots & b->roots;
    if (a->roots & l->same && b->roots & l->same)
        both |= (a->roots | b->roots) & l->same;
    return both;
}

static void compare(struct look *l, size_t first, size_t second) {
    const struct touch *a = &l->t->touch[first], *b = &l->t->touch[second];
    const uint64_t both = shared_roots(l, a, b);
    if (both & ~l->found && conflict(l, a, b))
        l->found |= both;
}

/* Compares accesses to the shared memory of a function that is called a second time: all warps of
 * the block reach the second call at about the same time. */
static void compare_calls(struct look *l, size_t first, size_t second, bool has_left) {
    const struct touch *a = &l->t->touch[first], *b = &l->t->touch[second];
    if (!a->frame || !b->frame ||
        l->t->frame[a->frame - 1].function != l->t->frame[b->frame - 1].function ||
        (a->frame == b->frame && !has_left))
        return;
    const uint64_t both = a->roots & b->roots & roots_shared(&l->t->roots) & ~ROOT_UNKNOWN;
    if (both & ~l->found && conflict(l, a, b))
        l->found |= both;
}

/* ---- all paths through the function ---- */

/* Sets of touches. */
struct state {
    uint64_t *near; /* since the lanes of the warp last met */
    uint64_t *seen; /* those in frames since the block's lanes last met, */
    uint64_t *left; /* and after the end of the call that they belong to */
    size_t words;
};

static struct state make_state(size_t touches) {
    struct state s = {.words = touches / 64 + 1};
    s.near = calloc(3 * s.words, sizeof *s.near);
    if (!s.near)
        fail("out of memory");
    s.seen = s.near + s.words;
    s.left = s.seen + s.words;
    return s;
}

static void copy(struct state *to, const struct state *from) {
    memcpy(to->near, from->near, 3 * from->words * sizeof *from->near);
}

static bool join(struct state *to, const struct state *from) {
    bool grows = false;
    for (size_t i = 0; i < 3 * to->words; i++) {
        grows = grows || from->near[i] & ~to->near[i];
        to->near[i] |= from->near[i];
    }
    return grows;
}

static bool holds(const uint64_t *set, size_t number) {
    return set[number / 64] >> number % 64 & 1;
}

static void put(uint64_t *set, size_t number) {
    set[number / 64] |= UINT64_C(1) << number % 64;
}

static void leave(const struct touches *t, struct state *s, uint64_t frames) {
    for (size_t i = 0; i < t->count; i++)
        if (holds(s->seen, i) && !(frames >> (t->touch[i].frame - 1) & 1))
            put(s->left, i);
}

static void compare_all(struct look *l, const struct state *s, size_t number) {
    for (size_t i = 0; i < l->t->count; i++) {
        if (holds(s->near, i))
            compare(l, i, number);
        if (holds(s->seen, i))
            compare_calls(l, i, number, holds(s->left, i));
    }
}

static void pass_event(struct look *l, struct state *s, const struct event *event, bool looks) {
    const struct touches *t = l->t;
    switch (event->kind) {
    case EVENT_TOUCH:
        if (looks)
            compare_all(l, s, event->touch);
        put(s->near, event->touch);
        if (t->touch[event->touch].frame) {
            put(s->seen, event->touch);
            s->left[event->touch / 64] &= ~(UINT64_C(1) << event->touch % 64);
        }
        break;
    case EVENT_WARP_MEETS:
        memset(s->near, 0, s->words * sizeof *s->near);
        break;
    case EVENT_BLOCK_MEETS:
        memset(s->near, 0, 3 * s->words * sizeof *s->near);
        break;
    case EVENT_PLACE:
        leave(t, s, event->frames);
        break;
    }
}

static void pass_block(struct look *l, struct state *s, const struct block *block, bool looks) {
    for (size_t i = block->from; i < block->to; i++)
        pass_event(l, s, &l->t->event[i], looks);
}

/* A function that is not a kernel may be called again. */
static bool call_again(const struct touches *t, struct state *begin, const struct state *end) {
    struct state s = make_state(t->count);
    memcpy(s.seen, end->seen, s.words * sizeof *s.seen);
    memcpy(s.left, end->seen, s.words * sizeof *s.left);
    const bool grows = !t->roots.is_kernel && join(begin, &s);
    free(s.near);
    return grows;
}

/* Computes the touches that may precede each block. */
static void flow(struct look *l, struct state *begin, struct state *now) {
    const struct touches *t = l->t;
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t b = 0; b < t->blocks; b++) {
            copy(now, &begin[b]);
            pass_block(l, now, &t->block[b], false);
            for (size_t i = 0; i < t->block[b].successors; i++)
                grows = join(&begin[t->block[b].successor[i]], now) || grows;
            if (t->block[b].is_end)
                grows = call_again(t, &begin[0], now) || grows;
        }
    }
}

uint64_t reliance_find(const struct touches *t, bool all_same) {
    struct look l = {.t = t, .same = all_same ? roots_parameters(&t->roots) : 0};
    struct state now = make_state(t->count);
    struct state *begin = calloc(t->blocks + 1, sizeof *begin);
    for (size_t b = 0; b < t->blocks; b++)
        begin[b] = make_state(t->count);
    flow(&l, begin, &now);
    for (size_t b = 0; b < t->blocks; b++) {
        copy(&now, &begin[b]);
        pass_block(&l, &now, &t->block[b], true);
        free(begin[b].near);
    }
    free(now.near);
    free(begin);
    return l.found;
}
