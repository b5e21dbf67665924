/* util_ptx.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_UTIL_PTX_CUH
#define SHFLVIZ_CUDA_CUB_UTIL_PTX_CUH

#include <cub/shflviz_cub.h>

#endif
