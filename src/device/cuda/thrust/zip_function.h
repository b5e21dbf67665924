/* zip_function.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_ZIP_FUNCTION_H
#define SHFLVIZ_CUDA_THRUST_ZIP_FUNCTION_H

#include <thrust/shflviz_thrust.h>

#endif
