/* block_discontinuity.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_DISCONTINUITY_CUH
#define SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_DISCONTINUITY_CUH

#include <cub/shflviz_cub.h>

#endif
