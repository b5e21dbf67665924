/*
 * submission_memory.c - ensures that a submission that is a function of values, for an exercise
 * whose lanes exchange values by operations alone, accesses nothing but its own stack and
 * constants.
 *
 * It has no variables that lanes share (submission.c), but could still find an address: its
 * caller's frame, on the same stack, holds those of the test's arrays. So a call to
 * cpu_answer_touches() is added before each of its accesses and for each pointer that it passes to
 * a function. The calls are added before inlining, while the submission's code can still be
 * distinguished from ours.
 */
#include "cudacpu/instrument/instrument.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef without_casts(LLVMValueRef pointer, bool and_members) {
    for (;;) {
        const LLVMOpcode code = submission_opcode(pointer);
        if (code != LLVMBitCast && code != LLVMAddrSpaceCast &&
            !(and_members && code == LLVMGetElementPtr))
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

/* threadIdx and its like, for which submission.c ensures that they are only read, through a
 * pointer that is read. */
static bool is_of_lane(LLVMValueRef pointer) {
    LLVMValueRef base = without_casts(pointer, true);
    if (LLVMIsALoadInst(base))
        base = without_casts(LLVMGetOperand(base, 0), true);
    size_t length;
    return LLVMIsAGlobalVariable(base) &&
           strncmp(LLVMGetValueName2(base, &length), "cpu_", strlen("cpu_")) == 0;
}

static bool is_safe(LLVMValueRef pointer) {
    LLVMValueRef whole = without_casts(pointer, false);
    return LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind ||
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != 0 || LLVMIsAAllocaInst(whole) ||
           LLVMIsAConstantPointerNull(whole) || LLVMIsAGlobalVariable(whole) ||
           LLVMIsAFunction(whole) || is_of_lane(pointer);
}

static void check_pointer(struct unit *u, LLVMValueRef before, LLVMValueRef pointer) {
    if (is_safe(pointer))
        return;
    LLVMTypeRef byte = LLVMPointerType(LLVMInt8TypeInContext(u->context), 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context), &byte, 1, false);
    LLVMValueRef touches = LLVMGetNamedFunction(u->module, "cpu_answer_touches");
    if (!touches)
        touches = LLVMAddFunction(u->module, "cpu_answer_touches", type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, before);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(before));
    LLVMValueRef argument = LLVMBuildPointerCast(b, pointer, byte, "");
    LLVMBuildCall2(b, type, touches, &argument, 1, "");
    LLVMDisposeBuilder(b);
}

static void check_call(struct unit *u, LLVMValueRef call) {
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t length;
    if (LLVMIsAInlineAsm(called)) {
        char *text = LLVMPrintValueToString(called);
        const char *code = strstr(text, "asm ");
        if (code && strchr(code, '['))
            submission_refuse(call, "",
                              "this exercise is to be solved without memory that lanes share");
        LLVMDisposeMessage(text);
        return;
    }
    if (strncmp(LLVMGetValueName2(called, &length), "llvm.dbg.", strlen("llvm.dbg.")) == 0 ||
        strncmp(LLVMGetValueName2(called, &length), "llvm.lifetime.", strlen("llvm.lifetime.")) ==
            0)
        return;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        check_pointer(u, call, LLVMGetArgOperand(call, i));
}

static void check_function(struct unit *u, LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            switch (LLVMGetInstructionOpcode(i)) {
            case LLVMLoad:
            case LLVMAtomicRMW:
            case LLVMAtomicCmpXchg:
                check_pointer(u, i, LLVMGetOperand(i, 0));
                break;
            case LLVMStore:
                check_pointer(u, i, LLVMGetOperand(i, 1));
                break;
            case LLVMCall:
                check_call(u, i);
                break;
            default:
                break;
            }
}

/* True for a function that the test calls with a pointer, which it may use. Arguments passed by
 * value are on the stack. */
static bool gets_pointer(LLVMValueRef function) {
    static const char *const by_value[] = {"byval", "sret"};
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        bool is_value =
            LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, i))) != LLVMPointerTypeKind;
        for (size_t k = 0; k < sizeof by_value / sizeof by_value[0]; k++)
            is_value |= LLVMGetEnumAttributeAtIndex(function, i + 1,
                                                    LLVMGetEnumAttributeKindForName(
                                                        by_value[k], strlen(by_value[k]))) != NULL;
        if (!is_value)
            return true;
    }
    return false;
}

static bool is_called_by_others(const struct unit *u, LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) &&
            !submission_owns(u, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
            return true;
    }
    return false;
}

void submission_check_memory(struct unit *u) {
    bool is_called = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !submission_owns(u, f) || !is_called_by_others(u, f))
            continue;
        is_called = true;
        if (gets_pointer(f))
            return;
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); is_called && f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && submission_owns(u, f))
            check_function(u, f);
}
