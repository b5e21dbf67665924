/* block_exchange.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_EXCHANGE_CUH
#define SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_EXCHANGE_CUH

#include <cub/shflviz_cub.h>

#endif
