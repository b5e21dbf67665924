/*
 * Follows a pointer back through the values from which it is computed. Where that leads out of the
 * function or through unknown memory, the answer is "any array", which is safe: it only costs
 * speed.
 */
#include "cudacpu/instrument/lockstep/roots.h"

#include "cudacpu/instrument/lockstep/address.h"

#include <string.h>

#define SEEN_MOST 128

struct walk {
    struct roots *roots;
    LLVMValueRef seen[SEEN_MOST]; /* so that the search ends when pointers form a loop */
    unsigned count;
    bool is_list; /* a pointer loaded through it leads back to it */
};

static uint64_t walk_pointer(struct walk *w, LLVMValueRef pointer);

static uint64_t add_root(struct roots *roots, struct root root) {
    for (unsigned i = 0; i < roots->count; i++)
        if (roots->root[i].value == root.value && roots->root[i].parents == root.parents &&
            roots->root[i].offset == root.offset)
            return UINT64_C(1) << i;
    if (roots->count == ROOTS_MOST)
        return ROOT_UNKNOWN;
    roots->root[roots->count] = root;
    return UINT64_C(1) << roots->count++;
}

uint64_t roots_of_value(struct roots *roots, LLVMValueRef value) {
    const bool is_given = LLVMIsAArgument(value) != NULL;
    const bool is_dynamic = value_is_named(value, "cpu_dynamic_shared");
    const char *section = LLVMIsAGlobalVariable(value) ? LLVMGetSection(value) : NULL;
    return add_root(
        roots,
        (struct root){.value = value,
                      .is_shared = is_dynamic || (section && strcmp(section, SHARED_SECTION) == 0),
                      .is_generic = is_given && !roots->is_kernel,
                      .is_parameter = is_given});
}

uint64_t roots_loaded(struct roots *roots, uint64_t parents, long long offset) {
    uint64_t found = parents & (ROOT_RUNTIME | ROOT_UNKNOWN);
    bool is_parameter = false;
    /* Everything that a linked list leads to counts as one array. */
    for (unsigned i = 0; i < roots->count; i++)
        if (parents >> i & 1 && !roots->root[i].value)
            return found | (UINT64_C(1) << i);
    for (unsigned i = 0; i < roots->count; i++)
        is_parameter = is_parameter || (parents >> i & 1 && roots->root[i].is_parameter);
    parents &= ROOT_RUNTIME - 1;
    if (parents)
        found |= add_root(roots, (struct root){.parents = parents,
                                               .offset = offset,
                                               .is_generic = !roots->is_kernel,
                                               .is_parameter = is_parameter});
    return found;
}

static bool has_seen(struct walk *w, LLVMValueRef value) {
    for (unsigned i = 0; i < w->count; i++)
        if (w->seen[i] == value)
            return true;
    if (w->count == SEEN_MOST)
        return false;
    w->seen[w->count++] = value;
    return false;
}

/* ---- pointers in memory ---- */

static bool is_called(LLVMValueRef call, const char *begin) {
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), begin, strlen(begin)) == 0;
}

static bool is_copy(LLVMValueRef call) {
    return is_called(call, "llvm.memcpy") || is_called(call, "llvm.memmove");
}

static bool is_intrinsic(LLVMValueRef call) {
    return is_called(call, "llvm.");
}

/* The roots of everything that the function stores at an address on the lane's own stack. */
static uint64_t walk_stored(struct walk *w, LLVMValueRef at) {
    uint64_t found = 0;
    if (has_seen(w, at))
        return 0;
    for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const LLVMOpcode code = value_opcode(user);
        if (code == LLVMGetElementPtr || code == LLVMBitCast || code == LLVMAddrSpaceCast ||
            code == LLVMPHI || code == LLVMSelect)
            found |= walk_stored(w, user);
        else if (code == LLVMStore && LLVMGetOperand(user, 0) == at)
            found |= ROOT_UNKNOWN;
        else if (code == LLVMStore)
            found |= walk_pointer(w, LLVMGetOperand(user, 0));
        else if (code == LLVMCall && is_copy(user) && LLVMGetOperand(user, 0) == at)
            found |= roots_loaded(w->roots, walk_pointer(w, LLVMGetOperand(user, 1)), ROOT_ANY);
        else if (code == LLVMCall && !is_intrinsic(user))
            found |= ROOT_UNKNOWN;
    }
    return found;
}

static uint64_t walk_load(struct walk *w, LLVMValueRef load) {
    struct address from;
    address_read(w->roots->unit, LLVMGetOperand(load, 0), &from);
    if (value_opcode(from.base) == LLVMAlloca)
        return walk_stored(w, from.base);
    const uint64_t parents = LLVMIsAArgument(from.base) ? roots_of_value(w->roots, from.base)
                                                        : walk_pointer(w, from.base);
    w->is_list = w->is_list || !parents;
    return roots_loaded(w->roots, parents, from.terms || !from.is_known ? ROOT_ANY : from.offset);
}

/* ---- pointers ---- */

static bool is_by_value(LLVMValueRef parameter) {
    LLVMValueRef function = LLVMGetParamParent(parameter);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == parameter)
            return byval_type(function, i) != NULL;
    return false;
}

static uint64_t walk_variable(struct walk *w, LLVMValueRef variable) {
    size_t length;
    const char *name = LLVMGetValueName2(variable, &length);
    if (strncmp(name, "cpu_", 4) == 0 && !value_is_named(variable, "cpu_dynamic_shared"))
        return ROOT_RUNTIME;
    return roots_of_value(w->roots, variable);
}

static uint64_t walk_operands(struct walk *w, LLVMValueRef value, unsigned from) {
    uint64_t found = 0;
    if (has_seen(w, value))
        return 0;
    for (unsigned i = from; i < (unsigned)LLVMGetNumOperands(value); i++)
        found |= walk_pointer(w, LLVMGetOperand(value, i));
    return found;
}

static uint64_t walk_call(struct walk *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (value_is_named(callee, "cpu_thread_dynamic_shared")) {
        LLVMValueRef area = LLVMGetNamedGlobal(w->roots->unit->module, "cpu_dynamic_shared");
        return area ? roots_of_value(w->roots, area) : ROOT_UNKNOWN;
    }
    if (is_intrinsic(call) && LLVMGetNumOperands(call) > 1)
        return walk_pointer(w, LLVMGetOperand(call, 0));
    return is_called(call, "cpu_") ? ROOT_RUNTIME : ROOT_UNKNOWN;
}

static uint64_t walk_instruction(struct walk *w, LLVMValueRef value) {
    switch (value_opcode(value)) {
    case LLVMAlloca:
        return ROOT_LOCAL;
    case LLVMLoad:
        return has_seen(w, value) ? 0 : walk_load(w, value);
    case LLVMPHI:
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
        return walk_operands(w, value, 0);
    case LLVMSelect:
        return walk_operands(w, value, 1);
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMFreeze:
        return walk_pointer(w, LLVMGetOperand(value, 0));
    case LLVMCall:
        return walk_call(w, value);
    default: /* a value that is not a pointer adds no roots */
        return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? ROOT_UNKNOWN : 0;
    }
}

static uint64_t walk_pointer(struct walk *w, LLVMValueRef pointer) {
    const bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind;
    if (LLVMIsAGlobalVariable(pointer))
        return walk_variable(w, pointer);
    if (LLVMIsAArgument(pointer) && is_pointer)
        return is_by_value(pointer) ? ROOT_LOCAL : roots_of_value(w->roots, pointer);
    return value_opcode(pointer) ? walk_instruction(w, pointer) : 0;
}

uint64_t roots_of(struct roots *roots, LLVMValueRef pointer) {
    struct walk w = {.roots = roots};
    uint64_t found = walk_pointer(&w, pointer);
    if (w.is_list)
        found |= roots_loaded(roots, found, ROOT_ANY);
    return w.count == SEEN_MOST ? found | ROOT_UNKNOWN : found;
}

uint64_t roots_widen(const struct roots *roots, uint64_t bits) {
    uint64_t found = bits;
    for (unsigned i = 0; i < roots->count; i++)
        for (unsigned j = 0; j < roots->count && bits >> i & 1; j++)
            if (roots->root[i].parents & roots->root[j].parents &&
                (roots->root[i].offset == ROOT_ANY || roots->root[j].offset == ROOT_ANY ||
                 roots->root[i].offset == roots->root[j].offset))
                found |= UINT64_C(1) << j;
    return found;
}

/* ---- kinds ---- */

uint64_t roots_shared(const struct roots *roots) {
    uint64_t found = ROOT_UNKNOWN;
    for (unsigned i = 0; i < roots->count; i++)
        if (roots->root[i].is_shared || roots->root[i].is_generic)
            found |= UINT64_C(1) << i;
    return found;
}

uint64_t roots_global(const struct roots *roots) {
    uint64_t found = ROOT_UNKNOWN;
    for (unsigned i = 0; i < roots->count; i++)
        if (!roots->root[i].is_shared)
            found |= UINT64_C(1) << i;
    return found;
}

uint64_t roots_parameters(const struct roots *roots) {
    uint64_t found = 0;
    for (unsigned i = 0; i < roots->count; i++)
        if (roots->root[i].is_parameter)
            found |= UINT64_C(1) << i;
    return found;
}
