/* device_launch_parameters.h - threadIdx and its like; on the CPU warp they come with the runtime.
 */
#ifndef SHFLVIZ_CPU_DEVICE_LAUNCH_PARAMETERS_H
#define SHFLVIZ_CPU_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
