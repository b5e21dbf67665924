/*
 * submission.c - checks that a submission is device code and nothing else: nothing that would run
 * before main(), replace a function of the host, escape the memory checker, or call anything
 * outside our device library. The file's source was checked before (compile/submission.h): it must
 * not name anything that belongs to the CPU warp.
 */
#include "cudacpu/instrument/instrument.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <string.h>

/* Functions of the C library that kernels may call: none writes unchecked memory through its
 * arguments. For float, the name of a mathematical function also ends in f. */
static const char *const functions[] = {
    "malloc",  "free",    "memcpy",    "memmove",   "memset",      "memcmp",  "__assert_fail",
    "acos",    "acosh",   "asin",      "asinh",     "atan",        "atan2",   "atanh",
    "cbrt",    "ceil",    "copysign",  "cos",       "cosh",        "erf",     "erfc",
    "exp",     "exp10",   "exp2",      "expm1",     "fabs",        "fdim",    "floor",
    "fma",     "fmax",    "fmin",      "fmod",      "hypot",       "ilogb",   "j0",
    "j1",      "jn",      "ldexp",     "lgamma",    "llrint",      "llround", "log",
    "log10",   "log1p",   "log2",      "logb",      "lrint",       "lround",  "nearbyint",
    "nan",     "pow",     "nextafter", "rint",      "remainder",   "round",   "scalbln",
    "scalbn",  "sin",     "sinh",      "sqrt",      "tan",         "tanh",    "tgamma",
    "trunc",   "y0",      "y1",        "yn",        "abs",         "labs",    "llabs",
    "__isnan", "__isinf", "__finite",  "__signbit", "__fpclassify"};

/* LLVM's intrinsics that reveal addresses of code or of the stack, or set registers. */
static const char *const refused[] = {"llvm.returnaddress",   "llvm.addressofreturnaddress",
                                      "llvm.frameaddress",    "llvm.localaddress",
                                      "llvm.localescape",     "llvm.localrecover",
                                      "llvm.sponentry",       "llvm.read_register",
                                      "llvm.write_register",  "llvm.eh.",
                                      "llvm.init.trampoline", "llvm.adjust.trampoline",
                                      "llvm.clear_cache",     "llvm.stackrestore.p5"};

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Address spaces of NVPTX, as in spaces.c. */
enum { SPACE_GLOBAL = 1, SPACE_SHARED = 3 };

static bool is_function(const char *name) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const size_t length = strlen(functions[i]);
        if (strncmp(name, functions[i], length) == 0 &&
            (!name[length] || strcmp(name + length, "f") == 0))
            return true;
    }
    return false;
}

static bool may_be_called(const char *name) {
    if (begins_with(name, "llvm.")) {
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
            if (begins_with(name, refused[i]))
                return false;
        return true;
    }
    return begins_with(name, "cpu_") || begins_with(name, "__ubsan_handle_") || is_function(name);
}

static const char *name_of(LLVMValueRef value) {
    size_t length;
    return LLVMGetValueName2(value, &length);
}

/* Fails with the source location of a definition or an instruction, as far as it is known. */
void submission_refuse(LLVMValueRef where, const char *what, const char *why) {
    unsigned length = 0;
    const char *file = LLVMGetDebugLocFilename(where, &length);
    if (file && length)
        fail("%.*s:%u: %s%s%s", (int)length, file, LLVMGetDebugLocLine(where), what,
             *what ? ": " : "", why);
    fail("%s%s%s", what, *what ? ": " : "", why);
}

/* An instruction that uses the value, also through constants; NULL if there is none. */
static LLVMValueRef user_of(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user))
            return user;
        LLVMValueRef found = LLVMIsAGlobalValue(user) ? NULL : user_of(user);
        if (found)
            return found;
    }
    return NULL;
}

static void check_definition(LLVMValueRef value) {
    const LLVMLinkage linkage = LLVMGetLinkage(value);
    if (LLVMGetSection(value) && *LLVMGetSection(value))
        submission_refuse(value, name_of(value), "a submission may not choose sections");
    if (linkage == LLVMWeakAnyLinkage || linkage == LLVMExternalWeakLinkage ||
        linkage == LLVMCommonLinkage)
        submission_refuse(value, name_of(value), "a submission may not define weak symbols");
}

static bool has_attribute(LLVMValueRef function, const char *name) {
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

/* True for an atomic operation on host threads, whose accesses are reported in another way. */
static bool is_watched(LLVMValueRef function) {
    return has_attribute(function, "sanitize_thread") ||
           strstr(name_of(function), "shflviz_atomic_on_worker");
}

/* A C++ function that is only declared is renamed to something that no library has, so that the
 * linker reports it as missing. */
static void leave_missing(LLVMValueRef function) {
    char name[4096];
    const int length = snprintf(name, sizeof name, "%s.missing", name_of(function));
    if (length < 0 || (size_t)length >= sizeof name)
        submission_refuse(function, "", "a submission may not have names that long");
    LLVMSetValueName2(function, name, (size_t)length);
}

static void check_function(const struct unit *u, LLVMValueRef function) {
    if (!LLVMIsDeclaration(function)) {
        check_definition(function);
        if (has_attribute(function, "naked") || (u->accesses && !is_watched(function)))
            submission_refuse(function, name_of(function),
                              "a submission may not hide its accesses to memory");
    } else if (begins_with(name_of(function), "_Z")) {
        leave_missing(function);
    } else if (u->no_memory && strcmp(name_of(function), "malloc") == 0 &&
               LLVMGetFirstUse(function)) {
        submission_refuse(user_of(function), "malloc",
                          "this exercise is to be solved without memory that lanes share");
    } else if (LLVMGetFirstUse(function) && !may_be_called(name_of(function))) {
        LLVMValueRef user = user_of(function);
        submission_refuse(user ? user : function, name_of(function),
                          "a submission may call only CUDA's device functions");
    }
}

/* Refuses the variable, because lanes could exchange values through it. */
static bool is_memory(LLVMValueRef variable) {
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
    return space == SPACE_SHARED || (space == SPACE_GLOBAL && !LLVMIsGlobalConstant(variable));
}

static void check_variable(const struct unit *u, LLVMValueRef variable) {
    const char *name = name_of(variable);
    if (strcmp(name, "llvm.global_ctors") == 0 || strcmp(name, "llvm.global_dtors") == 0)
        submission_refuse(variable, "",
                          "a submission may not have global constructors or destructors");
    if (begins_with(name, "llvm.") || (LLVMIsDeclaration(variable) && begins_with(name, "cpu_")))
        return;
    if (u->no_memory && is_memory(variable))
        submission_refuse(variable, name,
                          "this exercise is to be solved without memory that lanes share");
    if (!LLVMIsDeclaration(variable))
        check_definition(variable);
    else if (LLVMGetFirstUse(variable) &&
             LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != SPACE_SHARED) /* dynamic */
        submission_refuse(variable, name, "a submission may use only its own variables");
}

/* ---- threadIdx and its like, which are variables of the CPU warp ---- */

/* True if a function's source is the submission's: the test and our headers have other names. */
bool submission_owns(const struct unit *u, LLVMValueRef function) {
    LLVMMetadataRef about = LLVMGetSubprogram(function);
    LLVMMetadataRef file = about ? LLVMDIScopeGetFile(about) : NULL;
    unsigned length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";
    return !file || (length == strlen(u->submission) && strncmp(name, u->submission, length) == 0);
}

/* The opcode of an instruction or of a constant expression; LLVM's constants fold what they can. */
LLVMOpcode submission_opcode(LLVMValueRef value) {
    return LLVMIsAConstantExpr(value)  ? LLVMGetConstOpcode(value)
           : LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value)
                                       : LLVMUnreachable;
}

/* True for an instruction in a function that is not the submission's. */
static bool is_outside(const struct unit *u, LLVMValueRef user) {
    return LLVMIsAInstruction(user) &&
           !submission_owns(u, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
}

/* True if only a sanitizer uses an address as a number. */
static bool is_sanitizer_use(const struct unit *u, LLVMValueRef number) {
    for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const LLVMOpcode code = submission_opcode(user);
        const bool is = code == LLVMCall
                            ? begins_with(name_of(LLVMGetCalledValue(user)), "__ubsan_handle_")
                            : code == LLVMICmp || (code == LLVMAnd && is_sanitizer_use(u, user));
        if (!is && !is_outside(u, user))
            return false;
    }
    return true;
}

static void check_reading(const struct unit *u, LLVMValueRef pointer, unsigned depth);

/* True if it refers to a member of one of our types, and not to the memory after it. */
static bool is_member(LLVMValueRef access) {
    static const char *const types[] = {"struct.cpu_now", "struct.cpu_lane", "struct.uint3",
                                        "struct.dim3"};
    LLVMTypeRef type = LLVMGetGEPSourceElementType(access);
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    LLVMValueRef first = LLVMGetOperand(access, 1);
    for (size_t i = 0; name && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i]) == 0)
            return LLVMIsAConstantInt(first) && LLVMConstIntGetZExtValue(first) == 0;
    return false;
}

/* True for a copy of no more than the variable. */
static bool is_copy(LLVMValueRef user, LLVMValueRef pointer) {
    enum { BYTES = 12 };
    return LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) != pointer &&
           LLVMIsAConstantInt(LLVMGetOperand(user, 2)) &&
           LLVMConstIntGetZExtValue(LLVMGetOperand(user, 2)) <= BYTES;
}

/* True if the pointer is only used for copies. Before LLVM 15 pointers have types, so a copy uses a
 * cast pointer. */
static bool is_copied(const struct unit *u, LLVMValueRef pointer) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const LLVMOpcode code = submission_opcode(user);
        const bool is_cast = code == LLVMBitCast || code == LLVMAddrSpaceCast;
        if (!(is_cast ? is_copied(u, user) : is_copy(user, pointer)) && !is_outside(u, user))
            return false;
    }
    return true;
}

/* Checks one use of the pointer. With `depth`, a pointer that is read may itself be used to read,
 * that many times over. */
static bool is_reading(const struct unit *u, LLVMValueRef user, LLVMValueRef pointer,
                       unsigned depth) {
    LLVMTypeRef type = LLVMTypeOf(user);
    switch (submission_opcode(user)) {
    case LLVMGetElementPtr:
        check_reading(u, user, depth);
        return is_member(user);
    case LLVMAddrSpaceCast:
        check_reading(u, user, depth);
        return true;
    case LLVMBitCast:
        return is_copied(u, user);
    case LLVMLoad:
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && depth) {
            check_reading(u, user, depth - 1);
            return true;
        }
        return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 32;
    case LLVMPtrToInt:
        return is_sanitizer_use(u, user);
    default:
        return is_copy(user, pointer);
    }
}

/* The memory beside threadIdx belongs to the CPU warp, with values of other lanes in it: the
 * variable may be read, but its address may not escape. */
static void check_reading(const struct unit *u, LLVMValueRef pointer, unsigned depth) {
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!is_outside(u, user) && !is_reading(u, user, pointer, depth))
            submission_refuse(
                LLVMIsAInstruction(user) ? user : pointer, "",
                "a submission may read threadIdx and the like, but not take their address\n"
                "try: a copy of the number");
    }
}

void submission_check_module(struct unit *u) {
    static const char *const variables[] = {"cpu_now", "cpu_block_index", "cpu_block_dim",
                                            "cpu_grid_dim"};
    size_t length;
    if (LLVMGetModuleInlineAsm(u->module, &length) && length)
        fail("a submission may not contain machine code");
    if (LLVMGetFirstGlobalAlias(u->module) || LLVMGetFirstGlobalIFunc(u->module))
        fail("a submission may not define aliases of functions or variables");
    if (LLVMGetNamedMetadata(u->module, "llvm.linker.options", strlen("llvm.linker.options")) ||
        LLVMGetNamedMetadata(u->module, "llvm.dependent-libraries",
                             strlen("llvm.dependent-libraries")))
        fail("a submission may not link libraries");
    for (LLVMValueRef v = LLVMGetFirstGlobal(u->module); v; v = LLVMGetNextGlobal(v))
        check_variable(u, v);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        check_function(u, f);
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        LLVMValueRef variable = LLVMGetNamedGlobal(u->module, variables[i]);
        if (variable)
            check_reading(u, variable, i == 0);
    }
    if (u->no_memory)
        submission_check_memory(u);
}

void submission_check_calls(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMGetInstructionOpcode(i) == LLVMIndirectBr)
                    submission_refuse(i, "", "a submission may not jump to an address");
                if (LLVMGetInstructionOpcode(i) != LLVMCall)
                    continue;
                LLVMValueRef called = LLVMGetCalledValue(i);
                if (!LLVMIsAFunction(called) && !LLVMIsAInlineAsm(called))
                    submission_refuse(i, "", "a submission may not call a function by its address");
            }
}
