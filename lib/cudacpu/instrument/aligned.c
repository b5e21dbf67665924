/*
 * aligned.c - checks the alignment that a GPU requires: a misaligned access ends the kernel with
 * error 716 (Programming Guide, "Size and Alignment Requirement").
 *
 * Objects that are copied as a whole are checked wherever the pointer comes from, if their
 * alignment exceeds that of most members; a number is checked if the kernel was passed a pointer to
 * smaller ones, or if its offset in an array is not a multiple of its size.
 */
#include "cudacpu/instrument/instrument.h"
#include "cudacpu/instrument/lockstep/address.h"

#include <string.h>

#define CHECK "cudacpu.aligned"

/* void (void *address, uint64_t rest, int is_unseen), without a body until the end. */
static LLVMValueRef check_of(struct unit *u) {
    LLVMValueRef check = LLVMGetNamedFunction(u->module, CHECK);
    LLVMTypeRef types[] = {LLVMPointerType(LLVMInt8TypeInContext(u->context), 0),
                           LLVMInt64TypeInContext(u->context), LLVMInt32TypeInContext(u->context)};
    return check ? check
                 : LLVMAddFunction(
                       u->module, CHECK,
                       LLVMFunctionType(LLVMVoidTypeInContext(u->context), types, 3, false));
}

static void add_check(struct unit *u, LLVMValueRef at, LLVMValueRef pointer,
                      unsigned long long alignment, bool is_object) {
    LLVMValueRef check = check_of(u);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(check, 0));
    LLVMPositionBuilderBefore(b, at);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(at));
    LLVMValueRef arguments[] = {
        LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))
            ? LLVMBuildAddrSpaceCast(b, pointer, wanted, "")
            : LLVMBuildPointerCast(b, pointer, wanted, ""),
        LLVMConstInt(LLVMInt64TypeInContext(u->context), alignment - 1, false),
        LLVMConstInt(LLVMInt32TypeInContext(u->context), is_object, false)};
    LLVMBuildCall2(b, LLVMGlobalGetValueType(check), check, arguments, 3, "");
    LLVMDisposeBuilder(b);
}

/* ---- objects ---- */

static bool is_copy(LLVMValueRef call) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), "llvm.memcpy", 11) == 0;
}

static unsigned number_of(LLVMValueRef parameter) {
    unsigned number = 0;
    while (LLVMGetParam(LLVMGetParamParent(parameter), number) != parameter)
        number++;
    return number;
}

static LLVMAttributeRef parameter_attribute(LLVMValueRef parameter, const char *name) {
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, (unsigned)strlen(name));
    return LLVMGetEnumAttributeAtIndex(LLVMGetParamParent(parameter), number_of(parameter) + 1,
                                       kind);
}

/* True for a variable or a reference's target, whose own alignment is already ensured. */
static bool is_object_itself(struct unit *u, LLVMValueRef pointer) {
    struct address from, variable;
    address_read(u, pointer, &from);
    if (value_opcode(from.base) == LLVMAlloca || LLVMIsAArgument(from.base))
        return true;
    if (LLVMIsAGlobalVariable(from.base))
        return from.terms == 0;
    if (value_opcode(from.base) != LLVMLoad || from.terms || from.offset)
        return false;
    address_read(u, LLVMGetOperand(from.base, 0), &variable);
    for (LLVMUseRef use = LLVMGetFirstUse(variable.base); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (value_opcode(user) == LLVMStore && LLVMIsAArgument(LLVMGetOperand(user, 0)) &&
            parameter_attribute(LLVMGetOperand(user, 0), "dereferenceable"))
            return true;
    }
    return false;
}

static void check_side(struct unit *u, LLVMValueRef copy, unsigned operand) {
    const unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(copy, operand + 1, kind);
    const unsigned long long alignment = attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
    LLVMValueRef size = LLVMGetOperand(copy, 2);
    if (alignment > 16 || !LLVMIsAConstantInt(size) ||
        (alignment < 8 && (alignment < 2 || LLVMConstIntGetZExtValue(size) != alignment)))
        return;
    if (!is_object_itself(u, LLVMGetOperand(copy, operand)))
        add_check(u, copy, LLVMGetOperand(copy, operand), alignment, true);
}

/* nvcc keeps a local array in registers where it can, however many bytes are read from it at
 * once. */
static void align_variable(LLVMTargetDataRef layout, LLVMValueRef variable) {
    if (LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)) >= 16 &&
        LLVMGetAlignment(variable) < 16)
        LLVMSetAlignment(variable, 16);
}

void aligned_check_objects(struct unit *u) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(u->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) && is_copy(i)) {
                    check_side(u, i, 0);
                    check_side(u, i, 1);
                } else if (LLVMIsAAllocaInst(i)) {
                    align_variable(layout, i);
                }
}

/* ---- numbers ---- */

static LLVMMetadataRef as_metadata(LLVMValueRef node) {
    return node ? LLVMValueAsMetadata(node) : NULL;
}

static LLVMMetadataRef base_of(struct unit *u, LLVMMetadataRef type) {
    return as_metadata(node_type_operand(LLVMMetadataAsValue(u->context, type), OF_TYPE_BASE));
}

static LLVMMetadataRef strip_qualifiers(struct unit *u, LLVMMetadataRef type) {
    while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind &&
           LLVMDITypeGetSizeInBits(type) == 0) /* const, __restrict__, typedef */
        type = base_of(u, type);
    return type;
}

/* The size of the number that the kernel's parameter points to in the source; 0 if it is not a
 * number, or not known. */
static unsigned long long pointed_size(struct unit *u, LLVMValueRef parameter) {
    LLVMValueRef function = LLVMGetParamParent(parameter);
    LLVMMetadataRef about = LLVMGetSubprogram(function);
    LLVMValueRef node = about ? LLVMMetadataAsValue(u->context, about) : NULL;
    LLVMValueRef types = node_type_operand(node_operand(node, OF_FUNCTION_TYPE), OF_SIGNATURE_LIST);
    LLVMMetadataRef type =
        strip_qualifiers(u, as_metadata(node_operand(types, number_of(parameter) + 1)));
    if (!type || LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind)
        return 0;
    type = strip_qualifiers(u, base_of(u, type));
    return type && LLVMGetMetadataKind(type) == LLVMDIBasicTypeMetadataKind
               ? LLVMDITypeGetSizeInBits(type) / 8
               : 0;
}

static bool is_kernel(const struct unit *u, LLVMValueRef function) {
    for (size_t i = 0; i < u->kernel_count; i++)
        if (u->kernels[i].function == function)
            return true;
    return false;
}

/* True if an array begins at a multiple of `size`, or if nothing is known about its beginning. */
static bool is_aligned_base(struct unit *u, LLVMValueRef base, unsigned long long size) {
    if (LLVMIsAArgument(base)) {
        LLVMValueRef function = LLVMGetParamParent(base);
        const bool is_pointer = is_kernel(u, function) && !byval_type(function, number_of(base));
        const unsigned long long pointed = is_pointer ? pointed_size(u, base) : 0;
        return pointed == 0 || pointed >= size;
    }
    return !LLVMIsAGlobalVariable(base) || LLVMGetAlignment(base) >= size ||
           LLVMGetAlignment(base) == 0;
}

static void check_number(struct unit *u, LLVMValueRef at, bool writes) {
    LLVMValueRef pointer = LLVMGetOperand(at, writes);
    LLVMTypeRef type = writes ? LLVMTypeOf(LLVMGetOperand(at, 0)) : LLVMTypeOf(at);
    const unsigned long long size = LLVMStoreSizeOfType(u->layout, type);
    struct address address;
    if ((size != 2 && size != 4 && size != 8) || LLVMGetAlignment(at) < size)
        return;
    address_read(u, pointer, &address);
    const bool is_array = LLVMIsAArgument(address.base) || LLVMIsAGlobalVariable(address.base);
    bool fits = address.offset % (long long)size == 0;
    for (unsigned i = 0; i < address.terms; i++)
        fits = fits && address.term[i].scale % (long long)size == 0;
    if (is_array && !(fits && is_aligned_base(u, address.base, size)))
        add_check(u, at, pointer, size, false);
}

void aligned_check_numbers(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                const LLVMOpcode code = LLVMGetInstructionOpcode(i);
                if (code == LLVMLoad || code == LLVMStore)
                    check_number(u, i, code == LLVMStore);
            }
}

/* ---- the check ---- */

void aligned_define(struct unit *u) {
    LLVMValueRef check = LLVMGetNamedFunction(u->module, CHECK);
    if (!check)
        return;
    LLVMTypeRef word = LLVMInt64TypeInContext(u->context);
    LLVMTypeRef types[] = {LLVMTypeOf(LLVMGetParam(check, 0)), word,
                           LLVMInt32TypeInContext(u->context)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context), types, 3, false);
    LLVMValueRef found = LLVMGetNamedFunction(u->module, "cpu_misaligned");
    if (!found)
        found = LLVMAddFunction(u->module, "cpu_misaligned", type);
    add_attribute(u, found, "cold");
    LLVMBasicBlockRef begin = LLVMAppendBasicBlockInContext(u->context, check, "");
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(u->context, check, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(u->context, check, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, begin);
    LLVMValueRef address = LLVMGetParam(check, 0), mask = LLVMGetParam(check, 1);
    LLVMValueRef rest = LLVMBuildAnd(b, LLVMBuildPtrToInt(b, address, word, ""), mask, "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntEQ, rest, LLVMConstNull(word), "");
    LLVMBuildCondBr(b, fits, end, bad);
    LLVMPositionBuilderAtEnd(b, bad);
    LLVMValueRef arguments[] = {address, LLVMBuildAdd(b, mask, LLVMConstInt(word, 1, false), ""),
                                LLVMGetParam(check, 2)};
    LLVMBuildCall2(b, type, found, arguments, 3, "");
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    LLVMSetLinkage(check, LLVMInternalLinkage);
    add_attribute(u, check, "alwaysinline");
}
