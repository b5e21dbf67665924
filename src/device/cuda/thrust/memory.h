/* memory.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_MEMORY_H
#define SHFLVIZ_CUDA_THRUST_MEMORY_H

#include <thrust/shflviz_thrust.h>

#endif
