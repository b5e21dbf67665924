/* watching.h - compares the requests of --watch-... with the run. */
#ifndef SHFLVIZ_LAUNCH_WATCHING_H
#define SHFLVIZ_LAUNCH_WATCHING_H

#include "base/error.h"
#include "shflviz/filter.h"
#include "trace/trace.h"

/*
 * Checks that the run contained what --watch-... selects. Fails (ERROR_USAGE), listing the
 * alternatives, if no launch was of that kernel or had that number, or if no watched launch
 * has such a block or warp. A line without operations is not an error, because it cannot be
 * distinguished from one that was not reached.
 */
int watching_check(const struct shflviz_filter *watch, const struct trace *trace,
                   struct error *err);

#endif
