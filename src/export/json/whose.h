/* whose.h - what values are made of, as JSON (docs/JSON.md, "Values: --whose"). */
#ifndef SHFLVIZ_EXPORT_WHOSE_H
#define SHFLVIZ_EXPORT_WHOSE_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdio.h>

/* Fails like whose_find() (explain/whose.h). */
int export_whose_json(FILE *out, const struct trace *trace, const char *asked, struct error *err);

#endif
