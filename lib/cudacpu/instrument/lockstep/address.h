/*
 * address.h - an address as the sum of what it is made of, so that two of them can be compared.
 */
#ifndef CUDACPU_LOCKSTEP_ADDRESS_H
#define CUDACPU_LOCKSTEP_ADDRESS_H

#include "cudacpu/instrument/instrument.h"

#define ADDRESS_TERMS 8

struct address_term {
    LLVMValueRef value;
    long long scale; /* bytes */
};

struct address {
    LLVMValueRef base;
    long long offset;
    struct address_term term[ADDRESS_TERMS];
    unsigned terms;
    bool is_known; /* it is base + offset + all terms; else it is somewhere at the base */
};

void address_read(struct unit *u, LLVMValueRef pointer, struct address *address);

/* One lane computes the same twice. What is loaded from one place counts as the same, whatever has
 * been stored since. */
bool values_equal(LLVMValueRef a, LLVMValueRef b);

/* All lanes of a warp have the same, as far as it is made of. */
bool value_is_uniform(LLVMValueRef value);

/* Of an instruction or of a constant expression; 0: it is neither. */
LLVMOpcode value_opcode(LLVMValueRef value);

/* The variable of the runtime that has the name, as "cpu_now". */
bool value_is_named(LLVMValueRef value, const char *name);

#endif
