/*
 * Lists accesses in the order of the blocks. A called function's accesses are listed as the
 * caller's, with its arguments put in place of the parameters, so that conflicts across calls are
 * found.
 */
#include "cudacpu/instrument/lockstep/touches.h"

#include "simt/lane.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    struct unit *u;
    struct touches *t;
    const struct touches *(*callee)(void *context, LLVMValueRef function);
    void *context;
    bool in_atomic;
    uint64_t frames; /* those of the last event */
};

static void *grow(void *items, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 64;
    items = realloc(items, *room * size);
    if (!items)
        fail("out of memory");
    return items;
}

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static const char *callee_name(LLVMValueRef call) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

/* ---- source locations ---- */

/* The function that contains a source location. */
static LLVMMetadataRef function_of(struct unit *u, LLVMMetadataRef place) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(place);
    while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        LLVMValueRef outer = node_operand(LLVMMetadataAsValue(u->context, scope), OF_SCOPE);
        scope = outer ? LLVMValueAsMetadata(outer) : NULL;
    }
    return scope;
}

static bool is_named(struct unit *u, LLVMMetadataRef function, const char *begin) {
    size_t length;
    const char *name =
        node_name(LLVMMetadataAsValue(u->context, function), OF_FUNCTION_NAME, &length);
    return name && length >= strlen(begin) && begins_with(name, begin);
}

/* True for the CPU warp's replacement of an atomic operation. */
static bool is_atomic_place(struct finder *f, LLVMValueRef instruction) {
    for (LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction); place;
         place = LLVMDILocationGetInlinedAt(place)) {
        LLVMMetadataRef function = function_of(f->u, place);
        if (function && is_named(f->u, function, "shflviz_atomic_on_worker"))
            return true;
    }
    return false;
}

/* ---- frames ---- */

static bool is_meeting(LLVMValueRef call) {
    const char *name = callee_name(call);
    return begins_with(name, "cpu_switch") || begins_with(name, "cpu_operation_arrive") ||
           begins_with(name, "cpu_barrier_arrive") || begins_with(name, "cpu_grid_barrier");
}

static bool is_block_meeting(LLVMValueRef call) {
    const char *name = callee_name(call);
    return begins_with(name, "cpu_barrier_arrive") || begins_with(name, "cpu_grid_barrier");
}

static void add_frame(struct touches *t, LLVMMetadataRef function, LLVMMetadataRef call) {
    for (unsigned i = 0; i < t->frames; i++)
        if (t->frame[i].function == function && t->frame[i].call == call)
            return;
    if (t->frames < FRAMES_MOST)
        t->frame[t->frames++] = (struct frame){function, call};
}

/* Adds all calls around a point where lanes meet. */
static void add_frames(struct finder *f, LLVMValueRef instruction) {
    for (LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction), call; place;
         place = call) {
        call = LLVMDILocationGetInlinedAt(place);
        if (call || !f->t->roots.is_kernel)
            add_frame(f->t, function_of(f->u, place), call);
    }
}

static void find_frames(struct finder *f) {
    LLVMValueRef function = f->t->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && is_meeting(i))
                add_frames(f, i);
}

/* Bits of the frames that it is in; `inner` is 1 + the number of the innermost. */
static uint64_t frames_around(struct finder *f, LLVMValueRef instruction, unsigned *inner) {
    uint64_t found = 0;
    *inner = 0;
    if (!f->t->frames)
        return 0;
    for (LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction), call; place;
         place = call) {
        LLVMMetadataRef function = function_of(f->u, place);
        call = LLVMDILocationGetInlinedAt(place);
        for (unsigned i = 0; i < f->t->frames; i++)
            if (f->t->frame[i].function == function && f->t->frame[i].call == call) {
                found |= UINT64_C(1) << i;
                *inner = *inner ? *inner : i + 1;
            }
    }
    return found;
}

/* ---- events ---- */

static void add_event(struct finder *f, struct event event) {
    struct touches *t = f->t;
    t->event = grow(t->event, t->events, &t->event_room, sizeof *t->event);
    t->event[t->events++] = event;
}

static void add_place(struct finder *f, LLVMValueRef instruction) {
    unsigned inner;
    if (!f->t->frames || !LLVMInstructionGetDebugLoc(instruction))
        return;
    const uint64_t frames = frames_around(f, instruction, &inner);
    if (frames != f->frames)
        add_event(f, (struct event){.kind = EVENT_PLACE, .frames = frames});
    f->frames = frames;
}

static void add_touch(struct finder *f, struct touch touch) {
    struct touches *t = f->t;
    touch.block = LLVMGetInstructionParent(touch.at);
    frames_around(f, touch.at, &touch.frame);
    touch.roots &= ROOT_ARRAYS;
    if (!touch.roots)
        return;
    t->touch = grow(t->touch, t->count, &t->room, sizeof *t->touch);
    t->touch[t->count] = touch;
    add_event(f, (struct event){.kind = EVENT_TOUCH, .touch = t->count++});
}

static void touch_at(struct finder *f, LLVMValueRef at, LLVMValueRef pointer, long long size,
                     bool writes) {
    struct touch touch = {.at = at,
                          .size = size,
                          .writes = writes,
                          .is_volatile = !LLVMIsACallInst(at) && LLVMGetVolatile(at),
                          .roots = roots_of(&f->t->roots, pointer)};
    address_read(f->u, pointer, &touch.address);
    add_touch(f, touch);
}

static bool sets_in_atomic(struct finder *f, LLVMValueRef store) {
    struct address to;
    address_read(f->u, LLVMGetOperand(store, 1), &to);
    return value_is_named(to.base, "cpu_now") && !to.terms &&
           to.offset == (long long)offsetof(struct cpu_now, in_atomic);
}

static void take_access(struct finder *f, LLVMValueRef at, LLVMOpcode code) {
    const bool writes = code == LLVMStore;
    if (writes && sets_in_atomic(f, at) && LLVMIsAConstantInt(LLVMGetOperand(at, 0))) {
        f->in_atomic = LLVMConstIntGetZExtValue(LLVMGetOperand(at, 0)) != 0;
        return;
    }
    if (f->in_atomic || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic ||
        is_atomic_place(f, at))
        return;
    LLVMTypeRef type = writes ? LLVMTypeOf(LLVMGetOperand(at, 0)) : LLVMTypeOf(at);
    touch_at(f, at, LLVMGetOperand(at, writes), (long long)LLVMStoreSizeOfType(f->u->layout, type),
             writes);
}

/* memcpy() and its like. */
static void take_copy(struct finder *f, LLVMValueRef at, bool reads) {
    LLVMValueRef size = LLVMGetOperand(at, 2);
    const long long bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetSExtValue(size) : 0;
    if (f->in_atomic || is_atomic_place(f, at))
        return;
    if (reads)
        touch_at(f, at, LLVMGetOperand(at, 1), bytes, false);
    touch_at(f, at, LLVMGetOperand(at, 0), bytes, true);
}

/* ---- calls ---- */

static uint64_t from_parents(struct touches *t, LLVMValueRef call, const struct touches *callee,
                             const struct root *root) {
    if (!root->value)
        return roots_loaded(&t->roots, touches_from_callee(t, call, callee, root->parents),
                            root->offset);
    if (LLVMIsAGlobalVariable(root->value))
        return roots_of_value(&t->roots, root->value);
    for (unsigned i = 0; i < LLVMCountParams(callee->function); i++)
        if (LLVMGetParam(callee->function, i) == root->value)
            return roots_of(&t->roots, LLVMGetOperand(call, i));
    return ROOT_UNKNOWN;
}

uint64_t touches_from_callee(struct touches *t, LLVMValueRef call, const struct touches *callee,
                             uint64_t roots) {
    uint64_t found = roots & ROOT_UNKNOWN;
    for (unsigned i = 0; i < callee->roots.count; i++)
        if (roots >> i & 1)
            found |= from_parents(t, call, callee, &callee->roots.root[i]);
    return found;
}

static void take_call(struct finder *f, LLVMValueRef call) {
    LLVMValueRef to = LLVMGetCalledValue(call);
    const struct touches *callee =
        LLVMIsAFunction(to) && !LLVMIsDeclaration(to) ? f->callee(f->context, to) : NULL;
    if (!callee || is_atomic_place(f, call))
        return;
    uint64_t done[2] = {0, 0};
    for (size_t i = 0; i < callee->count; i++)
        done[callee->touch[i].writes] |=
            touches_from_callee(f->t, call, callee, callee->touch[i].roots);
    for (int writes = 0; writes < 2; writes++)
        add_touch(f, (struct touch){
                         .at = call, .roots = done[writes], .writes = writes, .is_call = true});
    f->t->warp_meets = f->t->warp_meets || callee->warp_meets;
    f->t->block_meets = f->t->block_meets || callee->block_meets;
    if (callee->block_meets)
        add_event(f, (struct event){.kind = EVENT_BLOCK_MEETS});
    else if (callee->warp_meets)
        add_event(f, (struct event){.kind = EVENT_WARP_MEETS});
}

static void take_any_call(struct finder *f, LLVMValueRef call) {
    const char *name = callee_name(call);
    if (is_meeting(call)) {
        const bool all = is_block_meeting(call);
        f->t->block_meets = f->t->block_meets || all;
        f->t->warp_meets = true;
        add_event(f, (struct event){.kind = all ? EVENT_BLOCK_MEETS : EVENT_WARP_MEETS});
    } else if (begins_with(name, "llvm.memcpy") || begins_with(name, "llvm.memmove")) {
        take_copy(f, call, true);
    } else if (begins_with(name, "llvm.memset")) {
        take_copy(f, call, false);
    } else {
        take_call(f, call);
    }
}

/* ---- blocks ---- */

static size_t block_number(const struct touches *t, LLVMBasicBlockRef block) {
    size_t i = 0;
    while (i < t->blocks && t->block[i].block != block)
        i++;
    return i;
}

static void take_block(struct finder *f, size_t number) {
    struct block *block = &f->t->block[number];
    block->from = f->t->events;
    f->frames = ~UINT64_C(0);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->block); i; i = LLVMGetNextInstruction(i)) {
        const LLVMOpcode code = LLVMGetInstructionOpcode(i);
        add_place(f, i);
        if (code == LLVMLoad || code == LLVMStore)
            take_access(f, i, code);
        else if (code == LLVMCall)
            take_any_call(f, i);
    }
    block->to = f->t->events;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
    block->successors = LLVMGetNumSuccessors(last);
    block->is_end = block->successors == 0;
    block->successor = calloc(block->successors + 1, sizeof *block->successor);
    for (unsigned i = 0; i < block->successors; i++)
        block->successor[i] = block_number(f->t, LLVMGetSuccessor(last, i));
}

/* Takes each block after one of its predecessors, since an atomic operation may consist of several
 * blocks. */
static void take_blocks(struct finder *f) {
    const size_t count = f->t->blocks;
    bool *is_seen = calloc(count + 1, sizeof *is_seen), *atomic = calloc(count + 1, sizeof *atomic);
    size_t *wait = calloc(count + 1, sizeof *wait), waiting = 0;
    if (count)
        wait[waiting++] = 0, is_seen[0] = true;
    while (waiting > 0) {
        const size_t at = wait[--waiting];
        f->in_atomic = atomic[at];
        take_block(f, at);
        for (size_t i = 0; i < f->t->block[at].successors; i++) {
            const size_t next = f->t->block[at].successor[i];
            if (is_seen[next])
                continue;
            is_seen[next] = true;
            atomic[next] = f->in_atomic;
            wait[waiting++] = next;
        }
    }
    free(is_seen);
    free(atomic);
    free(wait);
}

void touches_find(struct touches *touches, struct unit *u, LLVMValueRef function, bool is_kernel,
                  const struct touches *(*callee)(void *context, LLVMValueRef function),
                  void *context) {
    struct finder f = {.u = u, .t = touches, .callee = callee, .context = context};
    const size_t count = LLVMCountBasicBlocks(function);
    *touches = (struct touches){
        .function = function, .blocks = count, .roots = {.unit = u, .is_kernel = is_kernel}};
    touches->block = calloc(count + 1, sizeof *touches->block);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (size_t i = 0; i < count; i++, b = LLVMGetNextBasicBlock(b))
        touches->block[i].block = b;
    find_frames(&f);
    take_blocks(&f);
    for (size_t i = 0; i < touches->count; i++)
        touches->touch[i].roots = roots_widen(&touches->roots, touches->touch[i].roots);
}

void touches_release(struct touches *touches) {
    for (size_t i = 0; i < touches->blocks; i++)
        free(touches->block[i].successor);
    free(touches->block);
    free(touches->event);
    free(touches->touch);
}

bool touches_must_pass(const struct touches *t, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                       LLVMBasicBlockRef by) {
    bool *is_seen = calloc(t->blocks + 1, sizeof *is_seen), arrives = false;
    size_t *wait = calloc(t->blocks + 1, sizeof *wait), waiting = 0;
    const size_t begin = block_number(t, from);
    if (from != by)
        wait[waiting++] = begin, is_seen[begin] = true;
    while (waiting > 0 && !arrives) {
        const struct block *block = &t->block[wait[--waiting]];
        arrives = to ? block->block == to : block->is_end;
        for (size_t i = 0; i < block->successors; i++) {
            const size_t next = block->successor[i];
            if (is_seen[next] || t->block[next].block == by)
                continue;
            is_seen[next] = true;
            wait[waiting++] = next;
        }
    }
    free(is_seen);
    free(wait);
    return !arrives;
}
