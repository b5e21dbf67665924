/* for_each.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_FOR_EACH_H
#define SHFLVIZ_CUDA_THRUST_FOR_EACH_H

#include <thrust/shflviz_thrust.h>

#endif
