/* uninitialized_copy.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_UNINITIALIZED_COPY_H
#define SHFLVIZ_CUDA_THRUST_UNINITIALIZED_COPY_H

#include <thrust/shflviz_thrust.h>

#endif
