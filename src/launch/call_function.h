/*
 * call_function.h - the warp functions that a call may name, and the programs that make only
 * such a call.
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
    const char *option;     /* for the four shuffles: the option for their argument; NULL if there
                             * is none */
    const char *parameters; /* as it appears in messages */
    int least, most;        /* the number of arguments */
    bool is_member;         /* of a group: takes no mask and no width */
    int assumed;            /* the assumed value of an argument with an unknown name */
};

/* The function of that name; if `is_member`, a member function of a cooperative group. Articles
 * write "shfl_sync" for "__shfl_sync", so the underscores may be left out. NULL if there is
 * none. */
const struct call_function *call_function_named(const char *name, size_t length, bool is_member);

/* cooperative_groups::reduce() takes the operation as its last argument. */
#define CALL_GROUP_REDUCE "reduce"

/* The function that reduces with an operator as written, "cg::plus<int>()"; NULL if there is
 * none. */
const struct call_function *call_function_of_operator(const char *words);

/* The operation of a function by its name, "__shfl_sync" or a group's "shfl"; -1 if it has none. */
int call_function(const char *name);
/* The declaration of the operation's function; NULL if a group's member has no matching
 * function. */
const char *call_signature(enum warp_op op);

#endif
