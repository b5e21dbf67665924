/*
 * Each function that is shown is copied, and only the copy reports. The debugging information
 * describes the variables; its declarations are turned into calls.
 */
#include "cudacpu/instrument/lines/lines.h"
#include "cudacpu/instrument/lines/words.h"
#include "cudacpu/instrument/origins/origins.h"

#include <dlfcn.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Suffix of the reporting function's name. */
#define SHOWN ".shown"
/* A kernel with more than this is not shown: a lane's stack has room for a GPU's 512 KiB only
 * once. */
#define FRAME_MOST (64u << 10)

/* ---- two of each function ---- */

/* While two modules are linked, everything they share needs a name and external linkage. */
struct linkage {
    LLVMValueRef value;
    LLVMLinkage linkage;
};

static bool begins_with(LLVMValueRef value, const char *begin) {
    size_t length;
    return strncmp(LLVMGetValueName2(value, &length), begin, strlen(begin)) == 0;
}

static struct linkage *expose(struct linkage *list, size_t *count, LLVMValueRef value) {
    size_t length;
    char name[64];
    if (LLVMIsDeclaration(value) || begins_with(value, "llvm."))
        return list;
    LLVMGetValueName2(value, &length);
    snprintf(name, sizeof name, "cpu_line_shared_%zu", *count);
    if (length == 0)
        LLVMSetValueName2(value, name, strlen(name));
    list = list_grow(list, *count, sizeof *list);
    list[(*count)++] = (struct linkage){value, LLVMGetLinkage(value)};
    LLVMSetLinkage(value, LLVMExternalLinkage);
    return list;
}

static struct linkage *expose_all(LLVMModuleRef module, size_t *count) {
    struct linkage *list = NULL;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        list = expose(list, count, v);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        list = expose(list, count, f);
    return list;
}

/* The name of the function's second version, to be freed. */
static char *shown_name(LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    char *longer = malloc(length + sizeof SHOWN);
    if (!longer)
        fail("out of memory");
    memcpy(longer, name, length);
    memcpy(longer + length, SHOWN, sizeof SHOWN);
    return longer;
}

static void rename_function(LLVMValueRef function) {
    char *longer = shown_name(function);
    LLVMSetValueName2(function, longer, strlen(longer));
    free(longer);
}

/* The copy calls renamed functions, and shares the variables. */
static void prepare_copy(LLVMModuleRef copy) {
    for (LLVMValueRef v = LLVMGetFirstGlobal(copy), next; v; v = next) {
        next = LLVMGetNextGlobal(v);
        if (begins_with(v, "llvm."))
            LLVMDeleteGlobal(v);
        else if (!LLVMIsDeclaration(v))
            LLVMSetInitializer(v, NULL);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(copy); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            LLVMSetComdat(f, NULL); /* a template's comdat belongs to the first version */
            rename_function(f);
        }
}

/* ---- functions that report ---- */

static bool is_shown(LLVMMetadataRef about, char **files, size_t count) {
    unsigned length;
    LLVMMetadataRef file = about ? LLVMDIScopeGetFile(about) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    for (size_t i = 0; name && i < count; i++)
        if (strlen(files[i]) == length && strncmp(files[i], name, length) == 0)
            return true;
    return false;
}

/*
 * Since LLVM 21 a variable is declared by a record beside the instructions. The C API of 21 cannot
 * read one, so the function that turns records into calls is called by its C++ name: an
 * LLVMValueRef is the address of a Function.
 */
static void make_calls_for_variables(LLVMValueRef function) {
    void (*convert)(LLVMValueRef function) = NULL;
    if (llvm_version() < 21)
        return;
    *(void **)&convert = dlsym(RTLD_DEFAULT, "_ZN4llvm8Function23convertFromNewDbgValuesEv");
    if (!convert)
        fail("LLVM %d gives no access to local variables; LLVM 14 to 22 do", llvm_version());
    convert(function);
}

/* The passes that follow do not expect such calls where records are used. */
static void drop_calls_for_variables(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsACallInst(i) && begins_with(LLVMGetCalledValue(i), "llvm.dbg."))
                LLVMInstructionEraseFromParent(i);
        }
}

static void make_reporting(struct unit *u, LLVMModuleRef copy, char **files, size_t count) {
    LLVMModuleRef outer = u->module;
    u->module = copy;
    for (LLVMValueRef f = LLVMGetFirstFunction(copy); f; f = LLVMGetNextFunction(f)) {
        struct line_function told = {.u = u, .function = f, .about = LLVMGetSubprogram(f)};
        if (LLVMIsDeclaration(f))
            continue;
        make_calls_for_variables(f);
        struct origin_function *origins = u->tells_origins ? origins_note(u, f) : NULL;
        const bool shown = is_shown(told.about, files, count);
        if (shown) {
            lines_find_variables(&told);
            lines_insert_calls(&told);
            lines_release(&told);
        }
        if (origins)
            origins_track(origins, shown);
        drop_calls_for_variables(f);
    }
    u->module = outer;
}

/* ---- kernels ---- */

static void move_allocas(LLVMBasicBlockRef from, LLVMBuilderRef to) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(from), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!LLVMIsAAllocaInst(i))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(to, i);
    }
}

static void call_shown(struct unit *u, LLVMBuilderRef b, LLVMValueRef kernel, LLVMValueRef shown) {
    const unsigned count = LLVMCountParams(kernel);
    const unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    LLVMValueRef *arguments = calloc(count + 1, sizeof *arguments);
    LLVMGetParams(kernel, arguments);
    for (unsigned i = 0; i < count; i++) { /* linking may have renamed a struct */
        LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(shown, i));
        if (LLVMTypeOf(arguments[i]) != wanted)
            arguments[i] = LLVMBuildPointerCast(b, arguments[i], wanted, "");
    }
    LLVMValueRef call =
        LLVMBuildCall2(b, LLVMGlobalGetValueType(shown), shown, arguments, count, "");
    for (unsigned i = 0; i < count; i++)
        if (byval_type(kernel, i))
            LLVMAddCallSiteAttribute(call, i + 1, LLVMGetEnumAttributeAtIndex(shown, i + 1, kind));
    LLVMBuildRetVoid(b);
    free(arguments);
    (void)u;
}

/* Bytes of the kernel's variables. They stay allocated while the other version runs, which needs
   the same number. */
static unsigned long long frame_bytes(struct unit *u, LLVMValueRef kernel) {
    unsigned long long bytes = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)); i;
         i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i))
            bytes += LLVMABISizeOfType(u->layout, LLVMGetAllocatedType(i));
    return bytes;
}

/* Makes the kernel first ask whether its lane is shown. */
static void ask(struct unit *u, LLVMValueRef kernel, LLVMValueRef shown) {
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(kernel);
    LLVMBasicBlockRef begin = LLVMInsertBasicBlockInContext(u->context, first, "");
    LLVMBasicBlockRef tells = LLVMAppendBasicBlockInContext(u->context, kernel, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMTypeRef answer = LLVMInt32TypeInContext(u->context);
    LLVMTypeRef type = LLVMFunctionType(answer, NULL, 0, false);
    LLVMValueRef asked = LLVMGetNamedFunction(u->module, "cpu_lines_shown");
    if (!asked)
        asked = LLVMAddFunction(u->module, "cpu_lines_shown", type);
    LLVMPositionBuilderAtEnd(b, begin);
    move_allocas(first, b);
    if (LLVMGetSubprogram(kernel))
        LLVMSetCurrentDebugLocation2(
            b, LLVMDIBuilderCreateDebugLocation(u->context, 0, 0, LLVMGetSubprogram(kernel), NULL));
    LLVMValueRef is = LLVMBuildCall2(b, type, asked, NULL, 0, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, is, LLVMConstNull(answer), ""), tells, first);
    LLVMPositionBuilderAtEnd(b, tells);
    call_shown(u, b, kernel, shown);
    LLVMDisposeBuilder(b);
}

static LLVMValueRef shown_of(struct unit *u, LLVMValueRef kernel) {
    char *longer = shown_name(kernel);
    LLVMValueRef shown = LLVMGetNamedFunction(u->module, longer);
    free(longer);
    return shown;
}

void lines_report(struct unit *u, char **files, size_t count) {
    size_t shared = 0;
    struct linkage *linkages = expose_all(u->module, &shared);
    LLVMModuleRef copy = LLVMCloneModule(u->module);
    prepare_copy(copy);
    make_reporting(u, copy, files, count);
    LLVMValueRef last = LLVMGetLastFunction(u->module);
    if (LLVMLinkModules2(u->module, copy))
        fail("functions that report their lines cannot be linked");
    for (size_t i = 0; i < shared; i++)
        LLVMSetLinkage(linkages[i].value, linkages[i].linkage);
    free(linkages);
    for (LLVMValueRef f = LLVMGetNextFunction(last); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            LLVMSetComdat(f, NULL);
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
    for (size_t i = 0; i < u->kernel_count; i++) {
        LLVMValueRef kernel = u->kernels[i].function, shown = shown_of(u, kernel);
        if (!shown || LLVMIsDeclaration(kernel) || frame_bytes(u, kernel) > FRAME_MOST)
            continue;
        add_attribute(u, shown, "noinline");
        ask(u, kernel, shown);
    }
}
