/*
 * touches.h - what a function does to memory that lanes share, in the order of its blocks, and
 * where lanes meet between.
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
    long long size; /* bytes; 0: any number */
    bool writes;
    bool is_call; /* of a function, which may touch all of the array */
    bool is_volatile;
    unsigned frame; /* 1 + the number of the call that it is a part of; 0: none of these */
};

/* A call that was inlined, of a function in which lanes meet; the second call of a function may
 * find what the first has left. */
struct frame {
    LLVMMetadataRef function;
    LLVMMetadataRef call; /* where it is called; NULL: it is the one that is looked at */
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

/* `callee` gives what a function does that is called, NULL if that is not known (yet). */
void touches_find(struct touches *touches, struct unit *u, LLVMValueRef function, bool is_kernel,
                  const struct touches *(*callee)(void *context, LLVMValueRef function),
                  void *context);
void touches_release(struct touches *touches);

/* In the calls of touches, the array of the caller's that one of the callee's is. */
uint64_t touches_from_callee(struct touches *touches, LLVMValueRef call,
                             const struct touches *callee, uint64_t roots);

/* Whoever comes from `from` to `to` comes by `by`; a `to` of NULL is any end of the function. */
bool touches_pass(const struct touches *touches, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                  LLVMBasicBlockRef by);

#endif
