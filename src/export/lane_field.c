#include "export/lane_field.h"

#include "explain/shared.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct lane_fields lane_fields_of(const struct warp_operation *operation,
                                  const struct lane_outcome outcome[WARP_LANES], int lane) {
    const struct warp_op_info *op = warp_op_info(operation->op);
    bool calls = outcome[lane].status != LANE_ABSENT;
    struct lane_fields fields = {.lane = lane,
                                 .has_group = op->is_shuffle,
                                 .has_arg = calls && op->argument != NULL,
                                 .arg = operation->arg[lane],
                                 .has_address = calls && op->is_shuffle,
                                 .target = outcome[lane].address.target,
                                 .in_range = outcome[lane].address.in_range,
                                 .source = outcome[lane].address.source,
                                 .status = outcome[lane].status,
                                 .in = operation->in[lane],
                                 .out = operation->out[lane],
                                 .in_type = operation->type,
                                 .out_type = warp_result_type(operation)};
    if (operation->op == WARP_OP_ACTIVEMASK)
        fields.in_type = WARP_TYPE_NONE;
    if (op->is_shuffle) {
        /* A lane that does not call passed no width; it belongs to a group all the same. */
        int32_t width = calls ? operation->width[lane] : lane_width_first(operation);
        fields.group = shuffle_address(operation->op, lane, 0, width).group;
    }
    fields.has_in = calls && fields.in_type != WARP_TYPE_NONE;
    bool got = calls && fields.out_type != WARP_TYPE_NONE;
    fields.has_out = got && fields.status != LANE_UNDEFINED;
    fields.has_observed = got && fields.status == LANE_UNDEFINED;
    if (calls && warp_op_is_access(operation->op)) {
        const int elements = shared_elements(operation, lane);
        fields.elements = elements > 1 ? elements : 0;
        fields.has_in = !warp_op_is_read(operation->op) && elements == 1;
    }
    return fields;
}

char *lane_elements_bits(const struct warp_operation *operation, int lane,
                         char buffer[LANE_BITS_TEXT]) {
    const int bytes = operation->width[lane];
    if (bytes > 8)
        snprintf(buffer, LANE_BITS_TEXT, "0x%0*" PRIx64 "%016" PRIx64, 2 * (bytes - 8),
                 operation->in[lane], operation->out[lane]);
    else
        snprintf(buffer, LANE_BITS_TEXT, "0x%0*" PRIx64, 2 * bytes, operation->out[lane]);
    return buffer;
}

int32_t lane_width_first(const struct warp_operation *operation) {
    return operation->present ? operation->width[__builtin_ctz(operation->present)] : 0;
}

bool lane_widths_differ(const struct warp_operation *operation) {
    int32_t width;
    return operation->present && !warp_agree(operation->width, operation->present, &width);
}

unsigned lane_value_parts(enum warp_type type) {
    return warp_type_info(type)->parts;
}

/* The type of one part of a packed value. */
static enum warp_type part_type(enum warp_type type) {
    if (type == WARP_TYPE_HALF2)
        return WARP_TYPE_HALF;
    return type == WARP_TYPE_BFLOAT162 ? WARP_TYPE_BFLOAT16 : type;
}

char *lane_value_format(enum warp_type type, uint64_t bits, unsigned part,
                        char buffer[WARP_VALUE_TEXT], bool *is_word) {
    *is_word = false;
    if (!warp_type_info(type)->is_floating)
        return warp_value_format(type, bits, buffer);
    double value = warp_value_to_double(type, bits, part);
    if (!isfinite(value)) {
        *is_word = true;
        strcpy(buffer, isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
        return buffer;
    }
    if (lane_value_parts(type) > 1)
        bits = bits >> (16 * part) & 0xffff;
    warp_value_format(part_type(type), bits, buffer);
    /* "-0" would be read as the integer 0, and "3" as an integer where the others are not. */
    if (!strpbrk(buffer, ".e"))
        strcat(buffer, ".0");
    return buffer;
}
