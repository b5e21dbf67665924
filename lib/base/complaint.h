/*
 * complaint.h - what is wrong with one option, in the shape that all such messages have:
 *
 *     --width: '12' is a width that the CUDA guide leaves undefined
 *     allowed: 1 2 4 8 16 32
 *     try: --undefined, to see what the arithmetic would do
 */
#ifndef SHFLVIZ_BASE_COMPLAINT_H
#define SHFLVIZ_BASE_COMPLAINT_H

#include "base/error.h"

/* NULL parts are left out, except `option` and `wrong`. All are in the language in use. */
struct complaint {
    const char *option;  /* without dashes: "width" */
    const char *value;   /* as typed */
    const char *wrong;   /* "is a width that the CUDA guide leaves undefined" */
    const char *allowed; /* "1 2 4 8 16 32" */
    const char *attempt; /* what to try */
};

/* Fills err (ERROR_USAGE) and returns -1. A caller that knows the command puts its name in front
 * (error_prefix). */
int complain(struct error *err, const struct complaint *complaint);

#endif
