#include "cudacpu/instrument/origins/origins.h"

#include "cudacpu/instrument/lines/words.h"

#include <string.h>

LLVMTypeRef origins_node_type(struct unit *u) {
    return LLVMInt32TypeInContext(u->context);
}

LLVMValueRef origins_none(struct unit *u) {
    return LLVMConstNull(origins_node_type(u));
}

LLVMValueRef origins_call(struct origin_function *f, const char *name, LLVMTypeRef result,
                          LLVMValueRef *arguments, unsigned count) {
    LLVMModuleRef module = LLVMGetGlobalParent(f->function);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    LLVMTypeRef types[6];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    if (!result)
        result = LLVMVoidTypeInContext(f->u->context);
    if (!function)
        function = LLVMAddFunction(module, name, LLVMFunctionType(result, types, count, false));
    return LLVMBuildCall2(f->b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

LLVMValueRef origins_word(struct origin_function *f, unsigned long long value) {
    return LLVMConstInt(words_int64(f->u), value, false);
}

LLVMValueRef origins_text(struct origin_function *f, const char *bytes, size_t length) {
    LLVMValueRef value = LLVMConstStringInContext(f->u->context, bytes, (unsigned)length, false);
    LLVMValueRef made =
        LLVMAddGlobal(LLVMGetGlobalParent(f->function), LLVMTypeOf(value), "cpu_origin_text");
    LLVMSetInitializer(made, value);
    LLVMSetGlobalConstant(made, true);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    return LLVMConstPointerCast(made, words_pointer(f->u));
}

LLVMValueRef origins_bytes(struct origin_function *f, LLVMValueRef address) {
    LLVMTypeRef pointer = words_pointer(f->u);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address))
               ? LLVMBuildAddrSpaceCast(f->b, address, pointer, "")
               : LLVMBuildPointerCast(f->b, address, pointer, "");
}

LLVMValueRef origins_offset(struct origin_function *f, LLVMValueRef address,
                            unsigned long long offset) {
    LLVMValueRef index = origins_word(f, offset), bytes = origins_bytes(f, address);
    return offset ? LLVMBuildGEP2(f->b, LLVMInt8TypeInContext(f->u->context), bytes, &index, 1, "")
                  : bytes;
}

LLVMValueRef origins_line(struct origin_function *f, LLVMValueRef instruction) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    return origins_word(f, f->has_lines && location ? LLVMDILocationGetLine(location) : 0);
}

void origins_before(struct origin_function *f, LLVMValueRef instruction) {
    LLVMMetadataRef about = LLVMGetSubprogram(f->function);
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    LLVMPositionBuilderBefore(f->b, instruction);
    if (!location && about)
        location = LLVMDIBuilderCreateDebugLocation(f->u->context, 0, 0, about, NULL);
    LLVMSetCurrentDebugLocation2(f->b, location);
}
