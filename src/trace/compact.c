#include "trace/compact.h"

#include "warp/type.h"
#include "warp/warp.h"

#include <string.h>

#define LANES SHFLVIZ_RECORD_LANES

/* ---- numbers of few bytes ---- */

/* Seven bits a byte, the lowest first; the top bit says that more follow. */
static void put_number(struct text *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        text_append_char(to, (char)(number | 0x80));
    text_append_char(to, (char)number);
}

/* Small numbers of either sign become small numbers: 0, -1, 1, -2, ... */
static uint64_t fold_sign(uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unfold_sign(uint64_t folded) {
    return folded >> 1 ^ (0 - (folded & 1));
}

static void put_difference(struct text *to, uint64_t from, uint64_t number) {
    put_number(to, fold_sign(number - from));
}

/* What is left to decode. Reading beyond it sets `failed` and gives zeros. */
struct source {
    const unsigned char *at, *end;
    bool failed;
};

static void take_bytes(struct source *from, void *bytes, size_t count) {
    if ((size_t)(from->end - from->at) < count) {
        from->failed = true;
        from->at = from->end;
        memset(bytes, 0, count);
        return;
    }
    memcpy(bytes, from->at, count);
    from->at += count;
}

static uint64_t take_number(struct source *from) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (from->at == from->end)
            break;
        unsigned char byte = *from->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    from->failed = true;
    return 0;
}

static uint64_t take_difference(struct source *from, uint64_t before) {
    return before + unfold_sign(take_number(from));
}

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

/* The steps of a block so far. A slot of `last` is where the last step of a warp is looked for; two
 * warps may share one, and then the later one has it. */
struct block {
    struct step steps[2]; /* the last two, alternately */
    struct {
        bool known;
        uint32_t launch, warp;
        uint64_t block;
        uint64_t in[LANES], out[LANES];
    } last[64];
};

static unsigned slot_of(const struct shflviz_record_header *head) {
    return (unsigned)((head->warp + 32 * head->block + 61 * head->launch) % 64);
}

static void remember(struct block *block, const struct step *step) {
    unsigned slot = slot_of(&step->head);
    block->last[slot].known = true;
    block->last[slot].launch = step->head.launch;
    block->last[slot].block = step->head.block;
    block->last[slot].warp = step->head.warp;
    memcpy(block->last[slot].in, step->in, sizeof(step->in));
    memcpy(block->last[slot].out, step->out, sizeof(step->out));
}

/* ---- what the rules give ---- */

static uint64_t shuffled(const struct step *step, int lane, int width) {
    int64_t base = lane & ~(width - 1), end = base + width, arg = (int32_t)step->arg[lane];
    int64_t source = step->head.op == WARP_OP_IDX    ? base + (arg & (width - 1))
                     : step->head.op == WARP_OP_UP   ? lane - arg
                     : step->head.op == WARP_OP_DOWN ? lane + arg
                                                     : (lane ^ arg);
    bool in_range =
        step->head.op == WARP_OP_XOR ? source >= 0 && source < end : source >= base && source < end;
    return step->in[in_range ? source : lane];
}

static uint64_t matching(const struct step *step, int lane) {
    uint64_t lanes = 0;
    for (int other = 0; other < LANES; other++)
        if (step->head.present >> other & 1 && step->in[other] == step->in[lane])
            lanes |= UINT64_C(1) << other;
    return lanes;
}

/* What a lane most likely got. It decides how many bytes a step takes and nothing else. */
static uint64_t likely_out(const struct step *step, int lane) {
    bool own_width = step->head.flags & SHFLVIZ_RECORD_WIDTHS_DIFFER;
    int width = own_width ? step->lane_width[lane] : step->head.width;
    bool valid = width > 0 && width <= LANES && (width & (width - 1)) == 0;
    if (step->head.op <= WARP_OP_XOR && valid)
        return shuffled(step, lane, width);
    if (step->head.op == WARP_OP_MATCH_ANY)
        return matching(step, lane);
    return step->in[lane];
}

/* The bits of a NaN differ between processors: a sum that is one is `a`. */
static uint64_t add(uint8_t type, uint64_t a, uint64_t b) {
    if (type == WARP_TYPE_FLOAT) {
        uint32_t x = (uint32_t)a, y = (uint32_t)b;
        float f, g;
        memcpy(&f, &x, sizeof(f));
        memcpy(&g, &y, sizeof(g));
        f += g;
        memcpy(&x, &f, sizeof(x));
        return f == f ? x : a;
    }
    if (type == WARP_TYPE_DOUBLE) {
        double f, g;
        memcpy(&f, &a, sizeof(f));
        memcpy(&g, &b, sizeof(g));
        f += g;
        memcpy(&b, &f, sizeof(b));
        return f == f ? b : a;
    }
    bool wide = type == WARP_TYPE_LONG || type == WARP_TYPE_UNSIGNED_LONG ||
                type == WARP_TYPE_LONG_LONG || type == WARP_TYPE_UNSIGNED_LONG_LONG;
    return wide ? a + b : (uint32_t)(a + b);
}

/* What a lane may have brought: one of three guesses from the last step of its warp. */
enum { GUESS_IN, GUESS_OUT, GUESS_SUM, GUESS_NONE };

static uint64_t likely_in(const struct block *block, unsigned slot, uint8_t type, int lane,
                          unsigned guess) {
    uint64_t in = block->last[slot].in[lane], out = block->last[slot].out[lane];
    return guess == GUESS_IN ? in : guess == GUESS_OUT ? out : add(type, in, out);
}

static bool knows_warp(const struct block *block, unsigned slot,
                       const struct shflviz_record_header *head) {
    return block->last[slot].known && block->last[slot].launch == head->launch &&
           block->last[slot].block == head->block && block->last[slot].warp == head->warp;
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

static void put_literals(struct text *to, const uint64_t values[LANES], uint32_t lanes) {
    uint64_t least = UINT64_MAX, most = 0;
    for (int lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1) {
            least = values[lane] < least ? values[lane] : least;
            most = values[lane] > most ? values[lane] : most;
        }
    int bytes = 0;
    for (uint64_t left = lanes ? most - least : 0; left; left >>= 8)
        bytes++;
    text_append_char(to, (char)bytes);
    put_number(to, lanes ? least : 0);
    for (int lane = 0; bytes && lane < LANES; lane++)
        if (lanes >> lane & 1) {
            uint64_t value = values[lane] - least;
            text_append_bytes(to, &value, (size_t)bytes);
        }
}

static void take_literals(struct source *from, unsigned bytes, uint64_t values[LANES],
                          uint32_t lanes) {
    uint64_t least = take_number(from);
    from->failed |= bytes > COLUMN_WIDEST;
    for (int lane = 0; !from->failed && lane < LANES; lane++)
        if (lanes >> lane & 1) {
            uint64_t value = 0;
            take_bytes(from, &value, bytes);
            values[lane] = least + value;
        }
}

static uint64_t on_line(unsigned coding, uint64_t begin, uint64_t add, int lane) {
    uint64_t value = begin + add * (uint64_t)lane;
    return coding == COLUMN_LINE32 ? (uint32_t)value : value;
}

/* A column that nothing predicts. */
static void put_values(struct text *to, const uint64_t values[LANES], uint32_t lanes) {
    int first = __builtin_ctz(lanes),
        second = lanes & (lanes - 1) ? __builtin_ctz(lanes & (lanes - 1)) : first;
    for (unsigned coding = COLUMN_LINE32; second == first + 1 && coding <= COLUMN_LINE64;
         coding++) {
        uint64_t each = values[second] - values[first];
        if (coding == COLUMN_LINE32)
            each = (uint64_t)(int64_t)(int32_t)(uint32_t)each;
        uint64_t begin = on_line(coding, values[first] - each * (uint64_t)first, 0, 0);
        bool fits = each != 0;
        for (int lane = first; fits && lane < LANES; lane++)
            fits = !(lanes >> lane & 1) || values[lane] == on_line(coding, begin, each, lane);
        if (!fits)
            continue;
        text_append_char(to, (char)coding);
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

static void put_in(struct text *to, const struct block *block, const struct step *step) {
    const uint32_t lanes = step->head.present;
    unsigned slot = slot_of(&step->head);
    uint64_t guesses = 0;
    uint32_t all[3] = {lanes, lanes, lanes}, none = 0;
    if (!knows_warp(block, slot, &step->head)) {
        put_values(to, step->in, lanes);
        return;
    }
    for (int lane = 0; lane < LANES; lane++) {
        unsigned guess = GUESS_NONE;
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = GUESS_NONE; i-- > 0;)
            if (likely_in(block, slot, step->head.type, lane, i) == step->in[lane])
                guess = i;
            else
                all[i] &= ~(1u << lane);
        guesses |= (uint64_t)guess << 2 * lane;
        none |= guess == GUESS_NONE ? 1u << lane : 0;
    }
    for (unsigned i = 0; i < GUESS_NONE; i++)
        if (all[i] == lanes) {
            text_append_char(to, (char)(COLUMN_GUESS + i));
            return;
        }
    if (__builtin_popcount(none) * 4 > __builtin_popcount(lanes)) {
        put_values(to, step->in, lanes);
        return;
    }
    text_append_char(to, COLUMN_GUESSES);
    text_append_bytes(to, &guesses, sizeof(guesses));
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
    unsigned slot = slot_of(&step->head), coding = take_coding(from);
    uint64_t guesses = 0;
    uint32_t none = 0;
    if (coding < COLUMN_GUESS || coding > COLUMN_GUESSES) {
        take_values(from, coding, step->in, lanes);
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
            step->in[lane] = likely_in(block, slot, step->head.type, lane, guess);
    }
    if (none)
        take_literals(from, take_coding(from), step->in, none);
}

static void put_out(struct text *to, const struct step *step) {
    const uint32_t lanes = step->head.present;
    uint32_t other = 0;
    bool equal = true;
    for (int lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1) {
            other |= step->out[lane] != likely_out(step, lane) ? 1u << lane : 0;
            equal &= step->out[lane] == step->out[__builtin_ctz(lanes)];
        }
    if (other && (equal || __builtin_popcount(other) * 4 > __builtin_popcount(lanes) * 3)) {
        put_values(to, step->out, lanes);
        return;
    }
    text_append_char(to, other ? COLUMN_EXCEPT : COLUMN_RULE);
    if (other) {
        text_append_bytes(to, &other, sizeof(other));
        put_literals(to, step->out, other);
    }
}

static void take_out(struct source *from, struct step *step) {
    const uint32_t lanes = step->head.present;
    unsigned coding = take_coding(from);
    uint32_t other = 0;
    if (coding != COLUMN_RULE && coding != COLUMN_EXCEPT) {
        take_values(from, coding, step->out, lanes);
        return;
    }
    for (int lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1)
            step->out[lane] = likely_out(step, lane);
    if (coding == COLUMN_EXCEPT) {
        take_bytes(from, &other, sizeof(other));
        take_literals(from, take_coding(from), step->out, other & lanes);
    }
}

static bool same_arg(const struct step *step, const struct step *before) {
    for (int lane = 0; lane < LANES; lane++)
        if (step->head.present >> lane & 1 && step->arg[lane] != before->arg[lane])
            return false;
    return true;
}

static void put_arg(struct text *to, const struct step *step, const struct step *before) {
    uint64_t wide[LANES];
    if (same_arg(step, before)) {
        text_append_char(to, COLUMN_BEFORE);
        return;
    }
    for (int lane = 0; lane < LANES; lane++)
        wide[lane] = step->arg[lane];
    put_values(to, wide, step->head.present);
}

static void take_arg(struct source *from, struct step *step, const struct step *before) {
    uint64_t wide[LANES] = {0};
    unsigned coding = take_coding(from);
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

static void put_head(struct text *to, const struct step *step, const struct step *before) {
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
        text_append_bytes(to, &now->members, sizeof(now->members));
    if (changed & FIELD_PRESENT)
        text_append_bytes(to, &now->present, sizeof(now->present));
    if (changed & FIELD_WIDTH)
        put_number(to, (uint32_t)now->width);
    if (changed & FIELD_EXITED)
        text_append_bytes(to, &now->exited, sizeof(now->exited));
    if (changed & FIELD_LANE_WIDTH)
        text_append_bytes(to, step->lane_width, sizeof(step->lane_width));
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
    for (int lane = 0; lane < LANES; lane++)
        if (!(step->head.present >> lane & 1))
            excess |= step->arg[lane] | step->in[lane] | step->out[lane];
    return excess == 0 && step->head.present != 0;
}

bool compact_encode_steps(struct text *to, const unsigned char *records, uint32_t count,
                          unsigned value_bytes) {
    static const struct block empty;
    struct block block = empty;
    for (uint32_t i = 0; i < count; i++) {
        struct step *step = &block.steps[i % 2];
        const struct step *before = &block.steps[(i + 1) % 2];
        load_step(step, records + (size_t)i * SHFLVIZ_RECORD_SIZE(value_bytes), value_bytes);
        if (!is_encodable(step))
            return false;
        put_head(to, step, before);
        put_arg(to, step, before);
        put_in(to, &block, step);
        put_out(to, step);
        remember(&block, step);
    }
    return true;
}

bool compact_decode_steps(const unsigned char *bytes, size_t size, unsigned char *records,
                          uint32_t count, unsigned value_bytes, uint64_t first) {
    static const struct block empty;
    struct block block = empty;
    struct source from = {bytes, bytes + size, false};
    for (uint32_t i = 0; i < count && !from.failed; i++) {
        struct step *step = &block.steps[i % 2];
        const struct step *before = &block.steps[(i + 1) % 2];
        *step = (struct step){0};
        take_head(&from, step, before);
        take_arg(&from, step, before);
        take_in(&from, &block, step);
        take_out(&from, step);
        step->head.sequence = first + i + 1;
        store_step(step, records + (size_t)i * SHFLVIZ_RECORD_SIZE(value_bytes), value_bytes);
        remember(&block, step);
    }
    return !from.failed && from.at == from.end;
}

/* ---- the index ---- */

void compact_encode_runs(struct text *to, const struct trace_file_run *runs, uint32_t count) {
    static const struct trace_file_run none;
    put_number(to, runs->number);
    put_number(to, runs->position);
    for (const struct trace_file_run *run = runs, *was = &none; run < runs + count; was = run++) {
        bool other = run == runs || run->number != was->number;
        put_number(to, (uint64_t)run->count << 1 | other);
        if (other) {
            put_difference(to, was->launch, run->launch);
            put_difference(to, was->block, run->block);
            put_difference(to, was->warp, run->warp);
        }
        put_difference(to, was->first, run->first);
    }
}

bool compact_decode_runs(const unsigned char *bytes, size_t size, struct trace_file_run *runs,
                         uint32_t count) {
    struct source from = {bytes, bytes + size, false};
    struct trace_file_run run = {0};
    uint64_t number = take_number(&from), position = take_number(&from);
    for (uint32_t i = 0; i < count && !from.failed; i++) {
        uint64_t counted = take_number(&from);
        if (counted & 1) {
            run.launch = (uint32_t)take_difference(&from, run.launch);
            run.block = take_difference(&from, run.block);
            run.warp = (uint32_t)take_difference(&from, run.warp);
        }
        if (i > 0) {
            number += counted & 1;
            position = counted & 1 ? 0 : position + run.count;
        }
        run.first = take_difference(&from, run.first);
        run.count = (uint32_t)(counted >> 1);
        run.number = (uint32_t)number;
        run.position = position;
        runs[i] = run;
    }
    return !from.failed && from.at == from.end;
}

void compact_encode_numbers(struct text *to, const uint64_t *numbers, uint32_t count) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        put_number(to, numbers[i] - before);
        before = numbers[i];
    }
}

bool compact_decode_numbers(const unsigned char *bytes, size_t size, uint64_t *numbers,
                            uint32_t count) {
    struct source from = {bytes, bytes + size, false};
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = number += take_number(&from);
    return !from.failed && from.at == from.end;
}
