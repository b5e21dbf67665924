/*
 * kernel_details.h - a kernel of kernels/ recorded with its lines, local variables and origins.
 *
 * The program has its kernels compiled in, and those tell nothing of their lines. The same text is
 * built once more, as a user program with a main() that hands it the same parameters, by clang;
 * where there is no clang it cannot be done.
 */
#ifndef SHFLVIZ_LAUNCH_KERNEL_DETAILS_H
#define SHFLVIZ_LAUNCH_KERNEL_DETAILS_H

#include "launch/launch.h"

/* Values of an input that a built program is given at most. */
#define KERNEL_DETAILS_VALUES 65536u

/* False on a page: no compiler is there. */
bool launch_has_details(void);

/* `was` is the recording of the same launch. *trace is the caller's, NULL after a failure
 * (ERROR_MISSING, ERROR_USAGE, ERROR_RUN). */
int launch_record_details(const struct launch *launch, const struct trace *was,
                          struct trace **trace, struct error *err);

#endif
