/*
 * kernels.cu - kernels for the tests of the CPU warp, both correct and wrong.
 *
 * Line numbers matter: deadlock messages are compared with them, so each call with an expected
 * line follows a LINE_OF(...) that stores its number.
 */
#include "device_kernels.h"

#include <cuda_runtime.h>

#include <cstdio> /* included as a learner might; printf is still the device's */

/* Stores, for the test, the line of the statement that follows on the same line. */
#define LINE_OF(which) test_lines[which] = __LINE__;
int test_lines[TEST_LINES];

#define FULL 0xffffffff

static __device__ unsigned linear_thread() {
    return threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
}

/* ---- lanes that wait for each other ---- */

__global__ void divergent_sync(int *out) {
    int lane = threadIdx.x;
    if (lane < 16) {
        LINE_OF(LINE_SYNC) __syncwarp();
    } else {
        LINE_OF(LINE_SHUFFLE) out[lane] = __shfl_sync(FULL, lane, 0);
    }
}

__global__ void both_branches(int *out) {
    int lane = threadIdx.x;
    if (lane % 2) {
        LINE_OF(LINE_ODD) out[lane] = __shfl_xor_sync(FULL, lane, 1);
    } else {
        LINE_OF(LINE_EVEN) out[lane] = __shfl_xor_sync(FULL, lane, 1);
    }
}

__global__ void two_branches_of_three(int *out) {
    int lane = threadIdx.x;
    if (lane == 0) {
        LINE_OF(LINE_FIRST) out[lane] = __shfl_xor_sync(FULL, lane, 1);
    } else if (lane == 1) {
        LINE_OF(LINE_SECOND) out[lane] = __shfl_xor_sync(FULL, lane, 1);
    } else {
        out[lane] = __shfl_down_sync(FULL, lane, 1);
    }
}

__global__ void barrier_missed(int *out) {
    int thread = threadIdx.x;
    out[thread] = __shfl_sync(FULL, thread, 3);
    if (thread < 40) {
        LINE_OF(LINE_BARRIER) __syncthreads();
    } else {
        LINE_OF(LINE_BALLOT) out[thread] = __ballot_sync(FULL, thread);
    }
}

__global__ void spin(int *out) {
    if (threadIdx.x == 0)
        __syncwarp(3);
    else
        while (atomicCAS(out, 7, 8) != 7) {
        }
}

/* ---- lanes that leave, pass wrong masks or are outside ---- */

__global__ void exit_early(int *out) {
    int lane = threadIdx.x;
    if (lane >= 20)
        return;
    out[lane] = __shfl_down_sync(FULL, 100 + lane, 4);
}

__global__ void lying_mask(int *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_xor_sync(0x0000ffff, lane, 16);
}

__global__ void outsider_alone(int *out) {
    int lane = threadIdx.x;
    if (lane == 5)
        out[lane] = __shfl_sync(0xffff0000, lane, 20);
    __syncwarp();
    if (lane != 5)
        out[lane] = lane;
}

__global__ void divergent_masks(int *out) {
    int lane = threadIdx.x;
    unsigned mask = lane < 16 ? 0x0000ffff : 0xffffffff;
    out[lane] = __shfl_xor_sync(mask, lane, 1);
}

__global__ void empty_mask(int *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_sync(0, lane, 0);
}

__global__ void sync_from_both_branches(int *out) {
    int lane = threadIdx.x;
    if (lane % 2)
        __syncwarp();
    else
        __syncwarp();
    out[lane] = lane;
}

__global__ void odd_width(int *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_sync(FULL, lane, 1, 12);
}

__global__ void own_widths(int *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_down_sync(FULL, lane, 1, lane < 16 ? 8 : 16);
}

/* One location, whose arguments the compiler knows once this function is inlined. */
static __device__ __forceinline__ int fetch(int value, int delta) {
    return __shfl_down_sync(FULL, value, delta);
}

__global__ void known_arguments(int *out) {
    int lane = threadIdx.x;
    if (lane < 16)
        out[lane] = fetch(lane, 1);
    else
        out[lane] = fetch(lane, 2);
    out[lane] += (int)(__shfl_xor_sync(FULL, (long long)lane << 40, 5) >> 32);
    if (lane >= 20)
        return;
    int third = fetch(lane, 3);
    if (lane < 17)
        out[lane] += third << 16;
}

__global__ void nested(int *out) {
    int lane = threadIdx.x;
    out[lane] = __shfl_xor_sync(FULL, __shfl_xor_sync(FULL, lane, 1), 2);
}

/* ---- votes and the like ---- */

__global__ void neighbours(unsigned *out) {
    int lane = threadIdx.x, all_equal, none_equal;
    unsigned *mine = out + lane * TEST_NEIGHBOURS;
    mine[0] = __ballot_sync(FULL, lane % 3 == 0);
    mine[1] = __any_sync(FULL, lane == 9) != 0;
    mine[2] = __all_sync(FULL, lane == 9) != 0;
    mine[3] = __match_any_sync(FULL, lane / 8);
    mine[4] = __match_all_sync(FULL, 3.5, &all_equal);
    mine[5] = __match_all_sync(FULL, lane, &none_equal);
    mine[6] = all_equal != 0;
    mine[7] = none_equal != 0;
    mine[8] = __reduce_add_sync(FULL, lane - 16);
    mine[9] = __reduce_min_sync(FULL, lane - 16);
    mine[10] = __reduce_max_sync(FULL, (unsigned)lane * 3);
    mine[11] = __reduce_and_sync(FULL, (unsigned)lane | 0x60);
    mine[12] = __reduce_or_sync(FULL, 1u << lane);
    mine[13] = __reduce_xor_sync(FULL, (unsigned)lane);
    __syncwarp();
    mine[14] = __activemask();
}

/* ---- types ---- */

/* Integer promotion is CUDA's: a short is passed as an int. Floats stay floats. */
__global__ void promoted(int *out) {
    int lane = threadIdx.x;
    short little = (short)(lane - 40);
    bool odd = lane % 2;
    auto a = __shfl_sync(FULL, little, 2);
    auto b = __shfl_sync(FULL, odd, 3);
    auto c = __shfl_sync(FULL, lane + 0.5f, 4);
    out[lane] = sizeof a == sizeof(int) && a == -38 && b == 1 && c == 4.5f;
}

/* ---- blocks ---- */

__global__ void thread_ids(int *out) {
    unsigned thread = linear_thread();
    unsigned block = blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    /* Lane 1 of each warp is read: its linear thread number is 32 * warp + 1. */
    int from_lane_1 = __shfl_sync(FULL, (int)thread, 1);
    out[block * threads + thread] = from_lane_1;
}

__global__ void static_shared(int *out) {
    __shared__ int numbers[64];
    unsigned thread = threadIdx.x;
    out[blockIdx.x * 128 + thread] = numbers[thread]; /* garbage, not zero */
    __syncthreads();
    numbers[thread] = thread * 3;
    __syncthreads();
    out[blockIdx.x * 128 + 64 + thread] = numbers[63 - thread];
}

__global__ void barrier_counts(int *out) {
    int thread = threadIdx.x;
    if (thread == 69)
        return; /* it no longer counts */
    out[thread * 3] = __syncthreads_count(thread % 2);
    out[thread * 3 + 1] = __syncthreads_and(thread >= 0);
    out[thread * 3 + 2] = __syncthreads_or(thread == 68);
}

__global__ void printing() {
    printf("lane %d of block %d\n", threadIdx.x, blockIdx.x);
}

__global__ void watching(int *out) {
    int lane = threadIdx.x, sum = 0;
    for (int round = 0; round < 2; round++) {
        sum += lane;
        shflviz_watch(sum);
    }
    out[lane] = __shfl_sync(FULL, sum, 7);
    if (lane < 3)
        shflviz_watch(lane);
}

/* ---- atomics ---- */

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
    int lane = threadIdx.x;
    atomicAdd(i, lane);
    atomicSub(i + 1, lane);
    atomicMin(i + 2, -lane);
    atomicMax(i + 3, lane);
    atomicAnd(i + 4, ~(1 << lane));
    atomicOr(i + 5, 1 << lane);
    atomicXor(i + 6, lane);
    atomicInc(u, 9);
    atomicDec(u + 1, 9);
    atomicExch(u + 2, 5);
    atomicCAS(u + 3, 0, 11);
    atomicAdd(l, 1ull << 40);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
}

/* A lock that lanes of two warps take in turn, with the data that it guards. */
__global__ void lock(int *out) {
    bool done = false;
    while (!done)
        if (atomicCAS(out, 0, 1) == 0) {
            out[1] += 1;
            __threadfence();
            atomicExch(out, 0);
            done = true;
        }
}

/* The order in which threads arrived: each draws a number from one counter of the block. */
__global__ void order(int *out) {
    __shared__ int drawn;
    if (threadIdx.x == 0)
        drawn = 0;
    __syncthreads();
    out[atomicAdd(&drawn, 1)] = threadIdx.x;
}

/* ---- calls for the test ---- */

template <class... P, class... A>
static int launch(void (*kernel)(P...), dim3 grid, dim3 block, A... values) {
    void *arguments[] = {&values..., nullptr};
    return cudaLaunchKernel(kernel, grid, block, arguments);
}

int test_launch(enum test_kernel kernel, unsigned blocks, unsigned threads, int *out) {
    switch (kernel) {
    case KERNEL_DIVERGENT_SYNC:
        return launch(divergent_sync, blocks, threads, out);
    case KERNEL_BOTH_BRANCHES:
        return launch(both_branches, blocks, threads, out);
    case KERNEL_TWO_BRANCHES_OF_THREE:
        return launch(two_branches_of_three, blocks, threads, out);
    case KERNEL_BARRIER_MISSED:
        return launch(barrier_missed, blocks, threads, out);
    case KERNEL_SPIN:
        return launch(spin, blocks, threads, out);
    case KERNEL_EXIT_EARLY:
        return launch(exit_early, blocks, threads, out);
    case KERNEL_LYING_MASK:
        return launch(lying_mask, blocks, threads, out);
    case KERNEL_OUTSIDER_ALONE:
        return launch(outsider_alone, blocks, threads, out);
    case KERNEL_DIVERGENT_MASKS:
        return launch(divergent_masks, blocks, threads, out);
    case KERNEL_EMPTY_MASK:
        return launch(empty_mask, blocks, threads, out);
    case KERNEL_SYNC_FROM_BOTH_BRANCHES:
        return launch(sync_from_both_branches, blocks, threads, out);
    case KERNEL_ODD_WIDTH:
        return launch(odd_width, blocks, threads, out);
    case KERNEL_OWN_WIDTHS:
        return launch(own_widths, blocks, threads, out);
    case KERNEL_KNOWN_ARGUMENTS:
        return launch(known_arguments, blocks, threads, out);
    case KERNEL_NESTED:
        return launch(nested, blocks, threads, out);
    case KERNEL_NEIGHBOURS:
        return launch(neighbours, blocks, threads, (unsigned *)out);
    case KERNEL_PROMOTED:
        return launch(promoted, blocks, threads, out);
    case KERNEL_STATIC_SHARED:
        return launch(static_shared, blocks, threads, out);
    case KERNEL_BARRIER_COUNTS:
        return launch(barrier_counts, blocks, threads, out);
    case KERNEL_PRINTING:
        return launch(printing, blocks, threads);
    case KERNEL_WATCHING:
        return launch(watching, blocks, threads, out);
    case KERNEL_LOCK:
        return launch(lock, blocks, threads, out);
    case KERNEL_ORDER:
        return launch(order, blocks, threads, out);
    }
    return cudaErrorInvalidValue;
}

int test_thread_ids(const unsigned grid[3], const unsigned block[3], int *out) {
    return launch(thread_ids, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]),
                  out);
}

int test_atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
    return launch(atomics, 1, 32, i, u, l, f, d);
}

/* ---- 16-bit arithmetic ---- */

template <class T> static unsigned short calculate(int operation, T a, T b, T c) {
    switch (operation) {
    case '+':
        return (a + b).bits;
    case '-':
        return (a - b).bits;
    case '*':
        return (a * b).bits;
    case '/':
        return (a / b).bits;
    case 'q':
        return hsqrt(a).bits;
    default:
        return __hfma(a, b, c).bits;
    }
}

unsigned short test_half(int operation, unsigned short a, unsigned short b, unsigned short c) {
    return calculate(operation, __ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(c));
}
unsigned short test_bfloat16(int operation, unsigned short a, unsigned short b, unsigned short c) {
    return calculate(operation, __ushort_as_bfloat16(a), __ushort_as_bfloat16(b),
                     __ushort_as_bfloat16(c));
}
unsigned short test_half_of(double value) {
    return __double2half(value).bits;
}
unsigned short test_bfloat16_of(double value) {
    return __double2bfloat16(value).bits;
}
unsigned short test_half_of_integer(long long value) {
    return __half(value).bits;
}
double test_half_to_double(unsigned short bits) {
    return __ushort_as_half(bits).as_double();
}
double test_bfloat16_to_double(unsigned short bits) {
    return __ushort_as_bfloat16(bits).as_double();
}
