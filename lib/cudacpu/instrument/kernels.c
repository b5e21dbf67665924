/*
 * Writes the table of kernels that the runtime reads (cudacpu/module.h), and for each
 * kernel the function that calls it for the lanes of a row: only here are the types of its
 * parameters known.
 */
#include "cudacpu/instrument/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADD "cudacpu_module_add"

/* launch.h's declarations for a row of lanes, and the size of its struct cpu_row. */
#define ROW_BYTES 64

/* ---- finding ---- */

static struct kernel *kernel_of(struct unit *u, LLVMValueRef function) {
    for (size_t i = 0; i < u->kernel_count; i++)
        if (u->kernels[i].function == function)
            return &u->kernels[i];
    u->kernels = list_grow(u->kernels, u->kernel_count, sizeof *u->kernels);
    u->kernels[u->kernel_count] = (struct kernel){.function = function};
    return &u->kernels[u->kernel_count++];
}

/* A kernel as clang 21 and later mark it. It becomes a function like any other. */
static void find_by_attribute(struct unit *u, LLVMValueRef function) {
    enum { PTX_KERNEL = 71 }; /* llvm/IR/CallingConv.h */
    static const char most[] = "nvvm.maxntid";
    if (LLVMGetFunctionCallConv(function) != PTX_KERNEL)
        return;
    LLVMSetFunctionCallConv(function, LLVMCCallConv);
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, most, sizeof most - 1);
    unsigned length;
    struct kernel *kernel = kernel_of(u, function);
    if (attribute)
        kernel->most_threads =
            (unsigned)strtoul(LLVMGetStringAttributeValue(attribute, &length), NULL, 10);
}

void kernels_find(struct unit *u) {
    const unsigned count = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations");
    LLVMValueRef *notes = calloc(count + 1, sizeof *notes);
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", notes);
    for (unsigned i = 0; i < count; i++) { /* function, then word and number alternating */
        LLVMValueRef parts[16];
        const unsigned length = LLVMGetMDNodeNumOperands(notes[i]);
        if (length > 16 || length < 3)
            continue;
        LLVMGetMDNodeOperands(notes[i], parts);
        for (unsigned at = 1; parts[0] && at + 1 < length; at += 2) {
            unsigned size;
            const char *word = LLVMGetMDString(parts[at], &size);
            if (!word || !LLVMIsAFunction(parts[0]))
                continue;
            if (size == 6 && strncmp(word, "kernel", size) == 0)
                kernel_of(u, parts[0]);
            else if (size == 8 && strncmp(word, "maxntidx", size) == 0)
                kernel_of(u, parts[0])->most_threads =
                    (unsigned)LLVMConstIntGetZExtValue(parts[at + 1]);
        }
    }
    free(notes);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        find_by_attribute(u, f);
}

/* ---- calling ---- */

static LLVMTypeRef pointer_type(struct unit *u) {
    return LLVMPointerType(LLVMInt8TypeInContext(u->context), 0);
}

LLVMTypeRef byval_type(LLVMValueRef function, unsigned parameter) {
    static unsigned kind;
    if (!kind)
        kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* Gives one of our functions a location in the debugging information, line 0 of no file: otherwise
 * code inlined into it would lose its lines. */
static void set_location(struct unit *u, LLVMValueRef function, LLVMBuilderRef builder) {
    static LLVMMetadataRef file, type;
    if (!u->places) {
        u->places = LLVMCreateDIBuilder(u->module);
        file = LLVMDIBuilderCreateFile(u->places, "cudacpu", 7, "", 0);
        LLVMDIBuilderCreateCompileUnit(u->places, LLVMDWARFSourceLanguageC99, file, "cudacpu", 7,
                                       true, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, false,
                                       false, "", 0, "", 0);
        type = LLVMDIBuilderCreateSubroutineType(u->places, file, NULL, 0, LLVMDIFlagZero);
    }
    LLVMMetadataRef about =
        LLVMDIBuilderCreateFunction(u->places, file, "launch", 6, "", 0, file, 0, type, true, true,
                                    0, LLVMDIFlagArtificial, true);
    LLVMSetSubprogram(function, about);
    LLVMSetCurrentDebugLocation2(builder,
                                 LLVMDIBuilderCreateDebugLocation(u->context, 0, 0, about, NULL));
}

/* A kernel's row being built. */
struct row {
    LLVMBuilderRef builder;
    LLVMValueRef function, state;
    LLVMValueRef *arguments;
};

/* Loads the parameters, once for all lanes: those that are passed by value are copied by each
 * call. */
static void load_arguments(struct unit *u, struct row *row, LLVMValueRef kernel) {
    LLVMBuilderRef b = row->builder;
    LLVMValueRef list = LLVMGetParam(row->function, 1);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(kernel, i));
        LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(u->context), i, false);
        LLVMValueRef at = LLVMBuildGEP2(b, pointer_type(u), list, &index, 1, "");
        LLVMValueRef from = LLVMBuildLoad2(b, pointer_type(u), at, "");
        if (byval_type(kernel, i)) {
            row->arguments[i] = LLVMBuildPointerCast(b, from, wanted, "");
        } else {
            LLVMTypeRef to = LLVMPointerType(wanted, 0);
            row->arguments[i] =
                LLVMBuildLoad2(b, wanted, LLVMBuildPointerCast(b, from, to, ""), "");
        }
    }
}

static void call_kernel(struct row *row, LLVMValueRef kernel) {
    const unsigned count = LLVMCountParams(kernel);
    const unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    LLVMValueRef call = LLVMBuildCall2(row->builder, LLVMGlobalGetValueType(kernel), kernel,
                                       row->arguments, count, "");
    for (unsigned i = 0; i < count; i++)
        if (byval_type(kernel, i))
            LLVMAddCallSiteAttribute(call, i + 1, LLVMGetEnumAttributeAtIndex(kernel, i + 1, kind));
}

/* A call to cpu_row_begin() or the like. */
static LLVMValueRef call_row(struct unit *u, struct row *row, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(u->module, name);
    if (!function)
        fail("there is no %s()", name);
    LLVMValueRef state =
        LLVMBuildPointerCast(row->builder, row->state, LLVMTypeOf(LLVMGetParam(function, 0)), "");
    return LLVMBuildCall2(row->builder, LLVMGlobalGetValueType(function), function, &state, 1, "");
}

static LLVMBasicBlockRef add_block(struct unit *u, const struct row *row) {
    return LLVMAppendBasicBlockInContext(u->context, row->function, "");
}

/* struct cpu_kernel_type's call, void (const void *function, void **arguments): runs all lanes of
 * a row. */
static LLVMValueRef build_row(struct unit *u, LLVMValueRef kernel) {
    LLVMTypeRef parameters[] = {pointer_type(u), LLVMPointerType(pointer_type(u), 0)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(u->context), parameters, 2, false);
    struct row row = {.builder = LLVMCreateBuilderInContext(u->context),
                      .function = LLVMAddFunction(u->module, "", type),
                      .arguments = calloc(LLVMCountParams(kernel) + 1, sizeof *row.arguments)};
    LLVMBuilderRef b = row.builder;
    LLVMBasicBlockRef begin = add_block(u, &row), lane = add_block(u, &row);
    LLVMBasicBlockRef next = add_block(u, &row), end = add_block(u, &row);
    LLVMPositionBuilderAtEnd(b, begin);
    set_location(u, row.function, b);
    row.state =
        LLVMBuildAlloca(b, LLVMArrayType(LLVMInt64TypeInContext(u->context), ROW_BYTES / 8), "");
    load_arguments(u, &row, kernel);
    call_row(u, &row, "cudacpu_row_begin");
    LLVMBuildBr(b, lane);
    LLVMPositionBuilderAtEnd(b, lane);
    call_kernel(&row, kernel);
    LLVMValueRef goes_on = call_row(u, &row, "cudacpu_row_goes_on");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, goes_on, LLVMConstNull(LLVMTypeOf(goes_on)), ""),
                    next, end);
    LLVMPositionBuilderAtEnd(b, next);
    call_row(u, &row, "cudacpu_row_next");
    LLVMBuildBr(b, lane);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    free(row.arguments);
    return row.function;
}

/* ---- the table ---- */

static LLVMValueRef number(struct unit *u, unsigned bits, unsigned long long value) {
    return LLVMConstInt(LLVMIntTypeInContext(u->context, bits), value, false);
}

/* A new global constant, as an untyped pointer to it. */
static LLVMValueRef constant(struct unit *u, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(u->module, LLVMTypeOf(value), "");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return LLVMConstPointerCast(global, pointer_type(u));
}

static LLVMValueRef text(struct unit *u, const char *bytes, size_t length) {
    return constant(u, LLVMConstStringInContext(u->context, bytes, (unsigned)length, false));
}

static LLVMValueRef record(struct unit *u, LLVMValueRef *values, unsigned count) {
    return LLVMConstStructInContext(u->context, values, count, false);
}

static LLVMValueRef null(struct unit *u) {
    return LLVMConstNull(pointer_type(u));
}

/* struct cpu_kernel_type (cudacpu/calls.h) */
static LLVMValueRef build_type(struct unit *u, LLVMValueRef kernel, LLVMValueRef row) {
    const unsigned count = LLVMCountParams(kernel);
    LLVMTypeRef byte = LLVMInt8TypeInContext(u->context);
    LLVMTypeRef word = LLVMInt64TypeInContext(u->context);
    LLVMValueRef *sizes = calloc(3 * (count + 1), sizeof *sizes);
    LLVMValueRef *points = sizes + count + 1, *pointed = points + count + 1;
    for (unsigned i = 0; i <= count; i++) {
        LLVMTypeRef type = i < count ? LLVMTypeOf(LLVMGetParam(kernel, i)) : NULL;
        LLVMTypeRef value = i < count ? byval_type(kernel, i) : NULL;
        sizes[i] = number(u, 64, type ? LLVMABISizeOfType(u->layout, value ? value : type) : 0);
        points[i] =
            number(u, 8, type && !value && LLVMGetTypeKind(type) == LLVMPointerTypeKind ? 1 : 0);
        const struct element to = i < count ? pointed_by(u, kernel, i) : (struct element){-1, 0, 0};
        char *members = i < count ? pointed_members(u, kernel, i) : NULL;
        LLVMValueRef about[] = {number(u, 8, (unsigned char)to.type),
                                number(u, 8, (unsigned)to.vector),
                                number(u, 16, (unsigned)(to.bytes <= UINT16_MAX ? to.bytes : 0)),
                                members && *members ? text(u, members, strlen(members)) : null(u)};
        free(members);
        pointed[i] = record(u, about, 4);
    }
    LLVMValueRef fields[] = {
        LLVMConstPointerCast(row, pointer_type(u)),
        number(u, 64, count),
        constant(u, LLVMConstArray(word, sizes, count + 1)),
        constant(u, LLVMConstArray(byte, points, count + 1)),
        constant(u, LLVMConstArray(LLVMTypeOf(pointed[0]), pointed, count + 1)),
    };
    free(sizes);
    return constant(u, record(u, fields, 5));
}

/* A function with the kernel's body, which is inlined into the caller. */
static LLVMValueRef build_copy(struct unit *u, LLVMValueRef kernel) {
    struct row row = {.builder = LLVMCreateBuilderInContext(u->context),
                      .function = LLVMAddFunction(u->module, "", LLVMGlobalGetValueType(kernel)),
                      .arguments = calloc(LLVMCountParams(kernel) + 1, sizeof *row.arguments)};
    const unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
    LLVMPositionBuilderAtEnd(row.builder, add_block(u, &row));
    set_location(u, row.function, row.builder);
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        row.arguments[i] = LLVMGetParam(row.function, i);
        if (byval_type(kernel, i))
            LLVMAddAttributeAtIndex(row.function, i + 1,
                                    LLVMGetEnumAttributeAtIndex(kernel, i + 1, kind));
    }
    call_kernel(&row, kernel);
    LLVMBuildRetVoid(row.builder);
    LLVMDisposeBuilder(row.builder);
    free(row.arguments);
    return row.function;
}

/* Makes the types of the kernel, and of its version for launches in which two pointers point into
 * one array. */
static LLVMValueRef build_types(struct unit *u, struct kernel *kernel, LLVMValueRef *if_same) {
    LLVMValueRef function = kernel->function;
    const unsigned kind = LLVMGetEnumAttributeKindForName("noinline", strlen("noinline"));
    const bool is_called = LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
    if (!kernel->if_same || kernel->relies_shared || kernel->relies_global || u->accesses) {
        LLVMValueRef type = build_type(u, function, build_row(u, function));
        *if_same = kernel->if_same ? type : *if_same; /* the calls are there in either case */
        return type;
    }
    LLVMValueRef told = build_copy(u, function);
    kernel->plain = build_copy(u, function);
    if (is_called) {
        LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
        add_attribute(u, told, "noinline");
        add_attribute(u, kernel->plain, "noinline");
    }
    add_attribute(u, function, "alwaysinline");
    *if_same = build_type(u, function, build_row(u, told));
    return build_type(u, function, build_row(u, kernel->plain));
}

/* struct cudacpu_kernel (cudacpu/module.h) */
static LLVMValueRef build_kernel(struct unit *u, struct kernel *kernel) {
    const struct origin origin = origin_of(u, kernel->function);
    char *name = function_name(u, kernel->function);
    LLVMValueRef if_same = null(u);
    LLVMValueRef type = build_types(u, kernel, &if_same);
    LLVMValueRef fields[] = {text(u, origin.module, strlen(origin.module)),
                             text(u, origin.symbol, strlen(origin.symbol)),
                             text(u, name, strlen(name)),
                             type,
                             number(u, 64, kernel->most_threads),
                             number(u, 64, kernel->relies_shared + 2 * kernel->relies_global),
                             if_same};
    free(name);
    return record(u, fields, 7);
}

/* struct cudacpu_variable: the device variables that the host may name. */
static LLVMValueRef build_variable(struct unit *u, LLVMValueRef variable) {
    const struct origin origin = origin_of(u, variable);
    const char *section = LLVMGetSection(variable);
    struct element element;
    char *name = variable_name(u, variable, &element), *shape = variable_shape(u, variable);
    LLVMValueRef fields[] = {
        text(u, origin.module, strlen(origin.module)),
        text(u, origin.symbol, strlen(origin.symbol)),
        LLVMConstPointerCast(variable, pointer_type(u)),
        number(u, 64, LLVMABISizeOfType(u->layout, LLVMGlobalGetValueType(variable))),
        number(u, 64, section && strcmp(section, "cudacpu.managed") == 0),
        text(u, name, strlen(name)),
        text(u, shape, strlen(shape))};
    LLVMValueRef value = record(u, fields, 7);
    free(name);
    free(shape);
    if (section)
        LLVMSetSection(variable, "");
    return value;
}

/* struct cudacpu_shared */
static LLVMValueRef build_shared(struct unit *u, const struct shared_name *shared) {
    LLVMValueRef fields[] = {
        text(u, shared->name, strlen(shared->name)),
        shared->address ? LLVMConstPointerCast(shared->address, pointer_type(u)) : null(u),
        number(u, 64, shared->size),
        number(u, 32, (unsigned)shared->element.type),
        number(u, 32, (unsigned)shared->element.vector),
        text(u, shared->shape, strlen(shared->shape))};
    return record(u, fields, 6);
}

static LLVMValueRef build_list(struct unit *u, LLVMValueRef *items, size_t count) {
    return count ? constant(u, LLVMConstArray(LLVMTypeOf(items[0]), items, (unsigned)count))
                 : null(u);
}

/* Called before main() (struct cudacpu_module). */
static void build_begin(struct unit *u, LLVMValueRef table) {
    LLVMTypeRef nothing = LLVMVoidTypeInContext(u->context), pointer = pointer_type(u);
    LLVMTypeRef add_type = LLVMFunctionType(nothing, &pointer, 1, false);
    LLVMTypeRef begin_type = LLVMFunctionType(nothing, NULL, 0, false);
    LLVMValueRef add = LLVMAddFunction(u->module, ADD, add_type);
    LLVMValueRef begin = LLVMAddFunction(u->module, "", begin_type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(u->context, begin, ""));
    LLVMBuildCall2(b, add_type, add, &table, 1, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    LLVMValueRef fields[] = {number(u, 32, 101), begin, null(u)};
    LLVMValueRef entry = record(u, fields, 3);
    LLVMValueRef list = LLVMConstArray(LLVMTypeOf(entry), &entry, 1);
    LLVMValueRef constructors = LLVMAddGlobal(u->module, LLVMTypeOf(list), "llvm.global_ctors");
    LLVMSetInitializer(constructors, list);
    LLVMSetLinkage(constructors, LLVMAppendingLinkage);
}

void kernels_register(struct unit *u) {
    const size_t count = u->variable_count;
    LLVMValueRef *variables = calloc(count + 1, sizeof *variables);
    LLVMValueRef *kernels = calloc(u->kernel_count + 1, sizeof *kernels);
    for (size_t i = 0; i < count; i++)
        variables[i] = build_variable(u, u->variables[i]);
    const size_t shared_count = u->one_thread ? u->shared_count : 0; /* otherwise each thread has
                                                                      * its own */
    LLVMValueRef *shared = calloc(shared_count + 1, sizeof *shared);
    for (size_t i = 0; i < shared_count; i++)
        shared[i] = build_shared(u, &u->shared[i]);
    for (size_t i = 0; i < u->kernel_count; i++)
        kernels[i] = build_kernel(u, &u->kernels[i]);
    LLVMValueRef fields[] = {null(u),
                             build_list(u, kernels, u->kernel_count),
                             number(u, 64, u->kernel_count),
                             build_list(u, variables, count),
                             number(u, 64, count),
                             build_list(u, shared, shared_count),
                             number(u, 64, shared_count)};
    LLVMValueRef table = record(u, fields, 7);
    LLVMValueRef global = LLVMAddGlobal(u->module, LLVMTypeOf(table), "");
    LLVMSetInitializer(global, table);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    build_begin(u, LLVMConstPointerCast(global, pointer_type(u)));
    if (u->places)
        LLVMDIBuilderFinalize(u->places);
    free(variables);
    free(kernels);
    free(shared);
}
