/* device_launch_parameters.h - threadIdx and its like; on the CPU warp they come with the runtime.
 */
#ifndef SHFLVIZ_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define SHFLVIZ_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif
