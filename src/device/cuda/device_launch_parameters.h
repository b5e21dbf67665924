/*
 * device_launch_parameters.h - threadIdx and its like.
 */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "shflviz/cpu/lane.h"

/* Objects, so that host code may have variables of these names; threadIdx is each lane's own. */
#define threadIdx (static_cast<const uint3 &>(cpu_now.lane->thread_index))
static constexpr const uint3 &blockIdx = cpu_now.block_index;
static constexpr const dim3 &blockDim = cpu_now.block_dim;
static constexpr const dim3 &gridDim = cpu_now.grid_dim;
static constexpr int warpSize = CPU_WARP_LANES;

#endif
