#include "explain/snippet/snippet_numbers.h"

#include <string.h>

int64_t snippet_as_int(int64_t value) {
    return (int32_t)(uint32_t)(uint64_t)value;
}

int64_t snippet_compute(enum c_operation operation, int64_t x, int64_t y) {
    if (operation == C_SHIFT_LEFT || operation == C_SHIFT_RIGHT)
        y &= 31;
    if (operation == C_SHIFT_RIGHT)
        x = (uint32_t)x;
    int64_t value = c_compute(operation, x, y);
    return c_can_overflow(operation) ? snippet_as_int(value) : value;
}

struct snippet_values snippet_constant(int64_t number) {
    struct snippet_values values = {{0}, 0};
    for (int lane = 0; lane < WARP_LANES; lane++)
        values.of[lane] = number;
    return values;
}

struct snippet_values snippet_lane_numbers(void) {
    struct snippet_values values = {{0}, 0};
    for (int lane = 0; lane < WARP_LANES; lane++)
        values.of[lane] = lane;
    return values;
}

struct snippet_values snippet_tile_members(const struct snippet_values *width) {
    struct snippet_values members = {{0}, 0};
    for (int lane = 0; lane < WARP_LANES; lane++)
        members.of[lane] = (int64_t)(((UINT64_C(1) << width->of[lane]) - 1)
                                     << lane / width->of[lane] * width->of[lane]);
    return members;
}

struct snippet_values snippet_lanewise(const char *name, const struct snippet_values *a,
                                       const struct snippet_values *b) {
    struct snippet_values out = {{0}, a->undefined | b->undefined};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int64_t x = a->of[lane], y = b->of[lane];
        if (strcmp(name, "max") == 0)
            out.of[lane] = x > y ? x : y;
        else if (strcmp(name, "min") == 0)
            out.of[lane] = x < y ? x : y;
        else if (strcmp(name, "__popc") == 0)
            out.of[lane] = __builtin_popcount((uint32_t)x);
        else
            out.of[lane] = __builtin_ffs((int32_t)x);
    }
    return out;
}
