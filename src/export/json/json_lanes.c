/*
 * json_lanes.c - the lanes of a step as JSON, without an object for each number, because lanes are
 * nearly all of a document.
 */
#include "explain/shared.h"
#include "export/json/json_parts.h"
#include "export/lane_field.h"

static void put_unsigned(struct text *to, uint64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    text_append_bytes(to, digits + at, sizeof digits - at);
}

static void put_signed(struct text *to, int64_t number) {
    if (number < 0)
        text_append_char(to, '-');
    put_unsigned(to, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static void put_part(struct text *to, enum warp_type type, uint64_t bits, unsigned part) {
    const struct warp_type_info *info = warp_type_info(type);
    char text[WARP_VALUE_TEXT];
    bool is_word;
    if (!info->is_floating && !info->is_signed) {
        put_unsigned(to, warp_value_mask(type, bits));
        return;
    }
    if (!info->is_floating) {
        bits = warp_value_mask(type, bits);
        put_signed(to, info->bits == 32 ? (int32_t)(uint32_t)bits : (int64_t)bits);
        return;
    }
    lane_value_format(type, bits, part, text, &is_word);
    if (is_word)
        text_append_char(to, '"');
    text_append(to, text);
    if (is_word)
        text_append_char(to, '"');
}

static void put_value(struct text *to, enum warp_type type, uint64_t bits) {
    const unsigned parts = lane_value_parts(type);
    if (parts > 1)
        text_append_char(to, '[');
    for (unsigned part = 0; part < parts; part++) {
        if (part > 0)
            text_append_char(to, ',');
        put_part(to, type, bits, part);
    }
    if (parts > 1)
        text_append_char(to, ']');
}

/* Appends bits in the form of warp_value_format_bits(). */
static void put_bits(struct text *to, enum warp_type type, uint64_t bits) {
    static const char digits[] = "0123456789abcdef";
    text_append(to, "\"0x");
    for (unsigned at = warp_type_info(type)->bits; at > 0; at -= 4)
        text_append_char(to, digits[bits >> (at - 4) & 15]);
    text_append_char(to, '"');
}

/* Appends a value and its exact bits; nulls if the lane has none. The keys include their comma. */
static void put_both(struct text *to, const char *key, const char *bits_key, bool exists,
                     enum warp_type type, uint64_t bits) {
    text_append(to, key);
    if (exists)
        put_value(to, type, bits);
    else
        text_append(to, "null");
    text_append(to, bits_key);
    if (exists)
        put_bits(to, type, bits);
    else
        text_append(to, "null");
}

static void put_number(struct text *to, const char *key, bool exists, int64_t number) {
    text_append(to, key);
    if (exists)
        put_signed(to, number);
    else
        text_append(to, "null");
}

/* Appends the elements of an access to shared memory that has several. */
static void put_elements(struct text *to, const struct warp_operation *operation, int lane,
                         int count) {
    char bits[LANE_BITS_TEXT];
    text_append(to, ",\"out\":[");
    for (int i = 0; i < count; i++) {
        if (i > 0)
            text_append_char(to, ',');
        put_part(to, operation->type, shared_element(operation, lane, i), 0);
    }
    text_append(to, "],\"out_bits\":\"");
    text_append(to, lane_elements_bits(operation, lane, bits));
    text_append_char(to, '"');
}

static void put_lane(struct text *to, const struct warp_operation *operation,
                     const struct lane_outcome outcome[WARP_LANES], int number) {
    const struct lane_fields is = lane_fields_of(operation, outcome, number);
    put_number(to, "{\"lane\":", true, is.lane);
    put_number(to, ",\"group\":", is.has_group, is.group);
    put_number(to, ",\"arg\":", is.has_arg, is.arg);
    put_number(to, ",\"target\":", is.has_address, is.target);
    text_append(to, ",\"in_range\":");
    text_append(to, !is.has_address ? "null" : is.in_range ? "true" : "false");
    put_number(to, ",\"source\":", is.has_address, is.source);
    text_append(to, ",\"status\":\"");
    text_append(to, lane_status_name(is.status));
    put_both(to, "\",\"in\":", ",\"in_bits\":", is.has_in, is.in_type, is.in);
    if (is.elements)
        put_elements(to, operation, number, is.elements);
    else
        put_both(to, ",\"out\":", ",\"out_bits\":", is.has_out, is.out_type, is.out);
    put_both(to, ",\"observed\":", ",\"observed_bits\":", is.has_observed, is.out_type, is.out);
    if (operation->doubtful_in >> number & 1)
        text_append(to, ",\"in_from_undefined\":true");
    if (operation->doubtful_out >> number & 1)
        text_append(to, ",\"out_from_undefined\":true");
    text_append_char(to, '}');
}

void json_lanes(struct text *to, const struct warp_operation *operation,
                const struct lane_outcome outcome[WARP_LANES]) {
    text_append_char(to, '[');
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (lane > 0)
            text_append_char(to, ',');
        put_lane(to, operation, outcome, lane);
    }
    text_append_char(to, ']');
}
