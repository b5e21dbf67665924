/* universal_vector.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_UNIVERSAL_VECTOR_H
#define SHFLVIZ_CUDA_THRUST_UNIVERSAL_VECTOR_H

#include <thrust/shflviz_thrust.h>

#endif
