#include "explain/snippet/snippet_cells.h"

bool snippet_cells_read(struct snippet_cells *cells, int lane, int64_t index, int64_t *value) {
    *value = 0;
    if (index < 0 || index >= SNIPPET_CELLS)
        return false;
    struct snippet_cell *cell = &cells->cell[index];
    cell->readers |= UINT32_C(1) << lane;
    cell->after = cell->readers == UINT32_C(1) << lane ? cell->readers : 0;
    *value = cell->value;
    return cell->known && warp_has_lane(cell->sees, lane);
}

void snippet_cells_write(struct snippet_cells *cells, int lane, int64_t index, int64_t value,
                         bool defined) {
    if (index < 0 || index >= SNIPPET_CELLS) {
        cells->raced = true;
        return;
    }
    struct snippet_cell *cell = &cells->cell[index];
    bool others_read = cell->readers & ~(UINT32_C(1) << lane);
    bool unordered_write = cell->sees && !warp_has_lane(cell->sees, lane);
    cells->raced = cells->raced || (others_read && !warp_has_lane(cell->after, lane));
    *cell = (struct snippet_cell){
        .value = value, .known = defined && !unordered_write, .sees = UINT32_C(1) << lane};
}

void snippet_cells_meet(struct snippet_cells *cells, uint32_t lanes) {
    for (int i = 0; i < SNIPPET_CELLS; i++) {
        struct snippet_cell *cell = &cells->cell[i];
        if (cell->sees & lanes)
            cell->sees |= lanes;
        if (!(cell->readers & ~lanes))
            cell->after |= lanes;
    }
}
