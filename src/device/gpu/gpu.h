/*
 * gpu.h - the NVIDIA GPU as a device.
 *
 * The kernels and the recorder are compiled for it where a CUDA Toolkit is found, to show that they
 * are CUDA; running them is not built into the program yet, and it says so.
 */
#ifndef SHFLVIZ_DEVICE_GPU_H
#define SHFLVIZ_DEVICE_GPU_H

#include "base/error.h"

#include <stdbool.h>

/* False, with what is missing in err (ERROR_MISSING). */
bool gpu_available(struct error *err);

#endif
