/*
 * cuda_device_runtime_api.h - the runtime as kernels see it, which comes with the whole.
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime.h"

#endif
