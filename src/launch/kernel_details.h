/*
 * kernel_details.h - records a kernel of kernels/ with its lines, local variables and origins.
 *
 * The kernels that are compiled into shflviz do not report their lines. So clang builds the same
 * source again, as a user program with a main() that passes the kernel the same parameters. Without
 * clang this fails.
 */
#ifndef SHFLVIZ_LAUNCH_KERNEL_DETAILS_H
#define SHFLVIZ_LAUNCH_KERNEL_DETAILS_H

#include "launch/launch.h"

/* The maximum number of values that a built program takes as input. */
#define KERNEL_DETAILS_VALUES 65536u

/* False on a web page, where there is no compiler. */
bool launch_has_details(void);

/* Like child_set_idle_hook() (cudacpu/process/child.h): `ends` is called while programs are built
 * and run. */
bool launch_set_cancel_poll(bool (*ends)(void));

/* `was` is the recording of the same launch. *trace belongs to the caller; NULL after a
 * failure (ERROR_MISSING, ERROR_USAGE, ERROR_RUN). */
int launch_record_details(const struct launch *launch, const struct trace *was,
                          struct trace **trace, struct error *err);

#endif
