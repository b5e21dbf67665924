/*
 * Inline PTX of device code. clang keeps it as strings, so another program translates it to C++
 * (ptx/ptx.h): this file writes a list of the statements, and later replaces each asm statement by
 * a call to a translated function.
 */
#include "cudacpu/instrument/instrument.h"

#include <llvm-c/Linker.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copies of a statement from one source location, such as those in a template's instances, share a
 * function. */
struct asm_site {
    LLVMValueRef call; /* the first */
    unsigned long long where;
};

struct asm_sites {
    struct asm_site *items;
    size_t count;
};

/* ---- the text of a statement ---- */

struct words {
    char *code, *constraints;
};

static int hex(char c) {
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Reads "..." with LLVM's escapes \XX at `*at`, and advances it. */
static char *take_string(const char **at) {
    const char *from = strchr(*at, '"');
    if (!from)
        fail("inline assembly that cannot be read: %s", *at);
    char *text = calloc(strlen(from), 1), *to = text;
    for (from++; *from && *from != '"'; from++)
        if (*from == '\\' && from[1] && from[2]) {
            *to++ = (char)(hex(from[1]) << 4 | hex(from[2]));
            from += 2;
        } else {
            *to++ = *from;
        }
    *at = from + (*from == '"');
    return text;
}

/* The strings of a call. LLVM's C API returns the two separately only from version 19 on, so they
 * are read from `TYPE asm sideeffect "CODE", "CONSTRAINTS"`. */
static struct words read_words(LLVMValueRef assembly) {
    char *printed = LLVMPrintValueToString(assembly);
    const char *at = strstr(printed, " asm ");
    if (!at)
        fail("inline assembly that cannot be read: %s", printed);
    struct words words = {.code = take_string(&at)};
    words.constraints = take_string(&at);
    LLVMDisposeMessage(printed);
    return words;
}

static void release_words(struct words *words) {
    free(words->code);
    free(words->constraints);
}

/* ---- barriers of the compiler: statements without an instruction ---- */

/* Replaces GPU registers with CPU registers, because the GPU's constraint letters mean other things
 * here. */
static void write_host_letters(char *constraints) {
    for (char *at = constraints; *at; at++)
        if (*at == '~')
            at += strcspn(at, "}") - 1;
        else if (*at == 'h' || *at == 'l')
            *at = 'r';
        else if (*at == 'f' || *at == 'd')
#if defined(__aarch64__)
            *at = 'w';
#else
            *at = 'x';
#endif
}

static void keep_barrier(LLVMValueRef call, struct words *words) {
    write_host_letters(words->constraints);
    LLVMValueRef barrier = LLVMGetInlineAsm(
        LLVMGetCalledFunctionType(call), words->code, strlen(words->code), words->constraints,
        strlen(words->constraints), true, false, LLVMInlineAsmDialectATT, false);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, barrier);
}

/* ---- finding ---- */

/* The source location of a statement: clang keeps it for its error messages. */
static unsigned long long where_is(struct unit *u, LLVMValueRef call) {
    const unsigned kind = LLVMGetMDKindIDInContext(u->context, "srcloc", strlen("srcloc"));
    LLVMValueRef note = LLVMGetMetadata(call, kind);
    if (!note || LLVMGetMDNodeNumOperands(note) == 0)
        return 0;
    LLVMValueRef *lines = calloc(LLVMGetMDNodeNumOperands(note), sizeof *lines);
    LLVMGetMDNodeOperands(note, lines);
    const unsigned long long where = LLVMConstIntGetZExtValue(lines[0]);
    free(lines);
    return where;
}

/* The number of a call's source location, which is added if it is new. */
static size_t number_of(struct unit *u, struct asm_sites *sites, LLVMValueRef call) {
    const unsigned long long where = where_is(u, call);
    for (size_t i = 0; i < sites->count; i++)
        if (sites->items[i].where == where &&
            LLVMGetCalledValue(sites->items[i].call) == LLVMGetCalledValue(call))
            return i;
    sites->items = list_grow(sites->items, sites->count, sizeof *sites->items);
    sites->items[sites->count] = (struct asm_site){.call = call, .where = where};
    return sites->count++;
}

static bool has_instructions(LLVMValueRef call) {
    struct words words = read_words(LLVMGetCalledValue(call));
    const bool has = words.code[strspn(words.code, " \t\n")] != '\0';
    if (!has)
        keep_barrier(call, &words);
    release_words(&words);
    return has;
}

/* The statements of the file, to be freed; those without instructions get the CPU's registers. */
static LLVMValueRef *find_calls(struct unit *u, size_t *count) {
    LLVMValueRef *calls = NULL;
    *count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMGetInstructionOpcode(i) != LLVMCall ||
                    !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) || !has_instructions(i))
                    continue;
                calls = list_grow(calls, *count, sizeof *calls);
                calls[(*count)++] = i;
            }
    return calls;
}

/* ---- the list ---- */

static void write_field(FILE *file, const char *text) {
    fwrite(text, 1, strlen(text) + 1, file);
}

/* As in __FILE__, since the file is compiled in the folder "." (compile/compile.c). */
static void write_file_name(FILE *file, LLVMMetadataRef source) {
    unsigned length = 0;
    const char *name = source ? LLVMDIFileGetFilename(source, &length) : "";
    fprintf(file, "%.*s", (int)length, name);
    fputc('\0', file);
}

/* As in __func__: without a template's arguments. */
static void write_function_name(FILE *file, struct unit *u, LLVMValueRef function) {
    enum { NAME = 2, PARTS = 32 }; /* of LLVM's DISubprogram */
    LLVMMetadataRef about = LLVMGetSubprogram(function);
    LLVMValueRef parts[PARTS], node = about ? LLVMMetadataAsValue(u->context, about) : NULL;
    unsigned length = 0;
    const unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (count > NAME && count <= PARTS) {
        LLVMGetMDNodeOperands(node, parts);
        const char *name = parts[NAME] ? LLVMGetMDString(parts[NAME], &length) : "";
        const char *angle = memchr(name, '<', length);
        if (angle && strncmp(name, "operator", strlen("operator")) != 0)
            length = (unsigned)(angle - name);
        fprintf(file, "%.*s", (int)length, name);
    }
    fputc('\0', file);
}

static void write_site(FILE *file, struct unit *u, LLVMValueRef call) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    LLVMMetadataRef scope = at ? LLVMDILocationGetScope(at) : NULL;
    struct words words = read_words(LLVMGetCalledValue(call));
    fprintf(file, "%u %u", at ? LLVMDILocationGetLine(at) : 0,
            at ? LLVMDILocationGetColumn(at) : 0);
    fputc('\0', file);
    write_file_name(file, scope ? LLVMDIScopeGetFile(scope) : NULL);
    write_function_name(file, u, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    write_field(file, words.constraints);
    write_field(file, words.code);
    release_words(&words);
}

bool assembly_list(struct unit *u, const char *path) {
    struct asm_sites sites = {0};
    size_t count;
    LLVMValueRef *calls = find_calls(u, &count);
    for (size_t i = 0; i < count; i++)
        number_of(u, &sites, calls[i]);
    FILE *file = count ? fopen(path, "w") : NULL;
    if (count && !file)
        fail("%s: cannot be written", path);
    for (size_t i = 0; i < sites.count; i++)
        write_site(file, u, sites.items[i].call);
    if (file && fclose(file) != 0)
        fail("%s: cannot be written", path);
    free(calls);
    free(sites.items);
    return count > 0;
}

/* ---- replacing ---- */

/* The bits of a value as a value of another type; a wider one is zero-extended. */
static LLVMValueRef converted(struct unit *u, LLVMBuilderRef b, LLVMValueRef value,
                              LLVMTypeRef type, bool is_signed) {
    LLVMTypeRef from = LLVMTypeOf(value);
    if (from == type)
        return value;
    const unsigned long long had = LLVMSizeOfTypeInBits(u->layout, from);
    const unsigned long long has = LLVMSizeOfTypeInBits(u->layout, type);
    LLVMTypeRef bits = LLVMIntTypeInContext(u->context, (unsigned)had);
    LLVMTypeRef wanted = LLVMIntTypeInContext(u->context, (unsigned)has);
    value = LLVMGetTypeKind(from) == LLVMPointerTypeKind ? LLVMBuildPtrToInt(b, value, bits, "")
                                                         : LLVMBuildBitCast(b, value, bits, "");
    value = LLVMBuildIntCast2(b, value, wanted, is_signed, "");
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(b, value, type, "")
                                                        : LLVMBuildBitCast(b, value, type, "");
}

/* The type of an output with that constraint (ptx/statement.c has the same in C++). */
static LLVMTypeRef output_type(struct unit *u, const char *constraint) {
    switch (constraint[strspn(constraint, "=&%+")]) {
    case 'h':
        return LLVMInt16TypeInContext(u->context);
    case 'l':
        return LLVMInt64TypeInContext(u->context);
    case 'q':
        return LLVMIntTypeInContext(u->context, 128);
    case 'f':
        return LLVMFloatTypeInContext(u->context);
    case 'd':
        return LLVMDoubleTypeInContext(u->context);
    default:
        return LLVMInt32TypeInContext(u->context);
    }
}

/* Makes variables for the outputs, at the function's beginning, and returns their number. */
static unsigned add_outputs(struct unit *u, LLVMValueRef call, const char *constraints,
                            LLVMValueRef *variables) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    unsigned count = 0;
    for (const char *at = constraints; *at == '='; at += strcspn(at, ",") + 1, count++) {
        variables[count] = LLVMBuildAlloca(b, output_type(u, at), "");
        if (!at[strcspn(at, ",")])
            return LLVMDisposeBuilder(b), count + 1;
    }
    LLVMDisposeBuilder(b);
    return count;
}

/* The outputs in the form the statement gave them: one value, or several in a struct. */
static LLVMValueRef take_outputs(struct unit *u, LLVMBuilderRef b, LLVMTypeRef type,
                                 LLVMValueRef *variables, unsigned count) {
    const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    LLVMValueRef result = LLVMGetUndef(type);
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef kept = LLVMGetAllocatedType(variables[i]);
        LLVMTypeRef wanted = is_struct ? LLVMStructGetTypeAtIndex(type, i) : type;
        LLVMValueRef value =
            converted(u, b, LLVMBuildLoad2(b, kept, variables[i], ""), wanted, false);
        result = is_struct ? LLVMBuildInsertValue(b, result, value, i, "") : value;
    }
    return result;
}

/* Replaces a statement with a call to void cudacpu_asm_N(OUTPUT &..., INPUT ...). */
static void replace(struct unit *u, LLVMValueRef call, size_t number) {
    char name[32];
    snprintf(name, sizeof name, "cudacpu_asm_%zu", number);
    LLVMValueRef function = LLVMGetNamedFunction(u->module, name);
    if (!function)
        fail("there is no %s()", name);
    struct words words = read_words(LLVMGetCalledValue(call));
    const unsigned inputs = LLVMGetNumArgOperands(call), all = LLVMCountParams(function);
    LLVMValueRef *arguments = calloc(all + 1, sizeof *arguments);
    LLVMValueRef *variables = calloc(all + 1, sizeof *variables);
    const unsigned outputs = all - inputs;
    if (all < inputs || add_outputs(u, call, words.constraints, variables) != outputs)
        fail("%s() takes %u operands", name, all);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(u->context);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    for (unsigned i = 0; i < all; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
        LLVMValueRef given = i < outputs ? NULL : LLVMGetOperand(call, i - outputs);
        arguments[i] = !given ? LLVMBuildPointerCast(b, variables[i], type, "")
                              : converted(u, b, given, type, LLVMIsAConstantInt(given) != NULL);
    }
    LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, all, "");
    if (outputs)
        LLVMReplaceAllUsesWith(call, take_outputs(u, b, LLVMTypeOf(call), variables, outputs));
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
    release_words(&words);
    free(arguments);
    free(variables);
}

void assembly_replace(struct unit *u, LLVMModuleRef functions) {
    struct asm_sites sites = {0};
    size_t count;
    LLVMValueRef *calls = find_calls(u, &count);
    size_t *numbers = calloc(count + 1, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = number_of(u, &sites, calls[i]);
    if (LLVMLinkModules2(u->module, functions))
        fail("the functions of inline PTX cannot be linked");
    for (size_t i = 0; i < count; i++)
        replace(u, calls[i], numbers[i]);
    free(calls);
    free(numbers);
    free(sites.items);
}
