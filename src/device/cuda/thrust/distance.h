/* distance.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DISTANCE_H
#define SHFLVIZ_CUDA_THRUST_DISTANCE_H

#include <thrust/shflviz_thrust.h>

#endif
