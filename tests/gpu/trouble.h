/*
 * trouble.h - how a warp of the kernel of trouble.cu fails, after its shuffles.
 *
 * Read by the kernel on both devices and by the program that computes the expected results.
 */
#ifndef SHFLVIZ_TEST_TROUBLE_H
#define SHFLVIZ_TEST_TROUBLE_H

#include <stdint.h>

#define TROUBLE_ROUNDS 64

/* Passed as the program's width. */
enum trouble {
    TROUBLE_NONE,
    TROUBLE_FAULT,  /* a write to an address without memory */
    TROUBLE_TRAP,   /* __trap() */
    TROUBLE_SHAPE,  /* more shared memory than there is: the launch is refused */
    TROUBLE_ENDLESS /* a loop that never ends */
};

#ifdef __CUDACC__
#define TROUBLE_FUNCTION static __host__ __device__
#else
#define TROUBLE_FUNCTION static inline
#endif

/* A lane's value in a round; modulo the number of rounds it is the round. */
TROUBLE_FUNCTION uint32_t trouble_value(uint32_t warp, uint32_t lane, uint32_t round) {
    return (warp * 32 + lane) * TROUBLE_ROUNDS + round;
}

#endif
