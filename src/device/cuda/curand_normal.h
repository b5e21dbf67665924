/* curand_normal.h - see curand_kernel.h. */
#ifndef SHFLVIZ_CUDA_CURAND_NORMAL
#define SHFLVIZ_CUDA_CURAND_NORMAL

#include "curand_kernel.h"

#endif
