/* observed.h - the list of accesses that interpreter.h describes, for machine.c. */
#ifndef SHFLVIZ_INTERPRETER_OBSERVED_H
#define SHFLVIZ_INTERPRETER_OBSERVED_H

#include <stdint.h>

/* The running lane accesses memory; `kind` as in cudacpu/observe/access_file.h. */
void observed_access(const void *address, unsigned kind);

#endif
