/* thread_load.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_THREAD_THREAD_LOAD_CUH
#define SHFLVIZ_CUDA_CUB_THREAD_THREAD_LOAD_CUH

#include <cub/shflviz_cub.h>

#endif
