/*
 * output.h - what a watched program prints, kept in its recording as it is printed.
 *
 * Linked into the program. Its streams stdout and stderr are replaced by ones that pass everything
 * on at once and tell the recording the step and the launch at which it came. What goes past them,
 * write(1, ...) or a process that the program starts, is printed and not kept. Where the C library
 * does not let streams be replaced (other than glibc), nothing is kept.
 */
#ifndef SHFLVIZ_DEVICE_OWN_OUTPUT_H
#define SHFLVIZ_DEVICE_OWN_OUTPUT_H

#include "trace/trace.h"

/* From the thread that records. The writer has to live until output_forget(). */
void output_keep(struct trace_writer *writer);

/* Nothing is kept from now on; printing works as before. */
void output_forget(void);

#endif
