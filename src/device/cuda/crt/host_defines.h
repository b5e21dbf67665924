/* host_defines.h - where the toolkit keeps it. */
#ifndef SHFLVIZ_CUDA_CRT_HOST_DEFINES_H
#define SHFLVIZ_CUDA_CRT_HOST_DEFINES_H

#include "../host_defines.h"

#endif
