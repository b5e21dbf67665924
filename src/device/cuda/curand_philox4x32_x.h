/* curand_philox4x32_x.h - see curand_kernel.h. */
#ifndef SHFLVIZ_CUDA_CURAND_PHILOX4X32_X
#define SHFLVIZ_CUDA_CURAND_PHILOX4X32_X

#include "curand_kernel.h"

#endif
