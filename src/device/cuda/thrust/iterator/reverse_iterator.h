/* reverse_iterator.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_ITERATOR_REVERSE_ITERATOR_H
#define SHFLVIZ_CUDA_THRUST_ITERATOR_REVERSE_ITERATOR_H

#include <thrust/shflviz_thrust.h>

#endif
