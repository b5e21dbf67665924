#include "warp/sectors.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) {
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return one < other ? -1 : one > other;
}

static int32_t bytes_of(const struct warp_operation *operation, int lane) {
    const int32_t width = operation->width[lane];
    return width < 1 ? 1 : width > 16 ? 16 : width;
}

/* Bytes in the union of the lanes' ranges. */
static int bytes_requested(const struct warp_operation *operation) {
    int64_t range[WARP_LANES][2]; /* sorted by start */
    int count = 0, bytes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(operation->present >> lane & 1))
            continue;
        const int64_t start = operation->arg[lane];
        int at = count++;
        for (; at > 0 && range[at - 1][0] > start; at--) {
            range[at][0] = range[at - 1][0];
            range[at][1] = range[at - 1][1];
        }
        range[at][0] = start;
        range[at][1] = start + bytes_of(operation, lane);
    }
    int64_t end = 0;
    for (int i = 0; i < count; i++) {
        const int64_t from = range[i][0] > end ? range[i][0] : end;
        if (range[i][1] > from) {
            bytes += (int)(range[i][1] - from);
            end = range[i][1];
        }
    }
    return bytes;
}

void warp_sector_use(const struct warp_operation *operation, struct sector_use *use) {
    int count = 0;
    *use = (struct sector_use){.sectors = 0};
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (operation->present >> lane & 1) {
            const int64_t last = (int64_t)operation->arg[lane] + bytes_of(operation, lane) - 1;
            use->sector[count++] = warp_sector(operation->arg[lane]);
            use->sector[count++] = (int32_t)(last / WARP_SECTOR_BYTES);
        }
    qsort(use->sector, (size_t)count, sizeof *use->sector, by_number);
    for (int i = 0; i < count; i++) {
        const int32_t sector = use->sector[i];
        if (use->sectors > 0 && sector == use->sector[use->sectors - 1])
            continue;
        const int in_line = WARP_LINE_BYTES / WARP_SECTOR_BYTES;
        use->lines +=
            use->sectors == 0 || sector / in_line != use->sector[use->sectors - 1] / in_line;
        use->sector[use->sectors++] = sector;
    }
    use->bytes = bytes_requested(operation);
    use->least = (use->bytes + WARP_SECTOR_BYTES - 1) / WARP_SECTOR_BYTES;
}
