/*
 * device_kernels.h - the kernels of kernels.cu, as the tests call them.
 */
#ifndef SHFLVIZ_TEST_DEVICE_KERNELS_H
#define SHFLVIZ_TEST_DEVICE_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

enum test_kernel {
    KERNEL_DIVERGENT_SYNC,
    KERNEL_BOTH_BRANCHES,
    KERNEL_TWO_BRANCHES_OF_THREE,
    KERNEL_BARRIER_MISSED,
    KERNEL_SPIN,
    KERNEL_EXIT_EARLY,
    KERNEL_LYING_MASK,
    KERNEL_OUTSIDER_ALONE,
    KERNEL_DIVERGENT_MASKS,
    KERNEL_EMPTY_MASK,
    KERNEL_SYNC_FROM_BOTH_BRANCHES,
    KERNEL_ODD_WIDTH,
    KERNEL_OWN_WIDTHS,
    KERNEL_KNOWN_ARGUMENTS,
    KERNEL_NESTED,
    KERNEL_NEIGHBOURS,
    KERNEL_PROMOTED,
    KERNEL_STATIC_SHARED,
    KERNEL_BARRIER_COUNTS,
    KERNEL_PRINTING,
    KERNEL_WATCHING,
    KERNEL_LOCK,
    KERNEL_ORDER
};
#define TEST_NEIGHBOURS 15

/* Lines of calls, known after the kernel has run. */
enum {
    LINE_SYNC,
    LINE_SHUFFLE,
    LINE_ODD,
    LINE_EVEN,
    LINE_FIRST,
    LINE_SECOND,
    LINE_BARRIER,
    LINE_BALLOT,
    TEST_LINES
};
extern int test_lines[TEST_LINES];

/* Each returns a cudaError_t. */
int test_launch(enum test_kernel kernel, unsigned blocks, unsigned threads, int *out);
int test_thread_ids(const unsigned grid[3], const unsigned block[3], int *out);
int test_atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d);
int test_dynamic_shared(unsigned blocks, unsigned threads, int *out);

/* operation: + - * / q (square root of a) or f (a * b + c). */
unsigned short test_half(int operation, unsigned short a, unsigned short b, unsigned short c);
unsigned short test_bfloat16(int operation, unsigned short a, unsigned short b, unsigned short c);
unsigned short test_half_of(double value);
unsigned short test_bfloat16_of(double value);
unsigned short test_half_of_integer(long long value);
double test_half_to_double(unsigned short bits);
double test_bfloat16_to_double(unsigned short bits);

#ifdef __cplusplus
}
#endif

#endif
