/*
 * ptx_functions.h - the instructions of inline PTX as functions: own/ptx.c calls them, own/
 * ptx_table.h lists them. Types and modifiers are the templates' arguments. Rules are those of the
 * PTX ISA 9.0, chapter "Instruction Set".
 */
#ifndef SHFLVIZ_CUDA_PTX_FUNCTIONS_H
#define SHFLVIZ_CUDA_PTX_FUNCTIONS_H

#include "ptx_arithmetic.h"
#include "ptx_bits.h"
#include "ptx_memory.h"
#include "ptx_warp.h"

#endif
