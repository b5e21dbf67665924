/* device_segmented_sort.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_DEVICE_DEVICE_SEGMENTED_SORT_CUH
#define SHFLVIZ_CUDA_CUB_DEVICE_DEVICE_SEGMENTED_SORT_CUH

#include <cub/shflviz_cub.h>

#endif
