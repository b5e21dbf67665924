/*
 * origins.h - functions that tell what their values are made of (simt/origins.h).
 *
 * Beside each number stands another, its origin: of what a function computes in a value of LLVM's,
 * of what lies in memory in the runtime's. A value of several numbers, a vector or an object, has
 * one for each.
 */
#ifndef CUDACPU_INSTRUMENT_ORIGINS_H
#define CUDACPU_INSTRUMENT_ORIGINS_H

#include "cudacpu/instrument/instrument.h"

/* A number in a value: where, and of what type. */
struct origin_leaf {
    unsigned long long offset;
    LLVMTypeRef type;
};

#define ORIGIN_LEAVES 64u

/* The origins of one value. */
struct origin_values {
    LLVMValueRef value; /* NULL: the place in the table is free */
    LLVMValueRef *nodes;
    unsigned count;
};

/* A place where a function goes one way or another. */
struct origin_branch {
    LLVMBasicBlockRef block, join; /* where both ways have met again; NULL: nowhere */
    LLVMValueRef slot;             /* of the stack: what the condition was made of */
    LLVMValueRef *written;         /* variables that either way may write */
    size_t written_count;
    unsigned char *region; /* for each block of the function: it is between the two */
};

/* A function being made to tell. */
struct origin_function {
    struct unit *u;
    LLVMValueRef function;
    bool is_kernel, has_lines; /* it is a kernel; it tells its lines (lines/) */
    unsigned kernel;           /* of u->kernels */
    LLVMBuilderRef b;
    LLVMValueRef *instructions; /* as they were before anything was added */
    size_t count;
    LLVMBasicBlockRef *blocks; /* each behind those that lead to it, but for loops */
    size_t block_count;
    struct origin_values *table;
    size_t room;
    struct origin_branch *branches;
    size_t branch_count;
};

/* ---- origins.c ---- */

/* Takes note of what a function consists of, before other passes add to it. */
struct origin_function *origins_note(struct unit *u, LLVMValueRef function);
/* Makes it tell, and lets go of it. `has_lines`: its text is the program's. */
void origins_track(struct origin_function *f, bool has_lines);

/* ---- calls.c ---- */

LLVMTypeRef origins_node_type(struct unit *u);
LLVMValueRef origins_none(struct unit *u);
/* A call of the runtime, where the builder is. Words, pointers and nodes are what its parameters
 * are. `result`: NULL for none. */
LLVMValueRef origins_call(struct origin_function *f, const char *name, LLVMTypeRef result,
                          LLVMValueRef *arguments, unsigned count);
LLVMValueRef origins_word(struct origin_function *f, unsigned long long value);
LLVMValueRef origins_text(struct origin_function *f, const char *bytes, size_t length);
LLVMValueRef origins_bytes(struct origin_function *f, LLVMValueRef address);
LLVMValueRef origins_offset(struct origin_function *f, LLVMValueRef address,
                            unsigned long long offset);
/* The line of the instruction, as a word; 0 where lines are not told. */
LLVMValueRef origins_line(struct origin_function *f, LLVMValueRef instruction);
/* The builder goes in front of the instruction. */
void origins_before(struct origin_function *f, LLVMValueRef instruction);

/* ---- values.c ---- */

/* The numbers of a type, at most ORIGIN_LEAVES; how many there are. */
unsigned origins_leaves(struct unit *u, LLVMTypeRef type, struct origin_leaf *leaves);
struct origin_values *origins_of(struct origin_function *f, LLVMValueRef value);
/* The origin of one number of a value. */
LLVMValueRef origins_node(struct origin_function *f, LLVMValueRef value, unsigned leaf);
void origins_set(struct origin_function *f, LLVMValueRef value, LLVMValueRef *nodes,
                 unsigned count);
/* Adds the calls for one instruction. */
void origins_instruction(struct origin_function *f, LLVMValueRef instruction);

/* ---- memory.c ---- */

void origins_load(struct origin_function *f, LLVMValueRef load);
void origins_store(struct origin_function *f, LLVMValueRef store);
void origins_exchange(struct origin_function *f, LLVMValueRef instruction);
/* A call of a function, of an intrinsic or of the runtime. */
void origins_called(struct origin_function *f, LLVMValueRef call);
/* What a kernel or a function is given; what it returns. */
void origins_begin(struct origin_function *f);
void origins_return(struct origin_function *f, LLVMValueRef instruction);

/* ---- branches.c ---- */

void origins_find_branches(struct origin_function *f);
/* Where the condition is known, and where the ways meet. */
void origins_at_branch(struct origin_function *f, LLVMValueRef end);
void origins_at_join(struct origin_function *f, LLVMBasicBlockRef block);
/* What is written at the instruction is written because of these conditions, too. */
LLVMValueRef origins_in_region(struct origin_function *f, LLVMValueRef instruction,
                               LLVMValueRef node);

#endif
