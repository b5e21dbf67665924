/* util_device.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_UTIL_DEVICE_CUH
#define SHFLVIZ_CUDA_CUB_UTIL_DEVICE_CUH

#include <cub/shflviz_cub.h>

#endif
