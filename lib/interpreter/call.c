/*
 * call.c - calls: of the text's own functions, of warp operations, barriers and atomic operations,
 * of math functions; and the two instructions of inline PTX that exercises use.
 */
#include "interpreter/program.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "warp/warp.h"

#include <string.h>

/* ---- functions of the text ---- */

struct value emit_call(struct reader *r, struct function *function, uint32_t number) {
    expect(r, "(");
    function->is_called = true;
    for (uint32_t i = 0; i < function->parameter_count && !r->failed; i++) {
        const struct type *type = function->parameters[i];
        if (i > 0)
            expect(r, ",");
        const struct value value = read_assignment(r);
        if (type->kind == KIND_POINTER && value.type->kind >= KIND_BOOL &&
            same_type(type->target, value.type) && value.type->kind != KIND_POINTER &&
            value.location != LOCATION_CONSTANT) { /* a reference */
            to_address(r, value);
            continue;
        }
        to_type(r, value, type);
    }
    expect(r, ")");
    if (function->is_kernel)
        refuse_unknown(r, _("a kernel that launches another"));
    emit(r, OP_CALL, KIND_VOID, 0, (int32_t)number);
    if (function->result->kind != KIND_STRUCT)
        return on_stack(function->result);
    const uint32_t offset = reserve_frame(r, function->result);
    emit(r, OP_LOCAL, KIND_POINTER, 0, (int32_t)offset);
    emit(r, OP_SWAP, KIND_VOID, 0, 0);
    emit(r, OP_COPY, KIND_STRUCT, 0, (int32_t)function->result->size);
    emit(r, OP_DROP, KIND_VOID, 0, 0);
    return (struct value){LOCATION_LOCAL, function->result, 0, offset, 0};
}

/* ---- warp operations ---- */

enum form {
    FORM_SHUFFLE,
    FORM_VOTE,
    FORM_MATCH,
    FORM_MATCH_ALL,
    FORM_REDUCE,
    FORM_SYNC,
    FORM_QUERY
};
static const struct {
    const char *name;
    uint8_t op, form;
} intrinsics[] = {{"__shfl_sync", WARP_OP_IDX, FORM_SHUFFLE},
                  {"__shfl_up_sync", WARP_OP_UP, FORM_SHUFFLE},
                  {"__shfl_down_sync", WARP_OP_DOWN, FORM_SHUFFLE},
                  {"__shfl_xor_sync", WARP_OP_XOR, FORM_SHUFFLE},
                  {"__ballot_sync", WARP_OP_BALLOT, FORM_VOTE},
                  {"__any_sync", WARP_OP_ANY, FORM_VOTE},
                  {"__all_sync", WARP_OP_ALL, FORM_VOTE},
                  {"__match_any_sync", WARP_OP_MATCH_ANY, FORM_MATCH},
                  {"__match_all_sync", WARP_OP_MATCH_ALL, FORM_MATCH_ALL},
                  {"__reduce_add_sync", WARP_OP_REDUCE_ADD, FORM_REDUCE},
                  {"__reduce_min_sync", WARP_OP_REDUCE_MIN, FORM_REDUCE},
                  {"__reduce_max_sync", WARP_OP_REDUCE_MAX, FORM_REDUCE},
                  {"__reduce_and_sync", WARP_OP_REDUCE_AND, FORM_REDUCE},
                  {"__reduce_or_sync", WARP_OP_REDUCE_OR, FORM_REDUCE},
                  {"__reduce_xor_sync", WARP_OP_REDUCE_XOR, FORM_REDUCE},
                  {"__syncwarp", WARP_OP_SYNC, FORM_SYNC},
                  {"__activemask", WARP_OP_ACTIVEMASK, FORM_QUERY}};

static const enum warp_type warp_types[KIND_COUNT] = {
    [KIND_I32] = WARP_TYPE_INT,       [KIND_U32] = WARP_TYPE_UNSIGNED,
    [KIND_LONG] = WARP_TYPE_LONG,     [KIND_ULONG] = WARP_TYPE_UNSIGNED_LONG,
    [KIND_I64] = WARP_TYPE_LONG_LONG, [KIND_U64] = WARP_TYPE_UNSIGNED_LONG_LONG,
    [KIND_F32] = WARP_TYPE_FLOAT,     [KIND_F64] = WARP_TYPE_DOUBLE};

/* The call as a string, as the preprocessor would make it; its "(" has been read. */
static const char *call_text(struct reader *r, const struct token *name) {
    struct text text = TEXT_INIT;
    text_append_bytes(&text, name->text, name->length);
    text_append(&text, "(");
    unsigned depth = 1;
    for (size_t i = 0; peek(r, i)->kind != TOKEN_END; i++) {
        const struct token *token = peek(r, i);
        depth += is_ahead(r, i, "(");
        depth -= is_ahead(r, i, ")");
        if (depth == 0)
            break;
        if (token->has_space && i > 0)
            text_append(&text, " ");
        text_append_bytes(&text, token->text, token->length);
    }
    text_append(&text, ")");
    char *kept = program_alloc(r->program, text.length + 1);
    memcpy(kept, text.data, text.length);
    text_release(&text);
    return kept;
}

static struct call *add_call(struct reader *r, const struct token *name, uint8_t op) {
    struct kernel_program *p = r->program;
    struct call *call = program_alloc(p, sizeof *call);
    call->op = op;
    call->type = WARP_TYPE_NONE;
    call->site.file = p->source_names[name->source];
    call->site.function = r->function ? r->function->name : "";
    call->site.text = call_text(r, name);
    call->site.line = name->line;
    p->calls = memory_room(p->calls, p->call_count, &p->call_capacity, sizeof call);
    p->calls[p->call_count++] = call;
    return call;
}

static const struct type *promoted_value(const struct type *type) {
    return type->kind < KIND_I32 ? scalar(KIND_I32) : scalar(type->kind);
}

static void push_number(struct reader *r, enum kind kind, uint64_t bits) {
    to_type(r, (struct value){LOCATION_CONSTANT, scalar(kind), bits, 0, 0}, scalar(kind));
}

/* Pushes mask and value; returns the value's type. */
static const struct type *read_operands_of(struct reader *r, struct call *call, uint8_t form) {
    to_type(r, read_assignment(r), scalar(KIND_U32));
    expect(r, ",");
    const struct value value = read_assignment(r);
    if (form != FORM_VOTE && value.type->kind >= KIND_HALF) {
        refuse_unknown(r, _("this operation on a value of this type"));
        return scalar(KIND_I32);
    }
    const struct type *type = form == FORM_VOTE ? scalar(KIND_I32) : promoted_value(value.type);
    if (form == FORM_REDUCE && type->kind != KIND_I32 && type->kind != KIND_U32)
        refuse_unknown(r, _("a reduction of a value of this type"));
    if (call->op >= WARP_OP_REDUCE_AND && call->op <= WARP_OP_REDUCE_XOR)
        type = scalar(KIND_U32);
    to_type(r, value, type);
    call->type = (uint8_t)warp_types[type->kind];
    call->is_wide = type->size == 8;
    return type;
}

/* Pushes the argument and the width. */
static void read_arguments_of(struct reader *r, uint8_t form) {
    if (form == FORM_SHUFFLE || form == FORM_MATCH_ALL) {
        expect(r, ",");
        const struct value argument = read_assignment(r);
        to_type(r, argument,
                form == FORM_SHUFFLE ? scalar(KIND_I32) : pointer_to(r, scalar(KIND_I32)));
    } else {
        push_number(r, KIND_I32, 0);
    }
    if (form == FORM_SHUFFLE && take(r, ","))
        to_type(r, read_assignment(r), scalar(KIND_I32));
    else
        push_number(r, KIND_I32, form == FORM_SHUFFLE ? 32 : 0);
}

/* __syncwarp() and __activemask(): a mask and no value. */
static const struct type *read_mask_call(struct reader *r, struct call *call, uint8_t form) {
    if (form == FORM_SYNC && !is(r, ")"))
        to_type(r, read_assignment(r), scalar(KIND_U32));
    else
        push_number(r, KIND_U32, form == FORM_SYNC ? UINT32_MAX : 0);
    push_number(r, KIND_I32, 0);
    if (form == FORM_SYNC)
        return scalar(KIND_VOID);
    call->type = WARP_TYPE_UNSIGNED;
    return scalar(KIND_U32);
}

/* Pushes mask, value, argument and width; the result replaces them. */
static struct value read_intrinsic(struct reader *r, const struct token *name, uint8_t op,
                                   uint8_t form) {
    struct call *call = add_call(r, name, op);
    const int32_t number = (int32_t)r->program->call_count - 1;
    const struct type *result;
    if (form == FORM_SYNC || form == FORM_QUERY)
        result = read_mask_call(r, call, form);
    else
        result = read_operands_of(r, call, form);
    if (form == FORM_MATCH || form == FORM_MATCH_ALL || op == WARP_OP_BALLOT)
        result = scalar(KIND_U32);
    read_arguments_of(r, form);
    emit(r, OP_WARP, result->kind, form == FORM_MATCH_ALL, number);
    return on_stack(result);
}

static struct value read_barrier(struct reader *r, const struct token *name, uint8_t kind) {
    add_call(r, name, kind);
    const int32_t number = (int32_t)r->program->call_count - 1;
    if (kind == BARRIER_PLAIN)
        push_number(r, KIND_I32, 0);
    else
        to_condition(r, read_assignment(r));
    emit(r, OP_BARRIER, KIND_I32, 0, number);
    return on_stack(scalar(kind == BARRIER_PLAIN ? KIND_VOID : KIND_I32));
}

/* ---- atomic operations, math functions ---- */

static struct value read_atomic(struct reader *r, unsigned operation) {
    const struct value pointer = to_stack(r, read_assignment(r));
    const struct type *type =
        pointer.type->kind == KIND_POINTER ? pointer.type->target : scalar(KIND_VOID);
    const bool bitwise = operation >= ATOMIC_AND && operation <= ATOMIC_XOR;
    if (type->kind < KIND_I32 || type->kind > KIND_F64 || type->is_const ||
        (kind_is_float(type->kind) && operation != ATOMIC_ADD && operation != ATOMIC_EXCHANGE) ||
        (bitwise && kind_is_float(type->kind)))
        refuse_unknown(r, _("this operation on a value of this type"));
    expect(r, ",");
    to_type(r, read_assignment(r), scalar(type->kind));
    if (operation == ATOMIC_COMPARE) {
        expect(r, ",");
        to_type(r, read_assignment(r), scalar(type->kind));
    }
    emit(r, OP_ATOMIC, type->kind, operation, 0);
    return on_stack(scalar(type->kind));
}

static enum kind kind_of_letter(char letter) {
    switch (letter) {
    case 'u':
        return KIND_U32;
    case 'l':
        return KIND_I64;
    case 'w':
        return KIND_U64;
    case 'f':
        return KIND_F32;
    case 'd':
        return KIND_F64;
    case 'p':
        return KIND_POINTER;
    default:
        return KIND_I32;
    }
}

/* A function with overloads has several rows: f, then d; the first that matches the value's kind is
 * taken. */
static bool read_math_function(struct reader *r, const struct token *name, struct value *result) {
    const char *row;
    for (int i = 0; (row = function_signature(i)); i++) {
        const size_t length = strcspn(row, "(");
        if (length != name->length || memcmp(row, name->text, length) != 0)
            continue;
        const char *letter = row + length + 1;
        for (; *letter != ')'; letter++) {
            if (letter != row + length + 1)
                expect(r, ",");
            const struct value value = read_assignment(r);
            if (*letter == 'p')
                to_stack(r, value);
            else
                to_type(r, value, scalar(kind_of_letter(*letter)));
        }
        *result = on_stack(scalar(letter[1] == 'U' ? KIND_ULONG : kind_of_letter(letter[1])));
        emit(r, OP_FUNCTION, result->type->kind, 0, i);
        return true;
    }
    return false;
}

/* min() and max() have the type of both operands after C's conversions. */
static struct value read_min_max(struct reader *r, enum operation operation) {
    struct value a = to_stack(r, read_assignment(r));
    expect(r, ",");
    struct value b = to_stack(r, read_assignment(r));
    if (a.type->kind > KIND_F64 || b.type->kind > KIND_F64) {
        refuse(r, _("this operator is for numbers"));
        return a;
    }
    enum kind kind = a.type->kind > b.type->kind ? a.type->kind : b.type->kind;
    kind = kind < KIND_I32 ? KIND_I32 : kind;
    if (a.type->kind != kind)
        emit(r, OP_CONVERT, kind, a.type->kind, 1);
    if (b.type->kind != kind)
        emit(r, OP_CONVERT, kind, b.type->kind, 0);
    emit(r, operation, kind, 0, 0);
    return on_stack(scalar(kind));
}

/* make_float2(x, y) */
static bool read_vector(struct reader *r, const struct token *name, struct value *result) {
    struct token type_token = *name;
    if (name->length < 6 || memcmp(name->text, "make_", 5) != 0)
        return false;
    type_token.text += 5;
    type_token.length -= 5;
    const struct symbol *symbol = find_symbol(r, &type_token);
    if (!symbol || symbol->kind != SYMBOL_TYPE || symbol->type->kind != KIND_STRUCT)
        return false;
    const struct type *type = symbol->type;
    const uint32_t offset = reserve_frame(r, type);
    for (uint32_t i = 0; i < type->count; i++) {
        if (i > 0)
            expect(r, ",");
        initialise(r, type->members[i].type, offset + type->members[i].offset);
    }
    *result = (struct value){LOCATION_LOCAL, type, 0, offset, 0};
    return true;
}

static bool is_name(const struct token *token, const char *name) {
    return token->length == strlen(name) && memcmp(token->text, name, token->length) == 0;
}

static bool read_builtin(struct reader *r, const struct token *name, struct value *result) {
    static const char *const barriers[] = {"__syncthreads", "__syncthreads_count",
                                           "__syncthreads_or", "__syncthreads_and"};
    static const char *const atomics[] = {"atomicAdd", "atomicSub",  "atomicMin",
                                          "atomicMax", "atomicAnd",  "atomicOr",
                                          "atomicXor", "atomicExch", "atomicCAS"};
    for (size_t i = 0; i < sizeof intrinsics / sizeof intrinsics[0]; i++)
        if (is_name(name, intrinsics[i].name)) {
            *result = read_intrinsic(r, name, intrinsics[i].op, intrinsics[i].form);
            return true;
        }
    for (uint8_t i = 0; i < 4; i++)
        if (is_name(name, barriers[i])) {
            *result = read_barrier(r, name, i);
            return true;
        }
    for (unsigned i = 0; i < sizeof atomics / sizeof atomics[0]; i++)
        if (is_name(name, atomics[i])) {
            *result = read_atomic(r, i);
            return true;
        }
    if (is_name(name, "min") || is_name(name, "max")) {
        *result = read_min_max(r, is_name(name, "min") ? OP_MINIMUM : OP_MAXIMUM);
        return true;
    }
    if (is_name(name, "memcpy")) {
        to_stack(r, read_assignment(r));
        expect(r, ",");
        to_stack(r, read_assignment(r));
        expect(r, ",");
        to_type(r, read_assignment(r), scalar(KIND_U64));
        emit(r, OP_COPY_BYTES, KIND_VOID, 0, 0);
        *result = on_stack(scalar(KIND_VOID));
        return true;
    }
    if (is_name(name, "__threadfence") || is_name(name, "__threadfence_block")) {
        emit(r, OP_FENCE, KIND_VOID, 0, 0);
        *result = on_stack(scalar(KIND_VOID));
        return true;
    }
    return read_math_function(r, name, result) || read_vector(r, name, result);
}

bool read_builtin_call(struct reader *r, const struct token *name_, struct value *result) {
    const struct token name = *name_; /* the reader moves on from this token */
    const size_t at = r->at;
    r->at += 2;
    if (!read_builtin(r, &name, result)) {
        r->at = at;
        return false;
    }
    expect(r, ")");
    return true;
}

/* ---- inline PTX ---- */

#define OPERANDS_MAX 20

struct operand {
    struct value variable;
    uint32_t frame; /* where its value is kept */
    bool is_output, is_both;
    char letter;
};

static void read_operands(struct reader *r, struct operand *operands, unsigned *count,
                          bool is_output) {
    while (peek(r, 0)->kind == TOKEN_STRING && *count < OPERANDS_MAX && !r->failed) {
        const struct token *constraint = peek(r, 0);
        struct operand *operand = &operands[(*count)++];
        *operand = (struct operand){.is_output = is_output};
        for (uint32_t i = 0; i < constraint->length; i++) {
            operand->is_both |= constraint->text[i] == '+';
            if (constraint->text[i] >= 'a' && constraint->text[i] <= 'z')
                operand->letter = constraint->text[i];
        }
        r->at++;
        expect(r, "(");
        operand->frame = reserve_frame(r, scalar(KIND_U64));
        const struct value value = read_expression(r);
        const enum kind kind = operand->letter == 'f' ? KIND_F32 : KIND_U32;
        if (is_output) { /* its address is kept in the frame */
            operand->variable = value;
            to_address(r, value);
            emit(r, OP_STORE_LOCAL, KIND_U64, 0, (int32_t)operand->frame);
        } else {
            to_type(r, value, scalar(kind));
            emit(r, OP_STORE_LOCAL, kind, 0, (int32_t)operand->frame);
        }
        emit(r, OP_DROP, KIND_VOID, 0, 0);
        expect(r, ")");
        if (!take(r, ","))
            break;
    }
}

/* %N in the text: the number of an operand, or -1. */
static int next_operand(const char **at, unsigned count) {
    const char *found = strchr(*at, '%');
    int number = 0;
    if (!found)
        return -1;
    for (found++; *found >= '0' && *found <= '9'; found++)
        number = 10 * number + *found - '0';
    *at = found;
    return (unsigned)number < count ? number : -1;
}

static void push_operand(struct reader *r, const struct operand *operand) {
    emit(r, OP_LOAD_LOCAL, KIND_U64, 0, (int32_t)operand->frame);
    if (!operand->is_output)
        return;
    emit(r, OP_LOAD, operand->letter == 'f' ? KIND_F32 : KIND_U32, 0, 0);
}

/* Emits code that pushes the inputs, stops for the CPU warp, and stores the outputs, the last of
 * which is on top. Outputs and inputs are the operands named in the text, in its order. */
static void emit_matrix(struct reader *r, const struct operand *operands, unsigned count,
                        const char *text, unsigned outputs, unsigned inputs, int32_t call) {
    int numbers[OPERANDS_MAX];
    unsigned named = 0;
    for (const char *at = text; named < outputs + inputs; named++)
        if ((numbers[named] = next_operand(&at, count)) < 0)
            break;
    if (named < outputs + inputs) {
        refuse_unknown(r, _("this inline PTX"));
        return;
    }
    for (unsigned i = 0; i < inputs; i++)
        push_operand(r, &operands[numbers[outputs + i]]);
    const int32_t at_code = emit(r, OP_MATRIX, KIND_VOID, outputs, call);
    const uint32_t source = r->program->lines[at_code] & ~UINT32_C(0xffffff);
    r->program->lines[at_code] = source | r->program->calls[call]->site.line;
    const uint32_t waits = reserve_frame(r, scalar(KIND_U64));
    for (unsigned i = outputs; i-- > 0;) {
        const struct operand *to = &operands[numbers[i]];
        const enum kind kind = to->letter == 'f' ? KIND_F32 : KIND_U32;
        if (!to->is_output) {
            refuse_unknown(r, _("this inline PTX"));
            return;
        }
        emit(r, OP_STORE_LOCAL, KIND_U64, 0, (int32_t)waits);
        emit(r, OP_DROP, KIND_VOID, 0, 0);
        emit(r, OP_LOAD_LOCAL, KIND_U64, 0, (int32_t)to->frame);
        emit(r, OP_LOAD_LOCAL, kind, 0, (int32_t)waits);
        emit(r, OP_STORE, kind, 0, 0);
        emit(r, OP_DROP, KIND_VOID, 0, 0);
    }
}

void read_asm(struct reader *r) {
    static const char mma[] = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ";
    static const char load[] = "ldmatrix.sync.aligned.m8n8.x";
    struct operand operands[OPERANDS_MAX];
    struct text text = TEXT_INIT;
    unsigned count = 0;
    const struct token name = *peek(r, 0);
    r->at++;
    take(r, "volatile");
    take(r, "__volatile__");
    expect(r, "(");
    const size_t begin = r->at;
    for (; peek(r, 0)->kind == TOKEN_STRING; r->at++)
        text_append_bytes(&text, peek(r, 0)->text + 1, peek(r, 0)->length - 2);
    if (take(r, ":"))
        read_operands(r, operands, &count, true);
    if (take(r, ":"))
        read_operands(r, operands, &count, false);
    while (!is(r, ")") && peek(r, 0)->kind != TOKEN_END) /* clobbers */
        r->at++;
    const size_t end = r->at;
    if (!r->failed) {
        r->at = begin;
        struct call *call = add_call(r, &name, 0);
        const int32_t number = (int32_t)r->program->call_count - 1;
        r->at = end;
        char *kept = program_alloc(r->program, text.length + 1);
        memcpy(kept, text.data, text.length);
        call->site.text = kept;
        const char *at = text.data;
        if (strncmp(at, mma, sizeof mma - 1) == 0) {
            emit_matrix(r, operands, count, at + sizeof mma - 1, 4, 10, number);
        } else if (strncmp(at, load, sizeof load - 1) == 0 && strchr("124", at[sizeof load - 1])) {
            call->registers = (uint8_t)(at[sizeof load - 1] - '0');
            call->is_transposed = strstr(at, ".trans") != NULL;
            emit_matrix(r, operands, count, at, call->registers, 1, number);
        } else if (strcmp(at, "mov.b32 %0, %0;") != 0) {
            refuse_unknown(r, _("this inline PTX"));
        }
    }
    expect(r, ")");
    expect(r, ";");
    text_release(&text);
}
