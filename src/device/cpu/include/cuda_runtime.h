/*
 * cuda_runtime.h - CUDA for the CPU warp: the language and the runtime API, then the warp
 * operations, which the recorder provides.
 */
#ifndef SHFLVIZ_CPU_CUDA_RUNTIME_H
#define SHFLVIZ_CPU_CUDA_RUNTIME_H

#include "shflviz_cpu/cuda_core.h"

#include "shflviz/record.cuh"

#endif
