/* device_ptr.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DEVICE_PTR_H
#define SHFLVIZ_CUDA_THRUST_DEVICE_PTR_H

#include <thrust/shflviz_thrust.h>

#endif
