/*
 * program.cuh - what each .cu file of a user's program begins with: what is for both of clang's
 * sides, and the recorder.
 */
#ifndef CUDACPU_PROGRAM_CUH
#define CUDACPU_PROGRAM_CUH

#include "cudacpu/both_sides.h"
/* The recorder's own header comes behind, in this order. */
#include "shflviz/record.cuh"

#endif
