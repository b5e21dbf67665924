/* parameters.h - checks the parameters of a program in the same way for every device. */
#ifndef SHFLVIZ_DEVICE_PARAMETERS_H
#define SHFLVIZ_DEVICE_PARAMETERS_H

#include "base/error.h"
#include "device/device_ops.h"

/* Returns 0, or -1 (ERROR_USAGE) naming a value that no device accepts. */
int parameters_check(const struct program *program, const struct program_parameters *parameters,
                     struct error *err);

#endif
