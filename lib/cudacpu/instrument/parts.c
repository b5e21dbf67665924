/*
 * parts.c - merges the device sides of several files, as nvlink does: functions and variables that
 * one file declares and another defines are joined; all others stay private to their file.
 */
#include "cudacpu/instrument/instrument.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The building blocks of kernels' calls (kernels.c): every file has the same ones. */
#define ROW "cudacpu_row_"

static LLVMValueRef find_named(LLVMModuleRef module, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    return function ? function : LLVMGetNamedGlobal(module, name);
}

/* True if another file declares it and does not define it. */
static bool is_wanted(const struct part *parts, size_t count, size_t own, const char *name) {
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef other = i == own ? NULL : find_named(parts[i].module, name);
        if (other && LLVMIsDeclaration(other))
            return true;
    }
    return false;
}

static bool is_local(LLVMValueRef value) {
    const LLVMLinkage linkage = LLVMGetLinkage(value);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static void add_origin(struct unit *u, struct origin origin) {
    u->origins = list_grow(u->origins, u->origin_count, sizeof *u->origins);
    u->origins[u->origin_count++] = origin;
}

/* Gives it a name that no other file has, which the linker keeps. The host's name for it is kept,
 * too. */
static void rename_own(struct unit *u, LLVMValueRef value, const char *module, size_t number) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    char *symbol = strndup(name, length), *linked = calloc(1, length + 32);
    snprintf(linked, length + 32, "%s.%zu", symbol, number);
    LLVMSetValueName2(value, linked, strlen(linked));
    add_origin(u, (struct origin){linked, symbol, module});
}

static void take_own(struct unit *u, const struct part *parts, size_t count, size_t number,
                     LLVMValueRef value) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (LLVMIsDeclaration(value) || length == 0 || strncmp(name, "llvm.", strlen("llvm.")) == 0 ||
        strncmp(name, ROW, strlen(ROW)) == 0 || LLVMGetLinkage(value) == LLVMPrivateLinkage)
        return;
    const bool wanted = !is_local(value) && is_wanted(parts, count, number, name);
    LLVMSetComdat(value, NULL);
    if (!wanted) {
        LLVMSetLinkage(value, LLVMExternalLinkage); /* otherwise it would not be linked in */
        LLVMSetVisibility(value, LLVMDefaultVisibility);
        rename_own(u, value, parts[number].name, number);
    } else { /* keeps its name, for all files */
        char *symbol = strndup(name, length);
        add_origin(u, (struct origin){symbol, symbol, parts[number].name});
    }
}

void parts_link(struct unit *u, struct part *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        LLVMModuleRef module = parts[i].module;
        for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
            take_own(u, parts, count, i, v);
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
            take_own(u, parts, count, i, f);
    }
    u->module = parts[0].module;
    for (size_t i = 1; i < count; i++)
        if (LLVMLinkModules2(u->module, parts[i].module))
            fail("%s cannot be linked with the files before it", parts[i].name);
}

struct origin origin_of(const struct unit *u, LLVMValueRef value) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    for (size_t i = 0; i < u->origin_count; i++)
        if (strcmp(u->origins[i].linked, name) == 0)
            return u->origins[i];
    return (struct origin){NULL, (char *)name, u->name};
}
