/* block_radix_sort.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_RADIX_SORT_CUH
#define SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_RADIX_SORT_CUH

#include <cub/shflviz_cub.h>

#endif
