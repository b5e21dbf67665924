#include "cudacpu/instrument/lines/lines.h"

#include "cudacpu/instrument/lines/words.h"

#include <stdlib.h>
#include <string.h>

static LLVMValueRef number(struct unit *u, unsigned long long value) {
    return LLVMConstInt(words_int64(u), value, false);
}

static LLVMValueRef global(struct unit *u, LLVMValueRef value, bool is_constant) {
    LLVMValueRef made = LLVMAddGlobal(u->module, LLVMTypeOf(value), "cpu_line_data");
    LLVMSetInitializer(made, value);
    LLVMSetGlobalConstant(made, is_constant);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    return LLVMConstPointerCast(made, words_pointer(u));
}

static LLVMValueRef text(struct unit *u, const char *bytes, size_t length) {
    return global(u, LLVMConstStringInContext(u->context, bytes, (unsigned)length, false), true);
}

static LLVMValueRef list(struct unit *u, LLVMValueRef *items, size_t count) {
    return count ? global(u, LLVMConstArray(LLVMTypeOf(items[0]), items, (unsigned)count), true)
                 : LLVMConstNull(words_pointer(u));
}

/* True if `inner` is within `scope`, so that names declared there are visible. */
static bool holds(struct unit *u, LLVMMetadataRef scope, LLVMMetadataRef inner) {
    while (inner && inner != scope) {
        LLVMValueRef node = LLVMMetadataAsValue(u->context, inner);
        LLVMValueRef outer =
            node_has_tag(node, "DILexicalBlock") ? node_operand(node, OF_SCOPE) : NULL;
        inner = outer ? LLVMValueAsMetadata(outer) : NULL;
    }
    return inner != NULL;
}

static bool is_in_scope(const struct line_function *f, const struct line_slot *slot,
                        const struct line_site *site) {
    for (size_t i = 0; i < site->scope_count; i++)
        if (holds(f->u, slot->scope, site->scopes[i]))
            return true;
    return slot->is_parameter;
}

/* A bit for each leaf. */
static LLVMValueRef describe_bits(struct line_function *f, const unsigned long long *bits) {
    LLVMValueRef words[LINES_FUNCTION_LEAVES / 64 + 1];
    const size_t count = f->leaf_count / 64 + 1;
    for (size_t i = 0; i < count; i++)
        words[i] = number(f->u, bits[i]);
    return list(f->u, words, count);
}

static LLVMValueRef describe_scope(struct line_function *f, const struct line_site *site) {
    unsigned long long bits[LINES_FUNCTION_LEAVES / 64 + 1] = {0};
    for (size_t i = 0; i < f->slot_count; i++)
        for (size_t leaf = f->slots[i].first;
             is_in_scope(f, &f->slots[i], site) && leaf < f->slots[i].first + f->slots[i].count;
             leaf++)
            bits[leaf / 64] |= 1ull << leaf % 64;
    return describe_bits(f, bits);
}

static LLVMValueRef describe_sites(struct line_function *f) {
    LLVMValueRef *sites = calloc(f->site_count + 1, sizeof *sites);
    for (size_t i = 0; i < f->site_count; i++) {
        LLVMValueRef fields[] = {number(f->u, f->sites[i].line), describe_scope(f, &f->sites[i]),
                                 describe_bits(f, f->sites[i].reads)};
        sites[i] = LLVMConstStructInContext(f->u->context, fields, 3, false);
    }
    LLVMValueRef made = list(f->u, sites, f->site_count);
    free(sites);
    return made;
}

static LLVMValueRef describe_leaves(struct line_function *f) {
    LLVMValueRef *leaves = calloc(f->leaf_count + 1, sizeof *leaves);
    for (size_t i = 0; i < f->slot_count; i++)
        for (size_t k = 0; k < f->slots[i].count; k++) {
            const struct line_leaf *leaf = &f->slots[i].leaves[k];
            LLVMValueRef fields[] = {text(f->u, leaf->name, strlen(leaf->name)),
                                     number(f->u, leaf->offset), number(f->u, (unsigned)leaf->type),
                                     number(f->u, leaf->bytes)};
            leaves[f->slots[i].first + k] =
                LLVMConstStructInContext(f->u->context, fields, 4, false);
        }
    LLVMValueRef made = list(f->u, leaves, f->leaf_count);
    free(leaves);
    return made;
}

static LLVMValueRef describe_slots(struct line_function *f) {
    LLVMValueRef *slots = calloc(f->slot_count + 1, sizeof *slots);
    unsigned long long saved = 0;
    for (size_t i = 0; i < f->slot_count; i++) {
        const struct line_slot *slot = &f->slots[i];
        LLVMValueRef fields[] = {number(f->u, slot->bytes), number(f->u, saved),
                                 number(f->u, slot->first), number(f->u, slot->count)};
        slots[i] = LLVMConstStructInContext(f->u->context, fields, 4, false);
        saved += slot->bytes;
    }
    LLVMValueRef made = list(f->u, slots, f->slot_count);
    free(slots);
    return made;
}

LLVMValueRef lines_describe(struct line_function *f) {
    unsigned length;
    const char *file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(f->about), &length);
    char *name = function_name(f->u, f->function);
    LLVMValueRef fields[] = {text(f->u, file, length),
                             text(f->u, name, strlen(name)),
                             number(f->u, f->slot_count),
                             number(f->u, f->leaf_count),
                             number(f->u, f->site_count),
                             describe_slots(f),
                             describe_leaves(f),
                             describe_sites(f),
                             number(f->u, 0)};
    free(name);
    return global(f->u, LLVMConstStructInContext(f->u->context, fields, 9, false), false);
}
