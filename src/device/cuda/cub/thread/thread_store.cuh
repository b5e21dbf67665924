/* thread_store.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_THREAD_THREAD_STORE_CUH
#define SHFLVIZ_CUDA_CUB_THREAD_THREAD_STORE_CUH

#include <cub/shflviz_cub.h>

#endif
