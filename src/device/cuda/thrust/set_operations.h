/* set_operations.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_SET_OPERATIONS_H
#define SHFLVIZ_CUDA_THRUST_SET_OPERATIONS_H

#include <thrust/shflviz_thrust.h>

#endif
