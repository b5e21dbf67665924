/* address.h - an address as a sum of terms, so that two of them can be compared. */
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
    bool is_known; /* the address is base + offset + all terms; else it is anywhere relative to the
                      base */
};

void address_read(struct unit *u, LLVMValueRef pointer, struct address *address);

/* True if the two values are the same in any one lane. Loads from one address count as the same,
 * whatever has been stored since. */
bool values_equal(LLVMValueRef a, LLVMValueRef b);

/* True if all lanes of a warp have the same value, as far as its terms show. */
bool value_is_uniform(LLVMValueRef value);

/* The opcode of an instruction or of a constant expression; 0 for anything else. */
LLVMOpcode value_opcode(LLVMValueRef value);

/* True for the variable of the runtime with that name, such as "cpu_now". */
bool value_is_named(LLVMValueRef value, const char *name);

#endif
