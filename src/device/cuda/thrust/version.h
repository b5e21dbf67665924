/* version.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_VERSION_H
#define SHFLVIZ_CUDA_THRUST_VERSION_H

#include <thrust/shflviz_thrust.h>

#endif
