/*
 * number.c - the results of operators and functions on numbers. A value is 64 bits: an integer
 * (sign- or zero-extended) or the bits of a float or a double.
 */
#include "interpreter/program.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static double real_of(uint64_t bits, enum kind kind) {
    double real;
    float small;
    const uint32_t low = (uint32_t)bits;
    if (kind == KIND_F64) {
        memcpy(&real, &bits, sizeof real);
        return real;
    }
    memcpy(&small, &low, sizeof small);
    return small;
}

static uint64_t bits_of(double real, enum kind kind) {
    const float small = (float)real;
    uint64_t bits = 0;
    uint32_t low;
    if (kind == KIND_F64) {
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
    memcpy(&low, &small, sizeof low);
    return low;
}

/* Truncates the value to the kind's bits, and extends it again. */
static uint64_t cut(uint64_t value, enum kind kind) {
    switch (kind) {
    case KIND_BOOL:
        return value != 0;
    case KIND_I8:
        return (uint64_t)(int64_t)(int8_t)value;
    case KIND_U8:
        return (uint8_t)value;
    case KIND_I16:
        return (uint64_t)(int64_t)(int16_t)value;
    case KIND_U16:
        return (uint16_t)value;
    case KIND_I32:
        return (uint64_t)(int64_t)(int32_t)value;
    case KIND_U32:
        return (uint32_t)value;
    default:
        return value;
    }
}

/* A GPU's conversion: a number that is too large becomes the largest, a NaN becomes 0. */
static uint64_t integer_of(double real, enum kind kind) {
    const unsigned bits = kind_bits(kind);
    const bool has_sign = kind_is_signed(kind);
    const double end = ldexp(1, (int)bits - has_sign);
    if (isnan(real))
        return 0;
    if (real >= end)
        return cut(has_sign ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX, kind);
    if (real <= (has_sign ? -end : 0))
        return cut(has_sign ? UINT64_C(1) << (bits - 1) : 0, kind);
    return has_sign ? (uint64_t)(int64_t)real : (uint64_t)real;
}

uint64_t convert(uint64_t value, enum kind from, enum kind to) {
    if (kind_is_float(from)) {
        const double real = real_of(value, from);
        if (to == KIND_BOOL)
            return real != 0;
        return kind_is_float(to) ? bits_of(real, to) : integer_of(real, to);
    }
    if (!kind_is_float(to))
        return cut(value, to);
    if (to == KIND_F32) { /* rounded once */
        const float small = kind_is_signed(from) ? (float)(int64_t)value : (float)(uint64_t)value;
        return bits_of(small, KIND_F32);
    }
    return bits_of(kind_is_signed(from) ? (double)(int64_t)value : (double)value, to);
}

static uint64_t operate_reals(enum operation operation, enum kind kind, uint64_t a, uint64_t b) {
    const double x = real_of(a, kind), y = real_of(b, kind);
    /* For floats, computing in double and rounding to float gives the correctly rounded result. */
    switch (operation) {
    case OP_ADD:
        return bits_of(x + y, kind);
    case OP_SUBTRACT:
        return bits_of(x - y, kind);
    case OP_MULTIPLY:
        return bits_of(x * y, kind);
    case OP_DIVIDE:
        return bits_of(x / y, kind);
    case OP_LESS:
        return x < y;
    case OP_LESS_EQUAL:
        return x <= y;
    case OP_GREATER:
        return x > y;
    case OP_GREATER_EQUAL:
        return x >= y;
    case OP_EQUAL:
        return x == y;
    case OP_NOT_EQUAL:
        return x != y;
    case OP_MINIMUM:
        return bits_of(fmin(x, y), kind);
    case OP_MAXIMUM:
        return bits_of(fmax(x, y), kind);
    case OP_NEGATE:
        return bits_of(-x, kind);
    default:
        return x == 0; /* OP_NOT */
    }
}

/* As on a GPU, all bits can be shifted out. */
static uint64_t shift(enum operation operation, enum kind kind, uint64_t a, uint64_t b) {
    const unsigned bits = kind_bits(kind);
    const unsigned by = b < bits ? (unsigned)b : bits;
    if (operation == OP_SHIFT_LEFT)
        return by >= 64 ? 0 : a << by;
    if (kind_is_signed(kind))
        return (uint64_t)((int64_t)a >> (by >= 64 ? 63 : by));
    return by >= 64 ? 0 : a >> by;
}

static uint64_t divide(enum operation operation, bool has_sign, uint64_t a, uint64_t b,
                       bool *fails) {
    if (b == 0) {
        *fails = true;
        return 0;
    }
    if (has_sign && b == UINT64_MAX) /* the smallest number divided by -1 has no quotient */
        return operation == OP_DIVIDE ? 0 - a : 0;
    if (has_sign)
        return operation == OP_DIVIDE ? (uint64_t)((int64_t)a / (int64_t)b)
                                      : (uint64_t)((int64_t)a % (int64_t)b);
    return operation == OP_DIVIDE ? a / b : a % b;
}

static uint64_t compare(enum operation operation, bool less, bool equal) {
    switch (operation) {
    case OP_LESS:
        return less;
    case OP_LESS_EQUAL:
        return less || equal;
    case OP_GREATER:
        return !less && !equal;
    case OP_GREATER_EQUAL:
        return !less;
    case OP_EQUAL:
        return equal;
    default:
        return !equal;
    }
}

static uint64_t operate_bits(enum operation operation, uint64_t a, uint64_t b) {
    return operation == OP_AND ? a & b : operation == OP_OR ? a | b : a ^ b;
}

/* The operators with one operand. */
static uint64_t operate_unary(enum operation operation, enum kind kind, uint64_t a) {
    return operation == OP_NOT ? a == 0 : cut(operation == OP_NEGATE ? 0 - a : ~a, kind);
}

uint64_t operate(enum operation operation, enum kind kind, uint64_t a, uint64_t b, bool *fails) {
    if (kind_is_float(kind))
        return operate_reals(operation, kind, a, b);
    const bool has_sign = kind_is_signed(kind);
    const bool less = has_sign ? (int64_t)a < (int64_t)b : a < b;
    switch (operation) {
    case OP_ADD:
        return cut(a + b, kind);
    case OP_SUBTRACT:
        return cut(a - b, kind);
    case OP_MULTIPLY:
        return cut(a * b, kind);
    case OP_DIVIDE:
    case OP_REMAINDER:
        return cut(divide(operation, has_sign, a, b, fails), kind);
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT:
        return cut(shift(operation, kind, a, b), kind);
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return operate_bits(operation, a, b);
    case OP_MINIMUM:
        return less ? a : b;
    case OP_MAXIMUM:
        return less ? b : a;
    case OP_NEGATE:
    case OP_COMPLEMENT:
    case OP_NOT:
        return operate_unary(operation, kind, a);
    default:
        return compare(operation, less, a == b);
    }
}

/* ---- functions ---- */

static uint64_t count_bits(const uint64_t *a) {
    return (uint64_t)__builtin_popcountll(*a);
}
static uint64_t first_bit(const uint64_t *a) {
    return (uint64_t)__builtin_ffsll((long long)*a);
}
static uint64_t zeros_64(const uint64_t *a) {
    return *a ? (uint64_t)__builtin_clzll(*a) : 64;
}
static uint64_t zeros_32(const uint64_t *a) {
    return zeros_64(a) - 32;
}
static uint64_t reversed(const uint64_t *a) {
    uint32_t result = 0;
    for (int i = 0; i < 32; i++)
        result |= ((uint32_t)*a >> i & 1) << (31 - i);
    return result;
}
static uint64_t magnitude(const uint64_t *a) {
    return cut((int64_t)*a < 0 ? 0 - *a : *a, KIND_I32);
}
static uint64_t as_int(const uint64_t *a) {
    return cut(*a, KIND_I32);
}
static uint64_t as_unsigned(const uint64_t *a) {
    return (uint32_t)*a;
}
static uint64_t high_signed(const uint64_t *a) {
    return cut((uint64_t)((int64_t)(a[0] * a[1]) >> 32), KIND_I32);
}
static uint64_t high_unsigned(const uint64_t *a) {
    return a[0] * a[1] >> 32;
}
static double reciprocal_root(double x) {
    return 1 / sqrt(x);
}
static double quotient(double x, double y) {
    return x / y;
}

static const struct {
    const char *signature;
    uint64_t (*bits)(const uint64_t *arguments);
    double (*one)(double x);
    double (*two)(double x, double y);
} functions[] = {{"__popc(u)i", count_bits, NULL, NULL},
                 {"__popcll(w)i", count_bits, NULL, NULL},
                 {"__ffs(u)i", first_bit, NULL, NULL},
                 {"__ffsll(w)i", first_bit, NULL, NULL},
                 {"__clz(u)i", zeros_32, NULL, NULL},
                 {"__clzll(w)i", zeros_64, NULL, NULL},
                 {"__brev(u)u", reversed, NULL, NULL},
                 {"abs(i)i", magnitude, NULL, NULL},
                 {"__float_as_int(f)i", as_int, NULL, NULL},
                 {"__float_as_uint(f)u", as_unsigned, NULL, NULL},
                 {"__int_as_float(i)f", as_unsigned, NULL, NULL},
                 {"__uint_as_float(u)f", as_unsigned, NULL, NULL},
                 {"__mulhi(ii)i", high_signed, NULL, NULL},
                 {"__umulhi(uu)u", high_unsigned, NULL, NULL},
                 {"__cvta_generic_to_shared(p)U", NULL, NULL, NULL},
                 {"fabsf(f)f", NULL, fabs, NULL},
                 {"fabs(d)d", NULL, fabs, NULL},
                 {"sqrtf(f)f", NULL, sqrt, NULL},
                 {"sqrt(d)d", NULL, sqrt, NULL},
                 {"rsqrtf(f)f", NULL, reciprocal_root, NULL},
                 {"expf(f)f", NULL, exp, NULL},
                 {"__expf(f)f", NULL, exp, NULL},
                 {"exp(d)d", NULL, exp, NULL},
                 {"exp2f(f)f", NULL, exp2, NULL},
                 {"logf(f)f", NULL, log, NULL},
                 {"__logf(f)f", NULL, log, NULL},
                 {"log(d)d", NULL, log, NULL},
                 {"log2f(f)f", NULL, log2, NULL},
                 {"__log2f(f)f", NULL, log2, NULL},
                 {"floorf(f)f", NULL, floor, NULL},
                 {"ceilf(f)f", NULL, ceil, NULL},
                 {"fmaxf(ff)f", NULL, NULL, fmax},
                 {"fminf(ff)f", NULL, NULL, fmin},
                 {"fmax(dd)d", NULL, NULL, fmax},
                 {"fmin(dd)d", NULL, NULL, fmin},
                 {"powf(ff)f", NULL, NULL, pow},
                 {"__fdividef(ff)f", NULL, NULL, quotient}};

const char *function_signature(int number) {
    const int count = (int)(sizeof functions / sizeof functions[0]);
    return number < count ? functions[number].signature : NULL;
}

uint64_t function_call(int number, const uint64_t *arguments) {
    if (functions[number].bits)
        return functions[number].bits(arguments);
    const enum kind kind = string_ends_with(functions[number].signature, "d") ? KIND_F64 : KIND_F32;
    const double x = real_of(arguments[0], kind);
    if (functions[number].one)
        return bits_of(functions[number].one(x), kind);
    return bits_of(functions[number].two(x, real_of(arguments[1], kind)), kind);
}
