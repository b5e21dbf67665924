/*
 * failure.h - why a run in a memory_sink did not finish.
 */
#ifndef SHFLVIZ_TEST_FAILURE_H
#define SHFLVIZ_TEST_FAILURE_H

#include "memory_sink.h"

/* Appends why the run did not finish, in the words used for a recording of it. */
void memory_sink_failure(const struct memory_sink *sink, struct text *text);

#endif
