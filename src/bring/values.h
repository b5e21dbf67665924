/* values.h - a launch being built, and the values of its arguments. */
#ifndef SHFLVIZ_BRING_VALUES_H
#define SHFLVIZ_BRING_VALUES_H

#include "base/error.h"
#include "base/text.h"
#include "bring/functions.h"

#include <stdbool.h>
#include <stddef.h>

/* One --arg: NAME=VALUE, NAME=[COUNT]:VALUES, NAME=TYPE[COUNT]:VALUES. */
struct bring_value {
    char *name, *type, *values; /* "" if none is given */
    size_t count;               /* of an array; 0 for a number */
};

struct bring_launch {
    const struct function *function; /* NULL if the call is an expression */
    bool in_lanes;                   /* not a kernel, but called by every lane of one */
    struct text name;                /* with its template arguments: "my::k<float, 128>" */
    struct text grid, block, shared; /* "1", "dim3(32, 2)" */
    char **arguments;                /* as C++; a name in `values` means its value */
    size_t argument_count;
    struct bring_value *values;
    size_t value_count;
    bool chosen; /* part of it was not specified */
};

/* Reads one --arg into *value, which the caller releases even after a failure. */
int bring_value_read(struct bring_value *value, const char *text, struct error *err);
void bring_value_release(struct bring_value *value);
/* Copies a value into the launch, where it replaces the one of the same name, if any. */
void bring_launch_set_value(struct bring_launch *launch, const struct bring_value *value);

#endif
