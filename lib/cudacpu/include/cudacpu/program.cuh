/*
 * program.cuh - included before each .cu file of a user program: definitions for both of clang's
 * sides, and the recorder.
 */
#ifndef CUDACPU_PROGRAM_CUH
#define CUDACPU_PROGRAM_CUH

#include "cudacpu/both_sides.h"
/* The recorder's own header comes last, in this order. */
#include "shflviz/record.cuh"

#endif
