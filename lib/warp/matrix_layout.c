/*
 * Reading walks through shape and strides together, since they must be nested alike: `at` is in
 * the shape, `stride` at the corresponding position after the colon.
 */
#include "warp/matrix_layout.h"

#include <stdio.h>
#include <string.h>

struct reader {
    const char *at, *stride;
    struct layout *layout;
    struct layout_part *part; /* the part being read; NULL before the first */
};

static void skip_blanks(const char **at) {
    while (**at == ' ' || **at == '_')
        (*at)++;
}

static bool take(const char **at, char wanted) {
    skip_blanks(at);
    if (**at != wanted)
        return false;
    (*at)++;
    return true;
}

static bool take_number(const char **at, uint32_t *number) {
    skip_blanks(at);
    if (**at < '0' || **at > '9')
        return false;
    for (*number = 0; **at >= '0' && **at <= '9'; (*at)++)
        if (*number <= LAYOUT_STRIDE_MOST)
            *number = *number * 10 + (uint32_t)(**at - '0');
    return true;
}

static enum layout_fault read_mode(struct reader *reader) {
    struct layout_mode mode;
    if (!take_number(&reader->at, &mode.size))
        return LAYOUT_SYNTAX;
    if (!take_number(&reader->stride, &mode.stride))
        return LAYOUT_DIFFERS;
    if (!reader->part)
        return LAYOUT_RANK;
    struct layout_part *part = reader->part;
    if (part->count == LAYOUT_MODES_MOST || mode.size == 0 || mode.stride > LAYOUT_STRIDE_MOST)
        return LAYOUT_TOO_MUCH;
    const uint32_t most = part == &reader->layout->lanes ? LAYOUT_LANES_MOST : LAYOUT_VALUES_MOST;
    if (mode.size > most || layout_size(part) * mode.size > most)
        return LAYOUT_TOO_MUCH;
    part->mode[part->count++] = mode;
    return LAYOUT_GOOD;
}

/* A number or a tuple. The outermost is the pair of lanes and values. */
static enum layout_fault read_tuple(struct reader *reader, int depth) {
    if (!take(&reader->at, '('))
        return read_mode(reader);
    if (!take(&reader->stride, '('))
        return LAYOUT_DIFFERS;
    if (depth == LAYOUT_MODES_MOST)
        return LAYOUT_TOO_MUCH;
    int members = 0;
    do {
        if (depth == 0) {
            if (members == 2)
                return LAYOUT_RANK;
            reader->part = members ? &reader->layout->values : &reader->layout->lanes;
        }
        const enum layout_fault fault = read_tuple(reader, depth + 1);
        if (fault)
            return fault;
        members++;
        skip_blanks(&reader->at);
        if (*reader->at == ',' && !take(&reader->stride, ','))
            return LAYOUT_DIFFERS;
    } while (take(&reader->at, ','));
    if (!take(&reader->at, ')'))
        return LAYOUT_SYNTAX;
    if (!take(&reader->stride, ')'))
        return LAYOUT_DIFFERS;
    return depth == 0 && members != 2 ? LAYOUT_RANK : LAYOUT_GOOD;
}

enum layout_fault layout_read(struct layout *layout, const char *text, const char **where) {
    const char *colon = strchr(text, ':');
    struct reader reader = {.at = text, .stride = colon ? colon + 1 : "", .layout = layout};
    memset(layout, 0, sizeof *layout);
    *where = text + strlen(text);
    if (!colon)
        return LAYOUT_SYNTAX;
    const enum layout_fault fault = read_tuple(&reader, 0);
    *where = fault == LAYOUT_DIFFERS ? reader.stride : reader.at;
    if (fault)
        return fault;
    skip_blanks(&reader.at);
    if (reader.at != colon)
        return LAYOUT_SYNTAX;
    skip_blanks(&reader.stride);
    *where = reader.stride;
    return *reader.stride ? LAYOUT_SYNTAX : LAYOUT_GOOD;
}

static char *format_part(char *at, const char *end, const struct layout_part *part, bool strides) {
    const bool tuple = part->count != 1;
    at += snprintf(at, (size_t)(end - at), "%s", tuple ? "(" : "");
    for (unsigned i = 0; i < part->count; i++)
        at += snprintf(at, (size_t)(end - at), "%s%u", i ? "," : "",
                       strides ? part->mode[i].stride : part->mode[i].size);
    return at + snprintf(at, (size_t)(end - at), "%s", tuple ? ")" : "");
}

char *layout_format(const struct layout *layout, char buffer[LAYOUT_TEXT]) {
    char *at = buffer;
    const char *end = buffer + LAYOUT_TEXT;
    for (int strides = 0; strides < 2; strides++) {
        at += snprintf(at, (size_t)(end - at), "%s(", strides ? ":" : "");
        at = format_part(at, end, &layout->lanes, strides);
        at += snprintf(at, (size_t)(end - at), ",");
        at = format_part(at, end, &layout->values, strides);
        at += snprintf(at, (size_t)(end - at), ")");
    }
    return buffer;
}

uint32_t layout_size(const struct layout_part *part) {
    uint32_t size = 1;
    for (unsigned i = 0; i < part->count; i++)
        size *= part->mode[i].size;
    return size;
}

static uint32_t part_index(const struct layout_part *part, uint32_t coordinate) {
    uint32_t index = 0;
    for (unsigned i = 0; i < part->count; i++) {
        index += coordinate % part->mode[i].size * part->mode[i].stride;
        coordinate /= part->mode[i].size;
    }
    return index;
}

uint32_t layout_index(const struct layout *layout, uint32_t lane, uint32_t value) {
    return part_index(&layout->lanes, lane) + part_index(&layout->values, value);
}

static uint32_t part_coordinate(const struct layout_part *part, uint32_t index) {
    uint32_t coordinate = 0, size = 1;
    for (unsigned i = 0; i < part->count; i++) {
        const uint32_t stride = part->mode[i].stride;
        coordinate += stride ? index / stride % part->mode[i].size * size : 0;
        size *= part->mode[i].size;
    }
    return coordinate;
}

bool layout_find(const struct layout *layout, uint32_t index, uint32_t *lane, uint32_t *value) {
    *lane = part_coordinate(&layout->lanes, index);
    *value = part_coordinate(&layout->values, index);
    return layout_index(layout, *lane, *value) == index;
}

uint32_t layout_cosize(const struct layout *layout) {
    return layout_index(layout, layout_size(&layout->lanes) - 1, layout_size(&layout->values) - 1) +
           1;
}

bool layout_equal(const struct layout *a, const struct layout *b, int *lane, int *value) {
    const uint32_t lanes = layout_size(&a->lanes), values = layout_size(&a->values);
    *lane = *value = -1;
    if (lanes != layout_size(&b->lanes) || values != layout_size(&b->values))
        return false;
    for (uint32_t i = 0; i < lanes * values; i++)
        if (layout_index(a, i / values, i % values) != layout_index(b, i / values, i % values)) {
            *lane = (int)(i / values);
            *value = (int)(i % values);
            return false;
        }
    return true;
}
