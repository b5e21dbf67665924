/*
 * cells.h - the cells of shflviz/cell.h as the host reads them.
 */
#ifndef SHFLVIZ_GPU_CELLS_H
#define SHFLVIZ_GPU_CELLS_H

#include "shflviz/cell.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many of the cells, from the first on, are whole and end with a whole record. They may be
 * written meanwhile. */
size_t cells_whole(const uint64_t *cells, size_t count, uint32_t tag);

/* Whether cells *first .. *end - 1 are all whole. If not, these become the first that is not, and
 * the one after the last. */
bool cells_all_whole(const uint64_t *cells, uint32_t tag, size_t *first, size_t *end);

/* Whether these cells are all whole, and if so how many of them records begin with. */
bool cells_look(const uint64_t *cells, size_t count, uint32_t tag, size_t *records);

/* Makes cells of no record of those that are not whole, and of records with such cells. Returns how
 * many rows of cells that are not whole there were: about as many records. */
uint64_t cells_settle(uint64_t *cells, size_t count, uint32_t tag);

/* The cells with which records begin, of cells `begin` to `end` - 1 that are settled or all whole:
 * their numbers go to `first` (NULL: only counted), which has room for end - begin. Returns how
 * many there are. */
size_t cells_index(const uint64_t *cells, size_t begin, size_t end, uint32_t *first);

/* So many of these records, the last of them left out that say they go on beyond the end: those
 * were not written by a recorder. */
size_t cells_within(const uint64_t *cells, size_t count, const uint32_t *first, size_t records);

/* The site of the record that begins here, as the device numbers it. */
uint32_t cells_site(const uint64_t *cell);

/* Writes the record that begins here as trace/record.h has it, for values of so many bytes. Its
 * sequence is 0, its launch 0, its site the device's. */
void cells_record(const uint64_t *cell, unsigned value_bytes, unsigned char *record);

/* The same as a brief record (trace/compact/likely.h); false if the record is not of that kind, and
 * then anything may have been written. */
bool cells_brief(const uint64_t *cell, unsigned char *record);

#endif
