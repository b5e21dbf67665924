/* curand_uniform.h - see curand_kernel.h. */
#ifndef SHFLVIZ_CUDA_CURAND_UNIFORM
#define SHFLVIZ_CUDA_CURAND_UNIFORM

#include "curand_kernel.h"

#endif
