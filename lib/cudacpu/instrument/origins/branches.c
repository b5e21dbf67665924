/*
 * branches.c - makes values depend on the data of the conditions around them.
 *
 * Between a branch and the point where both paths meet again, its join, a variable may be written
 * on one path and not on the other: from the join on, its value depends on the origins of the
 * condition. A condition on constants, the lane's number or a kernel's arguments adds nothing; the
 * runtime recognises those.
 */
#include "cudacpu/instrument/origins/origins.h"

#include "cudacpu/instrument/lines/words.h"

#include <stdlib.h>
#include <string.h>

/* Functions with more blocks are not analysed. */
#define BLOCKS_MOST 512u

static size_t number_of(const struct origin_function *f, LLVMBasicBlockRef block) {
    for (size_t i = 0; i < f->block_count; i++)
        if (f->blocks[i] == block)
            return i;
    return f->block_count;
}

/* Computes a block's row from those of its successors. */
static void find_row(const struct origin_function *f, const unsigned char *behind, size_t block,
                     unsigned char *row) {
    const size_t n = f->block_count;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[block]);
    const unsigned ways = LLVMGetNumSuccessors(end);
    memset(row, ways > 0, n);
    for (unsigned w = 0; w < ways; w++) {
        const size_t to = number_of(f, LLVMGetSuccessor(end, w));
        for (size_t i = 0; i < n; i++)
            row[i] &= behind[to * n + i];
    }
    row[block] = 1;
}

/* For each block its postdominators, itself included; rows of block_count bytes. */
static unsigned char *find_postdominators(const struct origin_function *f) {
    const size_t n = f->block_count;
    unsigned char *behind = malloc(n * n + 1);
    if (!behind)
        fail("out of memory");
    memset(behind, 1, n * n);
    unsigned char *row = malloc(n + 1);
    if (!row)
        fail("out of memory");
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t b = n; b-- > 0;) {
            find_row(f, behind, b, row);
            changes = changes || memcmp(row, behind + b * n, n) != 0;
            memcpy(behind + b * n, row, n);
        }
    }
    free(row);
    return behind;
}

/* The nearest of them; all others come after it. */
static LLVMBasicBlockRef join_of(const struct origin_function *f, const unsigned char *behind,
                                 size_t block) {
    const size_t n = f->block_count;
    size_t most = 0, join = n;
    for (size_t i = 0; i < n; i++) {
        size_t count = 0;
        if (i == block || !behind[block * n + i])
            continue; /* not after it */
        for (size_t k = 0; k < n; k++)
            count += behind[i * n + k];
        if (count > most) {
            most = count;
            join = i;
        }
    }
    return join < n ? f->blocks[join] : NULL;
}

static void walk(const struct origin_function *f, struct origin_branch *branch,
                 LLVMBasicBlockRef block) {
    const size_t number = number_of(f, block);
    if (block == branch->join || number == f->block_count || branch->region[number])
        return;
    branch->region[number] = 1;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        walk(f, branch, LLVMGetSuccessor(end, i));
}

static void add_written(struct origin_branch *branch, LLVMValueRef address) {
    while (address && !LLVMIsAAllocaInst(address)) {
        const bool leads = LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
                           LLVMIsAAddrSpaceCastInst(address);
        address = leads ? LLVMGetOperand(address, 0) : NULL;
    }
    for (size_t i = 0; i < branch->written_count; i++)
        if (branch->written[i] == address)
            return;
    if (!address)
        return;
    branch->written = list_grow(branch->written, branch->written_count, sizeof *branch->written);
    branch->written[branch->written_count++] = address;
}

/* Only a variable of the function's first block exists at the join. */
static void find_written(const struct origin_function *f, struct origin_branch *branch) {
    for (size_t i = 0; i < f->count; i++) {
        LLVMValueRef at = f->instructions[i];
        const size_t number = number_of(f, LLVMGetInstructionParent(at));
        if (number == f->block_count || !branch->region[number])
            continue;
        if (LLVMIsAStoreInst(at))
            add_written(branch, LLVMGetOperand(at, 1));
        for (unsigned a = 0; LLVMIsACallInst(at) && a < LLVMGetNumArgOperands(at); a++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, a))) == LLVMPointerTypeKind)
                add_written(branch, LLVMGetOperand(at, a));
    }
}

static bool has_condition(LLVMValueRef end) {
    return LLVMIsASwitchInst(end) || (LLVMIsABranchInst(end) && LLVMIsConditional(end));
}

static void add_branch(struct origin_function *f, const unsigned char *behind, size_t block) {
    struct origin_branch branch = {.block = f->blocks[block],
                                   .join = join_of(f, behind, block),
                                   .region = calloc(1, f->block_count + 1)};
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->blocks[block]);
    if (!branch.region)
        fail("out of memory");
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        walk(f, &branch, LLVMGetSuccessor(end, i));
    find_written(f, &branch);
    origins_before(f, LLVMGetFirstInstruction(f->blocks[0]));
    branch.slot = LLVMBuildAlloca(f->b, origins_node_type(f->u), "");
    LLVMBuildStore(f->b, origins_none(f->u), branch.slot);
    f->branches = list_grow(f->branches, f->branch_count, sizeof *f->branches);
    f->branches[f->branch_count++] = branch;
}

void origins_find_branches(struct origin_function *f) {
    if (f->block_count > BLOCKS_MOST || f->block_count < 2)
        return;
    unsigned char *behind = find_postdominators(f);
    for (size_t i = 0; i < f->block_count; i++)
        if (has_condition(LLVMGetBasicBlockTerminator(f->blocks[i])))
            add_branch(f, behind, i);
    free(behind);
}

void origins_at_branch(struct origin_function *f, LLVMValueRef end) {
    for (size_t i = 0; i < f->branch_count; i++) {
        struct origin_branch *branch = &f->branches[i];
        if (LLVMGetBasicBlockTerminator(branch->block) != end)
            continue;
        LLVMValueRef node = origins_node(f, LLVMGetOperand(end, 0), 0);
        if (LLVMIsConstant(node))
            return;
        LLVMTypeRef type = origins_node_type(f->u);
        LLVMValueRef arguments[] = {LLVMBuildLoad2(f->b, type, branch->slot, ""), node,
                                    origins_line(f, end)};
        LLVMBuildStore(f->b, origins_call(f, "cpu_origin_depends", type, arguments, 3),
                       branch->slot);
    }
}

/* The builder is after the block's phis. */
static void at_join(struct origin_function *f, const struct origin_branch *branch,
                    LLVMBasicBlockRef block) {
    LLVMTypeRef type = origins_node_type(f->u);
    LLVMValueRef condition = LLVMBuildLoad2(f->b, type, branch->slot, "");
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        struct origin_values *known = origins_of(f, i);
        for (unsigned leaf = 0; known->value && leaf < known->count; leaf++) {
            LLVMValueRef arguments[] = {known->nodes[leaf], condition, origins_word(f, 0)};
            known->nodes[leaf] = origins_call(f, "cpu_origin_chosen", type, arguments, 3);
        }
    }
    for (size_t i = 0; i < branch->written_count; i++) {
        LLVMValueRef variable = branch->written[i];
        if (LLVMGetInstructionParent(variable) != f->blocks[0])
            continue;
        LLVMValueRef arguments[] = {
            origins_bytes(f, variable),
            origins_word(f, LLVMStoreSizeOfType(f->u->layout, LLVMGetAllocatedType(variable))),
            condition, origins_word(f, 0)};
        origins_call(f, "cpu_origin_choose", NULL, arguments, 4);
    }
    LLVMBuildStore(f->b, origins_none(f->u), branch->slot);
}

void origins_at_join(struct origin_function *f, LLVMBasicBlockRef block) {
    for (size_t i = 0; i < f->branch_count; i++)
        if (f->branches[i].join == block)
            at_join(f, &f->branches[i], block);
}

LLVMValueRef origins_in_region(struct origin_function *f, LLVMValueRef instruction,
                               LLVMValueRef node) {
    const size_t number = number_of(f, LLVMGetInstructionParent(instruction));
    LLVMTypeRef type = origins_node_type(f->u);
    for (size_t i = 0; i < f->branch_count; i++) {
        const struct origin_branch *branch = &f->branches[i];
        if (number == f->block_count || !branch->region[number])
            continue;
        LLVMValueRef arguments[] = {node, LLVMBuildLoad2(f->b, type, branch->slot, ""),
                                    origins_line(f, instruction)};
        node = origins_call(f, "cpu_origin_chosen", type, arguments, 3);
    }
    return node;
}
