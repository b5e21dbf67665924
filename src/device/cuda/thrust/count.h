/* count.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_COUNT_H
#define SHFLVIZ_CUDA_THRUST_COUNT_H

#include <thrust/shflviz_thrust.h>

#endif
