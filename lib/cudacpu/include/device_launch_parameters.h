/*
 * device_launch_parameters.h - threadIdx and its like.
 */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "simt/lane.h"

/* Objects, so that host code may have variables of these names; threadIdx is each lane's own. */
#define threadIdx (static_cast<const uint3 &>(cpu_now.lane->thread_index))
#if defined(__APPLE__)
#define SHFLVIZ_SYMBOL(name) __asm__("_" name)
#else
#define SHFLVIZ_SYMBOL(name) __asm__(name)
#endif
extern "C" {
extern CPU_THREAD const uint3 blockIdx SHFLVIZ_SYMBOL("cpu_block_index") CPU_THREAD_LOCAL;
extern CPU_THREAD const dim3 blockDim SHFLVIZ_SYMBOL("cpu_block_dim") CPU_THREAD_LOCAL;
extern CPU_THREAD const dim3 gridDim SHFLVIZ_SYMBOL("cpu_grid_dim") CPU_THREAD_LOCAL;
}
#undef SHFLVIZ_SYMBOL
static constexpr int warpSize = CPU_WARP_LANES;

#endif
