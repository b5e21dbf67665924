#include "cudacpu/instrument/instrument.h"

/*
 * Shifts by as many bits as the value has, or more: a GPU's shl and shr shift all bits out (PTX
 * ISA, "Amounts greater than the register width N are clamped to N"), which code relies on, as in
 * 0xffffffff >> (32 - lane). C++ and LLVM leave the result open, and x86 takes the amount modulo
 * 32. observe/undefined.c still reports such a shift.
 */

static bool is_shift(LLVMValueRef instruction) {
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return (opcode == LLVMShl || opcode == LLVMLShr || opcode == LLVMAShr) &&
           LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMIntegerTypeKind;
}

static void clamp(LLVMBuilderRef b, LLVMValueRef shift) {
    LLVMTypeRef type = LLVMTypeOf(shift);
    const unsigned width = LLVMGetIntTypeWidth(type);
    LLVMValueRef value = LLVMGetOperand(shift, 0), amount = LLVMGetOperand(shift, 1);
    LLVMValueRef bits = LLVMConstInt(type, width, false),
                 last = LLVMConstInt(type, width - 1, false);
    if (LLVMIsAConstantInt(amount) && LLVMConstIntGetZExtValue(amount) < width)
        return;
    LLVMPositionBuilderBefore(b, shift);
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, amount, bits, "");
    LLVMValueRef within = LLVMBuildSelect(b, fits, amount, last, "");
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(shift);
    LLVMValueRef result = LLVMBuildBinOp(b, opcode, value, within, "");
    if (opcode != LLVMAShr)
        result = LLVMBuildSelect(b, fits, result, LLVMConstNull(type), "");
    LLVMReplaceAllUsesWith(shift, result);
    LLVMInstructionEraseFromParent(shift);
}

void shifts_clamp(struct unit *u) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_shift(i))
                    clamp(b, i);
            }
    LLVMDisposeBuilder(b);
}
