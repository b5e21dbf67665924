/*
 * The rules of warp/warp.h written again for whole warps, because that file explains one lane at a
 * time, which is far too slow for every step. Tests compare the two.
 */
#include "trace/compact/prediction.h"

#include "warp/type.h"
#include "warp/warp.h"

#include <string.h>

#define LANES SHFLVIZ_RECORD_LANES

/* ---- records in memory ---- */

static void store_values(unsigned char *to, const uint64_t from[LANES], unsigned value_bytes) {
    uint32_t narrow[LANES];
    for (int lane = 0; lane < LANES; lane++)
        narrow[lane] = (uint32_t)from[lane];
    memcpy(to, value_bytes == 8 ? (const void *)from : narrow, LANES * (size_t)value_bytes);
}

void prediction_load(struct prediction_step *step, const unsigned char *record,
                     unsigned value_bytes) {
    memcpy(&step->head, record, sizeof(step->head));
    memcpy(step->lane_width, record + SHFLVIZ_RECORD_OFFSET_WIDTH, sizeof(step->lane_width));
    memcpy(step->arg, record + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(step->arg));
    prediction_load_values(step->in, record + SHFLVIZ_RECORD_OFFSET_IN, value_bytes);
    prediction_load_values(step->out, record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), value_bytes);
}

void prediction_load_brief(struct prediction_step *step, const unsigned char *record) {
    uint32_t in[LANES], out[LANES];
    memcpy(&step->head, record, sizeof(step->head));
    memset(step->lane_width, 0, sizeof(step->lane_width));
    memcpy(step->arg, record + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(step->arg[0]));
    for (int lane = 1; lane < LANES; lane++)
        step->arg[lane] = step->arg[0];
    memcpy(in, record + SHFLVIZ_RECORD_OFFSET_IN, sizeof(in));
    prediction_brief(&step->head, step->arg[0], in, out, LANES);
    for (int lane = 0; lane < LANES; lane++) {
        step->in[lane] = in[lane];
        step->out[lane] = out[lane];
    }
}

void prediction_store(const struct prediction_step *step, unsigned char *record,
                      unsigned value_bytes) {
    memcpy(record, &step->head, sizeof(step->head));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_WIDTH, step->lane_width, sizeof(step->lane_width));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, step->arg, sizeof(step->arg));
    store_values(record + SHFLVIZ_RECORD_OFFSET_IN, step->in, value_bytes);
    store_values(record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), step->out, value_bytes);
}

uint32_t prediction_equal(const uint64_t a[LANES], const uint64_t b[LANES], uint32_t lanes) {
    uint32_t equal = 0;
    for (int lane = 0; lane < LANES; lane++)
        equal |= (uint32_t)(a[lane] == b[lane]) << lane;
    return equal & lanes;
}

/* ---- what the rules give ---- */

/* The lane that a shuffle of a valid width reads; a lane out of range reads itself. */
static inline int source_lane(unsigned op, int lane, uint32_t arg, uint32_t width) {
    uint32_t self = (uint32_t)lane, base = self & ~(width - 1), source;
    switch (op) {
    case WARP_OP_IDX:
        return (int)(base + (arg & (width - 1)));
    case WARP_OP_UP:
        source = self - arg;
        break;
    case WARP_OP_DOWN:
        source = self + arg;
        break;
    default:
        source = self ^ arg;
        return source < base + width ? (int)source : lane;
    }
    return source - base < width ? (int)source : lane;
}

static bool is_valid_width(int32_t width) {
    return width > 0 && width <= LANES && (width & (width - 1)) == 0;
}

/* True if all lanes pass the same argument, which is less than `width`. */
static bool is_uniform(const struct prediction_step *step, uint32_t width) {
    return memcmp(step->arg, step->arg + 1, sizeof(step->arg) - sizeof(step->arg[0])) == 0 &&
           step->arg[0] < width;
}

/* A shuffle with one argument for all lanes, without a branch for each lane. */
static void shuffle_uniformly(const struct prediction_step *step, unsigned op,
                              uint64_t predicted[LANES]) {
    const uint32_t width = (uint32_t)step->head.width, arg = step->arg[0], rest = width - arg;
    const size_t each = sizeof(predicted[0]);
    if (op == WARP_OP_XOR) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            predicted[lane] = step->in[lane ^ arg];
        return;
    }
    for (uint32_t base = 0; base < LANES; base += width) {
        const uint64_t *in = step->in + base;
        if (op == WARP_OP_UP) {
            memcpy(predicted + base, in, arg * each);
            memcpy(predicted + base + arg, in, rest * each);
        } else if (op == WARP_OP_DOWN) {
            memcpy(predicted + base, in + arg, rest * each);
            memcpy(predicted + base + rest, in + rest, arg * each);
        } else {
            for (uint32_t lane = 0; lane < width; lane++)
                predicted[base + lane] = in[arg];
        }
    }
}

static void shuffle_by(const struct prediction_step *step, unsigned op, uint64_t predicted[LANES]) {
    for (int lane = 0; lane < LANES; lane++)
        predicted[lane] =
            step->in[source_lane(op, lane, step->arg[lane], (uint32_t)step->head.width)];
}

static void shuffle(const struct prediction_step *step, uint64_t predicted[LANES]) {
    const unsigned op = step->head.op;
    if (step->head.flags & SHFLVIZ_RECORD_WIDTHS_DIFFER) {
        for (int lane = 0; lane < LANES; lane++) {
            int width = step->lane_width[lane];
            int source = is_valid_width(width)
                             ? source_lane(op, lane, step->arg[lane], (uint32_t)width)
                             : lane;
            predicted[lane] = step->in[source];
        }
    } else if (!is_valid_width(step->head.width)) {
        memcpy(predicted, step->in, sizeof(step->in));
    } else if (is_uniform(step, (uint32_t)step->head.width)) {
        shuffle_uniformly(step, op, predicted);
    } else { /* a loop for each operation, without a branch inside */
        switch (op) {
        case WARP_OP_IDX:
            shuffle_by(step, WARP_OP_IDX, predicted);
            break;
        case WARP_OP_UP:
            shuffle_by(step, WARP_OP_UP, predicted);
            break;
        case WARP_OP_DOWN:
            shuffle_by(step, WARP_OP_DOWN, predicted);
            break;
        default:
            shuffle_by(step, WARP_OP_XOR, predicted);
        }
    }
}

static inline void shuffle_brief(unsigned op, uint32_t arg, uint32_t width,
                                 const uint32_t in[LANES], uint32_t out[LANES], int lanes) {
    for (int lane = 0; lane < lanes; lane++)
        out[lane] = in[source_lane(op, lane, arg, width)];
}

void prediction_brief(const struct shflviz_record_header *head, uint32_t arg,
                      const uint32_t in[LANES], uint32_t out[LANES], int lanes) {
    const uint32_t width = (uint32_t)head->width;
    switch (head->op) { /* a loop for each operation, without a branch inside */
    case WARP_OP_IDX:
        shuffle_brief(WARP_OP_IDX, arg, width, in, out, lanes);
        break;
    case WARP_OP_UP:
        shuffle_brief(WARP_OP_UP, arg, width, in, out, lanes);
        break;
    case WARP_OP_DOWN:
        shuffle_brief(WARP_OP_DOWN, arg, width, in, out, lanes);
        break;
    default:
        shuffle_brief(WARP_OP_XOR, arg, width, in, out, lanes);
    }
}

static void match(const struct prediction_step *step, uint64_t predicted[LANES]) {
    uint64_t value[LANES];
    for (uint32_t left = step->head.present; left;) {
        for (int lane = 0; lane < LANES; lane++)
            value[lane] = step->in[__builtin_ctz(left)];
        uint32_t equal = prediction_equal(step->in, value, left);
        for (uint32_t rest = equal; rest; rest &= rest - 1)
            predicted[__builtin_ctz(rest)] = equal;
        left &= ~equal;
    }
}

void prediction_out(const struct prediction_step *step, uint64_t predicted[LANES]) {
    if (step->head.op <= WARP_OP_XOR)
        shuffle(step, predicted);
    else if (step->head.op == WARP_OP_MATCH_ANY)
        match(step, predicted);
    else
        memcpy(predicted, step->in, sizeof(step->in));
}

void prediction_add(uint8_t type, const uint64_t a[LANES], const uint64_t b[LANES],
                    uint64_t sum[LANES]) {
    const bool wide = type == WARP_TYPE_LONG || type == WARP_TYPE_UNSIGNED_LONG ||
                      type == WARP_TYPE_LONG_LONG || type == WARP_TYPE_UNSIGNED_LONG_LONG;
    const uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    if (type == WARP_TYPE_FLOAT) {
        for (int lane = 0; lane < LANES; lane++) {
            uint32_t x = (uint32_t)a[lane], y = (uint32_t)b[lane];
            float f, g;
            memcpy(&f, &x, sizeof(f));
            memcpy(&g, &y, sizeof(g));
            f += g;
            memcpy(&x, &f, sizeof(x));
            sum[lane] = f == f ? x : a[lane];
        }
    } else if (type == WARP_TYPE_DOUBLE) {
        for (int lane = 0; lane < LANES; lane++) {
            double f, g;
            memcpy(&f, &a[lane], sizeof(f));
            memcpy(&g, &b[lane], sizeof(g));
            f += g;
            memcpy(&sum[lane], &f, sizeof(f));
            sum[lane] = f == f ? sum[lane] : a[lane];
        }
    } else {
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] = (a[lane] + b[lane]) & mask;
    }
}
