/* transform_scan.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_TRANSFORM_SCAN_H
#define SHFLVIZ_CUDA_THRUST_TRANSFORM_SCAN_H

#include <thrust/shflviz_thrust.h>

#endif
