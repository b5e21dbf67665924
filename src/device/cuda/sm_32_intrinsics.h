/*
 * sm_32_intrinsics.h - functions of kernels since that compute capability, which come with the
 * runtime.
 */
#ifndef __SM_32_INTRINSICS_H__
#define __SM_32_INTRINSICS_H__

#include "cuda_runtime.h"

#endif
