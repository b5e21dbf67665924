/* thread_operators.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_THREAD_THREAD_OPERATORS_CUH
#define SHFLVIZ_CUDA_CUB_THREAD_THREAD_OPERATORS_CUH

#include <cub/shflviz_cub.h>

#endif
