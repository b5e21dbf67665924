/*
 * device_launch_parameters.h - threadIdx and its like.
 */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "shflviz/cpu/lane.h"

#define threadIdx (static_cast<const uint3 &>(cpu_now.lane->thread_index))
#define blockIdx  (static_cast<const uint3 &>(cpu_now.block_index))
#define blockDim  (static_cast<const dim3 &>(cpu_now.block_dim))
#define gridDim   (static_cast<const dim3 &>(cpu_now.grid_dim))
static constexpr int warpSize = CPU_WARP_LANES;

#endif
