/* warp_reduce.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_WARP_WARP_REDUCE_CUH
#define SHFLVIZ_CUDA_CUB_WARP_WARP_REDUCE_CUH

#include <cub/shflviz_cub.h>

#endif
