/*
 * expression.c - reads expressions: the levels of precedence, C's conversions, assignments.
 *
 * Code is emitted while reading, so the left operand is on the stack before the right one's type
 * is known; it is then converted below the top (OP_CONVERT, a == 1).
 */
#include "interpreter/program.h"

#include "base/memory.h"
#include "base/message.h"

#include <string.h>

static struct value read_unary(struct reader *r);

struct value on_stack(const struct type *type) {
    return (struct value){LOCATION_STACK, type, 0, 0, 0};
}

struct value constant_of(const struct type *type, uint64_t bits) {
    return (struct value){LOCATION_CONSTANT, type, bits, 0, 0};
}

bool is_number(const struct type *type) {
    return type->kind >= KIND_BOOL && type->kind <= KIND_F64;
}

static void push_constant(struct reader *r, enum kind kind, uint64_t bits) {
    struct kernel_program *p = r->program;
    size_t i = 0;
    while (i < p->constant_count && p->constants[i] != bits)
        i++;
    if (i == p->constant_count) {
        p->constants = memory_room(p->constants, i, &p->constant_capacity, sizeof *p->constants);
        p->constants[p->constant_count++] = bits;
    }
    emit(r, OP_CONSTANT, kind, 0, (int32_t)i);
}

void to_address(struct reader *r, struct value value) {
    if (value.location == LOCATION_LOCAL)
        emit(r, OP_LOCAL, KIND_POINTER, 0, (int32_t)value.offset);
    else if (value.location != LOCATION_MEMORY && value.type->kind != KIND_STRUCT)
        refuse(r, _("this value is not a variable"));
}

struct value to_stack(struct reader *r, struct value value) {
    if (value.type->kind == KIND_ARRAY) {
        const uint32_t bound = value.type->count;
        to_address(r, value);
        value = on_stack(pointer_to(r, value.type->target));
        value.bound = bound < 65536 ? bound : 0;
        return value;
    }
    if (value.type->kind == KIND_STRUCT)
        to_address(r, value);
    else if (value.location == LOCATION_CONSTANT)
        push_constant(r, value.type->kind, value.bits);
    else if (value.location == LOCATION_LOCAL)
        emit(r, OP_LOAD_LOCAL, value.type->kind, 0, (int32_t)value.offset);
    else if (value.location == LOCATION_MEMORY)
        emit(r, OP_LOAD, value.type->kind, 0, 0);
    value.location = LOCATION_STACK;
    return value;
}

/* Converts the number that is on the stack, or below the top. */
static void convert_stack(struct reader *r, const struct type *from, const struct type *to,
                          int32_t below) {
    if (from->kind != to->kind)
        emit(r, OP_CONVERT, to->kind, from->kind, below);
}

void to_type(struct reader *r, struct value value, const struct type *type) {
    if (r->failed)
        return;
    if (is_number(type) && value.location == LOCATION_CONSTANT && is_number(value.type)) {
        push_constant(r, type->kind, convert(value.bits, value.type->kind, type->kind));
        return;
    }
    value = to_stack(r, value);
    const struct type *from = value.type;
    if (is_number(type) && is_number(from))
        convert_stack(r, from, type, 0);
    else if (type->kind == KIND_BOOL && from->kind == KIND_POINTER)
        convert_stack(r, scalar(KIND_U64), type, 0);
    else if (type->kind == KIND_POINTER && from->kind == KIND_POINTER &&
             (same_type(type->target, from->target) || type->target->kind == KIND_VOID) &&
             (type->target->is_const || !from->target->is_const))
        return;
    else if (type->kind == KIND_POINTER && from->kind == KIND_I32 && value.bits == 0)
        return; /* NULL */
    else if (!same_type(type, from) || type->kind == KIND_POINTER)
        refuse(r, _("%s where %s is expected"), type_name(from), type_name(type));
}

void to_condition(struct reader *r, struct value value) {
    to_type(r, value, scalar(KIND_BOOL));
}

void store(struct reader *r, struct value variable) {
    if (variable.type->kind == KIND_STRUCT)
        emit(r, OP_COPY, KIND_STRUCT, 0, (int32_t)variable.type->size);
    else if (variable.location == LOCATION_LOCAL)
        emit(r, OP_STORE_LOCAL, variable.type->kind, 0, (int32_t)variable.offset);
    else
        emit(r, OP_STORE, variable.type->kind, 0, 0);
}

/* ---- binary operators ---- */

static const struct type *promoted(const struct type *type) {
    return type->kind < KIND_I32 ? scalar(KIND_I32) : scalar(type->kind);
}

/* C's usual arithmetic conversions: the kinds are in the order of their ranks. */
static const struct type *common_type(const struct type *a, const struct type *b) {
    const enum kind x = promoted(a)->kind, y = promoted(b)->kind;
    enum kind most = x > y ? x : y;
    const enum kind least = x > y ? y : x;
    /* long long and unsigned long: both have 64 bits. */
    if (most == KIND_I64 && least == KIND_ULONG)
        most = KIND_U64;
    return scalar(most);
}

static bool is_comparison(enum operation operation) {
    return operation >= OP_LESS && operation <= OP_NOT_EQUAL;
}

static struct value fold(struct reader *r, enum operation operation, struct value a, struct value b,
                         const struct type *type, const struct type *result) {
    bool fails = false;
    const bool is_shift = operation == OP_SHIFT_LEFT || operation == OP_SHIFT_RIGHT;
    const uint64_t x = convert(a.bits, a.type->kind, type->kind);
    const uint64_t y = is_shift ? b.bits : convert(b.bits, b.type->kind, type->kind);
    const uint64_t bits = operate(operation, type->kind, x, y, &fails);
    if (fails)
        refuse(r, _("a division by 0"));
    return constant_of(result, bits);
}

/* Pointers: p + i, p - i, p - q, and comparisons. `a` is on the stack. */
static struct value operate_pointers(struct reader *r, enum operation operation, struct value a,
                                     struct value b) {
    if (operation == OP_ADD || (operation == OP_SUBTRACT && is_number(b.type))) {
        if (b.type->kind == KIND_POINTER || b.type->kind == KIND_ARRAY) {
            b = to_stack(r, b);
            emit(r, OP_SWAP, KIND_VOID, 0, 0);
            const struct type *number = a.type;
            a.type = b.type;
            convert_stack(r, number, scalar(KIND_I64), 0);
        } else {
            to_type(r, b, scalar(KIND_I64));
        }
        if (operation == OP_SUBTRACT)
            emit(r, OP_NEGATE, KIND_I64, 0, 0);
        emit(r, OP_INDEX, KIND_POINTER, 0, (int32_t)a.type->target->size);
        return on_stack(a.type);
    }
    b = to_stack(r, b);
    if (operation == OP_SUBTRACT && same_type(a.type, b.type)) {
        emit(r, OP_SUBTRACT, KIND_I64, 0, 0);
        push_constant(r, KIND_I64, a.type->target->size);
        emit(r, OP_DIVIDE, KIND_I64, 0, 0);
        return on_stack(scalar(KIND_LONG));
    }
    if (!is_comparison(operation))
        refuse(r, _("this operator is not for pointers"));
    emit(r, operation, KIND_U64, 0, 0);
    return on_stack(scalar(KIND_BOOL));
}

/* The type that two numbers are computed in. */
static const struct type *type_of(struct reader *r, enum operation operation, const struct type *a,
                                  const struct type *b) {
    const bool is_shift = operation == OP_SHIFT_LEFT || operation == OP_SHIFT_RIGHT;
    const struct type *type = is_shift ? promoted(a) : common_type(a, b);
    if (kind_is_float(type->kind) &&
        (is_shift || operation == OP_REMAINDER || (operation >= OP_AND && operation <= OP_XOR)))
        refuse(r, _("this operator is for integers"));
    return type;
}

static struct value operate_numbers(struct reader *r, enum operation operation, struct value a,
                                    struct value b) {
    const bool is_shift = operation == OP_SHIFT_LEFT || operation == OP_SHIFT_RIGHT;
    const struct type *type = type_of(r, operation, a.type, b.type);
    const struct type *result = is_comparison(operation) ? scalar(KIND_BOOL) : type;
    if (a.location == LOCATION_CONSTANT && b.location == LOCATION_CONSTANT)
        return fold(r, operation, a, b, type, result);
    if (a.location == LOCATION_CONSTANT) { /* `b` is on the stack (read_operators()) */
        to_type(r, a, type);
        emit(r, OP_SWAP, KIND_VOID, 0, 0);
        if (!is_shift)
            convert_stack(r, b.type, type, 0);
    } else {
        to_type(r, b, is_shift ? promoted(b.type) : type);
        convert_stack(r, a.type, type, 1);
    }
    emit(r, operation, type->kind, 0, 0);
    return on_stack(result);
}

/* `a` is on the stack unless it is a constant; `b` is as it was read. */
static struct value operate_on(struct reader *r, enum operation operation, struct value a,
                               struct value b) {
    if (r->failed)
        return constant_of(scalar(KIND_I32), 0);
    const bool points =
        a.type->kind == KIND_POINTER || b.type->kind == KIND_POINTER || b.type->kind == KIND_ARRAY;
    if (points && a.location == LOCATION_CONSTANT) { /* above `b`, which is on the stack */
        a = to_stack(r, a);
        emit(r, OP_SWAP, KIND_VOID, 0, 0);
    }
    if (points)
        return operate_pointers(r, operation, a, b);
    if (is_number(a.type) && is_number(b.type))
        return operate_numbers(r, operation, a, b);
    refuse(r, _("this operator is for numbers"));
    return a;
}

static const struct {
    const char *text;
    uint8_t precedence, operation;
} operators[] = {{"*", 10, OP_MULTIPLY},
                 {"/", 10, OP_DIVIDE},
                 {"%", 10, OP_REMAINDER},
                 {"+", 9, OP_ADD},
                 {"-", 9, OP_SUBTRACT},
                 {"<<", 8, OP_SHIFT_LEFT},
                 {">>", 8, OP_SHIFT_RIGHT},
                 {"<", 7, OP_LESS},
                 {"<=", 7, OP_LESS_EQUAL},
                 {">", 7, OP_GREATER},
                 {">=", 7, OP_GREATER_EQUAL},
                 {"==", 6, OP_EQUAL},
                 {"!=", 6, OP_NOT_EQUAL},
                 {"&", 5, OP_AND},
                 {"^", 4, OP_XOR},
                 {"|", 3, OP_OR},
                 {"&&", 2, OP_JUMP_IF_ZERO},
                 {"||", 1, OP_JUMP_IF_NOT}};

/* a && b, a || b: `a` has been read. */
static struct value read_logical(struct reader *r, enum operation operation, struct value a,
                                 struct value (*read)(struct reader *r, unsigned least),
                                 unsigned least) {
    to_condition(r, a);
    emit(r, OP_DUPLICATE, KIND_BOOL, 0, 0);
    const int32_t end = emit(r, operation, KIND_BOOL, 0, 0);
    emit(r, OP_DROP, KIND_VOID, 0, 0);
    to_condition(r, read(r, least));
    patch(r, end);
    return on_stack(scalar(KIND_BOOL));
}

static struct value read_operators(struct reader *r, unsigned least) {
    struct value a = read_unary(r);
    for (;;) {
        size_t i = 0;
        while (i < sizeof operators / sizeof operators[0] && !is(r, operators[i].text))
            i++;
        if (i == sizeof operators / sizeof operators[0] || operators[i].precedence < least)
            return a;
        r->at++;
        const enum operation operation = operators[i].operation;
        const unsigned next = operators[i].precedence + 1u;
        if (next <= 3) {
            a = read_logical(r, operation, a, read_operators, next);
            continue;
        }
        if (a.location != LOCATION_CONSTANT)
            a = to_stack(r, a);
        struct value b = read_operators(r, next);
        if (a.location == LOCATION_CONSTANT && b.location != LOCATION_CONSTANT)
            b = to_stack(r, b);
        a = operate_on(r, operation, a, b);
    }
}

/* ---- a ? b : c, assignments ---- */

static struct value read_conditional(struct reader *r) {
    const struct value condition = read_operators(r, 1);
    if (!take(r, "?"))
        return condition;
    to_condition(r, condition);
    const int32_t to_other = emit(r, OP_JUMP_IF_ZERO, KIND_BOOL, 0, 0);
    const struct value first = to_stack(r, read_expression(r));
    const int32_t conversion = emit(r, OP_NOTHING, KIND_VOID, 0, 0);
    const int32_t to_end = emit(r, OP_JUMP, KIND_VOID, 0, 0);
    expect(r, ":");
    patch(r, to_other);
    const struct value second = to_stack(r, read_assignment(r));
    const struct type *type = first.type;
    if (is_number(first.type) && is_number(second.type) && !r->failed) {
        type =
            same_type(first.type, second.type) ? first.type : common_type(first.type, second.type);
        if (first.type->kind != type->kind)
            r->program->code[conversion] = (struct instruction){OP_CONVERT, (uint8_t)type->kind,
                                                                (uint16_t)first.type->kind, 0};
        convert_stack(r, second.type, type, 0);
    } else if (!same_type(first.type, second.type)) {
        refuse(r, _("%s where %s is expected"), type_name(second.type), type_name(first.type));
    }
    patch(r, to_end);
    return on_stack(type);
}

bool check_variable(struct reader *r, struct value to) {
    if ((to.location != LOCATION_LOCAL && to.location != LOCATION_MEMORY) ||
        to.type->kind == KIND_ARRAY) {
        if (!r->failed)
            refuse(r, _("this value is not a variable"));
        return false;
    }
    if (to.type->is_const)
        refuse(r, _("this variable is const"));
    return !r->failed;
}

struct value update(struct reader *r, enum operation operation, struct value to,
                    struct value amount, bool is_postfix) {
    const uint32_t before = is_postfix ? reserve_frame(r, to.type) : 0;
    if (to.location == LOCATION_MEMORY) { /* address -> address address */
        emit(r, OP_DUPLICATE, KIND_POINTER, 0, 0);
        emit(r, OP_LOAD, to.type->kind, 0, 0);
    } else {
        emit(r, OP_LOAD_LOCAL, to.type->kind, 0, (int32_t)to.offset);
    }
    if (is_postfix)
        emit(r, OP_STORE_LOCAL, to.type->kind, 0, (int32_t)before);
    struct value result = operate_on(r, operation, on_stack(to.type), amount);
    to_type(r, result, to.type);
    store(r, to);
    if (is_postfix) {
        emit(r, OP_DROP, KIND_VOID, 0, 0);
        emit(r, OP_LOAD_LOCAL, to.type->kind, 0, (int32_t)before);
    }
    return on_stack(to.type);
}

static enum operation assignment_op(const struct reader *r) {
    const struct token *token = peek(r, 0);
    for (size_t i = 0; i < 16; i++) {
        const size_t length = strlen(operators[i].text);
        if (token->kind == TOKEN_PUNCTUATION && token->length == length + 1 &&
            memcmp(token->text, operators[i].text, length) == 0 && token->text[length] == '=' &&
            !is_comparison(operators[i].operation))
            return operators[i].operation;
    }
    return OP_NOTHING;
}

static struct value read_any_assignment(struct reader *r) {
    const struct value to = read_conditional(r);
    const enum operation operation = assignment_op(r);
    if (operation == OP_NOTHING && !is(r, "="))
        return to;
    r->at++;
    if (!check_variable(r, to))
        return constant_of(scalar(KIND_I32), 0);
    if (operation == OP_NOTHING) {
        if (to.type->kind == KIND_STRUCT)
            to_address(r, to);
        to_type(r, read_assignment(r), to.type);
        store(r, to);
        return on_stack(to.type);
    }
    /* Reads the right side first, because it may change the variable. Its value is kept in the
     * frame meanwhile. */
    struct value amount = read_assignment(r);
    if (amount.location != LOCATION_CONSTANT) {
        amount = to_stack(r, amount);
        const uint32_t frame = reserve_frame(r, scalar(KIND_U64));
        emit(r, OP_STORE_LOCAL, amount.type->kind, 0, (int32_t)frame);
        emit(r, OP_DROP, KIND_VOID, 0, 0);
        amount = (struct value){LOCATION_LOCAL, amount.type, 0, frame, 0};
    }
    return update(r, operation, to, amount, false);
}

struct value read_assignment(struct reader *r) {
    enter(r);
    const struct value value = read_any_assignment(r);
    leave(r);
    return value;
}

struct value read_expression(struct reader *r) {
    struct value value = read_assignment(r);
    while (take(r, ",")) {
        if (value.location == LOCATION_STACK && value.type->kind != KIND_VOID)
            emit(r, OP_DROP, KIND_VOID, 0, 0);
        else if (value.location == LOCATION_MEMORY)
            emit(r, OP_DROP, KIND_VOID, 0, 0);
        value = read_assignment(r);
    }
    return value;
}

bool read_constant(struct reader *r, uint64_t *bits) {
    const struct value value = read_conditional(r);
    if (value.location != LOCATION_CONSTANT || !is_number(value.type))
        return false;
    *bits = convert(value.bits, value.type->kind, KIND_I64);
    return true;
}

/* ---- unary operators ---- */

static struct value read_sign(struct reader *r, enum operation operation) {
    struct value value = read_unary(r);
    if (r->failed || !is_number(value.type)) {
        refuse(r, _("this operator is for numbers"));
        return constant_of(scalar(KIND_I32), 0);
    }
    const struct type *type = operation == OP_NOT ? scalar(KIND_BOOL) : promoted(value.type);
    if (value.location == LOCATION_CONSTANT)
        return constant_of(type,
                           operate(operation, type->kind,
                                   convert(value.bits, value.type->kind, type->kind), 0, NULL));
    to_type(r, value, type);
    emit(r, operation, type->kind, 0, 0);
    return on_stack(type);
}

struct value read_cast(struct reader *r, const struct type *type) {
    struct value value = read_unary(r);
    if (r->failed)
        return value;
    if (value.location == LOCATION_CONSTANT && is_number(type) && is_number(value.type))
        return constant_of(type, convert(value.bits, value.type->kind, type->kind));
    if (type->kind == KIND_POINTER) {
        value = to_stack(r, value);
        if (value.type->kind != KIND_POINTER)
            refuse_unknown(r, _("a pointer made from a number"));
        return on_stack(type);
    }
    if (type->kind == KIND_VOID) {
        value = to_stack(r, value);
        if (value.type->kind != KIND_VOID)
            emit(r, OP_DROP, KIND_VOID, 0, 0);
        return on_stack(type);
    }
    if (value.type->kind == KIND_POINTER || value.type->kind == KIND_ARRAY)
        refuse_unknown(r, _("a number made from a pointer"));
    to_type(r, value, type);
    return on_stack(type);
}

static struct value read_size(struct reader *r) {
    const size_t count = r->program->count;
    const struct type *type;
    if (is(r, "(") && is_type(r, 1)) {
        r->at++;
        type = read_type(r);
        expect(r, ")");
    } else {
        type = read_unary(r).type;
    }
    r->program->count = count; /* it is not evaluated */
    return constant_of(scalar(KIND_ULONG), type ? type->size : 0);
}

static struct value read_address_of(struct reader *r) {
    const struct value value = read_unary(r);
    if (value.location != LOCATION_LOCAL && value.location != LOCATION_MEMORY)
        refuse(r, _("this value is not a variable"));
    to_address(r, value);
    return on_stack(pointer_to(r, value.type));
}

static struct value read_target(struct reader *r) {
    const struct value value = to_stack(r, read_unary(r));
    if (value.type->kind != KIND_POINTER) {
        refuse(r, _("this value is not a pointer"));
        return constant_of(scalar(KIND_I32), 0);
    }
    return (struct value){LOCATION_MEMORY, value.type->target, 0, 0, 0};
}

static struct value read_increment(struct reader *r, enum operation operation) {
    const struct value to = read_unary(r);
    if (!check_variable(r, to))
        return to;
    return update(r, operation, to, constant_of(scalar(KIND_I32), 1), false);
}

static struct value read_not(struct reader *r) {
    const struct value value = read_unary(r);
    if (value.location == LOCATION_CONSTANT && is_number(value.type))
        return constant_of(scalar(KIND_BOOL), !convert(value.bits, value.type->kind, KIND_BOOL));
    to_condition(r, value);
    emit(r, OP_NOT, KIND_BOOL, 0, 0);
    return on_stack(scalar(KIND_BOOL));
}

static struct value read_operand(struct reader *r) {
    if (take(r, "-"))
        return read_sign(r, OP_NEGATE);
    if (take(r, "~"))
        return read_sign(r, OP_COMPLEMENT);
    if (take(r, "!"))
        return read_not(r);
    if (take(r, "+")) {
        const struct value value = read_unary(r);
        to_type(r, value, promoted(value.type));
        return on_stack(promoted(value.type));
    }
    if (take(r, "&"))
        return read_address_of(r);
    if (take(r, "*"))
        return read_target(r);
    if (take(r, "++"))
        return read_increment(r, OP_ADD);
    if (take(r, "--"))
        return read_increment(r, OP_SUBTRACT);
    if (take(r, "sizeof"))
        return read_size(r);
    if (is(r, "(") && is_type(r, 1)) {
        r->at++;
        const struct type *type = read_type(r);
        expect(r, ")");
        return read_cast(r, type ? type : scalar(KIND_I32));
    }
    return read_postfix(r);
}

static struct value read_unary(struct reader *r) {
    enter(r);
    const struct value value = read_operand(r);
    leave(r);
    return value;
}
