/* operation.h - operations for tests: all lanes make the same call. */
#ifndef SHFLVIZ_TESTS_WARP_OPERATION_H
#define SHFLVIZ_TESTS_WARP_OPERATION_H

#include "warp/warp.h"

/* Every lane calls with the same argument and width, and passes `value` + lane. */
static inline struct warp_operation operation_make(unsigned value, enum warp_op op, int arg,
                                                   int width) {
    struct warp_operation operation = {
        .op = op,
        .type = WARP_TYPE_INT,
        .members = WARP_FULL_MASK,
        .present = WARP_FULL_MASK,
        .launched = WARP_FULL_MASK,
    };
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.arg[lane] = arg;
        operation.width[lane] = width;
        operation.in[lane] = value + (unsigned)lane;
    }
    return operation;
}

/* The findings if every defined lane is recorded according to the rules. */
static inline int findings_of(struct warp_operation *operation,
                              struct warp_finding findings[WARP_FINDINGS_MAX]) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation->out[lane] = outcome[lane].value;
        if (operation->op == WARP_OP_MATCH_ALL)
            operation->arg[lane] = outcome[lane].value != 0;
    }
    return warp_findings(operation, outcome, findings);
}

#endif
