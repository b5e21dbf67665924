/*
 * primary.c - the innermost parts of expressions: numbers, names, calls, indices and members.
 */
#include "interpreter/program.h"

#include "base/message.h"

#include <stdlib.h>
#include <string.h>

/* The type of an integer by its suffix, its size and whether it is decimal: C++, [lex.icon]. */
static bool integer_kind(uint64_t number, bool is_decimal, const char *suffix, enum kind *kind) {
    unsigned longs = 0;
    bool is_unsigned = false;
    for (; *suffix; suffix++)
        if ((*suffix | 32) == 'u')
            is_unsigned = true;
        else if ((*suffix | 32) == 'l')
            longs++;
        else
            return false;
    *kind = longs > 1 ? KIND_I64 : longs ? KIND_LONG : KIND_I32;
    if (is_unsigned)
        (*kind)++;
    if (*kind == KIND_I32 && number > INT32_MAX)
        *kind = number <= UINT32_MAX && !is_decimal ? KIND_U32 : KIND_LONG;
    if (*kind == KIND_U32 && number > UINT32_MAX)
        *kind = KIND_ULONG;
    if ((*kind == KIND_LONG || *kind == KIND_I64) && number > INT64_MAX)
        (*kind)++;
    return true;
}

static bool read_real(const char *text, struct value *value) {
    char *end;
    uint64_t bits;
    const double number = strtod(text, &end);
    const bool is_float = (*end | 32) == 'f';
    memcpy(&bits, &number, sizeof bits);
    *value = constant_of(scalar(is_float ? KIND_F32 : KIND_F64),
                         is_float ? convert(bits, KIND_F64, KIND_F32) : bits);
    return end[is_float] == '\0';
}

static bool read_integer(const char *text, struct value *value) {
    char *end;
    enum kind kind;
    const bool is_binary = text[0] == '0' && (text[1] | 32) == 'b';
    const uint64_t number = strtoull(text + (is_binary ? 2 : 0), &end, is_binary ? 2 : 0);
    if (!integer_kind(number, text[0] != '0', end, &kind))
        return false;
    *value = constant_of(scalar(kind), number);
    return true;
}

static struct value read_number(struct reader *r) {
    const struct token *token = peek(r, 0);
    struct value value = constant_of(scalar(KIND_I32), 0);
    char text[64];
    size_t n = 0;
    for (uint32_t i = 0; i < token->length && n + 1 < sizeof text; i++)
        if (token->text[i] != '\'')
            text[n++] = token->text[i];
    text[n] = '\0';
    r->at++;
    const bool is_hex = text[0] == '0' && (text[1] | 32) == 'x';
    if (!(!is_hex && strpbrk(text, ".eE") ? read_real(text, &value) : read_integer(text, &value)))
        refuse(r, _("a number in an unknown form"));
    return value;
}

static struct value read_special(struct reader *r) {
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (int32_t i = 0; i < 4; i++)
        if (is(r, names[i]) && is_ahead(r, 1, ".") && peek(r, 2)->length == 1) {
            const char field = peek(r, 2)->text[0];
            r->at += 3;
            if (field < 'x' || field > 'z')
                refuse(r, "%s.%c", names[i], field);
            emit(r, OP_SPECIAL, KIND_U32, 0, 3 * i + field - 'x');
            return on_stack(scalar(KIND_U32));
        }
    return constant_of(NULL, 0);
}

/* T{a, b} and T(a). */
static struct value read_construction(struct reader *r) {
    const struct type *type = read_type(r);
    if (!type) {
        refuse_unknown(r, "auto");
        return constant_of(scalar(KIND_I32), 0);
    }
    if (type->kind == KIND_STRUCT && is(r, "{")) {
        const uint32_t offset = reserve_frame(r, type);
        initialise(r, type, offset);
        return (struct value){LOCATION_LOCAL, type, 0, offset, 0};
    }
    const bool in_braces = take(r, "{");
    if (!in_braces)
        expect(r, "(");
    const struct value value = read_expression(r);
    expect(r, in_braces ? "}" : ")");
    if (value.location == LOCATION_CONSTANT && is_number(type) && is_number(value.type))
        return constant_of(type, convert(value.bits, value.type->kind, type->kind));
    to_type(r, value, type);
    return on_stack(type);
}

/* static_cast<T>(value), reinterpret_cast<T>(value) */
static struct value read_named_cast(struct reader *r) {
    r->at++;
    expect(r, "<");
    const struct type *type = read_type(r);
    expect(r, ">");
    if (!is(r, "(") || !type)
        expect(r, "(");
    return read_cast(r, type ? type : scalar(KIND_I32));
}

static struct value read_symbol(struct reader *r, const struct symbol *symbol) {
    if (symbol->kind == SYMBOL_FUNCTION) {
        r->at++;
        return emit_call(r, r->program->functions[symbol->at], symbol->at);
    }
    r->at++;
    if (symbol->kind == SYMBOL_SHARED) {
        emit(r, OP_SHARED, KIND_POINTER, 0, (int32_t)symbol->at);
        return (struct value){LOCATION_MEMORY, symbol->type, 0, 0, 0};
    }
    if (symbol->is_reference) {
        emit(r, OP_LOAD_LOCAL, KIND_U64, 0, (int32_t)symbol->at);
        return (struct value){LOCATION_MEMORY, symbol->type, 0, 0, 0};
    }
    if (symbol->is_constant)
        return constant_of(scalar(symbol->type->kind), symbol->bits);
    return (struct value){LOCATION_LOCAL, symbol->type, 0, symbol->at, 0};
}

static uint64_t float_bits(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* true, INT_MAX and the like. */
static bool read_named_constant(struct reader *r, struct value *value) {
    const struct {
        const char *name;
        enum kind kind;
        uint64_t bits;
    } names[] = {{"true", KIND_BOOL, 1},
                 {"false", KIND_BOOL, 0},
                 {"nullptr", KIND_I32, 0},
                 {"NULL", KIND_I32, 0},
                 {"warpSize", KIND_I32, 32},
                 {"INT_MAX", KIND_I32, INT32_MAX},
                 {"INT_MIN", KIND_I32, (uint64_t)INT32_MIN},
                 {"UINT_MAX", KIND_U32, UINT32_MAX},
                 {"INFINITY", KIND_F32, float_bits(__builtin_inff())},
                 {"FLT_MAX", KIND_F32, float_bits(3.40282347e+38f)}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (take(r, names[i].name)) {
            *value = constant_of(scalar(names[i].kind), names[i].bits);
            return true;
        }
    return false;
}

static struct value refuse_primary(struct reader *r) {
    const struct token *token = peek(r, 0);
    if (is(r, "[") || is(r, "{") || is_ahead(r, 1, "::") || is_ahead(r, 1, "<"))
        refuse_unknown(r, _("this expression"));
    else if (token->kind == TOKEN_NAME && is_ahead(r, 1, "("))
        refuse_unknown(r, _("a call to a function that is neither in the file nor known"));
    else if (!r->failed)
        refuse(r, _("\"%.*s\" is not known"), (int)token->length, token->text);
    return constant_of(scalar(KIND_I32), 0);
}

static struct value read_primary(struct reader *r) {
    const struct token *token = peek(r, 0);
    struct value value;
    if (token->kind == TOKEN_NUMBER)
        return read_number(r);
    if (take(r, "(")) {
        value = read_expression(r);
        expect(r, ")");
        return value;
    }
    if (is(r, "static_cast") || is(r, "reinterpret_cast"))
        return read_named_cast(r);
    const struct symbol *symbol = find_symbol(r, token);
    if (symbol && symbol->kind != SYMBOL_TYPE)
        return read_symbol(r, symbol);
    if (read_named_constant(r, &value))
        return value;
    value = read_special(r);
    if (value.type)
        return value;
    if (is_type(r, 0))
        return read_construction(r);
    if (token->kind == TOKEN_NAME && is_ahead(r, 1, "(") && read_builtin_call(r, token, &value))
        return value;
    return refuse_primary(r);
}

static struct value read_index(struct reader *r, struct value array) {
    array = to_stack(r, array);
    const uint32_t bound = array.bound;
    const struct value index = read_expression(r);
    expect(r, "]");
    if (array.type->kind != KIND_POINTER || !is_number(index.type)) {
        refuse(r, _("this value is not an array"));
        return constant_of(scalar(KIND_I32), 0);
    }
    to_type(r, index, scalar(KIND_I64));
    emit(r, OP_INDEX, KIND_POINTER, bound, (int32_t)array.type->target->size);
    return (struct value){LOCATION_MEMORY, array.type->target, 0, 0, 0};
}

static struct value read_member(struct reader *r, struct value of) {
    const struct token *name = peek(r, 0);
    const struct type *type = of.type;
    r->at += name->kind == TOKEN_NAME;
    for (uint32_t i = 0; type->kind == KIND_STRUCT && i < type->count; i++) {
        const struct member *member = &type->members[i];
        if (strlen(member->name) != name->length ||
            memcmp(member->name, name->text, name->length) != 0)
            continue;
        const struct type *full = type->is_const ? with_const(r, member->type) : member->type;
        if (of.location == LOCATION_LOCAL)
            return (struct value){LOCATION_LOCAL, full, 0, of.offset + member->offset, 0};
        emit(r, OP_OFFSET, KIND_POINTER, 0, (int32_t)member->offset);
        return (struct value){LOCATION_MEMORY, full, 0, 0, 0};
    }
    refuse(r, _("this value has no such member"));
    return constant_of(scalar(KIND_I32), 0);
}

struct value read_postfix(struct reader *r) {
    struct value value = read_primary(r);
    while (!r->failed) {
        if (take(r, "[")) {
            value = read_index(r, value);
        } else if (take(r, ".")) {
            value = read_member(r, value);
        } else if (take(r, "->")) {
            value = to_stack(r, value);
            if (value.type->kind != KIND_POINTER) {
                refuse(r, _("this value is not a pointer"));
                break;
            }
            value = read_member(r, (struct value){LOCATION_MEMORY, value.type->target, 0, 0, 0});
        } else if (is(r, "++") || is(r, "--")) {
            const enum operation operation = is(r, "++") ? OP_ADD : OP_SUBTRACT;
            r->at++;
            if (check_variable(r, value))
                value = update(r, operation, value, constant_of(scalar(KIND_I32), 1), true);
        } else {
            break;
        }
    }
    return value;
}
