/*
 * base64.h - bytes as printable ASCII (RFC 4648, section 4: padded, without line breaks).
 */
#ifndef SHFLVIZ_BASE_BASE64_H
#define SHFLVIZ_BASE_BASE64_H

#include "base/text.h"

#include <stddef.h>

void text_append_base64(struct text *text, const void *bytes, size_t count);

#endif
