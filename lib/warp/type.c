/*
 * Conversions are done here bit by bit rather than by the machine, so that they are the same
 * everywhere and round exactly once.
 */
#include "warp/type.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct warp_type_info types[WARP_TYPE_COUNT] = {
    /* name, cuda, bits, parts, is_signed, is_floating */
    [WARP_TYPE_INT] = {"int", "int", 32, 1, true, false},
    [WARP_TYPE_UNSIGNED] = {"unsigned", "unsigned", 32, 1, false, false},
    [WARP_TYPE_LONG] = {"long", "long", 64, 1, true, false},
    [WARP_TYPE_UNSIGNED_LONG] = {"unsigned-long", "unsigned long", 64, 1, false, false},
    [WARP_TYPE_LONG_LONG] = {"long-long", "long long", 64, 1, true, false},
    [WARP_TYPE_UNSIGNED_LONG_LONG] = {"unsigned-long-long", "unsigned long long", 64, 1, false,
                                      false},
    [WARP_TYPE_FLOAT] = {"float", "float", 32, 1, false, true},
    [WARP_TYPE_DOUBLE] = {"double", "double", 64, 1, false, true},
    [WARP_TYPE_HALF] = {"half", "__half", 16, 1, false, true},
    [WARP_TYPE_HALF2] = {"half2", "__half2", 32, 2, false, true},
    [WARP_TYPE_BFLOAT16] = {"bfloat16", "__nv_bfloat16", 16, 1, false, true},
    [WARP_TYPE_BFLOAT162] = {"bfloat162", "__nv_bfloat162", 32, 2, false, true},
    [WARP_TYPE_NONE] = {"none", "void", 0, 1, false, false},
};

const struct warp_type_info *warp_type_info(enum warp_type type) {
    return (unsigned)type < WARP_TYPE_COUNT ? &types[type] : NULL;
}

int warp_type_find(const char *name) {
    for (int type = 0; type < WARP_TYPE_COUNT; type++)
        if (type != WARP_TYPE_NONE && strcmp(types[type].name, name) == 0)
            return type;
    return -1;
}

/* ---- binary interchange formats ---- */

/* An IEEE 754 format of 16 bits: one sign bit, then exponent, then fraction. */
struct format16 {
    int exponent_bits;
    int fraction_bits;
};
static const struct format16 half_format = {5, 10};
static const struct format16 bfloat16_format = {8, 7};

#define DOUBLE_FRACTION_BITS 52
#define DOUBLE_FRACTION_MASK ((UINT64_C(1) << DOUBLE_FRACTION_BITS) - 1)
#define DOUBLE_BIAS          1023
#define DOUBLE_EXPONENT_ALL  2047 /* infinity and NaN */

static uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int format16_bias(struct format16 format) {
    return (1 << (format.exponent_bits - 1)) - 1;
}

static unsigned format16_infinity(struct format16 format) {
    return ((1u << format.exponent_bits) - 1) << format.fraction_bits;
}

/* Shifts right by 1..63, rounding to nearest, ties to even. */
static uint64_t shift_right_rounding(uint64_t value, int count) {
    uint64_t kept = value >> count;
    uint64_t lost = value & ((UINT64_C(1) << count) - 1);
    uint64_t half = UINT64_C(1) << (count - 1);
    return kept + (lost > half || (lost == half && (kept & 1)));
}

/* Straight from double, because a step through float would round twice. */
static uint16_t format16_from_double(struct format16 format, double value) {
    uint64_t bits = bits_of_double(value);
    unsigned sign = (unsigned)(bits >> 63) << 15;
    int biased = (int)(bits >> DOUBLE_FRACTION_BITS) & DOUBLE_EXPONENT_ALL;
    uint64_t fraction = bits & DOUBLE_FRACTION_MASK;
    unsigned infinity = format16_infinity(format);

    if (biased == DOUBLE_EXPONENT_ALL) {
        unsigned payload = (unsigned)(fraction >> (DOUBLE_FRACTION_BITS - format.fraction_bits));
        if (fraction && !payload) /* every bit that made it a NaN would be cut off */
            payload = 1u << (format.fraction_bits - 1);
        return (uint16_t)(sign | infinity | payload);
    }
    int exponent = biased - DOUBLE_BIAS;
    int smallest = 1 - format16_bias(format); /* exponent of the smallest normal number */
    if (exponent > format16_bias(format))
        return (uint16_t)(sign | infinity);
    int lost = DOUBLE_FRACTION_BITS - format.fraction_bits;
    if (exponent < smallest)
        lost += smallest - exponent;
    if (biased == 0 || lost > DOUBLE_FRACTION_BITS + 1) /* below half the smallest subnormal */
        return (uint16_t)sign;

    uint64_t significand = fraction | (UINT64_C(1) << DOUBLE_FRACTION_BITS);
    unsigned magnitude = (unsigned)shift_right_rounding(significand, lost);
    /* The significand's leading 1 adds one to the exponent field, and so does a rounding that
     * carries, up to infinity. */
    if (exponent > smallest)
        magnitude += (unsigned)(exponent - smallest) << format.fraction_bits;
    return (uint16_t)(sign | magnitude);
}

static double format16_to_double(struct format16 format, uint16_t bits) {
    uint64_t sign = (uint64_t)(bits >> 15) << 63;
    int field = (bits >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
    uint64_t fraction = bits & ((1u << format.fraction_bits) - 1);
    int biased = field - format16_bias(format) + DOUBLE_BIAS;

    if (field == 0) {
        int unit = 1 - format16_bias(format) - format.fraction_bits;
        double scale = double_of_bits((uint64_t)(unit + DOUBLE_BIAS) << DOUBLE_FRACTION_BITS);
        return double_of_bits(sign | bits_of_double((double)fraction * scale));
    }
    if (field == (1 << format.exponent_bits) - 1)
        biased = DOUBLE_EXPONENT_ALL;
    return double_of_bits(sign | (uint64_t)biased << DOUBLE_FRACTION_BITS |
                          fraction << (DOUBLE_FRACTION_BITS - format.fraction_bits));
}

uint16_t half_from_double(double value) {
    return format16_from_double(half_format, value);
}

double half_to_double(uint16_t bits) {
    return format16_to_double(half_format, bits);
}

uint16_t bfloat16_from_double(double value) {
    return format16_from_double(bfloat16_format, value);
}

double bfloat16_to_double(uint16_t bits) {
    return format16_to_double(bfloat16_format, bits);
}

/* ---- values as bits ---- */

uint64_t warp_value_mask(enum warp_type type, uint64_t bits) {
    unsigned count = warp_type_info(type)->bits;
    return count >= 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

uint64_t warp_value_from_double(enum warp_type type, double value) {
    switch (type) {
    case WARP_TYPE_FLOAT:
        return bits_of_float((float)value);
    case WARP_TYPE_DOUBLE:
        return bits_of_double(value);
    case WARP_TYPE_HALF:
        return half_from_double(value);
    case WARP_TYPE_HALF2:
        return half_from_double(value) * UINT64_C(0x10001);
    case WARP_TYPE_BFLOAT16:
        return bfloat16_from_double(value);
    case WARP_TYPE_BFLOAT162:
        return bfloat16_from_double(value) * UINT64_C(0x10001);
    default:
        return 0;
    }
}

/*
 * A double that rounds to 16 bits as `integer` itself would. The bits that a double cannot hold are
 * folded into one sticky bit, far below those that a 16-bit format keeps; otherwise the first
 * rounding could create a tie, which the second would round the wrong way.
 */
static double integer_to_double_sticky(int64_t integer) {
    uint64_t magnitude = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
    const uint64_t low = (UINT64_C(1) << 12) - 1;
    if (magnitude >> 53)
        magnitude = (magnitude & ~low) | ((magnitude & low) ? low + 1 : 0);
    return integer < 0 ? -(double)magnitude : (double)magnitude;
}

uint64_t warp_value_from_integer(enum warp_type type, int64_t integer) {
    const struct warp_type_info *info = warp_type_info(type);
    if (!info->is_floating)
        return warp_value_mask(type, (uint64_t)integer);
    if (type == WARP_TYPE_FLOAT)
        return bits_of_float((float)integer);
    if (type == WARP_TYPE_DOUBLE)
        return bits_of_double((double)integer);
    return warp_value_from_double(type, integer_to_double_sticky(integer));
}

/* The integer that the bits represent in a signed type, sign-extended. */
static int64_t sign_extended(const struct warp_type_info *info, uint64_t bits) {
    return info->bits == 32 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

double warp_value_to_double(enum warp_type type, uint64_t bits, unsigned part) {
    const struct warp_type_info *info = warp_type_info(type);
    uint16_t packed = (uint16_t)(part && info->parts == 2 ? bits >> 16 : bits);
    switch (type) {
    case WARP_TYPE_FLOAT:
        return (double)float_of_bits((uint32_t)bits);
    case WARP_TYPE_DOUBLE:
        return double_of_bits(bits);
    case WARP_TYPE_HALF:
    case WARP_TYPE_HALF2:
        return half_to_double(packed);
    case WARP_TYPE_BFLOAT16:
    case WARP_TYPE_BFLOAT162:
        return bfloat16_to_double(packed);
    default:
        return info->is_signed ? (double)sign_extended(info, bits)
                               : (double)warp_value_mask(type, bits);
    }
}

/* ---- values as text ---- */

/* The bits of one part when `text` is read as that type. */
static uint64_t bits_of_text(enum warp_type type, const char *text) {
    return type == WARP_TYPE_FLOAT ? bits_of_float(strtof(text, NULL))
                                   : warp_value_from_double(type, strtod(text, NULL));
}

/* Digits that always suffice: the formats' bits of precision, in decimal, and two for safety. */
static int enough_digits(enum warp_type type) {
    switch (type) {
    case WARP_TYPE_DOUBLE:
        return 17;
    case WARP_TYPE_FLOAT:
        return 9;
    case WARP_TYPE_BFLOAT16:
        return 4;
    default:
        return 5;
    }
}

/* Writes value's first `count` decimal digits and the power of ten of the first. */
static void decimal_digits(const char *scientific, char *digits, int *count, int *exponent) {
    *count = 0;
    const char *c = scientific;
    for (; *c && *c != 'e'; c++) /* skips the sign and the locale's decimal point */
        if (*c >= '0' && *c <= '9')
            digits[(*count)++] = *c;
    digits[*count] = '\0';
    *exponent = atoi(c + 1);
}

/*
 * Lays out digits with the decimal point where a person expects it. A number that would need zeros
 * in place of digits that it does not have keeps its power of ten, so as not to look exact.
 */
static void lay_out(char *out, size_t size, bool negative, const char *digits, int count,
                    int exponent) {
    const char *sign = negative ? "-" : "";
    if (exponent < -4 || exponent >= count)
        snprintf(out, size, "%s%c%s%se%c%02d", sign, digits[0], count > 1 ? "." : "", digits + 1,
                 exponent < 0 ? '-' : '+', abs(exponent));
    else if (exponent < 0)
        snprintf(out, size, "%s0.%.*s%s", sign, -exponent - 1, "0000", digits);
    else
        snprintf(out, size, "%s%.*s%s%s", sign, exponent + 1, digits,
                 count > exponent + 1 ? "." : "", digits + exponent + 1);
}

/* One value of a floating type that has one part. */
static void format_floating(enum warp_type type, uint64_t bits, char *out, size_t size) {
    double value = warp_value_to_double(type, bits, 0);
    bool negative = bits >> (warp_type_info(type)->bits - 1) & 1;
    if (value != value) {
        snprintf(out, size, "nan");
        return;
    }
    if (value - value != 0) {
        snprintf(out, size, negative ? "-inf" : "inf");
        return;
    }
    /* Integers with all their digits, so that a sum can be checked by hand. */
    if (value > -1e10 && value < 1e10 && (double)(int64_t)value == value) {
        snprintf(out, size, "%s%" PRId64, negative ? "-" : "",
                 negative ? -(int64_t)value : (int64_t)value);
        return;
    }
    char scientific[40], digits[40];
    int count, exponent;
    int enough = enough_digits(type);
    for (int precision = 1; precision <= enough; precision++) {
        snprintf(scientific, sizeof scientific, "%.*e", precision - 1, value);
        if (bits_of_text(type, scientific) == bits)
            break;
    }
    decimal_digits(scientific, digits, &count, &exponent);
    lay_out(out, size, negative, digits, count, exponent);
}

char *warp_value_format(enum warp_type type, uint64_t bits, char buffer[WARP_VALUE_TEXT]) {
    const struct warp_type_info *info = warp_type_info(type);
    bits = warp_value_mask(type, bits);
    if (type == WARP_TYPE_NONE) {
        buffer[0] = '\0';
    } else if (info->is_signed) {
        snprintf(buffer, WARP_VALUE_TEXT, "%" PRId64, sign_extended(info, bits));
    } else if (!info->is_floating) {
        snprintf(buffer, WARP_VALUE_TEXT, "%" PRIu64, bits);
    } else if (info->parts == 1) {
        format_floating(type, bits, buffer, WARP_VALUE_TEXT);
    } else {
        enum warp_type part = type == WARP_TYPE_HALF2 ? WARP_TYPE_HALF : WARP_TYPE_BFLOAT16;
        format_floating(part, bits & 0xffff, buffer, WARP_VALUE_TEXT);
        size_t used = strlen(buffer);
        buffer[used++] = ',';
        format_floating(part, bits >> 16, buffer + used, WARP_VALUE_TEXT - used);
    }
    return buffer;
}

char *warp_value_format_bits(enum warp_type type, uint64_t bits, char buffer[WARP_VALUE_TEXT]) {
    int digits = (int)warp_type_info(type)->bits / 4;
    if (digits == 0)
        buffer[0] = '\0';
    else
        snprintf(buffer, WARP_VALUE_TEXT, "0x%0*" PRIx64, digits, warp_value_mask(type, bits));
    return buffer;
}
