/* uniform_int_distribution.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_RANDOM_UNIFORM_INT_DISTRIBUTION_H
#define SHFLVIZ_CUDA_THRUST_RANDOM_UNIFORM_INT_DISTRIBUTION_H

#include <thrust/shflviz_thrust.h>

#endif
