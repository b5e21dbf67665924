/*
 * ptx/functions.h - the instructions of inline PTX as functions: cudacpu/ptx/ptx.c calls them,
 * ptx_table.h lists them. Types and modifiers are template arguments. The rules are those of the
 * PTX ISA 9.0, chapter "Instruction Set".
 */
#ifndef SHFLVIZ_CUDA_PTX_FUNCTIONS_H
#define SHFLVIZ_CUDA_PTX_FUNCTIONS_H

#include "cudacpu/ptx/arithmetic.h"
#include "cudacpu/ptx/bits.h"
#include "cudacpu/ptx/matrix.h"
#include "cudacpu/ptx/memory.h"
#include "cudacpu/ptx/warp.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

CUDACPU_DEVICE_END
#endif
