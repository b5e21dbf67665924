/* util_allocator.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_UTIL_ALLOCATOR_CUH
#define SHFLVIZ_CUDA_CUB_UTIL_ALLOCATOR_CUH

#include <cub/shflviz_cub.h>

#endif
