/*
 * number.h - whole numbers on the command line: decimal, 0x hexadecimal or 0b binary, without
 * anything around them.
 *
 * A leading zero is refused, because C reads 010 as eight and most people as ten. `option` is the
 * option's name for messages: "--threads". All return 0, or -1 with err filled (ERROR_USAGE): the
 * given text, what is allowed, and the range.
 */
#ifndef SHFLVIZ_LAUNCH_NUMBER_H
#define SHFLVIZ_LAUNCH_NUMBER_H

#include "base/error.h"
#include "base/text/c_expression.h"

#include <stdint.h>

/* `minimum` and `maximum` are themselves allowed. */
int number_parse_u32(const char *option, const char *text, uint32_t minimum, uint32_t maximum,
                     uint32_t *number, struct error *err);
int number_parse_u64(const char *option, const char *text, uint64_t minimum, uint64_t maximum,
                     uint64_t *number, struct error *err);
/* Allows a minus sign before the number. */
int number_parse_i64(const char *option, const char *text, int64_t minimum, int64_t maximum,
                     int64_t *number, struct error *err);

/* Bytes, or a number with K, M or G; `least` is a whole number of MiB. `option` is the
 * option's name without dashes. */
int number_parse_size(const char *option, const char *value, uint64_t least, uint64_t *size,
                      struct error *err);

#endif
