#include "trace/compact.h"

#include "trace/packed.h"
#include "warp/type.h"
#include "warp/warp.h"

#include <string.h>

#define LANES SHFLVIZ_RECORD_LANES

/* ---- records in memory ---- */

struct step {
    struct shflviz_record_header head;
    int16_t lane_width[LANES];
    uint32_t arg[LANES];
    uint64_t in[LANES], out[LANES];
};

static void load_values(uint64_t to[LANES], const unsigned char *from, unsigned value_bytes) {
    uint32_t narrow[LANES];
    if (value_bytes == 8) {
        memcpy(to, from, LANES * sizeof(to[0]));
        return;
    }
    memcpy(narrow, from, sizeof(narrow));
    for (int lane = 0; lane < LANES; lane++)
        to[lane] = narrow[lane];
}

static void store_values(unsigned char *to, const uint64_t from[LANES], unsigned value_bytes) {
    uint32_t narrow[LANES];
    for (int lane = 0; lane < LANES; lane++)
        narrow[lane] = (uint32_t)from[lane];
    memcpy(to, value_bytes == 8 ? (const void *)from : narrow, LANES * (size_t)value_bytes);
}

static void load_step(struct step *step, const unsigned char *record, unsigned value_bytes) {
    memcpy(&step->head, record, sizeof(step->head));
    memcpy(step->lane_width, record + SHFLVIZ_RECORD_OFFSET_WIDTH, sizeof(step->lane_width));
    memcpy(step->arg, record + SHFLVIZ_RECORD_OFFSET_ARG, sizeof(step->arg));
    load_values(step->in, record + SHFLVIZ_RECORD_OFFSET_IN, value_bytes);
    load_values(step->out, record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), value_bytes);
}

static void store_step(const struct step *step, unsigned char *record, unsigned value_bytes) {
    memcpy(record, &step->head, sizeof(step->head));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_WIDTH, step->lane_width, sizeof(step->lane_width));
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, step->arg, sizeof(step->arg));
    store_values(record + SHFLVIZ_RECORD_OFFSET_IN, step->in, value_bytes);
    store_values(record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes), step->out, value_bytes);
}

/* A block of steps, as far as it has been coded. */
struct block {
    struct step steps[2]; /* the last two, alternately */
    unsigned value_bytes;
    const unsigned char *last[64]; /* the record of the last step of a warp, or NULL; two warps may
                                      share a slot, and then the later one has it */
};

static unsigned slot_of(const struct shflviz_record_header *head) {
    return (unsigned)((head->warp + 32 * head->block + 61 * head->launch) % 64);
}

/* The last step of the same warp, or NULL. */
static const unsigned char *last_of_warp(const struct block *block,
                                         const struct shflviz_record_header *head) {
    const unsigned char *record = block->last[slot_of(head)];
    struct shflviz_record_header last;
    if (!record)
        return NULL;
    memcpy(&last, record, sizeof(last));
    return last.launch == head->launch && last.block == head->block && last.warp == head->warp
               ? record
               : NULL;
}

/* Whether they are the same for all these lanes. */
static bool values_equal(const uint64_t a[LANES], const uint64_t b[LANES], uint32_t lanes) {
    if (lanes == WARP_FULL_MASK)
        return memcmp(a, b, LANES * sizeof(a[0])) == 0;
    for (int lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1 && a[lane] != b[lane])
            return false;
    return true;
}

/* Those of the lanes for which they are the same. */
static uint32_t equal_lanes(const uint64_t a[LANES], const uint64_t b[LANES], uint32_t lanes) {
    uint32_t equal = 0;
    for (int lane = 0; lane < LANES; lane++)
        equal |= (uint32_t)(a[lane] == b[lane]) << lane;
    return equal & lanes;
}

/* ---- what the rules give ---- */

/* Where a shuffle of a valid width reads; a lane out of range reads itself. */
static int source_lane(unsigned op, int lane, uint32_t arg, uint32_t width) {
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

/* The argument, if all lanes pass the same and each reads within its group of `width`. */
static bool is_uniform(const struct step *step, uint32_t width) {
    return memcmp(step->arg, step->arg + 1, sizeof(step->arg) - sizeof(step->arg[0])) == 0 &&
           step->arg[0] < width;
}

/* The same for all lanes, without a question for each. */
static void shuffle_uniformly(const struct step *step, unsigned op, uint64_t likely[LANES]) {
    const uint32_t width = (uint32_t)step->head.width, arg = step->arg[0], rest = width - arg;
    const size_t each = sizeof(likely[0]);
    if (op == WARP_OP_XOR) {
        for (uint32_t lane = 0; lane < LANES; lane++)
            likely[lane] = step->in[lane ^ arg];
        return;
    }
    for (uint32_t base = 0; base < LANES; base += width) {
        const uint64_t *in = step->in + base;
        if (op == WARP_OP_UP) {
            memcpy(likely + base, in, arg * each);
            memcpy(likely + base + arg, in, rest * each);
        } else if (op == WARP_OP_DOWN) {
            memcpy(likely + base, in + arg, rest * each);
            memcpy(likely + base + rest, in + rest, arg * each);
        } else {
            for (uint32_t lane = 0; lane < width; lane++)
                likely[base + lane] = in[arg];
        }
    }
}

static void shuffle_by(const struct step *step, unsigned op, uint64_t likely[LANES]) {
    for (int lane = 0; lane < LANES; lane++)
        likely[lane] = step->in[source_lane(op, lane, step->arg[lane], (uint32_t)step->head.width)];
}

static void shuffle(const struct step *step, uint64_t likely[LANES]) {
    const unsigned op = step->head.op;
    if (step->head.flags & SHFLVIZ_RECORD_WIDTHS_DIFFER) {
        for (int lane = 0; lane < LANES; lane++) {
            int width = step->lane_width[lane];
            int source = is_valid_width(width)
                             ? source_lane(op, lane, step->arg[lane], (uint32_t)width)
                             : lane;
            likely[lane] = step->in[source];
        }
    } else if (!is_valid_width(step->head.width)) {
        memcpy(likely, step->in, sizeof(step->in));
    } else if (is_uniform(step, (uint32_t)step->head.width)) {
        shuffle_uniformly(step, op, likely);
    } else { /* a loop for each, without a question inside */
        switch (op) {
        case WARP_OP_IDX:
            shuffle_by(step, WARP_OP_IDX, likely);
            break;
        case WARP_OP_UP:
            shuffle_by(step, WARP_OP_UP, likely);
            break;
        case WARP_OP_DOWN:
            shuffle_by(step, WARP_OP_DOWN, likely);
            break;
        default:
            shuffle_by(step, WARP_OP_XOR, likely);
        }
    }
}

static void match(const struct step *step, uint64_t likely[LANES]) {
    uint64_t value[LANES];
    for (uint32_t left = step->head.present; left;) {
        for (int lane = 0; lane < LANES; lane++)
            value[lane] = step->in[__builtin_ctz(left)];
        uint32_t equal = equal_lanes(step->in, value, left);
        for (uint32_t rest = equal; rest; rest &= rest - 1)
            likely[__builtin_ctz(rest)] = equal;
        left &= ~equal;
    }
}

/* What each lane most likely got. It decides how many bytes a step takes and nothing else. Of lanes
 * that are absent nothing is said. */
static void likely_out(const struct step *step, uint64_t likely[LANES]) {
    if (step->head.op <= WARP_OP_XOR)
        shuffle(step, likely);
    else if (step->head.op == WARP_OP_MATCH_ANY)
        match(step, likely);
    else
        memcpy(likely, step->in, sizeof(step->in));
}

/* The bits of a NaN differ between processors: a sum that is one is `a`. */
static void add(uint8_t type, const uint64_t a[LANES], const uint64_t b[LANES],
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

/* What a lane may have brought: one of three guesses from the last step of its warp. */
enum { GUESS_IN, GUESS_OUT, GUESS_SUM, GUESS_NONE };

struct guesses {
    uint64_t value[GUESS_NONE][LANES];
};

static void make_guesses(struct guesses *guesses, const struct block *block,
                         const unsigned char *last, uint8_t type, bool sum) {
    load_values(guesses->value[GUESS_IN], last + SHFLVIZ_RECORD_OFFSET_IN, block->value_bytes);
    load_values(guesses->value[GUESS_OUT], last + SHFLVIZ_RECORD_OFFSET_OUT(block->value_bytes),
                block->value_bytes);
    if (sum)
        add(type, guesses->value[GUESS_IN], guesses->value[GUESS_OUT], guesses->value[GUESS_SUM]);
}

/* ---- columns: a value for each of some lanes ---- */

/* A byte says how a column is coded. 0 to 8: the least value, then so many bytes a lane. */
enum {
    COLUMN_WIDEST = 8,
    COLUMN_LINE32 = 16, /* a value and what each lane adds to it, modulo 2^32 */
    COLUMN_LINE64 = 17,
    COLUMN_BEFORE = 24,  /* as in the step before */
    COLUMN_GUESS = 32,   /* + GUESS_IN, GUESS_OUT, GUESS_SUM: for all lanes */
    COLUMN_GUESSES = 35, /* 2 bits a lane, then a column of the lanes with GUESS_NONE */
    COLUMN_RULE = 40,    /* as the rules give it */
    COLUMN_EXCEPT = 41,  /* the same but for some lanes: their mask, then a column of them */
};

/* Bytes of a step at most: its head, and three columns that give up on a mask before they are
 * written as they are. Values are stored 8 bytes at a time, some of which the next overwrites. */
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
    /* Eight bytes at a time, of which the upper ones are cut off, while there are eight. */
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

static uint64_t on_line(unsigned coding, uint64_t begin, uint64_t add, int lane) {
    uint64_t value = begin + add * (uint64_t)lane;
    return coding == COLUMN_LINE32 ? (uint32_t)value : value;
}

static bool is_line(unsigned coding, uint64_t begin, uint64_t each, const uint64_t values[LANES],
                    uint32_t lanes) {
    const int last = LANES - 1 - __builtin_clz(lanes);
    uint64_t differ = 0;
    if (values[last] != on_line(coding, begin, each, last)) /* mostly enough to know */
        return false;
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t other = values[lane] ^ on_line(coding, begin, each, lane);
        differ |= lanes >> lane & 1 ? other : 0;
    }
    return differ == 0;
}

/* A column that nothing predicts. */
static void put_values(struct sink *to, const uint64_t values[LANES], uint32_t lanes) {
    int first = __builtin_ctz(lanes),
        second = lanes & (lanes - 1) ? __builtin_ctz(lanes & (lanes - 1)) : first;
    for (unsigned coding = COLUMN_LINE32; second == first + 1 && coding <= COLUMN_LINE64;
         coding++) {
        uint64_t each = values[second] - values[first];
        if (coding == COLUMN_LINE32)
            each = (uint64_t)(int64_t)(int32_t)(uint32_t)each;
        uint64_t begin = on_line(coding, values[first] - each * (uint64_t)first, 0, 0);
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
            values[lane] = on_line(coding, begin, each, lane);
}

/* Two bits for each of the lanes. */
static uint64_t pairs(uint32_t lanes, unsigned bits) {
    uint64_t pairs = 0;
    for (uint32_t left = lanes; left; left &= left - 1)
        pairs |= (uint64_t)bits << 2 * __builtin_ctz(left);
    return pairs;
}

/* Whether so many lanes have none of the guesses that a guess for each is not worth it; looks at no
 * more lanes than it takes to say yes, and may say no although it is so. */
static bool is_new(const struct guesses *likely, const uint64_t values[LANES], uint32_t lanes) {
    const unsigned most = (unsigned)__builtin_popcount(lanes) / 4;
    for (unsigned others = 0; others <= most; others++, lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        for (unsigned i = 0; i < GUESS_NONE; i++)
            if (likely->value[i][lane] == values[lane])
                return false;
    }
    return true;
}

static void put_in(struct sink *to, const struct block *block, const struct step *step) {
    const uint32_t lanes = step->head.present;
    const unsigned char *last = last_of_warp(block, &step->head);
    uint32_t fits[GUESS_NONE], none = lanes;
    struct guesses likely;
    if (!last) {
        put_values(to, step->in, lanes);
        return;
    }
    make_guesses(&likely, block, last, step->head.type, true);
    if (is_new(&likely, step->in, lanes)) {
        put_values(to, step->in, lanes);
        return;
    }
    for (unsigned i = 0; i < GUESS_NONE; i++)
        if (values_equal(likely.value[i], step->in, lanes)) {
            put_byte(to, COLUMN_GUESS + i);
            return;
        }
    for (unsigned i = 0; i < GUESS_NONE; i++) {
        fits[i] = equal_lanes(likely.value[i], step->in, none);
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

static void take_in(struct source *from, const struct block *block, struct step *step) {
    const uint32_t lanes = step->head.present;
    const unsigned char *last = last_of_warp(block, &step->head);
    unsigned coding = take_coding(from);
    uint64_t guesses = 0;
    uint32_t none = 0;
    struct guesses likely;
    if (coding < COLUMN_GUESS || coding > COLUMN_GUESSES) {
        take_values(from, coding, step->in, lanes);
        return;
    }
    if (!last) { /* nothing to guess from */
        from->failed = true;
        return;
    }
    make_guesses(&likely, block, last, step->head.type, coding >= COLUMN_GUESS + GUESS_SUM);
    if (coding < COLUMN_GUESSES && lanes == WARP_FULL_MASK) {
        memcpy(step->in, likely.value[coding - COLUMN_GUESS], sizeof(step->in));
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
            step->in[lane] = likely.value[guess][lane];
    }
    if (none)
        take_literals(from, take_coding(from), step->in, none);
}

static void put_out(struct sink *to, const struct step *step) {
    const uint32_t lanes = step->head.present;
    uint64_t likely[LANES];
    likely_out(step, likely);
    if (values_equal(likely, step->out, lanes)) {
        put_byte(to, COLUMN_RULE);
        return;
    }
    const uint32_t other = lanes & ~equal_lanes(likely, step->out, lanes);
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

static void take_out(struct source *from, struct step *step) {
    const uint32_t lanes = step->head.present;
    unsigned coding = take_coding(from);
    uint64_t likely[LANES];
    uint32_t other = 0;
    if (coding != COLUMN_RULE && coding != COLUMN_EXCEPT) {
        take_values(from, coding, step->out, lanes);
        return;
    }
    if (lanes == WARP_FULL_MASK) {
        likely_out(step, step->out);
    } else {
        likely_out(step, likely);
        for (int lane = 0; lane < LANES; lane++)
            step->out[lane] = lanes >> lane & 1 ? likely[lane] : 0;
    }
    if (coding == COLUMN_EXCEPT) {
        take_bytes(from, &other, sizeof(other));
        take_literals(from, take_coding(from), step->out, other & lanes);
    }
}

static bool same_arg(const struct step *step, const struct step *before) {
    uint32_t differ = 0;
    if (step->head.present == WARP_FULL_MASK)
        return memcmp(step->arg, before->arg, sizeof(step->arg)) == 0;
    for (int lane = 0; lane < LANES; lane++)
        differ |= (uint32_t)(step->arg[lane] != before->arg[lane]) << lane;
    return (differ & step->head.present) == 0;
}

static void put_arg(struct sink *to, const struct step *step, const struct step *before) {
    uint64_t wide[LANES];
    if (same_arg(step, before)) {
        put_byte(to, COLUMN_BEFORE);
        return;
    }
    for (int lane = 0; lane < LANES; lane++)
        wide[lane] = step->arg[lane];
    put_values(to, wide, step->head.present);
}

static void take_arg(struct source *from, struct step *step, const struct step *before) {
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

/* The fields in this order; a bit for each that differs from the step before. */
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
    FIELD_LANE_WIDTH = 1 << 11, /* some lane's is not 0 */
};

static bool has_lane_width(const struct step *step) {
    static const int16_t none[LANES];
    return memcmp(step->lane_width, none, sizeof(none)) != 0;
}

static unsigned changed_fields(const struct step *step, const struct step *before) {
    const struct shflviz_record_header *now = &step->head, *was = &before->head;
    return (now->block != was->block ? FIELD_BLOCK : 0u) |
           (now->launch != was->launch ? FIELD_LAUNCH : 0u) |
           (now->warp != was->warp ? FIELD_WARP : 0u) | (now->site != was->site ? FIELD_SITE : 0u) |
           (now->op != was->op ? FIELD_OP : 0u) | (now->type != was->type ? FIELD_TYPE : 0u) |
           (now->flags != was->flags ? FIELD_FLAGS : 0u) |
           (now->members != was->members ? FIELD_MEMBERS : 0u) |
           (now->present != was->present ? FIELD_PRESENT : 0u) |
           (now->width != was->width ? FIELD_WIDTH : 0u) |
           (now->exited != was->exited ? FIELD_EXITED : 0u) |
           (has_lane_width(step) ? FIELD_LANE_WIDTH : 0u);
}

static void put_head(struct sink *to, const struct step *step, const struct step *before) {
    const struct shflviz_record_header *now = &step->head, *was = &before->head;
    unsigned changed = changed_fields(step, before);
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
        put_bytes(to, step->lane_width, sizeof(step->lane_width));
}

static void take_head(struct source *from, struct step *step, const struct step *before) {
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

/* Whether the encoding has a place for everything that is set. */
static bool is_encodable(const struct step *step) {
    uint64_t excess = step->head.reserved[0] | step->head.reserved[1];
    for (uint32_t left = ~step->head.present; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        excess |= step->arg[lane] | step->in[lane] | step->out[lane];
    }
    return excess == 0 && step->head.present != 0;
}

bool compact_encode_steps(struct text *to, const unsigned char *records, uint32_t count,
                          unsigned value_bytes) {
    struct block block = {.value_bytes = value_bytes};
    for (uint32_t i = 0; i < count; i++, records += SHFLVIZ_RECORD_SIZE(value_bytes)) {
        struct step *step = &block.steps[i % 2];
        const struct step *before = &block.steps[(i + 1) % 2];
        unsigned char room[STEP_MOST];
        struct sink sink = {room};
        load_step(step, records, value_bytes);
        if (!is_encodable(step))
            return false;
        put_head(&sink, step, before);
        put_arg(&sink, step, before);
        put_in(&sink, &block, step);
        put_out(&sink, step);
        text_append_bytes(to, room, (size_t)(sink.at - room));
        block.last[slot_of(&step->head)] = records;
    }
    return true;
}

bool compact_decode_steps(const unsigned char *bytes, size_t size, unsigned char *records,
                          uint32_t count, unsigned value_bytes, uint64_t first) {
    struct block block = {.value_bytes = value_bytes};
    struct source from = {bytes, bytes + size, false};
    for (uint32_t i = 0; i < count && !from.failed; i++) {
        struct step *step = &block.steps[i % 2];
        const struct step *before = &block.steps[(i + 1) % 2];
        memset(step, 0, sizeof(*step));
        take_head(&from, step, before);
        take_arg(&from, step, before);
        take_in(&from, &block, step);
        take_out(&from, step);
        step->head.sequence = first + i + 1;
        store_step(step, records, value_bytes);
        block.last[slot_of(&step->head)] = records;
        records += SHFLVIZ_RECORD_SIZE(value_bytes);
    }
    return !from.failed && from.at == from.end;
}
