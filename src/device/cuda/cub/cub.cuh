/* cub.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_CUB_CUH
#define SHFLVIZ_CUDA_CUB_CUB_CUH

#include <cub/shflviz_cub.h>

#endif
