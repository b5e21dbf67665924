/* mismatch.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_MISMATCH_H
#define SHFLVIZ_CUDA_THRUST_MISMATCH_H

#include <thrust/shflviz_thrust.h>

#endif
