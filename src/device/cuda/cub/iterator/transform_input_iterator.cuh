/* transform_input_iterator.cuh - see cub/shflviz_cub.h. */
#ifndef SHFLVIZ_CUDA_CUB_ITERATOR_TRANSFORM_INPUT_ITERATOR_CUH
#define SHFLVIZ_CUDA_CUB_ITERATOR_TRANSFORM_INPUT_ITERATOR_CUH

#include <cub/shflviz_cub.h>

#endif
