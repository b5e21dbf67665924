/* device_run_length_encode.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH
#define SHFLVIZ_CUDA_CUB_DEVICE_DEVICE_RUN_LENGTH_ENCODE_CUH

#include <cub/shflviz_cub.h>

#endif
