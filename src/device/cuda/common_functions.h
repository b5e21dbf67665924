/*
 * common_functions.h - what host and kernels share, which comes with the runtime.
 */
#ifndef __COMMON_FUNCTIONS_H__
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
