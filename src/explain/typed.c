/*
 * A learner should not fail because of an answer's form: each reader skips what does not matter and
 * accepts every reasonable spelling of a value of its type.
 */
#include "explain/typed.h"

#include "base/message.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER_SIZE 64

static const char *skip_blanks(const char *c) {
    return c + strspn(c, " ");
}

bool typed_is_blank(const char *typed) {
    return *skip_blanks(typed) == '\0';
}

/* The typed text, without blanks around it. */
static void trim(const char *typed, char text[NUMBER_SIZE]) {
    snprintf(text, NUMBER_SIZE, "%s", skip_blanks(typed));
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
}

static bool begins_word(const char *text, const char *word) {
    size_t length = strlen(text);
    return length > 0 && strncasecmp(word, text, length) == 0;
}

static bool is_word(const char *typed, const char *english) {
    char text[NUMBER_SIZE];
    trim(typed, text);
    return begins_word(text, english) || begins_word(text, message(english));
}

bool typed_is_own(const char *typed) {
    return is_word(typed, N_("own"));
}

bool typed_is_undefined(const char *typed) {
    return is_word(typed, N_("undefined")) || strcmp(skip_blanks(typed), "?") == 0;
}

/* ---- lanes ---- */

/* Skips "lane", "lanes" and their translations. */
static const char *skip_lane_word(const char *c) {
    c = skip_blanks(c);
    const char *local = message(N_("lane"));
    if (strncasecmp(c, "lane", 4) == 0)
        c += 4 + (c[4] == 's' || c[4] == 'S');
    else if (strncmp(c, local, strlen(local)) == 0)
        c += strlen(local);
    return skip_blanks(c);
}

static bool read_lane(const char **c, int *lane) {
    if (!isdigit((unsigned char)**c))
        return false;
    char *end;
    long number = strtol(*c, &end, 10);
    *c = end;
    *lane = (int)number;
    return number >= 0 && number < WARP_LANES;
}

bool typed_lane(const char *typed, int *lane) {
    const char *c = skip_lane_word(typed);
    return read_lane(&c, lane) && typed_is_blank(c);
}

/* Skips one of the words; false if the text begins with none of them. */
static bool take(const char **c, const char *const words[]) {
    for (; *words; words++)
        if (strncmp(*c, *words, strlen(*words)) == 0) {
            *c += strlen(*words);
            return true;
        }
    return false;
}

/* "4", "4-7", "4..7", "4 to 7" */
static bool read_range(const char **c, uint32_t *lanes) {
    static const char *const to[] = {"-", "..", "to", "–", "—", "到", "至", "~", NULL};
    int first, last;
    if (!read_lane(c, &first))
        return false;
    last = first;
    const char *rest = skip_blanks(*c);
    if (take(&rest, to)) {
        rest = skip_blanks(rest);
        if (!read_lane(&rest, &last))
            return false;
        *c = rest;
    }
    for (int lane = first; lane <= last; lane++)
        *lanes |= UINT32_C(1) << lane;
    return first <= last;
}

static bool read_mask(const char *text, uint32_t *lanes) {
    char *end;
    if (strncasecmp(text, "0x", 2) != 0 || !isxdigit((unsigned char)text[2]))
        return false;
    unsigned long long mask = strtoull(text + 2, &end, 16);
    *lanes = (uint32_t)mask;
    return typed_is_blank(end) && mask <= WARP_FULL_MASK;
}

bool typed_lanes(const char *typed, uint32_t all, uint32_t *lanes) {
    static const char *const separators[] = {",", ";", "，", "、", "and", "和", NULL};
    const char *c = skip_blanks(typed);
    *lanes = 0;
    if (is_word(typed, N_("none")))
        return true;
    if (is_word(typed, N_("all"))) {
        *lanes = all;
        return true;
    }
    if (read_mask(c, lanes))
        return true;
    uint32_t read = 0;
    c = skip_lane_word(c);
    if (!*c)
        return false;
    while (*c) {
        if (!read_range(&c, &read))
            return false;
        c = skip_blanks(c);
        while (take(&c, separators))
            c = skip_blanks(c);
    }
    *lanes = read;
    return true;
}

/* ---- values ---- */

static int base_of(const char **digits) {
    static const struct {
        const char *prefix;
        int base;
    } bases[] = {{"0x", 16}, {"0b", 2}, {"0o", 8}};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (strncasecmp(*digits, bases[i].prefix, 2) == 0) {
            *digits += 2;
            return bases[i].base;
        }
    return 10;
}

/* Reads an integer that `bits` bits can hold, signed or unsigned. */
static bool read_integer(const char *text, unsigned bits, uint64_t *value) {
    bool negative = *text == '-';
    const char *digits = text + (*text == '-' || *text == '+');
    int base = base_of(&digits);
    uint64_t magnitude = 0, limit = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (negative)
        limit = (limit >> 1) + 1;
    if (!*digits)
        return false;
    for (; *digits; digits++) {
        int digit = isdigit((unsigned char)*digits)   ? *digits - '0'
                    : isalpha((unsigned char)*digits) ? tolower((unsigned char)*digits) - 'a' + 10
                                                      : base;
        if (digit >= base || magnitude > (limit - (uint64_t)digit) / (uint64_t)base)
            return false;
        magnitude = magnitude * (uint64_t)base + (uint64_t)digit;
    }
    *value = negative ? 0 - magnitude : magnitude;
    return true;
}

/* The number, the count of digits typed (without leading zeros), and the value of the last digit.
 * The decimal point is C's, because the program sets only LC_CTYPE. */
static bool read_real(const char *text, double *value, int *digits, double *unit) {
    const char *point = strchr(text, '.');
    int behind = 0;
    bool leading = true;
    char *end;
    *digits = 0;
    *value = strtod(text, &end);
    if (end == text || *end || strcspn(text, "xXpP") != strlen(text))
        return false;
    long exponent = 0;
    for (const char *c = text; *c; c++) {
        if (*c == 'e' || *c == 'E') {
            exponent = strtol(c + 1, NULL, 10);
            break;
        }
        leading = leading && (*c == '0' || !isdigit((unsigned char)*c));
        *digits += !leading && isdigit((unsigned char)*c);
        behind += point && point < c && isdigit((unsigned char)*c);
    }
    *unit = pow(10, (double)(exponent - behind));
    return true;
}

static int precision_of(enum warp_type type) {
    switch (type) {
    case WARP_TYPE_HALF:
    case WARP_TYPE_HALF2:
        return 11;
    case WARP_TYPE_BFLOAT16:
    case WARP_TYPE_BFLOAT162:
        return 8;
    case WARP_TYPE_FLOAT:
        return 24;
    default:
        return 53;
    }
}

/* One part of a floating value, as bits. */
static bool read_part(enum warp_type type, const char *typed, uint64_t right, unsigned part,
                      uint64_t *bits) {
    char text[NUMBER_SIZE];
    double value, unit;
    int digits;
    trim(typed, text);
    const struct warp_type_info *info = warp_type_info(type);
    unsigned shift = info->bits / info->parts * part;
    uint64_t mask =
        info->bits / info->parts == 64 ? UINT64_MAX : (UINT64_C(1) << info->bits / info->parts) - 1;
    if (!read_real(text, &value, &digits, &unit))
        return false;
    double wanted = warp_value_to_double(type, right, part), off = fabs(value - wanted);
    bool near = isnan(value) ? isnan(wanted) : value == wanted;
    if (isfinite(value) && isfinite(wanted))
        near = near || off < ldexp(fabs(wanted), -precision_of(type)) ||
               (digits >= 4 && off <= unit / 2 + ldexp(fabs(wanted), -52)); /* a double's ulp */
    uint64_t converted = near ? right >> shift & mask : warp_value_from_double(type, value) & mask;
    *bits |= converted << shift;
    return true;
}

static bool read_floating(enum warp_type type, const char *text, uint64_t right, uint64_t *bits) {
    const struct warp_type_info *info = warp_type_info(type);
    char parts[NUMBER_SIZE];
    *bits = 0;
    if (strncasecmp(text, "0x", 2) == 0)
        return strlen(text) == 2 + info->bits / 4 && read_integer(text, info->bits, bits);
    snprintf(parts, sizeof parts, "%s", text);
    char *comma = strchr(parts, ',');
    if ((comma != NULL) != (info->parts == 2))
        return false;
    if (!comma)
        return read_part(type, parts, right, 0, bits);
    *comma = '\0';
    return read_part(type, parts, right, 0, bits) && read_part(type, comma + 1, right, 1, bits);
}

bool typed_value(enum warp_type type, const char *typed, uint64_t right, uint64_t *bits) {
    const struct warp_type_info *info = warp_type_info(type);
    char text[NUMBER_SIZE];
    trim(typed, text);
    if (strlen(skip_blanks(typed)) >= sizeof text || !info || info->bits == 0)
        return false;
    if (info->is_floating)
        return read_floating(type, text, warp_value_mask(type, right), bits);
    if (!read_integer(text, info->bits, bits))
        return false;
    *bits = warp_value_mask(type, *bits);
    return true;
}
