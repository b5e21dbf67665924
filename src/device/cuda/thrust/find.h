/* find.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_FIND_H
#define SHFLVIZ_CUDA_THRUST_FIND_H

#include <thrust/shflviz_thrust.h>

#endif
