/*
 * crc32c.h - CRC-32C (Castagnoli: polynomial 0x1edc6f41, reflected, as in RFC 3720), with the
 * processor's instruction where there is one.
 */
#ifndef SHFLVIZ_TRACE_CRC32C_H
#define SHFLVIZ_TRACE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues `crc`, the CRC of the bytes before, with these bytes; 0 to begin. */
uint32_t crc32c(uint32_t crc, const void *bytes, size_t count);

/* The same with a table, on every machine. */
uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t count);

#endif
