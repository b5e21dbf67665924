/* normal_distribution.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_RANDOM_NORMAL_DISTRIBUTION_H
#define SHFLVIZ_CUDA_THRUST_RANDOM_NORMAL_DISTRIBUTION_H

#include <thrust/shflviz_thrust.h>

#endif
