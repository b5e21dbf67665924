/*
 * made.h - recordings made from a table of steps, for tests of single views for which the samples
 * of sample.h are too simple. One warp, 32 threads.
 */
#ifndef SHFLVIZ_TESTS_MADE_H
#define SHFLVIZ_TESTS_MADE_H

#include "trace/trace.h"

struct made_step {
    enum warp_op op;
    int32_t arg, width;
    uint32_t members, present; /* 0: all lanes */
    int64_t value, slope;      /* lane n passes value + (n >> shift) * slope */
    const char *text;          /* the text of the call */
    int shift;
    int32_t arg_slope; /* lane n passes arg + n * arg_slope */
    int64_t got;       /* the result of each lane whose result the rules do not define */
    bool damaged;      /* the record cannot be read */
};

/* A value has 4 or 8 `bytes`. `source` is the text of kernel.cu, or NULL; step i is on its line
 * i + 1. `notes` has names and texts in turn, then NULL. The caller closes the trace. */
struct trace *made_open(unsigned bytes, enum warp_type type, const struct made_step *steps,
                        size_t count, const char *source, const char *const *notes);

#endif
