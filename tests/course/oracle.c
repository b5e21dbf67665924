/*
 * Written from the documents alone, for one lane at a time and without tables, so that it shares no
 * mistake with src/.
 */
#include "oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has(uint32_t lanes, int lane) {
    return lanes >> lane & 1;
}

/* ---- shuffles ---- */

static bool is_shuffle(enum warp_op op) {
    return op == WARP_OP_IDX || op == WARP_OP_UP || op == WARP_OP_DOWN || op == WARP_OP_XOR;
}

/* Five bits of the argument count. idx wraps within the group; up stops at the group's first lane,
 * down and xor stop at its last lane. */
static int lane_named(enum warp_op op, int lane, int argument, int width, bool *in_range) {
    int bits = (int)((uint32_t)argument & 31u);
    int first = lane / width * width, last = first + width - 1, named;
    *in_range = true;
    if (op == WARP_OP_IDX)
        return first + bits % width;
    if (op == WARP_OP_UP) {
        named = lane - bits;
        *in_range = named >= first;
    } else {
        named = op == WARP_OP_DOWN ? lane + bits : lane ^ bits;
        *in_range = named <= last;
    }
    return *in_range ? named : lane;
}

static bool is_width(int width) {
    return width >= 1 && width <= 32 && (width & (width - 1)) == 0;
}

void oracle_shuffle(const struct warp_operation *operation, struct oracle_lane lanes[32]) {
    for (int lane = 0; lane < 32; lane++) {
        struct oracle_lane *o = &lanes[lane];
        bool in_range = false;
        *o = (struct oracle_lane){.calls = has(operation->present, lane), .source = lane};
        if (!o->calls)
            continue;
        if (is_width(operation->width[lane]))
            o->source = lane_named(operation->op, lane, operation->arg[lane],
                                   operation->width[lane], &in_range);
        else
            o->undefined = true;
        /* Every caller is in its own mask, and only calling lanes in the mask can be read. */
        if (operation->unfinished || !has(operation->members, lane) ||
            !has(operation->members, o->source) || !has(operation->present, o->source))
            o->undefined = true;
        o->own = !o->undefined && !in_range;
    }
}

/* ---- results ---- */

static unsigned bits_of(enum warp_type type) {
    switch (type) {
    case WARP_TYPE_LONG:
    case WARP_TYPE_UNSIGNED_LONG:
    case WARP_TYPE_LONG_LONG:
    case WARP_TYPE_UNSIGNED_LONG_LONG:
    case WARP_TYPE_DOUBLE:
        return 64;
    case WARP_TYPE_HALF:
    case WARP_TYPE_BFLOAT16:
        return 16;
    default:
        return 32;
    }
}

static uint64_t cut(enum warp_type type, uint64_t bits) {
    unsigned count = bits_of(type);
    return count == 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

static bool is_number(enum warp_type type) {
    return type == WARP_TYPE_INT || type == WARP_TYPE_UNSIGNED;
}

static uint32_t combine(enum warp_op op, enum warp_type type, uint32_t a, uint32_t b) {
    bool smaller = type == WARP_TYPE_INT ? (int32_t)a < (int32_t)b : a < b;
    switch (op) {
    case WARP_OP_REDUCE_ADD:
        return a + b;
    case WARP_OP_REDUCE_MIN:
        return smaller ? a : b;
    case WARP_OP_REDUCE_MAX:
        return smaller ? b : a;
    case WARP_OP_REDUCE_AND:
        return a & b;
    case WARP_OP_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint32_t reduce(const struct warp_operation *operation, uint32_t over) {
    uint32_t total = 0;
    bool first = true;
    for (int lane = 0; lane < 32; lane++) {
        if (!has(over, lane))
            continue;
        uint32_t value = (uint32_t)operation->in[lane];
        total = first ? value : combine(operation->op, operation->type, total, value);
        first = false;
    }
    return total;
}

/* The lanes of `over` whose value is not zero, or that have the value of `lane`. */
static uint32_t yes(const struct warp_operation *operation, uint32_t over) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < 32; lane++)
        if (has(over, lane) && cut(operation->type, operation->in[lane]) != 0)
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static uint32_t equal(const struct warp_operation *operation, uint32_t over, int lane) {
    uint32_t lanes = 0;
    for (int other = 0; other < 32; other++)
        if (has(over, other) &&
            cut(operation->type, operation->in[other]) == cut(operation->type, operation->in[lane]))
            lanes |= UINT32_C(1) << other;
    return lanes;
}

static bool collective(const struct warp_operation *operation, int lane, uint64_t *bits) {
    uint32_t over = operation->members & operation->present;
    if (operation->unfinished || !has(over, lane))
        return false;
    switch (operation->op) {
    case WARP_OP_BALLOT:
        *bits = yes(operation, over);
        return true;
    case WARP_OP_ANY:
        *bits = yes(operation, over) != 0;
        return true;
    case WARP_OP_ALL:
        *bits = yes(operation, over) == over;
        return true;
    case WARP_OP_MATCH_ANY:
        *bits = equal(operation, over, lane);
        return true;
    case WARP_OP_MATCH_ALL:
        *bits = equal(operation, over, lane) == over ? over : 0;
        return true;
    case WARP_OP_SYNC:
    case WARP_OP_ACTIVEMASK:
        return false;
    default:
        *bits = reduce(operation, over);
        return is_number(operation->type);
    }
}

bool oracle_result(const struct warp_operation *operation, int lane, uint64_t *bits) {
    struct oracle_lane lanes[32];
    *bits = 0;
    if (!has(operation->present, lane))
        return false;
    if (operation->op == WARP_OP_WATCH) {
        *bits = cut(operation->type, operation->in[lane]);
        return true;
    }
    if (!is_shuffle(operation->op))
        return collective(operation, lane, bits);
    oracle_shuffle(operation, lanes);
    if (lanes[lane].undefined)
        return false;
    *bits = cut(operation->type, operation->in[lanes[lane].source]);
    return true;
}

uint32_t oracle_disagreement(const struct warp_operation *operation) {
    uint32_t lanes = 0;
    uint64_t bits;
    bool truth = operation->op == WARP_OP_ANY || operation->op == WARP_OP_ALL;
    bool shuffle = is_shuffle(operation->op);
    for (int lane = 0; lane < 32; lane++) {
        if (operation->op == WARP_OP_WATCH || !oracle_result(operation, lane, &bits))
            continue;
        uint64_t out = operation->out[lane];
        out = truth ? out != 0 : shuffle ? cut(operation->type, out) : (uint32_t)out;
        if (out != bits)
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

/* ---- sets ---- */

uint32_t oracle_set(const struct warp_operation *operation, const struct question *question) {
    struct oracle_lane lanes[32];
    uint32_t set = 0;
    bool shuffle = is_shuffle(operation->op);
    oracle_shuffle(operation, lanes);
    for (int lane = 0; lane < 32; lane++) {
        const struct oracle_lane *o = &lanes[lane];
        uint64_t bits;
        bool calls = o->calls, defined = oracle_result(operation, lane, &bits), in = false;
        if (question->kind == QUESTION_READERS)
            in = shuffle && calls && !o->undefined && !o->own && o->source == question->lane;
        else if (question->kind == QUESTION_OWN)
            in = shuffle && calls && o->own;
        else if (question->kind == QUESTION_UNDEFINED)
            in = calls && !defined;
        else if (question->kind == QUESTION_CHANGED)
            in = calls && defined && bits != cut(operation->type, operation->in[lane]);
        else if (question->kind == QUESTION_ABSENT)
            in = !calls;
        set |= (uint32_t)in << lane;
    }
    return set;
}

/* ---- as text ---- */

char *oracle_lanes(uint32_t lanes, char buffer[ORACLE_TEXT]) {
    size_t length = 0;
    buffer[0] = '\0';
    if (lanes == 0 || lanes == UINT32_MAX) {
        snprintf(buffer, ORACLE_TEXT, "%s", lanes ? "all" : "none");
        return buffer;
    }
    for (int lane = 0; lane < 32; lane++) {
        int last = lane;
        if (!has(lanes, lane))
            continue;
        while (last < 31 && has(lanes, last + 1))
            last++;
        length += (size_t)snprintf(buffer + length, ORACLE_TEXT - length,
                                   last > lane ? "%s%d-%d" : "%s%d", length ? "," : "", lane, last);
        lane = last;
    }
    return buffer;
}

/* IEEE binary16 by its parts: sign, 5 bits of exponent, 10 of fraction. */
static double half(uint32_t bits) {
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023) / 1024;
    double size = exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14);
    return bits & 0x8000 ? -size : size;
}

static double single(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

char *oracle_value(enum warp_type type, uint64_t bits, char buffer[ORACLE_TEXT]) {
    uint32_t low = (uint32_t)bits;
    double real;
    switch (type) {
    case WARP_TYPE_INT:
        snprintf(buffer, ORACLE_TEXT, "%" PRId32, (int32_t)low);
        break;
    case WARP_TYPE_LONG:
    case WARP_TYPE_LONG_LONG:
        snprintf(buffer, ORACLE_TEXT, "%" PRId64, (int64_t)bits);
        break;
    case WARP_TYPE_UNSIGNED_LONG:
    case WARP_TYPE_UNSIGNED_LONG_LONG:
        snprintf(buffer, ORACLE_TEXT, "%" PRIu64, bits);
        break;
    case WARP_TYPE_FLOAT:
        snprintf(buffer, ORACLE_TEXT, "%.9g", single(low));
        break;
    case WARP_TYPE_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        snprintf(buffer, ORACLE_TEXT, "%.17g", real);
        break;
    case WARP_TYPE_HALF:
        snprintf(buffer, ORACLE_TEXT, "%.9g", half(low & 0xffff));
        break;
    case WARP_TYPE_HALF2:
        snprintf(buffer, ORACLE_TEXT, "%.9g,%.9g", half(low & 0xffff), half(low >> 16));
        break;
    case WARP_TYPE_BFLOAT16:
        snprintf(buffer, ORACLE_TEXT, "%.9g", single(low << 16));
        break;
    case WARP_TYPE_BFLOAT162:
        snprintf(buffer, ORACLE_TEXT, "%.9g,%.9g", single(low << 16), single(low & 0xffff0000));
        break;
    default:
        snprintf(buffer, ORACLE_TEXT, "%" PRIu32, low);
        break;
    }
    return buffer;
}

static enum warp_type result_type(const struct warp_operation *operation) {
    switch (operation->op) {
    case WARP_OP_BALLOT:
    case WARP_OP_ANY:
    case WARP_OP_ALL:
    case WARP_OP_MATCH_ANY:
    case WARP_OP_MATCH_ALL:
        return WARP_TYPE_UNSIGNED;
    default:
        return operation->type;
    }
}

char *oracle_answer(const struct warp_operation *operation, const struct question *question,
                    char buffer[ORACLE_TEXT]) {
    struct oracle_lane lanes[32];
    uint64_t bits;
    if (question->kind > QUESTION_VALUE)
        return oracle_lanes(oracle_set(operation, question), buffer);
    if (question->kind == QUESTION_SOURCE) {
        oracle_shuffle(operation, lanes);
        const struct oracle_lane *o = &lanes[question->lane];
        if (o->undefined || o->own)
            snprintf(buffer, ORACLE_TEXT, "%s", o->own ? "own" : "undefined");
        else
            snprintf(buffer, ORACLE_TEXT, "%d", o->source);
    } else if (oracle_result(operation, question->lane, &bits)) {
        oracle_value(result_type(operation), bits, buffer);
    } else {
        snprintf(buffer, ORACLE_TEXT, "undefined");
    }
    return buffer;
}
