/*
 * packed.h - numbers in as few bytes as they need. docs/TRACE_FORMAT.md, "Compact steps",
 * describes the bytes.
 */
#ifndef SHFLVIZ_TRACE_PACKED_H
#define SHFLVIZ_TRACE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- writing ---- */

#define PACKED_NUMBER_MOST 10 /* bytes of a number */

/* The position of the next byte. The caller has made sure that there is enough room. */
struct sink {
    unsigned char *at;
};

static inline void put_byte(struct sink *to, unsigned byte) {
    *to->at++ = (unsigned char)byte;
}

static inline void put_bytes(struct sink *to, const void *bytes, size_t count) {
    memcpy(to->at, bytes, count);
    to->at += count;
}

/* Seven bits per byte, the lowest first; the top bit says that more follow. */
static inline void put_number(struct sink *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        put_byte(to, (unsigned)(number & 0x7f) | 0x80);
    put_byte(to, (unsigned)number);
}

/* Small numbers of either sign become small numbers: 0, -1, 1, -2, ... */
static inline uint64_t fold_sign(uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}

static inline uint64_t unfold_sign(uint64_t folded) {
    return folded >> 1 ^ (0 - (folded & 1));
}

static inline void put_difference(struct sink *to, uint64_t from, uint64_t number) {
    put_number(to, fold_sign(number - from));
}

/* ---- reading ---- */

/* The bytes left to decode. Reading beyond them sets `failed` and gives zeros. */
struct source {
    const unsigned char *at, *end;
    bool failed;
};

static inline void take_bytes(struct source *from, void *bytes, size_t count) {
    if ((size_t)(from->end - from->at) < count) {
        from->failed = true;
        from->at = from->end;
        memset(bytes, 0, count);
        return;
    }
    memcpy(bytes, from->at, count);
    from->at += count;
}

static inline uint64_t take_number(struct source *from) {
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

static inline uint64_t take_difference(struct source *from, uint64_t before) {
    return before + unfold_sign(take_number(from));
}

#endif
