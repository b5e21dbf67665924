/*
 * Encoder and decoder are side by side, part by part, so that one can be checked against the other.
 * Speed matters: every step of a recording goes through this file.
 */
#include "trace/compact/compact.h"

#include "trace/compact/packed.h"
#include "warp/type.h"
#include "warp/warp.h"

#include <string.h>

#define LANES SHFLVIZ_RECORD_LANES

/* Records of the last steps of some warps, by slot_of(). */
#define SLOTS 64

static unsigned slot_of(const struct shflviz_record_header *head) {
    return (unsigned)((head->warp + 32 * head->block + 61 * head->launch) % SLOTS);
}

/* The last step of the same warp, or NULL. */
static const unsigned char *last_of_warp(const unsigned char *const last_records[SLOTS],
                                         const struct shflviz_record_header *head) {
    const unsigned char *record = last_records[slot_of(head)];
    struct shflviz_record_header last;
    if (!record)
        return NULL;
    memcpy(&last, record, sizeof(last));
    return last.launch == head->launch && last.block == head->block && last.warp == head->warp
               ? record
               : NULL;
}

/* True if the values are the same for all these lanes. */
static bool values_equal(const uint64_t a[LANES], const uint64_t b[LANES], uint32_t lanes) {
    if (lanes == WARP_FULL_MASK)
        return memcmp(a, b, LANES * sizeof(a[0])) == 0;
    for (int lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1 && a[lane] != b[lane])
            return false;
    return true;
}

/* Guesses at a lane's input, from the last step of its warp. */
enum { GUESS_IN, GUESS_OUT, GUESS_SUM, GUESS_NONE };

struct guesses {
    uint64_t value[GUESS_NONE][LANES];
};

static void guess_sum(struct guesses *guesses, uint8_t type) {
    prediction_add(type, guesses->value[GUESS_IN], guesses->value[GUESS_OUT],
                   guesses->value[GUESS_SUM]);
}

static void make_guesses(struct guesses *guesses, unsigned value_bytes, const unsigned char *last,
                         uint8_t type, bool sum) {
    prediction_load_values(guesses->value[GUESS_IN], last + SHFLVIZ_RECORD_OFFSET_IN, value_bytes);
    prediction_load_values(guesses->value[GUESS_OUT], last + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes),
                           value_bytes);
    if (sum)
        guess_sum(guesses, type);
}

/* From a brief record. */
static void guess_from_brief(struct guesses *guesses, const unsigned char *last, uint8_t type) {
    struct prediction_step step;
    prediction_load_brief(&step, last);
    memcpy(guesses->value[GUESS_IN], step.in, sizeof(step.in));
    memcpy(guesses->value[GUESS_OUT], step.out, sizeof(step.out));
    guess_sum(guesses, type);
}

/* ---- columns: a value for each of some lanes ---- */

/* A byte says how a column is coded. 0 to 8: the least value, then this many bytes per lane. */
enum {
    COLUMN_WIDEST = 8,
    COLUMN_LINE32 = 16, /* a value and the amount that each lane adds to it, modulo 2^32 */
    COLUMN_LINE64 = 17,
    COLUMN_BEFORE = 24,  /* as in the step before */
    COLUMN_GUESS = 32,   /* + GUESS_IN, GUESS_OUT, GUESS_SUM: for all lanes */
    COLUMN_GUESSES = 35, /* 2 bits per lane, then a column of the lanes with GUESS_NONE */
    COLUMN_RULE = 40,    /* as the rules give it */
    COLUMN_EXCEPT = 41,  /* the same except for some lanes: their mask, then a column of them */
};

/* The longest possible step: its head, and three columns that try a mask first and are then
 * written in full. Values are stored 8 bytes at a time, part of which the next store overwrites. */
#define COLUMN_MOST (1 + 8 + 1 + PACKED_NUMBER_MOST + 8 * LANES + 8)
#define STEP_MOST   (12 * PACKED_NUMBER_MOST + 64 + 3 * COLUMN_MOST)

static void put_literals(struct sink *to, const uint64_t values[LANES], uint32_t lanes) {
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint64_t value = values[__builtin_ctz(left)];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    unsigned bytes = 0;
    for (uint64_t left = lanes ? most - least : 0; left; left >>= 8)
        bytes++;
    put_byte(to, bytes);
    put_number(to, lanes ? least : 0);
    for (uint32_t left = bytes ? lanes : 0; left; left &= left - 1) {
        uint64_t value = values[__builtin_ctz(left)] - least;
        memcpy(to->at, &value, sizeof(value));
        to->at += bytes;
    }
}

static void take_literals(struct source *from, unsigned bytes, uint64_t values[LANES],
                          uint32_t lanes) {
    uint64_t least = take_number(from);
    const size_t size = bytes * (size_t)__builtin_popcount(lanes);
    const uint64_t mask = bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    from->failed |= bytes > COLUMN_WIDEST || (size_t)(from->end - from->at) < size;
    if (from->failed)
        return;
    /* Eight bytes at a time, masking off the upper ones, as long as eight are left. */
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint64_t value = 0;
        if ((size_t)(from->end - from->at) >= sizeof(value))
            memcpy(&value, from->at, sizeof(value));
        else
            memcpy(&value, from->at, bytes);
        from->at += bytes;
        values[__builtin_ctz(left)] = least + (value & mask);
    }
}

static uint64_t line_value(unsigned coding, uint64_t begin, uint64_t add, int lane) {
    uint64_t value = begin + add * (uint64_t)lane;
    return coding == COLUMN_LINE32 ? (uint32_t)value : value;
}

static bool is_line(unsigned coding, uint64_t begin, uint64_t each, const uint64_t values[LANES],
                    uint32_t lanes) {
    const int last = LANES - 1 - __builtin_clz(lanes);
    uint64_t differ = 0;
    if (values[last] != line_value(coding, begin, each, last)) /* usually enough to decide */
        return false;
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t other = values[lane] ^ line_value(coding, begin, each, lane);
        differ |= lanes >> lane & 1 ? other : 0;
    }
    return differ == 0;
}

/* A column without a prediction. */
static void put_values(struct sink *to, const uint64_t values[LANES], uint32_t lanes) {
    int first = __builtin_ctz(lanes),
        second = lanes & (lanes - 1) ? __builtin_ctz(lanes & (lanes - 1)) : first;
    for (unsigned coding = COLUMN_LINE32; second == first + 1 && coding <= COLUMN_LINE64;
         coding++) {
        uint64_t each = values[second] - values[first];
        if (coding == COLUMN_LINE32)
            each = (uint64_t)(int64_t)(int32_t)(uint32_t)each;
        uint64_t begin = line_value(coding, values[first] - each * (uint64_t)first, 0, 0);
        if (each == 0 || !is_line(coding, begin, each, values, lanes))
            continue;
        put_byte(to, coding);
        put_number(to, begin);
        put_number(to, fold_sign(each));
        return;
    }
    put_literals(to, values, lanes);
}

static void take_values(struct source *from, unsigned coding, uint64_t values[LANES],
                        uint32_t lanes) {
    if (coding != COLUMN_LINE32 && coding != COLUMN_LINE64) {
        take_literals(from, coding, values, lanes);
        return;
    }
    uint64_t begin = take_number(from), each = unfold_sign(take_number(from));
    for (int lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1)
            values[lane] = line_value(coding, begin, each, lane);
}

/* Two bits for each of the lanes. */
static uint64_t pairs(uint32_t lanes, unsigned bits) {
    uint64_t pairs = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        pairs |= (uint64_t)bits << 2 * __builtin_ctz(left);
    return pairs;
}

/* True if so many lanes match no guess that one guess per lane is not worth it. Looks only at the
 * first lanes, as many as are needed for that answer, and so may miss some cases. */
static bool is_new(const struct guesses *predicted, const uint64_t values[LANES], uint32_t lanes) {
    const unsigned most = (unsigned)__builtin_popcount(lanes) / 4;
    for (unsigned others = 0; others <= most; others++, lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        for (unsigned i = 0; i < GUESS_NONE; i++)
            if (predicted->value[i][lane] == values[lane])
                return false;
    }
    return true;
}

static void put_in(struct sink *to, const struct compact_encoder *encoder,
                   const struct prediction_step *step) {
    const uint32_t lanes = step->head.present;
    const unsigned char *last = last_of_warp(encoder->last, &step->head);
    uint32_t fits[GUESS_NONE], none = lanes;
    struct guesses predicted;
    if (!last) {
        put_values(to, step->in, lanes);
        return;
    }
    if (encoder->last_brief[slot_of(&step->head)])
        guess_from_brief(&predicted, last, step->head.type);
    else
        make_guesses(&predicted, encoder->value_bytes, last, step->head.type, true);
    if (is_new(&predicted, step->in, lanes)) {
        put_values(to, step->in, lanes);
        return;
    }
    for (unsigned i = 0; i < GUESS_NONE; i++)
        if (values_equal(predicted.value[i], step->in, lanes)) {
            put_byte(to, COLUMN_GUESS + i);
            return;
        }
    for (unsigned i = 0; i < GUESS_NONE; i++) {
        fits[i] = prediction_equal(predicted.value[i], step->in, none);
        none &= ~fits[i];
    }
    if (__builtin_popcount(none) * 4 > __builtin_popcount(lanes)) {
        put_values(to, step->in, lanes);
        return;
    }
    const uint64_t guesses = pairs(fits[GUESS_OUT], GUESS_OUT) | pairs(fits[GUESS_SUM], GUESS_SUM) |
                             pairs(none, GUESS_NONE);
    put_byte(to, COLUMN_GUESSES);
    put_bytes(to, &guesses, sizeof(guesses));
    if (none)
        put_literals(to, step->in, none);
}

static unsigned take_coding(struct source *from) {
    unsigned char coding;
    take_bytes(from, &coding, 1);
    return coding;
}

/* A block of steps, as far as it has been decoded. */
struct block {
    struct prediction_step steps[2]; /* the last two, alternately */
    unsigned value_bytes;
    const unsigned char *last[SLOTS];
};

static void take_in(struct source *from, const struct block *block, struct prediction_step *step) {
    const uint32_t lanes = step->head.present;
    const unsigned char *last = last_of_warp(block->last, &step->head);
    unsigned coding = take_coding(from);
    uint64_t guesses = 0;
    uint32_t none = 0;
    struct guesses predicted;
    if (coding < COLUMN_GUESS || coding > COLUMN_GUESSES) {
        take_values(from, coding, step->in, lanes);
        return;
    }
    if (!last) { /* nothing to guess from */
        from->failed = true;
        return;
    }
    make_guesses(&predicted, block->value_bytes, last, step->head.type,
                 coding >= COLUMN_GUESS + GUESS_SUM);
    if (coding < COLUMN_GUESSES && lanes == WARP_FULL_MASK) {
        memcpy(step->in, predicted.value[coding - COLUMN_GUESS], sizeof(step->in));
        return;
    }
    if (coding == COLUMN_GUESSES)
        take_bytes(from, &guesses, sizeof(guesses));
    else
        guesses = (coding - COLUMN_GUESS) * UINT64_C(0x5555555555555555);
    for (int lane = 0; lane < LANES; lane++) {
        unsigned guess = guesses >> 2 * lane & 3;
        if (!(lanes >> lane & 1))
            continue;
        if (guess == GUESS_NONE)
            none |= 1u << lane;
        else
            step->in[lane] = predicted.value[guess][lane];
    }
    if (none)
        take_literals(from, take_coding(from), step->in, none);
}

static void put_out(struct sink *to, const struct prediction_step *step) {
    const uint32_t lanes = step->head.present;
    uint64_t predicted[LANES];
    prediction_out(step, predicted);
    if (values_equal(predicted, step->out, lanes)) {
        put_byte(to, COLUMN_RULE);
        return;
    }
    const uint32_t other = lanes & ~prediction_equal(predicted, step->out, lanes);
    bool equal = true;
    for (uint32_t left = lanes; left; left &= left - 1)
        equal &= step->out[__builtin_ctz(left)] == step->out[__builtin_ctz(lanes)];
    if (equal || __builtin_popcount(other) * 4 > __builtin_popcount(lanes) * 3) {
        put_values(to, step->out, lanes);
        return;
    }
    put_byte(to, COLUMN_EXCEPT);
    put_bytes(to, &other, sizeof(other));
    put_literals(to, step->out, other);
}

static void take_out(struct source *from, struct prediction_step *step) {
    const uint32_t lanes = step->head.present;
    unsigned coding = take_coding(from);
    uint64_t predicted[LANES];
    uint32_t other = 0;
    if (coding != COLUMN_RULE && coding != COLUMN_EXCEPT) {
        take_values(from, coding, step->out, lanes);
        return;
    }
    if (lanes == WARP_FULL_MASK) {
        prediction_out(step, step->out);
    } else {
        prediction_out(step, predicted);
        for (int lane = 0; lane < LANES; lane++)
            step->out[lane] = lanes >> lane & 1 ? predicted[lane] : 0;
    }
    if (coding == COLUMN_EXCEPT) {
        take_bytes(from, &other, sizeof(other));
        take_literals(from, take_coding(from), step->out, other & lanes);
    }
}

static bool same_arg(const struct prediction_step *step, const struct prediction_step *before) {
    uint32_t differ = 0;
    if (step->head.present == WARP_FULL_MASK)
        return memcmp(step->arg, before->arg, sizeof(step->arg)) == 0;
    for (int lane = 0; lane < LANES; lane++)
        differ |= (uint32_t)(step->arg[lane] != before->arg[lane]) << lane;
    return (differ & step->head.present) == 0;
}

static void put_arg(struct sink *to, const struct prediction_step *step,
                    const struct prediction_step *before) {
    uint64_t wide[LANES];
    if (same_arg(step, before)) {
        put_byte(to, COLUMN_BEFORE);
        return;
    }
    for (int lane = 0; lane < LANES; lane++)
        wide[lane] = step->arg[lane];
    put_values(to, wide, step->head.present);
}

static void take_arg(struct source *from, struct prediction_step *step,
                     const struct prediction_step *before) {
    uint64_t wide[LANES] = {0};
    unsigned coding = take_coding(from);
    if (coding == COLUMN_BEFORE && step->head.present == WARP_FULL_MASK) {
        memcpy(step->arg, before->arg, sizeof(step->arg));
        return;
    }
    if (coding != COLUMN_BEFORE)
        take_values(from, coding, wide, step->head.present);
    for (int lane = 0; lane < LANES; lane++)
        if (step->head.present >> lane & 1)
            step->arg[lane] = coding == COLUMN_BEFORE ? before->arg[lane] : (uint32_t)wide[lane];
}

/* ---- the head of a record ---- */

/* The fields, in the order in which they are written; a bit for each that differs from the step
 * before. */
enum {
    FIELD_BLOCK = 1 << 0,
    FIELD_LAUNCH = 1 << 1,
    FIELD_WARP = 1 << 2,
    FIELD_SITE = 1 << 3,
    FIELD_OP = 1 << 4,
    FIELD_TYPE = 1 << 5,
    FIELD_FLAGS = 1 << 6,
    FIELD_MEMBERS = 1 << 7,
    FIELD_PRESENT = 1 << 8,
    FIELD_WIDTH = 1 << 9,
    FIELD_EXITED = 1 << 10,
    FIELD_LANE_WIDTH = 1 << 11, /* the width of some lane is not 0 */
};

static bool has_lane_width(const struct prediction_step *step) {
    static const int16_t none[LANES];
    return memcmp(step->lane_width, none, sizeof(none)) != 0;
}

static unsigned changed_fields(const struct shflviz_record_header *now,
                               const struct shflviz_record_header *was) {
    return (now->block != was->block ? FIELD_BLOCK : 0u) |
           (now->launch != was->launch ? FIELD_LAUNCH : 0u) |
           (now->warp != was->warp ? FIELD_WARP : 0u) | (now->site != was->site ? FIELD_SITE : 0u) |
           (now->op != was->op ? FIELD_OP : 0u) | (now->type != was->type ? FIELD_TYPE : 0u) |
           (now->flags != was->flags ? FIELD_FLAGS : 0u) |
           (now->members != was->members ? FIELD_MEMBERS : 0u) |
           (now->present != was->present ? FIELD_PRESENT : 0u) |
           (now->width != was->width ? FIELD_WIDTH : 0u) |
           (now->exited != was->exited ? FIELD_EXITED : 0u);
}

/* `lane_width` is NULL if all are 0. */
static void put_head(struct sink *to, const struct shflviz_record_header *now,
                     const struct shflviz_record_header *was, const int16_t *lane_width) {
    unsigned changed = changed_fields(now, was) | (lane_width ? FIELD_LANE_WIDTH : 0u);
    put_number(to, changed);
    if (changed & FIELD_BLOCK)
        put_difference(to, was->block, now->block);
    if (changed & FIELD_LAUNCH)
        put_difference(to, was->launch, now->launch);
    if (changed & FIELD_WARP)
        put_difference(to, was->warp, now->warp);
    if (changed & FIELD_SITE)
        put_difference(to, was->site, now->site);
    if (changed & FIELD_OP)
        put_number(to, now->op);
    if (changed & FIELD_TYPE)
        put_number(to, now->type);
    if (changed & FIELD_FLAGS)
        put_number(to, now->flags);
    if (changed & FIELD_MEMBERS)
        put_bytes(to, &now->members, sizeof(now->members));
    if (changed & FIELD_PRESENT)
        put_bytes(to, &now->present, sizeof(now->present));
    if (changed & FIELD_WIDTH)
        put_number(to, (uint32_t)now->width);
    if (changed & FIELD_EXITED)
        put_bytes(to, &now->exited, sizeof(now->exited));
    if (changed & FIELD_LANE_WIDTH)
        put_bytes(to, lane_width, LANES * sizeof(lane_width[0]));
}

static void take_head(struct source *from, struct prediction_step *step,
                      const struct prediction_step *before) {
    struct shflviz_record_header *now = &step->head;
    uint64_t changed = take_number(from);
    *now = before->head;
    if (changed & FIELD_BLOCK)
        now->block = take_difference(from, now->block);
    if (changed & FIELD_LAUNCH)
        now->launch = (uint32_t)take_difference(from, now->launch);
    if (changed & FIELD_WARP)
        now->warp = (uint32_t)take_difference(from, now->warp);
    if (changed & FIELD_SITE)
        now->site = (uint32_t)take_difference(from, now->site);
    if (changed & FIELD_OP)
        now->op = (uint8_t)take_number(from);
    if (changed & FIELD_TYPE)
        now->type = (uint8_t)take_number(from);
    if (changed & FIELD_FLAGS)
        now->flags = (uint16_t)take_number(from);
    if (changed & FIELD_MEMBERS)
        take_bytes(from, &now->members, sizeof(now->members));
    if (changed & FIELD_PRESENT)
        take_bytes(from, &now->present, sizeof(now->present));
    if (changed & FIELD_WIDTH)
        now->width = (int32_t)(uint32_t)take_number(from);
    if (changed & FIELD_EXITED)
        take_bytes(from, &now->exited, sizeof(now->exited));
    if (changed & FIELD_LANE_WIDTH)
        take_bytes(from, step->lane_width, sizeof(step->lane_width));
}

/* ---- blocks of steps ---- */

/* True if the encoding can represent everything that is set. */
static bool is_encodable(const struct prediction_step *step) {
    uint64_t excess = step->head.reserved[0] | step->head.reserved[1];
    for (uint32_t left = ~step->head.present; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        excess |= step->arg[lane] | step->in[lane] | step->out[lane];
    }
    return excess == 0 && step->head.present != 0;
}

/* ---- brief records ---- */

/* Like put_literals() for all lanes. */
static void put_narrow_literals(struct sink *to, const uint32_t values[LANES]) {
    uint32_t least = UINT32_MAX, most = 0;
    for (int lane = 0; lane < LANES; lane++) {
        least = values[lane] < least ? values[lane] : least;
        most = values[lane] > most ? values[lane] : most;
    }
    const unsigned bytes = most > least ? (39 - (unsigned)__builtin_clz(most - least)) / 8 : 0;
    put_byte(to, bytes);
    put_number(to, least);
    for (int lane = 0; bytes && lane < LANES; lane++) {
        const uint32_t value = values[lane] - least;
        memcpy(to->at, &value, sizeof(value));
        to->at += bytes;
    }
}

/* Like put_values() for all lanes: values that are not linear modulo 2^32 are not linear modulo
 * 2^64. */
static void put_narrow(struct sink *to, const uint32_t values[LANES]) {
    const uint32_t each = values[1] - values[0];
    uint32_t differ = each == 0 || values[LANES - 1] != values[0] + each * (LANES - 1);
    for (uint32_t lane = 0; !differ && lane < LANES; lane += 8)
        for (uint32_t i = lane; i < lane + 8; i++)
            differ |= values[i] ^ (values[0] + each * i);
    if (differ) {
        put_narrow_literals(to, values);
        return;
    }
    put_byte(to, COLUMN_LINE32);
    put_number(to, values[0]);
    put_number(to, fold_sign((uint64_t)(int64_t)(int32_t)each));
}

/* Sums as prediction_add() makes them, of values that have no more than 32 bits. */
static bool has_narrow_sum(uint8_t type) {
    return type == WARP_TYPE_INT || type == WARP_TYPE_UNSIGNED || type == WARP_TYPE_FLOAT;
}

static uint32_t narrow_sum(uint8_t type, uint32_t a, uint32_t b) {
    float f, g;
    if (type != WARP_TYPE_FLOAT)
        return a + b;
    memcpy(&f, &a, sizeof(f));
    memcpy(&g, &b, sizeof(g));
    f += g;
    if (f == f)
        memcpy(&a, &f, sizeof(a));
    return a;
}

#define FEW (LANES / 4 + 1) /* of all lanes, since is_new() looks at no more */

/* Like put_in() if the values are all new or all match the same guess; otherwise writes nothing
 * and returns false. */
static bool put_brief_in(struct sink *to, const unsigned char *last, uint8_t type,
                         const uint32_t in[LANES]) {
    uint32_t guess[GUESS_NONE][LANES], arg, differ[GUESS_NONE] = {0};
    struct shflviz_record_header head;
    bool is_new = true;
    memcpy(&head, last, sizeof(head));
    memcpy(&arg, last + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(arg));
    memcpy(guess[GUESS_IN], last + SHFLVIZ_RECORD_OFFSET_IN, sizeof(guess[0]));
    prediction_brief(&head, arg, guess[GUESS_IN], guess[GUESS_OUT], FEW);
    for (int lane = 0; lane < FEW; lane++)
        is_new &= in[lane] != guess[GUESS_IN][lane] && in[lane] != guess[GUESS_OUT][lane] &&
                  in[lane] != narrow_sum(type, guess[GUESS_IN][lane], guess[GUESS_OUT][lane]);
    if (is_new) {
        put_narrow(to, in);
        return true;
    }
    prediction_brief(&head, arg, guess[GUESS_IN], guess[GUESS_OUT], LANES);
    for (int lane = 0; lane < LANES; lane++) {
        guess[GUESS_SUM][lane] = narrow_sum(type, guess[GUESS_IN][lane], guess[GUESS_OUT][lane]);
        for (unsigned i = 0; i < GUESS_NONE; i++)
            differ[i] |= in[lane] ^ guess[i][lane];
    }
    for (unsigned i = 0; i < GUESS_NONE; i++)
        if (differ[i] == 0) {
            put_byte(to, COLUMN_GUESS + i);
            return true;
        }
    return false;
}

/* Writes the same bytes as put_step(), but faster; false if only that function can determine
 * them. */
static bool put_brief(struct sink *to, const struct compact_encoder *encoder,
                      const unsigned char *record, const struct shflviz_record_header *head) {
    static const struct shflviz_record_header none;
    struct shflviz_record_header before = none;
    const unsigned char *last = last_of_warp(encoder->last, head);
    uint32_t in[LANES], arg, arg_before = 0;
    if ((encoder->before && !encoder->before_brief) ||
        (last && !encoder->last_brief[slot_of(head)]) || !has_narrow_sum(head->type))
        return false;
    memcpy(in, record + SHFLVIZ_RECORD_OFFSET_IN, sizeof(in));
    memcpy(&arg, record + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(arg));
    if (encoder->before) {
        memcpy(&before, encoder->before, sizeof(before));
        memcpy(&arg_before, encoder->before + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(arg_before));
    }
    put_head(to, head, &before, NULL);
    if (arg == arg_before) {
        put_byte(to, COLUMN_BEFORE);
    } else {
        put_byte(to, 0); /* like put_literals() with one value for all lanes */
        put_number(to, arg);
    }
    if (!last)
        put_narrow(to, in);
    else if (!put_brief_in(to, last, head->type, in))
        return false;
    put_byte(to, COLUMN_RULE);
    return true;
}

static void put_step(struct sink *sink, const struct compact_encoder *encoder,
                     const struct prediction_step *step, const struct prediction_step *before) {
    put_head(sink, &step->head, &before->head, has_lane_width(step) ? step->lane_width : NULL);
    put_arg(sink, step, before);
    put_in(sink, encoder, step);
    put_out(sink, step);
}

void compact_encoder_begin(struct compact_encoder *encoder, struct text *to, unsigned value_bytes) {
    *encoder = (struct compact_encoder){.to = to, .value_bytes = value_bytes, .loaded = true};
}

static void load(struct prediction_step *step, const struct compact_encoder *encoder,
                 const unsigned char *record, bool brief) {
    if (brief)
        prediction_load_brief(step, record);
    else
        prediction_load(step, record, encoder->value_bytes);
}

bool compact_encoder_add(struct compact_encoder *encoder, const unsigned char *record, bool brief) {
    unsigned char room[STEP_MOST];
    struct sink sink = {room};
    struct shflviz_record_header head;
    memcpy(&head, record, sizeof(head));
    if (brief && put_brief(&sink, encoder, record, &head)) {
        encoder->loaded = false;
    } else {
        struct prediction_step *step = &encoder->steps[encoder->now],
                               *before = &encoder->steps[encoder->now ^ 1];
        if (!encoder->loaded)
            load(before, encoder, encoder->before, encoder->before_brief);
        load(step, encoder, record, brief);
        if (!is_encodable(step))
            return false;
        sink.at = room;
        put_step(&sink, encoder, step, before);
        encoder->loaded = true;
        encoder->now ^= 1;
    }
    text_append_bytes(encoder->to, room, (size_t)(sink.at - room));
    encoder->before = record;
    encoder->before_brief = brief;
    encoder->last[slot_of(&head)] = record;
    encoder->last_brief[slot_of(&head)] = brief;
    return true;
}

bool compact_encode_steps(struct text *to, const unsigned char *records, uint32_t count,
                          unsigned value_bytes) {
    struct compact_encoder encoder;
    compact_encoder_begin(&encoder, to, value_bytes);
    for (uint32_t i = 0; i < count; i++, records += SHFLVIZ_RECORD_SIZE(value_bytes))
        if (!compact_encoder_add(&encoder, records, false))
            return false;
    return true;
}

bool compact_decode_steps(const unsigned char *bytes, size_t size, unsigned char *records,
                          uint32_t count, unsigned value_bytes, uint64_t first) {
    struct block block = {.value_bytes = value_bytes};
    struct source from = {bytes, bytes + size, false};
    for (uint32_t i = 0; i < count && !from.failed; i++) {
        struct prediction_step *step = &block.steps[i % 2];
        const struct prediction_step *before = &block.steps[(i + 1) % 2];
        memset(step, 0, sizeof(*step));
        take_head(&from, step, before);
        take_arg(&from, step, before);
        take_in(&from, &block, step);
        take_out(&from, step);
        step->head.sequence = first + i + 1;
        prediction_store(step, records, value_bytes);
        block.last[slot_of(&step->head)] = records;
        records += SHFLVIZ_RECORD_SIZE(value_bytes);
    }
    return !from.failed && from.at == from.end;
}
