/*
 * driver.h - what the files of the driver API share: whether a call may be made, and a call of
 * the runtime as one of the driver.
 */
#ifndef SHFLVIZ_CPU_API_DRIVER_H
#define SHFLVIZ_CPU_API_DRIVER_H

#include "cudacpu/libraries/library.h"

#include <cuda.h>

/* The driver's number for what the runtime says: most are the same. */
CUresult driver_result(cudaError_t error);
/* Around a call of the runtime, whose own last error is to know nothing of it. */
void driver_begin(void);
CUresult driver_end(cudaError_t error);
/* CUDA_SUCCESS after cuInit(), or after the runtime has been used; and if a context is current. */
CUresult driver_initialized(void);
CUresult driver_in_context(void);

#define NEED_DRIVER()                                                                              \
    do {                                                                                           \
        const CUresult need = driver_initialized();                                                \
        if (need != CUDA_SUCCESS)                                                                  \
            return need;                                                                           \
    } while (0)
#define NEED_CONTEXT()                                                                             \
    do {                                                                                           \
        const CUresult need = driver_in_context();                                                 \
        if (need != CUDA_SUCCESS)                                                                  \
            return need;                                                                           \
    } while (0)
#define AS_RUNTIME(call) (driver_begin(), driver_end(call))

/* Calls that the runtime has, too. */
#define SAME(declaration, call)                                                                    \
    CUresult declaration {                                                                         \
        NEED_CONTEXT();                                                                            \
        return AS_RUNTIME(call);                                                                   \
    }

static inline void *driver_address(CUdeviceptr pointer) {
    return (void *)(uintptr_t)pointer;
}

#endif
