/*
 * Adds the origins' values beside the program's own, block by block. The phis of origins are made
 * first and filled later, because loops refer to values that do not exist yet.
 */
#include "cudacpu/instrument/origins/origins.h"

#include <stdlib.h>
#include <string.h>

/* Suffix of a kernel's reporting function (lines/lines.c). */
#define SHOWN ".shown"

/* The kernel that the function is the other version of; -1 if there is none. */
static int kernel_of(const struct unit *u, LLVMValueRef function) {
    size_t length, shown;
    const char *name = LLVMGetValueName2(function, &shown);
    for (size_t i = 0; i < u->kernel_count; i++) {
        const char *kernel = LLVMGetValueName2(u->kernels[i].function, &length);
        if (shown == length + strlen(SHOWN) && memcmp(name, kernel, length) == 0 &&
            memcmp(name + length, SHOWN, strlen(SHOWN)) == 0)
            return (int)i;
    }
    return -1;
}

static bool is_known(const struct origin_function *f, LLVMBasicBlockRef block) {
    for (size_t i = 0; i < f->block_count; i++)
        if (f->blocks[i] == block)
            return true;
    return false;
}

/* Blocks from the function's end backwards, then reversed. */
static void add_block(struct origin_function *f, LLVMBasicBlockRef block, LLVMBasicBlockRef **seen,
                      size_t *seen_count) {
    for (size_t i = 0; i < *seen_count; i++)
        if ((*seen)[i] == block)
            return;
    *seen = list_grow(*seen, *seen_count, sizeof **seen);
    (*seen)[(*seen_count)++] = block;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = LLVMGetNumSuccessors(end); i-- > 0;)
        add_block(f, LLVMGetSuccessor(end, i), seen, seen_count);
    f->blocks = list_grow(f->blocks, f->block_count, sizeof *f->blocks);
    f->blocks[f->block_count++] = block;
}

static void find_blocks(struct origin_function *f) {
    LLVMBasicBlockRef *seen = NULL;
    size_t count = 0;
    add_block(f, LLVMGetEntryBasicBlock(f->function), &seen, &count);
    for (size_t i = 0; i < f->block_count / 2; i++) {
        LLVMBasicBlockRef other = f->blocks[f->block_count - 1 - i];
        f->blocks[f->block_count - 1 - i] = f->blocks[i];
        f->blocks[i] = other;
    }
    free(seen);
}

static bool is_lifetime_marker(LLVMValueRef i) {
    size_t length;
    return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
           strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), "llvm.lifetime.",
                   strlen("llvm.lifetime.")) == 0;
}

struct origin_function *origins_note(struct unit *u, LLVMValueRef function) {
    struct origin_function *f = calloc(1, sizeof *f);
    if (!f)
        fail("out of memory");
    *f = (struct origin_function){.u = u,
                                  .function = function,
                                  .kernel = (unsigned)kernel_of(u, function),
                                  .is_kernel = kernel_of(u, function) >= 0};
    find_blocks(f);
    for (size_t b = 0; b < f->block_count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            if (is_lifetime_marker(i))
                continue;
            f->instructions = list_grow(f->instructions, f->count, sizeof *f->instructions);
            f->instructions[f->count++] = i;
        }
    return f;
}

/* ---- phis ---- */

static void begin_phi(struct origin_function *f, LLVMValueRef phi) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES];
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(phi), leaves);
    origins_before(f, phi);
    for (unsigned i = 0; i < count; i++)
        nodes[i] = LLVMBuildPhi(f->b, origins_node_type(f->u), "");
    origins_set(f, phi, nodes, count);
}

static void end_phi(struct origin_function *f, LLVMValueRef phi, LLVMValueRef *nodes,
                    unsigned count) {
    for (unsigned leaf = 0; leaf < count; leaf++)
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            LLVMValueRef node = is_known(f, from)
                                    ? origins_node(f, LLVMGetIncomingValue(phi, i), leaf)
                                    : origins_none(f->u);
            LLVMAddIncoming(nodes[leaf], &node, &from, 1);
        }
}

/* ---- a whole function ---- */

static LLVMValueRef after_phis(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void begin_block(struct origin_function *f, LLVMBasicBlockRef block) {
    origins_before(f, after_phis(block));
    origins_at_join(f, block);
}

static void release(struct origin_function *f) {
    for (size_t i = 0; i < f->room; i++)
        free(f->table[i].nodes);
    for (size_t i = 0; i < f->branch_count; i++) {
        free(f->branches[i].written);
        free(f->branches[i].region);
    }
    LLVMDisposeBuilder(f->b);
    free(f->branches);
    free(f->table);
    free(f->blocks);
    free(f->instructions);
    free(f);
}

/* The origins of phis, as first made: at a join others replace them. */
struct phi {
    LLVMValueRef phi, nodes[ORIGIN_LEAVES];
    unsigned count;
};

static struct phi *begin_phis(struct origin_function *f, size_t *count) {
    struct phi *phis = NULL;
    for (size_t i = 0; i < f->count; i++) {
        LLVMValueRef at = f->instructions[i];
        if (!LLVMIsAPHINode(at))
            continue;
        begin_phi(f, at);
        const struct origin_values *known = origins_of(f, at);
        phis = list_grow(phis, *count, sizeof *phis);
        phis[*count] = (struct phi){.phi = at, .count = known->count};
        memcpy(phis[(*count)++].nodes, known->nodes, known->count * sizeof *known->nodes);
    }
    return phis;
}

void origins_track(struct origin_function *f, bool has_lines) {
    size_t phi_count = 0;
    f->has_lines = has_lines;
    f->room = (f->count + LLVMCountParams(f->function)) * 2 + 16;
    f->table = calloc(f->room, sizeof *f->table);
    f->b = LLVMCreateBuilderInContext(f->u->context);
    if (!f->table)
        fail("out of memory");
    struct phi *phis = begin_phis(f, &phi_count);
    origins_find_branches(f);
    origins_begin(f);
    for (size_t i = 0, b = 0; i < f->count; i++) {
        LLVMValueRef at = f->instructions[i];
        if (b < f->block_count && LLVMGetInstructionParent(at) == f->blocks[b] &&
            !LLVMIsAPHINode(at)) {
            begin_block(f, f->blocks[b]);
            b++;
        }
        origins_instruction(f, at);
    }
    for (size_t i = 0; i < phi_count; i++)
        end_phi(f, phis[i].phi, phis[i].nodes, phis[i].count);
    free(phis);
    release(f);
}
