/* ptx/carry.h - inline PTX: the carry flag of add.cc and its like. */
#ifndef CUDACPU_PTX_CARRY_H
#define CUDACPU_PTX_CARRY_H

#include "simt/lane.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

extern CPU_THREAD bool cpu_ptx_carry CPU_THREAD_LOCAL;

#ifdef __cplusplus
}
#endif

#endif
