/* util_debug.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_UTIL_DEBUG_CUH
#define SHFLVIZ_CUDA_CUB_UTIL_DEBUG_CUH

#include <cub/shflviz_cub.h>

#endif
