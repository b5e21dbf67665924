/* device_new.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DEVICE_NEW_H
#define SHFLVIZ_CUDA_THRUST_DEVICE_NEW_H

#include <thrust/shflviz_thrust.h>

#endif
