/* uninitialized_fill.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_UNINITIALIZED_FILL_H
#define SHFLVIZ_CUDA_THRUST_UNINITIALIZED_FILL_H

#include <thrust/shflviz_thrust.h>

#endif
