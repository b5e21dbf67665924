/*
 * texture_fetch_functions.h - textures in kernels, which come with the runtime.
 */
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
