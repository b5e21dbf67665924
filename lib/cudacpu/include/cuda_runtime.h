/*
 * cuda_runtime.h - CUDA C++ for the host's compiler: everything that a kernel and its host code
 * need to run on the CPU warp. The warp operations come from shflviz/record.cuh.
 *
 * Names and meanings are those of the CUDA Toolkit, and so are the headers' names and guards.
 * Differences:
 *  - a file that declares an `extern __shared__` array is compiled with
 *    -DSHFLVIZ_DYNAMIC_SHARED=NAME, the array's name (CMake's shflviz_kernel_sources() does);
 *  - kernels are launched with cudaLaunchKernel(), since <<<>>> is not C++.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* The language, and the headers that nvcc includes with it. */
#ifdef __cplusplus
#include "device_launch_parameters.h"
#endif
#include "host_defines.h"
#include "vector_functions.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Functions for the host. */
#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#ifdef __cplusplus
#include "cudacpu/launch.h"
#include "cudacpu/runtime_templates.h"
#endif

/* Functions for kernels. */
#ifdef __cplusplus
#include "cudacpu/nv_atomic_functions.h"
#include "device_atomic_functions.h"
#include "device_functions.h"
#include "math_functions.h"
#include "texture_indirect_functions.h"
#endif

#endif
