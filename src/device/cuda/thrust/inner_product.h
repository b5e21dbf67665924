/* inner_product.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_INNER_PRODUCT_H
#define SHFLVIZ_CUDA_THRUST_INNER_PRODUCT_H

#include <thrust/shflviz_thrust.h>

#endif
