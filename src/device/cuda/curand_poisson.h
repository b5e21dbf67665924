/* curand_poisson.h - see curand_kernel.h. */
#ifndef SHFLVIZ_CUDA_CURAND_POISSON
#define SHFLVIZ_CUDA_CURAND_POISSON

#include "curand_kernel.h"

#endif
