/*
 * tell_shared.h - what the translation adds after the declaration of a `__shared__` variable, so
 * that whoever watches memory knows of it.
 */
#ifndef SHFLVIZ_DEVICE_OWN_TELL_SHARED_H
#define SHFLVIZ_DEVICE_OWN_TELL_SHARED_H

#include "base/text.h"

#include <stdbool.h>

/* What is said about a declaration. */
struct tell_shared {
    bool region;  /* where the variable is, each time that a lane comes to it (a statement) */
    bool name;    /* what it is called (a declaration, which may stand wherever that one does) */
    bool dynamic; /* it is `extern`: its size is the launch's */
};

/* Appends it for all variables of the declaration that begins at `from`, up to its semicolon or
 * `end`; in one line. */
void tell_shared_append(struct text *text, const char *from, const char *end,
                        const struct tell_shared *told);

#endif
