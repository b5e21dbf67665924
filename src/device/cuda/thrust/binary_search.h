/* binary_search.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_BINARY_SEARCH_H
#define SHFLVIZ_CUDA_THRUST_BINARY_SEARCH_H

#include <thrust/shflviz_thrust.h>

#endif
