/* device_delete.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DEVICE_DELETE_H
#define SHFLVIZ_CUDA_THRUST_DEVICE_DELETE_H

#include <thrust/shflviz_thrust.h>

#endif
