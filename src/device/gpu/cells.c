/*
 * Cells are read while a GPU writes them, so a cell counts only if its tags are complete. Cells in
 * the short form are expanded to steps by the same prediction as in a recording.
 */
#include "device/gpu/cells.h"

#include "trace/record.h"

#include <string.h>

#define WORDS SHFLVIZ_CELL_WORDS

_Static_assert(SHFLVIZ_RECORD_LANES == WORDS, "a word for each lane");

static bool is_first(const uint64_t *cell) {
    return cell[0] >> 63;
}

/* Reads a word that may be written meanwhile: plainly, so that many are read in one step;
 * atomically under ThreadSanitizer. */
static uint64_t read_word(const uint64_t *cell, int i) {
#ifdef __SANITIZE_THREAD__
    return __atomic_load_n(&cell[i], __ATOMIC_ACQUIRE);
#else
    return cell[i];
#endif
}

/* Words may be written meanwhile; one that has the tag is complete. */
static bool is_whole(const uint64_t *cell, uint32_t tag) {
    const uint64_t wanted = (uint64_t)tag << SHFLVIZ_CELL_MARK_BITS;
    uint64_t differ = 0;
    for (int i = 0; i < WORDS; i++)
        differ |= read_word(cell, i) ^ wanted;
    return (differ & (uint64_t)SHFLVIZ_CELL_TAG << SHFLVIZ_CELL_MARK_BITS) == 0;
}

static uint32_t part(const uint64_t *cell, unsigned lane) {
    return (uint32_t)(cell[lane] >> SHFLVIZ_CELL_VALUE_BITS) & 0xffff;
}

static uint32_t head(const uint64_t *cell, unsigned word) {
    return part(cell, 2 * word) | part(cell, 2 * word + 1) << 16;
}

static size_t cells_of(const uint64_t *cell) {
    return is_first(cell) ? ring_cells_of(head(cell, SHFLVIZ_HEAD_KINDS)) : 1;
}

size_t cells_whole(const uint64_t *cells, size_t count, uint32_t tag) {
    size_t whole = 0, at = 0;
    while (at < count) {
        if (!is_whole(cells + at * WORDS, tag))
            break;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        const size_t end = at + cells_of(cells + at * WORDS);
        if (end > count)
            break;
        for (at++; at < end && is_whole(cells + at * WORDS, tag);)
            at++;
        if (at < end)
            break;
        whole = end;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return whole;
}

bool cells_all_whole(const uint64_t *cells, uint32_t tag, size_t *first, size_t *end) {
    while (*first < *end && is_whole(cells + *first * WORDS, tag))
        ++*first;
    while (*end > *first && is_whole(cells + (*end - 1) * WORDS, tag))
        --*end;
    return *first == *end;
}

uint64_t cells_settle(uint64_t *cells, size_t count, uint32_t tag) {
    uint64_t rows = 0;
    for (size_t at = 0; at < count;) {
        uint64_t *cell = cells + at * WORDS;
        size_t end = at + (is_whole(cell, tag) ? cells_of(cell) : 1), whole = at;
        while (whole < end && whole < count && is_whole(cells + whole * WORDS, tag))
            whole++;
        if (whole == end) {
            at = end;
            continue;
        }
        rows += whole < count;
        while (end < count && !is_whole(cells + end * WORDS, tag))
            end++; /* the rest of the row */
        for (; at < end && at < count; at++)
            memset(cells + at * WORDS, 0, SHFLVIZ_CELL_BYTES);
    }
    return rows;
}

bool cells_are_complete(const uint64_t *cells, size_t count, uint32_t tag, size_t *records) {
    size_t begun = 0;
    for (size_t at = 0; at < count; at++) {
        if (!is_whole(cells + at * WORDS, tag))
            return false;
        begun += is_first(cells + at * WORDS);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    *records = begun;
    return true;
}

size_t cells_index(const uint64_t *cells, size_t begin, size_t end, uint32_t *first) {
    size_t records = 0;
    for (size_t at = begin; at < end; at++) {
        if (first)
            first[records] = (uint32_t)at;
        records += is_first(cells + at * WORDS);
    }
    return records;
}

size_t cells_within(const uint64_t *cells, size_t count, const uint32_t *first, size_t records) {
    while (records > 0 && first[records - 1] + cells_of(cells + first[records - 1] * WORDS) > count)
        records--;
    return records;
}

uint32_t cells_site(const uint64_t *cell) {
    return SHFLVIZ_KINDS_SITE(head(cell, SHFLVIZ_HEAD_KINDS));
}

/* ---- records ---- */

/* Stores values of 4 bytes, or of 8 with upper halves of 0. */
static void put_values(unsigned char *to, unsigned value_bytes, const uint64_t *cell) {
    uint32_t narrow[WORDS];
    uint64_t wide[WORDS];
    if (value_bytes == 4) {
        for (int i = 0; i < WORDS; i++)
            narrow[i] = (uint32_t)cell[i];
        memcpy(to, narrow, sizeof narrow);
    } else {
        for (int i = 0; i < WORDS; i++)
            wide[i] = (uint32_t)cell[i];
        memcpy(to, wide, sizeof wide);
    }
}

static void put_upper(unsigned char *to, unsigned value_bytes, const uint64_t *cell) {
    uint64_t wide[WORDS];
    if (value_bytes == 4)
        return;
    memcpy(wide, to, sizeof wide);
    for (int i = 0; i < WORDS; i++)
        wide[i] |= cell[i] << 32;
    memcpy(to, wide, sizeof wide);
}

static void put_same(unsigned char *to, unsigned value_bytes, uint32_t value, uint32_t lanes) {
    for (int i = 0; i < WORDS; i++) {
        const uint64_t wide = lanes >> i & 1 ? value : 0;
        memcpy(to + (size_t)i * value_bytes, &wide, value_bytes);
    }
}

static void put_predicted_by(uint32_t op, unsigned char *to, unsigned value_bytes,
                             const unsigned char *in, const uint32_t *args, uint32_t width) {
    if (value_bytes == 4) {
        uint32_t narrow[WORDS], brought[WORDS];
        memcpy(brought, in, sizeof brought);
        for (uint32_t i = 0; i < WORDS; i++)
            narrow[i] = brought[ring_predicted_lane(op, i, args[i], width) % WORDS];
        memcpy(to, narrow, sizeof narrow);
    } else {
        for (uint32_t i = 0; i < WORDS; i++)
            memcpy(to + 8 * i,
                   in + (size_t)8 * (ring_predicted_lane(op, i, args[i], width) % WORDS), 8);
    }
}

/* Stores the results according to the rules; each operation has a loop without a branch in it. */
static void put_predicted(uint32_t op, unsigned char *to, unsigned value_bytes,
                          const unsigned char *in, const uint32_t *args, uint32_t width) {
    if (op > 3 || !ring_width_is_defined(width))
        memcpy(to, in, (size_t)WORDS * value_bytes);
    else if (op == 0)
        put_predicted_by(0, to, value_bytes, in, args, width);
    else if (op == 1)
        put_predicted_by(1, to, value_bytes, in, args, width);
    else if (op == 2)
        put_predicted_by(2, to, value_bytes, in, args, width);
    else
        put_predicted_by(3, to, value_bytes, in, args, width);
}

void cells_record(const uint64_t *cell, unsigned value_bytes, unsigned char *record) {
    const uint32_t kinds = head(cell, SHFLVIZ_HEAD_KINDS), same = head(cell, SHFLVIZ_HEAD_WIDTH);
    const bool is_long = kinds & SHFLVIZ_KINDS_LONG, same_out = kinds & SHFLVIZ_KINDS_SAME_OUT;
    const uint64_t high = is_long ? head(cell, SHFLVIZ_HEAD_BLOCK_HIGH) : 0;
    const uint32_t other_width = is_long ? head(cell, SHFLVIZ_HEAD_WIDTH_TOO) : 0;
    const struct shflviz_record_header header = {
        .block = head(cell, SHFLVIZ_HEAD_BLOCK) | high << 32,
        .warp = SHFLVIZ_KINDS_WARP(kinds),
        .site = SHFLVIZ_KINDS_SITE(kinds),
        .op = (uint8_t)SHFLVIZ_KINDS_OP(kinds),
        .type = (uint8_t)SHFLVIZ_KINDS_TYPE(kinds),
        .flags = kinds & SHFLVIZ_KINDS_WIDTHS ? SHFLVIZ_RECORD_WIDTHS_DIFFER : 0,
        .members = is_long ? head(cell, SHFLVIZ_HEAD_MEMBERS) : 0xffffffff,
        .present = is_long ? head(cell, SHFLVIZ_HEAD_PRESENT) : 0xffffffff,
        .width = (int32_t)(same_out ? other_width : same),
    };
    unsigned char *in = record + SHFLVIZ_RECORD_OFFSET_IN;
    unsigned char *out = record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes);
    uint32_t args[WORDS];
    uint16_t widths[WORDS] = {0};
    const uint64_t *from = cell + WORDS;
    memcpy(record, &header, sizeof header);
    put_values(in, value_bytes, cell);
    if (kinds & SHFLVIZ_KINDS_WIDE) {
        put_upper(in, value_bytes, from);
        from += WORDS;
    }
    if (kinds & SHFLVIZ_KINDS_ARGS) {
        for (unsigned i = 0; i < WORDS; i++) {
            args[i] = (uint32_t)from[i];
            widths[i] = (uint16_t)(kinds & SHFLVIZ_KINDS_WIDTHS ? part(from, i) : 0);
        }
        from += WORDS;
    } else {
        for (unsigned i = 0; i < WORDS; i++)
            args[i] = header.present >> i & 1 ? head(cell, SHFLVIZ_HEAD_ARG) : 0;
    }
    memcpy(record + SHFLVIZ_RECORD_OFFSET_WIDTH, widths, sizeof widths);
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, args, sizeof args);
    if (same_out)
        put_same(out, value_bytes, same, header.present);
    else if (kinds & SHFLVIZ_KINDS_OUTS)
        put_values(out, value_bytes, from);
    else
        put_predicted(header.op, out, value_bytes, in, args, (uint32_t)header.width);
    if (kinds & SHFLVIZ_KINDS_OUTS && kinds & SHFLVIZ_KINDS_WIDE)
        put_upper(out, value_bytes, from + WORDS);
}

bool cells_brief(const uint64_t *cell, unsigned char *record) {
    const uint32_t kinds = head(cell, SHFLVIZ_HEAD_KINDS), arg = head(cell, SHFLVIZ_HEAD_ARG),
                   width = head(cell, SHFLVIZ_HEAD_WIDTH);
    const struct shflviz_record_header header = {
        .block = head(cell, SHFLVIZ_HEAD_BLOCK),
        .warp = SHFLVIZ_KINDS_WARP(kinds),
        .site = SHFLVIZ_KINDS_SITE(kinds),
        .op = (uint8_t)SHFLVIZ_KINDS_OP(kinds),
        .type = (uint8_t)SHFLVIZ_KINDS_TYPE(kinds),
        .members = 0xffffffff,
        .present = 0xffffffff,
        .width = (int32_t)width,
    };
    uint32_t in[WORDS];
    if (kinds & (SHFLVIZ_KINDS_WIDE | SHFLVIZ_KINDS_ARGS | SHFLVIZ_KINDS_OUTS |
                 SHFLVIZ_KINDS_WIDTHS | SHFLVIZ_KINDS_SAME_OUT | SHFLVIZ_KINDS_LONG) ||
        header.op > 3 || !ring_width_is_defined(width))
        return false;
    for (int i = 0; i < WORDS; i++)
        in[i] = (uint32_t)cell[i];
    memcpy(record, &header, sizeof header);
    memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG, &arg, sizeof arg);
    memcpy(record + SHFLVIZ_RECORD_OFFSET_IN, in, sizeof in);
    return true;
}
