/*
 * touches.h - a function's accesses to memory that lanes share, in the order of its blocks, and
 * the points where lanes meet in between.
 */
#ifndef CUDACPU_LOCKSTEP_TOUCHES_H
#define CUDACPU_LOCKSTEP_TOUCHES_H

#include "cudacpu/instrument/lockstep/address.h"
#include "cudacpu/instrument/lockstep/roots.h"

#define FRAMES_MOST 64

struct touch {
    LLVMValueRef at; /* the instruction */
    LLVMBasicBlockRef block;
    struct address address;
    uint64_t roots;
    long long size; /* bytes; 0 if unknown */
    bool writes;
    bool is_call; /* of a function, which may touch the whole array */
    bool is_volatile;
    unsigned frame; /* 1 + the number of the call that it belongs to; 0 if it belongs to none */
};

/* An inlined call to a function in which lanes meet; the second call to a function may find what
 * the first has left. */
struct frame {
    LLVMMetadataRef function;
    LLVMMetadataRef call; /* where it is called; NULL for the analysed function itself */
};

enum event_kind {
    EVENT_TOUCH,
    EVENT_WARP_MEETS,
    EVENT_BLOCK_MEETS,
    EVENT_PLACE /* an instruction that is in these frames */
};

struct event {
    enum event_kind kind;
    size_t touch;
    uint64_t frames;
};

struct block {
    LLVMBasicBlockRef block;
    size_t from, to;   /* of the events */
    size_t *successor; /* numbers of blocks */
    size_t successors;
    bool is_end;
};

struct touches {
    LLVMValueRef function;
    struct roots roots;
    struct touch *touch;
    size_t count, room;
    struct event *event;
    size_t events, event_room;
    struct block *block;
    size_t blocks;
    struct frame frame[FRAMES_MOST];
    unsigned frames;
    bool warp_meets, block_meets; /* somewhere in it */
};

/* `callee` returns the touches of a called function, NULL if they are not known (yet). */
void touches_find(struct touches *touches, struct unit *u, LLVMValueRef function, bool is_kernel,
                  const struct touches *(*callee)(void *context, LLVMValueRef function),
                  void *context);
void touches_release(struct touches *touches);

/* The arrays of the caller that correspond, in that call, to these of the callee. */
uint64_t touches_from_callee(struct touches *touches, LLVMValueRef call,
                             const struct touches *callee, uint64_t roots);

/* True if control that goes from `from` to `to` goes through `by`; NULL for `to` means any end of
 * the function. */
bool touches_must_pass(const struct touches *touches, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                       LLVMBasicBlockRef by);

#endif
