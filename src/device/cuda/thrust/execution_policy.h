/* execution_policy.h - see thrust/shflviz_thrust.h. */
#ifndef SHFLVIZ_CUDA_THRUST_EXECUTION_POLICY_H
#define SHFLVIZ_CUDA_THRUST_EXECUTION_POLICY_H

#include <thrust/shflviz_thrust.h>

#endif
