/*
 * types.c - types as in the program's source, from clang's debugging information. LLVM's C API
 * gives access to the operands of these nodes, in the order of LLVM's DebugInfoMetadata.h, and to
 * their tags only in printed form.
 */
#include "cudacpu/instrument/instrument.h"
#include "warp/type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LLVMValueRef node_operand(LLVMValueRef node, unsigned number) {
    if (!node || LLVMIsAMDString(node) || LLVMGetMDNodeNumOperands(node) <= number)
        return NULL;
    LLVMValueRef *all = calloc(LLVMGetMDNodeNumOperands(node), sizeof *all);
    LLVMGetMDNodeOperands(node, all);
    LLVMValueRef found = all[number];
    free(all);
    return found;
}

/* LLVM 21 made the size and the offset of a type operands. */
LLVMValueRef node_type_operand(LLVMValueRef type, unsigned number) {
    return node_operand(type, (llvm_version() >= 21 ? 5 : 3) + number);
}

const char *node_name(LLVMValueRef node, unsigned number, size_t *length) {
    LLVMValueRef name = node_operand(node, number);
    unsigned size = 0;
    const char *text = name && LLVMIsAMDString(name) ? LLVMGetMDString(name, &size) : NULL;
    *length = size;
    return text;
}

bool node_has_tag(LLVMValueRef node, const char *tag) {
    char *printed = node ? LLVMPrintValueToString(node) : NULL;
    const bool has = printed && strstr(printed, tag);
    if (printed)
        LLVMDisposeMessage(printed);
    return has;
}

LLVMValueRef node_plain_type(LLVMValueRef type) {
    while (node_has_tag(type, "DW_TAG_typedef") || node_has_tag(type, "DW_TAG_const_type") ||
           node_has_tag(type, "DW_TAG_volatile_type") || node_has_tag(type, "DW_TAG_restrict_type"))
        type = node_type_operand(type, OF_TYPE_BASE);
    return type;
}

static const struct named_type {
    const char *name;
    int type;
} numbers[] = {{"int", WARP_TYPE_INT},
               {"unsigned int", WARP_TYPE_UNSIGNED},
               {"long", WARP_TYPE_LONG},
               {"unsigned long", WARP_TYPE_UNSIGNED_LONG},
               {"long long", WARP_TYPE_LONG_LONG},
               {"unsigned long long", WARP_TYPE_UNSIGNED_LONG_LONG},
               {"float", WARP_TYPE_FLOAT},
               {"double", WARP_TYPE_DOUBLE},
               {"__half", WARP_TYPE_HALF},
               {"__half2", WARP_TYPE_HALF2},
               {"__nv_bfloat16", WARP_TYPE_BFLOAT16},
               {"__nv_bfloat162", WARP_TYPE_BFLOAT162},
               {"char", WARP_TYPE_INT},
               {"signed char", WARP_TYPE_INT},
               {"short", WARP_TYPE_INT}};

static const struct vector_base {
    const char *base;
    int type, bytes;
} vectors[] = {{"char", WARP_TYPE_INT, 1},
               {"uchar", WARP_TYPE_UNSIGNED, 1},
               {"short", WARP_TYPE_INT, 2},
               {"ushort", WARP_TYPE_UNSIGNED, 2},
               {"int", WARP_TYPE_INT, 4},
               {"uint", WARP_TYPE_UNSIGNED, 4},
               {"long", WARP_TYPE_LONG, 8},
               {"ulong", WARP_TYPE_UNSIGNED_LONG, 8},
               {"longlong", WARP_TYPE_LONG_LONG, 8},
               {"ulonglong", WARP_TYPE_UNSIGNED_LONG_LONG, 8},
               {"float", WARP_TYPE_FLOAT, 4},
               {"double", WARP_TYPE_DOUBLE, 8}};

/* True for float4 and its like: two or four members, aligned as a whole. */
static bool is_vector(const char *name, size_t length, struct element *element) {
    const int count = length ? name[length - 1] - '0' : 0;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if ((count == 2 || count == 4) && strlen(vectors[i].base) == length - 1 &&
            strncmp(vectors[i].base, name, length - 1) == 0) {
            const int bytes = vectors[i].bytes * count;
            *element = (struct element){vectors[i].type, bytes < 16 ? bytes : 16, bytes};
            return true;
        }
    return false;
}

static struct element element_of(LLVMValueRef type) {
    struct element element = {WARP_TYPE_UNSIGNED, 0, 0};
    type = node_plain_type(type);
    while (node_has_tag(type, "DW_TAG_array_type"))
        type = node_plain_type(node_type_operand(type, OF_TYPE_BASE));
    size_t length;
    const char *name = node_name(type, 2, &length);
    if (!name || is_vector(name, length, &element))
        return element;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strlen(numbers[i].name) == length && strncmp(numbers[i].name, name, length) == 0)
            element.type = numbers[i].type;
    return element;
}

/* Prepends the node's scopes, such as "mine::", to `name`, which has room for `size` bytes. */
static void add_scopes(LLVMValueRef node, char *name, size_t size) {
    for (LLVMValueRef scope = node_operand(node, OF_SCOPE);
         node_has_tag(scope, "DINamespace") || node_has_tag(scope, "DICompositeType");
         scope = node_operand(scope, OF_SCOPE)) {
        size_t length;
        const char *outer = node_name(scope, OF_FUNCTION_NAME, &length);
        if (!outer || length + 2 + strlen(name) >= size) /* a namespace without a name */
            continue;
        char *inner = strdup(name);
        if (!inner)
            fail("out of memory");
        snprintf(name, size, "%.*s::%s", (int)length, outer, inner);
        free(inner);
    }
}

char *function_name(struct unit *u, LLVMValueRef function) {
    enum { NAME_MOST = 512 };
    size_t length;
    char *name = calloc(1, NAME_MOST);
    LLVMMetadataRef about = LLVMGetSubprogram(function);
    LLVMValueRef node = about ? LLVMMetadataAsValue(u->context, about) : NULL;
    const char *text = node ? node_name(node, OF_FUNCTION_NAME, &length) : NULL;
    if (!text)
        text = LLVMGetValueName2(function, &length);
    snprintf(name, NAME_MOST, "%.*s", (int)(length < NAME_MOST ? length : NAME_MOST - 1), text);
    if (node)
        add_scopes(node, name, NAME_MOST);
    return name;
}

int node_bytes(LLVMValueRef type) {
    return type ? (int)(LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) / 8) : 0;
}

bool node_has_members(LLVMValueRef type) {
    return node_has_tag(type, "DW_TAG_structure_type") || node_has_tag(type, "DW_TAG_class_type") ||
           node_has_tag(type, "DW_TAG_union_type");
}

bool node_is_member(LLVMValueRef node) {
    return (node_has_tag(node, "DW_TAG_member") || node_has_tag(node, "DW_TAG_inheritance")) &&
           !node_has_tag(node, "DIFlagStaticMember") && !node_has_tag(node, "DIFlagBitField");
}

LLVMValueRef declared_memory(LLVMValueRef instruction) {
    LLVMValueRef memory = NULL;
    size_t length;
    if (!LLVMIsACallInst(instruction) ||
        strcmp(LLVMGetValueName2(LLVMGetCalledValue(instruction), &length), "llvm.dbg.declare") !=
            0)
        return NULL;
    LLVMValueRef argument = LLVMGetOperand(instruction, 0);
    if (LLVMGetMDNodeNumOperands(argument) == 1)
        LLVMGetMDNodeOperands(argument, &memory);
    return memory;
}

LLVMValueRef pointed_type(struct unit *u, LLVMValueRef function, unsigned parameter) {
    LLVMMetadataRef about = LLVMGetSubprogram(function);
    LLVMValueRef node = about ? LLVMMetadataAsValue(u->context, about) : NULL;
    LLVMValueRef list = node_type_operand(node_operand(node, OF_FUNCTION_TYPE), OF_SIGNATURE_LIST);
    LLVMValueRef type =
        node_plain_type(node_operand(list, parameter + 1)); /* after its result type */
    if (!node_has_tag(type, "DW_TAG_pointer_type"))
        return NULL;
    return node_plain_type(node_type_operand(type, OF_TYPE_BASE));
}

struct element pointed_by(struct unit *u, LLVMValueRef function, unsigned parameter) {
    LLVMValueRef to = pointed_type(u, function, parameter);
    struct element element = to ? element_of(to) : (struct element){-1, 0, 0};
    element.bytes = node_bytes(to);
    return element;
}

static struct element element_of_value(LLVMTypeRef type) {
    struct element element = {WARP_TYPE_INT, 0, 0};
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    const char *name = kind == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
    if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
        element.type = kind == LLVMFloatTypeKind ? WARP_TYPE_FLOAT : WARP_TYPE_DOUBLE;
    else if (kind == LLVMStructTypeKind)
        element.type = WARP_TYPE_UNSIGNED;
    if (name && strncmp(name, "struct.", strlen("struct.")) == 0)
        is_vector(name + strlen("struct."), strlen(name) - strlen("struct."), &element);
    return element;
}

LLVMValueRef variable_about(struct unit *u, LLVMValueRef variable) {
    size_t count;
    LLVMValueRef about = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(variable, &count);
    if (count)
        about = node_operand(
            LLVMMetadataAsValue(u->context, LLVMValueMetadataEntriesGetMetadata(entries, 0)),
            OF_EXPRESSION_VARIABLE);
    LLVMDisposeValueMetadataEntries(entries);
    return about;
}

char *variable_name(struct unit *u, LLVMValueRef variable, struct element *element) {
    size_t length;
    LLVMValueRef about = variable_about(u, variable);
    *element = about ? element_of(node_operand(about, OF_VARIABLE_TYPE))
                     : element_of_value(LLVMGlobalGetValueType(variable));
    const char *name = node_name(about, OF_VARIABLE_NAME, &length);
    if (!name)
        name = LLVMGetValueName2(variable, &length);
    return strndup(name, length);
}
