/* values.c - the origins of the results of instructions. */
#include "cudacpu/instrument/origins/origins.h"

#include "cudacpu/instrument/lines/words.h"

#include "simt/origins.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

static unsigned add_leaves(struct unit *u, LLVMTypeRef type, unsigned long long offset,
                           struct origin_leaf *leaves, unsigned count) {
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVoidTypeKind || kind == LLVMMetadataTypeKind || kind == LLVMLabelTypeKind ||
        kind == LLVMTokenTypeKind)
        return count;
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            count = add_leaves(u, LLVMStructGetTypeAtIndex(type, i),
                               offset + LLVMOffsetOfElement(u->layout, type, i), leaves, count);
        return count;
    }
    if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
        LLVMTypeRef of = LLVMGetElementType(type);
        const unsigned elements =
            kind == LLVMArrayTypeKind ? LLVMGetArrayLength(type) : LLVMGetVectorSize(type);
        for (unsigned i = 0; i < elements && count < ORIGIN_LEAVES; i++)
            count = add_leaves(u, of, offset + i * LLVMABISizeOfType(u->layout, of), leaves, count);
        return count;
    }
    if (count < ORIGIN_LEAVES)
        leaves[count] = (struct origin_leaf){offset, type};
    return count < ORIGIN_LEAVES ? count + 1 : count;
}

unsigned origins_leaves(struct unit *u, LLVMTypeRef type, struct origin_leaf *leaves) {
    return add_leaves(u, type, 0, leaves, 0);
}

/* ---- the table ---- */

struct origin_values *origins_of(struct origin_function *f, LLVMValueRef value) {
    size_t at = ((size_t)(uintptr_t)value >> 4) * 0x9e3779b9u % f->room;
    while (f->table[at].value && f->table[at].value != value)
        at = (at + 1) % f->room;
    return &f->table[at];
}

LLVMValueRef origins_node(struct origin_function *f, LLVMValueRef value, unsigned leaf) {
    const struct origin_values *known = origins_of(f, value);
    return known->value && leaf < known->count ? known->nodes[leaf] : origins_none(f->u);
}

void origins_set(struct origin_function *f, LLVMValueRef value, LLVMValueRef *nodes,
                 unsigned count) {
    struct origin_values *known = origins_of(f, value);
    if (!known->value) {
        known->value = value;
        known->count = count;
        known->nodes = calloc(count + 1, sizeof *known->nodes);
        if (!known->nodes)
            fail("out of memory");
    }
    memcpy(known->nodes, nodes, count * sizeof *nodes);
}

static void set_one(struct origin_function *f, LLVMValueRef value, LLVMValueRef node) {
    origins_set(f, value, &node, 1);
}

static bool is_none(LLVMValueRef node) {
    return LLVMIsConstant(node);
}

/* ---- arithmetic ---- */

static bool is_real(LLVMTypeRef type) {
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           kind == LLVMBFloatTypeKind;
}

static bool is_number(LLVMTypeRef type) {
    return is_real(type) ||
           (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

static LLVMValueRef as_double(struct origin_function *f, LLVMValueRef value) {
    LLVMTypeRef type = LLVMDoubleTypeInContext(f->u->context);
    return LLVMTypeOf(value) == type ? value : LLVMBuildFPExt(f->b, value, type, "");
}

static LLVMValueRef as_word(struct origin_function *f, LLVMValueRef value, bool is_signed) {
    LLVMTypeRef type = words_int64(f->u);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64)
        return value;
    return is_signed ? LLVMBuildSExt(f->b, value, type, "") : LLVMBuildZExt(f->b, value, type, "");
}

static LLVMValueRef depends(struct origin_function *f, LLVMValueRef a, LLVMValueRef b,
                            LLVMValueRef line) {
    LLVMValueRef arguments[] = {a, b, line};
    if (is_none(a) && is_none(b))
        return origins_none(f->u);
    return origins_call(f, "cpu_origin_depends", origins_node_type(f->u), arguments, 3);
}

/* A combination of all origins of the operands. */
static LLVMValueRef depends_on_all(struct origin_function *f, LLVMValueRef instruction,
                                   unsigned operands) {
    LLVMValueRef node = origins_none(f->u), line = origins_line(f, instruction);
    for (unsigned i = 0; i < operands; i++) {
        const struct origin_values *known = origins_of(f, LLVMGetOperand(instruction, i));
        for (unsigned leaf = 0; known->value && leaf < known->count; leaf++)
            node = depends(f, node, known->nodes[leaf], line);
    }
    return node;
}

static void set_all(struct origin_function *f, LLVMValueRef instruction, LLVMValueRef node) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES];
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(instruction), leaves);
    for (unsigned i = 0; i < count; i++)
        nodes[i] = node;
    origins_set(f, instruction, nodes, count);
}

static void linear(struct origin_function *f, LLVMValueRef instruction, unsigned what) {
    LLVMValueRef a = LLVMGetOperand(instruction, 0), b = LLVMGetOperand(instruction, 1);
    LLVMValueRef nodes[] = {origins_node(f, a, 0), origins_node(f, b, 0)};
    const bool real = is_real(LLVMTypeOf(instruction));
    if (is_none(nodes[0]) && is_none(nodes[1]))
        return;
    if (!is_number(LLVMTypeOf(instruction))) {
        set_all(f, instruction, depends_on_all(f, instruction, 2));
        return;
    }
    LLVMValueRef arguments[] = {origins_word(f, what),
                                nodes[0],
                                nodes[1],
                                real ? as_double(f, a) : as_word(f, a, what != CPU_ORIGIN_SHIFT),
                                real ? as_double(f, b) : as_word(f, b, what != CPU_ORIGIN_SHIFT),
                                origins_line(f, instruction)};
    set_one(f, instruction,
            origins_call(f, real ? "cpu_origin_real" : "cpu_origin_whole", origins_node_type(f->u),
                         arguments, 6));
}

/* An `and`, `or` or `xor` with a number that changes nothing does not count as an operation. */
static void bits(struct origin_function *f, LLVMValueRef instruction) {
    const bool is_and = LLVMGetInstructionOpcode(instruction) == LLVMAnd;
    LLVMTypeRef type = LLVMTypeOf(instruction);
    if (!is_number(type)) {
        set_all(f, instruction, depends_on_all(f, instruction, 2));
        return;
    }
    LLVMValueRef nodes[] = {origins_node(f, LLVMGetOperand(instruction, 0), 0),
                            origins_node(f, LLVMGetOperand(instruction, 1), 0)};
    if (is_none(nodes[0]) && is_none(nodes[1]))
        return;
    LLVMValueRef operands[] = {LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1)};
    for (int i = 0; i < 2; i++) /* so that 0 is the neutral operand */
        operands[i] = as_word(f, is_and ? LLVMBuildNot(f->b, operands[i], "") : operands[i], true);
    LLVMValueRef arguments[] = {
        origins_word(f, CPU_ORIGIN_BITS), nodes[0], nodes[1], operands[0], operands[1],
        origins_line(f, instruction)};
    set_one(f, instruction,
            origins_call(f, "cpu_origin_whole", origins_node_type(f->u), arguments, 6));
}

static void negate(struct origin_function *f, LLVMValueRef instruction) {
    LLVMValueRef node = origins_node(f, LLVMGetOperand(instruction, 0), 0);
    if (is_none(node))
        return;
    if (!is_number(LLVMTypeOf(instruction))) {
        set_all(f, instruction, depends_on_all(f, instruction, 1));
        return;
    }
    LLVMTypeRef real = LLVMDoubleTypeInContext(f->u->context);
    LLVMValueRef arguments[] = {origins_word(f, CPU_ORIGIN_PRODUCT),
                                node,
                                origins_none(f->u),
                                as_double(f, LLVMGetOperand(instruction, 0)),
                                LLVMConstReal(real, -1),
                                origins_line(f, instruction)};
    set_one(f, instruction,
            origins_call(f, "cpu_origin_real", origins_node_type(f->u), arguments, 6));
}

/* ---- instructions that move numbers ---- */

static void copy(struct origin_function *f, LLVMValueRef instruction) {
    LLVMValueRef from = LLVMGetOperand(instruction, 0);
    const struct origin_values *known = origins_of(f, from);
    struct origin_leaf leaves[ORIGIN_LEAVES];
    if (!known->value)
        return;
    if (origins_leaves(f->u, LLVMTypeOf(instruction), leaves) == known->count)
        origins_set(f, instruction, known->nodes, known->count);
    else
        set_all(f, instruction, depends_on_all(f, instruction, 1));
}

static void to_real(struct origin_function *f, LLVMValueRef instruction) {
    LLVMValueRef node = origins_node(f, LLVMGetOperand(instruction, 0), 0);
    if (is_none(node))
        return;
    if (is_number(LLVMTypeOf(instruction)))
        set_one(f, instruction,
                origins_call(f, "cpu_origin_floated", origins_node_type(f->u), &node, 1));
    else
        set_all(f, instruction, depends_on_all(f, instruction, 1));
}

static void select_one(struct origin_function *f, LLVMValueRef instruction) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES], condition = LLVMGetOperand(instruction, 0);
    const unsigned count = origins_leaves(f->u, LLVMTypeOf(instruction), leaves);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef a = origins_node(f, LLVMGetOperand(instruction, 1), i);
        LLVMValueRef b = origins_node(f, LLVMGetOperand(instruction, 2), i);
        LLVMValueRef of = origins_node(f, condition, 0);
        if (LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMVectorTypeKind) {
            nodes[i] = depends_on_all(f, instruction, 3);
            continue;
        }
        nodes[i] = is_none(a) && is_none(b) ? origins_none(f->u)
                                            : LLVMBuildSelect(f->b, condition, a, b, "");
        LLVMValueRef arguments[] = {nodes[i], of, origins_line(f, instruction)};
        if (!is_none(of))
            nodes[i] = origins_call(f, "cpu_origin_chosen", origins_node_type(f->u), arguments, 3);
    }
    origins_set(f, instruction, nodes, count);
}

/* The first number of a member, and the count of its numbers; -1 if the member is not known. */
static int member_of(struct unit *u, LLVMTypeRef type, const unsigned *path, unsigned depth,
                     unsigned *count) {
    struct origin_leaf leaves[ORIGIN_LEAVES];
    unsigned first = 0;
    for (unsigned d = 0; d < depth; d++) {
        const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned i = 0; i < path[d]; i++)
            first += origins_leaves(
                u, is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type),
                leaves);
        type = is_struct ? LLVMStructGetTypeAtIndex(type, path[d]) : LLVMGetElementType(type);
    }
    *count = origins_leaves(u, type, leaves);
    return first + *count <= ORIGIN_LEAVES ? (int)first : -1;
}

static int member(struct origin_function *f, LLVMValueRef instruction, unsigned index,
                  unsigned *count) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    const LLVMOpcode code = LLVMGetInstructionOpcode(instruction);
    if (code == LLVMExtractValue || code == LLVMInsertValue)
        return member_of(f->u, type, LLVMGetIndices(instruction), LLVMGetNumIndices(instruction),
                         count);
    LLVMValueRef number = LLVMGetOperand(instruction, index);
    if (!LLVMIsAConstantInt(number) || LLVMConstIntGetZExtValue(number) >= ORIGIN_LEAVES)
        return -1;
    const unsigned path = (unsigned)LLVMConstIntGetZExtValue(number);
    return member_of(f->u, type, &path, 1, count);
}

static void extract(struct origin_function *f, LLVMValueRef instruction) {
    unsigned count = 1;
    LLVMValueRef nodes[ORIGIN_LEAVES];
    const int first = member(f, instruction, 1, &count);
    if (first < 0) {
        set_all(f, instruction, depends_on_all(f, instruction, 1));
        return;
    }
    for (unsigned i = 0; i < count; i++)
        nodes[i] = origins_node(f, LLVMGetOperand(instruction, 0), (unsigned)first + i);
    origins_set(f, instruction, nodes, count);
}

static void insert(struct origin_function *f, LLVMValueRef instruction) {
    unsigned count = 1;
    struct origin_leaf leaves[ORIGIN_LEAVES];
    LLVMValueRef nodes[ORIGIN_LEAVES];
    const int first = member(f, instruction, 2, &count);
    const unsigned all = origins_leaves(f->u, LLVMTypeOf(instruction), leaves);
    if (first < 0) {
        set_all(f, instruction, depends_on_all(f, instruction, 2));
        return;
    }
    for (unsigned i = 0; i < all; i++)
        nodes[i] = i >= (unsigned)first && i < (unsigned)first + count
                       ? origins_node(f, LLVMGetOperand(instruction, 1), i - (unsigned)first)
                       : origins_node(f, LLVMGetOperand(instruction, 0), i);
    origins_set(f, instruction, nodes, all);
}

static bool is_pointer(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* ---- one instruction ---- */

/* The kind of a linear operation (simt/origins.h); -1 if it is not one. */
static int linear_kind(LLVMOpcode code) {
    switch (code) {
    case LLVMAdd:
    case LLVMFAdd:
        return CPU_ORIGIN_SUM;
    case LLVMSub:
    case LLVMFSub:
        return CPU_ORIGIN_DIFFERENCE;
    case LLVMMul:
    case LLVMFMul:
        return CPU_ORIGIN_PRODUCT;
    case LLVMFDiv:
        return CPU_ORIGIN_QUOTIENT;
    case LLVMShl:
        return CPU_ORIGIN_SHIFT;
    default:
        return -1;
    }
}

static bool is_copy(LLVMOpcode code) {
    return code == LLVMSExt || code == LLVMZExt || code == LLVMTrunc || code == LLVMFPExt ||
           code == LLVMFPTrunc || code == LLVMBitCast || code == LLVMFreeze;
}

static void compute(struct origin_function *f, LLVMValueRef i) {
    const LLVMOpcode code = LLVMGetInstructionOpcode(i);
    if (is_pointer(i))
        return;
    if (linear_kind(code) >= 0)
        linear(f, i, (unsigned)linear_kind(code));
    else if (code == LLVMAnd || code == LLVMOr || code == LLVMXor)
        bits(f, i);
    else if (code == LLVMFNeg)
        negate(f, i);
    else if (is_copy(code))
        copy(f, i);
    else if (code == LLVMSIToFP || code == LLVMUIToFP)
        to_real(f, i);
    else if (code == LLVMSelect)
        select_one(f, i);
    else if (code == LLVMExtractElement || code == LLVMExtractValue)
        extract(f, i);
    else if (code == LLVMInsertElement || code == LLVMInsertValue)
        insert(f, i);
    else if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        set_all(f, i, depends_on_all(f, i, (unsigned)LLVMGetNumOperands(i)));
}

void origins_instruction(struct origin_function *f, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        origins_load(f, i);
        break;
    case LLVMStore:
        origins_store(f, i);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        origins_exchange(f, i);
        break;
    case LLVMCall:
        origins_called(f, i);
        break;
    case LLVMRet:
        origins_return(f, i);
        break;
    case LLVMPHI: /* origins.c */
    case LLVMAlloca:
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFence:
    case LLVMUnreachable:
        break;
    case LLVMBr:
    case LLVMSwitch:
        origins_before(f, i);
        origins_at_branch(f, i);
        break;
    default:
        origins_before(f, LLVMGetNextInstruction(i));
        compute(f, i);
    }
}
