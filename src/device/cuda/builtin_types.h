/*
 * builtin_types.h - all of the runtime's types.
 */
#ifndef __BUILTIN_TYPES_H__
#define __BUILTIN_TYPES_H__

#include "cuda_runtime_api.h"

#endif
