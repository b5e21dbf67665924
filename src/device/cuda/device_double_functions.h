/*
 * device_double_functions.h - arithmetic of doubles, which comes with the runtime.
 */
#ifndef __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
