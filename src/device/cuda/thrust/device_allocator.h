/* device_allocator.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DEVICE_ALLOCATOR_H
#define SHFLVIZ_CUDA_THRUST_DEVICE_ALLOCATOR_H

#include <thrust/shflviz_thrust.h>

#endif
