/* curand_lognormal.h - see curand_kernel.h. */
#ifndef SHFLVIZ_CUDA_CURAND_LOGNORMAL
#define SHFLVIZ_CUDA_CURAND_LOGNORMAL

#include "curand_kernel.h"

#endif
