/* util_macro.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_UTIL_MACRO_CUH
#define SHFLVIZ_CUDA_CUB_UTIL_MACRO_CUH

#include <cub/shflviz_cub.h>

#endif
