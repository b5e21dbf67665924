/*
 * code.c - lines, encoded compactly. Common changes are recognised: none, a counter that is the
 * same for all lanes, consecutive numbers, a copy of another variable, a sum of two. Other changes
 * take as many bits for each lane as the largest difference needs.
 */
#include "trace/lines/code.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bits of a line's first byte; the upper three are the count of changes, 7 if a number follows. */
enum {
    LINE_FUNCTION = 1,
    LINE_LANES = 2,
    LINE_STEP = 4,
    LINE_ENTERS = 8,
    LINE_DEPTH = 16,
    LINE_COUNT_SHIFT = 5,
    LINE_COUNT_MOST = 7
};

/* How the values of a change are written; 0 to 64 is a width in bits. */
enum {
    HOW_ROW = 65,
    HOW_UNSET = 66,
    HOW_COPY = 67,
    HOW_SUM = 68,
    HOW_SHIFTED = 128 /* added to a width: the lowest bits are 0, and their number follows */
};

void line_coder_release(struct line_coder *coder) {
    for (size_t i = 0; i < coder->function_count; i++)
        free(coder->functions[i].value);
    free(coder->functions);
    *coder = (struct line_coder){0};
}

static struct line_coder_values *values_of(struct line_coder *coder, uint32_t function,
                                           uint32_t variables) {
    if (function >= coder->function_count) {
        const size_t count = (size_t)function + 1;
        coder->functions = memory_grow(coder->functions, count, sizeof *coder->functions);
        memset(coder->functions + coder->function_count, 0,
               (count - coder->function_count) * sizeof *coder->functions);
        coder->function_count = count;
    }
    struct line_coder_values *values = &coder->functions[function];
    if (values->count < variables) {
        values->value = memory_grow(values->value, variables, sizeof *values->value);
        memset(values->value + values->count, 0,
               (variables - values->count) * sizeof *values->value);
        values->count = variables;
    }
    return values;
}

static uint64_t add(enum warp_type type, uint64_t a, uint64_t b) {
    if (type == WARP_TYPE_FLOAT) {
        float x, y;
        const uint32_t low = (uint32_t)a, other = (uint32_t)b;
        memcpy(&x, &low, sizeof x);
        memcpy(&y, &other, sizeof y);
        const float sum = x + y;
        uint32_t bits;
        memcpy(&bits, &sum, sizeof bits);
        return isnan(sum) ? 0 : bits;
    }
    if (type == WARP_TYPE_DOUBLE) {
        double x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        const double sum = x + y;
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        return isnan(sum) ? 0 : bits;
    }
    return warp_value_mask(type, a + b);
}

/* ---- writing ---- */

static void put(struct text *bytes, uint64_t value) {
    unsigned char buffer[PACKED_NUMBER_MOST];
    struct sink to = {buffer};
    put_number(&to, value);
    text_append_bytes(bytes, buffer, (size_t)(to.at - buffer));
}

static void put_mask(struct text *bytes, uint32_t lanes) {
    text_append_bytes(bytes, &lanes, sizeof lanes);
}

void line_code_put(struct line_coder *coder, struct text *bytes, const struct line_code *line) {
    const struct line_code *last = &coder->last;
    const uint32_t few =
        line->change_count < LINE_COUNT_MOST ? line->change_count : LINE_COUNT_MOST;
    const unsigned bits = (line->function != last->function ? LINE_FUNCTION : 0u) |
                          (line->lanes != last->lanes ? LINE_LANES : 0u) |
                          (line->step != last->step ? LINE_STEP : 0u) |
                          (line->enters ? LINE_ENTERS : 0u) |
                          (line->depth != last->depth ? LINE_DEPTH : 0u) | few << LINE_COUNT_SHIFT;
    text_append_char(bytes, (char)bits);
    if (bits & LINE_FUNCTION)
        put(bytes, line->function);
    put(bytes, fold_sign((uint64_t)line->line - last->line));
    if (bits & LINE_LANES)
        put_mask(bytes, line->lanes);
    if (bits & LINE_STEP)
        put(bytes, line->step - last->step);
    if (bits & LINE_DEPTH)
        put(bytes, line->depth);
    if (few == LINE_COUNT_MOST)
        put(bytes, line->change_count - LINE_COUNT_MOST);
    coder->last = *line;
}

static bool is_row(const struct line_code_change *change, uint64_t *begin, uint64_t *each) {
    const int first = __builtin_ctz(change->lanes);
    const uint32_t others = change->lanes & (change->lanes - 1);
    const int second = others ? __builtin_ctz(others) : first + 1;
    const uint64_t difference = others ? change->value[second] - change->value[first] : 0;
    if (others && difference % (uint64_t)(second - first))
        return false;
    *each = others ? difference / (uint64_t)(second - first) : 0;
    *begin = change->value[first] - *each * (uint64_t)first;
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (change->value[lane] != *begin + *each * (uint64_t)lane)
            return false;
    }
    return true;
}

static bool is_sum(const struct line_code_change *change, enum warp_type type, const uint64_t *a,
                   const uint64_t *b) {
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        if (change->value[lane] != (b ? add(type, a[lane], b[lane]) : a[lane]))
            return false;
    }
    return true;
}

/* The number of variables tried, from the function's first one on: trying all pairs of more
 * variables would take too long. */
#define GUESSED 16u

/* Writes the change if it is a copy or a sum; false if it is neither. */
static bool put_guess(struct text *bytes, const struct line_code_change *change,
                      enum warp_type type, const struct line_coder_values *values) {
    const uint32_t most = values->count < GUESSED ? values->count : GUESSED;
    for (uint32_t a = 0; a < most; a++)
        if (a != change->variable && is_sum(change, type, values->value[a], NULL)) {
            text_append_char(bytes, HOW_COPY);
            put(bytes, a);
            return true;
        }
    for (uint32_t a = 0; a < most; a++)
        for (uint32_t b = a; b < most; b++)
            if (is_sum(change, type, values->value[a], values->value[b])) {
                text_append_char(bytes, (char)HOW_SUM);
                put(bytes, a);
                put(bytes, b);
                return true;
            }
    return false;
}

static void put_bits(struct text *bytes, const struct line_code_change *change, uint64_t least,
                     unsigned shift, unsigned width) {
    unsigned __int128 rest = 0;
    unsigned filled = 0;
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        const uint64_t value = (change->value[__builtin_ctz(left)] >> shift) - least;
        rest |= (unsigned __int128)value << filled;
        for (filled += width; filled >= 8; filled -= 8, rest >>= 8)
            text_append_char(bytes, (char)(unsigned char)rest);
    }
    if (filled)
        text_append_char(bytes, (char)(unsigned char)rest);
}

/* Writes the difference of each lane's value from the smallest value. All lanes get as many bits as
 * the largest difference needs. */
static void put_values(struct text *bytes, const struct line_code_change *change) {
    uint64_t least = UINT64_MAX, greatest = 0, all = 0;
    for (uint32_t left = change->lanes; left; left &= left - 1)
        all |= change->value[__builtin_ctz(left)];
    const unsigned zeros = all ? (unsigned)__builtin_ctzll(all) : 0, shift = zeros >= 4 ? zeros : 0;
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        const uint64_t value = change->value[__builtin_ctz(left)] >> shift;
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    const uint64_t range = greatest - least;
    const unsigned width = range ? 64 - (unsigned)__builtin_clzll(range) : 0;
    text_append_char(bytes, (char)(width | (shift ? HOW_SHIFTED : 0u)));
    if (shift)
        put(bytes, shift);
    put(bytes, least);
    put_bits(bytes, change, least, shift, width);
}

static void keep(struct line_coder_values *values, const struct line_code_change *change) {
    for (uint32_t left = change->is_unset ? 0 : change->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        values->value[change->variable][lane] = change->value[lane];
    }
}

void line_code_put_change(struct line_coder *coder, struct text *bytes,
                          const struct line_code_change *change, enum warp_type type,
                          uint32_t variables) {
    struct line_coder_values *values = values_of(coder, coder->last.function, variables);
    const bool others = change->lanes != coder->last.lanes;
    uint64_t begin, each;
    put(bytes, 2 * (uint64_t)change->variable + others);
    if (others)
        put_mask(bytes, change->lanes);
    if (change->is_unset) {
        text_append_char(bytes, HOW_UNSET);
    } else if (is_row(change, &begin, &each)) {
        text_append_char(bytes, HOW_ROW);
        put(bytes, fold_sign(begin));
        put(bytes, fold_sign(each));
    } else if (!put_guess(bytes, change, type, values)) {
        put_values(bytes, change);
    }
    keep(values, change);
}

/* ---- reading ---- */

static uint32_t take_small(struct source *from, uint64_t most) {
    const uint64_t number = take_number(from);
    from->failed = from->failed || number > most;
    return from->failed ? 0 : (uint32_t)number;
}

static uint32_t take_mask(struct source *from) {
    uint32_t lanes;
    take_bytes(from, &lanes, sizeof lanes);
    from->failed = from->failed || lanes == 0;
    return lanes;
}

void line_code_take(struct line_coder *coder, struct source *from, struct line_code *line) {
    unsigned char bits;
    take_bytes(from, &bits, 1);
    *line = coder->last;
    line->enters = bits & LINE_ENTERS;
    if (bits & LINE_FUNCTION)
        line->function = take_small(from, UINT32_MAX);
    line->line = (uint32_t)take_difference(from, line->line);
    if (bits & LINE_LANES)
        line->lanes = take_mask(from);
    if (bits & LINE_STEP)
        line->step += take_number(from);
    if (bits & LINE_DEPTH)
        line->depth = take_small(from, UINT32_MAX);
    line->change_count = bits >> LINE_COUNT_SHIFT;
    if (line->change_count == LINE_COUNT_MOST)
        line->change_count += take_small(from, 2 * (uint64_t)TRACE_FUNCTION_VARIABLES);
    from->failed = from->failed || line->lanes == 0;
    coder->last = *line;
}

static void take_row(struct source *from, struct line_code_change *change) {
    const uint64_t begin = take_difference(from, 0), each = take_difference(from, 0);
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        change->value[lane] = begin + each * (uint64_t)lane;
    }
}

static void take_sum(struct source *from, struct line_code_change *change, enum warp_type type,
                     const struct line_coder_values *values, bool is_copy) {
    const uint32_t a = take_small(from, values->count - 1u);
    const uint32_t b = is_copy ? 0 : take_small(from, values->count - 1u);
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const uint64_t value = values->value[a][lane];
        change->value[lane] = is_copy ? value : add(type, value, values->value[b][lane]);
    }
}

static void take_values(struct source *from, struct line_code_change *change, unsigned how) {
    const unsigned width = how & (HOW_SHIFTED - 1u);
    const unsigned shift = how & HOW_SHIFTED ? take_small(from, 63) : 0;
    const uint64_t least = take_number(from),
                   ones = width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
    unsigned __int128 rest = 0;
    unsigned filled = 0;
    for (uint32_t left = change->lanes; left; left &= left - 1) {
        for (; filled < width; filled += 8) {
            unsigned char byte;
            take_bytes(from, &byte, 1);
            rest |= (unsigned __int128)byte << filled;
        }
        change->value[__builtin_ctz(left)] = (least + ((uint64_t)rest & ones)) << shift;
        rest >>= width;
        filled -= width;
    }
}

void line_code_take_change(struct line_coder *coder, struct source *from,
                           const struct trace_function *function, struct line_code_change *change) {
    struct line_coder_values *values =
        values_of(coder, coder->last.function, function->variable_count);
    const uint32_t number = take_small(from, 2 * (uint64_t)function->variable_count);
    unsigned char how;
    *change = (struct line_code_change){.variable = number / 2, .lanes = coder->last.lanes};
    if (number & 1)
        change->lanes = take_mask(from);
    from->failed = from->failed || change->variable >= function->variable_count ||
                   change->lanes & ~coder->last.lanes;
    take_bytes(from, &how, 1);
    if (from->failed)
        return;
    const enum warp_type type = function->variables[change->variable].type;
    change->is_unset = how == HOW_UNSET;
    if (how == HOW_ROW)
        take_row(from, change);
    else if (how == HOW_COPY || how == HOW_SUM)
        take_sum(from, change, type, values, how == HOW_COPY);
    else if ((how & (HOW_SHIFTED - 1u)) <= 64)
        take_values(from, change, how);
    else if (how != HOW_UNSET)
        from->failed = true;
    for (int lane = 0; lane < WARP_LANES; lane++)
        change->value[lane] = warp_value_mask(type, change->value[lane]);
    keep(values, change);
}
