#include "warp/rows.h"

#include <stdio.h>
#include <string.h>

#define SWIZZLE_BASE_LEAST 4  /* 1 << 4: a row's bytes stay together */
#define SWIZZLE_TOP        16 /* a swizzle uses only the bits below this one */

bool swizzle_read(struct swizzle *swizzle, const char *text) {
    static const struct {
        const char *name;
        struct swizzle swizzle;
    } names[] = {{"32B", {1, 4, 3}}, {"64B", {2, 4, 3}}, {"128B", {3, 4, 3}}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i].name) == 0) {
            *swizzle = names[i].swizzle;
            return true;
        }
    int end = 0;
    struct swizzle read;
    if (sscanf(text, "%2d,%2d,%2d%n", &read.bits, &read.base, &read.shift, &end) != 3 || text[end])
        return false;
    *swizzle = read;
    return read.bits >= 1 && read.shift >= read.bits && read.base >= SWIZZLE_BASE_LEAST &&
           read.base + read.shift + read.bits <= SWIZZLE_TOP;
}

uint32_t swizzle_apply(const struct swizzle *swizzle, uint32_t offset) {
    const uint32_t from = ((UINT32_C(1) << swizzle->bits) - 1) << (swizzle->base + swizzle->shift);
    return offset ^ (offset & from) >> swizzle->shift;
}

void matrix_rows_in_tile(struct matrix_rows *rows, int matrices, uint32_t pitch,
                         const struct swizzle *swizzle) {
    *rows = (struct matrix_rows){.lanes = 0};
    for (int lane = 0; lane < matrices * MATRIX_MOVE_ROWS; lane++) {
        const uint32_t offset = (uint32_t)(lane % 16) * pitch + (lane / 16 * MATRIX_ROW_BYTES);
        rows->offset[lane] = (int32_t)swizzle_apply(swizzle, offset);
        rows->lanes |= UINT32_C(1) << lane;
    }
}

void matrix_rows_use(const struct matrix_rows *rows, int matrix, struct bank_use *use) {
    const uint32_t phase = UINT32_C(0xff) << matrix * MATRIX_MOVE_ROWS;
    struct warp_operation access = {.op = WARP_OP_SHARED_READ, .present = rows->lanes & phase};
    for (int lane = 0; lane < WARP_LANES; lane++) {
        access.arg[lane] = rows->offset[lane];
        access.width[lane] = MATRIX_ROW_BYTES;
    }
    warp_bank_use(&access, use);
}
