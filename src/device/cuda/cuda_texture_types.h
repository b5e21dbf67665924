/*
 * cuda_texture_types.h - textures, which come with the runtime.
 */
#ifndef SHFLVIZ_CUDA_CUDA_TEXTURE_TYPES_H
#define SHFLVIZ_CUDA_CUDA_TEXTURE_TYPES_H

#include "cuda_runtime.h"

#endif
