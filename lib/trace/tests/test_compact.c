/*
 * Compact blocks of steps and of runs: an encoder and a decoder written from the tables of
 * docs/TRACE_FORMAT.md are compared with trace/compact/compact.h. The document leaves open which
 * of several codings of a column is used; choose_in() and choose_out() state the expected one.
 */
#include "sample.h"
#include "trace/compact/compact.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, MOST = 256, IDX = 0, UP, DOWN, XOR, MATCH_ANY = 7, OPS = 24, TYPES = 13 };
enum { FLOAT = 6, DOUBLE = 7, RULE = 40, EXCEPT = 41, BEFORE = 24, GUESS = 32, GUESSES = 35 };

struct step {
    uint64_t block;
    uint32_t launch, warp, site, op, type, flags, members, present, width, exited;
    int16_t lane_width[LANES];
    uint64_t arg[LANES], in[LANES], out[LANES];
};

/* ---- numbers that are the same in every run ---- */

static uint64_t random_state = 1;

static uint64_t draw(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static uint64_t below(uint64_t most) {
    return (draw() >> 20) % most;
}

/* ---- the document's numbers and records ---- */

static void put_integer(struct text *to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        text_append_char(to, (char)(value >> 8 * i & 255));
}

static void put_number(struct text *to, uint64_t value) {
    for (; value > 127; value /= 128)
        text_append_char(to, (char)(value % 128 + 128));
    text_append_char(to, (char)value);
}

static void put_difference(struct text *to, uint64_t before, uint64_t value) {
    const uint64_t d = value - before;
    put_number(to, d >> 63 ? 2 * (0 - d) - 1 : 2 * d);
}

/* A record of 512 or 768 bytes, laid out as in the table "Records". */
static void put_record(struct text *to, const struct step *s, uint64_t sequence, int value_bytes) {
    put_integer(to, sequence, 8);
    put_integer(to, s->block, 8);
    put_integer(to, s->launch, 4);
    put_integer(to, s->warp, 4);
    put_integer(to, s->site, 4);
    put_integer(to, s->op, 1);
    put_integer(to, s->type, 1);
    put_integer(to, s->flags, 2);
    put_integer(to, s->members, 4);
    put_integer(to, s->present, 4);
    put_integer(to, s->width, 4);
    put_integer(to, s->exited, 4);
    put_integer(to, 0, 8);
    put_integer(to, 0, 8);
    for (int lane = 0; lane < LANES; lane++)
        put_integer(to, (uint16_t)s->lane_width[lane], 2);
    for (int lane = 0; lane < LANES; lane++)
        put_integer(to, s->arg[lane], 4);
    for (int lane = 0; lane < LANES; lane++)
        put_integer(to, s->in[lane], value_bytes);
    for (int lane = 0; lane < LANES; lane++)
        put_integer(to, s->out[lane], value_bytes);
}

static bool has(uint32_t lanes, int lane) {
    return lanes >> lane & 1;
}

static uint64_t rule(const struct step *s, int lane) {
    const int width = s->flags & 1 ? s->lane_width[lane] : (int32_t)s->width;
    const int64_t arg = (int32_t)s->arg[lane];
    uint64_t same = 0;
    if (s->op == MATCH_ANY) {
        for (int other = 0; other < LANES; other++)
            if (has(s->present, other) && s->in[other] == s->in[lane])
                same |= UINT64_C(1) << other;
        return same;
    }
    if (s->op > XOR ||
        (width != 1 && width != 2 && width != 4 && width != 8 && width != 16 && width != 32))
        return s->in[lane];
    const int64_t base = lane - lane % width;
    const int64_t source = s->op == IDX    ? base + ((arg % width) + width) % width
                           : s->op == UP   ? lane - arg
                           : s->op == DOWN ? lane + arg
                                           : (int64_t)lane ^ arg;
    const bool reads = source >= (s->op == XOR ? 0 : base) && source < base + width;
    return s->in[reads ? source : lane];
}

static uint64_t guess_of(const struct step *last, unsigned type, int lane, int guess) {
    const uint64_t a = last->in[lane], b = last->out[lane];
    if (guess < 2)
        return guess == 0 ? a : b;
    if (type == FLOAT) {
        const uint32_t narrow[2] = {(uint32_t)a, (uint32_t)b};
        float f[2], sum;
        uint32_t bits;
        memcpy(f, narrow, sizeof f);
        sum = f[0] + f[1];
        memcpy(&bits, &sum, sizeof bits);
        return sum != sum ? a : bits;
    }
    if (type == DOUBLE) {
        const uint64_t wide[2] = {a, b};
        double d[2], sum;
        uint64_t bits;
        memcpy(d, wide, sizeof d);
        sum = d[0] + d[1];
        memcpy(&bits, &sum, sizeof bits);
        return sum != sum ? a : bits;
    }
    return type >= 2 && type <= 5 ? a + b : (uint32_t)(a + b);
}

/* The step from which values are guessed, or NULL. */
static const struct step *last_step(const struct step *s, uint32_t number) {
    const struct step *now = &s[number];
    const uint64_t slot = (now->warp + 32 * now->block + 61 * (uint64_t)now->launch) % 64;
    while (number-- > 0) {
        const struct step *was = &s[number];
        if ((was->warp + 32 * was->block + 61 * (uint64_t)was->launch) % 64 == slot)
            return was->warp == now->warp && was->block == now->block && was->launch == now->launch
                       ? was
                       : NULL;
    }
    return NULL;
}

/* ---- columns ---- */

/* The number of bytes that the greatest value needs, and the least value. */
static unsigned bytes_of(const uint64_t *values, uint32_t lanes, uint64_t *least) {
    uint64_t most = 0;
    unsigned bytes = 0;
    *least = lanes ? UINT64_MAX : 0;
    for (int lane = 0; lane < LANES; lane++)
        if (has(lanes, lane)) {
            most = values[lane] > most ? values[lane] : most;
            *least = values[lane] < *least ? values[lane] : *least;
        }
    for (uint64_t left = most - *least; lanes && left; left /= 256)
        bytes++;
    return bytes;
}

static void put_plain(struct text *to, const uint64_t *values, uint32_t lanes, unsigned bytes) {
    uint64_t least;
    bytes_of(values, lanes, &least);
    put_integer(to, bytes, 1);
    put_number(to, least);
    for (int lane = 0; lane < LANES; lane++)
        if (has(lanes, lane))
            put_integer(to, values[lane] - least, (int)bytes);
}

static bool is_on_line(const uint64_t *values, uint32_t lanes, unsigned how, uint64_t begin,
                       uint64_t each) {
    for (int lane = 0; lane < LANES; lane++) {
        const uint64_t value = begin + each * (uint64_t)lane;
        if (has(lanes, lane) && values[lane] != (how == 16 ? (uint32_t)value : value))
            return false;
    }
    return true;
}

/* A line, if the lowest two lanes are neighbours with different values and all lanes are on it. */
static bool put_line(struct text *to, const uint64_t *values, uint32_t lanes, unsigned how) {
    const int first = __builtin_ctz(lanes);
    if (first == 31 || !has(lanes, first + 1))
        return false;
    uint64_t each = values[first + 1] - values[first];
    if (how == 16)
        each = (uint64_t)(int32_t)each;
    uint64_t begin = values[first] - each * (uint64_t)first;
    if (how == 16)
        begin = (uint32_t)begin;
    if (each == 0 || !is_on_line(values, lanes, how, begin, each))
        return false;
    put_integer(to, how, 1);
    put_number(to, begin);
    put_difference(to, 0, each);
    return true;
}

static void put_values(struct text *to, const uint64_t *values, uint32_t lanes) {
    uint64_t least;
    if (!put_line(to, values, lanes, 16) && !put_line(to, values, lanes, 17))
        put_plain(to, values, lanes, bytes_of(values, lanes, &least));
}

/* 35: bits 2l and 2l + 1 for lane l, then the values without a guess. */
static void put_guesses(struct text *to, const uint64_t *values, uint32_t lanes,
                        const int guess[LANES], unsigned more) {
    uint64_t bits = 0, least;
    uint32_t none = 0;
    for (int lane = 0; lane < LANES; lane++)
        if (has(lanes, lane)) {
            bits |= (uint64_t)guess[lane] << 2 * lane;
            none |= guess[lane] == 3 ? 1u << lane : 0;
        }
    put_integer(to, GUESSES, 1);
    put_integer(to, bits, 8);
    if (none)
        put_plain(to, values, none, bytes_of(values, none, &least) + more);
}

/* One guess for all lanes, else one per lane if at most a quarter have none, else the values. */
static void choose_in(struct text *to, const struct step *s, const struct step *last) {
    int guess[LANES], none = 0;
    for (int one = 0; last && one < 3; one++) {
        bool all = true;
        for (int lane = 0; lane < LANES; lane++)
            all &= !has(s->present, lane) || guess_of(last, s->type, lane, one) == s->in[lane];
        if (all) {
            put_integer(to, (uint64_t)(GUESS + one), 1);
            return;
        }
    }
    for (int lane = 0; last && lane < LANES; lane++) {
        for (guess[lane] = 0; guess[lane] < 3; guess[lane]++)
            if (guess_of(last, s->type, lane, guess[lane]) == s->in[lane])
                break;
        none += has(s->present, lane) && guess[lane] == 3;
    }
    if (last && 4 * none <= __builtin_popcount(s->present))
        put_guesses(to, s->in, s->present, guess, 0);
    else
        put_values(to, s->in, s->present);
}

static void put_except(struct text *to, const struct step *s, uint32_t other, unsigned more) {
    uint64_t least;
    put_integer(to, EXCEPT, 1);
    put_integer(to, other, 4);
    put_plain(to, s->out, other, bytes_of(s->out, other, &least) + more);
}

/* The rule, else the rule with exceptions in at most three quarters of the lanes, unless all
 * lanes got the same value. */
static void choose_out(struct text *to, const struct step *s) {
    uint32_t other = 0;
    bool same = true;
    for (int lane = 0; lane < LANES; lane++) {
        other |= has(s->present, lane) && rule(s, lane) != s->out[lane] ? 1u << lane : 0;
        same &= !has(s->present, lane) || s->out[lane] == s->out[__builtin_ctz(s->present)];
    }
    if (other == 0)
        put_integer(to, RULE, 1);
    else if (same || 4 * __builtin_popcount(other) > 3 * __builtin_popcount(s->present))
        put_values(to, s->out, s->present);
    else
        put_except(to, s, other, 0);
}

static bool is_as_before(const struct step *s, const struct step *before) {
    for (int lane = 0; lane < LANES; lane++)
        if (has(s->present, lane) && s->arg[lane] != before->arg[lane])
            return false;
    return true;
}

static void put_head(struct text *to, const struct step *s, const struct step *before) {
    const uint64_t now[] = {s->block, s->launch,  s->warp,    s->site,  s->op,    s->type,
                            s->flags, s->members, s->present, s->width, s->exited};
    const uint64_t was[] = {before->block,   before->launch, before->warp,  before->site,
                            before->op,      before->type,   before->flags, before->members,
                            before->present, before->width,  before->exited};
    uint64_t bits = 0;
    for (int bit = 0; bit < 11; bit++)
        bits |= (uint64_t)(now[bit] != was[bit]) << bit;
    for (int lane = 0; lane < LANES; lane++)
        bits |= s->lane_width[lane] ? 1 << 11 : 0;
    put_number(to, bits);
    for (int bit = 0; bit < 11; bit++)
        if (now[bit] != was[bit]) {
            if (bit < 4)
                put_difference(to, was[bit], now[bit]);
            else if (bit < 7 || bit == 9)
                put_number(to, now[bit]);
            else
                put_integer(to, now[bit], 4);
        }
    for (int lane = 0; bits >> 11 && lane < LANES; lane++)
        put_integer(to, (uint16_t)s->lane_width[lane], 2);
}

static void put_step(struct text *to, const struct step *s, uint32_t number) {
    static const struct step zeros;
    const struct step *before = number ? &s[number - 1] : &zeros;
    put_head(to, &s[number], before);
    if (is_as_before(&s[number], before))
        put_integer(to, BEFORE, 1);
    else
        put_values(to, s[number].arg, s[number].present);
    choose_in(to, &s[number], last_step(s, number));
    choose_out(to, &s[number]);
}

/* Encodes the same step in other ways: any that the tables allow. */
static void put_step_differently(struct text *to, const struct step *s, uint32_t number) {
    static const struct step zeros;
    const struct step *before = number ? &s[number - 1] : &zeros, *now = &s[number];
    const struct step *last = last_step(s, number);
    uint64_t least;
    int guess[LANES];
    uint32_t other = 0;
    put_head(to, now, before);
    const unsigned of_arg = bytes_of(now->arg, now->present, &least);
    put_plain(to, now->arg, now->present, of_arg + (unsigned)below(9 - of_arg));
    const unsigned of_in = bytes_of(now->in, now->present, &least);
    for (int lane = 0; last && lane < LANES; lane++) {
        guess[lane] = (int)below(4);
        if (guess[lane] < 3 && guess_of(last, now->type, lane, guess[lane]) != now->in[lane])
            guess[lane] = 3;
    }
    if (last && below(2))
        put_guesses(to, now->in, now->present, guess, of_in < 8 ? (unsigned)below(2) : 0);
    else
        put_plain(to, now->in, now->present, of_in + (unsigned)below(9 - of_in));
    const unsigned of_out = bytes_of(now->out, now->present, &least);
    for (int lane = 0; lane < LANES; lane++)
        other |= has(now->present, lane) && (below(3) == 0 || rule(now, lane) != now->out[lane])
                     ? 1u << lane
                     : 0;
    if (below(2))
        put_except(to, now, other, of_out < 8 ? (unsigned)below(2) : 0);
    else
        put_plain(to, now->out, now->present, of_out + (unsigned)below(9 - of_out));
}

/* ---- steps of every kind ---- */

static uint64_t narrow(uint64_t value, int value_bytes) {
    return value_bytes == 8 ? value : (uint32_t)value;
}

static void draw_where(struct step *s) {
    static const uint64_t blocks[] = {0, 1, 2, 3, UINT64_C(1) << 40, UINT64_MAX};
    static const uint32_t warps[] = {0, 1, 2, 31, 32, 64}, launches[] = {0, 1, 2, 64, UINT32_MAX};
    if (below(2) == 0) {
        s->block = blocks[below(below(4) ? 2 : 6)];
        s->warp = warps[below(below(4) ? 2 : 6)];
        s->launch = launches[below(below(4) ? 2 : 5)];
    }
    if (below(3) == 0)
        s->site = (uint32_t)(below(2) ? below(9) : draw());
}

static void draw_head(struct step *s) {
    static const uint32_t presents[] = {UINT32_MAX, 1,          3, 0x80000000, 0xc0000000,
                                        0xff,       0x7fffffff, 6, 0xf0f0f0f0, 0xfffffffe};
    static const int widths[] = {1, 2, 4, 8, 16, 32, 0, 3, 12, 24, 64, 33, -1, -32, INT32_MIN};
    draw_where(s);
    if (below(2)) {
        s->op = (uint32_t)below(below(3) ? 8 : OPS);
        s->type = (uint32_t)below(TYPES);
        s->width = (uint32_t)widths[below(below(3) ? 6 : 15)];
    }
    if (below(3) == 0) {
        s->present = below(2)   ? UINT32_MAX
                     : below(2) ? presents[below(10)]
                                : (uint32_t)draw() | 1u << below(32);
        s->members = below(2) ? s->present : (uint32_t)draw();
        s->exited = below(2) ? 0 : (uint32_t)draw();
    }
    if (below(3) == 0)
        s->flags = (uint32_t)(below(2) ? 0 : below(2) ? below(16) : draw() & 0xffff);
    memset(s->lane_width, 0, sizeof s->lane_width);
    for (int lane = 0; (s->flags & 1) && lane < LANES; lane++)
        s->lane_width[lane] = (int16_t)widths[below(below(5) ? 6 : 14)];
    if (below(20) == 0) /* ignored without the flag, but kept */
        s->lane_width[below(LANES)] = -1;
}

static void draw_column(uint64_t values[LANES], int value_bytes) {
    const uint64_t from = below(2) ? below(300) : draw() >> below(64);
    const uint64_t each = below(2) ? below(9) - 4 : draw() >> below(64);
    const unsigned shift = (unsigned)below(64);
    const uint64_t kind = below(4);
    for (int lane = 0; lane < LANES; lane++) {
        values[lane] = kind == 0   ? from
                       : kind == 1 ? from + each * (uint64_t)lane
                       : kind == 2 ? narrow(from, 4) + (uint32_t)(draw() >> shift)
                                   : draw() >> shift;
        if (kind == 1 && value_bytes == 8 && below(40) == 0)
            values[lane] ^= 1;
        values[lane] = narrow(values[lane], value_bytes);
    }
    for (int lane = 0; kind == 1 && from % 2 && lane < LANES; lane++)
        values[lane] = (uint32_t)values[lane];
}

static void draw_arg(struct step *s) {
    const uint64_t one = below(3) ? below(40) : draw();
    switch (below(6)) {
    case 0:
        return; /* as in the step before */
    case 1:
        draw_column(s->arg, 4);
        return;
    case 2:
        for (int lane = 0; lane < LANES; lane++)
            s->arg[lane] = (uint32_t)(below(9) ? below(36) : draw());
        return;
    case 3: /* two values in turn */
        for (int lane = 0; lane < LANES; lane++)
            s->arg[lane] = 1 + lane % 2u;
        return;
    default:
        for (int lane = 0; lane < LANES; lane++)
            s->arg[lane] = (uint32_t)one;
        if (below(4) == 0)
            s->arg[below(LANES)]++;
    }
}

static void draw_values(struct step *s, const struct step *last, int value_bytes) {
    const uint64_t which = below(5), others = below(4) ? below(12) : 0;
    draw_column(s->in, value_bytes);
    for (int lane = 0; last && which < 4 && lane < LANES; lane++)
        s->in[lane] =
            narrow(guess_of(last, s->type, lane, (int)(which < 3 ? which : below(3))), value_bytes);
    for (uint64_t i = 0; i < others; i++)
        s->in[below(LANES)] = narrow(draw() >> below(64), value_bytes);
    if (below(9) == 0)
        s->in[0] = 1 + below(2);
    if (s->op == MATCH_ANY)
        for (int lane = 0; lane < LANES; lane++)
            s->in[lane] = s->in[lane] % 3;
}

static void keep_present(uint64_t values[LANES], uint32_t present) {
    for (int lane = 0; lane < LANES; lane++)
        values[lane] = has(present, lane) ? values[lane] : 0;
}

static void draw_steps(struct step *s, uint32_t count, int value_bytes) {
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            s[i] = s[i - 1];
        else
            s[i] = (struct step){.present = UINT32_MAX, .width = 32};
        draw_head(&s[i]);
        draw_arg(&s[i]);
        draw_values(&s[i], last_step(s, i), value_bytes);
        keep_present(s[i].arg, s[i].present);
        keep_present(s[i].in, s[i].present);
        const uint64_t others = below(2) ? 0 : below(40);
        for (int lane = 0; lane < LANES; lane++)
            s[i].out[lane] = rule(&s[i], lane);
        for (uint64_t k = 0; k < others; k++)
            s[i].out[below(LANES)] ^= narrow(1 + (draw() >> below(64)), value_bytes);
        if (below(8) == 0)
            draw_column(s[i].out, value_bytes);
        keep_present(s[i].out, s[i].present);
    }
}

static void decodes_to(const struct text *bytes, const struct text *records, uint32_t count,
                       unsigned value_bytes, uint64_t first) {
    unsigned char *made = malloc(records->length),
                  *exact = malloc(bytes->length); /* so that reading beyond it is noticed */
    memcpy(exact, bytes->data, bytes->length);
    assert_true(compact_decode_steps(exact, bytes->length, made, count, value_bytes, first));
    assert_memory_equal(made, records->data, records->length);
    assert_false(compact_decode_steps(exact, bytes->length - 1, made, count, value_bytes, first));
    free(exact);
    free(made);
}

static void test_steps(void **state) {
    static struct step s[MOST];
    (void)state;
    for (uint32_t round = 0; round < 400; round++) {
        const int value_bytes = round % 2 ? 8 : 4;
        const uint32_t count = round < 8 ? round / 2 + 1 : 40;
        const uint64_t first = round % 3 ? 256 * (uint64_t)round : 0;
        struct text records = TEXT_INIT, expected = TEXT_INIT, made = TEXT_INIT, other = TEXT_INIT;
        draw_steps(s, count, value_bytes);
        for (uint32_t i = 0; i < count; i++) {
            put_record(&records, &s[i], first + i + 1, value_bytes);
            put_step(&expected, s, i);
            put_step_differently(&other, s, i);
        }
        assert_true(compact_encode_steps(&made, (const unsigned char *)records.data, count,
                                         (unsigned)value_bytes));
        assert_int_equal(made.length, expected.length);
        assert_memory_equal(made.data, expected.data, made.length);
        decodes_to(&expected, &records, count, (unsigned)value_bytes, first);
        decodes_to(&other, &records, count, (unsigned)value_bytes, first);
        text_append_char(&made, 0);
        unsigned char *room = malloc(records.length);
        assert_false(compact_decode_steps((const unsigned char *)made.data, made.length, room,
                                          count, (unsigned)value_bytes, first));
        free(room);
        text_release(&records);
        text_release(&expected);
        text_release(&other);
        text_release(&made);
    }
}

/* Steps that cannot be represented: a value in an absent lane, a reserved byte, a step of no
 * warp. */
static void test_unencodable_steps(void **state) {
    (void)state;
    for (int value_bytes = 4; value_bytes <= 8; value_bytes += 4) {
        const size_t size = 256 + 64 * (size_t)value_bytes;
        const struct step s = {.present = 0xfffffffd, .width = 32, .members = UINT32_MAX};
        struct text record = TEXT_INIT, to = TEXT_INIT;
        put_record(&record, &s, 1, value_bytes);
        assert_true(
            compact_encode_steps(&to, (unsigned char *)record.data, 1, (unsigned)value_bytes));
        for (size_t at = 0; at < size; at++) {
            const size_t value = (size_t)value_bytes, in = 256, out = in + 32 * value;
            const bool reserved = at >= 48 && at < 64, arg = at >= 132 && at < 136;
            const bool absent = (at >= in + value && at < in + 2 * value) ||
                                (at >= out + value && at < out + 2 * value);
            const bool presence = at >= 36 && at < 40, narrow_head = at >= 28 && at < 30;
            if (presence || narrow_head)
                continue;
            record.data[at] = 1;
            text_clear(&to);
            assert_int_equal(
                compact_encode_steps(&to, (unsigned char *)record.data, 1, (unsigned)value_bytes),
                !(reserved || arg || absent));
            record.data[at] = (char)(at == 40 ? 32 : at >= 32 && at < 36 ? 0xff : 0);
        }
        memset(record.data + 36, 0, 4);
        assert_false(
            compact_encode_steps(&to, (unsigned char *)record.data, 1, (unsigned)value_bytes));
        text_release(&record);
        text_release(&to);
    }
}

/* Every byte that may announce a column's coding, followed by as much as it could need. */
static void test_codings(void **state) {
    enum { ARG, IN, OUT, COLUMNS };
    unsigned char made[2 * 512];
    (void)state;
    for (int column = ARG; column < COLUMNS; column++)
        for (int how = 0; how < 256; how++)
            for (int second = 0; second < 2; second++) { /* a guess needs an earlier step */
                bool taken = false;
                for (size_t more = 0; more <= 40; more++) {
                    struct text bytes = TEXT_INIT;
                    if (second) { /* lane 0 alone: all columns 0 */
                        put_number(&bytes, 1 << 8);
                        put_integer(&bytes, 1, 4);
                        put_integer(&bytes, BEFORE | 0 << 8 | 0 << 16 | RULE << 24, 4);
                    }
                    put_number(&bytes, second ? 0 : 1 << 8);
                    put_integer(&bytes, second ? 0 : 1, second ? 0 : 4);
                    for (int i = ARG; i < COLUMNS; i++) {
                        put_integer(&bytes, i == column ? (uint64_t)how : 0, 1);
                        for (size_t k = 0; k < (i == column ? more : 1); k++)
                            put_integer(&bytes, 0, 1);
                    }
                    taken |= compact_decode_steps((const unsigned char *)bytes.data, bytes.length,
                                                  made, (uint32_t)second + 1, 4, 0);
                    text_release(&bytes);
                }
                const bool allowed = how <= 8 || how == 16 || how == 17 ||
                                     (column == ARG && how == 24) ||
                                     (column == IN && second && how >= 32 && how <= 35) ||
                                     (column == OUT && (how == 40 || how == 41));
                if (taken != allowed)
                    fail_msg("column %d, byte %d, step %d: %d", column, how, second, taken);
            }
}

/* A step with every coding is refused when cut anywhere, and no change makes the decoder read
 * outside the bytes. */
static void test_cut(void **state) {
    static struct step s[8];
    static unsigned char made[8 * 768];
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct text bytes = TEXT_INIT;
        draw_steps(s, 8, 8);
        for (uint32_t i = 0; i < 8; i++)
            put_step_differently(&bytes, s, i);
        for (size_t size = 0; size < bytes.length; size++) {
            unsigned char *exact = malloc(size ? size : 1);
            memcpy(exact, bytes.data, size);
            assert_false(compact_decode_steps(exact, size, made, 8, 8, 0));
            if (size) {
                exact[below(size)] ^= (unsigned char)(1 + below(255));
                (void)compact_decode_steps(exact, size, made, 8, 8, 0);
            }
            free(exact);
        }
        text_release(&bytes);
    }
}

/* ---- the index ---- */

static void put_runs(struct text *to, const struct trace_file_run *runs, uint32_t count) {
    struct trace_file_run was = {0};
    put_number(to, runs[0].number);
    put_number(to, runs[0].position);
    for (uint32_t i = 0; i < count; was = runs[i++]) {
        const bool first = i == 0 || runs[i].number != was.number;
        put_number(to, 2 * (uint64_t)runs[i].count + first);
        if (first) {
            put_difference(to, was.launch, runs[i].launch);
            put_difference(to, was.block, runs[i].block);
            put_difference(to, was.warp, runs[i].warp);
        }
        put_difference(to, was.first, runs[i].first);
    }
}

static void test_runs(void **state) {
    struct trace_file_run runs[40], made[40];
    (void)state;
    for (uint32_t round = 0; round < 200; round++) {
        const uint32_t count = round < 40 ? round + 1 : 40;
        struct text expected = TEXT_INIT, bytes = TEXT_INIT;
        memset(runs, 0, sizeof runs);
        for (uint32_t i = 0; i < count; i++) {
            const bool same = i > 0 && below(2);
            runs[i] = i ? runs[i - 1] : (struct trace_file_run){0};
            runs[i].first = draw() >> below(64);
            runs[i].count = (uint32_t)(draw() >> below(64)) | 1;
            runs[i].number = i ? runs[i - 1].number + !same : (uint32_t)draw();
            runs[i].position = i == 0 ? below(2) * (draw() >> below(64))
                               : same ? runs[i - 1].position + runs[i - 1].count
                                      : 0;
            if (!same) {
                runs[i].launch = (uint32_t)(draw() >> below(64));
                runs[i].block = draw() >> below(64);
                runs[i].warp = (uint32_t)(draw() >> below(64));
            }
        }
        put_runs(&expected, runs, count);
        compact_encode_runs(&bytes, runs, count);
        assert_int_equal(bytes.length, expected.length);
        assert_memory_equal(bytes.data, expected.data, bytes.length);
        memset(made, 0, sizeof made);
        const unsigned char *data = (const unsigned char *)expected.data;
        assert_true(compact_decode_runs(data, expected.length, made, count));
        assert_memory_equal(made, runs, count * sizeof runs[0]); /* a run has no padding */
        for (size_t size = 0; size < expected.length; size++)
            assert_false(compact_decode_runs(data, size, made, count));
        text_append_char(&expected, 0);
        assert_false(compact_decode_runs((const unsigned char *)expected.data, expected.length,
                                         made, count));
        text_release(&expected);
        text_release(&bytes);
    }
}

static void test_numbers(void **state) {
    static const uint64_t numbers[] = {0, 0, 127, 254, 382, 16765, 33149, UINT64_MAX};
    static const unsigned char bytes[] = {0,    0,    127,  127,  0x80, 1,    0xff,
                                          0x7f, 0x80, 0x80, 1,    0x82, 0xfd, 0xfd,
                                          0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    uint64_t made[8];
    struct text text = TEXT_INIT;
    (void)state;
    compact_encode_numbers(&text, numbers, 8);
    assert_int_equal(text.length, sizeof bytes);
    assert_memory_equal(text.data, bytes, sizeof bytes);
    assert_true(compact_decode_numbers(bytes, sizeof bytes, made, 8));
    assert_memory_equal(made, numbers, sizeof made);
    for (size_t size = 0; size < sizeof bytes; size++)
        assert_false(compact_decode_numbers(bytes, size, made, 8));
    assert_false(compact_decode_numbers(bytes, sizeof bytes, made, 7));
    text_clear(&text);
    compact_encode_numbers(&text, numbers, 0);
    assert_int_equal(text.length, 0);
    assert_true(compact_decode_numbers(bytes, 0, made, 0));
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_unencodable_steps),
        cmocka_unit_test(test_codings), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_runs),    cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
