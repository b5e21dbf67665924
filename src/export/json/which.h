/* which.h - the calls that give lanes the requested values, as JSON (docs/JSON.md). */
#ifndef SHFLVIZ_EXPORT_WHICH_H
#define SHFLVIZ_EXPORT_WHICH_H

#include "explain/which.h"

#include <stdio.h>

/* `asked` is the request as typed. */
void export_which_json(FILE *out, const struct which *which, const struct which_request *request,
                       const char *asked);

#endif
