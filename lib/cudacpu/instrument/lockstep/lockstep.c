/*
 * Decides for each kernel, because a launch chooses a version of the whole kernel: everything a
 * kernel calls is analysed with it, and functions whose callers are unknown are treated as called
 * by every kernel.
 */
#include "cudacpu/instrument/lockstep/lockstep.h"

#include "cudacpu/instrument/lockstep/reliance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The results for a function of the file. */
struct known {
    LLVMValueRef function;
    struct kernel *kernel; /* NULL if it is not a kernel */
    struct touches touches;
    uint64_t relies;  /* the function's arrays at which it, or a callee, relies on lanes in step */
    uint64_t if_same; /* the same if its arguments are one array */
    bool is_done;
    bool keeps_shared, keeps_global; /* called by a kernel that relies on lanes in step */
};

struct search {
    struct unit *u;
    struct known *known;
    size_t count;
};

static struct known *find_known(struct search *s, LLVMValueRef function) {
    for (size_t i = 0; i < s->count; i++)
        if (s->known[i].function == function)
            return &s->known[i];
    return NULL;
}

/* ---- functions, callees first ---- */

static const struct touches *analyse(void *context, LLVMValueRef function);

/* Adds the results of its callees. */
static void add_called(struct search *s, struct known *k) {
    LLVMValueRef f = k->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            struct known *to = LLVMIsACallInst(i) ? find_known(s, LLVMGetCalledValue(i)) : NULL;
            if (!to || !to->is_done)
                continue;
            k->relies |= touches_from_callee(&k->touches, i, &to->touches, to->relies);
            k->if_same |= touches_from_callee(&k->touches, i, &to->touches, to->if_same);
        }
}

/* NULL while the function is being analysed, because it calls itself. */
static const struct touches *analyse(void *context, LLVMValueRef function) {
    struct search *s = context;
    struct known *k = find_known(s, function);
    if (!k || (!k->is_done && k->touches.function))
        return NULL;
    if (k->is_done)
        return &k->touches;
    touches_find(&k->touches, s->u, function, k->kernel != NULL, analyse, s);
    k->relies = reliance_find(&k->touches, false);
    k->if_same = reliance_find(&k->touches, true);
    add_called(s, k);
    k->if_same &= ~k->relies & roots_parameters(&k->touches.roots);
    k->is_done = true;
    return &k->touches;
}

static bool is_of_runtime(LLVMValueRef function) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return strncmp(name, "cpu_", 4) == 0 || strncmp(name, "cudacpu_", 8) == 0;
}

static void analyse_all(struct search *s) {
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(s->u->module); f; f = LLVMGetNextFunction(f))
        count += !LLVMIsDeclaration(f) && !is_of_runtime(f);
    s->known = calloc(count + 1, sizeof *s->known);
    for (LLVMValueRef f = LLVMGetFirstFunction(s->u->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || is_of_runtime(f))
            continue;
        struct known *k = &s->known[s->count++];
        k->function = f;
        for (size_t i = 0; i < s->u->kernel_count; i++)
            k->kernel = s->u->kernels[i].function == f ? &s->u->kernels[i] : k->kernel;
    }
    for (size_t i = 0; i < s->count; i++)
        analyse(s, s->known[i].function);
}

/* ---- kernels ---- */

/* Functions with unknown callers, because their address is taken. */
static bool is_pointed_to(LLVMValueRef function) {
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!LLVMIsACallInst(LLVMGetUser(use)) || LLVMGetCalledValue(LLVMGetUser(use)) != function)
            return true;
    return false;
}

static void keep_called(struct search *s, LLVMValueRef f, bool shared, bool global) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            struct known *to = LLVMIsACallInst(i) ? find_known(s, LLVMGetCalledValue(i)) : NULL;
            if (!to || ((to->keeps_shared || !shared) && (to->keeps_global || !global)))
                continue;
            to->keeps_shared = to->keeps_shared || shared;
            to->keeps_global = to->keeps_global || global;
            keep_called(s, to->function, shared, global);
        }
}

static void note_kernel(struct search *s, const struct known *k) {
    const struct roots *roots = &k->touches.roots;
    struct kernel *kernel = k->kernel;
    bool shared = k->relies & roots_shared(roots), global = k->relies & roots_global(roots);
    for (size_t i = 0; i < s->count; i++) /* any kernel may call these */
        if (!s->known[i].kernel && is_pointed_to(s->known[i].function) && s->known[i].relies)
            shared = global = true;
    kernel->relies_shared = shared;
    kernel->relies_global = global;
    kernel->if_same = k->if_same != 0;
    keep_called(s, k->function, shared, global || kernel->if_same);
}

/* ---- calls before accesses ---- */

static LLVMValueRef hook_of(struct unit *u, const struct touch *touch) {
    const long long size = touch->size;
    const bool is_one = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
    LLVMTypeRef types[] = {LLVMPointerType(LLVMInt8TypeInContext(u->context), 0),
                           LLVMInt64TypeInContext(u->context)};
    char name[64];
    if (is_one)
        snprintf(name, sizeof name, "__tsan_%s%lld", touch->writes ? "write" : "read", size);
    else
        snprintf(name, sizeof name, "__tsan_%s_range", touch->writes ? "write" : "read");
    LLVMValueRef hook = LLVMGetNamedFunction(u->module, name);
    if (hook)
        return hook;
    return LLVMAddFunction(
        u->module, name,
        LLVMFunctionType(LLVMVoidTypeInContext(u->context), types, is_one ? 1 : 2, false));
}

static LLVMValueRef pointer_of(const struct touch *touch) {
    if (LLVMIsACallInst(touch->at))
        return LLVMGetOperand(touch->at, !touch->writes);
    return LLVMGetOperand(touch->at, LLVMGetInstructionOpcode(touch->at) == LLVMStore);
}

static void add_call(struct unit *u, const struct touch *touch) {
    LLVMValueRef hook = hook_of(u, touch);
    LLVMTypeRef type = LLVMGlobalGetValueType(hook);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, touch->at);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(touch->at));
    LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(hook, 0));
    LLVMValueRef to = pointer_of(touch), arguments[2];
    arguments[0] = LLVMGetPointerAddressSpace(LLVMTypeOf(to))
                       ? LLVMBuildAddrSpaceCast(b, to, wanted, "")
                       : LLVMBuildPointerCast(b, to, wanted, "");
    if (LLVMCountParams(hook) == 2) {
        LLVMTypeRef word = LLVMInt64TypeInContext(u->context);
        arguments[1] = LLVMIsACallInst(touch->at)
                           ? LLVMBuildZExtOrBitCast(b, LLVMGetOperand(touch->at, 2), word, "")
                           : LLVMConstInt(word, (unsigned long long)touch->size, false);
    }
    LLVMBuildCall2(b, type, hook, arguments, LLVMCountParams(hook), "");
    LLVMDisposeBuilder(b);
}

static void add_calls(struct unit *u, const struct known *k) {
    uint64_t roots = k->kernel ? k->relies | k->if_same : 0;
    if (k->keeps_shared)
        roots |= roots_shared(&k->touches.roots);
    if (k->keeps_global)
        roots |= roots_global(&k->touches.roots);
    if (k->kernel && k->kernel->relies_shared && !k->relies) /* in an unknown array */
        roots = ROOT_ARRAYS;
    for (size_t i = 0; i < k->touches.count; i++) {
        const struct touch *touch = &k->touches.touch[i];
        if (touch->roots & roots && !touch->is_call && !touch->is_volatile)
            add_call(u, touch);
    }
}

void lockstep_find(struct unit *u) {
    struct search s = {.u = u};
    analyse_all(&s);
    for (size_t i = 0; i < s.count; i++)
        if (s.known[i].kernel)
            note_kernel(&s, &s.known[i]);
    for (size_t i = 0; i < s.count; i++) {
        if (!u->accesses) /* otherwise all accesses are reported */
            add_calls(u, &s.known[i]);
        touches_release(&s.known[i].touches);
    }
    free(s.known);
}

void lockstep_print(const struct unit *u) {
    for (size_t i = 0; i < u->kernel_count; i++) {
        const struct kernel *kernel = &u->kernels[i];
        size_t length;
        const char *name = LLVMGetValueName2(kernel->function, &length);
        printf("%.*s:%s%s%s\n", (int)length, name, kernel->relies_shared ? " shared" : "",
               kernel->relies_global ? " global" : "", kernel->if_same ? " if_same" : "");
    }
}

/* ---- kernels without calls ---- */

static bool is_hook(LLVMValueRef instruction) {
    size_t length;
    if (!LLVMIsACallInst(instruction) || !LLVMIsAFunction(LLVMGetCalledValue(instruction)))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
    return strncmp(name, "__tsan_read", 11) == 0 || strncmp(name, "__tsan_write", 12) == 0;
}

void lockstep_strip(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_hook(i))
                LLVMInstructionEraseFromParent(i);
        }
}
