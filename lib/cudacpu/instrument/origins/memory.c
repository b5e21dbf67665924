/* memory.c - the origins of values that are read, written, passed and returned. */
#include "cudacpu/instrument/origins/origins.h"

#include "cudacpu/instrument/lines/words.h"
#include "simt/origins.h"
#include "warp/type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long size_of(struct origin_function *f, LLVMTypeRef type) {
    return LLVMStoreSizeOfType(f->u->layout, type);
}

/* ---- memory ---- */

static LLVMValueRef load_from(struct origin_function *f, LLVMValueRef address,
                              const struct origin_leaf *leaf) {
    if (LLVMGetTypeKind(leaf->type) == LLVMPointerTypeKind)
        return origins_none(f->u);
    LLVMValueRef arguments[] = {origins_offset(f, address, leaf->offset),
                                origins_word(f, size_of(f, leaf->type))};
    return origins_call(f, "cpu_origin_load", origins_node_type(f->u), arguments, 2);
}

static void store_to(struct origin_function *f, LLVMValueRef address,
                     const struct origin_leaf *leaf, LLVMValueRef node, LLVMValueRef line) {
    LLVMValueRef arguments[] = {origins_offset(f, address, leaf->offset),
                                origins_word(f, size_of(f, leaf->type)), node, line};
    origins_call(f, "cpu_origin_store", NULL, arguments, 4);
}

void origins_load(struct origin_function *f, LLVMValueRef load) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES], address = LLVMGetOperand(load, 0);
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(load), leaves);
    origins_before(f, load);
    for (unsigned i = 0; i < count; i++)
        nodes[i] = load_from(f, address, &leaves[i]);
    origins_set(f, load, nodes, count);
}

void origins_store(struct origin_function *f, LLVMValueRef store) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(value), leaves);
    origins_before(f, LLVMGetNextInstruction(store));
    for (unsigned i = 0; i < count; i++)
        store_to(f, address, &leaves[i], origins_in_region(f, store, origins_node(f, value, i)),
                 origins_line(f, store));
}

/* atomicrmw and cmpxchg: the old value, the new value. */
void origins_exchange(struct origin_function *f, LLVMValueRef i) {
    const bool is_swap = LLVMGetInstructionOpcode(i) == LLVMAtomicCmpXchg;
    LLVMValueRef address = LLVMGetOperand(i, 0), value = LLVMGetOperand(i, is_swap ? 2 : 1);
    const struct origin_leaf leaf = {0, LLVMTypeOf(value)};
    LLVMValueRef line = origins_line(f, i), given = origins_node(f, value, 0);
    origins_before(f, i);
    LLVMValueRef before = load_from(f, address, &leaf);
    LLVMValueRef both[] = {before, given, line};
    LLVMValueRef node = origins_call(f, "cpu_origin_depends", origins_node_type(f->u), both, 3);
    LLVMValueRef nodes[] = {before, is_swap ? node : before};
    if (is_swap || LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpXchg)
        given = node;
    store_to(f, address, &leaf, given, line);
    origins_set(f, i, nodes, is_swap ? 2 : 1);
}

/* ---- calls ---- */

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static LLVMValueRef cell_of(struct origin_function *f, const char *name, unsigned number) {
    LLVMModuleRef module = LLVMGetGlobalParent(f->function);
    LLVMTypeRef type = LLVMArrayType(origins_node_type(f->u), CPU_ORIGIN_ARGUMENTS);
    LLVMValueRef list = LLVMGetNamedGlobal(module, name);
    LLVMValueRef path[] = {origins_word(f, 0), origins_word(f, number)};
    if (!list)
        list = LLVMAddGlobal(module, type, name);
    return LLVMBuildGEP2(f->b, type, list, path, 2, "");
}

/* Puts the origins of a value into the list from `first` on; returns the next number. */
static unsigned pass_origins(struct origin_function *f, const char *list, unsigned first,
                             LLVMValueRef value) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(value), leaves);
    for (unsigned i = 0; i < count && first < CPU_ORIGIN_ARGUMENTS; i++, first++)
        LLVMBuildStore(f->b, origins_node(f, value, i), cell_of(f, list, first));
    return first;
}

static unsigned receive_origins(struct origin_function *f, const char *list, unsigned first,
                                LLVMValueRef value) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES];
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(value), leaves);
    for (unsigned i = 0; i < count; i++) {
        nodes[i] = origins_none(f->u);
        if (first < CPU_ORIGIN_ARGUMENTS)
            nodes[i] = LLVMBuildLoad2(f->b, origins_node_type(f->u), cell_of(f, list, first++), "");
    }
    origins_set(f, value, nodes, count);
    return first;
}

static LLVMValueRef node_of_all(struct origin_function *f, LLVMValueRef call) {
    LLVMValueRef node = origins_none(f->u);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        const struct origin_values *known = origins_of(f, LLVMGetOperand(call, i));
        for (unsigned leaf = 0; known->value && leaf < known->count; leaf++) {
            LLVMValueRef arguments[] = {node, known->nodes[leaf], origins_line(f, call)};
            if (!LLVMIsConstant(known->nodes[leaf]))
                node = origins_call(f, "cpu_origin_depends", origins_node_type(f->u), arguments, 3);
        }
    }
    return node;
}

static void set_result(struct origin_function *f, LLVMValueRef call, LLVMValueRef node) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES];
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(call), leaves);
    for (unsigned i = 0; i < count; i++)
        nodes[i] =
            LLVMGetTypeKind(leaves[i].type) == LLVMPointerTypeKind ? origins_none(f->u) : node;
    origins_set(f, call, nodes, count);
}

static LLVMValueRef source_cell(struct origin_function *f, unsigned number) {
    LLVMModuleRef module = LLVMGetGlobalParent(f->function);
    LLVMTypeRef type = LLVMArrayType(words_pointer(f->u), CPU_ORIGIN_ARGUMENTS);
    LLVMValueRef list = LLVMGetNamedGlobal(module, "cpu_origin_sources");
    LLVMValueRef path[] = {origins_word(f, 0), origins_word(f, number)};
    if (!list)
        list = LLVMAddGlobal(module, type, "cpu_origin_sources");
    return LLVMBuildGEP2(f->b, type, list, path, 2, "");
}

/* A parameter that is a copy of an object. */
static void take_copy(struct origin_function *f, unsigned number) {
    LLVMTypeRef type = byval_type(f->function, number);
    if (!type || number >= CPU_ORIGIN_ARGUMENTS)
        return;
    LLVMValueRef arguments[] = {
        origins_bytes(f, LLVMGetParam(f->function, number)),
        LLVMBuildLoad2(f->b, words_pointer(f->u), source_cell(f, number), ""),
        origins_word(f, size_of(f, type))};
    origins_call(f, "cpu_origin_copy", NULL, arguments, 3);
}

/* A call to a function whose source is here, or through a pointer. If the callee does not report,
 * the list of results has the combined origin of all arguments. */
static void internal_call(struct origin_function *f, LLVMValueRef call) {
    unsigned next = 0;
    struct origin_leaf leaves[ORIGIN_LEAVES];
    const unsigned results = origins_leaves(f->u, LLVMTypeOf(call), leaves);
    origins_before(f, call);
    if (!LLVMIsAFunction(LLVMGetCalledValue(call))) {
        LLVMValueRef node = node_of_all(f, call);
        for (unsigned i = 0; i < results && i < CPU_ORIGIN_ARGUMENTS; i++)
            LLVMBuildStore(f->b, node, cell_of(f, "cpu_origin_results", i));
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        next = pass_origins(f, "cpu_origin_arguments", next, LLVMGetOperand(call, i));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < CPU_ORIGIN_ARGUMENTS; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            LLVMBuildStore(f->b, origins_bytes(f, LLVMGetOperand(call, i)), source_cell(f, i));
    origins_before(f, LLVMGetNextInstruction(call));
    receive_origins(f, "cpu_origin_results", 0, call);
}

static LLVMValueRef as_word(struct origin_function *f, LLVMValueRef value) {
    return LLVMBuildZExtOrBitCast(f->b, value, words_int64(f->u), "");
}

static void move_memory(struct origin_function *f, LLVMValueRef call) {
    LLVMValueRef arguments[] = {origins_bytes(f, LLVMGetOperand(call, 0)),
                                origins_bytes(f, LLVMGetOperand(call, 1)),
                                as_word(f, LLVMGetOperand(call, 2))};
    origins_call(f, "cpu_origin_copy", NULL, arguments, 3);
}

static void fill_memory(struct origin_function *f, LLVMValueRef call) {
    LLVMValueRef arguments[] = {origins_bytes(f, LLVMGetOperand(call, 0)),
                                as_word(f, LLVMGetOperand(call, 2)),
                                origins_node(f, LLVMGetOperand(call, 1), 0)};
    origins_call(f, "cpu_origin_fill", NULL, arguments, 3);
}

static LLVMValueRef as_double(struct origin_function *f, LLVMValueRef value) {
    LLVMTypeRef type = LLVMDoubleTypeInContext(f->u->context);
    return LLVMTypeOf(value) == type ? value : LLVMBuildFPExt(f->b, value, type, "");
}

/* A combined product and sum. */
static void fused(struct origin_function *f, LLVMValueRef call) {
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind) {
        set_result(f, call, node_of_all(f, call));
        return;
    }
    LLVMValueRef x = as_double(f, LLVMGetOperand(call, 0)),
                 y = as_double(f, LLVMGetOperand(call, 1)),
                 z = as_double(f, LLVMGetOperand(call, 2));
    LLVMValueRef product[] = {origins_word(f, CPU_ORIGIN_PRODUCT),
                              origins_node(f, LLVMGetOperand(call, 0), 0),
                              origins_node(f, LLVMGetOperand(call, 1), 0),
                              x,
                              y,
                              origins_line(f, call)};
    LLVMValueRef node = origins_call(f, "cpu_origin_real", origins_node_type(f->u), product, 6);
    LLVMValueRef sum[] = {
        origins_word(f, CPU_ORIGIN_SUM), node, origins_node(f, LLVMGetOperand(call, 2), 0),
        LLVMBuildFMul(f->b, x, y, ""),   z,    origins_line(f, call)};
    set_result(f, call, origins_call(f, "cpu_origin_real", origins_node_type(f->u), sum, 6));
}

static void intrinsic(struct origin_function *f, LLVMValueRef call, const char *name) {
    origins_before(f, LLVMGetNextInstruction(call));
    if (begins_with(name, "llvm.memcpy.") || begins_with(name, "llvm.memmove.") ||
        strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0)
        move_memory(f, call);
    else if (begins_with(name, "llvm.memset.") || strcmp(name, "memset") == 0)
        fill_memory(f, call);
    else if (begins_with(name, "llvm.fma.") || begins_with(name, "llvm.fmuladd."))
        fused(f, call);
    else if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind &&
             !begins_with(name, "llvm.lifetime.") && !begins_with(name, "llvm.dbg."))
        set_result(f, call, node_of_all(f, call));
}

static LLVMValueRef variable_of(LLVMValueRef address) {
    while (address && !LLVMIsAAllocaInst(address)) {
        const bool leads = LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
                           LLVMIsAAddrSpaceCastInst(address);
        address = leads ? LLVMGetOperand(address, 0) : NULL;
    }
    return address;
}

/* A call to an unknown function, which may write through its pointer arguments. */
static void external_call(struct origin_function *f, LLVMValueRef call, const char *name,
                          size_t length) {
    origins_before(f, LLVMGetNextInstruction(call));
    LLVMValueRef text = NULL;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef variable = variable_of(LLVMGetOperand(call, i));
        if (!variable)
            continue;
        if (!text)
            text = origins_text(f, name, length);
        LLVMValueRef unknown =
            origins_call(f, "cpu_origin_unknown", origins_node_type(f->u), &text, 1);
        LLVMValueRef arguments[] = {origins_bytes(f, variable),
                                    origins_word(f, size_of(f, LLVMGetAllocatedType(variable))),
                                    unknown};
        origins_call(f, "cpu_origin_fill", NULL, arguments, 3);
    }
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        set_result(f, call, node_of_all(f, call));
}

static void unknown_result(struct origin_function *f, LLVMValueRef call, const char *name) {
    origins_before(f, LLVMGetNextInstruction(call));
    LLVMValueRef text = origins_text(f, name, strlen(name));
    set_result(f, call, origins_call(f, "cpu_origin_unknown", origins_node_type(f->u), &text, 1));
}

void origins_called(struct origin_function *f, LLVMValueRef call) {
    LLVMValueRef to = LLVMGetCalledValue(call);
    size_t length = 0;
    const char *name = LLVMIsAFunction(to) ? LLVMGetValueName2(to, &length) : "";
    /* Neither writes memory: by now inline assembly is a barrier of the compiler or the lane
     * switch. */
    if (LLVMIsAInlineAsm(to) || strcmp(name, "memcmp") == 0)
        return;
    if (begins_with(name, "llvm.") ||
        (LLVMIsDeclaration(to) && (strcmp(name, "memcpy") == 0 || strcmp(name, "memmove") == 0 ||
                                   strcmp(name, "memset") == 0)))
        intrinsic(f, call, name);
    else if (!LLVMIsAFunction(to) || !LLVMIsDeclaration(to))
        internal_call(f, call);
    else if (strcmp(name, "cpu_block_barrier_result") == 0)
        unknown_result(f, call, "__syncthreads_count()");
    else if (!begins_with(name, "cpu_") && strcmp(name, "vprintf") != 0)
        external_call(f, call, name, length);
}

/* ---- functions ---- */

/* The name of the variable that a call declares at `memory`; NULL if it is not such a call. */
static const char *declared_name(LLVMValueRef i, LLVMValueRef *memory, size_t *length) {
    *memory = declared_memory(i);
    return *memory ? node_name(LLVMGetOperand(i, 1), OF_VARIABLE_NAME, length) : NULL;
}

/* The number of the parameter that is stored in this variable; -1 if there is none. */
static int parameter_in(struct origin_function *f, LLVMValueRef memory) {
    const unsigned count = LLVMCountParams(f->function);
    for (unsigned p = 0; p < count; p++) {
        LLVMValueRef parameter = LLVMGetParam(f->function, p);
        if (parameter == memory)
            return (int)p;
        for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == parameter &&
                LLVMGetOperand(user, 1) == memory)
                return (int)p;
        }
    }
    return -1;
}

static unsigned long long element_bytes(struct origin_function *f, unsigned parameter) {
    static const unsigned char bytes[] = {
        [WARP_TYPE_INT] = 4,       [WARP_TYPE_UNSIGNED] = 4,
        [WARP_TYPE_LONG_LONG] = 8, [WARP_TYPE_UNSIGNED_LONG_LONG] = 8,
        [WARP_TYPE_FLOAT] = 4,     [WARP_TYPE_DOUBLE] = 8,
        [WARP_TYPE_HALF] = 2,      [WARP_TYPE_HALF2] = 4,
        [WARP_TYPE_BFLOAT16] = 2,  [WARP_TYPE_BFLOAT162] = 4};
    const struct element element = pointed_by(f->u, f->u->kernels[f->kernel].function, parameter);
    const bool real = element.type >= WARP_TYPE_FLOAT && element.type <= WARP_TYPE_BFLOAT162;
    if (element.type < 0 || (size_t)element.type >= sizeof bytes)
        return 0;
    return bytes[element.type] | (real ? CPU_ORIGIN_REAL_ELEMENTS : 0);
}

/* The kernel's parameter of that name. */
static void report_parameter(struct origin_function *f, unsigned number, const char *name,
                             size_t length) {
    LLVMValueRef parameter = LLVMGetParam(f->function, number);
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES], text = origins_text(f, name, length);
    if (byval_type(f->function, number)) {
        LLVMValueRef node =
            origins_call(f, "cpu_origin_argument", origins_node_type(f->u), &text, 1);
        LLVMValueRef arguments[] = {origins_bytes(f, parameter),
                                    origins_word(f, size_of(f, byval_type(f->function, number))),
                                    node};
        origins_call(f, "cpu_origin_fill", NULL, arguments, 3);
        return;
    }
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(parameter), leaves);
    for (unsigned i = 0; i < count; i++)
        nodes[i] = LLVMGetTypeKind(leaves[i].type) == LLVMPointerTypeKind
                       ? origins_none(f->u)
                       : origins_call(f, "cpu_origin_argument", origins_node_type(f->u), &text, 1);
    origins_set(f, parameter, nodes, count);
    if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind) {
        LLVMValueRef arguments[] = {text, origins_bytes(f, parameter),
                                    origins_word(f, element_bytes(f, number))};
        origins_call(f, "cpu_origin_array", NULL, arguments, 3);
    }
}

/* An array in shared memory, wherever the file declares it. */
static void report_shared(struct origin_function *f) {
    for (size_t i = 0; i < f->u->shared_count; i++) {
        const struct shared_name *shared = &f->u->shared[i];
        LLVMModuleRef module = LLVMGetGlobalParent(f->function);
        size_t length = 0;
        const char *symbol =
            shared->address ? LLVMGetValueName2(shared->address, &length) : "cpu_dynamic_shared";
        LLVMValueRef variable = LLVMGetNamedGlobal(module, symbol);
        if (!variable)
            continue;
        LLVMTypeRef type = LLVMGlobalGetValueType(variable);
        while (shared->address && LLVMGetTypeKind(type) == LLVMArrayTypeKind)
            type = LLVMGetElementType(type);
        LLVMValueRef arguments[] = {
            origins_text(f, shared->name, strlen(shared->name)), origins_bytes(f, variable),
            origins_word(f, shared->size),
            origins_word(f, shared->address ? LLVMABISizeOfType(f->u->layout, type) : 0)};
        origins_call(f, "cpu_origin_shared", NULL, arguments, 4);
    }
}

/* The initial content of a local variable. */
static void report_fresh(struct origin_function *f, LLVMValueRef variable, const char *name,
                         size_t length) {
    LLVMValueRef none = LLVMConstNull(words_pointer(f->u));
    LLVMValueRef arguments[] = {origins_bytes(f, variable),
                                origins_word(f, size_of(f, LLVMGetAllocatedType(variable))),
                                name ? origins_text(f, name, length) : none};
    if (LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) &&
        LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)) == 1)
        origins_call(f, "cpu_origin_fresh", NULL, arguments, 3);
}

static void report_variables(struct origin_function *f) {
    for (size_t i = 0; i < f->count; i++) {
        LLVMValueRef memory, at = f->instructions[i];
        size_t length = 0;
        if (LLVMIsAAllocaInst(at)) {
            origins_before(f, LLVMGetNextInstruction(at));
            report_fresh(f, at, NULL, 0);
        }
        const char *name = declared_name(at, &memory, &length);
        if (!name || length == 0 || !LLVMIsAAllocaInst(memory) || parameter_in(f, memory) >= 0)
            continue;
        origins_before(f, LLVMGetNextInstruction(at));
        report_fresh(f, memory, name, length);
    }
}

void origins_begin(struct origin_function *f) {
    unsigned next = 0;
    report_variables(f);
    origins_before(f, LLVMGetFirstInstruction(f->blocks[0]));
    if (!f->is_kernel)
        for (unsigned p = 0; p < LLVMCountParams(f->function); p++)
            next = receive_origins(f, "cpu_origin_arguments", next, LLVMGetParam(f->function, p));
    for (unsigned p = 0; !f->is_kernel && p < LLVMCountParams(f->function); p++)
        take_copy(f, p);
    if (!f->is_kernel)
        return;
    report_shared(f);
    for (size_t i = 0; i < f->count; i++) {
        LLVMValueRef memory;
        size_t length = 0;
        const char *name = declared_name(f->instructions[i], &memory, &length);
        const int parameter = name && length ? parameter_in(f, memory) : -1;
        if (parameter >= 0)
            report_parameter(f, (unsigned)parameter, name, length);
    }
}

void origins_return(struct origin_function *f, LLVMValueRef instruction) {
    if (LLVMGetNumOperands(instruction) == 0)
        return;
    origins_before(f, instruction);
    pass_origins(f, "cpu_origin_results", 0, LLVMGetOperand(instruction, 0));
}
