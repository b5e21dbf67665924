/*
 * variables.c - the local variables of a function with all their scalars, from clang's debugging
 * information. Leaves out pointers, because addresses differ from run to run, and members smaller
 * than a byte.
 */
#include "cudacpu/instrument/lines/lines.h"

#include "warp/type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 256 };

static LLVMMetadataRef metadata(LLVMValueRef node) {
    return LLVMValueAsMetadata(node);
}

/* ---- leaves ---- */

/* enum warp_type; -1 if it is not a number that can be shown. */
static int number_type(LLVMValueRef type, unsigned long long bytes) {
    if (node_has_tag(type, "DW_TAG_enumeration_type"))
        return bytes == 8 ? WARP_TYPE_LONG_LONG : WARP_TYPE_INT;
    if (node_has_tag(type, "DW_ATE_float"))
        return bytes == 4 ? WARP_TYPE_FLOAT : bytes == 8 ? WARP_TYPE_DOUBLE : -1;
    if (node_has_tag(type, "DW_ATE_signed"))
        return bytes == 8 ? WARP_TYPE_LONG_LONG : WARP_TYPE_INT;
    if (node_has_tag(type, "DW_ATE_unsigned") || node_has_tag(type, "DW_ATE_boolean"))
        return bytes == 8 ? WARP_TYPE_UNSIGNED_LONG_LONG : WARP_TYPE_UNSIGNED;
    return -1;
}

/* The types of CUDA's headers that are structs there but numbers to the reader. */
static int named_type(LLVMValueRef type) {
    static const struct {
        const char *name;
        int type;
    } named[] = {{"__half", WARP_TYPE_HALF},
                 {"__half2", WARP_TYPE_HALF2},
                 {"__nv_bfloat16", WARP_TYPE_BFLOAT16},
                 {"__nv_bfloat162", WARP_TYPE_BFLOAT162}};
    size_t length;
    const char *name = node_name(type, OF_FUNCTION_NAME, &length);
    for (size_t i = 0; name && i < sizeof named / sizeof named[0]; i++)
        if (strlen(named[i].name) == length && strncmp(named[i].name, name, length) == 0)
            return named[i].type;
    return -1;
}

static void add_leaf(struct line_slot *slot, const char *name, unsigned long long offset, int type,
                     unsigned long long bytes) {
    const bool fits = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (type < 0 || !fits || offset + bytes > slot->bytes || slot->count == LINES_SLOT_LEAVES)
        return;
    slot->leaves = list_grow(slot->leaves, slot->count, sizeof *slot->leaves);
    struct line_leaf *leaf = &slot->leaves[slot->count++];
    *leaf = (struct line_leaf){strdup(name), offset, type, (unsigned)bytes};
    if (!leaf->name)
        fail("out of memory");
}

static void add_leaves(struct line_slot *slot, LLVMValueRef type, const char *name,
                       unsigned long long offset);

/* Adds an element or member: its name with `end` appended, unless that would be too long. */
static void add_named(struct line_slot *slot, LLVMValueRef type, const char *name, const char *end,
                      size_t length, unsigned long long offset) {
    char longer[NAME_MOST];
    const int wanted = snprintf(longer, sizeof longer, "%s%.*s", name,
                                (int)(length < NAME_MOST ? length : 0), end);
    if (wanted > 0 && (size_t)wanted < sizeof longer)
        add_leaves(slot, type, longer, offset);
}

static void add_member(struct line_slot *slot, LLVMValueRef member, const char *name,
                       unsigned long long offset) {
    char end[NAME_MOST];
    size_t length;
    LLVMValueRef type = node_type_operand(member, OF_TYPE_BASE);
    if (!type || !node_is_member(member))
        return;
    offset += LLVMDITypeGetOffsetInBits(metadata(member)) / 8;
    if (node_has_tag(member, "DW_TAG_inheritance")) {
        add_leaves(slot, type, name, offset);
    } else {
        const char *text = node_name(member, OF_FUNCTION_NAME, &length);
        if (!text || length == 0) { /* of an unnamed union, whose members have names */
            add_leaves(slot, type, name, offset);
            return;
        }
        snprintf(end, sizeof end, ".%.*s", (int)(length < sizeof end - 2 ? length : 0), text);
        add_named(slot, type, name, end, strlen(end), offset);
    }
}

/* Adds the elements of one dimension and, within each, those of the following ones. */
static void add_elements(struct line_slot *slot, LLVMValueRef array, unsigned dimension,
                         const char *name, unsigned long long offset, unsigned long long bytes) {
    LLVMValueRef ranges = node_type_operand(array, OF_TYPE_ELEMENTS);
    LLVMValueRef range = node_operand(ranges, dimension);
    LLVMValueRef type = node_type_operand(array, OF_TYPE_BASE);
    if (!range) {
        add_leaves(slot, type, name, offset);
        return;
    }
    LLVMValueRef count = node_operand(range, OF_RANGE_COUNT);
    if (!count || !LLVMIsAConstantInt(count))
        return;
    const unsigned long long elements = LLVMConstIntGetZExtValue(count);
    for (unsigned long long i = 0; i < elements && slot->count < LINES_SLOT_LEAVES; i++) {
        char longer[NAME_MOST];
        if (snprintf(longer, sizeof longer, "%s[%llu]", name, i) >= (int)sizeof longer)
            return;
        add_elements(slot, array, dimension + 1, longer, offset + i * (bytes / elements),
                     bytes / elements);
    }
}

static void add_leaves(struct line_slot *slot, LLVMValueRef type, const char *name,
                       unsigned long long offset) {
    type = node_plain_type(type);
    if (!type)
        return;
    const unsigned long long bytes = (unsigned long long)node_bytes(type);
    if (node_has_tag(type, "DW_TAG_array_type")) {
        add_elements(slot, type, 0, name, offset, bytes);
    } else if (node_has_members(type)) {
        const int number = named_type(type);
        if (number >= 0) {
            add_leaf(slot, name, offset, number, bytes);
            return;
        }
        LLVMValueRef members = node_type_operand(type, OF_TYPE_ELEMENTS), member;
        for (unsigned i = 0; (member = node_operand(members, i)); i++)
            add_member(slot, member, name, offset);
    } else {
        add_leaf(slot, name, offset, number_type(type, bytes), bytes);
    }
}

/* ---- variables ---- */

static void add_variable(struct line_function *f, LLVMValueRef declare, LLVMValueRef memory) {
    LLVMValueRef variable = LLVMGetOperand(declare, 1);
    size_t length;
    const char *name = node_name(variable, OF_VARIABLE_NAME, &length);
    LLVMValueRef type = node_operand(variable, OF_VARIABLE_TYPE);
    char text[NAME_MOST];
    if (!name || !type || length == 0 || length >= sizeof text ||
        !(LLVMIsAAllocaInst(memory) || LLVMIsAArgument(memory)) ||
        !node_has_tag(LLVMGetOperand(declare, 2), "!DIExpression()"))
        return;
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    LLVMValueRef plain = node_plain_type(type);
    struct line_slot slot = {.memory = memory,
                             .declare = declare,
                             .scope = LLVMDIVariableGetScope(metadata(variable)),
                             .is_parameter = node_has_tag(variable, "DILocalVariable") &&
                                             node_has_tag(variable, "arg: "),
                             .bytes = (unsigned long long)node_bytes(plain)};
    add_leaves(&slot, type, text, 0);
    if (slot.count == 0 || f->leaf_count + slot.count > LINES_FUNCTION_LEAVES) {
        free(slot.leaves);
        return;
    }
    slot.bytes = 0; /* only the shown part of a large array is compared */
    for (size_t i = 0; i < slot.count; i++) {
        const unsigned long long end = slot.leaves[i].offset + slot.leaves[i].bytes;
        slot.bytes = end > slot.bytes ? end : slot.bytes;
    }
    slot.first = f->leaf_count;
    f->leaf_count += slot.count;
    f->slots = list_grow(f->slots, f->slot_count, sizeof *f->slots);
    f->slots[f->slot_count++] = slot;
}

void lines_find_variables(struct line_function *f) {
    LLVMValueRef memory;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((memory = declared_memory(i)) != NULL)
                add_variable(f, i, memory);
}

void lines_release(struct line_function *f) {
    for (size_t i = 0; i < f->slot_count; i++) {
        for (size_t leaf = 0; leaf < f->slots[i].count; leaf++)
            free(f->slots[i].leaves[leaf].name);
        free(f->slots[i].leaves);
    }
    for (size_t i = 0; i < f->site_count; i++)
        free(f->sites[i].scopes);
    free(f->slots);
    free(f->sites);
}

long lines_slot_of(const struct line_function *f, LLVMValueRef address) {
    while (address && !LLVMIsAAllocaInst(address) && !LLVMIsAArgument(address)) {
        const bool leads = LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
                           LLVMIsAAddrSpaceCastInst(address);
        address = leads ? LLVMGetOperand(address, 0) : NULL;
    }
    for (size_t i = 0; address && i < f->slot_count; i++)
        if (f->slots[i].memory == address)
            return (long)i;
    return -1;
}
