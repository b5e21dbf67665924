/* cells.h - reads the cells of shflviz/cell.h on the host. */
#ifndef SHFLVIZ_GPU_CELLS_H
#define SHFLVIZ_GPU_CELLS_H

#include "shflviz/cell.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of leading cells that are complete and end with a complete record. Others may be
 * written meanwhile. */
size_t cells_whole(const uint64_t *cells, size_t count, uint32_t tag);

/* True if cells *first .. *end - 1 are all complete. If not, sets these to the first incomplete one
 * and the one after the last. */
bool cells_all_whole(const uint64_t *cells, uint32_t tag, size_t *first, size_t *end);

/* True if these cells are all complete; *records then gets how many of them begin a record. */
bool cells_are_complete(const uint64_t *cells, size_t count, uint32_t tag, size_t *records);

/* Turns incomplete cells, and records with such cells, into cells without a record. Returns the
 * number of runs of incomplete cells, which is about the number of such records. */
uint64_t cells_settle(uint64_t *cells, size_t count, uint32_t tag);

/* Finds the cells with which records begin, among cells `begin` to `end` - 1, which are settled or
 * all complete. `first` (NULL to count only) gets their indices, and has room for end - begin.
 * Returns how many there are. */
size_t cells_index(const uint64_t *cells, size_t begin, size_t end, uint32_t *first);

/* The number of these records, excluding any at the end that claim to extend beyond the cells: no
 * recorder wrote those. */
size_t cells_within(const uint64_t *cells, size_t count, const uint32_t *first, size_t records);

/* The site of the record that begins here, as the device numbers it. */
uint32_t cells_site(const uint64_t *cell);

/* Writes the record that begins here in the layout of trace/record.h, with values of that many
 * bytes. Its sequence and its launch are 0; its site is the device's. */
void cells_record(const uint64_t *cell, unsigned value_bytes, unsigned char *record);

/* Writes it as a brief record (trace/compact/prediction.h); false, with the target undefined, if
 * the record is not of that kind. */
bool cells_brief(const uint64_t *cell, unsigned char *record);

#endif
