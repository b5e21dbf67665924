/* adjacent_difference.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_ADJACENT_DIFFERENCE_H
#define SHFLVIZ_CUDA_THRUST_ADJACENT_DIFFERENCE_H

#include <thrust/shflviz_thrust.h>

#endif
