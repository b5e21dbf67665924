/* device_free.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DEVICE_FREE_H
#define SHFLVIZ_CUDA_THRUST_DEVICE_FREE_H

#include <thrust/shflviz_thrust.h>

#endif
