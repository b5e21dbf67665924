/*
 * device_types.h - the runtime's types.
 */
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

#include "cuda_runtime_api.h"

#endif
