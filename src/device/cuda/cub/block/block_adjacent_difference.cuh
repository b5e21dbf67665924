/* block_adjacent_difference.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_ADJACENT_DIFFERENCE_CUH
#define SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_ADJACENT_DIFFERENCE_CUH

#include <cub/shflviz_cub.h>

#endif
