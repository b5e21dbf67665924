/*
 * sm_20_atomic_functions.h - functions of kernels since that compute capability, which come with
 * the runtime.
 */
#ifndef __SM_20_ATOMIC_FUNCTIONS_H__
#define __SM_20_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
