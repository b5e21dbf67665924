/* cublas_api.h - see cublas_v2.h. */
#ifndef SHFLVIZ_CUDA_CUBLAS_API_H
#define SHFLVIZ_CUDA_CUBLAS_API_H

#include "cublas_v2.h"

#endif
