/* version.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_VERSION_CUH
#define SHFLVIZ_CUDA_CUB_VERSION_CUH

#include <cub/shflviz_cub.h>

#endif
