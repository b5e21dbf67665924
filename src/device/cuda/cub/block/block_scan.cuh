/* block_scan.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_SCAN_CUH
#define SHFLVIZ_CUDA_CUB_BLOCK_BLOCK_SCAN_CUH

#include <cub/shflviz_cub.h>

#endif
