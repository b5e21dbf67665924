/* linear_congruential_engine.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_RANDOM_LINEAR_CONGRUENTIAL_ENGINE_H
#define SHFLVIZ_CUDA_THRUST_RANDOM_LINEAR_CONGRUENTIAL_ENGINE_H

#include <thrust/shflviz_thrust.h>

#endif
