/*
 * Handles the points where lanes may switch. The switch is inserted as inline assembly, so that the
 * compiler saves only what is needed there; a loop that may wait forever for another lane gets a
 * call by which its line can be reported.
 */
#include "cudacpu/instrument/instrument.h"

#include <string.h>

/* simt/switch.h's instructions, in LLVM's syntax. The inputs name their registers: where they are
 * tied to the outputs by number instead, LLVM 14 sometimes exchanges the two contexts. */
#if defined(__x86_64__)
#define SWITCH_TEXT                                                                                \
    "lea 1f(%rip), %rax\n\t"                                                                       \
    "mov %rsp, ($0)\n\t"                                                                           \
    "mov %rbp, 8($0)\n\t"                                                                          \
    "mov %rax, 16($0)\n\t"                                                                         \
    "mov ($1), %rsp\n\t"                                                                           \
    "mov 8($1), %rbp\n\t"                                                                          \
    "mov $1, $0\n\t"                                                                               \
    "jmp *16($1)\n\t"                                                                              \
    ".p2align 4\n"                                                                                 \
    "1:"
#define SWITCH_CONSTRAINTS                                                                         \
    "={di},={si},{di},{si},~{rax},~{rbx},~{rcx},~{rdx},~{r8},~{r9},~{r10},~{r11},~{r12},~{r13},"   \
    "~{r14},~{r15},~{memory},~{cc},~{xmm0},~{xmm1},~{xmm2},~{xmm3},~{xmm4},~{xmm5},~{xmm6},"       \
    "~{xmm7},"                                                                                     \
    "~{xmm8},~{xmm9},~{xmm10},~{xmm11},~{xmm12},~{xmm13},~{xmm14},~{xmm15},~{dirflag},~{fpsr},"    \
    "~{flags}"
#elif defined(__aarch64__)
#define SWITCH_TEXT                                                                                \
    "mov x9, sp\n\t"                                                                               \
    "adr x10, 1f\n\t"                                                                              \
    "stp x9, x29, [x0]\n\t"                                                                        \
    "str x10, [x0, #16]\n\t"                                                                       \
    "ldp x9, x29, [x1]\n\t"                                                                        \
    "ldr x10, [x1, #16]\n\t"                                                                       \
    "mov sp, x9\n\t"                                                                               \
    "mov x0, x1\n\t"                                                                               \
    "br x10\n"                                                                                     \
    "1:\n\t"                                                                                       \
    "hint #36"
#define SWITCH_CONSTRAINTS                                                                         \
    "={x0},={x1},{x0},{x1},~{x2},~{x3},~{x4},~{x5},~{x6},~{x7},~{x8},~{x9},~{x10},~{x11},~{x12},"  \
    "~{x13},~{x14},~{x15},~{x16},~{x17},~{x18},~{x19},~{x20},~{x21},~{x22},~{x23},~{x24},~{x25},"  \
    "~{x26},"                                                                                      \
    "~{x27},~{x28},~{lr},~{memory},~{cc},~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},"   \
    "~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},"   \
    "~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30},~{v31}"
#endif

void add_attribute(struct unit *u, LLVMValueRef function, const char *name) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(u->context, kind, 0));
}

static void remove_attribute(LLVMValueRef function, const char *name) {
    LLVMRemoveStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                     (unsigned)strlen(name));
}

void lanes_define_switch(struct unit *u) {
#ifdef SWITCH_TEXT
    LLVMValueRef function = LLVMGetNamedFunction(u->module, "cpu_switch");
    if (!function)
        return;
    LLVMGlobalClearMetadata(function); /* of the declaration */
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetParam(function, 0));
    LLVMTypeRef both[] = {pointer, pointer};
    LLVMTypeRef result = LLVMStructTypeInContext(u->context, both, 2, false);
    LLVMTypeRef type = LLVMFunctionType(result, both, 2, false);
    LLVMValueRef code =
        LLVMGetInlineAsm(type, (char *)SWITCH_TEXT, strlen(SWITCH_TEXT), (char *)SWITCH_CONSTRAINTS,
                         strlen(SWITCH_CONSTRAINTS), true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(u->context, function, ""));
    LLVMValueRef arguments[] = {LLVMGetParam(function, 0), LLVMGetParam(function, 1)};
    LLVMValueRef switched = LLVMBuildCall2(b, type, code, arguments, 2, "");
    LLVMBuildRet(b, LLVMBuildExtractValue(b, switched, 0, ""));
    LLVMDisposeBuilder(b);
    add_attribute(u, function, "alwaysinline");
#else
    (void)u;
#endif
}

/* ---- small kernels ---- */

/* The index of a block in its function. */
static size_t place_of(LLVMValueRef function, LLVMBasicBlockRef block) {
    size_t place = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != block;)
        place++, b = LLVMGetNextBasicBlock(b);
    return place;
}

static bool has_back_edge(LLVMValueRef function, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (place_of(function, LLVMGetSuccessor(end, i)) <= place_of(function, block))
            return true;
    return false;
}

static bool is_large(LLVMValueRef instruction) {
    size_t length;
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMSDiv: /* a division by 0 is reported with its line, which it loses when it moves out
                    * of the loop */
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        return true;
    case LLVMCall: {
        LLVMValueRef called = LLVMGetCalledValue(instruction);
        return !LLVMIsAFunction(called) ||
               strncmp(LLVMGetValueName2(called, &length), "llvm.", strlen("llvm.")) != 0;
    }
    default:
        return false;
    }
}

/* True if it calls nothing, has no loop and does not divide integers: calling it would take as long
 * as its body. */
static bool is_small(LLVMValueRef kernel) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
        if (has_back_edge(kernel, b))
            return false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_large(i))
                return false;
    }
    return true;
}

void lanes_call(struct unit *u) {
    for (size_t i = 0; i < u->kernel_count; i++)
        if (!is_small(u->kernels[i].function))
            add_attribute(u, u->kernels[i].function, "noinline");
}

/* ---- empty loops ---- */

static bool has_line(LLVMValueRef instruction) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    return location && LLVMDILocationGetLine(location) > 0;
}

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            return true;
    return false;
}

/* An endless wait, such as `while (!flag);` where nothing changes flag, is reported with the line
 * of the code that leads to it. */
static void locate_loop(LLVMValueRef function, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetFirstInstruction(block) != end || !leads_to(block, block) || has_line(end))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef before = LLVMGetBasicBlockTerminator(b);
        if (b != block && leads_to(b, block) && has_line(before)) {
            LLVMInstructionSetDebugLoc(end, LLVMInstructionGetDebugLoc(before));
            return;
        }
    }
}

void lanes_locate_loops(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            locate_loop(f, b);
}

void lanes_lower(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        remove_attribute(f, "target-cpu");
        remove_attribute(f, "target-features");
        /* The runtime finds the line of a call by its return address, and a jump has none. */
        LLVMAddTargetDependentFunctionAttr(f, "disable-tail-calls", "true");
    }
}
