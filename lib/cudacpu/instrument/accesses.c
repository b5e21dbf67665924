#include "cudacpu/instrument/instrument.h"

#include <stdio.h>
#include <string.h>

/* "__tsan_volatile_read4" and its like, called before the access; NULL for a size that has none. */
static LLVMValueRef hook_of(struct unit *u, bool writes, unsigned long long size) {
    char name[64];
    if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16)
        return NULL;
    snprintf(name, sizeof name, "__tsan_volatile_%s%llu", writes ? "write" : "read", size);
    LLVMValueRef hook = LLVMGetNamedFunction(u->module, name);
    if (!hook) {
        LLVMTypeRef pointer = LLVMPointerType(LLVMInt8TypeInContext(u->context), 0);
        LLVMTypeRef nothing = LLVMVoidTypeInContext(u->context);
        hook = LLVMAddFunction(u->module, name, LLVMFunctionType(nothing, &pointer, 1, false));
    }
    return hook;
}

static void insert_hook(struct unit *u, LLVMValueRef access, bool writes) {
    LLVMValueRef to = LLVMGetOperand(access, writes ? 1 : 0);
    LLVMTypeRef type = writes ? LLVMTypeOf(LLVMGetOperand(access, 0)) : LLVMTypeOf(access);
    LLVMValueRef hook = hook_of(u, writes, LLVMStoreSizeOfType(u->layout, type));
    if (!hook)
        return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, access);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(access));
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetParam(hook, 0));
    to = LLVMGetPointerAddressSpace(LLVMTypeOf(to)) ? LLVMBuildAddrSpaceCast(b, to, pointer, "")
                                                    : LLVMBuildPointerCast(b, to, pointer, "");
    LLVMBuildCall2(b, LLVMGlobalGetValueType(hook), hook, &to, 1, "");
    LLVMDisposeBuilder(b);
}

void accesses_hook_volatile(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                const LLVMOpcode code = LLVMGetInstructionOpcode(i);
                if ((code == LLVMLoad || code == LLVMStore) && LLVMGetVolatile(i))
                    insert_hook(u, i, code == LLVMStore);
            }
}

/* ---- objects ---- */

static unsigned long long alignment_of(LLVMValueRef call, unsigned argument) {
    const unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
    return attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
}

/* The number of bytes it copies, if it copies a float4 or its like; else 0. */
static unsigned long long copied_bytes(LLVMValueRef instruction) {
    size_t length;
    if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
        return 0;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
    if (strncmp(name, "llvm.memcpy.", strlen("llvm.memcpy.")) != 0 ||
        !LLVMIsAConstantInt(LLVMGetOperand(instruction, 2)))
        return 0;
    const unsigned long long bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(instruction, 2));
    const bool aligned =
        alignment_of(instruction, 0) >= bytes && alignment_of(instruction, 1) >= bytes;
    return (bytes == 8 || bytes == 16) && aligned ? bytes : 0;
}

static void vectorize_copy(struct unit *u, LLVMValueRef copy, unsigned long long bytes) {
    LLVMTypeRef type = LLVMVectorType(LLVMInt32TypeInContext(u->context), (unsigned)(bytes / 4));
    LLVMTypeRef pointer = LLVMPointerType(type, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, copy);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(copy));
    LLVMValueRef from = LLVMBuildPointerCast(b, LLVMGetOperand(copy, 1), pointer, "");
    LLVMValueRef to = LLVMBuildPointerCast(b, LLVMGetOperand(copy, 0), pointer, "");
    LLVMValueRef value = LLVMBuildLoad2(b, type, from, "");
    LLVMSetAlignment(value, (unsigned)bytes);
    LLVMSetAlignment(LLVMBuildStore(b, value, to), (unsigned)bytes);
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(copy);
}

void accesses_join(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                const unsigned long long bytes = copied_bytes(i);
                if (bytes)
                    vectorize_copy(u, i, bytes);
            }
}

/* The location of the first instruction after `i` in its block that has one; NULL if none has. */
static LLVMMetadataRef next_location(LLVMValueRef i) {
    LLVMMetadataRef location = NULL;
    for (; i && !location; i = LLVMGetNextInstruction(i))
        location = LLVMInstructionGetDebugLoc(i);
    return location;
}

void accesses_locate(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                LLVMMetadataRef location =
                    LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) ? next_location(i) : NULL;
                if (location)
                    LLVMInstructionSetDebugLoc(i, location);
            }
}
