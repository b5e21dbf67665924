/* curand_mrg32k3a.h - see curand_kernel.h. */
#ifndef SHFLVIZ_CUDA_CURAND_MRG32K3A
#define SHFLVIZ_CUDA_CURAND_MRG32K3A

#include "curand_kernel.h"

#endif
