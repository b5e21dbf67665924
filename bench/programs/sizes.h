/*
 * sizes.h - the data of the programs in bench/programs: the same for CUDA, HIP and plain loops.
 */
#define ADD_N    100000000
#define MATRIX_N 256
#define IMAGE_N  2048
#define SUM_N    (1 << 22)
#define BODIES   2048
#define ROW      1024
#define ROWS     2048
#define TILE     16
#define BLOCK    256

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* a and b have ADD_N elements, in has SUM_N. */
static inline void fill(float *a, float *b, int *in) {
    for (int i = 0; i < ADD_N; i++) {
        a[i] = (float)(i * 7 % 1000) / 1000;
        b[i] = (float)(i * 3 % 77);
    }
    for (int i = 0; i < SUM_N; i++)
        in[i] = (int)((unsigned)i * 2654435761u >> 20 & 1023);
}

/* A sum that depends on the order of the values. */
static inline double weighed(const float *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] * (double)(i % 1009);
    return sum;
}
