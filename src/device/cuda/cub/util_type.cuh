/* util_type.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_UTIL_TYPE_CUH
#define SHFLVIZ_CUDA_CUB_UTIL_TYPE_CUH

#include <cub/shflviz_cub.h>

#endif
