/*
 * complaint.h - an error about one option, in the form of all such messages:
 *
 *     --width: '12' is a width that the CUDA guide leaves undefined
 *     allowed: 1 2 4 8 16 32
 *     try: --undefined, to see what the arithmetic would do
 */
#ifndef SHFLVIZ_BASE_COMPLAINT_H
#define SHFLVIZ_BASE_COMPLAINT_H

#include "base/error.h"

/* Fills err (ERROR_USAGE) and returns -1. `option` has no dashes, `value` is as typed; all but the
 * names are in the language in use. A NULL value, list of allowed values or suggestion is left
 * out. A caller that knows the command puts its name in front (error_prefix). */
int complain(struct error *err, const char *option, const char *value, const char *wrong,
             const char *allowed, const char *attempt);

#endif
