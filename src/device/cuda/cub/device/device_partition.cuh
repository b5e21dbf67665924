/* device_partition.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_DEVICE_DEVICE_PARTITION_CUH
#define SHFLVIZ_CUDA_CUB_DEVICE_DEVICE_PARTITION_CUH

#include <cub/shflviz_cub.h>

#endif
