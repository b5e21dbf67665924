/*
 * Splits an address at additions, multiplications by constants and shifts; anything else becomes a
 * term of its own. Equality must be certain; inequality need not be.
 */
#include "cudacpu/instrument/lockstep/address.h"

#include <string.h>

#define DEPTH_MOST 16 /* of nested expressions */

LLVMOpcode value_opcode(LLVMValueRef value) {
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

bool value_is_named(LLVMValueRef value, const char *name) {
    size_t length;
    const char *own = LLVMIsAGlobalValue(value) ? LLVMGetValueName2(value, &length) : NULL;
    return own && length == strlen(name) && memcmp(own, name, length) == 0;
}

/* ---- equal values ---- */

static LLVMValueRef without_casts(LLVMValueRef value) {
    for (;;) {
        const LLVMOpcode code = value_opcode(value);
        if (code != LLVMBitCast && code != LLVMAddrSpaceCast && code != LLVMFreeze)
            return value;
        value = LLVMGetOperand(value, 0);
    }
}

/* True if the result depends on the operands alone, or if it is a load. */
static bool is_repeated(LLVMValueRef value, LLVMOpcode code) {
    size_t length;
    switch (code) {
    case LLVMPHI:
    case LLVMStore:
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMInvoke:
        return false;
    case LLVMLoad:
        return !LLVMGetVolatile(value);
    case LLVMCall: {
        LLVMValueRef callee = LLVMGetCalledValue(value);
        const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
        return strncmp(name, "llvm.", 5) == 0;
    }
    default:
        return true;
    }
}

static bool equal(LLVMValueRef a, LLVMValueRef b, int depth) {
    a = without_casts(a);
    b = without_casts(b);
    if (a == b)
        return true;
    const LLVMOpcode code = value_opcode(a);
    if (!code || code != value_opcode(b) || depth == DEPTH_MOST ||
        !LLVMIsAInstruction(a) != !LLVMIsAInstruction(b) || LLVMTypeOf(a) != LLVMTypeOf(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b) || !is_repeated(a, code) ||
        !is_repeated(b, code))
        return false;
    if (code == LLVMGetElementPtr &&
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
        return false;
    if (code == LLVMICmp && LLVMGetICmpPredicate(a) != LLVMGetICmpPredicate(b))
        return false;
    if (code == LLVMFCmp && LLVMGetFCmpPredicate(a) != LLVMGetFCmpPredicate(b))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++)
        if (!equal(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), depth + 1))
            return false;
    return code != LLVMExtractValue && code != LLVMInsertValue && code != LLVMShuffleVector;
}

bool values_equal(LLVMValueRef a, LLVMValueRef b) {
    return equal(a, b, 0);
}

/* ---- sums ---- */

static void add_term(struct address *address, LLVMValueRef value, long long scale) {
    for (unsigned i = 0; i < address->terms; i++)
        if (values_equal(address->term[i].value, value)) {
            address->term[i].scale += scale;
            if (address->term[i].scale == 0)
                address->term[i] = address->term[--address->terms];
            return;
        }
    if (address->terms == ADDRESS_TERMS)
        address->is_known = false;
    else
        address->term[address->terms++] = (struct address_term){value, scale};
}

/* True if the number `b` fits in the bits of `a` that a shift has cleared: then a | b is a + b. */
static bool is_disjoint(LLVMValueRef a, LLVMValueRef b) {
    if (value_opcode(a) != LLVMShl || !LLVMIsAConstantInt(b) ||
        !LLVMIsAConstantInt(LLVMGetOperand(a, 1)))
        return false;
    const unsigned long long bits = LLVMConstIntGetZExtValue(LLVMGetOperand(a, 1));
    return bits < 63 && LLVMConstIntGetZExtValue(b) < 1ull << bits;
}

/* Adds `scale` times the integer. Overflow is assumed not to happen. */
static void add_scaled(struct address *address, LLVMValueRef value, long long scale, int depth) {
    const LLVMOpcode code = depth < DEPTH_MOST ? value_opcode(value) : (LLVMOpcode)0;
    LLVMValueRef a = code && LLVMGetNumOperands(value) > 0 ? LLVMGetOperand(value, 0) : NULL;
    LLVMValueRef b = code && LLVMGetNumOperands(value) > 1 ? LLVMGetOperand(value, 1) : NULL;
    if (LLVMIsAConstantInt(value)) {
        address->offset += scale * LLVMConstIntGetSExtValue(value);
    } else if (code == LLVMSExt || code == LLVMZExt || code == LLVMFreeze) {
        add_scaled(address, a, scale, depth + 1);
    } else if (code == LLVMAdd || (code == LLVMOr && is_disjoint(a, b))) {
        add_scaled(address, a, scale, depth + 1);
        add_scaled(address, b, scale, depth + 1);
    } else if (code == LLVMSub) {
        add_scaled(address, a, scale, depth + 1);
        add_scaled(address, b, -scale, depth + 1);
    } else if (code == LLVMMul && LLVMIsAConstantInt(b)) {
        add_scaled(address, a, scale * LLVMConstIntGetSExtValue(b), depth + 1);
    } else if (code == LLVMShl && LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) < 32) {
        add_scaled(address, a, scale << LLVMConstIntGetZExtValue(b), depth + 1);
    } else {
        add_term(address, value, scale);
    }
}

static void add_indices(struct unit *u, struct address *address, LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    const int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            address->offset += (long long)LLVMOffsetOfElement(u->layout, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        add_scaled(address, index, (long long)LLVMABISizeOfType(u->layout, type), 0);
    }
}

void address_read(struct unit *u, LLVMValueRef pointer, struct address *address) {
    *address = (struct address){.is_known = true};
    for (;;) {
        pointer = without_casts(pointer);
        if (value_opcode(pointer) != LLVMGetElementPtr ||
            LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
            break;
        add_indices(u, address, pointer);
        pointer = LLVMGetOperand(pointer, 0);
    }
    address->base = pointer;
}

/* ---- uniform values ---- */

struct seen {
    LLVMValueRef phi[32];
    unsigned count;
};

static bool is_uniform(LLVMValueRef value, struct seen *seen, int depth) {
    if (value_is_named(value, "cpu_now")) /* each lane finds its own values there */
        return false;
    const LLVMOpcode code = LLVMIsAInstruction(value) ? value_opcode(value) : (LLVMOpcode)0;
    if (!code)
        return !LLVMIsAConstantExpr(value) || is_uniform(LLVMGetOperand(value, 0), seen, depth + 1);
    if (depth == DEPTH_MOST || code == LLVMAlloca || (code != LLVMPHI && !is_repeated(value, code)))
        return false;
    if (code == LLVMPHI) {
        for (unsigned i = 0; i < seen->count; i++)
            if (seen->phi[i] == value)
                return true;
        if (seen->count == sizeof seen->phi / sizeof seen->phi[0])
            return false;
        seen->phi[seen->count++] = value;
    }
    const int count = LLVMGetNumOperands(value) - (code == LLVMCall); /* without the called
                                                                       * function */
    for (int i = 0; i < count; i++)
        if (!is_uniform(LLVMGetOperand(value, (unsigned)i), seen, depth + 1))
            return false;
    return true;
}

bool value_is_uniform(LLVMValueRef value) {
    struct seen seen = {.count = 0};
    return is_uniform(value, &seen, 0);
}
