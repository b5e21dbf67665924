/*
 * cudacpu.h - CUDA on the CPU: everything needed to build and run CUDA programs.
 *
 * process/user_program.h builds a program and runs it; observe/accesses.h reads what it accessed.
 * The headers that the CUDA program itself includes are in include/, under NVIDIA's names.
 */
#ifndef SHFLVIZ_CUDACPU_CUDACPU_H
#define SHFLVIZ_CUDACPU_CUDACPU_H

#include "cudacpu/observe/accesses.h"

#ifndef __wasm__ /* a web page starts no processes */
#include "cudacpu/compile/header_cache.h"
#include "cudacpu/compile/parts.h"
#include "cudacpu/guest/watched_recording.h"
#include "cudacpu/process/confine.h"
#include "cudacpu/process/user_program.h"
#endif

/* cudaGetErrorName() and cudaGetErrorString() of a number that CUDA's functions return. */
const char *cpu_runtime_error_name(int error);
const char *cpu_runtime_error_string(int error);

#endif
