/* iterator_traits.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_ITERATOR_ITERATOR_TRAITS_H
#define SHFLVIZ_CUDA_THRUST_ITERATOR_ITERATOR_TRAITS_H

#include <thrust/shflviz_thrust.h>

#endif
