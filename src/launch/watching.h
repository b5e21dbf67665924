/*
 * watching.h - what --watch-... asked for, held against what ran.
 */
#ifndef SHFLVIZ_LAUNCH_WATCHING_H
#define SHFLVIZ_LAUNCH_WATCHING_H

#include "base/error.h"
#include "shflviz/filter.h"
#include "trace/trace.h"

/*
 * Whether the run had what it was to be watched for. Fails (ERROR_USAGE), naming what there was, if
 * no launch was of that kernel or had that number, or if none that is watched has such a block or
 * warp. A line in which nothing happened is no mistake: nobody can tell it from one that was not
 * reached.
 */
int watching_check(const struct shflviz_filter *watch, const struct trace *trace,
                   struct error *err);

#endif
