/*
 * call_function.h - the warp functions that a call may name, and the programs that make such a call
 * alone.
 */
#ifndef SHFLVIZ_LAUNCH_CALL_FUNCTION_H
#define SHFLVIZ_LAUNCH_CALL_FUNCTION_H

#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>

struct call_function {
    const char *name;
    enum warp_op op;
    const char *command;    /* the program that makes the call */
    const char *option;     /* of the four shuffles: how it names its argument; NULL: has none */
    const char *parameters; /* as a message names them */
    int least, most;        /* how many arguments */
    bool is_member;         /* of a group: no mask, no width */
    int assumed;            /* what an argument is taken for whose name says nothing */
};

/* The function of that name; with `is_member` a cooperative group's. "shfl_sync" is what articles
 * write for "__shfl_sync", so the underscores may be left out. NULL: there is none. */
const struct call_function *call_function_named(const char *name, size_t length, bool is_member);

/* cooperative_groups::reduce() takes the operation as its last argument. */
#define CALL_GROUP_REDUCE "reduce"

/* The function that reduces by an operator as it is written, "cg::plus<int>()"; NULL: none does. */
const struct call_function *call_function_of_operator(const char *words);

/* The operation of a function by its name, "__shfl_sync" or a group's "shfl"; -1 if it is none. */
int call_function(const char *name);
/* How it is declared; NULL where a group's member has no function beside it. */
const char *call_signature(enum warp_op op);

#endif
