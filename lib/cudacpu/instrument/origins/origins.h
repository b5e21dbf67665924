/*
 * origins.h - functions that report the origins of their values (simt/origins.h).
 *
 * Each number has a second one beside it, its origin: for computed values it is an LLVM value, for
 * memory the runtime keeps it. A value made up of several numbers, such as a vector or an object,
 * has an origin for each of them.
 */
#ifndef CUDACPU_INSTRUMENT_ORIGINS_H
#define CUDACPU_INSTRUMENT_ORIGINS_H

#include "cudacpu/instrument/instrument.h"

/* A number in a value: its position and its type. */
struct origin_leaf {
    unsigned long long offset;
    LLVMTypeRef type;
};

#define ORIGIN_LEAVES 64u

/* The origins of one value. */
struct origin_values {
    LLVMValueRef value; /* NULL if the table's slot is free */
    LLVMValueRef *nodes;
    unsigned count;
};

/* A point where a function branches. */
struct origin_branch {
    LLVMBasicBlockRef block, join; /* where both paths meet again; NULL if they do not */
    LLVMValueRef slot;             /* an origin on the stack: that of the condition */
    LLVMValueRef *written;         /* variables that either path may write */
    size_t written_count;
    unsigned char *region; /* for each block of the function: true if it is between the two */
};

/* A function that is being made to report. */
struct origin_function {
    struct unit *u;
    LLVMValueRef function;
    bool is_kernel, has_lines; /* it is a kernel; it reports its lines (lines/) */
    unsigned kernel;           /* of u->kernels */
    LLVMBuilderRef b;
    LLVMValueRef *instructions; /* as they were before anything was added */
    size_t count;
    LLVMBasicBlockRef *blocks; /* each after its predecessors, except in loops */
    size_t block_count;
    struct origin_values *table;
    size_t room;
    struct origin_branch *branches;
    size_t branch_count;
};

/* ---- origins.c ---- */

/* Notes a function's content, before other passes add to it. */
struct origin_function *origins_note(struct unit *u, LLVMValueRef function);
/* Makes the function report, and frees the notes. `has_lines`: its source is the program's. */
void origins_track(struct origin_function *f, bool has_lines);

/* ---- calls.c ---- */

LLVMTypeRef origins_node_type(struct unit *u);
LLVMValueRef origins_none(struct unit *u);
/* A call to the runtime, at the builder's position. The parameters are words, pointers and nodes.
 * `result`: NULL for none. */
LLVMValueRef origins_call(struct origin_function *f, const char *name, LLVMTypeRef result,
                          LLVMValueRef *arguments, unsigned count);
LLVMValueRef origins_word(struct origin_function *f, unsigned long long value);
LLVMValueRef origins_text(struct origin_function *f, const char *bytes, size_t length);
LLVMValueRef origins_bytes(struct origin_function *f, LLVMValueRef address);
LLVMValueRef origins_offset(struct origin_function *f, LLVMValueRef address,
                            unsigned long long offset);
/* The line of the instruction, as a word; 0 if lines are not reported. */
LLVMValueRef origins_line(struct origin_function *f, LLVMValueRef instruction);
/* Moves the builder to just before the instruction. */
void origins_before(struct origin_function *f, LLVMValueRef instruction);

/* ---- values.c ---- */

/* Lists the numbers of a type, at most ORIGIN_LEAVES; returns their count. */
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
/* A call to a function, to an intrinsic or to the runtime. */
void origins_called(struct origin_function *f, LLVMValueRef call);
/* The arguments of a kernel or function; its return value. */
void origins_begin(struct origin_function *f);
void origins_return(struct origin_function *f, LLVMValueRef instruction);

/* ---- branches.c ---- */

void origins_find_branches(struct origin_function *f);
/* The point where the condition is known, and the point where the paths meet. */
void origins_at_branch(struct origin_function *f, LLVMValueRef end);
void origins_at_join(struct origin_function *f, LLVMBasicBlockRef block);
/* Makes a value written at the instruction depend on the conditions around it, too. */
LLVMValueRef origins_in_region(struct origin_function *f, LLVMValueRef instruction,
                               LLVMValueRef node);

#endif
