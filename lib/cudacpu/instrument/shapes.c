/*
 * shapes.c - the shape of a variable, for the names of its elements and members (module.h): the
 * bytes of an element, the extents of the array, and for a structure its members as in the
 * debugging information.
 */
#include "cudacpu/instrument/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHAPE_MOST = 1024, /* further members have no names */
    WORD_MOST = 128
};

struct shape {
    char text[SHAPE_MOST];
    size_t length;
};

static void append(struct shape *shape, const char *word) {
    const size_t length = strlen(word);
    if (shape->length + length >= sizeof shape->text)
        return;
    memcpy(shape->text + shape->length, word, length + 1);
    shape->length += length;
}

static void append_members(struct shape *shape, LLVMValueRef type, const char *path,
                           unsigned long long offset);

/* ";.partial 0 4 32": the member's path, where it begins, the bytes of an element, the extents. */
static void append_member(struct shape *shape, LLVMValueRef type, const char *path,
                          unsigned long long offset) {
    char word[2 * WORD_MOST], extents[WORD_MOST] = "";
    size_t length = 0;
    type = node_plain_type(type);
    while (type && node_has_tag(type, "DW_TAG_array_type")) {
        LLVMValueRef ranges = node_type_operand(type, OF_TYPE_ELEMENTS), range;
        for (unsigned i = 0; (range = node_operand(ranges, i)) && length + 24 < sizeof extents;
             i++) {
            LLVMValueRef count = node_operand(range, OF_RANGE_COUNT);
            if (!count || !LLVMIsAConstantInt(count))
                return;
            length += (size_t)snprintf(extents + length, sizeof extents - length, " %llu",
                                       LLVMConstIntGetZExtValue(count));
        }
        type = node_plain_type(node_type_operand(type, OF_TYPE_BASE));
    }
    if (!type)
        return;
    if (length == 0 && node_has_members(type)) {
        append_members(shape, type, path, offset);
        return;
    }
    snprintf(word, sizeof word, ";%s %llu %d%s", path, offset, node_bytes(type), extents);
    append(shape, word);
}

static void append_members(struct shape *shape, LLVMValueRef type, const char *path,
                           unsigned long long offset) {
    LLVMValueRef members = node_type_operand(type, OF_TYPE_ELEMENTS), member;
    for (unsigned i = 0; (member = node_operand(members, i)); i++) {
        char longer[WORD_MOST];
        size_t length = 0;
        LLVMValueRef of = node_type_operand(member, OF_TYPE_BASE);
        const bool is_base = node_has_tag(member, "DW_TAG_inheritance");
        if (!of || !node_is_member(member))
            continue;
        const unsigned long long at = LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(member)) / 8;
        const char *name = is_base ? NULL : node_name(member, OF_FUNCTION_NAME, &length);
        if (!name)
            length = 0; /* of an unnamed union, whose members have names */
        if (snprintf(longer, sizeof longer, "%s%s%.*s", path, length ? "." : "", (int)length,
                     length ? name : "") < (int)sizeof longer)
            append_member(shape, of, longer, offset + at);
    }
}

static char *copy_of(const struct shape *shape) {
    char *copy = strdup(shape->text);
    if (!copy)
        fail("out of memory");
    return copy;
}

char *variable_shape(struct unit *u, LLVMValueRef variable) {
    struct shape shape = {{0}, 0};
    char extents[WORD_MOST] = "", bytes[32];
    size_t length = 0;
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    for (; LLVMGetTypeKind(type) == LLVMArrayTypeKind && length + 24 < sizeof extents;
         type = LLVMGetElementType(type))
        length += (size_t)snprintf(extents + length, sizeof extents - length, " %u",
                                   LLVMGetArrayLength(type));
    snprintf(bytes, sizeof bytes, "%llu", LLVMABISizeOfType(u->layout, type));
    append(&shape, bytes);
    append(&shape, extents);
    LLVMValueRef about = variable_about(u, variable);
    LLVMValueRef of = about ? node_plain_type(node_operand(about, OF_VARIABLE_TYPE)) : NULL;
    while (of && node_has_tag(of, "DW_TAG_array_type"))
        of = node_plain_type(node_type_operand(of, OF_TYPE_BASE));
    if (of && node_has_members(of) && LLVMGetTypeKind(type) == LLVMStructTypeKind)
        append_members(&shape, of, "", 0);
    return copy_of(&shape);
}

char *pointed_members(struct unit *u, LLVMValueRef function, unsigned parameter) {
    struct shape shape = {{0}, 0};
    LLVMValueRef to = pointed_type(u, function, parameter);
    if (to && node_has_members(to) && !pointed_by(u, function, parameter).vector)
        append_members(&shape, to, "", 0);
    return copy_of(&shape);
}
