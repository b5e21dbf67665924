/*
 * cuda_surface_types.h - surfaces, which come with the runtime.
 */
#ifndef SHFLVIZ_CUDA_CUDA_SURFACE_TYPES_H
#define SHFLVIZ_CUDA_CUDA_SURFACE_TYPES_H

#include "cuda_runtime.h"

#endif
