/*
 * Turns the address spaces and the linkage of device code into those of a CPU: variables get the
 * space and the section in which the runtime expects them, and names are hidden where device and
 * host code have the same ones.
 */
#include "cudacpu/instrument/instrument.h"

#include <llvm-c/Comdat.h>

#include "cudacpu/observe/access_file.h"
#include "simt/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Address spaces of NVPTX (LLVM's NVPTXUsage, "Address Spaces"). The CPU has only one, so pointers
 * into all of them are alike and only the variables themselves change. */
enum { SPACE_GENERIC = 0, SPACE_GLOBAL = 1, SPACE_SHARED = 3, SPACE_CONSTANT = 4 };

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The CPU warp's data for each host thread (simt/lane.h): C++ for a GPU cannot declare it
 * thread-local. */
static bool is_thread_local(LLVMValueRef variable) {
    size_t length;
    return LLVMIsDeclaration(variable) && begins_with(LLVMGetValueName2(variable, &length), "cpu_");
}

static LLVMTypeRef byte(struct unit *u) {
    return LLVMInt8TypeInContext(u->context);
}

/* A variable that all files of the program define identically. */
static LLVMValueRef define_weak(struct unit *u, const char *name, LLVMValueRef value) {
    LLVMValueRef variable = LLVMAddGlobal(u->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(variable, value);
    LLVMSetLinkage(variable, LLVMWeakAnyLinkage);
    return variable;
}

/* The area of dynamic shared memory, as large as it may be (simt/runtime.h). */
static LLVMValueRef dynamic_area(struct unit *u) {
    static const char name[] = "cpu_dynamic_shared", size_name[] = "cpu_dynamic_shared_bytes";
    LLVMValueRef area = LLVMGetNamedGlobal(u->module, name);
    LLVMTypeRef type = LLVMArrayType(byte(u), CPU_SHARED_BYTES);
    if (area && !LLVMIsDeclaration(area))
        return area;
    LLVMValueRef defined = define_weak(u, "", LLVMConstNull(type));
    LLVMSetAlignment(defined, 128);
    LLVMSetThreadLocalMode(defined, LLVMLocalExecTLSModel);
    if (area) {
        LLVMReplaceAllUsesWith(area, LLVMConstAddrSpaceCast(defined, LLVMTypeOf(area)));
        LLVMDeleteGlobal(area);
    }
    LLVMSetValueName2(defined, name, strlen(name));
    LLVMValueRef bytes = LLVMGetNamedGlobal(u->module, size_name);
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(u->context), CPU_SHARED_BYTES, false);
    LLVMValueRef size = define_weak(u, "", number);
    if (bytes) {
        LLVMReplaceAllUsesWith(bytes, LLVMConstAddrSpaceCast(size, LLVMTypeOf(bytes)));
        LLVMDeleteGlobal(bytes);
    }
    LLVMSetValueName2(size, size_name, strlen(size_name));
    return defined;
}

/* Notes the variable's name, for recorded accesses. */
static void note_shared(struct unit *u, LLVMValueRef variable, LLVMValueRef address,
                        unsigned long long size) {
    u->shared = list_grow(u->shared, u->shared_count, sizeof *u->shared);
    struct shared_name *told = &u->shared[u->shared_count++];
    *told = (struct shared_name){.address = address, .size = size};
    told->name = variable_name(u, variable, &told->element);
    told->shape = variable_shape(u, variable);
}

/* An array without a size is dynamic shared memory, under whatever name (Programming Guide,
 * "__shared__"). */
static void lower_dynamic(struct unit *u, LLVMValueRef variable) {
    if (u->one_thread || u->tells_origins)
        note_shared(u, variable, NULL, 0);
    LLVMReplaceAllUsesWith(variable, LLVMConstAddrSpaceCast(dynamic_area(u), LLVMTypeOf(variable)));
}

/* The same variable without an address space, placed after all others of the file. */
static LLVMValueRef lower(struct unit *u, LLVMValueRef variable) {
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    LLVMValueRef lowered = LLVMAddGlobal(u->module, type, "");
    size_t length, count;
    const char *text = LLVMGetValueName2(variable, &length);
    char *name = strndup(text, length);
    LLVMSetInitializer(lowered, LLVMGetInitializer(variable));
    LLVMSetAlignment(lowered, LLVMGetAlignment(variable));
    LLVMSetLinkage(lowered, LLVMGetLinkage(variable));
    if (LLVMGetSection(variable))
        LLVMSetSection(lowered, LLVMGetSection(variable));
    LLVMSetGlobalConstant(lowered, LLVMIsGlobalConstant(variable));
    LLVMValueMetadataEntry *about = LLVMGlobalCopyAllMetadata(variable, &count);
    for (size_t i = 0; i < count; i++)
        LLVMGlobalSetMetadata(lowered, LLVMValueMetadataEntriesGetKind(about, (unsigned)i),
                              LLVMValueMetadataEntriesGetMetadata(about, (unsigned)i));
    LLVMDisposeValueMetadataEntries(about);
    LLVMReplaceAllUsesWith(variable, LLVMConstAddrSpaceCast(lowered, LLVMTypeOf(variable)));
    LLVMDeleteGlobal(variable);
    LLVMSetValueName2(lowered, name, length);
    free(name);
    return lowered;
}

static void lower_shared(struct unit *u, LLVMValueRef variable) {
    LLVMValueRef shared = lower(u, variable);
    LLVMSetSection(shared, SHARED_SECTION);
    LLVMSetInitializer(shared, LLVMConstNull(LLVMGlobalGetValueType(shared)));
    LLVMSetLinkage(shared, LLVMInternalLinkage);
    if (u->one_thread || u->tells_origins)
        note_shared(u, shared, shared,
                    LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(shared)));
    if (!u->one_thread)
        LLVMSetThreadLocalMode(shared, LLVMLocalExecTLSModel);
}

/* Keeps the variable although nothing refers to it. */
static void keep(struct unit *u, LLVMValueRef variable) {
    static unsigned count;
    char name[64];
    const int length = snprintf(name, sizeof name, "cudacpu.%.32s.%u", u->name, count++);
    LLVMSetValueName2(variable, name, (size_t)length);
    LLVMSetLinkage(variable, LLVMWeakAnyLinkage);
}

/* Padding around a file's variables, so that an access beyond them is found
 * (observe/access_file.h). */
static void add_gap(struct unit *u) {
    LLVMTypeRef type = LLVMArrayType(byte(u), ACCESS_SHARED_GAP);
    LLVMValueRef gap = LLVMAddGlobal(u->module, type, "");
    LLVMSetInitializer(gap, LLVMConstNull(type));
    LLVMSetSection(gap, SHARED_SECTION);
    LLVMSetAlignment(gap, 16);
    keep(u, gap);
}

static LLVMValueRef linker_name(struct unit *u, const char *name) {
    LLVMValueRef end = LLVMAddGlobal(u->module, byte(u), name);
    LLVMSetLinkage(end, LLVMExternalWeakLinkage);
    return end;
}

/* cpu_shared_sections[][2] and cpu_shared_by_thread (simt/runtime.c). */
static void define_sections(struct unit *u) {
    LLVMValueRef from = linker_name(u, "__start_" SHARED_SECTION);
    LLVMValueRef to = linker_name(u, "__stop_" SHARED_SECTION);
    LLVMTypeRef word = LLVMInt64TypeInContext(u->context);
    LLVMValueRef gap = LLVMConstInt(word, u->one_thread ? ACCESS_SHARED_GAP : 0, false);
    LLVMValueRef ends[] = {LLVMConstAdd(LLVMConstPtrToInt(from, word), gap),
                           LLVMConstSub(LLVMConstPtrToInt(to, word), gap)};
    LLVMValueRef none[] = {LLVMConstNull(word), LLVMConstNull(word)};
    LLVMValueRef rows[] = {LLVMConstArray(word, ends, 2), LLVMConstArray(word, none, 2)};
    define_weak(u, "cpu_shared_sections", LLVMConstArray(LLVMTypeOf(rows[0]), rows, 2));
    define_weak(u, "cpu_shared_by_thread",
                LLVMConstInt(LLVMInt32TypeInContext(u->context), !u->one_thread, false));
}

/* The variables that the host may name and, for constants, write. */
static void lower_named(struct unit *u, LLVMValueRef variable, unsigned space) {
    const LLVMLinkage linkage = LLVMGetLinkage(variable);
    LLVMValueRef lowered = lower(u, variable);
    if (linkage == LLVMPrivateLinkage)
        return;
    if (space == SPACE_CONSTANT) /* a submission without memory must not write it */
        LLVMSetGlobalConstant(lowered, u->no_memory);
    if (space == SPACE_CONSTANT && u->no_memory)
        return;
    LLVMSetExternallyInitialized(lowered, true);
    u->variables = list_grow(u->variables, u->variable_count, sizeof *u->variables);
    u->variables[u->variable_count++] = lowered;
}

static void lower_one(struct unit *u, LLVMValueRef variable) {
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
    if (is_thread_local(variable))
        LLVMSetThreadLocalMode(variable, LLVMLocalExecTLSModel);
    else if (space == SPACE_SHARED && LLVMIsDeclaration(variable))
        lower_dynamic(u, variable);
    else if (space == SPACE_SHARED)
        lower_shared(u, variable);
    else if (space != SPACE_GENERIC && !LLVMIsDeclaration(variable))
        lower_named(u, variable, space);
}

void spaces_lower(struct unit *u) {
    LLVMValueRef last = LLVMGetLastGlobal(u->module);
    if (u->one_thread)
        add_gap(u);
    for (LLVMValueRef v = LLVMGetFirstGlobal(u->module), next; v; v = next) {
        next = v == last ? NULL : LLVMGetNextGlobal(v);
        lower_one(u, v);
    }
    if (u->one_thread) {
        add_gap(u);
        dynamic_area(u);
    }
    define_sections(u);
}

static void hide(LLVMValueRef value) {
    size_t length;
    if (LLVMIsDeclaration(value) || LLVMGetLinkage(value) == LLVMWeakAnyLinkage ||
        begins_with(LLVMGetValueName2(value, &length), "llvm."))
        return;
    LLVMSetComdat(value, NULL);
    LLVMSetLinkage(value, LLVMInternalLinkage);
    LLVMSetVisibility(value, LLVMDefaultVisibility);
}

/* C functions on the CPU pass objects differently from those of a GPU, so the runtime's functions
 * for kernels take pointers. */
static void check_call(LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (!LLVMIsDeclaration(function) || !LLVMGetFirstUse(function) || begins_with(name, "llvm."))
        return;
    const LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    bool is_object = kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        is_object = is_object || byval_type(function, i);
    if (is_object)
        fail("%s() is not on the CPU for kernels: it takes or returns an object", name);
}

static bool is_kernel(const struct unit *u, LLVMValueRef function) {
    for (size_t i = 0; i < u->kernel_count; i++)
        if (u->kernels[i].function == function)
            return true;
    return false;
}

/* True if code uses it, even through a constant expression; uses in other variables do not run. */
static bool is_used_by_code(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAConstant(user) || (!LLVMIsAGlobalValue(user) && is_used_by_code(user)))
            return true;
    }
    return false;
}

void host_functions_drop(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) &&
            !begins_with(LLVMGetValueName2(f, &length), "llvm.") && !is_used_by_code(f))
            LLVMReplaceAllUsesWith(f, LLVMConstNull(LLVMTypeOf(f)));
    }
}

void functions_hide(struct unit *u) {
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (!is_kernel(u, f))
            hide(f);
}

void names_hide(struct unit *u) {
    for (LLVMValueRef v = LLVMGetFirstGlobal(u->module); v; v = LLVMGetNextGlobal(v))
        hide(v);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        hide(f);
        check_call(f);
    }
}
