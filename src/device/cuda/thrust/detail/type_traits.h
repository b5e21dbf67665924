/* detail/type_traits.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_DETAIL_TYPE_TRAITS_H
#define SHFLVIZ_CUDA_THRUST_DETAIL_TYPE_TRAITS_H

#include <thrust/shflviz_thrust.h>

#endif
