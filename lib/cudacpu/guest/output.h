/*
 * output.h - keeps the output of a watched program in its recording as it is printed.
 *
 * Linked into the program. Its streams stdout and stderr are replaced by ones that pass everything
 * on immediately and record the step and the launch at which it is printed. Output that bypasses
 * them, by write(1, ...) or a child process, is printed but not kept. Where the C library does not
 * let streams be replaced (other than glibc), nothing is kept.
 */
#ifndef SHFLVIZ_DEVICE_OWN_OUTPUT_H
#define SHFLVIZ_DEVICE_OWN_OUTPUT_H

#include "trace/trace.h"

/* Called by the thread that records. The writer must live until output_detach(). */
void output_attach(struct trace_writer *writer);

/* Nothing is kept from now on; printing works as before. */
void output_detach(void);

#endif
