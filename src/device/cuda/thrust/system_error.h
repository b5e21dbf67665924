/* system_error.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_SYSTEM_ERROR_H
#define SHFLVIZ_CUDA_THRUST_SYSTEM_ERROR_H

#include <thrust/shflviz_thrust.h>

#endif
