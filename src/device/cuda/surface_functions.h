/*
 * surface_functions.h - surfaces in kernels, which come with the runtime.
 */
#ifndef __SURFACE_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
