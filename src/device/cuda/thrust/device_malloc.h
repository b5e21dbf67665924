/* device_malloc.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DEVICE_MALLOC_H
#define SHFLVIZ_CUDA_THRUST_DEVICE_MALLOC_H

#include <thrust/shflviz_thrust.h>

#endif
