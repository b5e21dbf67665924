/*
 * calls.c - inserts the calls by which a function reports its lines, declarations and writes.
 *
 * A line begins at its first instruction in each block, unless the previous instruction in that
 * block belongs to it, too. Jumps have no line: clang gives them that of the preceding brace. A
 * loop written in one line begins that line again in each iteration.
 */
#include "cudacpu/instrument/lines/lines.h"
#include "cudacpu/instrument/lines/words.h"

#include "simt/lines.h"

#include <stdlib.h>
#include <string.h>

struct inserter {
    struct line_function *f;
    LLVMBuilderRef b;
    LLVMValueRef frame,
        set; /* a struct cpu_line_frame, and a bit for each leaf, as pointers to bytes */
};

static LLVMValueRef number(struct inserter *in, unsigned long long value) {
    return LLVMConstInt(words_int64(in->f->u), value, false);
}

/* Each parameter is a word or a pointer to bytes, and so is each argument. */
static void call(struct inserter *in, const char *name, LLVMValueRef *arguments, unsigned count) {
    LLVMModuleRef module = LLVMGetGlobalParent(in->f->function);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    LLVMTypeRef types[4];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    if (!function)
        function = LLVMAddFunction(
            module, name,
            LLVMFunctionType(LLVMVoidTypeInContext(in->f->u->context), types, count, false));
    LLVMBuildCall2(in->b, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

static void position_before(struct inserter *in, LLVMValueRef instruction,
                            LLVMMetadataRef location) {
    LLVMPositionBuilderBefore(in->b, instruction);
    if (!location)
        location = LLVMDIBuilderCreateDebugLocation(in->f->u->context, 0, 0, in->f->about, NULL);
    LLVMSetCurrentDebugLocation2(in->b, location);
}

static bool is_intrinsic(LLVMValueRef instruction, const char *begin) {
    size_t length;
    if (!LLVMIsACallInst(instruction) || !LLVMIsAFunction(LLVMGetCalledValue(instruction)))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
    return strncmp(name, begin, strlen(begin)) == 0;
}

/* ---- lines ---- */

/* 0 if the instruction is not part of a line. */
static unsigned line_of(LLVMValueRef instruction) {
    const LLVMOpcode code = LLVMGetInstructionOpcode(instruction);
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    if (!location || code == LLVMAlloca || code == LLVMPHI || code == LLVMRet ||
        code == LLVMUnreachable ||
        code == LLVMBitCast || /* among the calls that drop_lifetimes() has left */
        (code == LLVMBr && !LLVMIsConditional(instruction)) || is_intrinsic(instruction, "llvm."))
        return 0;
    return LLVMDILocationGetLine(location);
}

static size_t site_of(struct line_function *f, unsigned line) {
    for (size_t i = 0; i < f->site_count; i++)
        if (f->sites[i].line == line)
            return i;
    f->sites = list_grow(f->sites, f->site_count, sizeof *f->sites);
    f->sites[f->site_count] = (struct line_site){.line = line};
    return f->site_count++;
}

/* Notes that the line has something in that scope. */
static void add_scope(struct line_function *f, unsigned line, LLVMMetadataRef scope) {
    const size_t number = site_of(f, line);
    struct line_site *site = &f->sites[number];
    for (size_t i = 0; i < site->scope_count; i++)
        if (site->scopes[i] == scope)
            return;
    site->scopes = list_grow(site->scopes, site->scope_count, sizeof *site->scopes);
    site->scopes[site->scope_count++] = scope;
}

/* Notes the variables that the instruction reads, or passes to a function that may read them. */
static void add_reads(struct line_function *f, unsigned line, LLVMValueRef instruction) {
    const bool calls = LLVMIsACallInst(instruction);
    const unsigned count = calls                          ? LLVMGetNumArgOperands(instruction)
                           : LLVMIsALoadInst(instruction) ? 1
                                                          : 0;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        const bool is_address = LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind;
        const long slot = is_address ? lines_slot_of(f, operand) : -1;
        struct line_site *site = &f->sites[site_of(f, line)];
        for (size_t leaf = 0; slot >= 0 && leaf < f->slots[slot].count; leaf++) {
            const size_t number = f->slots[slot].first + leaf;
            site->reads[number / 64] |= 1ull << number % 64;
        }
    }
}

static void insert_line_call(struct inserter *in, LLVMValueRef before, unsigned line, bool again) {
    LLVMValueRef arguments[] = {in->frame, number(in, site_of(in->f, line) + 1), number(in, again)};
    position_before(in, before, LLVMInstructionGetDebugLoc(before));
    call(in, "cpu_line", arguments, 3);
}

static unsigned first_line(LLVMBasicBlockRef block, LLVMValueRef *at) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        *at = i;
        if (line_of(i))
            return line_of(i);
    }
    return 0;
}

static bool is_of_one_line(LLVMBasicBlockRef from, LLVMBasicBlockRef to, unsigned line) {
    for (LLVMBasicBlockRef b = from;; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (line_of(i) && line_of(i) != line)
                return false;
        if (b == to)
            return true;
    }
}

static bool comes_after(LLVMBasicBlockRef block, LLVMBasicBlockRef other) {
    for (LLVMBasicBlockRef b = other; b; b = LLVMGetNextBasicBlock(b))
        if (b == block)
            return true;
    return false;
}

/* True if a later block, with only that line in between, leads back to it. */
static bool begins_one_line_loop(LLVMBasicBlockRef block, unsigned line) {
    for (LLVMBasicBlockRef b = block; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetSuccessor(end, i) == block && comes_after(b, block) &&
                is_of_one_line(block, b, line))
                return true;
    }
    return false;
}

static void insert_line_calls(struct inserter *in, LLVMBasicBlockRef block) {
    LLVMValueRef first = NULL;
    const unsigned begins = first_line(block, &first);
    unsigned now = 0;
    for (LLVMValueRef i = begins ? first : NULL; i; i = LLVMGetNextInstruction(i)) {
        const unsigned line = line_of(i);
        if (!line)
            continue;
        add_scope(in->f, line, LLVMDILocationGetScope(LLVMInstructionGetDebugLoc(i)));
        add_reads(in->f, line, i);
        if (line != now)
            insert_line_call(in, i, line, now == 0 && begins_one_line_loop(block, line));
        now = line;
    }
}

/* ---- variables ---- */

static void set_bits(struct inserter *in, size_t first, size_t count) {
    LLVMTypeRef pointer = LLVMPointerType(words_int64(in->f->u), 0);
    for (size_t word = first / 64; word <= (first + count - 1) / 64; word++) {
        unsigned long long bits = 0;
        for (size_t leaf = first; leaf < first + count; leaf++)
            bits |= leaf / 64 == word ? 1ull << leaf % 64 : 0;
        LLVMValueRef index = number(in, word);
        LLVMValueRef at =
            LLVMBuildGEP2(in->b, words_int64(in->f->u),
                          LLVMBuildPointerCast(in->b, in->set, pointer, ""), &index, 1, "");
        LLVMValueRef before = LLVMBuildLoad2(in->b, words_int64(in->f->u), at, "");
        LLVMBuildStore(in->b, LLVMBuildOr(in->b, before, number(in, bits), ""), at);
    }
}

static LLVMValueRef as_bytes(struct inserter *in, LLVMValueRef address) {
    LLVMTypeRef pointer = words_pointer(in->f->u);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(address))
               ? LLVMBuildAddrSpaceCast(in->b, address, pointer, "")
               : LLVMBuildPointerCast(in->b, address, pointer, "");
}

static void declare(struct inserter *in, const struct line_slot *slot) {
    LLVMValueRef next = LLVMGetNextInstruction(slot->declare);
    position_before(in, next, LLVMInstructionGetDebugLoc(slot->declare));
    LLVMValueRef arguments[] = {in->frame, number(in, (size_t)(slot - in->f->slots)),
                                as_bytes(in, slot->memory)};
    call(in, slot->is_parameter ? "cpu_line_parameter" : "cpu_line_declare", arguments, 3);
}

/* The store or copy at `at` writes a variable. */
static void insert_store_call(struct inserter *in, LLVMValueRef at, LLVMValueRef to,
                              LLVMValueRef bytes, bool is_whole) {
    const long slot = lines_slot_of(in->f, to);
    if (slot < 0)
        return;
    const struct line_slot *written = &in->f->slots[slot];
    position_before(in, LLVMGetNextInstruction(at), LLVMInstructionGetDebugLoc(at));
    if (is_whole && written->count == 1 && to == written->memory) {
        set_bits(in, written->first, 1);
        return;
    }
    LLVMValueRef arguments[] = {in->frame, number(in, (size_t)slot), as_bytes(in, to), bytes};
    call(in, "cpu_line_store", arguments, 4);
}

static void insert_store_calls(struct inserter *in, LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsAStoreInst(i)) {
            LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
            insert_store_call(in, i, LLVMGetOperand(i, 1),
                              number(in, LLVMStoreSizeOfType(in->f->u->layout, type)), true);
        } else if (is_intrinsic(i, "llvm.memcpy.") || is_intrinsic(i, "llvm.memmove.") ||
                   is_intrinsic(i, "llvm.memset.")) {
            LLVMValueRef bytes = LLVMGetOperand(i, 2);
            if (LLVMTypeOf(bytes) == words_int64(in->f->u))
                insert_store_call(in, i, LLVMGetOperand(i, 0), bytes, false);
        }
    }
}

/* When a variable's lifetime ends its memory is reused, and the new content must not count as its
 * value. */
static void drop_lifetimes(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_intrinsic(i, "llvm.lifetime."))
                LLVMInstructionEraseFromParent(i);
        }
}

/* ---- the frame ---- */

static LLVMValueRef add_alloca(struct inserter *in, unsigned long long bytes) {
    LLVMTypeRef type = LLVMArrayType(words_int64(in->f->u), (unsigned)(bytes / 8 + 1));
    LLVMValueRef made = LLVMBuildAlloca(in->b, type, "");
    LLVMSetAlignment(made, 8);
    return LLVMBuildPointerCast(in->b, made, words_pointer(in->f->u), "");
}

static unsigned long long saved_bytes(const struct line_function *f) {
    unsigned long long bytes = 0;
    for (size_t i = 0; i < f->slot_count; i++)
        bytes += f->slots[i].bytes;
    return bytes;
}

/* Makes the arrays of the frame; its beginning is filled in once all lines are known. */
static void begin_frame(struct inserter *in, LLVMValueRef *arguments) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(in->f->function));
    const unsigned long long bits = (in->f->leaf_count / 64 + 1) * 8;
    position_before(in, first, NULL);
    in->frame = add_alloca(in, sizeof(struct cpu_line_frame));
    arguments[0] = in->frame;
    arguments[1] = add_alloca(in, in->f->slot_count * 8);
    arguments[2] = add_alloca(in, saved_bytes(in->f));
    arguments[3] = in->set = add_alloca(in, bits);
    arguments[4] = add_alloca(in, bits);
}

/* Calls cpu_line_enter(), and reports the line that the function begins in, where its parameters
 * are set. */
static void enter(struct inserter *in, LLVMValueRef *arrays) {
    struct unit *u = in->f->u;
    const unsigned line = LLVMDISubprogramGetLine(in->f->about);
    add_scope(in->f, line, in->f->about);
    LLVMValueRef arguments[] = {arrays[0], lines_describe(in->f), arrays[1], arrays[2], arrays[3],
                                arrays[4]};
    LLVMTypeRef types[6];
    for (int i = 0; i < 6; i++)
        types[i] = words_pointer(u);
    LLVMValueRef function = LLVMGetNamedFunction(u->module, "cpu_line_begin");
    if (!function)
        function =
            LLVMAddFunction(u->module, "cpu_line_begin",
                            LLVMFunctionType(LLVMVoidTypeInContext(u->context), types, 6, false));
    position_before(in, LLVMGetNextInstruction(arrays[4]), NULL); /* before all other calls */
    LLVMBuildCall2(in->b, LLVMGlobalGetValueType(function), function, arguments, 6, "");
    LLVMValueRef begins[] = {in->frame, number(in, site_of(in->f, line) + 1), number(in, 0)};
    call(in, "cpu_line", begins, 3);
}

static void leave(struct inserter *in, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!LLVMIsAReturnInst(end))
        return;
    position_before(in, end, LLVMInstructionGetDebugLoc(end));
    call(in, "cpu_line_leave", &in->frame, 1);
}

void lines_insert_calls(struct line_function *f) {
    struct inserter in = {.f = f, .b = LLVMCreateBuilderInContext(f->u->context)};
    LLVMValueRef arrays[5];
    site_of(f, LLVMDISubprogramGetLine(f->about));
    drop_lifetimes(f->function);
    begin_frame(&in, arrays);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
        insert_store_calls(&in, b);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
        insert_line_calls(&in, b);
    for (size_t i = 0; i < f->slot_count; i++)
        declare(&in, &f->slots[i]);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
        leave(&in, b);
    enter(&in, arrays);
    LLVMDisposeBuilder(in.b);
}
